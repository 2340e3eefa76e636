package tests

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSame builds the schedule of same/README.md op by op in each language: the texts are the same to the byte.
func TestSame(t *testing.T) {
	dir := libraryDir(t)
	golden, err := os.ReadFile("same/golden.txt")
	require.NoError(t, err)
	rows := []struct {
		language string
		print    func(t *testing.T) string
	}{
		{"C", func(t *testing.T) string {
			return command(t, ".", compile(t, compiler(t), "same/same.c", dynamic(dir)...))
		}},
		{"C++", func(t *testing.T) string { return command(t, ".", sameCpp(t, dir)) }},
		{"C++ in a batch", func(t *testing.T) string { return command(t, ".", sameCpp(t, dir), "batch") }},
		{"Rust", func(t *testing.T) string { return sameRust(t, dir) }},
		{"Rust in a batch", func(t *testing.T) string { return sameRust(t, dir, "batch") }},
	}
	for _, row := range rows {
		t.Run(row.language, func(t *testing.T) { require.Equal(t, string(golden), row.print(t)) })
	}
}

func sameCpp(t *testing.T, dir string) string {
	return compileCpp(t, need(t, "g++"), []string{"same/same.cpp"}, dynamic(dir)...)
}
