package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlansOfNothing: no lifetimes are planned, written, checked and drawn as some are.
func TestPlansOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("none.csv", []byte("id,lower,upper,size\n"), 0o600))
	require.NoError(t, os.WriteFile("none.json", []byte(`{"lifetimes": []}`), 0o600))
	for _, path := range []string{"none.csv", "none.json"} {
		for _, output := range []string{"out.json", "out.jsonl"} {
			text, err := os.ReadFile(written(t, output, "plan", path))
			require.NoError(t, err)
			require.JSONEq(t, `{"size": 0, "offsets": [], "lower_bound": 0, "optimal": true}`, string(text))
			require.Contains(t, done(t, "verify", output, "--of", path), "0 buffers in 0 B: right")
		}
		text, err := os.ReadFile(written(t, "out.csv", "plan", path))
		require.NoError(t, err)
		require.Equal(t, "id,lower,upper,size\n", string(text))
		for _, command := range []string{"explain", "compare", "demo"} {
			done(t, command, path)
		}
		for _, output := range []string{"out.html", "out.svg", "out.txt", "out.json"} {
			written(t, output, "map", path)
		}
	}
	require.NoError(t, os.WriteFile("wrong.json", []byte(`{"size": 8, "offsets": [], "lower_bound": 0, "optimal": true}`), 0o600))
	out, _, code := call("verify", "wrong.json", "--of", "none.csv")
	require.Equal(t, exitNo, code)
	require.Contains(t, out, "wrong size")
}
