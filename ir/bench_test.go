package ir_test

import (
	"fmt"
	"runtime"
	"testing"

	"libtolk_memory/ir"
)

// training describes op i of a graph like that of a training schedule: of four ops one is a buffer, one a view, one a
// call of both, and one a start.
func training(g *ir.Graph, place ir.Placement, sources []ir.Op) func(i int, d *ir.Desc) {
	return func(i int, d *ir.Desc) {
		switch i % 4 {
		case 0:
			*d = ir.Desc{Kind: ir.Buffer, Dtype: ir.Float32, Count: 1 << 30, Placement: place, Slot: int64(i), HasSlot: true}
		case 1:
			*d = ir.Desc{Kind: ir.Const, Value: int64(i)}
		case 2:
			*d = ir.Desc{Kind: ir.Shrink, Sources: sources[:3:3]}
			sources[0], sources[1], sources[2] = ir.Ref(i-2), ir.Ref(i-1), ir.Ref(1)
		case 3:
			*d = ir.Desc{Kind: ir.Call, Sources: sources[:3:3]}
			sources[0], sources[1], sources[2] = ir.Ref(3), ir.Ref(i-1), ir.Ref(i-3)
			if i == 3 {
				*d = ir.Desc{Kind: ir.Program, Name: "kernel"}
			}
		}
	}
}

// BenchmarkBuildAll builds graphs in one list. The metrics are bytes kept for each op and, beside that, for each op and source.
func BenchmarkBuildAll(b *testing.B) {
	for _, n := range []int{1e4, 1e6, 1e7} {
		b.Run(fmt.Sprintf("training/n=%d", n), func(b *testing.B) {
			ops := make([]ir.Op, n)
			b.ReportAllocs()
			var kept, total float64
			for b.Loop() {
				b.StopTimer()
				before := heap()
				g := ir.NewGraph()
				describe := training(g, must(g.Placement("CUDA:0")), make([]ir.Op, 3))
				b.StartTimer()
				_ = must(g.BuildAll(ops, func(_ *ir.Tx, i int, d *ir.Desc) error {
					describe(i, d)
					return nil
				}))
				b.StopTimer()
				kept += float64(heap()-before) / float64(g.Len())
				total++
				runtime.KeepAlive(g)
				b.StartTimer()
			}
			b.ReportMetric(kept/total, "kept-B/op")
			b.ReportMetric(kept/total/(1+6.0/4), "kept-B/op-and-source")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/built")
		})
	}
}

// BenchmarkBuild builds ops one by one, in a graph that has many: new ones, and ones that are there.
func BenchmarkBuild(b *testing.B) {
	for _, again := range []bool{false, true} {
		name := map[bool]string{false: "new", true: "again"}[again]
		b.Run(name, func(b *testing.B) {
			g := ir.NewGraph()
			x := must(g.Buffer(ir.Storage{Dtype: ir.Float32, Count: 1 << 60, Placement: must(g.Placement("CUDA:0"))}))
			sources := []ir.Op{x}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d := ir.Desc{Kind: ir.Shrink, Sources: sources, Count: 1}
				if !again {
					d.Start = int64(i)
				}
				must(g.Build(&d))
			}
		})
	}
}

func BenchmarkReach(b *testing.B) {
	g := ir.NewGraph()
	describe := training(g, must(g.Placement("CUDA:0")), make([]ir.Op, 3))
	ops := make([]ir.Op, 1e6)
	_ = must(g.BuildAll(ops, func(_ *ir.Tx, i int, d *ir.Desc) error {
		describe(i, d)
		return nil
	}))
	var calls []ir.Op
	for i := 7; i < len(ops); i += 4 {
		calls = append(calls, ops[i])
	}
	schedule := must(g.Node(must(g.Linear(calls...))))
	b.ReportAllocs()
	for b.Loop() {
		for range schedule.Reach(ir.WithoutBodies).All() {
		}
	}
}
