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
	t.Log(command(t, pythonDir, need(t, "mypy"), "--cache-dir", t.TempDir(), "tolk_memory", "backend", "../../bench/python.py"))
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

// checkWheel installs a wheel in an empty environment, runs a user's program in an empty folder, and has pip build that wheel again.
func checkWheel(t *testing.T, wheel string) {
	env, program := virtualEnvironment(t), filepath.Join(t.TempDir(), "engine.py")
	pip, interpreter := filepath.Join(env, "bin", "pip"), filepath.Join(env, "bin", "python")
	engine, err := os.ReadFile("../examples/python/engine.py")
	require.NoError(t, err)
	writeText(t, program, string(engine))

	t.Run("pip builds the same", func(t *testing.T) {
		checkout := absolute(t, pythonDir)
		for _, source := range []string{checkout, sourceDistribution(t)} {
			folder := t.TempDir()
			t.Log(alone(t, pip, "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--no-cache-dir", "--wheel-dir", folder, source))
			requireSameBytes(t, wheel, filepath.Join(folder, filepath.Base(wheel)))
		}
	})
	alone(t, pip, "install", "--no-index", wheel)
	require.Regexp(t, `^the same 64 numbers, in [0-9]+ bytes for [0-9]+\n$`, alone(t, interpreter, program))
	t.Run("types", func(t *testing.T) {
		alone(t, need(t, "mypy"), "--strict", "--python-executable", interpreter, "--cache-dir", t.TempDir(), program)
	})
}

// sourceDistribution is the path of a new one, from which pip builds on machines that no wheel is for.
func sourceDistribution(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	build := python(t, pythonDir, "-c", "import sys; sys.path.insert(0, 'backend'); import tolk_memory_build; tolk_memory_build.build_sdist(sys.argv[1])", folder)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return matches(t, filepath.Join(folder, "tolk_memory-*.tar.gz"))[0]
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
