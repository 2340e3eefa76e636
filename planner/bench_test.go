package planner_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// scheduleOf is a schedule whose buffers live as those of p: an entry for each
// time at which one starts or ends, whose call takes what starts there and what is taken last there.
func scheduleOf(t testing.TB, g *ir.Graph, p *problem.Problem) ir.Node {
	entries := 0
	for _, b := range p.Buffers {
		entries = max(entries, int(b.End))
	}
	device, err := g.Placement("CUDA:0")
	require.NoError(t, err)
	body, err := g.Body(ir.Program, "kernel", 0)
	require.NoError(t, err)
	arguments := make([][]ir.Op, entries)
	for _, b := range p.Buffers {
		op, err := g.Buffer(ir.Storage{Dtype: ir.Uint8, Count: b.Bytes, Placement: device})
		require.NoError(t, err)
		arguments[b.First] = append(arguments[b.First], op)
		if b.End-1 > b.First {
			arguments[b.End-1] = append(arguments[b.End-1], op)
		}
	}
	calls := make([]ir.Op, entries)
	for i := range calls {
		calls[i], err = g.Call(body, arguments[i]...)
		require.NoError(t, err)
	}
	schedule, err := g.Linear(calls...)
	require.NoError(t, err)
	n, err := g.Node(schedule)
	require.NoError(t, err)
	return n
}

func BenchmarkPlan(b *testing.B) {
	families := []struct {
		name string
		make func(n int, seed uint64) *problem.Problem
	}{{"training", generate.Training}, {"random", generate.Random}}
	for _, family := range families {
		for _, n := range []int{1e3, 1e4, 1e5, 1e6} {
			b.Run(fmt.Sprintf("%s/tlsf/n=%d", family.name, n), func(b *testing.B) {
				p := family.make(n, 1)
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					schedule := scheduleOf(b, ir.NewGraph(), p)
					b.StartTimer()
					plan, err := planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{})
					require.NoError(b, err)
					b.ReportMetric(float64(plan.After)/float64(plan.LowerBound), "arena/bound")
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/buffer")
			})
		}
	}
}
