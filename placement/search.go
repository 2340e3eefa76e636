package placement

import (
	"context"
	"math"
	"slices"
)

// search looks for a plan of a given capacity, in full if it is let: if there is none it says so (M. D. Moffitt, "MiniMalloc: a
// lightweight memory allocator for hardware-accelerated machine learning", ASPLOS 2023).
//
// It places boxes in order of offset, each as low as those already placed let it lie, and goes back when the rest cannot fit.
// That order is enough: any plan can be pressed down until every box lies on another, on the bottom, or where it is fixed.
// What is not tried, because it cannot be needed:
//
//   - a box that lies so high that another fits below it: that one goes first;
//   - an offset above which the boxes left in some section do not fit;
//   - another box after one that had nothing above it: the choice did not matter;
//   - a box before its twin, one of the same sections, need and alignment.
//
// When no box that is left lives on both sides of some point in time, the sides are searched apart.
//
// The stack is explicit: its depth is the number of boxes, which the caller chooses.
type search struct {
	*searchState
	order    searchOrder
	branches []branch
	tasks    []task  // of all branches, those of the last one last
	members  []int32 // boxes of parts, in the order to try them
	twins    []int32 // by box: the box before it that is its twin, or none
	greatest []int64 // by box: scratch for sorting
}

// searchOrder is the order in which boxes of the same least offset are tried.
type searchOrder struct {
	ranks  []int32 // by box, the best first
	byLoad bool    // whether the greatest load that is left in its sections goes before the rank
}

// part is boxes that share no section with others that are to be placed.
type part struct {
	from, to int32 // sections, half-open
	low, end int   // its boxes are members[low:end], the placed ones among them included
}

// task is a part to be placed by candidates that do not come before least.
type task struct {
	part  part
	least candidate
}

// candidate is a box that can be placed next, at its least offset.
type candidate struct {
	offset int64
	place  int32 // in the order of its part
	box    int32
}

func (c candidate) before(d candidate) bool {
	return c.offset < d.offset || c.offset == d.offset && c.place < d.place
}

// branch is a task under way: its candidates are placed in turn.
type branch struct {
	part       part
	candidates []candidate
	next       int  // the candidate to place next
	placed     bool // whether the candidate before next is placed, and its tasks are under way
	covered    bool // whether that candidate has boxes left above it
	mark       mark // the state before it
	tasks      int  // its tasks are search.tasks[tasks:], nextTask the first that is not begun
	nextTask   int
	members    int // the length of search.members before it
}

// verdict is what a search found out.
type verdict uint8

const (
	undecided  verdict = iota // the steps were spent, or the context ended
	found                     // there is a plan: see offsets
	impossible                // there is none
)

func newSearch(b *boxes, meets [][]int32) *search {
	return &search{searchState: newSearchState(b, meets), twins: findTwins(b), greatest: make([]int64, len(b.all))}
}

// findTwins is, by box, the twin before it.
func findTwins(b *boxes) []int32 {
	twins := make([]int32, len(b.all))
	for at := range b.all {
		twins[at] = none
		if at > 0 && isTwin(&b.all[at-1], &b.all[at]) {
			twins[at] = int32(at - 1)
		}
	}
	return twins
}

func isTwin(x, y *box) bool {
	return x.from == y.from && x.to == y.to && x.need == y.need && x.align == y.align && x.fixed == movable && y.fixed == movable
}

// begin starts a search for a plan of the capacity. The bottom of its stack is a branch that has nothing to choose and whose
// tasks are the parts of the whole.
func (s *search) begin(capacity int64, order searchOrder) {
	s.reset(capacity)
	s.order = order
	s.branches, s.tasks, s.members = s.branches[:0], s.tasks[:0], s.members[:0]
	for at := range s.all {
		s.members = append(s.members, int32(at))
	}
	whole := part{0, int32(len(s.loads)), 0, len(s.members)}
	s.branches = append(s.branches, branch{part: whole, placed: true})
	s.split(whole)
}

// looksAStep is how many boxes and sections a search looks at in the time of a step.
const looksAStep = 512

// resume goes on with a search that is undecided until limit steps are spent. To place a box for a try is a step, and another for
// every looksAStep boxes and sections that have to be looked at.
func (s *search) resume(ctx context.Context, limit int64) (v verdict, spent int64) {
	for tries := 0; ; {
		b := &s.branches[len(s.branches)-1]
		switch {
		case b.placed && b.nextTask < len(s.tasks):
			b.nextTask++
			s.enter(s.tasks[b.nextTask-1])
		case b.placed: // all its tasks are done
			if s.succeed() {
				return found, spent
			}
		case b.next == len(b.candidates):
			if s.fail() {
				return impossible, spent
			}
		case spent >= limit || tries%checkEvery == checkEvery-1 && ctx.Err() != nil:
			return undecided, spent
		default:
			tries++
			spent += 1 + int64(b.part.end-b.part.low+int(b.part.to-b.part.from))/looksAStep
			if !s.try(b) && s.retreat(b) && s.fail() {
				return impossible, spent
			}
		}
	}
}

