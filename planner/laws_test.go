package planner_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
)

// drawSchedule draws a schedule in a graph of its own, and what is held.
func drawSchedule(t *rapid.T) (ir.Node, []ir.Op) {
	schedule, s := drawn.Schedule(t, generate.Shape{
		Storage: 40,
		Entries: 40,
		Depth:   rapid.IntRange(0, 3).Draw(t, "depth"),
		Count:   rapid.SampledFrom([]int{20, 1000, 100000}).Draw(t, "count"),
	})
	return schedule, s.Held
}

func nodeOf(t require.TestingT, g *ir.Graph, op ir.Op) ir.Node {
	n, err := g.Node(op)
	require.NoError(t, err)
	return n
}

func drawOptions(t *rapid.T, held []ir.Op) planner.Options {
	o := planner.Options{
		Held:   held,
		Copies: planner.Copies(rapid.IntRange(0, 1).Draw(t, "copies")),
		Placer: rapid.SampledFrom([]placement.Placer{placement.TLSF, placement.Best, placement.FirstFit, placement.BestFit}).Draw(t, "placer"),
		Effort: 200,
	}
	o.Granule = int64(rapid.SampledFrom([]int{0, 1, 2, 4, 16, 256, 4096}).Draw(t, "granule"))
	return o
}

func plan(t require.TestingT, schedule ir.Node, o planner.Options) *planner.Plan {
	p, err := planner.MemoryPlanRewrite(context.Background(), schedule, o)
	require.NoError(t, err)
	require.NoError(t, schedule.Graph().Check())
	return p
}

func TestLaw_APlanIsThatOfTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		requirePlanOfTheRules(t, schedule, held)
	})
}

// Larger schedules than a property test draws.
func TestLargePlansAreThoseOfTheRules(t *testing.T) {
	for seed := range uint64(150) {
		g := ir.NewGraph()
		s := generate.Any(g, rand.New(rand.NewPCG(seed, 1)), generate.Shape{Storage: 150, Entries: 250, Depth: 2, Count: 100000})
		requirePlanOfTheRules(t, nodeOf(t, g, s.Op), s.Held)
	}
}

func requirePlanOfTheRules(t require.TestingT, schedule ir.Node, held []ir.Op) {
	for _, copies := range []planner.Copies{planner.CopiesShared, planner.CopiesApart} {
		got := plan(t, schedule, planner.Options{Held: held, Copies: copies})
		requireNaive(t, planNaively(schedule, held, copies), got)
		require.Equal(t, substituteNaively(schedule, got), got.Schedule)
	}
}

func requireNaive(t require.TestingT, want *naivePlan, got *planner.Plan) {
	require.Equal(t, want.before, got.Before)
	require.Len(t, got.Arenas, len(want.arenas))
	after, bound := int64(0), int64(0)
	for i, a := range want.arenas {
		b := got.Arenas[i]
		require.Equal(t, a, planner.Arena{Devices: b.Devices, Copies: b.Copies, Size: b.Size, LowerBound: b.LowerBound, PeakEntry: b.PeakEntry, Live: b.Live})
		after, bound = after+a.Size, bound+a.LowerBound
	}
	require.Equal(t, [2]int64{after, bound}, [2]int64{got.After, got.LowerBound})
	require.Len(t, got.Places, len(want.places))
	for i, b := range want.places {
		p := got.Places[i]
		require.Equal(t, b.buffer.Op(), p.Buffer)
		require.Equal(t, []int{b.arena, b.first, b.end}, []int{int(p.Arena), p.First, p.End})
		require.Equal(t, []int64{b.offset, b.offset + b.buffer.Phase(), b.buffer.Nbytes(), b.need}, []int64{p.Offset, p.Start, p.Bytes, p.Need})
	}
}

func TestLaw_NoTwoLiveBuffersShareAByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		requireApart(t, plan(t, schedule, drawOptions(t, held)))
	})
}

