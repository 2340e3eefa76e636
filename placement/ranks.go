package placement

import (
	"math"

	"libtolk_memory/placement/problem"
)

// criterion is what boxes are ranked by: the greatest value goes first.
type criterion uint8

const (
	byLoad     criterion = iota // the greatest load of its sections
	bySpan                      // entries it lives for
	byWidth                     // sections
	byArea                      // entries times bytes
	byNeed                      // bytes
	byLatest                    // the last to start
	byEarliest                  // the first to start
	byLastEnd                   // the last to end
	byAlign                     // alignment
	byPressure                  // bytes times the fourth power of the greatest load
)

// ranking is an order of boxes by three criteria, the first deciding.
type ranking [3]criterion

// ranker makes ranks of the boxes.
type ranker struct {
	*boxes
	greatest []int64 // by box: the greatest load of its sections
	keys     []int64 // by box: what is sorted by, negated, so that the greatest comes first
	order    []int32
	sorter   problem.Sorter
}

func newRanker(b *boxes) *ranker {
	n := len(b.all)
	return &ranker{boxes: b, greatest: greatestLoads(b), keys: make([]int64, n), order: make([]int32, n)}
}

// ranks is the place of each box in the order of r; equal boxes are ranked in the order they have.
func (k *ranker) ranks(r ranking) []int32 {
	for at := range k.order {
		k.order[at] = int32(at)
	}
	k.sort(k.order, r[:])
	return inverse(k.order)
}

// sort sorts some boxes by the first of the criteria, those that it leaves equal by the next, and so on.
func (k *ranker) sort(order []int32, by []criterion) {
	for _, at := range order {
		k.keys[at] = -k.value(by[0], at)
	}
	k.sorter.Sort(order, k.keys)
	for from := 0; len(by) > 1 && from < len(order); {
		to := from + 1
		for to < len(order) && k.keys[order[to]] == k.keys[order[from]] {
			to++
		}
		if to-from > 1 {
			k.sort(order[from:to], by[1:])
		}
		from = to
	}
}

// identity is the numbers below n in order.
func identity(n int) []int32 {
	order := make([]int32, n)
	for at := range order {
		order[at] = int32(at)
	}
	return order
}

// inverse is the place in order of each of its items.
func inverse(order []int32) []int32 {
	places := make([]int32, len(order))
	for place, at := range order {
		places[at] = int32(place)
	}
	return places
}

func (k *ranker) value(c criterion, at int32) int64 {
	x := &k.all[at]
	switch c {
	case byLoad:
		return k.greatest[at]
	case bySpan:
		return orderedBits(x.span)
	case byWidth:
		return int64(x.to - x.from)
	case byArea:
		return orderedBits(x.span * float32(x.need/k.unit))
	case byNeed:
		return x.need
	case byLatest:
		return int64(x.from)
	case byEarliest:
		return -int64(x.from)
	case byLastEnd:
		return int64(x.to)
	case byPressure:
		load := float32(k.greatest[at]) / float32(k.bound)
		load *= load
		load *= load
		return orderedBits(load * float32(x.need/k.unit))
	default:
		return int64(x.align)
	}
}

// orderedBits is an integer that grows with f, which must not be negative.
func orderedBits(f float32) int64 {
	return int64(math.Float32bits(f))
}

// greatestLoads is the greatest load of each box's sections, from a binary tree of maxima.
func greatestLoads(b *boxes) []int64 {
	sections := len(b.loads)
	tree := make([]int64, 2*sections)
	copy(tree[sections:], b.loads)
	for node := sections - 1; node > 0; node-- {
		tree[node] = max(tree[2*node], tree[2*node+1])
	}
	greatest := make([]int64, len(b.all))
	for at := range b.all {
		x := &b.all[at]
		for low, high := int(x.from)+sections, int(x.to)+sections; low < high; low, high = low/2, high/2 {
			if low%2 == 1 {
				greatest[at] = max(greatest[at], tree[low])
				low++
			}
			if high%2 == 1 {
				high--
				greatest[at] = max(greatest[at], tree[high])
			}
		}
	}
	return greatest
}
