package planner_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
)

// These are meant for the race detector, which `make race` runs; what they assert beside is that a plan is that of a run alone.

const threads = 6

// threadT is a test seen from a goroutine that is not its own: a failure ends that goroutine.
type threadT struct{ *testing.T }

func (t threadT) FailNow() {
	t.Fail()
	runtime.Goexit()
}

// inThreads runs f in several goroutines at once.
func inThreads(t *testing.T, f func(t require.TestingT, thread int)) {
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() { f(threadT{t}, thread) })
	}
	wait.Wait()
}

// outcome is a plan without the ops, which differ from graph to graph.
type outcome struct {
	places []planner.Place
	sizes  []int64
	bounds []int64
	binds  int
}

func outcomeOf(t require.TestingT, p *planner.Plan) (o outcome) {
	for _, at := range p.Places {
		at.Buffer = ir.None
		o.places = append(o.places, at)
	}
	for _, a := range p.Arenas {
		o.sizes, o.bounds = append(o.sizes, a.Size), append(o.bounds, a.LowerBound)
	}
	count, err := p.CountBinds()
	require.NoError(t, err)
	o.binds = count
	return o
}

// buildAndPlan makes the schedule of a seed in g and plans it in one of several ways.
func buildAndPlan(t require.TestingT, g *ir.Graph, seed uint64) (ir.Node, outcome) {
	s := generate.Any(g, rand.New(rand.NewPCG(seed, 8)), generate.Shape{Storage: 12, Entries: 24, Depth: 2, Count: 300})
	schedule := nodeOf(t, g, s.Op)
	o := planner.Options{Held: s.Held, Copies: planner.Copies(seed % 2), Effort: 100}
	if seed%3 == 0 {
		o.Placer = placement.Best
	}
	return schedule, outcomeOf(t, plan(t, schedule, o))
}

// outcomes is what planning each of the seeds alone, in a graph of its own, gives.
func outcomes(t require.TestingT, seeds int) []outcome {
	alone := make([]outcome, seeds)
	for seed := range alone {
		_, alone[seed] = buildAndPlan(t, ir.NewGraph(), uint64(seed))
	}
	return alone
}

// Threads that build and plan schedules of their own, and each other's, and read all that the graph has by then.
func TestThreadsOnOneGraph(t *testing.T) {
	const seeds = 12
	alone := outcomes(t, seeds)
	g := ir.NewGraph()
	inThreads(t, func(t require.TestingT, thread int) {
		for i := range seeds {
			seed := (i*7 + thread*5) % seeds
			schedule, got := buildAndPlan(t, g, uint64(seed))
			require.Equal(t, alone[seed], got)
			readAll(t, schedule)
			requireRefused(t, schedule)
		}
	})
	require.NoError(t, g.Check())
}

func TestThreadsOnManyGraphs(t *testing.T) {
	const seeds = 30
	alone := outcomes(t, seeds)
	inThreads(t, func(t require.TestingT, thread int) {
		for i := range seeds {
			seed := (i + thread*5) % seeds
			g := ir.NewGraph()
			_, got := buildAndPlan(t, g, uint64(seed))
			require.Equal(t, alone[seed], got)
		}
	})
}

// readAll reads each op that a schedule reaches, as far as another thread may have written beside it.
func readAll(t require.TestingT, schedule ir.Node) {
	for n := range schedule.Reach(ir.WithBodies).All() {
		if _, hasBase := n.Base(); hasBase != n.Kind().IsValue() {
			require.Fail(t, "a value without storage under it", "%v", n.Op())
		}
		n.Binding()
		n.Graph().Devices(n.Placement())
	}
}

// requireRefused has a change of the graph and a plan fail.
func requireRefused(t require.TestingT, schedule ir.Node) {
	ops := []ir.Replacement{{From: schedule.Op(), To: ir.None}}
	_, err := schedule.Graph().Substitute(schedule.Op(), ops)
	require.Error(t, err)
	_, err = planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: []ir.Op{ir.None}})
	require.Error(t, err)
}

// One schedule planned by all at once: equal plans with arenas of their own, and one of the plans read by all.
func TestThreadsPlanOneSchedule(t *testing.T) {
	g := ir.NewGraph()
	s := generate.Any(g, rand.New(rand.NewPCG(1, 9)), generate.Shape{Storage: 40, Entries: 120, Depth: 2, Count: 300})
	schedule := nodeOf(t, g, s.Op)
	shared := plan(t, schedule, planner.Options{Held: s.Held})
	require.NotEmpty(t, shared.Arenas)
	want, binds := outcomeOf(t, shared), allBinds(shared)
	arenas := make([][]ir.Op, threads)
	inThreads(t, func(t require.TestingT, thread int) {
		for range 10 {
			p := plan(t, schedule, planner.Options{Held: s.Held})
			require.Equal(t, want, outcomeOf(t, p))
			require.True(t, slices.Equal(binds, allBinds(shared)), "the binds of a plan changed")
			for _, a := range p.Arenas {
				arenas[thread] = append(arenas[thread], a.Op)
			}
		}
	})
	all := slices.Concat(arenas...)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), threads*10*len(shared.Arenas))
	require.NoError(t, g.Check())
}

func allBinds(p *planner.Plan) (binds []planner.Bind) {
	for _, b := range p.Binds() {
		binds = append(binds, b)
	}
	return binds
}

// Settings are read by planning while others set them, here to what they are.
func TestThreadsSetAndRead(t *testing.T) {
	set(t, planner.Debug, 0)
	set(t, planner.NoMemoryPlanner, 0)
	alone := outcomes(t, 1)
	inThreads(t, func(t require.TestingT, thread int) {
		for range 20 {
			planner.Debug.Set(0)
			planner.NoMemoryPlanner.Set(0)
			_, got := buildAndPlan(t, ir.NewGraph(), 0)
			require.Equal(t, alone[0], got)
		}
	})
}