func requireApart(t require.TestingT, p *planner.Plan) {
	for i, x := range p.Places {
		require.GreaterOrEqual(t, x.Offset, int64(0))
		require.LessOrEqual(t, x.Start+x.Bytes, x.Offset+x.Need)
		require.LessOrEqual(t, x.Offset+x.Need, p.Arenas[x.Arena].Size)
		for _, y := range p.Places[:i] {
			together := x.Arena == y.Arena && max(x.First, y.First) < min(x.End, y.End)
			require.False(t, together && max(x.Offset, y.Offset) < min(x.Offset+x.Need, y.Offset+y.Need), "%+v and %+v", x, y)
		}
	}
}

func TestLaw_APhaseIsKeptWhateverTheGranule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		o := drawOptions(t, held)
		for _, at := range plan(t, schedule, o).Places {
			buffer := nodeOf(t, schedule.Graph(), at.Buffer)
			require.Equal(t, buffer.Phase(), at.Start%buffer.Align())
			if o.Granule > 0 {
				require.Zero(t, at.Offset%o.Granule)
				require.Zero(t, at.Need%o.Granule)
			}
		}
	})
}

// storages is the storage that a schedule reaches outside of bodies.
func storages(schedule ir.Node) (all []ir.Op) {
	for n := range schedule.Reach(ir.WithoutBodies).All() {
		if n.Kind().IsStorage() {
			all = append(all, n.Op())
		}
	}
	return all
}

func TestLaw_WhatIsNotPlannedStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		p := plan(t, schedule, drawOptions(t, held))
		want := storages(schedule)
		set := heldNaively(schedule, held)
		for _, at := range p.Places {
			require.True(t, isPlanned(nodeOf(t, schedule.Graph(), at.Buffer), set))
			want = slices.DeleteFunc(want, func(op ir.Op) bool { return op == at.Buffer })
		}
		for _, a := range p.Arenas {
			arena := nodeOf(t, schedule.Graph(), a.Op)
			require.Equal(t, ir.Buffer, arena.Kind())
			require.Equal(t, ir.Int8, arena.Dtype())
			require.Equal(t, a.Size, arena.Len())
			require.Equal(t, a.Devices, schedule.Graph().Devices(arena.Placement()))
			want = append(want, a.Op)
		}
		require.ElementsMatch(t, want, storages(nodeOf(t, schedule.Graph(), p.Schedule)))
	})
}

func TestLaw_EntriesKeepNumberOrderAndShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		p := plan(t, schedule, drawOptions(t, held))
		requireSameShape(t, schedule, nodeOf(t, schedule.Graph(), p.Schedule))
	})
}

// requireSameShape compares entries down to their arguments, which must be alike to whoever takes them.
func requireSameShape(t require.TestingT, before, after ir.Node) {
	if before.Kind().IsValue() {
		require.True(t, after.Kind().IsValue())
		require.Equal(t, before.Dtype(), after.Dtype())
		require.Equal(t, before.Len(), after.Len())
		require.Equal(t, before.Placement(), after.Placement())
		return
	}
	if before.Op() == after.Op() {
		return
	}
	require.Equal(t, before.Kind(), after.Kind())
	require.Equal(t, before.NumSources(), after.NumSources())
	for i := range before.NumSources() {
		if i == 0 && before.Kind() == ir.Call {
			require.Equal(t, before.Source(0), after.Source(0))
			continue
		}
		requireSameShape(t, before.Source(i), after.Source(i))
	}
}

func TestLaw_NothingToPlanGivesTheScheduleItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		ops := schedule.Graph().Len()
		off := int64(1)
		require.Equal(t, schedule.Op(), plan(t, schedule, planner.Options{Held: held, NoMemoryPlanner: &off}).Schedule)
		p := plan(t, schedule, planner.Options{Held: storages(schedule)})
		require.Equal(t, schedule.Op(), p.Schedule)
		require.Empty(t, p.Places)
		require.Equal(t, ops, schedule.Graph().Len())
	})
}

func TestLaw_PlanningAgainNeverNeedsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		o := planner.Options{Held: held, Copies: planner.Copies(rapid.IntRange(0, 1).Draw(t, "copies"))}
		p := plan(t, schedule, o)
		again := plan(t, nodeOf(t, schedule.Graph(), p.Schedule), o)
		require.LessOrEqual(t, again.After, p.After)
	})
}

func TestLaw_TheOrderOfConstructionChangesNoPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		o := drawOptions(t, held)
		g := ir.NewGraph()
		to := generate.Copy(g, schedule, drawn.Choices{T: t})
		o2 := o
		o2.Held = nil
		for _, op := range held {
			if now, ok := to[op]; ok { // otherwise the schedule does not reach it
				o2.Held = append(o2.Held, now)
			} else {
				heldBases(t, schedule.Graph(), op, to, &o2.Held)
			}
		}
		p, q := plan(t, schedule, o), plan(t, nodeOf(t, g, to[schedule.Op()]), o2)
		require.Equal(t, len(p.Places), len(q.Places))
		for i := range p.Places {
			want := p.Places[i]
			want.Buffer = to[want.Buffer]
			require.Equal(t, want, q.Places[i])
		}
		require.Equal(t, []int64{p.Before, p.After, p.LowerBound}, []int64{q.Before, q.After, q.LowerBound})
	})
}

// heldBases appends the copies of the storage under a held view that was not copied itself.
func heldBases(t *rapid.T, g *ir.Graph, op ir.Op, to map[ir.Op]ir.Op, held *[]ir.Op) {
	for _, s := range storagesNaively(nodeOf(t, g, op)) {
		if now, ok := to[s.Op()]; ok {
			*held = append(*held, now)
		}
	}
}

func TestLaw_PlanningTwiceGivesTheSamePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		o := drawOptions(t, held)
		require.Equal(t, plan(t, schedule, o).Places, plan(t, schedule, o).Places)
	})
}

func TestLaw_TakenIsThatOfTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, _ := drawSchedule(t)
		for entry := range schedule.NumSources() {
			taken, err := planner.Taken(schedule.Source(entry))
			require.NoError(t, err)
			require.Equal(t, takenNaively(schedule.Source(entry)), taken)
		}
	})
}

func TestLaw_ACapacityIsKeptOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		o := drawOptions(t, held)
		o.Placer = placement.Best
		free := plan(t, schedule, o)
		if len(free.Arenas) == 0 {
			t.Skip("nothing is planned")
		}
		arena := rapid.SampledFrom(free.Arenas).Draw(t, "arena")
		ops := schedule.Graph().Len()
		bytes := arena.Size + rapid.Int64Range(-arena.Size+1, 300).Draw(t, "more")
		o.Capacities = []planner.Capacity{{Devices: arena.Devices, Bytes: bytes}}
		p, err := planner.MemoryPlanRewrite(context.Background(), schedule, o)
		if err != nil {
			requireInfeasible(t, schedule, err, bytes)
			require.Equal(t, ops, schedule.Graph().Len())
			return
		}
		for _, a := range p.Arenas {
			if slices.Equal(a.Devices, arena.Devices) {
				require.LessOrEqual(t, a.Size, bytes)
			}
		}
	})
}

func requireInfeasible(t require.TestingT, schedule ir.Node, err error, bytes int64) {
	var arena *planner.ArenaError
	require.ErrorAs(t, err, &arena)
	var fault *placement.Error
	require.ErrorAs(t, err, &fault)
	require.Contains(t, []placement.Kind{placement.Infeasible, placement.NotFound}, fault.Kind)
	require.Equal(t, bytes, fault.Capacity)
	for at, i := range fault.Largest {
		require.LessOrEqual(t, nodeOf(t, schedule.Graph(), arena.Buffers[i]).Nbytes(), fault.Needs[at])
	}
}
