package planner_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// What a refused request says, and that it leaves the graph as it was.
func TestRefusals(t *testing.T) {
	s, other := newSchedule(t), newSchedule(t)
	x, huge := s.buffer(1000), s.buffer(1<<60)
	small := s.linear(s.call(x))
	large := s.linear(s.call(huge, s.buffer(1<<60), s.buffer(1)))
	foreign := other.buffer(1)
	device := []string{"CUDA:0"}
	for _, c := range []struct {
		name     string
		schedule ir.Node
		options  planner.Options
		message  string
	}{
		{"no schedule", nodeOf(t, s.g, x), planner.Options{}, "the schedule is #2 (a BUFFER); it must be a LINEAR"},
		{"a call as schedule", small.Source(0), planner.Options{}, "(a CALL); it must be a LINEAR"},
		{"copies", small, planner.Options{Copies: 2}, "copies is 2; it must be 0 (shared) or 1 (apart)"},
		{"granule no power of two", small, planner.Options{Granule: 3}, "granule is 3; it must be a power of two up to 1 GiB, or 0 for 256"},
		{"granule negative", small, planner.Options{Granule: -256}, "granule is -256; it must be a power of two"},
		{"granule least", small, planner.Options{Granule: math.MinInt64}, "it must be a power of two"},
		{"granule too great", small, planner.Options{Granule: 1 << 31}, "granule is 2147483648; it must be"},
		{"capacity of nothing", small, planner.Options{Capacities: []planner.Capacity{{device, 0}}}, "capacity 0 is 0 bytes; it must be positive"},
		{"capacity nowhere", small, planner.Options{Capacities: []planner.Capacity{{device, 1}, {nil, 1}}}, "capacity 1 names no device"},
		{"capacity too small", small, planner.Options{Capacities: []planner.Capacity{{device, 1023}}}, `arena on ["CUDA:0"]: capacity 1023 cannot be met`},
		{"held none", small, planner.Options{Held: []ir.Op{x, ir.None}}, "held buffer 1: op is TOLK_NONE"},
		{"held foreign", small, planner.Options{Held: []ir.Op{foreign}}, "held buffer 0: op"},
		{"held made up", small, planner.Options{Held: []ir.Op{x + 1000}}, "is not an op: the graph has"},
		{"held no buffer", small, planner.Options{Held: []ir.Op{s.body}}, "held buffer 0 is #1 (a PROGRAM); it must be storage or a view"},
		{"placer", small, planner.Options{Placer: 9}, "placer is 9: it must be one of"},
		{"effort", small, planner.Options{Effort: -1}, "effort is -1: it must be positive"},
		{"needs past 61 bits", large, planner.Options{}, "of 1152921504606846976 bytes, need more than 2305843009213693951 bytes together"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ops := c.schedule.Graph().Len()
			p, err := planner.MemoryPlanRewrite(context.Background(), c.schedule, c.options)
			require.ErrorContains(t, err, c.message)
			require.Nil(t, p)
			require.Equal(t, ops, s.g.Len())
			require.NoError(t, s.g.Check())
		})
	}
}

func TestTakenRefusesWhatIsNoEntry(t *testing.T) {
	s := newSchedule(t)
	for _, op := range []ir.Op{s.buffer(1), s.body, s.linear().Op(), s.twice()} {
		_, err := planner.Taken(nodeOf(t, s.g, op))
		require.ErrorContains(t, err, "an entry is a CALL or a loop (END, BACKEDGE)")
	}
}

// Two buffers that do not live together share their bytes; a third that lives with both lies beyond:
//
//	entry      0  1  2
//	a 256      a           [0, 256)
//	b 512      b  b        [256, 768)
//	c 100         c  c     [0, 256): its 100 bytes need a block of 256
func TestAPlanByHand(t *testing.T) {
	s := newSchedule(t)
	a, b, c := s.buffer(256), s.buffer(512), s.buffer(100)
	p := plan(t, s.linear(s.call(a, b), s.call(b, c), s.call(c)), planner.Options{})
	require.Equal(t, []int64{0, 256, 0}, []int64{p.Places[0].Offset, p.Places[1].Offset, p.Places[2].Offset})
	require.Equal(t, []int64{1024, 768, 768}, []int64{p.Before, p.After, p.LowerBound})
	require.True(t, p.Optimal())
	require.Equal(t, 0, p.Arenas[0].PeakEntry)
	require.Equal(t, []int{1, 0}, p.Arenas[0].Live)
}

// An entry takes what its loops take, the flag first, and a copy's buffers stay for twice their lifetime if kept apart.
func TestCopiesApartByHand(t *testing.T) {
	s := newSchedule(t)
	x, y := s.buffer(256), s.buffer(256)
	p := plan(t, s.linear(s.copy(x), s.call(x), s.call(y), s.copy(y), s.call()), planner.Options{Copies: planner.CopiesApart})
	require.Len(t, p.Arenas, 1)
	require.True(t, p.Arenas[0].Copies)
	require.Equal(t, []int{0, 4, 2, 6}, []int{p.Places[0].First, p.Places[0].End, p.Places[1].First, p.Places[1].End})
	require.EqualValues(t, 512, p.Arenas[0].Size)
}

