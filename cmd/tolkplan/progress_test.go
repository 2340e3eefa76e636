package main

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress tells of a long search on a terminal, and nothing elsewhere. Each look at the clock is a second later.
func TestProgress(t *testing.T) {
	t.Chdir(t.TempDir())
	_, errText, code := call("gen", "tight", "-n", "200", "-o", "tight.csv")
	require.Zero(t, code, errText)
	for _, watched := range []bool{true, false} {
		var stdout, stderr bytes.Buffer
		var clock time.Time
		a := &app{out: &stdout, err: &stderr, watched: watched, now: func() time.Time {
			clock = clock.Add(time.Second)
			return clock
		}}
		require.Zero(t, a.run(context.Background(), []string{"plan", "tight.csv", "--placer", "best", "--effort", "20000"}), stderr.String())
		require.Contains(t, stdout.String(), "tight.csv")
		if watched {
			require.Contains(t, stderr.String(), "tight.csv memory: best so far")
		} else {
			require.Empty(t, stderr.String())
		}
	}
}
