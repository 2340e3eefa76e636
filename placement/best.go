package placement

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// defaultEffort is the steps that Best takes if the caller does not say: about half a second, for ten thousand boxes and a hundred thousand up to twice
// that, and with very many what the plan of TLSF, mending it, and one run over all of them take. Modest is those that are due once it has a plan
// near the bound.
func defaultEffort(boxes int) (effort, modest int64) {
	n := int64(boxes)
	return max(600_000, min(600_000+30*n, 1_000_000-17*n/2), min(10*n, 1_000_000), 3*n), max(600_000-9*n/2, n)
}

const (
	nearShare  = 2048 // a plan is near the bound if it is above it by less than one part in as many
	setupShare = 4    // boxes that take a step to be ranked and made ready for a run, or to be placed by TLSF
	fixedCost  = 3    // times as many steps a run takes if there are fixed boxes to keep clear of
	largeCost  = 4    // times as many steps a run takes from largeFrom boxes on: the caches hold no more
	largeFrom  = 50_000
)

// portfolio is the work of Best: where it is quick, openings that meet the bound (openings.go); the plan of TLSF, mended where it
// is too high in few places (mend.go); skyline runs from several ranks and both ends of time and first fit; and then rounds of
// searches and of ejections (rounds.go, eject.go). It stops when the best plan meets the bound.
type portfolio struct {
	analysis *problem.Analysis
	progress func(Progress) // may be nil
	sides    [2]*side       // time as it is in boxes, and mirrored
	random   *rand.Rand
	fitter   *fitter // nil before the first
	ejection ejection

	offsets []int64 // of the best plan, by buffer
	mended  []int64 // of the plan mended last, which may be higher; nil before
	size    int64
	bound   int64 // no arena is smaller
	effort  int64
	modest  int64 // of the effort, what is due once the best plan is near the bound
	spent   int64
}

func newPortfolio(a *problem.Analysis, effort int64) *portfolio {
	return &portfolio{analysis: a, random: rand.New(rand.NewPCG(1, 2)), size: math.MaxInt64, bound: a.Bound, effort: effort, modest: effort}
}

// side is what it takes to run skylines in one direction of time.
type side struct {
	*boxes
	skyline *skyline
	ranker  *ranker
}

// placeBest is the answer of Best. A plan that is wrong is a mistake of this package, and panics.
func placeBest(ctx context.Context, a *problem.Analysis, o *Options) *Answer {
	p := newPortfolio(a, o.Effort)
	if o.Effort == 0 {
		p.effort, p.modest = defaultEffort(len(a.ByFirst))
	}
	p.progress = o.Progress
	p.openAtBound(ctx)
	if p.offsets == nil {
		p.start(ctx, o.Range)
	}
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
	p.open(context.WithoutCancel(ctx), openings[0], unlimited)
}

// improve looks for better plans until there can be none, the effort is spent, or ctx ends.
func (p *portfolio) improve(ctx context.Context) {
	if len(p.analysis.ByFirst) >= mendFirstFrom {
		p.improveLarge(ctx)
		return
	}
	p.playOpenings(ctx)
	p.fitAll(ctx, p.fittings())
	p.mend(ctx, true, p.left()/8)
	p.playRounds(ctx)
}

// improveLarge is improve where a search of the whole is hopeless.
func (p *portfolio) improveLarge(ctx context.Context) {
	n := len(p.analysis.ByFirst)
	if n < mendAtOnceFrom {
		p.open(ctx, openings[0], p.size)
		if p.near() {
			p.playOpenings(ctx) // another one is likely to meet it
		}
		p.fitAll(ctx, fittings)
		p.mendTwice(ctx, p.left()/4)
	} else {
		p.mendTwice(ctx, p.left()/2)
		fits := n < fitAtOnceUpTo
		if !p.over(ctx) && !(fits && p.analysis.HasFixed) { // among fixed boxes a run takes longer than first fit, for less
			p.open(ctx, openings[0], p.size)
		}
		if fits && !p.near() {
			p.fitAll(ctx, fittings[:1])
		}
		p.mend(ctx, false, p.left()/4)
	}
	if !p.near() || p.modest == p.effort { // near the bound it takes long for little
		p.eject(ctx, p.left())
	}
}

// mendTwice mends in some steps, and then thoroughly if that lowered the plan.
func (p *portfolio) mendTwice(ctx context.Context, steps int64) {
	before := p.size
	if p.mend(ctx, false, steps); p.size < before {
		p.mend(ctx, true, p.left()/4)
	}
}

// left is the steps that may still be spent.
func (p *portfolio) left() int64 {
	due := p.effort
	if p.near() {
		due = p.modest
	}
	return max(due-p.spent, 0)
}

// near is whether the best plan is so near the bound that little is to be gained.
func (p *portfolio) near() bool {
	return p.size-p.bound < p.bound/nearShare
}

// ruleOut raises the bound above a capacity that no plan can meet.
func (p *portfolio) ruleOut(capacity int64) {
	unit := p.side(0).unit
	p.bound = max(p.bound, capacity/unit*unit+unit)
}

// over is whether to stop.
func (p *portfolio) over(ctx context.Context) bool {
	return p.size <= p.bound || p.left() == 0 || ctx.Err() != nil
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

// skylineSteps is the steps that the last run took. Fixed boxes make each dearer.
func (s *side) skylineSteps() int64 {
	steps := int64(len(s.all)/setupShare + len(s.all) - s.skyline.left)
	if s.hasFixed {
		steps *= fixedCost
	}
	if len(s.all) >= largeFrom {
		steps *= largeCost
	}
	return steps
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
