package verify_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// abreast is three buffers, the middle one living with both others:
//
//	bytes 32 ^  +---1---+
//	      16 |  +-------+
//	         |+-0-+   +-2-+
//	       0 +-0-1-2-3-4-5-> entries
func abreast() *problem.Problem {
	return &problem.Problem{Buffers: []problem.Buffer{
		{First: 0, End: 2, Bytes: 16}, {First: 1, End: 5, Bytes: 16}, {First: 4, End: 6, Bytes: 16},
	}}
}

func TestCheckNamesEveryFault(t *testing.T) {
	fixed := abreast()
	fixed.Buffers[1].Fixed, fixed.Buffers[1].Offset = true, 16
	aligned := abreast()
	aligned.Buffers[1].Align = 16
	coarse := abreast()
	coarse.Granule = 16
	small := abreast()
	small.Capacity = 31
	broken := abreast()
	broken.Buffers[0].Bytes = -1
	for _, c := range []struct {
		name    string
		problem *problem.Problem
		offsets []int64
		size    int64
		faults  []verify.Fault
	}{
		{"right", abreast(), []int64{0, 16, 0}, 32, nil},
		{"right, upside down", abreast(), []int64{16, 0, 16}, 32, nil},
		{"too few offsets", abreast(), []int64{0, 16}, 32, []verify.Fault{{Kind: verify.WrongCount, Buffer: -1, Other: -1, Got: 2, Want: 3}}},
		{"overlap", abreast(), []int64{0, 8, 24}, 40, []verify.Fault{
			{Kind: verify.Overlap, Buffer: 0, Other: 1, Entry: 1, From: 8, To: 16}}},
		{"both overlap", abreast(), []int64{0, 8, 0}, 24, []verify.Fault{
			{Kind: verify.Overlap, Buffer: 0, Other: 1, Entry: 1, From: 8, To: 16},
			{Kind: verify.Overlap, Buffer: 1, Other: 2, Entry: 4, From: 8, To: 16}}},
		{"same bytes, apart in time", abreast(), []int64{0, 16, 0}, 32, nil},
		{"below the arena", abreast(), []int64{-1, 16, 0}, 32, []verify.Fault{
			{Kind: verify.OutOfArena, Buffer: 0, Other: -1, From: -1, To: 15, Got: -1, Want: 32}}},
		{"above the arena", abreast(), []int64{0, 16, 0}, 31, []verify.Fault{
			{Kind: verify.OutOfArena, Buffer: 1, Other: -1, Entry: 1, From: 16, To: 32, Got: 16, Want: 31},
			{Kind: verify.WrongSize, Buffer: -1, Other: -1, Got: 31, Want: 32}}},
		{"size too great", abreast(), []int64{0, 16, 0}, 33, []verify.Fault{{Kind: verify.WrongSize, Buffer: -1, Other: -1, Got: 33, Want: 32}}},
		{"fixed one moved", fixed, []int64{16, 0, 16}, 32, []verify.Fault{
			{Kind: verify.Moved, Buffer: 1, Other: -1, Entry: 1, From: 0, To: 16, Got: 0, Want: 16}}},
		{"misaligned", aligned, []int64{0, 17, 0}, 33, []verify.Fault{
			{Kind: verify.Misaligned, Buffer: 1, Other: -1, Entry: 1, From: 17, To: 33, Got: 17, Want: 16}}},
		{"off the granule", coarse, []int64{0, 17, 0}, 33, []verify.Fault{
			{Kind: verify.Misaligned, Buffer: 1, Other: -1, Entry: 1, From: 17, To: 33, Got: 17, Want: 16}}},
		{"over the capacity", small, []int64{0, 16, 0}, 32, []verify.Fault{{Kind: verify.OverCapacity, Buffer: -1, Other: -1, Got: 32, Want: 31}}},
		{"broken problem", broken, []int64{0, 16, 0}, 32, []verify.Fault{
			{Kind: verify.InvalidProblem, Buffer: -1, Other: -1, Reason: "buffer 0: bytes is -1: it must be at least 0"}}},
		{"offset at the end of 64 bits", abreast(), []int64{0, math.MaxInt64 - 3, 0}, 32, []verify.Fault{
			{Kind: verify.OutOfArena, Buffer: 1, Other: -1, Entry: 1, From: math.MaxInt64 - 3, To: math.MaxInt64, Got: math.MaxInt64 - 3, Want: 32},
			{Kind: verify.WrongSize, Buffer: -1, Other: -1, Got: 32, Want: math.MaxInt64}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults := verify.Check(c.problem, c.offsets, c.size)
			require.Equal(t, c.faults, faults)
			for _, f := range faults {
				require.NotContains(t, f.Error(), f.Kind.String()+"(", "every kind has words of its own")
				require.NotEmpty(t, f.Error())
			}
		})
	}
}

