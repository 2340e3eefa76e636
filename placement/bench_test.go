package placement_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// workload is a family of problems by number of buffers.
type workload struct {
	name string
	make func(n int) *problem.Problem
}

var workloads = []workload{
	{"training", func(n int) *problem.Problem { return generate.Training(n, 1) }},
	{"random", func(n int) *problem.Problem { return generate.Random(n, 1) }},
	{"chain", func(n int) *problem.Problem { return generate.Chain(n, 1) }},
	{"spread", func(n int) *problem.Problem { return generate.Spread(n, 1) }},
	{"mixed", func(n int) *problem.Problem { return generate.Mixed(n, 1) }},
	{"tight", func(n int) *problem.Problem { p, _ := generate.Tight(n, 1); return p }},
}

// benchmarkPlace reports beside the time the arena and the proven bound over the load, the most memory that the process had the first
// time, and how the prototype fares beside Best.
func benchmarkPlace(b *testing.B, p *problem.Problem, o placement.Options, beside *prototype) {
	b.ReportAllocs()
	peak, counting := 0.0, resetPeak()
	var answer *placement.Answer
	for b.Loop() {
		var err error
		answer, err = placement.Place(context.Background(), p, o)
		require.NoError(b, err)
		if counting && peak == 0 { // later ones add what was not collected yet
			b.StopTimer()
			peak = peakMegabytes(b)
			b.StartTimer()
		}
	}
	b.ReportMetric(float64(answer.Size)/float64(answer.LowerBound), "arena/bound")
	b.ReportMetric(float64(answer.ProvenBound)/float64(answer.LowerBound), "proven/bound")
	if counting {
		b.ReportMetric(peak, "peak-MB")
	}
	if o.Placer == placement.Best {
		beside.report(b, p)
	}
}

func BenchmarkPlace(b *testing.B) {
	beside := newPrototype(b)
	for _, w := range workloads {
		for _, placer := range placers {
			for _, n := range []int{100, 1_000, 10_000, 100_000, 1_000_000} {
				if n > 100_000 && (placer == placement.FirstFit || placer == placement.BestFit) {
					continue // it takes minutes where most buffers live together
				}
				b.Run(fmt.Sprintf("%s/%s/n=%d", w.name, placer, n), func(b *testing.B) {
					benchmarkPlace(b, w.make(n), placement.Options{Placer: placer}, beside)
				})
			}
		}
	}
}

// BenchmarkInstances is Best on the problems others published.
func BenchmarkInstances(b *testing.B) {
	beside := newPrototype(b)
	for _, file := range sharedFiles(b, "instances", "*.csv") {
		b.Run(strings.TrimSuffix(filepath.Base(file), ".csv"), func(b *testing.B) {
			benchmarkPlace(b, instance(b, file), placement.Options{Placer: placement.Best}, beside)
		})
	}
}

// BenchmarkOpenInstances is Best with about five seconds' effort on those whose optimum nobody knows.
func BenchmarkOpenInstances(b *testing.B) {
	beside := newPrototype(b)
	for _, file := range sharedFiles(b, "instances", "*.csv") {
		if name := filepath.Base(file); openInstances[name] {
			b.Run(strings.TrimSuffix(name, ".csv"), func(b *testing.B) {
				benchmarkPlace(b, instance(b, file), placement.Options{Placer: placement.Best, Effort: 5_000_000}, beside)
			})
		}
	}
}

// BenchmarkCaptures places every arena of the captured schedules once an iteration.
func BenchmarkCaptures(b *testing.B) {
	beside := newPrototype(b)
	var problems []*problem.Problem
	for _, file := range sharedFiles(b, "captures", "*.json.gz") {
		for _, arena := range capturedArenas(b, file) {
			problems = append(problems, arena.problem)
		}
	}
	for _, placer := range placers {
		b.Run(placer.String(), func(b *testing.B) {
			b.ReportAllocs()
			size, bound := int64(0), int64(0)
			for b.Loop() {
				size, bound = 0, 0
				for _, p := range problems {
					answer, err := placement.Place(context.Background(), p, placement.Options{Placer: placer})
					require.NoError(b, err)
					size, bound = size+answer.Size, bound+answer.LowerBound
				}
			}
			b.ReportMetric(float64(size)/float64(bound), "arena/bound")
			if placer == placement.Best {
				beside.report(b, problems...)
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, w := range workloads {
		for _, n := range []int{1_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/n=%d", w.name, n), func(b *testing.B) {
				p := w.make(n)
				answer, err := placement.Place(context.Background(), p, placement.Options{})
				require.NoError(b, err)
				b.ReportAllocs()
				for b.Loop() {
					require.Empty(b, verify.Check(p, answer.Offsets, answer.Size))
				}
			})
		}
	}
}
