package tests

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoundaryBenches runs the benches in C and of the C boundary, small: they still build, and what they call works.
func TestBoundaryBenches(t *testing.T) {
	dir := libraryDir(t)
	t.Run("C", func(t *testing.T) {
		program := compile(t, compiler(t), "../bench/bench.c", append(dynamic(dir), "-D_POSIX_C_SOURCE=200809L")...)
		require.Contains(t, command(t, ".", program, "100", "1"), "walk the binds")
	})
	t.Run("C++", func(t *testing.T) {
		program := compileCpp(t, need(t, "g++"), []string{"../bench/bench.cpp"}, dynamic(dir)...)
		require.Contains(t, command(t, ".", program, "100"), "walk the binds")
	})
	t.Run("threads", func(t *testing.T) {
		program := compile(t, compiler(t), "../bench/threads.c", append(dynamic(dir), "-D_POSIX_C_SOURCE=200809L", "-pthread")...)
		require.Regexp(t, `(?m)^ 2 threads .* of the processor a plan$`, command(t, ".", program, "2", "0.1"))
	})
	t.Run("Python", func(t *testing.T) {
		python := need(t, "python3")
		out := command(t, ".", python, "../bench/boundary.py", "100", "1", filepath.Join(dir, "libtolk_memory.so"))
		require.Contains(t, out, "walk the binds")
	})
}
