package tests

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// The faults that other planners had, by the public record, each as a test of this one: who lives when. The unit is the block of
// 256 bytes; each test writes its plan out.

// A view taken late keeps the storage under it alive. In apache/tvm#20134 a lowered reshape was not known as one, and what it looked
// at was overwritten.
//
//	entry      0  1  2
//	a          a     view   [0, 256)
//	b             b         [256, 512)
//	c                c      [256, 512), behind b
func TestFault_ViewExtendsLifetime(t *testing.T) {
	for name, view := range map[string]func(s *sketch, a ir.Op) ir.Op{
		"shrink":  func(s *sketch, a ir.Op) ir.Op { return s.shrink(a, 255, 1) },
		"bitcast": func(s *sketch, a ir.Op) ir.Op { return s.op(s.g.Bitcast(a, ir.Float32)) },
		"after":   func(s *sketch, a ir.Op) ir.Op { return s.op(s.g.After(a, s.call(a))) },
		"a start known only when it runs": func(s *sketch, a ir.Op) ir.Op {
			return s.op(s.g.ShrinkAt(a, s.op(s.g.Variable("start", 0, 255)), 1))
		},
		"part of a stack": func(s *sketch, a ir.Op) ir.Op {
			other := s.op(s.g.Param(s.storage(ir.Uint8, 256, "CPU")))
			return s.op(s.g.MSelect(s.op(s.g.MStack(other, a)), 1))
		},
		"views of views": func(s *sketch, a ir.Op) ir.Op {
			return s.op(s.g.Bitcast(s.shrink(s.op(s.g.After(s.shrink(a, 8, 200), a)), 8, 64), ir.Int16))
		},
		"nothing of it": func(s *sketch, a ir.Op) ir.Op { return s.shrink(a, 128, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSketch(t)
			a, b, c := s.bytes(256), s.bytes(256), s.bytes(256)
			p := s.plan(s.linear(s.call(a), s.call(b), s.call(c, view(s, a))))
			requirePlan(t, p, 512, spot{a, 0, 0, 3}, spot{b, 256, 1, 2}, spot{c, 256, 2, 3})
		})
	}
}

// An output that nobody reads is still written, while its call runs. microsoft/onnxruntime#21019: with no consumer it was let go before
// its call, and two values had one buffer.
//
//	entry      0  1
//	out        w  r         [0, 256)
//	unread     w            [256, 512)
//	next          w         [256, 512), behind unread
func TestFault_OutputNobodyReads(t *testing.T) {
	s := newSketch(t)
	out, unread, next := s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(out, unread), s.call(next, out)))
	requirePlan(t, p, 512, spot{out, 0, 0, 2}, spot{unread, 256, 0, 1}, spot{next, 256, 1, 2})
}

// A buffer that a call takes several times, by itself and through views, is placed once and let go once. A planner that counts uses
// down lets it go twice, and the next two buffers get the same bytes.
//
//	entry      0   1  2
//	a          a×5           [0, 256)
//	b              b  b      [0, 256), behind a
//	c              c  c      [256, 512)
func TestFault_SameBufferTwiceInACall(t *testing.T) {
	s := newSketch(t)
	a, b, c := s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(a, a, s.shrink(a, 0, 100), s.shrink(a, 50, 100), a), s.call(b, c, c), s.call(b, c)))
	requirePlan(t, p, 512, spot{a, 0, 0, 1}, spot{b, 0, 1, 3}, spot{c, 256, 1, 3})
}

// What a call reads and what it writes never share bytes, not even some of them: a buffer lives to the end of the entry that takes it
// last. openxla/xla#46543: lifetimes that touch were placed to overlap in part.
//
//	entry      0  1  2
//	a 1024     w  r         [0, 1024)
//	b 512         w  r      [1024, 1536)
//	c 2048           w      [1536, 3584): a's 1024 bytes below b are too few
func TestFault_TouchingLifetimesShareBytes(t *testing.T) {
	s := newSketch(t)
	a, b, c := s.bytes(1024), s.bytes(512), s.bytes(2048)
	p := s.plan(s.linear(s.call(a), s.call(b, a), s.call(c, b)))
	requirePlan(t, p, 3584, spot{a, 0, 0, 2}, spot{b, 1024, 1, 3}, spot{c, 1536, 2, 3})
}

// A value that one trip leaves to the next lives all through the loop, and so does every other buffer of it, since the trips
// interleave them. tile-ai/TileFoundry#169; hw-native-sys/PTOAS#913, where scratch of a trip took the bytes of what the next trip reads.
//
//	entry      0: carried = 0   1: 3 × { x = f(carried); y = g(x); carried = h(y) }   2: out = carried
//	carried    0 .. 2           [0, 256)
//	x, y       1                [256, 512) and [512, 768), though x is last read before the loop ends
//	out        2                [256, 512), behind x
func TestFault_LoopCarriedBuffer(t *testing.T) {
	s := newSketch(t)
	carried, x, y, out := s.bytes(256), s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(carried), s.loop(s.call(x, carried), s.call(y, x), s.call(carried, y)), s.call(out, carried)))
	requirePlan(t, p, 768, spot{carried, 0, 0, 3}, spot{x, 256, 1, 2}, spot{y, 512, 1, 2}, spot{out, 256, 2, 3})
}

