package placement

import (
	"context"
	"slices"

	"libtolk_memory/placement/problem"
)

const (
	mendFrom       = 1_000  // boxes: with fewer the skyline is quick to place all anew
	mendFirstFrom  = 2_500  // boxes: from here on a plan is mended before all openings are tried
	mendAtOnceFrom = 20_000 // boxes: from here on that plan is TLSF's; before, the better one of an opening and a first fit
	mendShare      = 8      // at most one box in as many may reach above the bound
	mendMovable    = 8_000  // boxes that may move in a window
	firstMargin    = 8      // sections on each side of the boxes that are too high
	coreShare      = 4      // the first core is this part of the margin
	anewEffort     = 6      // steps a box for placing a window anew, unless thoroughly
	marginGrowth   = 4      // times, after a window that was too narrow
	mendWidenings  = 5
	windowEffort   = 64  // steps for each box in a window
	smallWindow    = 512 // boxes up to which all that a window needs lies in the caches
	smallSteps     = 2   // of such a window that take the time of a step elsewhere
)

// mender mends a plan that is too high in few places: around each it takes the boxes out that live within a window of time,
// leaves all that live across its edges where they are, and places the others anew, as a problem of its own with fixed
// boxes. If that does not bring them below the bound the window is widened. It is a large neighbourhood search (P. Shaw, "Using
// constraint programming and local search methods to solve vehicle routing problems", CP 1998).
//
//	bytes ^         +--+
//	bound |---------|  |-------------
//	      |   |  +--+  +----+  |        what lives within the window moves,
//	      |---+--+          +--+----    what crosses its edges stays
//	      +---^----------------^----> sections
//	          low              high
type mender struct {
	*portfolio
	thorough bool    // whether to play rounds in each window
	offsets  []int64 // of the plan that is mended, by buffer
	live     *overlapIndex
}

// window is a run of sections with boxes that are too high.
type window struct{ low, high int32 }

// mend brings the best plan down to the bound where it can, in some steps.
func (p *portfolio) mend(ctx context.Context, thorough bool, steps int64) {
	n, until := len(p.analysis.ByFirst), p.spent+steps
	if n < mendFrom || p.over(ctx) {
		return
	}
	m := &mender{portfolio: p, thorough: thorough, offsets: p.nearestToBound()}
	margin := int32(firstMargin)
	for range mendWidenings {
		windows := m.windows(n/mendShare, margin)
		if compareDirections(p.analysis.Loads) > 0 {
			slices.Reverse(windows)
		}
		for _, w := range windows {
			if p.spent >= until || ctx.Err() != nil {
				break
			}
			m.mendWindow(ctx, w, margin, until-p.spent)
		}
		margin *= marginGrowth
	}
	p.mended = m.offsets
	p.take(m.offsets, top(p.analysis, m.offsets))
}

// nearestToBound is a copy of the plan to mend: that in which fewer buffers are too high, of the best one and the one mended last, which
// may well be the higher where one window is left.
func (p *portfolio) nearestToBound() []int64 {
	if p.mended != nil && p.tooHigh(p.mended) <= p.tooHigh(p.offsets) {
		return slices.Clone(p.mended)
	}
	return slices.Clone(p.offsets)
}

// tooHigh is how many buffers reach above the bound.
func (p *portfolio) tooHigh(offsets []int64) (count int) {
	for _, i := range p.analysis.ByFirst {
		if offsets[i]+p.analysis.Needs[i] > p.bound {
			count++
		}
	}
	return count
}

// windows is the sections of the buffers that reach above the bound, with a margin, those that meet joined. It is none if there
// are more than most such buffers.
func (m *mender) windows(most int, margin int32) []window {
	var windows []window
	count, sections := 0, int32(len(m.analysis.Loads))
	for _, i := range m.analysis.ByFirst {
		if m.offsets[i]+m.analysis.Needs[i] <= m.bound {
			continue
		}
		if count++; count > most {
			return nil
		}
		w := window{max(m.analysis.From[i]-margin, 0), min(m.analysis.To[i]+margin, sections)}
		if last := len(windows) - 1; last >= 0 && w.low <= windows[last].high {
			windows[last].high = max(windows[last].high, w.high)
		} else {
			windows = append(windows, w)
		}
	}
	return windows
}

// mendWindow places the buffers of a window anew in at most some steps, and takes the places if they are lower.
func (m *mender) mendWindow(ctx context.Context, w window, margin int32, most int64) {
	members, movable := m.members(w)
	if movable > mendMovable || 2*movable < len(members) {
		return // too much work, or most of what stands in the way cannot move
	}
	until := m.spent + most
	m.placeAnew(ctx, w, window{}, members, m.thorough, most)
	for c := margin / coreShare; margin > firstMargin && c <= margin && m.spent < until && m.height(members) > m.bound; c *= 2 {
		m.mendFromCore(ctx, m.core(members, c), until)
	}
}

// mendFromCore places the buffers that live in the core of a window first, and then the others around them.
func (m *mender) mendFromCore(ctx context.Context, core window, until int64) {
	inCore, _ := m.members(core)
	w := m.hull(core, inCore)
	members, movable := m.members(w)
	if movable > mendMovable || 2*movable < len(members) {
		return // too much work, or most of what stands in the way cannot move
	}
	before, was := m.offsetsOf(members), m.excess(w, members)
	inCore = inCore[:0]
	for _, i := range members {
		if m.meets(core, i) || !m.moves(w, i) {
			inCore = append(inCore, i)
		}
	}
	if !m.placeAnew(ctx, w, window{}, inCore, true, until-m.spent) {
		return
	}
	if !m.placeAnew(ctx, w, core, members, m.thorough, until-m.spent) || !m.excess(w, members).less(was) {
		m.setOffsets(members, before)
	}
}

