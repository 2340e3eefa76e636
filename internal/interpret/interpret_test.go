package interpret_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/internal/interpret"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// variants are the ways to plan that must compute the same.
func variants(held []ir.Op) map[string]planner.Options {
	all := map[string]planner.Options{}
	for _, placer := range []placement.Placer{placement.TLSF, placement.Best} {
		for copies, name := range []string{"shared", "apart"} {
			all[fmt.Sprint(placer, " ", name)] = planner.Options{Held: held, Placer: placer, Effort: 300, Copies: planner.Copies(copies)}
		}
	}
	fine := all["best shared"]
	fine.Granule = 1
	all["best shared, granule 1"] = fine
	return all
}

func requireSame(t require.TestingT, schedule ir.Node, o planner.Options, name string) {
	plan, err := planner.MemoryPlanRewrite(context.Background(), schedule, o)
	require.NoError(t, err)
	apart, planned := interpret.Apart(schedule), interpret.Planned(schedule, plan)
	require.Equal(t, apart.Calls, planned.Calls, "%s: a call read other bytes", name)
	moved := map[ir.Op]bool{}
	for _, p := range plan.Places {
		moved[p.Buffer] = true
	}
	for storage, bytes := range apart.Memory {
		if !moved[storage] {
			require.Equal(t, bytes, planned.Memory[storage], "%s: storage %v", name, storage)
		}
	}
}

func TestLaw_APlanComputesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, s := drawn.Schedule(t, generate.Shape{Storage: 30, Entries: 30, Depth: 3, Count: 100})
		for name, o := range variants(s.Held) {
			requireSame(t, schedule, o, name)
		}
	})
}

// Larger schedules than a property test draws.
func TestLargePlansComputeTheSame(t *testing.T) {
	for seed := range uint64(60) {
		g := ir.NewGraph()
		s := generate.Any(g, rand.New(rand.NewPCG(seed, 2)), generate.Shape{Storage: 80, Entries: 100, Depth: 2, Count: 200})
		schedule, err := g.Node(s.Op)
		require.NoError(t, err)
		for name, o := range variants(s.Held) {
			requireSame(t, schedule, o, name)
		}
	}
}

// Real models, each buffer scaled down so that all fit in a few hundred KB.
func TestCapturesComputeTheSame(t *testing.T) {
	testCaptures(t, fixture.Path(t, "captures"), 1<<19)
}

func TestSharedCapturesComputeTheSame(t *testing.T) {
	testCaptures(t, fixture.Shared(t, "captures"), 1<<17)
}

func testCaptures(t *testing.T, dir string, total int64) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			capture := fixture.Capture[struct{ Schedule map[string]any }](t, path)
			scaleDown(capture.Schedule, total)
			request, err := json.Marshal(capture.Schedule)
			require.NoError(t, err)
			g := ir.NewGraph()
			s, err := text.ReadSchedule(g, request)
			require.NoError(t, err)
			schedule, err := g.Node(s.Op)
			require.NoError(t, err)
			for name, o := range variants(s.Held) {
				requireSame(t, schedule, o, name)
			}
		})
	}
}

// scaleDown divides the counts of a schedule's storage so that they sum to about total.
func scaleDown(schedule map[string]any, total int64) {
	sum := 0.0
	storages := schedule["storage"].([]any)
	for _, s := range storages {
		sum += s.(map[string]any)["count"].(float64)
	}
	for _, s := range storages {
		fields := s.(map[string]any)
		if count := fields["count"].(float64); count > 1 {
			fields["count"] = max(1, int64(count*min(1, float64(total)/sum)))
		}
	}
}

// The check finds what it is for: a plan in which one buffer lies elsewhere than its views say, or on another one.
func TestAWrongPlanIsNoticed(t *testing.T) {
	g := ir.NewGraph()
	device, err := g.Placement("CPU")
	require.NoError(t, err)
	buffer := func() ir.Op {
		op, err := g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 256, Placement: device})
		require.NoError(t, err)
		return op
	}
	x, y, out := buffer(), buffer(), buffer()
	body, err := g.Body(ir.Program, "add", 0)
	require.NoError(t, err)
	call := func(arguments ...ir.Op) ir.Op {
		op, err := g.Call(body, arguments...)
		require.NoError(t, err)
		return op
	}
	op, err := g.Linear(call(x), call(y), call(out, x, y), call(out, y))
	require.NoError(t, err)
	schedule, err := g.Node(op)
	require.NoError(t, err)
	right, err := planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: []ir.Op{out}})
	require.NoError(t, err)
	require.Equal(t, interpret.Apart(schedule).Calls, interpret.Planned(schedule, right).Calls)

	for _, wrong := range []struct{ from, to int64 }{{0, 256}, {256, 0}} {
		plan := *right
		plan.Schedule = moved(t, g, right, wrong.from, wrong.to)
		require.NotEqual(t, interpret.Apart(schedule).Calls, interpret.Planned(schedule, &plan).Calls)
	}
}

// moved is a plan's schedule with the 256 bytes at from of its arena replaced by those at to.
func moved(t *testing.T, g *ir.Graph, plan *planner.Plan, from, to int64) ir.Op {
	arena := plan.Arenas[0].Op
	old, err := g.Shrink(arena, from, 256)
	require.NoError(t, err)
	now, err := g.Shrink(arena, to, 256)
	require.NoError(t, err)
	op, err := g.Substitute(plan.Schedule, []ir.Replacement{{From: old, To: now}})
	require.NoError(t, err)
	require.NotEqual(t, plan.Schedule, op)
	return op
}
