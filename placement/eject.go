package placement

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"libtolk_memory/placement/problem"
)

const (
	greatestShare = 1 << 12 // what the price of the largest box rises by
	greatestPrice = 1 << 38 // the sum of those of all that meet a box stays below 1 << 63
	pressEvery    = 32      // tries: one in as many for each box
	meetsAStep    = 10      // boxes that meet the one to be placed and are looked at in the time of a step
	widthAStep    = 64      // boxes and sections of theirs that are pressed in the time of a step
)

// ejector looks for a plan of a given capacity: it gives one homeless box after the other the place where the least price has
// to be paid for the boxes that it ejects, which are homeless then. A box that could not be placed without rises in price, so that
// those that are hard to place come to rest (Y. Nagata, O. Bräysy, "A powerful route minimization heuristic for the vehicle routing
// problem with time windows", Operations Research Letters 37, 2009).
type ejector struct {
	*boxes
	placed   *overlapIndex
	random   *rand.Rand
	capacity int64

	// By box:
	starts, ends []int64 // bytes it takes, if it is placed
	prices       []int64
	shares       []int64 // what its price rises by

	homeless   []int32 // boxes to be placed
	untilPress int     // tries until all are pressed
	pressUp    bool    // whether that was upwards last time

	byStart, byEnd []int32 // the placed boxes that meet the one to be placed
	edge           []int64 // by section, of those pressed so far
	sorter         problem.Sorter
}

func newEjector(b *boxes, random *rand.Rand) *ejector {
	n := len(b.all)
	e := &ejector{
		boxes: b, random: random,
		placed: newOverlapIndex(n, len(b.loads), func(at int) (from, to int32) { return b.all[at].from, b.all[at].to }),
		starts: make([]int64, n), ends: make([]int64, n), prices: make([]int64, n),
		shares: shares(b), edge: make([]int64, len(b.loads)),
	}
	copy(e.prices, e.shares)
	return e
}

// shares is, by box, about the root of its area, in such units that the greatest is greatestShare.
func shares(b *boxes) []int64 {
	shares, greatest := make([]int64, len(b.all)), int64(1)
	for at := range b.all {
		x := &b.all[at]
		shares[at] = 1 << ((bits.Len32(uint32(x.to-x.from)) + bits.Len64(uint64(x.need/b.unit))) / 2)
		greatest = max(greatest, shares[at])
	}
	for at := range shares {
		shares[at] = max(shares[at]*greatestShare/greatest, 1)
	}
	return shares
}

// aim starts from a plan; boxes that end above the capacity are homeless.
func (e *ejector) aim(offsets []int64, capacity int64) {
	e.capacity, e.homeless = capacity, e.homeless[:0]
	for at := range e.all {
		e.starts[at], e.ends[at] = offsets[at], offsets[at]+e.all[at].need
		if e.placed.ends[at] = e.all[at].to; e.ends[at] > capacity {
			e.displace(int32(at))
		}
	}
}

// run goes on until no box is homeless, which is a plan, or about limit steps are spent. It is impossible if fixed boxes alone leave
// no place for one.
func (e *ejector) run(ctx context.Context, limit int64) (v verdict, spent int64) {
	for len(e.homeless) > 0 {
		if spent >= limit || ctx.Err() != nil {
			return undecided, spent
		}
		if e.untilPress--; e.untilPress < 0 {
			e.untilPress = len(e.all) / pressEvery
			e.pressUp = !e.pressUp
			spent += e.press(e.pressUp)
		}
		box := e.takeHomeless()
		e.findNeighbours(box)
		spent += 1 + int64(len(e.byStart)/meetsAStep)
		start, price, ok := e.cheapest(box)
		if !ok {
			e.homeless = append(e.homeless, box)
			return impossible, spent
		}
		if price > 0 {
			e.prices[box] = min(e.prices[box]+e.shares[box], greatestPrice)
			e.eject(start, start+e.all[box].need)
		}
		e.starts[box], e.ends[box] = start, start+e.all[box].need
		e.placed.ends[box] = e.all[box].to
	}
	return found, spent
}

func (e *ejector) takeHomeless() int32 {
	at, last := e.random.IntN(len(e.homeless)), len(e.homeless)-1
	box := e.homeless[at]
	e.homeless[at] = e.homeless[last]
	e.homeless = e.homeless[:last]
	return box
}

// findNeighbours sets byStart and byEnd for a box.
func (e *ejector) findNeighbours(box int32) {
	x := &e.all[box]
	e.byStart = e.placed.appendMeeting(e.byStart[:0], x.from, x.to)
	e.byEnd = append(e.byEnd[:0], e.byStart...)
	e.sorter.Sort(e.byStart, e.starts)
	e.sorter.Sort(e.byEnd, e.ends)
}