func TestBuffersWithoutBytesOverlapNothing(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{{End: 2, Bytes: 8}, {End: 2}, {End: 2, Align: 4}}}
	require.Empty(t, verify.Check(p, []int64{0, 3, 4}, 8))
	require.Empty(t, verify.Check(p, []int64{0, 3, 12}, 12), "but they have a place in the arena")
	faults := verify.Check(p, []int64{0, 3, 5}, 8)
	require.Len(t, faults, 1)
	require.Equal(t, verify.Misaligned, faults[0].Kind)
}

// drawPlan draws a problem and offsets, few of them right.
func drawPlan(t *rapid.T) (*problem.Problem, []int64) {
	p := &problem.Problem{}
	var offsets []int64
	reach := rapid.SampledFrom([]int64{4, 20, 200}).Draw(t, "reach")
	for range rapid.IntRange(0, 40).Draw(t, "n") {
		first := rapid.Int64Range(0, 30).Draw(t, "first")
		p.Buffers = append(p.Buffers, problem.Buffer{
			First: first, End: first + rapid.Int64Range(1, 12).Draw(t, "length"), Bytes: rapid.Int64Range(0, 6).Draw(t, "bytes"),
		})
		offsets = append(offsets, rapid.Int64Range(0, reach).Draw(t, "offset"))
	}
	return p, offsets
}

func sizeOf(p *problem.Problem, offsets []int64) (size int64) {
	for i, offset := range offsets {
		size = max(size, offset+p.Need(i))
	}
	return size
}

func TestLaw_OverlapsAreThoseOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, offsets := drawPlan(t)
		want := map[[2]int]bool{}
		for i, x := range p.Buffers {
			for j := i + 1; j < len(p.Buffers); j++ {
				y := p.Buffers[j]
				inTime := max(x.First, y.First) < min(x.End, y.End)
				if inTime && max(offsets[i], offsets[j]) < min(offsets[i]+x.Bytes, offsets[j]+y.Bytes) {
					want[[2]int{i, j}] = true
				}
			}
		}
		got := map[[2]int]bool{}
		faults := verify.Check(p, offsets, sizeOf(p, offsets))
		for _, f := range faults {
			require.Equal(t, verify.Overlap, f.Kind)
			require.Less(t, f.From, f.To)
			for _, i := range []int{f.Buffer, f.Other} {
				b := p.Buffers[i]
				require.True(t, b.First <= f.Entry && f.Entry < b.End, "buffer %d lives at entry %d", i, f.Entry)
				require.True(t, offsets[i] <= f.From && f.To <= offsets[i]+b.Bytes, "buffer %d takes [%d, %d)", i, f.From, f.To)
			}
			got[[2]int{min(f.Buffer, f.Other), max(f.Buffer, f.Other)}] = true
		}
		require.Len(t, got, len(faults), "no pair is named twice")
		if len(want) <= verify.MaxOverlaps {
			require.Equal(t, want, got)
		} else {
			require.Len(t, got, verify.MaxOverlaps)
		}
	})
}

func TestOverlapsEndAtTheLimit(t *testing.T) {
	p := &problem.Problem{Buffers: make([]problem.Buffer, 1000)}
	for i := range p.Buffers {
		p.Buffers[i] = problem.Buffer{First: 0, End: 1, Bytes: 1}
	}
	require.Len(t, verify.Check(p, make([]int64, 1000), 1), verify.MaxOverlaps)
}

