package placement

import (
	"context"
	"math/bits"
	"slices"

	"libtolk_memory/placement/problem"
)

// checkEvery is how many buffers a placer places between two looks at whether it should stop.
const checkEvery = 1024

// placeBySize is the answer of FirstFit or BestFit: the largest buffers first, each at the lowest offset that fits or in the
// smallest gap that does (Y. Pisarchyk, J. Lee, "Efficient memory management for deep neural net inference", 2020, section 5.2,
// "greedy by size"). If it has to stop before it is done, the plan is that of TLSF.
func placeBySize(ctx context.Context, a *problem.Analysis, o *Options) (*Answer, error) {
	place := (*fitter).placeLowest
	if o.Placer == BestFit {
		place = (*fitter).placeTightest
	}
	if offsets, ok := fitInOrder(ctx, newFitter(a), bySize(a), place); ok {
		return newAnswer(a, offsets), nil
	}
	offsets, err := eventOrder(a, o.Range)
	if err != nil {
		return nil, err
	}
	answer := newAnswer(a, offsets)
	answer.Stopped = stopped(ctx)
	return answer, nil
}

// fitInOrder places the buffers in an order. It is false if ctx ended before.
//
// Its cost is n times the logarithm of n sets, and of each the claims below the offset that is found: n squared at worst.
func fitInOrder(ctx context.Context, f *fitter, order []int32, place func(*fitter, int32)) (offsets []int64, ok bool) {
	f.reset()
	for at, i := range order {
		if at%checkEvery == 0 && ctx.Err() != nil {
			return nil, false
		}
		place(f, i)
	}
	return f.offsets, true
}

// bySize is the buffers that need bytes, the greatest need first, then the greatest alignment, the earliest start, the latest end
// and the index.
func bySize(a *problem.Analysis) []int32 {
	order := slices.Clone(a.ByFirst)
	buffers := a.Problem.Buffers
	slices.SortStableFunc(order, func(i, j int32) int {
		return compareInts(
			a.Needs[j], a.Needs[i],
			a.Problem.Alignment(int(j)), a.Problem.Alignment(int(i)),
			buffers[i].First, buffers[j].First,
			buffers[j].End, buffers[i].End,
		)
	})
	return order
}

// compareInts compares the values pairwise: a first pair that differs decides.
func compareInts(pairs ...int64) int {
	for at := 0; at < len(pairs); at += 2 {
		if pairs[at] < pairs[at+1] {
			return -1
		}
		if pairs[at] > pairs[at+1] {
			return 1
		}
	}
	return 0
}

const (
	leastShift    = 4 // of a block of a fitter
	greatestShift = 7
)

// fitter places buffers one by one among those that are placed. Fixed buffers are placed from the start.
type fitter struct {
	*problem.Analysis
	taken   *occupancy
	offsets []int64
	gaps    gapSearch
}

// newFitter is a fitter to reset.
func newFitter(a *problem.Analysis) *fitter {
	return &fitter{Analysis: a, taken: newOccupancy(a, blockShift(a))}
}

// blockShift is the logarithm of the sections of a block: two to four lifetimes. In shorter blocks there are more sets to look at,
// in longer ones more buffers that do not live together.
func blockShift(a *problem.Analysis) int {
	total := 0
	for _, i := range a.ByFirst {
		total += int(a.To[i] - a.From[i])
	}
	mean := total / max(len(a.ByFirst), 1)
	return max(leastShift, min(bits.Len(uint(mean+1))+1, greatestShift))
}

// reset starts a new plan.
func (f *fitter) reset() {
	f.offsets = startOffsets(f.Analysis)
	f.taken.reset()
	if !f.HasFixed {
		return
	}
	for _, i := range f.ByFirst {
		if f.Problem.Buffers[i].Fixed {
			f.taken.turnTo(f.From[i], f.To[i])
			f.taken.take(f.offsets[i], f.offsets[i]+f.Needs[i])
		}
	}
}

// placeLowest gives i the lowest offset that is free for its whole lifetime.
func (f *fitter) placeLowest(i int32) {
	f.place(i, (*gapSearch).lowest)
}

// placeTightest gives i the lowest offset in the smallest gap that holds it.
func (f *fitter) placeTightest(i int32) {
	f.place(i, (*gapSearch).tightest)
}

// place puts i, unless it is fixed, into the gap that is chosen.
func (f *fitter) place(i int32, choose func(*gapSearch) int64) {
	if f.Problem.Buffers[i].Fixed {
		return
	}
	f.taken.turnTo(f.From[i], f.To[i])
	f.gaps = gapSearch{
		first: f.From[i], end: f.To[i], need: f.Needs[i], align: f.Problem.Alignment(int(i)),
		sets: f.taken.appendSets(f.gaps.sets[:0]),
	}
	offset := choose(&f.gaps)
	f.offsets[i] = offset
	f.taken.take(offset, offset+f.Needs[i])
}
