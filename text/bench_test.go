package text_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// BenchmarkCaptures plans schedules of real models, already read, and compares with the seconds that the
// peer recorded in them took for the same.
func BenchmarkCaptures(b *testing.B) {
	paths, err := filepath.Glob(filepath.Join(fixture.Path(b, "captures"), "*.json.gz"))
	require.NoError(b, err)
	for _, path := range paths {
		c := fixture.Capture[struct {
			Schedule json.RawMessage `json:"schedule"`
			Peer     struct {
				Whole float64 `json:"whole"`
			} `json:"peer_seconds"`
		}](b, path)
		name := strings.TrimSuffix(filepath.Base(path), ".json.gz")
		for _, placer := range []placement.Placer{placement.TLSF, placement.Best} {
			b.Run(name+"/"+placer.String(), func(b *testing.B) {
				b.ReportAllocs()
				var plan *planner.Plan
				for b.Loop() {
					b.StopTimer()
					g := ir.NewGraph()
					s, err := text.ReadSchedule(g, c.Schedule)
					require.NoError(b, err)
					schedule, err := g.Node(s.Op)
					require.NoError(b, err)
					b.StartTimer()
					plan, err = planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: s.Held, Placer: placer})
					require.NoError(b, err)
				}
				b.ReportMetric(c.Peer.Whole/(b.Elapsed().Seconds()/float64(b.N)), "peer/ours")
				if plan.LowerBound > 0 {
					b.ReportMetric(float64(plan.After)/float64(plan.LowerBound), "arena/bound")
				}
			})
		}
	}
}