// mutations corrupt a right plan each in one way, and say which fault names it. They are false if the plan gives them no chance.
var mutations = map[string]func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool){
	"moved onto another": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		i, j := rapid.IntRange(0, len(offsets)-1).Draw(t, "i"), rapid.IntRange(0, len(offsets)-1).Draw(t, "j")
		x, y := p.Buffers[i], p.Buffers[j]
		if i == j || max(x.First, y.First) >= min(x.End, y.End) || p.Need(i) == 0 || p.Need(j) == 0 {
			return verify.Fault{}, false
		}
		offsets[i] = offsets[j]
		*size = sizeOf(p, offsets)
		return verify.Fault{Kind: verify.Overlap, Buffer: i, Other: j}, true
	},
	"below zero": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		i := rapid.IntRange(0, len(offsets)-1).Draw(t, "i")
		offsets[i] = -rapid.Int64Range(1, math.MaxInt64).Draw(t, "below")
		return verify.Fault{Kind: verify.OutOfArena, Buffer: i}, true
	},
	"beyond the end": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		i := rapid.IntRange(0, len(offsets)-1).Draw(t, "i")
		offsets[i] = *size - p.Need(i) + 1 + rapid.Int64Range(0, 1<<60).Draw(t, "beyond")
		return verify.Fault{Kind: verify.OutOfArena, Buffer: i}, true
	},
	"misaligned": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		i := rapid.IntRange(0, len(offsets)-1).Draw(t, "i")
		p.Buffers[i].Align = 1 << 20
		if offsets[i]%(1<<20) == 0 {
			offsets[i]++
		}
		return verify.Fault{Kind: verify.Misaligned, Buffer: i}, true
	},
	"fixed one moved": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		i := rapid.IntRange(0, len(offsets)-1).Draw(t, "i")
		p.Buffers[i].Fixed, p.Buffers[i].Offset = true, offsets[i]
		offsets[i]++
		return verify.Fault{Kind: verify.Moved, Buffer: i}, true
	},
	"offset lost": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		p.Buffers = append(p.Buffers, problem.Buffer{End: 1})
		return verify.Fault{Kind: verify.WrongCount}, true
	},
	"size wrong": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		*size += rapid.SampledFrom([]int64{-1, 1, 1 << 40}).Draw(t, "by")
		return verify.Fault{Kind: verify.WrongSize}, true
	},
	"over the capacity": func(t *rapid.T, p *problem.Problem, offsets []int64, size *int64) (verify.Fault, bool) {
		p.Capacity = *size - 1
		return verify.Fault{Kind: verify.OverCapacity}, p.Capacity > 0
	},
}

// TestLaw_EveryMutationIsNamed stacks buffers one on another, which is right, and corrupts the plan.
func TestLaw_EveryMutationIsNamed(t *testing.T) {
	for name, mutate := range mutations {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			p, offsets := drawPlan(t)
			top := int64(0)
			for i := range offsets {
				offsets[i] = top
				top += p.Need(i)
			}
			size := sizeOf(p, offsets)
			require.Empty(t, verify.Check(p, offsets, size))
			if len(offsets) == 0 {
				return
			}
			want, ok := mutate(t, p, offsets, &size)
			if !ok {
				return
			}
			faults := verify.Check(p, offsets, size)
			require.True(t, slices.ContainsFunc(faults, func(f verify.Fault) bool {
				switch want.Kind {
				case verify.Overlap:
					return f.Kind == want.Kind && (f.Buffer == want.Buffer && f.Other == want.Other || f.Buffer == want.Other && f.Other == want.Buffer)
				case verify.WrongCount, verify.WrongSize, verify.OverCapacity:
					return f.Kind == want.Kind
				}
				return f.Kind == want.Kind && f.Buffer == want.Buffer
			}), "want %v among %v", want, faults)
		}))
	}
}
