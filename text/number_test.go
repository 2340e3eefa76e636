package text

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
)

func TestLaw_StorageIsNumberedAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, _ := drawn.Schedule(t, generate.Shape{Storage: 20, Entries: 20, Depth: 3, Count: 1000})
		written, err := writeEntries(schedule)
		require.NoError(t, err)
		number, err := numberStorage(schedule)
		require.NoError(t, err)
		require.Len(t, number, len(written.storage))
		for i, storage := range written.storage {
			require.Equal(t, i, number[storage.Op()])
		}
	})
}

// TestNumberingIsLinear numbers a schedule whose text would have 2^1000 parts.
func TestNumberingIsLinear(t *testing.T) {
	g := ir.NewGraph()
	must := func(op ir.Op, err error) ir.Op {
		require.NoError(t, err)
		return op
	}
	placement, err := g.Placement("CPU")
	require.NoError(t, err)
	storage := must(g.Buffer(ir.Storage{Dtype: ir.Float32, Count: 64, Placement: placement}))
	view := storage
	for range 1000 {
		view = must(g.MSelect(must(g.MStack(view, view)), 0))
	}
	schedule, err := g.Node(must(g.Linear(must(g.Call(must(g.Body(ir.Program, "kernel", 0)), view)))))
	require.NoError(t, err)
	number, err := numberStorage(schedule)
	require.NoError(t, err)
	require.Equal(t, map[ir.Op]int{storage: 0}, number)
}
