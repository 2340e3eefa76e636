package tests

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDist packs twice, and uses what a user unpacks in an empty folder.
func TestDist(t *testing.T) {
	need(t, "cmake")
	libraryDir(t)
	one, two := dist(t), dist(t)
	bytes, err := os.ReadFile(one)
	require.NoError(t, err)
	again, err := os.ReadFile(two)
	require.NoError(t, err)
	require.True(t, string(bytes) == string(again), "equal sources make equal tarballs")

	folder := t.TempDir()
	command(t, folder, need(t, "tar"), "-xzf", one)
	tree := filepath.Join(folder, "libtolk_memory-0.1.0-linux-x86_64")
	checkConsumers(t, tree)
	for pattern, program := range map[string]string{
		"share/doc/tolk_memory/LICENSE": "cmake",
		"python/tolk_memory-*.whl":      "python3",
		"rust/tolk-memory-sys-*.crate":  "cargo",
		"rust/tolk-memory-0*.crate":     "cargo",
	} {
		t.Run(pattern, func(t *testing.T) {
			if need(t, program); program == "cargo" {
				needNewCargo(t)
			}
			found, err := filepath.Glob(filepath.Join(tree, pattern))
			require.NoError(t, err)
			require.Len(t, found, 1)
		})
	}
}

// dist is the path of a new tarball.
func dist(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	t.Log(command(t, "..", absolute(t, "../scripts/dist.sh"), out, "0.1.0"))
	return filepath.Join(out, "libtolk_memory-0.1.0-linux-x86_64.tar.gz")
}
