// Package drawn makes the choices of the generators from what a property test draws, so that they are shrunk and replayed.
package drawn

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
)

// Choices are a generator's choices, drawn from T.
type Choices struct{ T *rapid.T }

// IntN is a number in [0, n).
func (c Choices) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(c.T, "choice") }

// Schedule is a schedule in a graph of its own, with at most as much storage (and some) and as many entries as most has.
func Schedule(t *rapid.T, most generate.Shape) (ir.Node, *generate.Schedule) {
	most.Storage = rapid.IntRange(1, most.Storage).Draw(t, "storage")
	most.Entries = rapid.IntRange(0, most.Entries).Draw(t, "entries")
	g := ir.NewGraph()
	s := generate.Any(g, Choices{t}, most)
	schedule, err := g.Node(s.Op)
	require.NoError(t, err)
	return schedule, s
}
