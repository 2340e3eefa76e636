package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func TestGeneratedFilesAreFresh(t *testing.T) {
	needCompiler(t)
	texts, err := generate(root)
	require.NoError(t, err)
	for path, want := range texts {
		committed, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		require.True(t, want == string(committed), "%s is not what the header says: run %s", path, command)
	}
}

// needCompiler skips the test, out loud, where cc has none to ask about types.
func needCompiler(t *testing.T) {
	t.Helper()
	if os.Getenv("CC") != "" {
		return
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("skipped: there is no C compiler, cc, whose types the header uses")
	}
}
