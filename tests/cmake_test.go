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

	checkConsumers(t, prefix)
}

// checkConsumers builds programs of users from an installed tree alone, each in an empty folder.
func checkConsumers(t *testing.T, prefix string) {
	cmake := need(t, "cmake")
	const saved = "8192 bytes fit in 4096\n"
	engine := "6 buffers of 10496 bytes in 1 arena of 4352, the least there can be\nnumbers with and without planning: the same, output[0] = -0.0873\n"
	rows := []struct {
		folder string
		want   map[string]string // what its programs print
	}{
		{"consumer", map[string]string{"consumer": saved, "consumer_static": saved}},
		{"consumer_cpp", map[string]string{"consumer": saved, "consumer_static": saved}},
		{"cpp", map[string]string{"engine": engine}},
	}
	for _, row := range rows {
		t.Run("find_package "+row.folder, func(t *testing.T) {
			folder := t.TempDir()
			require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("../examples", row.folder))))
			command(t, folder, cmake, "-S", folder, "-B", "b", "-DCMAKE_PREFIX_PATH="+prefix)
			command(t, folder, cmake, "--build", "b", "-j", "2")
			for program, want := range row.want {
				require.Equal(t, want, command(t, folder, filepath.Join(folder, "b", program)))
			}
		})
	}
	for compiler, source := range map[string]string{"cc": "consumer/consumer.c", "c++ -std=c++17": "consumer_cpp/consumer.cpp"} {
		t.Run("pkg-config "+compiler, func(t *testing.T) {
			need(t, "pkg-config")
			t.Setenv("PKG_CONFIG_PATH", filepath.Join(prefix, "lib", "pkgconfig"))
			t.Setenv("LD_LIBRARY_PATH", filepath.Join(prefix, "lib"))
			folder := t.TempDir()
			command(t, folder, "sh", "-c", compiler+" "+absolute(t, "../examples/"+source)+" -o consumer $(pkg-config --cflags --libs tolk_memory)")
			require.Equal(t, saved, command(t, folder, filepath.Join(folder, "consumer")))
		})
	}
	t.Run("cargo", func(t *testing.T) {
		need(t, "pkg-config")
		t.Setenv("PKG_CONFIG_PATH", filepath.Join(prefix, "lib", "pkgconfig"))
		t.Setenv("GO", "no-go") // the installed library, and no other
		runEngine(t)
	})
}
