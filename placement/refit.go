package placement

import "context"

// squeakAbove is the part of what a plan is too high by that a buffer may be too high and not squeak.
const squeakAbove = 4

// refitter makes first fits one after the other, each in an order near that of the best: it is changed at random, and what
// ended too high goes earlier (D. E. Joslin, D. P. Clements, "Squeaky wheel optimization", Journal of Artificial Intelligence
// Research 10, 1999).
type refitter struct {
	fitter  *fitter // nil before the first
	ranks   []int32 // by box: of the best order so far
	size    int64   // of its plan
	squeaks []bool  // by box: whether it ended too high in that
}

// keep makes an order the one to change if its plan is as good as the best so far.
func (r *refitter) keep(ranks []int32, size int64, squeaks func(box int) bool) {
	if r.ranks != nil && size > r.size {
		return
	}
	r.ranks, r.size = ranks, size
	r.squeaks = make([]bool, len(ranks))
	for box := range r.squeaks {
		r.squeaks[box] = squeaks(box)
	}
}

// refit makes first fits for some steps.
func (p *portfolio) refit(ctx context.Context, steps int64) {
	for until := p.spent + steps; p.fits.ranks != nil && p.spent < until && !p.over(ctx); {
		ranks := p.restarts.lift(p.restarts.perturb(p.fits.ranks), p.fits.squeaks)
		p.fitByRanks(ctx, ranks, (*fitter).placeLowest)
	}
}

// fitByRanks takes the plan of first fit in the order of some ranks.
func (p *portfolio) fitByRanks(ctx context.Context, ranks []int32, place func(*fitter, int32)) {
	s := p.side(0)
	order := inverse(ranks)
	for at, box := range order {
		order[at] = s.ids[box]
	}
	if p.fits.fitter == nil {
		p.fits.fitter = newFitter(p.analysis)
	}
	offsets, ok := fitInOrder(ctx, p.fits.fitter, order, place)
	p.spent += int64(len(order) + p.pairs()/pairsAStep)
	if !ok {
		return
	}
	size := top(p.analysis, offsets)
	allowed := p.bound + (size-p.bound)/squeakAbove
	p.fits.keep(ranks, size, func(box int) bool { return offsets[s.ids[box]]+s.all[box].need > allowed })
	p.take(offsets, size)
}

// pairs is how many pairs of boxes meet, or more than fitPairsUpTo.
func (p *portfolio) pairs() int {
	if p.counted == 0 {
		p.counted = countPairs(p.side(0).boxes, fitPairsUpTo)
	}
	return p.counted
}
