package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// naiveSpan is where one shard of a value is.
type naiveSpan struct {
	device   int
	storage  ir.Op
	offset   int64
	symbolic bool
}

// spansNaively follows the views of a value one by one.
func spansNaively(v ir.Node) []naiveSpan {
	if v.Kind().IsStorage() {
		span := naiveSpan{storage: v.Op()}
		if len(v.Graph().Devices(v.Placement())) > 1 {
			span.device = planner.AllDevices
		}
		return []naiveSpan{span}
	}
	if v.Kind() == ir.MStack {
		var spans []naiveSpan
		for i := range v.NumSources() {
			spans = append(spans, spansNaively(v.Source(i))...)
		}
		return spans
	}
	spans := spansNaively(v.Source(0))
	switch v.Kind() {
	case ir.Shrink:
		least, greatest := v.Source(1).Bounds()
		for i := range spans {
			if least == greatest {
				spans[i].offset += least * v.Dtype().Size()
			} else {
				spans[i].symbolic = true
			}
		}
	case ir.MSelect:
		if len(spans) > 1 {
			spans = spans[v.Shard():][:1]
		} else { // one storage on several devices
			spans[0].device = int(v.Shard())
		}
	}
	return spans
}

type entryBind struct {
	entry int
	bind  planner.Bind
}

func bindsNaively(p *planner.Plan, schedule ir.Node) (binds []entryBind) {
	arena := map[ir.Op]int{}
	for i, a := range p.Arenas {
		arena[a.Op] = i
	}
	for entry := range schedule.NumSources() {
		usesNaively(schedule.Source(entry), func(call ir.Node, argument int, value ir.Node) {
			for shard, span := range spansNaively(value) {
				b := planner.Bind{
					Call: call.Op(), Value: value.Op(), Storage: span.storage, Offset: span.offset, Bytes: value.Nbytes(),
					Argument: argument, Shard: shard, Device: span.device, Arena: -1, Symbolic: span.symbolic,
				}
				if a, ok := arena[span.storage]; ok {
					b.Arena = a
				}
				binds = append(binds, entryBind{entry, b})
			}
		})
	}
	return binds
}

func TestLaw_BindsAreWhatTheViewsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		p := plan(t, schedule, drawOptions(t, held))
		want := bindsNaively(p, nodeOf(t, schedule.Graph(), p.Schedule))
		var got []entryBind
		for entry, b := range p.Binds() {
			got = append(got, entryBind{entry, b})
		}
		require.Equal(t, want, got)
		count, err := p.CountBinds()
		require.NoError(t, err)
		require.Equal(t, len(want), count)
		require.Equal(t, schedule.NumSources(), p.Entries())
	})
}

// Planning moves what an argument binds to into an arena and changes nothing else about it.
func TestLaw_BindsMoveWithTheirBuffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		p := plan(t, schedule, drawOptions(t, held))
		place := map[ir.Op]planner.Place{}
		for _, at := range p.Places {
			place[at.Buffer] = at
		}
		before := bindsNaively(p, schedule)
		i := 0
		for entry, b := range p.Binds() {
			was := before[i]
			require.Equal(t, was.entry, entry)
			if at, ok := place[was.bind.Storage]; ok {
				was.bind.Storage, was.bind.Arena = p.Arenas[at.Arena].Op, int(at.Arena)
				was.bind.Offset += at.Start
			}
			was.bind.Call, was.bind.Value = b.Call, b.Value
			require.Equal(t, was.bind, b)
			i++
		}
		require.Len(t, before, i)
	})
}

func TestBindsStopWhenAsked(t *testing.T) {
	s := newSchedule(t)
	x := s.buffer(1)
	p := plan(t, s.linear(s.call(x, x), s.call(x)), planner.Options{})
	seen := 0
	for range p.Binds() {
		if seen++; seen == 2 {
			break
		}
	}
	require.Equal(t, 2, seen)
}
