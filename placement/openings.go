package placement

import (
	"context"
	"slices"
)

const (
	openAtBoundUpTo = 3_000   // boxes
	fitAtOnceUpTo   = 200_000 // boxes: of more, a first fit takes too long
	fitSteps        = 2       // a box that first fit takes
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
	if len(p.analysis.ByFirst) <= openAtBoundUpTo && !p.over(ctx) {
		p.openAll(ctx, p.openings(), p.bound+1)
	}
}

// playOpenings makes the openings until it is over.
func (p *portfolio) playOpenings(ctx context.Context) {
	if !p.over(ctx) {
		p.openAll(ctx, p.openings(), p.size)
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

// open makes an opening run, which is given up when its plan cannot be below the limit.
func (p *portfolio) open(ctx context.Context, o opening, limit int64) {
	at := 0
	if o.mirrored {
		at = 1
	}
	s := p.side(at)
	offsets, size, ok := s.skyline.place(ctx, skylineRun{s.ranker.ranks(o.ranking), o.tries, o.tightest, limit})
	p.spent += s.skylineSteps()
	if ok {
		p.takeBoxes(s.boxes, offsets, size)
	}
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

// fittings are those for the boxes there are.
func (p *portfolio) fittings() []fitting {
	if s := p.side(0); s.aligned || s.hasFixed {
		return slices.Concat(fittings, gapFittings)
	}
	return fittings
}

// fitAll takes the plans of some fittings.
func (p *portfolio) fitAll(ctx context.Context, all []fitting) {
	for _, f := range all {
		if p.over(ctx) {
			return
		}
		p.fit(ctx, f)
	}
}

// fit takes the plan of a fitting.
func (p *portfolio) fit(ctx context.Context, f fitting) {
	s := p.side(0)
	order := inverse(s.ranker.ranks(f.ranking))
	for at, box := range order {
		order[at] = s.ids[box]
	}
	if p.fitter == nil {
		p.fitter = newFitter(p.analysis)
	}
	offsets, ok := fitInOrder(ctx, p.fitter, order, f.place)
	p.spent += int64(len(order)) * fitSteps
	if ok {
		p.take(offsets, top(p.analysis, offsets))
	}
}
