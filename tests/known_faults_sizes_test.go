package tests

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
	"libtolk_memory/planner"
	"libtolk_memory/tlsf"
)

// The faults that other planners had, by the public record, each as a test of this one: sizes and offsets.

// Storage of no bytes is storage: it has a block of its own, is bound, and is not taken for one that was left out.
// tensorflow/tflite-micro#1051, Samsung/ONE#4826: a size of 0 went astray in the memory planner.
//
//	entry      0  1
//	nothing    w  r   [0, 256)
//	x          w      [256, 512)
//	empty         w   [256, 512), behind x
func TestFault_ZeroSize(t *testing.T) {
	s := newSketch(t)
	nothing, x, empty := s.bytes(0), s.bytes(256), s.op(s.g.Buffer(s.storage(ir.Float64, 0)))
	p := s.plan(s.linear(s.call(nothing, x), s.call(empty, nothing)))
	requirePlan(t, p, 512, spot{nothing, 0, 0, 2}, spot{x, 256, 0, 1}, spot{empty, 256, 1, 2})
	for _, b := range p.Binds() {
		require.Equal(t, p.Arenas[0].Op, b.Storage)
	}
	require.Equal(t, []int64{0, 256, 0, 0}, bytesOfBinds(p))
}

func bytesOfBinds(p *planner.Plan) (bytes []int64) {
	for _, b := range p.Binds() {
		bytes = append(bytes, b.Bytes)
	}
	return bytes
}

// Types that others pack below a byte take a byte here, and odd sizes take and give back whole granules. ggml-org/llama.cpp#17884: the
// extra of a size that was no multiple of the alignment was given back unrounded, and the free list was wrong from then on;
// apache/tvm#891: sizes in elements of another width were rounded down.
//
//	entry        0  1  2
//	a bool 257   w  r     [0, 512)
//	b fp8 1      w        [512, 768)
//	c int8 255      w  r  [512, 768), behind b
//	d uint8 513        w  [768, 1536): the 512 bytes that a left are too few
func TestFault_SubByteAndOddSizes(t *testing.T) {
	s := newSketch(t)
	a, b := s.op(s.g.Buffer(s.storage(ir.Bool, 257))), s.op(s.g.Buffer(s.storage(ir.Float8E5M2, 1)))
	c, d := s.op(s.g.Buffer(s.storage(ir.Int8, 255))), s.bytes(513)
	p := s.plan(s.linear(s.call(a, b), s.call(c, a), s.call(d, c)))
	requirePlan(t, p, 1536, spot{a, 0, 0, 2}, spot{b, 512, 0, 1}, spot{c, 512, 1, 3}, spot{d, 768, 2, 3})
	require.Equal(t, []int64{257, 1, 255, 257, 513, 255}, bytesOfBinds(p))
}

// With a granule of 1 byte, odd sizes lie side by side; only their alignments make gaps.
//
//	a 3 bytes, align 1     [0, 3)
//	b 5 bytes, align 1     [3, 8)
//	c 1 byte, align 16     [16, 17)
func TestFault_OddSizesWithoutAGranule(t *testing.T) {
	s := newSketch(t)
	odd := func(count, align int64) ir.Op {
		storage := s.storage(ir.Uint8, count)
		storage.Align = align
		return s.op(s.g.Buffer(storage))
	}
	a, b, c := odd(3, 1), odd(5, 1), odd(1, 16)
	schedule := s.linear(s.call(a, b, c))
	for _, placer := range []placement.Placer{placement.TLSF, placement.Best} {
		p := s.planWith(schedule, planner.Options{Granule: 1, Placer: placer})
		require.Zero(t, p.Places[2].Start%16)
	}
	p := s.planWith(schedule, planner.Options{Granule: 1})
	requirePlan(t, p, 17, spot{a, 0, 0, 1}, spot{b, 3, 0, 1}, spot{c, 16, 0, 1})
}

