package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// TestCMake builds with CMake, runs some programs of ctest (TestC and TestCpp run them all), installs where this machine has its libraries,
// and has a program find that.
func TestCMake(t *testing.T) {
	cmake, ctest := need(t, "cmake"), need(t, "ctest")
	build, prefix := t.TempDir(), t.TempDir()
	command(t, build, cmake, "-S", absolute(t, ".."), "-B", build, "-DCMAKE_INSTALL_PREFIX="+prefix)
	command(t, build, cmake, "--build", build, "-j", "2", "--target", "tolk_memory_build", "cpp_link", "test_plan", "cpp_test_plan")
	ran := command(t, build, ctest, "--output-on-failure", "-R", "^(cpp_link|test_plan|cpp_test_plan)$")
	require.Contains(t, ran, "100% tests passed, 0 tests failed out of 3")
	command(t, build, cmake, "--install", build)

	checkPackage(t, prefix, "consumer", "consumer", "consumer_static")
	checkPkgConfig(t, filepath.Dir(matches(t, filepath.Join(prefix, "lib*/pkgconfig"), filepath.Join(prefix, "lib*/*/pkgconfig"))[0]))
}

// saved is what the programs of examples print that plan two buffers.
const saved = "8192 bytes fit in 4096\n"

var printed = map[string]string{
	"consumer":        saved,
	"consumer_static": saved,
	"engine":          "6 buffers of 10496 bytes in 1 arena of 4352, the least there can be\nnumbers with and without planning: the same, output[0] = -0.0873\n",
}

// checkConsumers builds programs of users from an installed tree alone, each in an empty folder.
func checkConsumers(t *testing.T, tree string) {
	checkPackage(t, tree, "consumer", "consumer", "consumer_static")
	checkPackage(t, tree, "consumer_cpp", "consumer", "consumer_static")
	checkPackage(t, tree, "cpp", "engine")
	checkPkgConfig(t, filepath.Join(tree, "lib"))
}

// TestSubdirectory has the checkout as a part of a user's project: the same targets, and none of our tests.
func TestSubdirectory(t *testing.T) {
	cmake, folder := need(t, "cmake"), t.TempDir()
	example, err := os.ReadFile("../examples/consumer/CMakeLists.txt")
	require.NoError(t, err)
	installed := "find_package(tolk_memory 0.1 REQUIRED)"
	require.Contains(t, string(example), installed)
	require.NoError(t, os.CopyFS(folder, os.DirFS("../examples/consumer")))
	part := fmt.Sprintf("enable_testing()\nadd_subdirectory(%q tolk_memory)", absolute(t, ".."))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "CMakeLists.txt"), []byte(strings.Replace(string(example), installed, part, 1)), 0o600))

	command(t, folder, cmake, "-S", folder, "-B", "b")
	command(t, folder, cmake, "--build", "b", "-j", "2")
	for _, program := range []string{"consumer", "consumer_static"} {
		require.Equal(t, saved, command(t, folder, filepath.Join(folder, "b", program)))
	}
	require.Contains(t, command(t, filepath.Join(folder, "b"), need(t, "ctest"), "-N"), "Total Tests: 0")
}

// checkPackage builds programs of a folder of examples, which find an installed tree by CMake.
func checkPackage(t *testing.T, tree, example string, programs ...string) {
	t.Run("find_package "+example, func(t *testing.T) {
		cmake, folder := need(t, "cmake"), t.TempDir()
		require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join("../examples", example))))
		command(t, folder, cmake, "-S", folder, "-B", "b", "-DCMAKE_PREFIX_PATH="+tree)
		command(t, folder, cmake, "--build", "b", "-j", "2")
		for _, program := range programs {
			require.Equal(t, printed[program], command(t, folder, filepath.Join(folder, "b", program)))
		}
	})
}

// checkPkgConfig compiles programs by hand, with what pkg-config says of the library in a folder.
func checkPkgConfig(t *testing.T, library string) {
	for compiler, source := range map[string]string{"cc": "consumer/consumer.c", "c++ -std=c++17": "consumer_cpp/consumer.cpp"} {
		t.Run("pkg-config "+compiler, func(t *testing.T) {
			need(t, "pkg-config")
			t.Setenv("PKG_CONFIG_PATH", filepath.Join(library, "pkgconfig"))
			t.Setenv("LD_LIBRARY_PATH", library)
			folder := t.TempDir()
			command(t, folder, "sh", "-c", compiler+" "+absolute(t, "../examples/"+source)+" -o consumer $(pkg-config --cflags --libs tolk_memory)")
			require.Equal(t, saved, command(t, folder, filepath.Join(folder, "consumer")))
		})
	}
}
