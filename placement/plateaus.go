package placement

import "math/bits"

// plateaus is the upper edge of what is placed: the sections cut into runs of one height, each as wide as it can be.
//
//	bytes ^        +-----+
//	      |  +-----+     +--+
//	      |  |     |     |  +----+     five plateaus
//	      |--+     |     |  |    |
//	      +------------------------> sections
//
// The lowest is found with a heap of (height, first section). Entries of plateaus that have changed since stay in it and are
// passed over: a plateau's version tells. What is left beside a cover of the lowest is the next lowest, and needs no heap.
type plateaus struct {
	all    []plateau
	unused []int32
	level  []int32 // plateaus of the least height that are not in the heap, the first in time last
	heap   []heapEntry
}

type plateau struct {
	from, to   int32 // sections, half-open
	height     int64 // bytes
	prev, next int32 // neighbours, or none
	version    int32
}

type heapEntry struct {
	height  int64
	from    int32
	plateau int32
	version int32
}

// plateauRoom is how many plateaus there is memory for from the start.
const plateauRoom = 64

func newPlateaus(sections int) plateaus {
	n := min(sections, plateauRoom)
	return plateaus{make([]plateau, 0, n), make([]int32, 0, n), make([]int32, 0, n), make([]heapEntry, 0, n)}
}

// reset makes one plateau of height 0 out of all sections.
func (p *plateaus) reset(sections int) {
	p.all = append(p.all[:0], plateau{to: int32(sections), prev: none, next: none})
	p.unused = p.unused[:0]
	p.heap = p.heap[:0]
	p.level = append(p.level[:0], 0)
}

// lowest is the lowest plateau, the first in time if several are.
func (p *plateaus) lowest() int32 {
	if last := len(p.level) - 1; last >= 0 {
		return p.level[last]
	}
	for p.all[p.heap[0].plateau].version != p.heap[0].version {
		p.pop()
	}
	return p.heap[0].plateau
}

// neighbours is the heights of the plateaus before and after, unlimited where there is none.
func (p *plateaus) neighbours(id int32) (before, after int64) {
	before, after = unlimited, unlimited
	if prev := p.all[id].prev; prev != none {
		before = p.all[prev].height
	}
	if next := p.all[id].next; next != none {
		after = p.all[next].height
	}
	return before, after
}

// raise sets the height of the lowest plateau to a greater one. A plateau before it that is as high takes it in, and stays where
// it is in the heap.
func (p *plateaus) raise(id int32, height int64) {
	prev := p.all[id].prev
	if prev == none || p.all[prev].height != height {
		p.all[id].version++
		p.all[id].height = height
		p.mergeNext(id)
		p.renew(id)
		return
	}
	p.leave()
	p.all[prev].to = p.all[id].to
	p.link(prev, p.all[id].next)
	p.drop(id)
	p.mergeNext(prev)
}

// cover sets the height of the sections [from, to) of the lowest plateau, which contains them, to a greater one.
func (p *plateaus) cover(id, from, to int32, height int64) {
	old := p.all[id]
	p.all[id].from, p.all[id].to = from, to
	left, right := int32(none), int32(none)
	if old.from < from {
		left = p.add(plateau{from: old.from, to: from, height: old.height})
		p.link(old.prev, left)
		p.link(left, id)
	}
	if to < old.to {
		right = p.add(plateau{from: to, to: old.to, height: old.height})
		p.link(id, right)
		p.link(right, old.next)
	}
	p.raise(id, height)
	if right != none {
		p.level = append(p.level, right)
	}
	if left != none {
		p.level = append(p.level, left)
	}
}

// link makes two plateaus neighbours; either may be none.
func (p *plateaus) link(before, after int32) {
	if before != none {
		p.all[before].next = after
	}
	if after != none {
		p.all[after].prev = before
	}
}

// mergeNext takes the plateau after one into it if it is as high.
func (p *plateaus) mergeNext(id int32) {
	if next := p.all[id].next; next != none && p.all[next].height == p.all[id].height {
		p.all[id].to = p.all[next].to
		p.link(id, p.all[next].next)
		p.drop(next)
	}
}

func (p *plateaus) add(n plateau) int32 {
	if last := len(p.unused) - 1; last >= 0 {
		id := p.unused[last]
		p.unused = p.unused[:last]
		n.version = p.all[id].version + 1
		p.all[id] = n
		return id
	}
	p.all = append(p.all, n)
	return int32(len(p.all) - 1)
}

func (p *plateaus) drop(id int32) {
	p.all[id].version++
	p.unused = append(p.unused, id)
}

// before is 1 if an entry comes before another, and 0 if not: the borrow of a difference, since branches would be as good as random.
func (e *heapEntry) before(f *heapEntry) uint64 {
	_, less := bits.Sub64(uint64(e.from), uint64(f.from), 0)
	_, less = bits.Sub64(uint64(e.height), uint64(f.height), less)
	return less
}

func (p *plateaus) entry(id int32) heapEntry {
	n := &p.all[id]
	return heapEntry{n.height, n.from, id, n.version}
}

// renew puts the lowest plateau, which has changed, into the heap, in place of its old entry if it was there.
func (p *plateaus) renew(id int32) {
	if last := len(p.level) - 1; last >= 0 {
		p.level = p.level[:last]
		p.push(id)
		return
	}
	p.heap[0] = p.entry(id)
	p.siftDown()
}

// leave takes the lowest plateau out of where lowest finds it.
func (p *plateaus) leave() {
	if last := len(p.level) - 1; last >= 0 {
		p.level = p.level[:last]
		return
	}
	p.pop()
}

// pop takes the first entry out of the heap.
func (p *plateaus) pop() {
	last := len(p.heap) - 1
	p.heap[0] = p.heap[last]
	p.heap = p.heap[:last]
	p.siftDown()
}

func (p *plateaus) push(id int32) {
	e := p.entry(id)
	p.heap = append(p.heap, e)
	at := len(p.heap) - 1
	for at > 0 {
		up := (at - 1) / 2
		if e.before(&p.heap[up]) == 0 {
			break
		}
		p.heap[at] = p.heap[up]
		at = up
	}
	p.heap[at] = e
}

// siftDown moves the first entry to where it belongs.
func (p *plateaus) siftDown() {
	if len(p.heap) == 0 {
		return
	}
	e, at := p.heap[0], 0
	for {
		down := 2*at + 1
		if down >= len(p.heap) {
			break
		}
		if down+1 < len(p.heap) {
			down += int(p.heap[down+1].before(&p.heap[down]))
		}
		if p.heap[down].before(&e) == 0 {
			break
		}
		p.heap[at] = p.heap[down]
		at = down
	}
	p.heap[at] = e
}