// An alignment greater than the size moves the buffer and not its neighbours, and the bytes skipped stay free for others.
// ccgargantua/arena-allocator#19 and #21: skipped bytes were counted twice, or past the end.
//
//	all live   x 1     [0, 1)
//	           y 1     [4096, 4097): aligned to 4096
//	           z 4000  [1, 4001) fits between, or behind
func TestFault_AlignmentLargerThanSize(t *testing.T) {
	question := &problem.Problem{Buffers: []problem.Buffer{
		{First: 0, End: 1, Bytes: 1},
		{First: 0, End: 1, Bytes: 1, Align: 4096},
		{First: 0, End: 1, Bytes: 4000},
	}}
	for _, placer := range []placement.Placer{placement.TLSF, placement.Best, placement.FirstFit, placement.BestFit} {
		t.Run(placer.String(), func(t *testing.T) {
			answer, err := placement.Place(context.Background(), question, placement.Options{Placer: placer})
			require.NoError(t, err)
			require.Empty(t, verify.Check(question, answer.Offsets, answer.Size))
			require.Zero(t, answer.Offsets[1]%4096)
			require.LessOrEqual(t, answer.Size, int64(4096+4000))
		})
	}
	a, err := tlsf.New(8192, 0, 16, 16)
	require.NoError(t, err)
	for _, c := range []struct{ size, align, want int64 }{
		{1, 1, 0},
		{1, 4096, 4096},
		{3500, 1, 16}, // of the 4,080 bytes between the two
	} {
		at, ok, err := a.Alloc(c.size, c.align)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, c.want, at)
	}
	require.NoError(t, a.Check())
}

// Sizes and offsets past 2^32 are what they are. tensorflow/tflite-micro#3552: 65536 × 65536 floats came to 0 bytes;
// tinygrad/tinygrad#11878: planning of large buffers.
//
//	a 2^34     [0, 2^34)
//	b 1        [2^34, 2^34 + 256)
//	c 2^33     [2^34 + 256, ..), of which the call takes one float at element 2^31 - 1
func TestFault_OffsetPast32Bits(t *testing.T) {
	s := newSketch(t)
	a := s.op(s.g.Buffer(s.storage(ir.Float32, 65536*65536)))
	b := s.bytes(1)
	c := s.op(s.g.Buffer(s.storage(ir.Float32, 1<<31)))
	p := s.planUnrun(s.linear(s.call(a, b, s.shrink(c, 1<<31-1, 1))), planner.Options{})
	requirePlan(t, p, 1<<34+256+1<<33, spot{a, 0, 0, 1}, spot{b, 1 << 34, 0, 1}, spot{c, 1<<34 + 256, 0, 1})
	var offsets []int64
	for _, bind := range p.Binds() {
		offsets = append(offsets, bind.Offset)
	}
	require.Equal(t, []int64{0, 1 << 34, 1<<34 + 256 + 4*(1<<31-1)}, offsets)
}

// Each number fits in 63 bits, their sum or product does not: that is an error wherever it can be said, and never a small or
// negative size. tensorflow/tensorflow#111458: a dimension of 2^31 - 1 brought the process down.
func TestFault_OffsetPlusSizePast63Bits(t *testing.T) {
	s := newSketch(t)
	x := s.bytes(16)
	refusals := map[string]func() error{
		"elements × width": func() error { _, err := s.g.Buffer(s.storage(ir.Float32, 1<<61)); return err },
		"start + length":   func() error { _, err := s.g.Shrink(x, math.MaxInt64, math.MaxInt64); return err },
		"start + length that wrap into the buffer": func() error {
			_, err := s.g.Shrink(x, math.MaxInt64, math.MinInt64+17)
			return err
		},
		"base + size of an allocator": func() error { _, err := tlsf.New(1<<62, 1<<62, 16, 16); return err },
		"offset + size of a fixed buffer": func() error {
			question := &problem.Problem{Buffers: []problem.Buffer{{End: 1, Bytes: 1 << 61, Fixed: true, Offset: math.MaxInt64 - 1<<60}}}
			_, err := placement.Place(context.Background(), question, placement.Options{})
			return err
		},
		"size rounded up": func() error {
			question := &problem.Problem{Granule: 1 << 30, Buffers: []problem.Buffer{{End: 1, Bytes: math.MaxInt64}}}
			_, err := placement.Place(context.Background(), question, placement.Options{})
			return err
		},
		"sum of sizes": func() error {
			huge := s.linear(s.call(s.bytes(1<<60), s.bytes(1<<60)))
			_, err := planner.MemoryPlanRewrite(context.Background(), s.node(huge), planner.Options{})
			return err
		},
	}
	for name, refused := range refusals {
		t.Run(name, func(t *testing.T) { require.Error(t, refused()) })
	}
	require.NoError(t, s.g.Check())
}

// The largest sums that are planned are exact to the byte: two buffers of 2^59 bytes, and one of 1 behind them at 2^60.
func TestFault_LargestSumsLosePrecision(t *testing.T) {
	s := newSketch(t)
	a, b, c := s.bytes(1<<59), s.bytes(1<<59), s.bytes(1)
	p := s.planUnrun(s.linear(s.call(a, b, c)), planner.Options{})
	requirePlan(t, p, 1<<60+256, spot{a, 0, 0, 1}, spot{b, 1 << 59, 0, 1}, spot{c, 1 << 60, 0, 1})
	require.Equal(t, int64(1<<60+256), p.LowerBound)
}
