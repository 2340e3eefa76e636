package placement

import "context"

const (
	aimShare  = 32  // of the way from the best plan to the bound that an ejector tries to go, at first
	patience  = 100 // steps for each box until it tries to go half as far
	aimsAStep = 64  // boxes of a plan that it starts from in the time of a step
)

// ejection is the ejector of a portfolio and what it is about.
type ejection struct {
	*ejector
	size  int64 // of the plan that it started from
	share int64 // of the way from that to the bound that it tries to go
	left  int64 // steps until it tries to go half as far
}

// eject goes on with the ejector for some steps. It starts from the best plan, and tries to go a part of the way to the bound at a time.
func (p *portfolio) eject(ctx context.Context, steps int64) {
	e := &p.ejection
	for until := p.spent + steps; p.spent < until && !p.over(ctx); {
		if e.ejector == nil {
			*e = ejection{ejector: newEjector(p.side(0).boxes, p.random), share: aimShare}
		}
		if e.size != p.size || e.left <= 0 {
			p.aimEjector()
		}
		verdict, spent := e.run(ctx, min(until-p.spent, e.left))
		p.spent += spent
		e.left -= spent
		switch {
		case verdict == found:
			p.spent += e.press(false)
			p.takeBoxes(e.boxes, e.starts, e.boxes.size(e.starts))
		case verdict == impossible:
			p.ruleOut(e.capacity)
			e.left = 0
		case e.left <= 0:
			e.share = min(2*e.share, p.size)
		}
	}
}

// aimEjector makes the ejector start from the best plan.
func (p *portfolio) aimEjector() {
	e := &p.ejection
	offsets := make([]int64, len(e.all))
	for at, i := range e.ids {
		offsets[at] = p.offsets[i]
	}
	e.size, e.left = p.size, int64(patience*len(e.all))
	e.aim(offsets, p.size-max((p.size-p.bound)/e.unit/e.share, 1)*e.unit)
	p.spent += 1 + int64(len(e.all)/aimsAStep)
}
