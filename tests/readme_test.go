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

// readmeExamples is what stands in README.md between each line ```language and the next ```: so many.
func readmeExamples(t *testing.T, language string, count int) (examples []string) {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, count, language)
	for _, block := range blocks {
		examples = append(examples, block[1])
	}
	return examples
}

// TestReadme runs each example as it stands there: they tell of one plan.
func TestReadme(t *testing.T) {
	t.Run("C", func(t *testing.T) {
		source, examples := filepath.Join(t.TempDir(), "example.c"), readmeExamples(t, "c", 2)
		writeText(t, source, examples[0])
		out := command(t, ".", compile(t, compiler(t), source, dynamic(libraryDir(t))...))
		require.Equal(t, []string{
			"entry 0 argument 0: the arena, byte 0", "entry 0 argument 1: storage of its own, byte 0",
			"entry 1 argument 0: the arena, byte 4096", "entry 1 argument 1: the arena, byte 0",
			"entry 2 argument 0: the arena, byte 0", "entry 2 argument 1: the arena, byte 4096",
			"entry 3 argument 0: storage of its own, byte 0", "entry 3 argument 1: the arena, byte 0",
		}, strings.Split(strings.TrimSpace(out), "\n"))

		writeText(t, source, fmt.Sprintf("#include <stdio.h>\n#include <tolk_memory.h>\nint main(void) {\n%s"+
			"printf(\"%%d %%d %%d\\n\", (int)offsets[0], (int)offsets[1], (int)offsets[2]);\n}\n", examples[1]))
		require.Equal(t, "0 4096 0\n", command(t, ".", compile(t, compiler(t), source, dynamic(libraryDir(t))...)))
	})
	t.Run("C++", func(t *testing.T) {
		cxx, dir, source := need(t, "g++"), libraryDir(t), filepath.Join(t.TempDir(), "example.cpp")
		include, body, found := strings.Cut(readmeExamples(t, "cpp", 1)[0], "\n")
		require.True(t, found)
		writeText(t, source, fmt.Sprintf("#include <cstdio>\n%s\nint main() {\n%s}\n", include, body))
		require.Equal(t, "CUDA:0: 8192 bytes\n", command(t, ".", compileCpp(t, cxx, []string{source}, dynamic(dir)...)))
	})
	t.Run("Python", func(t *testing.T) {
		out, err := python(t, ".", "-c", readmeExamples(t, "python", 1)[0]).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "8192")
	})
	t.Run("Rust", func(t *testing.T) {
		folder := t.TempDir()
		writeText(t, filepath.Join(folder, "Cargo.toml"), "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n"+
			fmt.Sprintf("tolk-memory = { path = %q }\n", absolute(t, rust+"/tolk-memory")))
		writeText(t, filepath.Join(folder, "src", "main.rs"),
			fmt.Sprintf("fn main() -> Result<(), Box<dyn std::error::Error>> {\n%s\nOk(())\n}\n", readmeExamples(t, "rust", 1)[0]))
		t.Setenv("TOLK_MEMORY_LIB_DIR", libraryDir(t))
		t.Setenv("CARGO_TARGET_DIR", absolute(t, filepath.Join("..", "build", "rust")))
		require.Equal(t, "8192 of 12288 bytes\n", command(t, folder, need(t, "cargo"), "run", "--quiet", "--offline"))
	})
}
