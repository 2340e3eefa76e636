package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// Loops that share what they repeat double at each level when written out; planning does not write them out.
func TestSharedLoopsDouble(t *testing.T) {
	s := newSchedule(t)
	x := s.buffer(1000)
	entry := s.call(x)
	for range 60 {
		entry = s.loop(entry, entry)
	}
	schedule := s.linear(entry, s.call(x))
	p := plan(t, schedule, planner.Options{})
	require.Len(t, p.Places, 1)
	taken, err := planner.Taken(schedule.Source(0))
	require.NoError(t, err)
	require.Len(t, taken, 1)
	_, err = p.CountBinds()
	require.ErrorContains(t, err, "entry 0: written out, the schedule takes more than 67108864 arguments")
}

// Even if nothing at all is in them.
func TestSharedEmptyLoopsDouble(t *testing.T) {
	s := newSchedule(t)
	entry := s.loop()
	for range 60 {
		entry = s.loop(entry, entry)
	}
	p := plan(t, s.linear(entry), planner.Options{})
	require.Empty(t, p.Places)
	_, err := p.CountBinds()
	require.ErrorContains(t, err, "written out")
}

func TestSharedStacksDouble(t *testing.T) {
	s := newSchedule(t)
	part := s.buffer(1000)
	for range 60 {
		part = s.op(s.g.MSelect(s.op(s.g.MStack(part, part)), 0))
	}
	schedule := s.linear(s.call(part))
	p := plan(t, schedule, planner.Options{})
	require.Len(t, p.Places, 1)
	count, err := p.CountBinds()
	require.NoError(t, err)
	require.Equal(t, 1, count)
	taken, err := planner.Taken(schedule.Source(0))
	require.NoError(t, err)
	require.Len(t, taken, 1)
}

func TestDeepSchedules(t *testing.T) {
	const deep = 10000
	s := newSchedule(t)
	x, flag := s.buffer(1000), s.op(s.g.Buffer(ir.Storage{Dtype: ir.Bool, Count: 1, Placement: s.on("CUDA:0")}))
	view := x
	for i := range 10 * deep {
		view = s.op(s.g.After(view, s.op(s.g.Const(int64(i%2)))))
	}
	part := s.buffer(8)
	for range deep {
		part = s.op(s.g.MSelect(s.op(s.g.MStack(part, part)), 1))
	}
	entry := s.call(view, part)
	for range deep {
		entry = s.op(s.g.Backedge(s.op(s.g.Linear(s.loop(entry))), s.twice(), flag))
	}
	schedule := s.linear(entry)
	p := plan(t, schedule, planner.Options{})
	require.Equal(t, []ir.Op{flag, x}, []ir.Op{p.Places[0].Buffer, p.Places[1].Buffer})
	require.Len(t, p.Places, 3)
	count, err := p.CountBinds()
	require.NoError(t, err)
	require.Equal(t, deep+2, count)
}

func TestManyEntries(t *testing.T) {
	s := newSchedule(t)
	entries := make([]ir.Op, 300000)
	x, y := s.buffer(100), s.buffer(100)
	for i := range entries {
		entries[i] = s.call(x)
	}
	entries[150000] = s.call(y)
	p := plan(t, s.linear(entries...), planner.Options{})
	require.Equal(t, []int{0, 300000, 150000, 150001}, []int{p.Places[0].First, p.Places[0].End, p.Places[1].First, p.Places[1].End})
}
