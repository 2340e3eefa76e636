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
					g := ir.NewGraph()
					schedule, err := g.Node(generate.ScheduleOf(g, p))
					require.NoError(b, err)
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
