// Package verify checks a plan, whoever made it: that every buffer lies in the arena, aligned, where it is fixed if it is
// fixed, and that no two that live at once share a byte.
//
// It knows the problem only and no placer, so that a placer's mistake cannot hide in it.
package verify

import (
	"math"

	"libtolk_memory/placement/problem"
)

// MaxOverlaps is how many pairs of overlapping buffers are named before the search for more of them ends.
const MaxOverlaps = 100

// Check is the faults of the plan that gives buffer i of p the offset offsets[i] in an arena of size bytes; none if it is
// right. Faults of single buffers come first, in order of index, then overlaps in order of the later buffer's first
// entry, MaxOverlaps at most. A plan with a wrong number of offsets, or of a problem that is not valid, has that fault alone.
//
// Its time is near n log n: two radix sorts, and a few words of memory touched for each buffer.
func Check(p *problem.Problem, offsets []int64, size int64) []Fault {
	if err := p.Validate(); err != nil {
		return []Fault{{Kind: InvalidProblem, Buffer: -1, Other: -1, Reason: err.Error()}}
	}
	if len(offsets) != len(p.Buffers) {
		return []Fault{{Kind: WrongCount, Buffer: -1, Other: -1, Got: int64(len(offsets)), Want: int64(len(p.Buffers))}}
	}
	c := &checker{problem: p, offsets: offsets}
	inside := c.checkBuffers(size)
	c.checkSize(size)
	c.checkOverlaps(inside)
	return c.faults
}

type checker struct {
	problem *problem.Problem
	offsets []int64
	faults  []Fault
}

// end is the byte after the last that buffer i takes. The offset is known not to be near the end of 64 bits.
func (c *checker) end(i int32) int64 {
	return c.offsets[i] + c.problem.Need(int(i))
}

// checkBuffers looks at each buffer by itself and gives those that take bytes and whose bytes have addresses.
func (c *checker) checkBuffers(size int64) []int32 {
	inside := make([]int32, 0, len(c.offsets))
	for i := range c.offsets {
		b, offset, need := &c.problem.Buffers[i], c.offsets[i], c.problem.Need(i)
		report := func(kind Kind, want int64) {
			c.faults = append(c.faults, Fault{Kind: kind, Buffer: i, Other: -1, Entry: b.First, Got: offset, Want: want,
				From: offset, To: saturatingAdd(offset, need)})
		}
		if b.Fixed && offset != b.Offset {
			report(Moved, b.Offset)
		}
		if align := c.problem.Alignment(i); offset%align != 0 {
			report(Misaligned, align)
		}
		addressable := offset >= 0 && offset <= math.MaxInt64-need
		if !addressable || offset+need > size {
			report(OutOfArena, size)
		}
		if addressable && need > 0 {
			inside = append(inside, int32(i))
		}
	}
	return inside
}

// checkSize compares the size with the greatest end of a buffer and with the capacity. That it is too small was said of the buffers
// that lie outside.
func (c *checker) checkSize(size int64) {
	highest := int64(0)
	for i, offset := range c.offsets {
		if offset >= 0 {
			highest = max(highest, saturatingAdd(offset, c.problem.Need(i)))
		}
	}
	if size != highest {
		c.faults = append(c.faults, Fault{Kind: WrongSize, Buffer: -1, Other: -1, Got: size, Want: highest})
	}
	if capacity := c.problem.Capacity; capacity > 0 && size > capacity {
		c.faults = append(c.faults, Fault{Kind: OverCapacity, Buffer: -1, Other: -1, Got: size, Want: capacity})
	}
}

func saturatingAdd(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
