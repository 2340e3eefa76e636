package tests

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/interpret"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
	"libtolk_memory/planner"
)

// sketch is a schedule that a test writes op by op, on the device GPU.
type sketch struct {
	t    *testing.T
	g    *ir.Graph
	body ir.Op
}

func newSketch(t *testing.T) *sketch {
	s := &sketch{t: t, g: ir.NewGraph()}
	s.body = s.op(s.g.Body(ir.Program, "kernel", 0))
	return s
}

func (s *sketch) op(op ir.Op, err error) ir.Op {
	s.t.Helper()
	require.NoError(s.t, err)
	return op
}

func (s *sketch) node(op ir.Op) ir.Node {
	s.t.Helper()
	n, err := s.g.Node(op)
	require.NoError(s.t, err)
	return n
}

func (s *sketch) storage(dtype ir.Dtype, count int64, devices ...string) ir.Storage {
	if len(devices) == 0 {
		devices = []string{"GPU"}
	}
	placement, err := s.g.Placement(devices...)
	require.NoError(s.t, err)
	return ir.Storage{Dtype: dtype, Count: count, Placement: placement}
}

func (s *sketch) bytes(count int64, devices ...string) ir.Op {
	return s.op(s.g.Buffer(s.storage(ir.Uint8, count, devices...)))
}

func (s *sketch) flag() ir.Op { return s.op(s.g.Buffer(s.storage(ir.Bool, 1))) }

func (s *sketch) shrink(value ir.Op, start, length int64) ir.Op {
	return s.op(s.g.Shrink(value, start, length))
}

// call writes its first argument and reads all of them.
func (s *sketch) call(arguments ...ir.Op) ir.Op { return s.op(s.g.Call(s.body, arguments...)) }

func (s *sketch) copy(arguments ...ir.Op) ir.Op {
	return s.op(s.g.Call(s.op(s.g.Body(ir.Store, "copy", 0)), arguments...))
}

func (s *sketch) linear(entries ...ir.Op) ir.Op { return s.op(s.g.Linear(entries...)) }

func (s *sketch) trips(n int64) ir.Op { return s.op(s.g.Range(s.op(s.g.Const(n)), 0, 0)) }

// loop is three trips of the entries.
func (s *sketch) loop(entries ...ir.Op) ir.Op {
	return s.op(s.g.End(s.linear(entries...), s.trips(3)))
}

func (s *sketch) while(flag ir.Op, entries ...ir.Op) ir.Op {
	return s.op(s.g.Backedge(s.linear(entries...), s.trips(3), flag))
}

// plan is the plan of the rule. That every placer computes the same with it as without is checked on the way.
func (s *sketch) plan(schedule ir.Op, held ...ir.Op) *planner.Plan {
	s.t.Helper()
	for _, placer := range []placement.Placer{placement.Best, placement.FirstFit, placement.BestFit} {
		for _, copies := range []planner.Copies{planner.CopiesShared, planner.CopiesApart} {
			s.planWith(schedule, planner.Options{Held: held, Placer: placer, Effort: 300, Copies: copies})
		}
	}
	return s.planWith(schedule, planner.Options{Held: held})
}

func (s *sketch) planWith(schedule ir.Op, o planner.Options) *planner.Plan {
	s.t.Helper()
	p := s.planUnrun(schedule, o)
	n := s.node(schedule)
	apart, planned := interpret.Apart(n), interpret.Planned(n, p)
	require.Equal(s.t, apart.Calls, planned.Calls, "%v: a call read other bytes", o.Placer)
	for _, op := range o.Held {
		base, ok := s.node(op).Base()
		require.True(s.t, ok)
		require.Equal(s.t, apart.Memory[base.Op()], planned.Memory[base.Op()], "%v: held %v", o.Placer, op)
	}
	return p
}

// planUnrun is for buffers too large to have.
func (s *sketch) planUnrun(schedule ir.Op, o planner.Options) *planner.Plan {
	s.t.Helper()
	p, err := planner.MemoryPlanRewrite(context.Background(), s.node(schedule), o)
	require.NoError(s.t, err)
	requireVerified(s.t, p)
	return p
}

// requireVerified has the independent checker look at each arena.
func requireVerified(t require.TestingT, p *planner.Plan) {
	for a, arena := range p.Arenas {
		question, offsets := problem.Problem{}, []int64{}
		for _, at := range p.Places {
			if int(at.Arena) == a {
				question.Buffers = append(question.Buffers, problem.Buffer{First: int64(at.First), End: int64(at.End), Bytes: at.Need})
				offsets = append(offsets, at.Offset)
			}
		}
		require.Empty(t, verify.Check(&question, offsets, arena.Size), "arena %d", a)
	}
}

// spot is where a buffer was placed, in bytes from its arena's start, and the entries [first, end) it lives for.
type spot struct {
	buffer     ir.Op
	offset     int64
	first, end int
}

// requirePlan says what the one arena of a plan is, to the byte.
func requirePlan(t *testing.T, p *planner.Plan, size int64, want ...spot) {
	t.Helper()
	got := make([]spot, len(p.Places))
	for i, at := range p.Places {
		got[i] = spot{at.Buffer, at.Offset, at.First, at.End}
	}
	require.Equal(t, want, got, fmt.Sprintf("bytes %d", p.After))
	require.Len(t, p.Arenas, 1)
	require.Equal(t, size, p.Arenas[0].Size)
}
