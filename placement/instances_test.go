package placement_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/placement"
)

// openInstances are those of which nobody knows whether the load can be met.
var openInstances = map[string]bool{"minimalloc_D.csv": true}

func TestBestMeetsTheLoadOfCaptures(t *testing.T) {
	for _, file := range sharedFiles(t, "captures/*.json.gz") {
		for _, arena := range capturedArenas(t, file) {
			answer := place(t, arena.problem, placement.Options{Placer: placement.Best})
			require.Equal(t, answer.LowerBound, answer.Size, arena.name)
			require.Equal(t, placement.EqualsBound, answer.Proof, arena.name)
		}
	}
}

func TestBestMeetsTheLoadOfInstances(t *testing.T) {
	for _, file := range sharedFiles(t, "instances/*.csv") {
		name := filepath.Base(file)
		answer := place(t, instance(t, file), placement.Options{Placer: placement.Best})
		if !openInstances[name] {
			require.Equal(t, answer.LowerBound, answer.Size, name)
		}
	}
}
