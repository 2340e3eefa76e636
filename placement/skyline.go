package placement

import "context"

// skyline places boxes from the bottom up: it takes the lowest plateau of the upper edge and puts the best ranked box that
// fits on it, or raises it to its lower neighbour if none fits (E. K. Burke, G. Kendall, G. Whitwell, "A new placement
// heuristic for the orthogonal stock-cutting problem", Operations Research 52, 2004, section 3, with lifetimes for widths
// and a place in time that is given). To that it adds a look ahead: see lookahead.
//
// A run costs a few searches of trees for each box.
type skyline struct {
	*boxes
	edge       plateaus
	candidates *candidates
	slack      *slack
	ceiling    *ceiling // nil if no box is fixed
	pockets    *pockets // nil if no box is fixed

	run     skylineRun
	pits    int   // searches that a look ahead may still make
	forced  int64 // bytes above the bound that were found to be needed, at least
	left    int   // boxes to be placed
	offsets []int64
	tried   []int32
}

// skylineRun says how to run a skyline.
type skylineRun struct {
	ranks    []int32 // by box, the best first: a permutation
	tries    int     // how many boxes to look at for a plateau
	tightest bool    // whether a box that lives in the plateau's tightest section goes first
	limit    int64   // give up when the size cannot become less than this
}

func newSkyline(b *boxes) *skyline {
	s := &skyline{boxes: b, edge: newPlateaus(len(b.loads)), candidates: newCandidates(b), slack: newSlack(len(b.loads)),
		offsets: make([]int64, len(b.all))}
	if b.hasFixed {
		s.ceiling = newCeiling(b)
		s.pockets = newPockets(b)
	}
	return s
}

// place is offsets by box, which the next run overwrites, and their size. It is false if the run gave up or ctx ended.
func (s *skyline) place(ctx context.Context, run skylineRun) (offsets []int64, size int64, ok bool) {
	s.reset(run)
	for step := 1; s.left > 0; step++ {
		if s.bound+max(s.forced, -s.slack.least()) >= run.limit || step%checkEvery == 0 && ctx.Err() != nil {
			return nil, 0, false
		}
		s.step()
	}
	size = s.size(s.offsets)
	return s.offsets, size, size < run.limit
}

func (s *skyline) reset(run skylineRun) {
	s.run, s.left, s.forced = run, len(s.all), 0
	s.edge.reset(len(s.loads))
	s.candidates.reset(run.ranks)
	s.slack.reset(s.loads, s.bound)
	if s.ceiling != nil {
		s.ceiling.reset()
		s.pockets.reset(run.ranks)
	}
}

// step puts a box on the lowest plateau, or raises it.
func (s *skyline) step() {
	id := s.edge.lowest()
	p := s.edge.all[id]
	above := int64(unlimited)
	if s.ceiling != nil {
		var fixed int32
		if fixed, above = s.ceiling.over(p.from, p.to); above == p.height {
			s.putFixed(id, fixed)
			return
		}
	}
	if box := s.choose(id, above); box != none {
		s.put(id, box)
		return
	}
	before, after := s.edge.neighbours(id)
	level := min(before, after, above)
	s.slack.lower(p.from, p.to, level-p.height)
	s.edge.raise(id, level)
}

// put places a box that was chosen on a plateau.
func (s *skyline) put(id, box int32) {
	x, height := &s.all[box], s.edge.all[id].height
	offset := alignUp(height, x.align)
	if s.pockets != nil {
		s.pockets.remove(box)
	}
	s.slack.lower(x.from, x.to, offset-height)
	s.settle(id, box, offset)
}

// putFixed places a fixed box whose offset the plateau has reached. All its sections are in the plateau: none is higher,
// since nothing was placed above the box, and none lower, since the plateau is the lowest.
func (s *skyline) putFixed(id, box int32) {
	s.ceiling.remove(box)
	s.settle(id, box, s.all[box].fixed)
}

func (s *skyline) settle(id, box int32, offset int64) {
	x := &s.all[box]
	s.offsets[box] = offset
	s.left--
	s.edge.cover(id, x.from, x.to, offset+x.need)
}

// fits is whether a box can stand on a plateau at height without reaching a fixed box.
func (s *skyline) fits(box int32, height int64) bool {
	if s.ceiling == nil {
		return true
	}
	x := &s.all[box]
	_, above := s.ceiling.over(x.from, x.to)
	return alignUp(height, x.align)+x.need <= above
}
