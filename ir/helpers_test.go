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
	schedule, s := drawn.Schedule(t, generate.Shape{Storage: 20, Entries: 25, Depth: 3, Count: rapid.SampledFrom([]int{3, 1000}).Draw(t, "count")})
	return schedule.Graph(), s
}

// all is every op of a graph, in order of number.
func all(g *ir.Graph) []ir.Node {
	ops := make([]ir.Node, g.Len())
	for i := range ops {
		ops[i] = g.At(uint32(i + 1))
	}
	return ops
}
