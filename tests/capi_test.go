package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// buildLibrary has make build the library, once.
var buildLibrary = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("make", "-C", "..", "lib")
	out, err := cmd.CombinedOutput()
	return string(out), err
})

// libraryDir is the folder of the built library.
func libraryDir(t *testing.T) string {
	t.Helper()
	need(t, "make")
	out, err := buildLibrary()
	require.NoError(t, err, out)
	return absolute(t, "../build")
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// compiler is the C compiler of the environment, or gcc.
func compiler(t *testing.T) string {
	t.Helper()
	if cc := os.Getenv("CC"); cc != "" {
		return need(t, cc)
	}
	return need(t, "gcc")
}

var cFlags = []string{"-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-I../include", "-pthread"}

// dynamic is the flags that link the shared library of a folder.
func dynamic(dir string) []string {
	return []string{"-L" + dir, "-ltolk_memory", "-Wl,-rpath," + dir}
}

// compile is the program of a source file; flags stand behind it.
func compile(t *testing.T, cc, source string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	command(t, ".", cc, append(append(slices.Clone(cFlags), "-o", program, source), flags...)...)
	return program
}

var summary = regexp.MustCompile(`(?m)^[1-9][0-9]* passed, 0 failed$`)

// runChecks runs a program of TESTs, away from settings that the environment may hold.
func runChecks(t *testing.T, program string, env ...string) {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(withoutSettings(os.Environ()), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Regexp(t, summary, string(out))
}

func withoutSettings(env []string) []string {
	return slices.DeleteFunc(env, func(s string) bool {
		return strings.HasPrefix(s, "DEBUG=") || strings.HasPrefix(s, "NO_MEMORY_PLANNER=") || strings.HasPrefix(s, "TOLK_")
	})
}

// eachProgram runs f for each file of tests in C.
func eachProgram(t *testing.T, f func(t *testing.T, source string)) {
	sources, err := filepath.Glob("c/test_*.c")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			t.Parallel()
			f(t, source)
		})
	}
}

func TestC(t *testing.T) {
	cc, dir := compiler(t), libraryDir(t)
	eachProgram(t, func(t *testing.T, source string) {
		runChecks(t, compile(t, cc, source, dynamic(dir)...))
	})
}

func TestCpp(t *testing.T) {
	cxx, dir := need(t, "g++"), libraryDir(t)
	program := filepath.Join(t.TempDir(), "program")
	command(t, ".", cxx, append([]string{"-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I../include", "-o", program, "c/cpp_link.cpp"}, dynamic(dir)...)...)
	runChecks(t, program)
}

// TestArchive links programs with the archive: they need no shared library of ours.
func TestArchive(t *testing.T) {
	cc, dir := compiler(t), libraryDir(t)
	for _, source := range []string{"c/test_plan.c", "c/test_settings.c", "c/test_fork.c"} {
		t.Run(filepath.Base(source), func(t *testing.T) {
			t.Parallel()
			runChecks(t, compile(t, cc, source, filepath.Join(dir, "libtolk_memory.a")))
		})
	}
}

// Go handles faults of memory itself; the sanitizer would take them for its own.
const asanOptions = "ASAN_OPTIONS=handle_segv=0:detect_leaks=1:allocator_may_return_null=1"

var sanitize = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}

// needSanitizers skips the test, out loud, where programs cannot be built with them.
func needSanitizers(t *testing.T, cc string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "empty.c")
	require.NoError(t, os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o600))
	cmd := exec.Command(cc, append(slices.Clone(sanitize), "-o", filepath.Join(dir, "empty"), source)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("skipped: %s lacks the address sanitizer: %s", cc, out)
	}
}

func TestCWithSanitizers(t *testing.T) {
	cc, dir := compiler(t), libraryDir(t)
	needSanitizers(t, cc)
	flags := append(dynamic(dir), sanitize...)
	eachProgram(t, func(t *testing.T, source string) {
		runChecks(t, compile(t, cc, source, flags...), asanOptions)
	})
}

// TestSanitizerSeesLeaks shows that the runs above mean something.
func TestSanitizerSeesLeaks(t *testing.T) {
	cc, dir := compiler(t), libraryDir(t)
	needSanitizers(t, cc)
	cmd := exec.Command(compile(t, cc, "c/leak.c", append(dynamic(dir), sanitize...)...))
	cmd.Env = append(withoutSettings(os.Environ()), asanOptions)
	out, err := cmd.CombinedOutput()
	require.Error(t, err, string(out))
	require.Contains(t, string(out), "detected memory leaks")
}

// TestPanics builds a library that panics when it is told to, and calls all of it.
func TestPanics(t *testing.T) {
	cc, goTool, dir := compiler(t), need(t, "go"), t.TempDir()
	command(t, "..", goTool, "build", "-tags", "tolk_panic", "-buildmode=c-shared", "-o", filepath.Join(dir, "libtolk_memory.so"), "./capi")
	runChecks(t, compile(t, cc, "c/panic.c", dynamic(dir)...))
}

// TestOutOfMemory has the C heap run dry, in a program that brings its own.
func TestOutOfMemory(t *testing.T) {
	cc, dir := compiler(t), libraryDir(t)
	runChecks(t, compile(t, cc, "c/memory.c", append(dynamic(dir), "-ldl")...))
}
