package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const rust = "../bindings/rust"

// cargo runs it in the workspace of the crates, over the library in a folder.
func cargo(t *testing.T, library string, args ...string) string {
	t.Helper()
	t.Setenv("TOLK_MEMORY_LIB_DIR", library)
	t.Setenv("LD_LIBRARY_PATH", library) // for documentation tests by a cargo older than 1.84
	return command(t, rust, need(t, "cargo"), args...)
}

func sameRust(t *testing.T, library string, args ...string) string {
	return cargo(t, library, append([]string{"run", "--quiet", "--offline", "--example", "same"}, args...)...)
}

func TestRust(t *testing.T) {
	need(t, "cargo")
	library := libraryDir(t)
	t.Run("test", func(t *testing.T) { t.Log(cargo(t, library, "test", "--offline")) })
	t.Run("the archive", func(t *testing.T) {
		cargo(t, library, "test", "--offline", "-p", "tolk-memory", "--features", "static", "--test", "building", "--test", "threads")
	})
	t.Run("clippy", func(t *testing.T) {
		need(t, "cargo-clippy")
		cargo(t, library, "clippy", "--offline", "--all-targets", "--", "-D", "warnings")
	})
	t.Run("documentation", func(t *testing.T) {
		t.Setenv("RUSTDOCFLAGS", "-D warnings")
		cargo(t, library, "doc", "--offline", "--no-deps")
	})
	t.Run("formatting", func(t *testing.T) {
		need(t, "cargo-fmt")
		cargo(t, library, "fmt", "--check")
	})
}

// TestRustHasEveryFunction finds functions of the header that the safe crate does not use, but for those that Rust has no use for.
func TestRustHasEveryFunction(t *testing.T) {
	without := map[string]string{
		"tolk_graph_error": "a constructor that fails gives an Err",
		"tolk_version":     "version gives the text",
		"tolk_abi_version": "the linker compares it",
	}
	raw, err := os.ReadFile(rust + "/tolk-memory-sys/src/raw.rs")
	require.NoError(t, err)
	functions := regexp.MustCompile(`pub fn (tolk_\w+)\(`).FindAllStringSubmatch(string(raw), -1)
	require.NotEmpty(t, functions)
	var safe strings.Builder
	for _, path := range matches(t, rust+"/tolk-memory/src/*.rs") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		safe.Write(text)
	}
	for _, f := range functions {
		used := regexp.MustCompile(`\bsys::` + f[1] + `\b`).MatchString(safe.String())
		_, unwanted := without[f[1]]
		require.NotEqual(t, unwanted, used, f[1])
	}
}

// checkCrates builds examples/rust from packed crates alone: over an installed library, over one that they build, and where neither can be.
func checkCrates(t *testing.T, crates, library string) {
	t.Setenv("TOLK_MEMORY_LIB_DIR", "")
	const want = "the same numbers from 20480 bytes as from 102400\n"
	t.Run("an installed library", func(t *testing.T) {
		need(t, "pkg-config")
		t.Setenv("PKG_CONFIG_PATH", filepath.Join(library, "pkgconfig"))
		t.Setenv("GO", "no-go")
		require.Equal(t, want, runEngine(t, crates))
	})
	t.Setenv("PKG_CONFIG", "no-pkg-config")
	t.Run("their own library", func(t *testing.T) { require.Equal(t, want, runEngine(t, crates)) })
	t.Run("no library", func(t *testing.T) {
		t.Setenv("GO", "no-go")
		build := exec.Command(need(t, "cargo"), "build", "--offline")
		build.Dir = engineFolder(t, crates)
		out, err := build.CombinedOutput()
		require.Error(t, err)
		for _, help := range []string{"TOLK_MEMORY_LIB_DIR", "PKG_CONFIG_PATH", "no-go does not run", "TOLK_MEMORY_SOURCE"} {
			require.Contains(t, string(out), help)
		}
	})
}

// runEngine is what examples/rust prints.
func runEngine(t *testing.T, crates string) string {
	t.Helper()
	return command(t, engineFolder(t, crates), need(t, "cargo"), "run", "--quiet", "--offline")
}

// engineFolder is a new folder with examples/rust and the crates, where cargo finds them offline.
func engineFolder(t *testing.T, crates string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("../examples/rust")))
	patch := "[patch.crates-io]\n"
	for _, crate := range matches(t, filepath.Join(crates, "*.crate")) {
		command(t, folder, need(t, "tar"), "-xzf", crate)
		base := strings.TrimSuffix(filepath.Base(crate), ".crate") // name-version
		patch += fmt.Sprintf("%s.path = %q\n", base[:strings.LastIndex(base, "-")], base)
	}
	writeText(t, filepath.Join(folder, ".cargo", "config.toml"), patch)
	return folder
}

// matches is the files of patterns, of which there is at least one.
func matches(t *testing.T, patterns ...string) []string {
	t.Helper()
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	require.NotEmpty(t, paths, "%v", patterns)
	return paths
}

// needNewCargo skips a test where cargo cannot pack crates of which one uses another.
func needNewCargo(t *testing.T) {
	t.Helper()
	var major, minor int
	_, err := fmt.Sscanf(command(t, ".", need(t, "cargo"), "--version"), "cargo %d.%d", &major, &minor)
	require.NoError(t, err)
	if minor < 90 {
		t.Skipf("skipped: cargo is 1.%d, and packing the crates needs 1.90", minor)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
