package placement

import "math"

// searchState is what a search knows of the boxes that are placed and of those that are not, with the trail to undo it by.
type searchState struct {
	*boxes
	capacity int64

	// By section:
	floor    []int64 // every box to be placed there will lie at or above it
	rest     []int64 // bytes still to be placed there
	crossing []int32 // boxes to be placed that live in this section and the next
	witness  []int32 // a box that lives there and lately had the least offset of those to be placed

	// By box:
	lowest  []int64 // the least offset it can have
	placed  []bool
	offsets []int64
	meets   [][]int32 // boxes that share a section with it

	open   openBoxes
	failed int32         // a section in which lately something did not fit: it is likely to fail again
	floors []floorChange // trail
	lows   []lowChange   // trail
}

type floorChange struct {
	section int32
	floor   int64
}

type lowChange struct {
	box    int32
	lowest int64
}

// mark is a point in the trail.
type mark struct{ floors, lows int }

// newSearchState is a state that shares meets, see meetings, with others.
func newSearchState(b *boxes, meets [][]int32) *searchState {
	n, sections := len(b.all), len(b.loads)
	return &searchState{
		boxes: b,
		floor: make([]int64, sections), rest: make([]int64, sections), crossing: make([]int32, sections), witness: make([]int32, sections),
		lowest: make([]int64, n), placed: make([]bool, n), offsets: make([]int64, n),
		meets: meets, open: newOpenBoxes(b),
	}
}

// meetings is, by box, the boxes that share a section with it.
func meetings(b *boxes) [][]int32 {
	counts := make([]int32, len(b.all))
	total := 0
	for i := range b.all {
		after := int(b.first[b.all[i].to]) - i - 1
		counts[i] += int32(after)
		for j := i + 1; j <= i+after; j++ {
			counts[j]++
		}
		total += 2 * after
	}
	meets, room := make([][]int32, len(b.all)), make([]int32, total)
	for i, count := range counts {
		meets[i], room = room[:0:count], room[count:]
	}
	for i := range b.all {
		for j := int32(i + 1); j < b.first[b.all[i].to]; j++ {
			meets[i] = append(meets[i], j)
			meets[j] = append(meets[j], int32(i))
		}
	}
	return meets
}

// countPairs is how many pairs of boxes share a section, and of a box and a section of it. It stops counting beyond limit.
func countPairs(b *boxes, limit int) int {
	count := 0
	for at := range b.all {
		x := &b.all[at]
		count += int(x.to-x.from) + int(b.first[x.to]) - at - 1
		if count > limit {
			break
		}
	}
	return count
}

// reset is the state before anything is placed.
func (s *searchState) reset(capacity int64) {
	s.capacity = capacity
	s.floors, s.lows = s.floors[:0], s.lows[:0]
	clear(s.floor)
	clear(s.placed)
	clear(s.crossing)
	copy(s.rest, s.loads)
	s.open.reset()
	for at := range s.all {
		x := &s.all[at]
		s.lowest[at] = max(x.fixed, 0)
		for section := x.from; section < x.to; section++ {
			s.witness[section] = int32(at)
		}
		for section := x.from; section < x.to-1; section++ {
			s.crossing[section]++
		}
	}
}

func (s *searchState) mark() mark {
	return mark{len(s.floors), len(s.lows)}
}

// put places a box at its least offset. It is false if what is left cannot fit below the capacity; undo then, too.
// covered is whether boxes to be placed share a section with it.
func (s *searchState) put(box int32) (ok, covered bool) {
	x := &s.all[box]
	offset := s.lowest[box]
	top := offset + x.need
	s.placed[box], s.offsets[box] = true, offset
	ok = true
	for section := x.from; section < x.to; section++ {
		s.setFloor(section, top)
		s.rest[section] -= x.need
		ok = ok && top+s.rest[section] <= s.capacity
	}
	for section := x.from; section < x.to-1; section++ {
		s.crossing[section]--
	}
	s.open.remove(box)
	from, to, fits, covered := s.pushUp(box, top)
	return ok && fits && s.raiseFloors(from, to), covered
}

// undo takes back the placing of box and all since the mark.
func (s *searchState) undo(box int32, m mark) {
	x := &s.all[box]
	for at := len(s.floors) - 1; at >= m.floors; at-- {
		s.floor[s.floors[at].section] = s.floors[at].floor
	}
	for at := len(s.lows) - 1; at >= m.lows; at-- {
		s.lowest[s.lows[at].box] = s.lows[at].lowest
	}
	s.floors, s.lows = s.floors[:m.floors], s.lows[:m.lows]
	for section := x.from; section < x.to; section++ {
		s.rest[section] += x.need
	}
	for section := x.from; section < x.to-1; section++ {
		s.crossing[section]++
	}
	s.open.restore(box)
	s.placed[box] = false
}

func (s *searchState) setFloor(section int32, floor int64) {
	s.floors = append(s.floors, floorChange{section, s.floor[section]})
	s.floor[section] = floor
}

// pushUp raises the least offsets of the boxes that meet a placed one to its top, until one does not fit. [from, to) are the sections
// of those that rose.
func (s *searchState) pushUp(box int32, top int64) (from, to int32, fits, covered bool) {
	from, to = s.all[box].from, s.all[box].to
	for _, j := range s.meets[box] {
		if s.placed[j] {
			continue
		}
		covered = true
		if s.lowest[j] >= top {
			continue
		}
		x := &s.all[j]
		s.setLowest(j, alignUp(top, x.align))
		if x.fixed != movable && top > x.fixed || s.lowest[j]+x.need > s.capacity {
			return from, to, false, true
		}
		from, to = min(from, x.from), max(to, x.to)
	}
	return from, to, true, covered
}

func (s *searchState) setLowest(box int32, lowest int64) {
	s.lows = append(s.lows, lowChange{box, s.lowest[box]})
	s.lowest[box] = lowest
}

// raiseFloors raises the floors of the sections [from, to). It is false if what is left of one does not fit above its floor.
func (s *searchState) raiseFloors(from, to int32) bool {
	if from <= s.failed && s.failed < to && !s.raiseFloor(s.failed) {
		return false
	}
	for section := from; section < to; section++ {
		if !s.raiseFloor(section) {
			s.failed = section
			return false
		}
	}
	return true
}

// raiseFloor raises the floor of a section to the least offset that a box to be placed there can have.
func (s *searchState) raiseFloor(section int32) bool {
	if s.rest[section] == 0 {
		return true
	}
	if least := s.leastOffset(section); least > s.floor[section] {
		s.setFloor(section, least)
		return least+s.rest[section] <= s.capacity
	}
	return true
}

// leastOffset is the least offset that a box to be placed in a section can have, or its floor if that is reached. The box that told
// so last time is asked first, as solvers of satisfiability watch literals (M. W. Moskewicz and others, "Chaff: engineering an
// efficient SAT solver", DAC 2001).
func (s *searchState) leastOffset(section int32) int64 {
	floor, lowest := s.floor[section], s.lowest
	if w := s.witness[section]; !s.placed[w] && lowest[w] <= floor {
		return floor
	}
	least := int64(math.MaxInt64)
	for _, j := range s.open.in(section) {
		if lowest[j] < least {
			least, s.witness[section] = lowest[j], j
			if least <= floor {
				return floor
			}
		}
	}
	return least
}