// eject makes the neighbours homeless that take some of the bytes [from, to).
func (e *ejector) eject(from, to int64) {
	for _, j := range e.byStart {
		if e.starts[j] >= to {
			return
		}
		if e.ends[j] > from {
			e.displace(j)
		}
	}
}

func (e *ejector) displace(box int32) {
	e.placed.ends[box] = 0
	e.homeless = append(e.homeless, box)
}

// cheapest is where a box can start so that the prices of the neighbours in its way have the least sum; of several such places, any.
// It is false if fixed boxes leave no place. The sum changes in favour only where a box stands on a neighbour or hangs below one.
func (e *ejector) cheapest(box int32) (start, price int64, ok bool) {
	x := &e.all[box]
	align, highest := int64(x.align), e.capacity-x.need
	c := choice{price: math.MaxInt64, random: e.random}
	w := e.newSweep(x.need)
	c.offer(0, w.priceAt(0))
	for _, j := range e.byEnd {
		if start := alignUp(e.ends[j], x.align); start <= highest {
			c.offer(start, w.priceAt(start))
		}
	}
	w = e.newSweep(x.need)
	for _, j := range e.byStart {
		if start := min(e.starts[j]-x.need, highest); start >= 0 {
			start = start / align * align
			c.offer(start, w.priceAt(start))
		}
	}
	c.offer(highest/align*align, w.priceAt(highest/align*align))
	return c.start, c.price, c.price < math.MaxInt64
}

// choice is the cheapest of the places offered so far.
type choice struct {
	start, price int64
	ties         int
	random       *rand.Rand
}

func (c *choice) offer(start, price int64) {
	switch {
	case price < c.price:
		c.start, c.price, c.ties = start, price, 1
	case price == c.price && price < math.MaxInt64:
		if c.ties++; c.random.IntN(c.ties) == 0 {
			c.start = start
		}
	}
}

// sweep tells the price of places, each at or above the one before.
type sweep struct {
	*ejector
	need           int64
	started, ended int // neighbours passed in byStart and in byEnd
	price          int64
	fixed          int // boxes in the way
}

func (e *ejector) newSweep(need int64) sweep {
	return sweep{ejector: e, need: need}
}

// priceAt is the sum of the prices of the neighbours in the way of a box at start, MaxInt64 if one of them is fixed.
func (w *sweep) priceAt(start int64) int64 {
	for ; w.started < len(w.byStart) && w.starts[w.byStart[w.started]] < start+w.need; w.started++ {
		w.count(w.byStart[w.started], 1)
	}
	for ; w.ended < len(w.byEnd) && w.ends[w.byEnd[w.ended]] <= start; w.ended++ {
		w.count(w.byEnd[w.ended], -1)
	}
	if w.fixed > 0 {
		return math.MaxInt64
	}
	return w.price
}

func (w *sweep) count(box int32, times int64) {
	if w.hasFixed && w.all[box].fixed != movable {
		w.fixed += int(times)
	} else {
		w.price += times * w.prices[box]
	}
}

// press moves all placed boxes as far up or down as they go, which joins the gaps between them.
func (e *ejector) press(up bool) (spent int64) {
	order := e.byStart[:0]
	width := 0
	for at, end := range e.placed.ends {
		if end > 0 {
			order = append(order, int32(at))
			width += 1 + int(e.all[at].to-e.all[at].from)
		}
	}
	if up {
		e.pressUpwards(order)
	} else {
		e.pressDownwards(order)
	}
	e.byStart = order
	return 1 + int64(width/widthAStep)
}

func (e *ejector) pressDownwards(order []int32) {
	e.sorter.Sort(order, e.starts)
	clear(e.edge)
	for _, i := range order {
		x := &e.all[i]
		edge := e.edge[x.from:x.to]
		if x.fixed == movable {
			e.starts[i] = alignUp(slices.Max(edge), x.align)
			e.ends[i] = e.starts[i] + x.need
		}
		fill(edge, e.ends[i])
	}
}

func (e *ejector) pressUpwards(order []int32) {
	e.sorter.Sort(order, e.ends)
	fill(e.edge, e.capacity)
	for _, i := range slices.Backward(order) {
		x := &e.all[i]
		edge := e.edge[x.from:x.to]
		if x.fixed == movable {
			e.starts[i] = (slices.Min(edge) - x.need) / int64(x.align) * int64(x.align)
			e.ends[i] = e.starts[i] + x.need
		}
		fill(edge, e.starts[i])
	}
}

func fill(values []int64, value int64) {
	for at := range values {
		values[at] = value
	}
}
