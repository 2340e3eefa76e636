package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// readmeExample is what stands in README.md between a line ```language and the next ```.
func readmeExample(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, 1, "README.md has one example in %s", language)
	return blocks[0][1]
}

// TestReadme runs each example as it stands there: they tell of one plan.
func TestReadme(t *testing.T) {
	t.Run("C", func(t *testing.T) {
		source := filepath.Join(t.TempDir(), "example.c")
		writeText(t, source, readmeExample(t, "c"))
		out := command(t, ".", compile(t, compiler(t), source, dynamic(libraryDir(t))...))
		require.Equal(t, []string{
			"entry 0 argument 0: the arena, byte 0", "entry 0 argument 1: storage of its own, byte 0",
			"entry 1 argument 0: the arena, byte 4096", "entry 1 argument 1: the arena, byte 0",
			"entry 2 argument 0: storage of its own, byte 0", "entry 2 argument 1: the arena, byte 4096",
		}, strings.Split(strings.TrimSpace(out), "\n"))
	})
	t.Run("C++", func(t *testing.T) {
		cxx, dir, source := need(t, "g++"), libraryDir(t), filepath.Join(t.TempDir(), "example.cpp")
		include, body, found := strings.Cut(readmeExample(t, "cpp"), "\n")
		require.True(t, found)
		writeText(t, source, fmt.Sprintf("#include <cstdio>\n%s\nint main() {\n%s}\n", include, body))
		require.Equal(t, "CUDA:0: 8192 bytes\n", command(t, ".", compileCpp(t, cxx, []string{source}, dynamic(dir)...)))
	})
	t.Run("Python", func(t *testing.T) {
		out, err := python(t, ".", "-c", readmeExample(t, "python")).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "8192")
	})
	t.Run("Rust", func(t *testing.T) {
		folder := t.TempDir()
		writeText(t, filepath.Join(folder, "Cargo.toml"), "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n"+
			fmt.Sprintf("tolk-memory = { path = %q }\n", absolute(t, rust+"/tolk-memory")))
		writeText(t, filepath.Join(folder, "src", "main.rs"),
			fmt.Sprintf("fn main() -> Result<(), Box<dyn std::error::Error>> {\n%s\nOk(())\n}\n", readmeExample(t, "rust")))
		t.Setenv("TOLK_MEMORY_LIB_DIR", libraryDir(t))
		t.Setenv("CARGO_TARGET_DIR", absolute(t, filepath.Join("..", "build", "rust")))
		require.Equal(t, "8192 of 8192 bytes\n", command(t, folder, need(t, "cargo"), "run", "--quiet", "--offline"))
	})
}
