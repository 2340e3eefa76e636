package tests

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// The faults that other planners had, by the public record, each as a test of this one: which storage is meant.

// A buffer held through a view is held, whatever the view. ggml-org/llama.cpp#25729: an output that was a view did not keep what it
// looked at; pytorch/pytorch#187678: nor one that was known by another name.
//
//	entry      0  1
//	kept       w       held: stays as it is
//	x          w       [0, 256)
//	y             w    [0, 256), behind x
func TestFault_HeldThroughAView(t *testing.T) {
	for name, view := range map[string]func(s *sketch, kept ir.Op) ir.Op{
		"itself":  func(_ *sketch, kept ir.Op) ir.Op { return kept },
		"shrink":  func(s *sketch, kept ir.Op) ir.Op { return s.shrink(kept, 0, 1) },
		"bitcast": func(s *sketch, kept ir.Op) ir.Op { return s.op(s.g.Bitcast(kept, ir.Float64)) },
		"after":   func(s *sketch, kept ir.Op) ir.Op { return s.op(s.g.After(kept, s.body)) },
		"views of views": func(s *sketch, kept ir.Op) ir.Op {
			return s.shrink(s.op(s.g.Bitcast(s.op(s.g.After(s.shrink(kept, 0, 128), kept)), ir.Int32)), 3, 4)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSketch(t)
			kept, x, y := s.bytes(256), s.bytes(256), s.bytes(256)
			p := s.plan(s.linear(s.call(kept, x), s.call(y)), view(s, kept))
			requirePlan(t, p, 256, spot{x, 0, 0, 1}, spot{y, 0, 1, 2})
		})
	}
}

// A buffer that the schedule reaches only through a view is held by its own name all the same, and all parts of a held stack are.
func TestFault_HeldButReachedThroughAView(t *testing.T) {
	s := newSketch(t)
	kept, x := s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(s.shrink(kept, 0, 8), x)), kept)
	requirePlan(t, p, 256, spot{x, 0, 0, 1})

	left, right := s.bytes(256, "GPU:0"), s.bytes(256, "GPU:1")
	stack := s.op(s.g.MStack(left, right))
	p = s.planUnrun(s.linear(s.call(left, x), s.call(s.shrink(right, 1, 1))), planner.Options{Held: []ir.Op{s.op(s.g.MSelect(stack, 0)), stack}})
	requirePlan(t, p, 256, spot{x, 0, 0, 1})
}

// Two names for one storage are one: it has one place, which no view can move. torch-spyre/torch-spyre#4022: two names of one storage
// got an offset each, and the last one won.
//
//	entry      0       1       2
//	a          a       floats  again   [0, 256): `again` is the same slot built anew
//	b                  w               [256, 512)
//	other              w               [512, 768): alike but for its slot
func TestFault_TwoNamesForOneStorage(t *testing.T) {
	s := newSketch(t)
	named := func(slot int64) ir.Op {
		storage := s.storage(ir.Uint8, 256)
		storage.Slot = &slot
		return s.op(s.g.Buffer(storage))
	}
	a, other := named(1_000_001), named(1_000_002)
	again, b := named(1_000_001), s.bytes(256)
	require.Equal(t, a, again)
	require.NotEqual(t, a, other)
	floats := s.op(s.g.Bitcast(a, ir.Float32))
	p := s.plan(s.linear(s.call(a), s.call(b, floats, other), s.call(again)))
	requirePlan(t, p, 768, spot{a, 0, 0, 3}, spot{b, 256, 1, 2}, spot{other, 512, 1, 2})
	var offsets []int64
	for _, bind := range p.Binds() {
		offsets = append(offsets, bind.Offset)
	}
	require.Equal(t, []int64{0, 256, 0, 512, 0}, offsets)
}

// Storage that others bind, or that calls have for themselves, is never given to a buffer. microsoft/onnxruntime#28359: an
// output was put into what the caller had lent as an input.
func TestFault_BufferPlacedInAnInput(t *testing.T) {
	s := newSketch(t)
	input, local := s.op(s.g.Param(s.storage(ir.Uint8, 256))), s.op(s.g.Alloc(s.storage(ir.Uint8, 256)))
	x, y := s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(x, input, local), s.call(y, x)), input)
	requirePlan(t, p, 512, spot{x, 0, 0, 2}, spot{y, 256, 1, 2})
	var arenas []int
	for _, bind := range p.Binds() {
		arenas = append(arenas, bind.Arena)
	}
	require.Equal(t, []int{0, -1, -1, 0, 0}, arenas)
}

// A schedule shaped as one planned before is planned for itself. ggml-org/llama.cpp#28448: a plan was kept by position and size,
// though the buffers at these positions were others.
//
//	first      a b | b a | a    both live to the end or nearly: [0, 256), [256, 512)
//	second     a b | c a | c    the same sizes at the same positions, c behind b
func TestFault_PlanOfALikeScheduleReused(t *testing.T) {
	s := newSketch(t)
	a, b, c := s.bytes(256), s.bytes(256), s.bytes(256)
	first := s.linear(s.call(a, b), s.call(b, a), s.call(a))
	second := s.linear(s.call(a, b), s.call(c, a), s.call(c))
	for range 2 {
		requirePlan(t, s.plan(first), 512, spot{a, 0, 0, 3}, spot{b, 256, 0, 2})
		requirePlan(t, s.plan(second), 512, spot{a, 0, 0, 2}, spot{b, 256, 0, 1}, spot{c, 256, 1, 3})
	}
}

// Equal sizes, and what is held, in any order and any number of times, give one plan; what else is in the graph changes none.
// pytorch/executorch#22508, hw-native-sys/PTOAS#541: the order of a set decided between equal sizes, and each run had its own
// addresses.
func TestFault_SetOrderChangesAddresses(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	var want []int64
	for round := range 20 {
		s := newSketch(t)
		buffers := make([]ir.Op, 64)
		for _, i := range random.Perm(len(buffers)) { // numbers and slots differ from round to round
			buffers[i] = s.bytes(256 * int64(1+i%2))
			s.shrink(buffers[i], 1, 1)
		}
		var entries []ir.Op
		for i := range buffers {
			entries = append(entries, s.call(buffers[i], buffers[i*7%64], buffers[i/2]))
		}
		held := []ir.Op{buffers[3], buffers[17], buffers[40], s.shrink(buffers[17], 1, 1)}
		random.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
		held = append(held, held[round%len(held)])
		got := offsetsOf(s.plan(s.linear(entries...), held...), buffers)
		if round == 0 {
			want = got
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, 3, len(want)-len(slices.DeleteFunc(want, func(at int64) bool { return at < 0 })))
}

// offsetsOf is where each of the buffers is, -1 for one that is not planned.
func offsetsOf(p *planner.Plan, buffers []ir.Op) []int64 {
	at := map[ir.Op]int64{}
	for _, place := range p.Places {
		at[place.Buffer] = place.Offset
	}
	offsets := make([]int64, len(buffers))
	for i, b := range buffers {
		offsets[i] = -1
		if offset, ok := at[b]; ok {
			offsets[i] = offset
		}
	}
	return offsets
}
