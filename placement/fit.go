package placement

import (
	"context"
	"math"
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
	if offsets, ok := fitInOrder(ctx, a, bySize(a), place); ok {
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
// Its cost is n times the number of buffers that live at some time of one buffer's life, so n squared at worst.
func fitInOrder(ctx context.Context, a *problem.Analysis, order []int32, place func(*fitter, int32)) (offsets []int64, ok bool) {
	f := newFitter(a)
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

// fitter places buffers one by one among those that are placed. Fixed buffers are placed from the start.
type fitter struct {
	*problem.Analysis
	placed  *overlapIndex
	offsets []int64
	taken   []int32 // buffers placed that live with the one that is being placed, in order of offset
	sorter  problem.Sorter
}

type interval struct{ from, to int64 }

func newFitter(a *problem.Analysis) *fitter {
	f := &fitter{Analysis: a, placed: newOverlapIndex(a), offsets: startOffsets(a)}
	if a.HasFixed {
		for _, i := range a.ByFirst {
			if a.Problem.Buffers[i].Fixed {
				f.placed.add(i)
			}
		}
	}
	return f
}

// placeLowest gives i the lowest offset that is free for its whole lifetime.
func (f *fitter) placeLowest(i int32) {
	f.place(i, func(gap interval, best int64) bool { return best == math.MaxInt64 })
}

// placeTightest gives i the lowest offset in the smallest gap that holds it.
func (f *fitter) placeTightest(i int32) {
	f.place(i, func(gap interval, best int64) bool { return gap.to-gap.from < best })
}

// place puts i into the gap that better prefers to the best so far, whose length is MaxInt64 while there is none, and
// above all others if none holds it.
func (f *fitter) place(i int32, better func(gap interval, best int64) bool) {
	if f.Problem.Buffers[i].Fixed {
		return
	}
	f.findTaken(i)
	align, need := f.Problem.Alignment(int(i)), f.Needs[i]
	free, best := int64(0), int64(math.MaxInt64)
	for _, j := range f.taken {
		if start := problem.AlignUp(free, align); f.offsets[j]-start >= need {
			if gap := (interval{free, f.offsets[j]}); better(gap, best) {
				f.offsets[i], best = start, gap.to-gap.from
			}
		}
		free = max(free, f.offsets[j]+f.Needs[j])
	}
	if best == math.MaxInt64 {
		f.offsets[i] = problem.AlignUp(free, align)
	}
	f.placed.add(i)
}

// findTaken sets taken for i.
func (f *fitter) findTaken(i int32) {
	f.taken = f.taken[:0]
	f.placed.visit(i, func(j int32) { f.taken = append(f.taken, j) })
	f.sorter.Sort(f.taken, f.offsets)
}
