package ir_test

import (
	"strconv"

	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
)

func itoa(i int) string { return strconv.Itoa(i) }

// drawGraph draws a schedule in a graph of its own.
func drawGraph(t *rapid.T) (*ir.Graph, *generate.Schedule) {
	g := ir.NewGraph()
	s := generate.Any(g, drawn.Choices{T: t}, generate.Shape{
		Storage: rapid.IntRange(1, 20).Draw(t, "storage"),
		Entries: rapid.IntRange(0, 25).Draw(t, "entries"),
		Depth:   3,
		Count:   rapid.SampledFrom([]int{3, 1000}).Draw(t, "count"),
	})
	return g, s
}

// all is every op of a graph, in order of number.
func all(g *ir.Graph) []ir.Node {
	ops := make([]ir.Node, g.Len())
	for i := range ops {
		ops[i] = g.At(uint32(i + 1))
	}
	return ops
}