// What a loop only reads is read again on its next trip, so scratch used later in the trip may not take its bytes: the defect found
// in review of hw-native-sys/PTOAS#913.
//
//	entry      0: weight = ..   1: 3 × { x = f(weight); scratch = g(x) }
//	weight     0 .. 1           [0, 256)
//	x, scratch 1                [256, 512) and [512, 768)
func TestFault_ScratchOfALoopOverWhatItReads(t *testing.T) {
	s := newSketch(t)
	weight, x, scratch := s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(weight), s.loop(s.call(x, weight), s.call(scratch, x))))
	requirePlan(t, p, 768, spot{weight, 0, 0, 2}, spot{x, 256, 1, 2}, spot{scratch, 512, 1, 2})
}

// A buffer first used in a loop and read behind it lives on. hw-native-sys/pypto#768: what a loop yields was overwritten before its
// last reader.
//
//	entry      0: 3 × { 2 × { x = .. } }   1: y = ..   2: z = x
//	x          0 .. 2           [0, 256)
//	y          1                [256, 512)
//	z          2                [256, 512), behind y
func TestFault_FirstUsedInsideALoopReadAfterIt(t *testing.T) {
	s := newSketch(t)
	x, y, z := s.bytes(256), s.bytes(256), s.bytes(256)
	inner := s.op(s.g.End(s.call(x), s.trips(2)))
	p := s.plan(s.linear(s.loop(inner), s.call(y), s.call(z, x)))
	requirePlan(t, p, 512, spot{x, 0, 0, 3}, spot{y, 256, 1, 2}, spot{z, 256, 2, 3})
}

// Loops that follow each other share bytes for what only one of them uses, and keep what both use. NVIDIA/Fuser#772: the end of one
// loop and the start of the next were one position, and it was unclear who lives there.
//
//	entry      0: 3 × { a = both }   1: 3 × { b = both }
//	a          0                [0, 256)
//	both       0 .. 1           [256, 512)
//	b          1                [0, 256), behind a
func TestFault_LoopsThatTouch(t *testing.T) {
	s := newSketch(t)
	a, both, b := s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.loop(s.call(a, both)), s.loop(s.call(b, both))))
	requirePlan(t, p, 512, spot{a, 0, 0, 1}, spot{both, 256, 0, 2}, spot{b, 0, 1, 2})
}

// The flag of a back edge is read before each trip, though no call takes it.
//
//	entry      0: flag = ..   1: while flag { x = ..; y = x }
//	flag       0 .. 1           [0, 256)
//	x, y       1                [256, 512) and [512, 768)
func TestFault_FlagThatNoCallTakes(t *testing.T) {
	s := newSketch(t)
	flag, x, y := s.flag(), s.bytes(256), s.bytes(256)
	p := s.plan(s.linear(s.call(flag), s.while(flag, s.call(x), s.call(y, x))))
	requirePlan(t, p, 768, spot{flag, 0, 0, 2}, spot{x, 256, 1, 2}, spot{y, 512, 1, 2})
}

// A part of a stack lives as long as the stack is taken, and storage on several devices has an arena on just these, apart from those of
// each. tinygrad/tinygrad#16027: what to do with storage on several devices.
//
//	arena on     entry 0  1  2
//	GPU:0        p     p     stack   [0, 256)
//	             x        x          [256, 512)
//	GPU:1        q     q     stack   [0, 256)
//	GPU:0 and 1  two         two     [0, 256) on both
func TestFault_PartsOfAStack(t *testing.T) {
	s := newSketch(t)
	p, q, x, two := s.bytes(256, "GPU:0"), s.bytes(256, "GPU:1"), s.bytes(256, "GPU:0"), s.bytes(256, "GPU:0", "GPU:1")
	plan := s.plan(s.linear(s.call(p, q), s.call(x), s.call(two, s.op(s.g.MStack(p, q)))))
	require.Len(t, plan.Arenas, 3)
	require.Equal(t, [][]string{{"GPU:0"}, {"GPU:1"}, {"GPU:0", "GPU:1"}},
		[][]string{plan.Arenas[0].Devices, plan.Arenas[1].Devices, plan.Arenas[2].Devices})
	require.Equal(t, []int64{512, 256, 256}, []int64{plan.Arenas[0].Size, plan.Arenas[1].Size, plan.Arenas[2].Size})
	require.Equal(t, []int{0, 3}, []int{plan.Places[0].First, plan.Places[0].End})
	require.Equal(t, []int{0, 3}, []int{plan.Places[1].First, plan.Places[1].End})
}

// A copy may still run when the schedule has gone on. ggml-org/llama.cpp#2757: what a kernel in flight still used was given away.
// Kept apart, the buffers of copies stay for as many entries again as they lived.
//
//	entry      0     1  2  3
//	a          copy  a  .  .   [0, 256) to entry 4: 2 + 2
//	b                b  b      the other arena
//	c                   copy   [256, 512)
func TestFault_CopyStillInFlight(t *testing.T) {
	s := newSketch(t)
	a, b, c := s.bytes(256), s.bytes(256), s.bytes(256)
	p := s.planWith(s.linear(s.copy(a), s.call(b, a), s.copy(c, s.op(s.g.Param(s.storage(ir.Uint8, 1)))), s.call(b)),
		planner.Options{Copies: planner.CopiesApart})
	require.Len(t, p.Arenas, 2)
	require.True(t, p.Arenas[0].Copies)
	require.False(t, p.Arenas[1].Copies)
	require.Equal(t, []int64{512, 256}, []int64{p.Arenas[0].Size, p.Arenas[1].Size})
	require.Equal(t, []int{0, 4}, []int{p.Places[0].First, p.Places[0].End})
}
