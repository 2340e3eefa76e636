package problem

import "math/bits"

// findBound sets Bound to the greatest of what is known to be needed: the load, the fixed buffers' ends, and for each alignment
// the load of the buffers that have it or a greater one, in whole steps of it: two of them cannot start in one step.
//
//	bytes ^ |...    | step
//	      | |--c----|
//	      | |  .    | the bytes between b's end and c are of no use to a buffer aligned as c is
//	      | |--b----|
//	      | |  b    | step
//	      +-+--b----+
func (a *Analysis) findBound() {
	a.Bound = max(a.LowerBound, a.FixedTop)
	for seen := a.alignments(); seen != 0; seen &= seen - 1 {
		a.Bound = max(a.Bound, a.loadInSteps(int64(seen&-seen)))
	}
}

// alignments is the alignments greater than the granule that buffers have, ORed together.
func (a *Analysis) alignments() uint64 {
	seen := uint64(0)
	for _, i := range a.ByFirst {
		if align := a.Problem.Buffers[i].Align; align > a.Problem.GranuleBytes() {
			seen |= uint64(align)
		}
	}
	return seen
}

// loadInSteps is the greatest load of the buffers aligned to step, each rounded up to it. What the uppermost wastes does not count;
// since any may be that, it is the greatest waste of all.
func (a *Analysis) loadInSteps(step int64) int64 {
	load, greatest, waste, ended := int64(0), int64(0), int64(0), 0
	shift := bits.TrailingZeros64(uint64(step))
	steps := func(i int32) int64 {
		if a.Problem.Buffers[i].Align < step {
			return 0
		}
		return AlignUp(a.Needs[i], step) >> shift
	}
	for _, i := range a.ByFirst {
		for a.Problem.Buffers[a.ByEnd[ended]].End <= a.Problem.Buffers[i].First {
			load -= steps(a.ByEnd[ended])
			ended++
		}
		load += steps(i)
		greatest = max(greatest, load)
		if own := steps(i); own > 0 {
			waste = max(waste, own<<shift-a.Needs[i])
		}
	}
	return greatest<<shift - waste
}
