package placement

import (
	"cmp"
	"slices"

	"libtolk_memory/placement/problem"
)

// box is a buffer that needs bytes, as Best sees it: a run of sections wide and a need high.
//
//	bytes ^     +--------+
//	      |     |  need  |
//	      |     +--------+
//	      +----from-----to----> sections
type box struct {
	from, to int32   // sections, half-open
	need     int64   // bytes
	fixed    int64   // offset, or movable
	span     float32 // entries it lives for, for ranking only
	align    int32   // bytes, 1 if alignment cannot matter
}

const movable = -1

// boxes is a problem in a form that does not depend on the order of its buffers nor on the direction of time: every problem
// that differs in these alone has the same boxes, so that Best finds a plan of the same size.
type boxes struct {
	all      []box   // in order of from, ties by everything else
	ids      []int32 // by box: the buffer's index in the problem
	loads    []int64 // by section
	first    []int32 // by section s: the boxes that start at s are [first[s], first[s+1])
	bound    int64   // no arena is smaller
	fixedTop int64   // the greatest end of a fixed buffer
	unit     int64   // every arena worth looking for is a multiple of it
	aligned  bool    // whether alignment matters
	hasFixed bool
	mirrored bool // whether sections count from the end of time
}

// newBoxes is the boxes of a, in the direction of time whose boxes come first.
func newBoxes(a *problem.Analysis) *boxes {
	if c := compareDirections(a.Loads); c != 0 {
		return buildBoxes(a, c > 0)
	}
	forward, backward := buildBoxes(a, false), buildBoxes(a, true)
	if slices.CompareFunc(forward.all, backward.all, compareBoxes) > 0 {
		return backward
	}
	return forward
}

// compareDirections is negative if the loads come before the same ones backwards, positive if after, and 0 if they are the same.
func compareDirections(loads []int64) int {
	for at, back := 0, len(loads)-1; at < back; at, back = at+1, back-1 {
		if loads[at] != loads[back] {
			return cmp.Compare(loads[at], loads[back])
		}
	}
	return 0
}

// buildBoxes is the boxes of a, mirrored on demand.
func buildBoxes(a *problem.Analysis, mirrored bool) *boxes {
	b := &boxes{loads: a.Loads, bound: a.Bound, fixedTop: a.FixedTop, hasFixed: a.HasFixed, mirrored: mirrored}
	if mirrored {
		b.loads = slices.Clone(a.Loads)
		slices.Reverse(b.loads)
		b.ids = slices.Clone(a.ByEnd)
		slices.Reverse(b.ids)
	} else {
		b.ids = slices.Clone(a.ByFirst)
	}
	b.measure(a)
	b.all = make([]box, len(b.ids))
	for at, i := range b.ids {
		b.all[at] = b.newBox(a, i)
	}
	b.sortWithinStarts()
	b.index()
	return b
}

func (b *boxes) newBox(a *problem.Analysis, i int32) box {
	buffer := &a.Problem.Buffers[i]
	x := box{from: a.From[i], to: a.To[i], need: a.Needs[i], align: 1, fixed: movable}
	x.span = float32(uint64(buffer.End) - uint64(buffer.First))
	if b.aligned {
		x.align = int32(max(buffer.Align, a.Problem.GranuleBytes()))
	}
	if buffer.Fixed {
		x.fixed = buffer.Offset
	}
	if b.mirrored {
		sections := int32(len(b.loads))
		x.from, x.to = sections-x.to, sections-x.from
	}
	return x
}

// measure finds the unit, and whether alignment can matter: it cannot if every need and every fixed offset is a multiple of
// every alignment, since then all that is stacked is aligned.
func (b *boxes) measure(a *problem.Analysis) {
	least, greatest := int64(problem.MaxAlign), int64(1)
	for _, i := range a.ByFirst {
		b.unit = commonDivisor(a.Needs[i], b.unit)
		if buffer := &a.Problem.Buffers[i]; buffer.Fixed {
			b.unit = commonDivisor(b.unit, buffer.Offset)
		} else {
			align := a.Problem.Alignment(int(i))
			least, greatest = min(least, align), max(greatest, align)
		}
	}
	if b.aligned = b.unit%greatest != 0; b.aligned {
		b.unit = commonDivisor(b.unit, least)
	}
	b.unit = max(b.unit, 1)
}

func commonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// compareBoxes is a total order of boxes that differ in anything.
func compareBoxes(x, y box) int {
	if x.from != y.from {
		return int(x.from - y.from)
	}
	if x.to != y.to {
		return int(y.to - x.to)
	}
	if x.need != y.need || x.align != y.align {
		return compareInts(y.need, x.need, int64(y.align), int64(x.align))
	}
	return cmp.Or(cmp.Compare(y.span, x.span), cmp.Compare(x.fixed, y.fixed))
}

// sortWithinStarts completes an order by first section to one by everything.
func (b *boxes) sortWithinStarts() {
	for low := 0; low < len(b.all); {
		high := low + 1
		for high < len(b.all) && b.all[high].from == b.all[low].from {
			high++
		}
		if high-low > 1 {
			b.sortRange(low, high)
		}
		low = high
	}
}

// insertionUpTo is the longest range that is sorted by insertion.
const insertionUpTo = 16

func (b *boxes) sortRange(low, high int) {
	if high-low <= insertionUpTo {
		for at := low + 1; at < high; at++ {
			for k := at; k > low && compareBoxes(b.all[k], b.all[k-1]) < 0; k-- {
				b.all[k], b.all[k-1] = b.all[k-1], b.all[k]
				b.ids[k], b.ids[k-1] = b.ids[k-1], b.ids[k]
			}
		}
		return
	}
	type pair struct {
		box box
		id  int32
	}
	pairs := make([]pair, high-low)
	for at := range pairs {
		pairs[at] = pair{b.all[low+at], b.ids[low+at]}
	}
	slices.SortFunc(pairs, func(x, y pair) int { return compareBoxes(x.box, y.box) })
	for at, p := range pairs {
		b.all[low+at], b.ids[low+at] = p.box, p.id
	}
}

// index sets first.
func (b *boxes) index() {
	b.first = make([]int32, len(b.loads)+1)
	for _, x := range b.all {
		b.first[x.from+1]++
	}
	for s := range b.loads {
		b.first[s+1] += b.first[s]
	}
}

// size is the size of the arena when the boxes have these offsets.
func (b *boxes) size(offsets []int64) int64 {
	top := b.fixedTop
	for at := range b.all {
		top = max(top, offsets[at]+b.all[at].need)
	}
	return top
}
