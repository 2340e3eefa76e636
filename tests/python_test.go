package tests

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const pythonDir = "../bindings/python"

// python is a command of python3 in a folder, which uses the built library and leaves no files beside the sources.
func python(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	program := need(t, "python3")
	readAll(t, pythonDir, "../examples/python", "same")
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(withoutSettings(os.Environ()), "TOLK_MEMORY_LIBRARY="+filepath.Join(libraryDir(t), "libtolk_memory.so"),
		"PYTHONPATH="+pythonPath(absolute(t, pythonDir)), "PYTHONDONTWRITEBYTECODE=1")
	return cmd
}

// pythonPath is the environment's path with a folder before it: a tinygrad may be there.
func pythonPath(dir string) string {
	if path := os.Getenv("PYTHONPATH"); path != "" {
		return dir + string(os.PathListSeparator) + path
	}
	return dir
}

// readAll opens the files of folders, so that go test knows of them and does not take a result from its cache when they changed.
func readAll(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && slices.Contains([]string{".py", ".toml", ".txt"}, filepath.Ext(path)) {
				_, err = os.ReadFile(path)
			}
			return err
		}))
	}
}

var skippedInPython = regexp.MustCompile(`(?m)^.*\.\.\. skipped .*$`)

// TestPython runs the package's own tests.
func TestPython(t *testing.T) {
	cmd := python(t, pythonDir, "-W", "error", "-m", "unittest", "discover", "-v", "-t", ".", "-s", "tests")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Regexp(t, `(?m)^Ran [1-9][0-9]* tests`, string(out))
	for _, line := range skippedInPython.FindAllString(string(out), -1) {
		t.Log(line)
	}
}

func TestPythonTypes(t *testing.T) {
	readAll(t, pythonDir)
	mypy := need(t, "mypy")
	t.Log(command(t, pythonDir, mypy, "--cache-dir", t.TempDir(), "tolk_memory", "backend", "../../bench/python.py", "../../examples/python/engine.py"))
}

func TestSameInPython(t *testing.T) {
	golden, err := os.ReadFile("same/golden.txt")
	require.NoError(t, err)
	for _, args := range [][]string{nil, {"batch"}} {
		out, err := python(t, "same", append([]string{"same.py"}, args...)...).Output()
		require.NoError(t, err)
		require.Equal(t, string(golden), string(out), "%v", args)
	}
}

// TestPythonWheel builds a wheel, installs it alone in an empty environment, and runs a user's program in an empty folder.
func TestPythonWheel(t *testing.T) {
	wheel := buildWheel(t)
	one, err := os.ReadFile(wheel)
	require.NoError(t, err)
	command(t, "..", "make", "wheel")
	two, err := os.ReadFile(filepath.Join("../build/dist", filepath.Base(wheel)))
	require.NoError(t, err)
	require.True(t, slices.Equal(one, two), "pip and make wheel write the same bytes")

	env := virtualEnvironment(t)
	alone(t, filepath.Join(env, "bin", "pip"), "install", "--no-index", wheel)
	engine, err := os.ReadFile("../examples/python/engine.py")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "engine.py")
	require.NoError(t, os.WriteFile(program, engine, 0o600))
	require.Regexp(t, `^the same 64 numbers, in [0-9]+ bytes for [0-9]+\n$`, alone(t, filepath.Join(env, "bin", "python"), program))
}

// buildWheel is the path of a new wheel, built by pip.
func buildWheel(t *testing.T) string {
	t.Helper()
	if err := python(t, ".", "-m", "pip", "--version").Run(); err != nil {
		t.Skip("skipped: python3 has no pip")
	}
	dir := t.TempDir()
	cmd := python(t, pythonDir, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--wheel-dir", dir, ".")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	wheels, err := filepath.Glob(filepath.Join(dir, "tolk_memory-*-py3-none-*.whl"))
	require.NoError(t, err)
	require.Len(t, wheels, 1, string(out))
	return wheels[0]
}

// virtualEnvironment is the folder of a new Python environment with nothing in it but pip.
func virtualEnvironment(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := python(t, ".", "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("skipped: python3 makes no virtual environments: %s", out)
	}
	return dir
}

// alone runs a program in an empty folder without a way to this checkout.
func alone(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = slices.DeleteFunc(withoutSettings(os.Environ()), func(s string) bool { return regexp.MustCompile(`^(PYTHON|LD_)`).MatchString(s) })
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}
