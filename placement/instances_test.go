package placement_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement"
)

// openInstances are those of which nobody knows whether the load can be met.
var openInstances = map[string]bool{"minimalloc_D.csv": true}

func TestBestMeetsTheLoadOfCaptures(t *testing.T) {
	for _, file := range sharedFiles(t, "captures", "*.json.gz") {
		for _, arena := range capturedArenas(t, file) {
			answer := place(t, arena.problem, placement.Options{Placer: placement.Best})
			require.Equal(t, answer.LowerBound, answer.Size, arena.name)
			require.Equal(t, placement.EqualsBound, answer.Proof, arena.name)
		}
	}
}

func TestBestMeetsTheLoadOfInstances(t *testing.T) {
	for _, file := range sharedFiles(t, "instances", "*.csv") {
		name := filepath.Base(file)
		answer := place(t, instance(t, file), placement.Options{Placer: placement.Best})
		if !openInstances[name] {
			require.Equal(t, answer.LowerBound, answer.Size, name)
		}
	}
}

// TestBestMendsWhatIsTooHighInManyPlaces gives it chains, in which TLSF's plan is too high in hundreds of places.
func TestBestMendsWhatIsTooHighInManyPlaces(t *testing.T) {
	for _, n := range []int{10_000, 100_000} {
		answer := place(t, generate.Chain(n, 1), placement.Options{Placer: placement.Best})
		require.Equal(t, answer.LowerBound, answer.Size, n)
	}
}
