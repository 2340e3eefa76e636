package text_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// benchedCapture is a captured schedule and the seconds that the peer recorded in it took to plan it.
type benchedCapture struct {
	Schedule json.RawMessage `json:"schedule"`
	Peer     struct {
		Whole float64 `json:"whole"`
	} `json:"peer_seconds"`
}

// plan reads the schedule and plans it; only the latter takes time.
func (c *benchedCapture) plan(b *testing.B, placer placement.Placer) (plan *planner.Plan, took time.Duration) {
	b.StopTimer()
	g := ir.NewGraph()
	s, err := text.ReadSchedule(g, c.Schedule)
	require.NoError(b, err)
	schedule, err := g.Node(s.Op)
	require.NoError(b, err)
	runtime.GC() // of what reading leaves; otherwise it is planning that waits for it, now of the one placer, now of the other
	b.StartTimer()
	start := time.Now()
	plan, err = planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: s.Held, Placer: placer})
	took = time.Since(start)
	require.NoError(b, err)
	return plan, took
}

// BenchmarkCaptures plans schedules of real models, already read, and compares with the peer, and best with tlsf.
func BenchmarkCaptures(b *testing.B) { benchmarkCaptures(b, fixture.Path(b, "captures")) }

func BenchmarkSharedCaptures(b *testing.B) { benchmarkCaptures(b, fixture.Shared(b, "captures")) }

func benchmarkCaptures(b *testing.B, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	require.NoError(b, err)
	var all pairedTimes
	for _, path := range paths {
		c := fixture.Capture[benchedCapture](b, path)
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		for _, placer := range []placement.Placer{placement.TLSF, placement.Best} {
			b.Run(name+"/"+placer.String(), func(b *testing.B) {
				b.ReportAllocs()
				var plan *planner.Plan
				for b.Loop() {
					plan, _ = c.plan(b, placer)
				}
				b.ReportMetric(c.Peer.Whole/(b.Elapsed().Seconds()/float64(b.N)), "peer/ours")
				if plan.LowerBound > 0 {
					b.ReportMetric(float64(plan.After)/float64(plan.LowerBound), "arena/bound")
				}
			})
		}
		b.Run(name+"/both", func(b *testing.B) {
			var times pairedTimes
			for b.Loop() {
				times.measure(b, &c)
			}
			b.ReportMetric(median(times.best)/median(times.tlsf), "best/tlsf")
			all.tlsf = append(all.tlsf, median(times.tlsf))
			all.best = append(all.best, median(times.best))
		})
	}
	b.Run("all", func(b *testing.B) {
		b.ReportMetric(sum(all.best)/sum(all.tlsf), "best/tlsf")
	})
}

// pairedTimes are the seconds of the two placers on the same, one after the other.
type pairedTimes struct{ tlsf, best []float64 }

// pairs is how often both plan in one iteration.
const pairs = 10

func (p *pairedTimes) measure(b *testing.B, c *benchedCapture) {
	for range pairs {
		_, tlsf := c.plan(b, placement.TLSF)
		_, best := c.plan(b, placement.Best)
		p.tlsf, p.best = append(p.tlsf, tlsf.Seconds()), append(p.best, best.Seconds())
	}
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

func sum(values []float64) (sum float64) {
	for _, value := range values {
		sum += value
	}
	return sum
}
