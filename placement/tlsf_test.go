package placement_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/placement"
)

func TestTLSFIsTheRuleOnCaptures(t *testing.T) {
	for _, file := range sharedFiles(t, "captures", "*.json.gz") {
		for _, arena := range capturedArenas(t, file) {
			answer, err := placement.Place(context.Background(), arena.problem, placement.Options{Range: arena.span})
			require.NoError(t, err, arena.name)
			require.Equal(t, arena.offsets, answer.Offsets, arena.name)
			require.Equal(t, arena.size, answer.Size, arena.name)
		}
	}
}
