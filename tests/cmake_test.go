package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// need is the path of a program; without it the test is skipped, out loud.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("skipped: %s is not installed", program)
	}
	return path
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

// TestInstalledTree builds with CMake, runs ctest, installs, and builds programs
// of users from the installed tree alone, in an empty folder.
func TestInstalledTree(t *testing.T) {
	cmake, ctest := need(t, "cmake"), need(t, "ctest")
	source, err := filepath.Abs("..")
	require.NoError(t, err)
	build, prefix := t.TempDir(), t.TempDir()
	command(t, build, cmake, "-S", source, "-B", build, "-DCMAKE_INSTALL_PREFIX="+prefix, "-DCMAKE_INSTALL_LIBDIR=lib")
	command(t, build, cmake, "--build", build, "-j", "2")
	t.Log(command(t, build, ctest, "--output-on-failure"))
	command(t, build, cmake, "--install", build)

	t.Run("find_package", func(t *testing.T) {
		consumer := t.TempDir()
		require.NoError(t, os.CopyFS(consumer, os.DirFS(filepath.Join(source, "examples", "consumer"))))
		command(t, consumer, cmake, "-S", consumer, "-B", "b", "-DCMAKE_PREFIX_PATH="+prefix)
		command(t, consumer, cmake, "--build", "b")
		for _, program := range []string{"consumer", "consumer_static"} {
			require.Equal(t, "8192 bytes fit in 4096\n", command(t, consumer, filepath.Join(consumer, "b", program)))
		}
	})
	t.Run("pkg-config", func(t *testing.T) {
		need(t, "pkg-config")
		consumer := t.TempDir()
		t.Setenv("PKG_CONFIG_PATH", filepath.Join(prefix, "lib", "pkgconfig"))
		t.Setenv("LD_LIBRARY_PATH", filepath.Join(prefix, "lib"))
		program := filepath.Join(source, "examples", "consumer", "consumer.c")
		command(t, consumer, "sh", "-c", "${CC:-cc} "+program+" -o consumer $(pkg-config --cflags --libs tolk_memory)")
		require.Equal(t, "8192 bytes fit in 4096\n", command(t, consumer, filepath.Join(consumer, "consumer")))
	})
}
