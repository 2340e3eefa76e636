package text_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// read is a schedule of a graph of its own, read from a text.
func read(t require.TestingT, written []byte) (ir.Node, *text.Schedule) {
	g := ir.NewGraph()
	s, err := text.ReadSchedule(g, written)
	require.NoError(t, err, "%s", written)
	require.NoError(t, g.Check())
	n, err := g.Node(s.Op)
	require.NoError(t, err)
	return n, s
}

func plan(t require.TestingT, schedule ir.Node, held []ir.Op, copies planner.Copies) *planner.Plan {
	p, err := planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: held, Copies: copies})
	require.NoError(t, err)
	return p
}

func taken(t require.TestingT, entry ir.Node) []ir.Node {
	list, err := planner.Taken(entry)
	require.NoError(t, err)
	return list
}

// requireReadBack writes a schedule and reads it: another one with the same plan, whose text is the same.
func requireReadBack(t require.TestingT, schedule ir.Node, held []ir.Op) {
	written, err := text.WriteSchedule(schedule, "größe\n", held)
	require.NoError(t, err)
	again, s := read(t, written)
	require.Equal(t, "größe\n", s.Name)
	rewritten, err := text.WriteSchedule(again, s.Name, s.Held)
	require.NoError(t, err)
	require.Equal(t, string(written), string(rewritten))
	for _, copies := range []planner.Copies{planner.CopiesShared, planner.CopiesApart} {
		requireSamePlan(t, plan(t, schedule, held, copies), plan(t, again, s.Held, copies))
		p, err := text.WritePlan(schedule, plan(t, schedule, held, copies))
		require.NoError(t, err)
		q, err := text.WritePlan(again, plan(t, again, s.Held, copies))
		require.NoError(t, err)
		require.Equal(t, string(p), string(q))
	}
	requireSameTaken(t, schedule, again)
}

func requireSamePlan(t require.TestingT, p, q *planner.Plan) {
	require.Equal(t, []int64{p.Before, p.After, p.LowerBound}, []int64{q.Before, q.After, q.LowerBound})
	require.Equal(t, len(p.Arenas), len(q.Arenas))
	for i, a := range p.Arenas {
		require.Equal(t, a.Devices, q.Arenas[i].Devices)
		require.Equal(t, a.Size, q.Arenas[i].Size)
	}
	require.Equal(t, len(p.Places), len(q.Places))
	for i, place := range p.Places {
		other := q.Places[i]
		other.Buffer = place.Buffer
		require.Equal(t, place, other)
	}
}

func requireSameTaken(t require.TestingT, schedule, again ir.Node) {
	require.Equal(t, schedule.NumSources(), again.NumSources())
	number := map[ir.Op]ir.Op{}
	for entry := range schedule.NumSources() {
		want, got := taken(t, schedule.Source(entry)), taken(t, again.Source(entry))
		require.Equal(t, len(want), len(got))
		for i, s := range want {
			require.Equal(t, []any{s.Kind(), s.Dtype(), s.Len(), s.Phase(), s.Align()}, []any{got[i].Kind(), got[i].Dtype(), got[i].Len(), got[i].Phase(), got[i].Align()})
			if known, ok := number[s.Op()]; ok {
				require.Equal(t, known, got[i].Op())
			}
			number[s.Op()] = got[i].Op()
		}
	}
}

func TestLaw_AWrittenScheduleIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, s := drawn.Schedule(t, generate.Shape{Storage: 20, Entries: 20, Depth: 3, Count: 1000})
		requireReadBack(t, schedule, s.Held)
	})
}

func TestLargeSchedulesAreReadBack(t *testing.T) {
	for seed := range uint64(30) {
		g := ir.NewGraph()
		s := generate.Any(g, rand.New(rand.NewPCG(seed, 5)), generate.Shape{Storage: 60, Entries: 100, Depth: 2, Count: 1000})
		n, err := g.Node(s.Op)
		require.NoError(t, err)
		requireReadBack(t, n, s.Held)
	}
}
