package placement

import (
	"context"
	"fmt"
	"math"
	"slices"

	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// opening is a skyline run that Best starts with.
type opening struct {
	ranking  ranking
	mirrored bool
	tries    int
	tightest bool
}

// openings are the runs that together reach the bound most often. The ranks that put boxes of a high load first do so on most
// real models; then come those that find what the ones before them miss.
var openings = []opening{
	{ranking{byLoad, bySpan, byArea}, false, 4, false},
	{ranking{byNeed, bySpan, byArea}, false, 4, true},
	{ranking{byLastEnd, bySpan, byArea}, true, 16, false},
	{ranking{byLoad, byArea, bySpan}, false, 4, false},
	{ranking{byLatest, bySpan, byArea}, false, 16, false},
	{ranking{byLatest, bySpan, byArea}, true, 16, false},
	{ranking{byLoad, bySpan, byArea}, true, 16, false},
	{ranking{bySpan, byArea, byLoad}, false, 16, false},
	{ranking{byNeed, bySpan, byArea}, true, 16, true},
	{ranking{byArea, bySpan, byLoad}, false, 4, false},
	{ranking{byLoad, byArea, bySpan}, true, 16, false},
	{ranking{byLoad, byWidth, byArea}, false, 16, false},
	{ranking{byLastEnd, bySpan, byArea}, false, 16, false},
}

// defaultEffort is the steps that Best takes if the caller does not say: about half a second for a few thousand buffers, and with
// very many what the plan of TLSF and one run over all of them take.
func defaultEffort(boxes int) int64 {
	return max(600_000-9*int64(boxes)/2, 3*int64(boxes)/2)
}

const (
	// poolFrom is the boxes above which an opening that is not the best so far is given up rather than kept to restart from.
	poolFrom = 3_000
	// setupShare is how many boxes take a step to be ranked and made ready for a run, or to be placed by TLSF.
	setupShare = 4
	// fixedCost is how many times the steps of a run are counted if there are fixed boxes to keep clear of.
	fixedCost = 3
	// fitPairsUpTo is the pairs of boxes that meet up to which first fit is tried, and pairsAStep how many take as long as a step.
	fitPairsUpTo = 1 << 23
	pairsAStep   = 32
)

// alignedOpenings are those to try as well where alignment matters: what is aligned most leaves least room to choose.
var alignedOpenings = []opening{
	{ranking{byAlign, byLoad, byArea}, false, 16, false},
	{ranking{byAlign, byNeed, bySpan}, true, 16, true},
}

// portfolio is the work of Best: the plan of TLSF, skyline runs from several ranks and both ends of time, and then rounds of
// searches and of restarts (rounds.go). It stops when the best plan meets the bound.
type portfolio struct {
	analysis *problem.Analysis
	progress func(Progress) // may be nil
	sides    [2]*side       // time as it is in boxes, and mirrored
	restarts *restarts

	offsets []int64 // of the best plan, by buffer
	size    int64
	bound   int64 // no arena is smaller
	goal    int64 // a plan of this size will do, though it may not be the best
	effort  int64
	spent   int64
}

func newPortfolio(a *problem.Analysis, goal, effort int64) *portfolio {
	return &portfolio{analysis: a, restarts: newRestarts(), size: math.MaxInt64, bound: a.Bound, goal: goal, effort: effort}
}

// side is what it takes to run skylines in one direction of time.
type side struct {
	*boxes
	skyline *skyline
	ranker  *ranker
}

// placeBest is the answer of Best. A plan that is wrong is a mistake of this package, and panics.
func placeBest(ctx context.Context, a *problem.Analysis, o *Options) *Answer {
	effort := o.Effort
	if effort == 0 {
		effort = defaultEffort(len(a.ByFirst))
	}
	p := newPortfolio(a, 0, effort)
	p.progress = o.Progress
	p.start(ctx, o.Range)
	p.improve(ctx)
	answer := p.answer(ctx)
	asked := *a.Problem
	asked.Capacity = 0
	if faults := verify.Check(&asked, answer.Offsets, answer.Size); len(faults) > 0 {
		panic(fmt.Sprintf("placement: a plan of best is wrong: %v", faults[0]))
	}
	return answer
}

// start takes the plan of TLSF. Where TLSF runs out of bits or of range, one skyline run is the first plan, however long it takes.
func (p *portfolio) start(ctx context.Context, addressRange int64) {
	if offsets, err := eventOrder(p.analysis, addressRange); err == nil {
		p.spent += int64(len(p.analysis.ByFirst) / setupShare)
		p.take(offsets, top(p.analysis, offsets))
		return
	}
	p.open(context.WithoutCancel(ctx), openings[0])
}

// improve looks for better plans until there can be none, the effort is spent, or ctx ends.
func (p *portfolio) improve(ctx context.Context) {
	if len(p.analysis.ByFirst) >= mendFirstFrom {
		before := p.size
		if p.mend(ctx, false, p.left()/4); p.size < before {
			p.mend(ctx, true, p.left()*7/8)
		}
	}
	p.playOpenings(ctx)
	p.fit(ctx)
	p.mend(ctx, true, p.left()*3/4)
	p.playRounds(ctx)
}

func (p *portfolio) playOpenings(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	all := openings
	if p.side(0).aligned {
		all = slices.Concat(alignedOpenings, openings)
	}
	for _, o := range all {
		if p.over(ctx) {
			return
		}
		p.open(ctx, o)
	}
}

// left is the steps that may still be spent.
func (p *portfolio) left() int64 {
	return max(p.effort-p.spent, 0)
}

// over is whether to stop.
func (p *portfolio) over(ctx context.Context) bool {
	return p.size <= max(p.bound, p.goal) || p.spent >= p.effort || ctx.Err() != nil
}

// open makes an opening run.
func (p *portfolio) open(ctx context.Context, o opening) {
	at := 0
	if o.mirrored {
		at = 1
	}
	s := p.side(at)
	limit := int64(unlimited)
	if len(s.all) > poolFrom && len(p.restarts.pool) > 0 {
		limit = p.size
	}
	p.attempt(ctx, attempt{side: at, tries: o.tries, tightest: o.tightest, ranks: s.ranker.ranks(o.ranking)}, limit)
}

// fitting is a run that places boxes in an order, each among all that are placed.
type fitting struct {
	ranking ranking
	place   func(*fitter, int32)
}

// fittings are the runs of first fit: by size it does well where some needs are much greater than others.
var fittings = []fitting{{ranking{byNeed, bySpan, byArea}, (*fitter).placeLowest}}

// gapFittings are those to try as well where alignment or fixed boxes leave gaps, which the skyline cannot fill once it is past them.
var gapFittings = []fitting{
	{ranking{byAlign, byNeed, bySpan}, (*fitter).placeLowest},
	{ranking{byLoad, bySpan, byArea}, (*fitter).placeTightest},
}

// fit takes the plans of the fittings, unless too many buffers live together.
func (p *portfolio) fit(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	s := p.side(0)
	pairs := countPairs(s.boxes, fitPairsUpTo)
	if pairs > fitPairsUpTo {
		return
	}
	all := fittings
	if s.aligned || s.hasFixed {
		all = slices.Concat(fittings, gapFittings)
	}
	for _, f := range all {
		order := inverse(s.ranker.ranks(f.ranking))
		for at, box := range order {
			order[at] = s.ids[box]
		}
		offsets, ok := fitInOrder(ctx, p.analysis, order, f.place)
		p.spent += int64(len(order) + pairs/pairsAStep)
		if ok {
			p.take(offsets, top(p.analysis, offsets))
		}
	}
}

// side is the boxes in one direction of time and what runs on them, made at first use.
func (p *portfolio) side(at int) *side {
	if p.sides[at] == nil {
		var b *boxes
		if at == 0 {
			b = newBoxes(p.analysis)
		} else {
			b = buildBoxes(p.analysis, !p.side(0).mirrored)
		}
		p.sides[at] = &side{b, newSkyline(b), newRanker(b)}
	}
	return p.sides[at]
}

// attempt makes a skyline run, gives it up when its plan cannot be below the limit, and keeps it to restart from.
func (p *portfolio) attempt(ctx context.Context, a attempt, limit int64) {
	s := p.side(a.side)
	offsets, size, ok := s.skyline.place(ctx, skylineRun{a.ranks, a.tries, a.tightest, limit})
	p.spent += s.skylineSteps()
	if !ok {
		return
	}
	a.size = size
	p.restarts.keep(a)
	p.takeBoxes(s.boxes, offsets, size)
}

// skylineSteps is the steps that the last run took. Fixed boxes make each dearer.
func (s *side) skylineSteps() int64 {
	steps := int64(len(s.all)/setupShare + len(s.all) - s.skyline.left)
	if s.hasFixed {
		return fixedCost * steps
	}
	return steps
}

// restartFor restarts until some steps are spent.
func (p *portfolio) restartFor(ctx context.Context, steps int64) {
	for until := p.spent + steps; p.spent < until && !p.over(ctx); {
		a := p.restarts.next()
		p.attempt(ctx, a, a.size+1)
	}
}

// takeBoxes makes a plan by box the best if it is better.
func (p *portfolio) takeBoxes(b *boxes, byBox []int64, size int64) {
	if size >= p.size {
		return
	}
	offsets := startOffsets(p.analysis)
	for at, i := range b.ids {
		offsets[i] = byBox[at]
	}
	p.take(offsets, size)
}

// take makes a plan the best if it is better.
func (p *portfolio) take(offsets []int64, size int64) {
	if size < p.size {
		p.offsets, p.size = offsets, size
		p.report()
	}
}

// report tells the caller how far the work has come.
func (p *portfolio) report() {
	if p.progress != nil {
		p.progress(Progress{Size: p.size, Bound: p.bound, Spent: p.spent})
	}
}

// answer is the best plan and what is known of it.
func (p *portfolio) answer(ctx context.Context) *Answer {
	answer := newAnswer(p.analysis, p.offsets)
	answer.ProvenBound, answer.Spent = min(p.bound, answer.Size), p.spent
	if answer.Optimal = answer.Size == answer.ProvenBound; answer.Optimal && answer.Proof == NoProof {
		answer.Proof = Exhausted
	}
	switch {
	case answer.Optimal:
	case ctx.Err() != nil:
		answer.Stopped = stopped(ctx)
	default:
		answer.Stopped = EffortSpent
	}
	return answer
}