// enter begins a task.
func (s *search) enter(t task) {
	if len(s.branches) < cap(s.branches) {
		s.branches = s.branches[:len(s.branches)+1]
	} else {
		s.branches = append(s.branches, branch{})
	}
	b := &s.branches[len(s.branches)-1]
	*b = branch{part: t.part, candidates: s.findCandidates(t, b.candidates[:0])}
}

// findCandidates is the candidates of a task in order of offset, then place.
func (s *search) findCandidates(t task, candidates []candidate) []candidate {
	limit := s.limitOffset(t.part)
	for place, box := range s.members[t.part.low:t.part.end] {
		if s.placed[box] {
			continue
		}
		c := candidate{s.lowest[box], int32(place), box}
		if c.offset > limit || c.before(t.least) || s.twins[box] != none && !s.placed[s.twins[box]] {
			continue
		}
		candidates = append(candidates, c)
		for at := len(candidates) - 1; at > 0 && candidates[at].offset < candidates[at-1].offset; at-- {
			candidates[at], candidates[at-1] = candidates[at-1], candidates[at]
		}
	}
	return candidates
}

// limitOffset is the greatest offset that the next box of a part can have: all that are left will lie as high, so they must
// fit above it in each section, and none of them may fit below it.
func (s *search) limitOffset(p part) int64 {
	most := int64(0)
	for _, rest := range s.rest[p.from:p.to] {
		most = max(most, rest)
	}
	leastTop := int64(math.MaxInt64)
	for _, box := range s.members[p.low:p.end] {
		if !s.placed[box] {
			leastTop = min(leastTop, s.lowest[box]+s.all[box].need)
		}
	}
	return min(s.capacity-most, leastTop-1)
}

// try places the next candidate and sets up its tasks. It is false if what is left does not fit.
func (s *search) try(b *branch) bool {
	c := b.candidates[b.next]
	b.next++
	b.mark, b.placed = s.mark(), true
	b.tasks, b.members = len(s.tasks), len(s.members)
	b.nextTask = b.tasks
	var ok bool
	ok, b.covered = s.put(c.box)
	if !ok {
		return false
	}
	switch {
	case s.cuts(c.box):
		s.split(b.part)
	case !s.done(b.part):
		s.tasks = append(s.tasks, task{b.part, c})
	}
	return true
}

// cuts is whether placing a box left some point inside its lifetime that no box to be placed lives across.
func (s *search) cuts(box int32) bool {
	x := &s.all[box]
	return slices.Contains(s.crossing[x.from:x.to-1], 0)
}

// done is whether all boxes of a part that was not cut are placed: if it has several sections, some box lives across them.
func (s *search) done(p part) bool {
	return p.to-p.from == 1 && len(s.open.in(p.from)) == 0
}

// split adds a task for each of the parts that the boxes left of p fall into.
func (s *search) split(p part) {
	from := p.from
	for section := p.from; section < p.to; section++ {
		if section < p.to-1 && s.crossing[section] > 0 {
			continue
		}
		low := len(s.members)
		for _, box := range s.members[p.low:p.end] {
			if !s.placed[box] && s.all[box].from >= from && s.all[box].to <= section+1 {
				s.members = append(s.members, box)
			}
		}
		if len(s.members) > low {
			fresh := part{from, section + 1, low, len(s.members)}
			s.sort(s.members[low:])
			s.tasks = append(s.tasks, task{fresh, candidate{offset: -1}})
		}
		from = section + 1
	}
}

// sort brings boxes into the order to try them in.
func (s *search) sort(boxes []int32) {
	if s.order.byLoad {
		for _, box := range boxes {
			s.greatest[box] = slices.Max(s.rest[s.all[box].from:s.all[box].to])
		}
	}
	slices.SortFunc(boxes, func(i, j int32) int {
		if s.order.byLoad && s.greatest[i] != s.greatest[j] {
			return compareInts(s.greatest[j], s.greatest[i])
		}
		return int(s.order.ranks[i] - s.order.ranks[j])
	})
}

// retreat takes back the placed candidate of b. It is true if no other needs to be tried.
func (s *search) retreat(b *branch) bool {
	s.undo(b.candidates[b.next-1].box, b.mark)
	s.tasks, s.members = s.tasks[:b.tasks], s.members[:b.members]
	b.placed = false
	return !b.covered
}

// succeed ends the last branch with a plan for its part, whose offsets stay. It is true if that was the whole.
func (s *search) succeed() bool {
	if len(s.branches) == 1 {
		return true
	}
	s.retreat(&s.branches[len(s.branches)-1])
	s.branches = s.branches[:len(s.branches)-1]
	return false
}

// fail ends the last branch, for whose part there is no plan, and the candidates before it that nothing else can replace.
// It is true if that was the whole.
func (s *search) fail() bool {
	for {
		s.branches = s.branches[:len(s.branches)-1]
		b := &s.branches[len(s.branches)-1]
		if len(s.branches) == 1 {
			return true
		}
		if !s.retreat(b) {
			return false
		}
	}
}
