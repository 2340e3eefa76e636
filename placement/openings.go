package placement

import (
	"context"
	"slices"
)

const (
	poolFrom     = 3_000   // boxes: with more, an opening that is not the best so far is given up rather than kept to restart from
	fitPairsUpTo = 1 << 23 // pairs of boxes that meet: with more, first fit would take too long
	pairsAStep   = 32      // pairs that first fit looks at in the time of a step
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
	{ranking{bySpan, byArea, byLoad}, false, 16, false},
	{ranking{byLastEnd, bySpan, byArea}, true, 16, false},
	{ranking{byLoad, byArea, bySpan}, false, 4, false},
	{ranking{byLatest, bySpan, byArea}, false, 16, false},
	{ranking{byLatest, bySpan, byArea}, true, 16, false},
	{ranking{byLoad, bySpan, byArea}, true, 16, false},
	{ranking{byNeed, bySpan, byArea}, true, 16, true},
	{ranking{byArea, bySpan, byLoad}, false, 4, false},
	{ranking{byLoad, byArea, bySpan}, true, 16, false},
	{ranking{byLoad, byWidth, byArea}, false, 16, false},
	{ranking{byLastEnd, bySpan, byArea}, false, 16, false},
}

// alignedOpenings are those to try as well where alignment matters: what is aligned most leaves least room to choose.
var alignedOpenings = []opening{
	{ranking{byAlign, byLoad, byArea}, false, 16, false},
	{ranking{byAlign, byNeed, bySpan}, true, 16, true},
}

// openings are those for the boxes there are.
func (p *portfolio) openings() []opening {
	if p.side(0).aligned {
		return slices.Concat(alignedOpenings, openings)
	}
	return openings
}

// openAtBound makes the openings until one meets the bound, where that is quick. Each is given up when it cannot.
func (p *portfolio) openAtBound(ctx context.Context) {
	if len(p.analysis.ByFirst) <= poolFrom && !p.over(ctx) {
		p.openAll(ctx, p.openings(), p.bound+1)
	}
}

// playOpenings makes the openings until it is over.
func (p *portfolio) playOpenings(ctx context.Context) {
	if !p.over(ctx) {
		p.openAll(ctx, p.openings(), unlimited)
	}
}

// openAll makes openings until it is over. Each is given up when its plan cannot be below the limit.
func (p *portfolio) openAll(ctx context.Context, all []opening, limit int64) {
	for _, o := range all {
		if p.over(ctx) {
			return
		}
		p.open(ctx, o, limit)
	}
}

// open makes an opening run.
func (p *portfolio) open(ctx context.Context, o opening, limit int64) {
	at := 0
	if o.mirrored {
		at = 1
	}
	s := p.side(at)
	if len(s.all) > poolFrom && len(p.restarts.pool) > 0 {
		limit = min(limit, p.size)
	}
	ranks := s.ranker.ranks(o.ranking)
	if p.varied {
		ranks = p.restarts.perturb(ranks)
	}
	p.attempt(ctx, attempt{side: at, tries: o.tries, tightest: o.tightest, ranks: ranks}, limit)
}

// fitting is a run that places boxes in an order, each among all that are placed.
type fitting struct {
	ranking ranking
	place   func(*fitter, int32)
}

// fittings are the runs of first fit: by size it does well where some needs are much greater than others, even more so if those go
// first that live where the load is great.
var fittings = []fitting{
	{ranking{byPressure, bySpan, byArea}, (*fitter).placeLowest},
	{ranking{byNeed, byEarliest, byLastEnd}, (*fitter).placeLowest},
	{ranking{byNeed, bySpan, byArea}, (*fitter).placeLowest},
}

// gapFittings are those to try as well where alignment or fixed boxes leave gaps, which the skyline cannot fill once it is past
// them.
var gapFittings = []fitting{
	{ranking{byAlign, byNeed, bySpan}, (*fitter).placeLowest},
	{ranking{byLoad, bySpan, byArea}, (*fitter).placeTightest},
}

// fit takes the plans of the fittings.
func (p *portfolio) fit(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	if p.fits.ranks == nil {
		p.fitAll(ctx, fittings)
	}
	if s := p.side(0); s.aligned || s.hasFixed {
		p.fitAll(ctx, gapFittings)
	}
}

// fitAll takes the plans of some fittings, unless too many boxes live together.
func (p *portfolio) fitAll(ctx context.Context, all []fitting) {
	if p.pairs() > fitPairsUpTo {
		return
	}
	for _, f := range all {
		if p.over(ctx) {
			return
		}
		p.fitByRanks(ctx, p.side(0).ranker.ranks(f.ranking), f.place)
	}
}
