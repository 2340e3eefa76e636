package placement

import "context"

const (
	searchUpTo      = 25_000  // boxes: with more the search finds nothing in reasonable time
	searchPairsUpTo = 1 << 21 // pairs of boxes that meet: what the search may keep in memory
	firstRound      = 512     // steps of each search in the first round, or as many as there are boxes
	ladderFrom      = 4       // rounds: from here on capacities above the bound are searched at, too; at once if alignment matters
)

// searchRankings are the orders in which searches try boxes. The first two suit problems whose load is high in few sections; the
// others work through time from one end, and keep a mistake near what it spoils.
var searchRankings = []ranking{
	{byLoad, bySpan, byArea},
	{byLoad, byArea, bySpan},
	{byEarliest, bySpan, byArea},
	{byLatest, bySpan, byArea},
}

// rounds is the part of Best that can prove, and that mends what the openings left.
//
// Which order of trying leads a search to a plan soon is luck: some find one in a thousand steps where others need millions. So
// several are under way, and go on in turn for as many steps each; beside them short ones start from orders that are changed
// at random (C. P. Gomes, B. Selman, N. Crato, H. Kautz, "Heavy-tailed phenomena in satisfiability and constraint satisfaction
// problems", Journal of Automated Reasoning 24, 2000), and the skyline restarts. Each round is twice as long as the one before.
type rounds struct {
	*portfolio
	orders   []searchOrder
	lasting  []*search // one for each order, at capacity
	capacity int64     // the least not ruled out when they began
	short    *search
}

// playRounds plays rounds until it is over.
func (p *portfolio) playRounds(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	r := p.newRounds()
	steps := int64(max(firstRound, len(p.analysis.ByFirst)))
	if r == nil {
		p.restartFor(ctx, p.effort)
		return
	}
	for round := 0; !p.over(ctx); round++ {
		r.goOn(ctx, steps)
		r.searchShortly(ctx, steps/2, round)
		p.restartFor(ctx, steps)
		p.report()
		steps *= 2
	}
}

// newRounds is nil if the problem is too large to search.
func (p *portfolio) newRounds() *rounds {
	s := p.side(0)
	if len(s.all) > searchUpTo || countPairs(s.boxes, searchPairsUpTo) > searchPairsUpTo {
		return nil
	}
	r := &rounds{portfolio: p, capacity: none}
	meets := meetings(s.boxes)
	for _, ranking := range searchRankings {
		r.orders = append(r.orders, searchOrder{s.ranker.ranks(ranking), ranking[0] == byLoad})
		r.lasting = append(r.lasting, newSearch(s.boxes, meets))
	}
	r.short = newSearch(s.boxes, meets)
	return r
}

// goOn gives each of the lasting searches some steps.
func (r *rounds) goOn(ctx context.Context, steps int64) {
	for at := range r.lasting {
		if r.over(ctx) {
			return
		}
		if r.capacity != r.bound {
			r.beginLasting()
		}
		verdict, spent := r.lasting[at].resume(ctx, steps)
		r.conclude(r.lasting[at], verdict, spent)
	}
}

// beginLasting starts the lasting searches at the least capacity that is not ruled out.
func (r *rounds) beginLasting() {
	r.capacity = r.bound
	for at, s := range r.lasting {
		s.begin(r.capacity, r.orders[at])
	}
}

// searchShortly makes a search of some steps from a change of each order.
func (r *rounds) searchShortly(ctx context.Context, steps int64, round int) {
	for _, order := range r.orders {
		for _, capacity := range r.targets(round) {
			if r.over(ctx) {
				return
			}
			r.short.begin(capacity, searchOrder{ranks: r.restarts.perturb(order.ranks)})
			verdict, spent := r.short.resume(ctx, steps)
			r.conclude(r.short, verdict, spent)
		}
	}
}

// targets is the capacities to search at, in whole units: the least that is not ruled out, the one asked for if that is not met yet, and in
// later rounds those that halve and quarter the way from the best plan.
func (r *rounds) targets(round int) []int64 {
	unit := r.short.unit
	gap := (r.size - r.bound) / unit
	targets := []int64{r.bound}
	if asked := r.analysis.Problem.Capacity / unit * unit; asked > r.bound && asked < r.size {
		targets = append(targets, asked)
	}
	if round >= ladderFrom || r.short.aligned {
		targets = append(targets, r.bound+gap/2*unit, r.size-gap/4*unit)
	}
	return targets
}

// conclude takes the plan of a search, or raises the bound.
func (r *rounds) conclude(s *search, v verdict, spent int64) {
	r.spent += spent
	switch v {
	case found:
		r.takeBoxes(s.boxes, s.offsets, s.size(s.offsets))
	case impossible:
		r.bound = max(r.bound, s.capacity+s.unit)
	}
}
