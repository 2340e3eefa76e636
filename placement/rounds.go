package placement

import (
	"context"
	"math/bits"
)

const (
	searchPairsUpTo = 1 << 21 // pairs of boxes that meet: what the searches may keep in memory
	firstRound      = 512     // steps of each lasting search in the first round, or as many as there are boxes
	shortShare      = 6       // times as many steps go to short searches as to each lasting one
	ejectShare      = 2       // times as many go to the ejector
	shortest        = 4       // steps for each box in the shortest search
	shortRepeats    = 3       // searches from each order that have the same length
	followed        = 3       // orders that led to a plan lately, which short searches start from as well
	ladderFrom      = 4       // rounds: from here on capacities above the bound are searched at, too; at once if alignment matters
)

// lastingRankings are the orders in which lasting searches try boxes. The first two suit problems whose load is high in few
// sections; the others work through time from one end, and keep a mistake near what it spoils.
var lastingRankings = []ranking{
	{byLoad, bySpan, byArea},
	{byLoad, byArea, bySpan},
	{byEarliest, bySpan, byArea},
	{byLatest, bySpan, byArea},
}

// shortRankings are the orders that short searches change.
var shortRankings = []ranking{
	{byLoad, bySpan, byArea},
	{byLoad, byArea, bySpan},
	{byWidth, byArea, byLoad},
	{byEarliest, bySpan, byArea},
}

// rounds is the part of Best that can prove, and that mends what the openings left.
//
// Which order of trying leads a search to a plan soon is luck: some find one in a thousand steps where others need millions. So
// several are under way, and go on in turn for as many steps each. Beside them short ones start from orders that are changed
// at random (C. P. Gomes, B. Selman, N. Crato, H. Kautz, "Heavy-tailed phenomena in satisfiability and constraint satisfaction
// problems", Journal of Automated Reasoning 24, 2000), and the ejector. Each round is twice as long as the one before.
type rounds struct {
	*portfolio
	perturber perturber
	lasting   []*search // one for each of lastingRankings, at capacity
	orders    []searchOrder
	capacity  int64 // the least not ruled out when they began

	short      *search
	shortRanks [][]int32 // to change: those of shortRankings, then those followed
	tried      int       // short searches
	found      int       // those that found a plan
}

// playRounds plays rounds until it is over. A problem that is too large to be searched is left to the ejector.
func (p *portfolio) playRounds(ctx context.Context) {
	if p.over(ctx) {
		return
	}
	s := p.side(0)
	if countPairs(s.boxes, searchPairsUpTo) > searchPairsUpTo {
		p.eject(ctx, p.left())
		return
	}
	r := p.newRounds(s)
	steps := int64(max(firstRound, len(s.all)))
	for round := 0; !p.over(ctx); round++ {
		r.goOn(ctx, steps)
		r.searchShortly(ctx, shortShare*steps, round)
		p.eject(ctx, ejectShare*steps)
		p.report()
		steps *= 2
	}
}

func (p *portfolio) newRounds(s *side) *rounds {
	r := &rounds{portfolio: p, perturber: perturber{random: p.random}, capacity: none}
	meets := meetings(s.boxes)
	for _, ranking := range lastingRankings {
		r.orders = append(r.orders, searchOrder{s.ranker.ranks(ranking), ranking[0] == byLoad})
		r.lasting = append(r.lasting, newSearch(s.boxes, meets))
	}
	for _, ranking := range shortRankings {
		r.shortRanks = append(r.shortRanks, s.ranker.ranks(ranking))
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

// searchShortly makes short searches for some steps, each from a change of one of the orders. Orders that led to a plan are
// followed: the plans near them are likely to be good, too.
func (r *rounds) searchShortly(ctx context.Context, steps int64, round int) {
	for until := r.spent + steps; r.spent < until && !r.over(ctx); r.tried++ {
		targets, n := r.targets(round), len(r.shortRanks)
		ranks := r.perturber.perturb(r.shortRanks[r.tried%n])
		r.short.begin(targets[r.tried/n%len(targets)], searchOrder{ranks: ranks})
		length := luby(r.tried/(shortRepeats*n)+1) * int64(shortest*len(ranks))
		verdict, spent := r.short.resume(ctx, length)
		r.conclude(r.short, verdict, spent)
		if verdict == found {
			r.follow(ranks)
		}
	}
}

// follow makes an order that led to a plan one to change, in place of the oldest of those if there are enough.
func (r *rounds) follow(ranks []int32) {
	if at := len(shortRankings) + r.found%followed; at < len(r.shortRanks) {
		r.shortRanks[at] = ranks
	} else {
		r.shortRanks = append(r.shortRanks, ranks)
	}
	r.found++
}

// luby is the i-th term of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 and so on: lengths of tries that waste least when nobody knows how long
// a try should be (M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993).
func luby(i int) int64 {
	for {
		whole := 1<<bits.Len(uint(i)) - 1 // the least 2^k - 1 that is not below i
		if i == whole {
			return int64(whole+1) / 2
		}
		i -= whole / 2
	}
}

// ladder is the parts of the way from the best plan to the bound that short searches try to go.
var ladder = [...]int64{4, 16, 8}

// targets is the capacities of short searches, in whole units: the least that is not ruled out, the one asked for if that is not
// met yet, and in later rounds, in which only lasting searches still hope for the bound, those of the ladder.
func (r *rounds) targets(round int) []int64 {
	unit := r.short.unit
	gap := (r.size - r.bound) / unit
	var targets []int64
	if round < ladderFrom {
		targets = append(targets, r.bound)
	}
	if asked := r.analysis.Problem.Capacity / unit * unit; asked > r.bound && asked < r.size {
		targets = append(targets, asked)
	}
	if round >= ladderFrom || r.short.aligned {
		for _, part := range ladder {
			targets = append(targets, r.size-max(gap/part, 1)*unit)
		}
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
		r.ruleOut(s.capacity)
	}
}