func TestBuffersOfNothing(t *testing.T) {
	s := newSchedule(t)
	p := plan(t, s.linear(s.call(s.buffer(0), s.buffer(0))), planner.Options{})
	require.Equal(t, []int64{256, 256}, []int64{p.Places[0].Need, p.Places[1].Need})
	require.NotEqual(t, p.Places[0].Offset, p.Places[1].Offset)
}

func TestAnEmptySchedule(t *testing.T) {
	s := newSchedule(t)
	empty := s.linear()
	p := plan(t, empty, planner.Options{})
	require.Equal(t, empty.Op(), p.Schedule)
	require.True(t, p.Optimal())
	require.Zero(t, p.Entries())
}

// A disk is the name before the first colon, in any case.
func TestDisks(t *testing.T) {
	for name, planned := range map[string]bool{
		"DISK": false, "disk": false, "Disk:a:b": false, "DISK:": false,
		"DISKETTE": true, "NODISK": true, "CUDA:DISK": true, " DISK": true, "DISK ": true, "dıſk": true, "DIſK": true, "DISK:0": false,
	} {
		s := newSchedule(t)
		buffer := s.op(s.g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 1, Placement: s.on(name)}))
		require.Equal(t, planned, len(plan(t, s.linear(s.call(buffer)), planner.Options{}).Places) == 1, "%q", name)
		both := s.op(s.g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 1, Placement: s.on("CPU", name)}))
		require.Equal(t, planned, len(plan(t, s.linear(s.call(both)), planner.Options{}).Places) == 1, "CPU and %q", name)
	}
}

func TestTheGreatestNeedsFit(t *testing.T) {
	s := newSchedule(t)
	for _, granule := range []int64{32, 256, 1 << 30} {
		p := plan(t, s.linear(s.call(s.buffer(1<<59), s.buffer(1<<59), s.buffer(1))), planner.Options{Granule: granule})
		require.Greater(t, p.After, int64(1<<60))
	}
	whole := plan(t, s.linear(s.call(s.buffer(1<<61-256))), planner.Options{})
	require.Equal(t, int64(1<<61-256), whole.After)
	limit := int64(problem.Limit / 2)
	_, err := planner.MemoryPlanRewrite(context.Background(), s.linear(s.call(s.buffer(limit))), planner.Options{})
	require.ErrorContains(t, err, "need more than")
	_, err = planner.MemoryPlanRewrite(context.Background(), s.linear(s.call(s.buffer(1<<58))), planner.Options{Granule: 1})
	require.ErrorContains(t, err, "with a granule of 1 tlsf counts in units of which a byte has 32")
	p := plan(t, s.linear(s.call(s.buffer(1<<58))), planner.Options{Granule: 1, Placer: placement.Best})
	require.Equal(t, int64(1<<58), p.After)
}

// TestAPhaseIsBytesToo needs no more for a buffer of nothing than for its phase, and a granule at least.
func TestAPhaseIsBytesToo(t *testing.T) {
	s := newSchedule(t)
	for _, c := range []struct{ phase, granule, need int64 }{{0, 1, 1}, {8, 8, 8}, {8, 1, 8}, {8, 4, 8}, {8, 256, 256}, {0, 8, 8}} {
		nothing := s.op(s.g.Buffer(ir.Storage{Dtype: ir.Int64, Placement: s.on("CPU"), Phase: c.phase, Align: 16}))
		require.Equal(t, c.need, plan(t, s.linear(s.call(nothing)), planner.Options{Granule: c.granule}).Places[0].Need, "%+v", c)
	}
}

func TestTheFirstCapacityOfAPlacementCounts(t *testing.T) {
	s, device := newSchedule(t), []string{"CUDA:0"}
	schedule := s.linear(s.call(s.buffer(1000)))
	plan(t, schedule, planner.Options{Capacities: []planner.Capacity{{[]string{"A", "CUDA:0"}, 1}, {device, 1024}, {device, 1}}})
	_, err := planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Capacities: []planner.Capacity{{device, 1}, {device, 1024}}})
	require.ErrorContains(t, err, "capacity 1 cannot be met")
}

func TestACancelledPlanIsAPlan(t *testing.T) {
	s := newSchedule(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := planner.MemoryPlanRewrite(ctx, s.linear(s.call(s.buffer(1), s.buffer(300))), planner.Options{Placer: placement.Best})
	require.NoError(t, err)
	require.Len(t, p.Places, 2)
}

func TestErrorsOfArenasCanBeTakenApart(t *testing.T) {
	s := newSchedule(t)
	x, y := s.buffer(1000), s.buffer(2000)
	_, err := planner.MemoryPlanRewrite(context.Background(), s.linear(s.call(x, y)), planner.Options{
		Capacities: []planner.Capacity{{[]string{"CPU"}, 1}, {[]string{"CUDA:0"}, 2048}},
	})
	var arena *planner.ArenaError
	require.ErrorAs(t, err, &arena)
	var fault *placement.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, y, arena.Buffers[fault.Largest[0]])
}