// hull is the sections in which buffers live, and half as many on each side.
func (m *mender) hull(w window, members []int32) window {
	for _, i := range members {
		w.low, w.high = min(w.low, m.analysis.From[i]), max(w.high, m.analysis.To[i])
	}
	margin := (w.high - w.low) / 2
	return window{max(w.low-margin, 0), min(w.high+margin, int32(len(m.analysis.Loads)))}
}

// placeAnew places members of a window anew but for those that live in core, and takes the places if they are lower.
func (m *mender) placeAnew(ctx context.Context, w, core window, members []int32, thorough bool, most int64) bool {
	a, err := problem.Analyze(m.part(w, core, members))
	if err != nil {
		panic("placement: a part of a valid problem is not valid: " + err.Error())
	}
	a.Bound = max(a.Bound, m.bound) // lower than the rest it need not be
	effort := anewEffort
	if thorough {
		effort = windowEffort
	}
	inner := newPortfolio(a, min(most, int64(effort*len(members))))
	inner.openAtBound(ctx)
	inner.playOpenings(ctx)
	if thorough {
		inner.playRounds(ctx)
	}
	if len(members) <= smallWindow {
		inner.spent /= smallSteps
	}
	m.spent += inner.spent
	if inner.offsets == nil || core == (window{}) && inner.size >= m.height(members) {
		return false
	}
	m.setOffsets(members, inner.offsets)
	return true
}

// core is the sections around the greatest load of those where members reach above the bound, widened on either side to where
// the load is least within as many again: few buffers live across its ends.
func (m *mender) core(members []int32, margin int32) window {
	loads := m.analysis.Loads
	peak := int32(none)
	for _, i := range members {
		if m.offsets[i]+m.analysis.Needs[i] <= m.bound {
			continue
		}
		for at := m.analysis.From[i]; at < m.analysis.To[i]; at++ {
			if peak == none || loads[at] > loads[peak] {
				peak = at
			}
		}
	}
	w := window{max(peak-margin, 0), min(peak+margin+1, int32(len(loads)))}
	low, high := w.low, w.high-1
	for at := low; at >= max(low-margin, 0); at-- {
		if loads[at] < loads[w.low] {
			w.low = at
		}
	}
	for at := high; at < int32(len(loads)) && at <= high+margin; at++ {
		if loads[at] < loads[w.high-1] {
			w.high = at + 1
		}
	}
	return w
}

// excess is how bad it is that buffers reach above the bound: first the greatest load of a section where one does, since there
// the least room is left, then how high it reaches.
type excess struct {
	load   int64
	height int64
}

func (e excess) less(f excess) bool {
	return e.load < f.load || e.load == f.load && e.height < f.height
}

// excess is that of the members that may move.
func (m *mender) excess(w window, members []int32) excess {
	e := excess{}
	for _, i := range members {
		top := m.offsets[i] + m.analysis.Needs[i]
		if top <= m.bound || !m.moves(w, i) {
			continue
		}
		e.height = max(e.height, top)
		for _, load := range m.analysis.Loads[m.analysis.From[i]:m.analysis.To[i]] {
			e.load = max(e.load, load)
		}
	}
	return e
}

// meets reports whether a buffer lives in a window.
func (m *mender) meets(w window, i int32) bool {
	return m.analysis.From[i] < w.high && m.analysis.To[i] > w.low
}

func (m *mender) offsetsOf(members []int32) []int64 {
	offsets := make([]int64, len(members))
	for at, i := range members {
		offsets[at] = m.offsets[i]
	}
	return offsets
}

func (m *mender) setOffsets(members []int32, offsets []int64) {
	for at, i := range members {
		m.offsets[i] = offsets[at]
	}
}

// members is the buffers that live in a window, and how many of them may move.
func (m *mender) members(w window) (members []int32, movable int) {
	if m.live == nil {
		m.live = newOverlapIndex(len(m.analysis.ByFirst), len(m.analysis.Loads), func(at int) (from, to int32) {
			i := m.analysis.ByFirst[at]
			return m.analysis.From[i], m.analysis.To[i]
		})
	}
	members = m.live.appendMeeting(nil, w.low, w.high)
	for at, place := range members {
		members[at] = m.analysis.ByFirst[place]
		if m.moves(w, members[at]) {
			movable++
		}
	}
	return members, movable
}

// moves is whether a buffer lives within a window and is not fixed.
func (m *mender) moves(w window, i int32) bool {
	return w.low <= m.analysis.From[i] && m.analysis.To[i] <= w.high && !m.analysis.Problem.Buffers[i].Fixed
}

// part is the problem of placing the buffers of a window among those that stay; its entries are sections.
func (m *mender) part(w, core window, members []int32) *problem.Problem {
	p := &problem.Problem{Granule: m.analysis.Problem.Granule, Buffers: make([]problem.Buffer, len(members))}
	for at, i := range members {
		b := m.analysis.Problem.Buffers[i]
		b.First, b.End = int64(max(m.analysis.From[i], w.low)), int64(min(m.analysis.To[i], w.high))
		b.Fixed, b.Offset = !m.moves(w, i) || m.meets(core, i), m.offsets[i]
		p.Buffers[at] = b
	}
	return p
}

// height is the highest byte that the members take.
func (m *mender) height(members []int32) int64 {
	height := int64(0)
	for _, i := range members {
		height = max(height, m.offsets[i]+m.analysis.Needs[i])
	}
	return height
}
