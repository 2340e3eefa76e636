package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// TestCratesBuildTheirLibrary builds an engine where no library is installed.
func TestCratesBuildTheirLibrary(t *testing.T) {
	t.Setenv("TOLK_MEMORY_LIB_DIR", "")
	t.Setenv("PKG_CONFIG", "no-pkg-config")
	runEngine(t)
}

// TestWithoutLibrary tells a user all that would help.
func TestWithoutLibrary(t *testing.T) {
	t.Setenv("TOLK_MEMORY_LIB_DIR", "")
	t.Setenv("PKG_CONFIG", "no-pkg-config")
	t.Setenv("GO", "no-go")
	build := exec.Command(need(t, "cargo"), "build", "--offline")
	build.Dir = engineFolder(t)
	out, err := build.CombinedOutput()
	require.Error(t, err)
	for _, help := range []string{"TOLK_MEMORY_LIB_DIR", "PKG_CONFIG_PATH", "no-go does not run", "TOLK_MEMORY_SOURCE"} {
		require.Contains(t, string(out), help)
	}
}

// runEngine builds examples/rust from the packed crates alone, and runs it.
func runEngine(t *testing.T) {
	out := command(t, engineFolder(t), need(t, "cargo"), "run", "--quiet", "--offline")
	require.Equal(t, "the same numbers from 20480 bytes as from 102400\n", out)
}

// engineFolder is a new folder with examples/rust, and the crates as cargo finds them offline.
func engineFolder(t *testing.T) string {
	t.Helper()
	needNewCargo(t)
	crates, folder := absolute(t, t.TempDir()), t.TempDir()
	command(t, "..", absolute(t, "../scripts/crates.sh"), crates)
	require.NoError(t, os.CopyFS(folder, os.DirFS("../examples/rust")))
	vendor := filepath.Join(folder, "vendor")
	require.NoError(t, os.Mkdir(vendor, 0o755))
	for _, name := range []string{"tolk-memory-sys-0.1.0", "tolk-memory-0.1.0"} {
		command(t, folder, need(t, "tar"), "-xzf", filepath.Join(crates, name+".crate"), "-C", vendor)
		writeText(t, filepath.Join(vendor, name, ".cargo-checksum.json"), `{"files":{}}`)
	}
	writeText(t, filepath.Join(folder, ".cargo", "config.toml"),
		"[source.crates-io]\nreplace-with = \"vendor\"\n[source.vendor]\ndirectory = \"vendor\"\n")
	return folder
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
