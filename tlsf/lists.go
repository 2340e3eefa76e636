package tlsf

import "math/bits"

// lists is the lists of free blocks, numbered from 1 by size: a later list holds larger blocks. A list is a ring through
// prev and next, of its blocks in the order in which they joined and of the slot that has the list's number.
type lists struct {
	countBits int    // bit length of the list count
	slots     int    // slots that the lists take, with nobody's: the blocks' come after
	filled    bitmap // lists that are not empty
}

// newLists is empty lists for blocks of up to size bytes, and a block table that begins with them.
func newLists(size, listCount int64) (lists, blockTable) {
	l := lists{countBits: bits.Len64(uint64(listCount))}
	l.slots = l.of(size) + 1
	l.filled = newBitmap(l.slots)
	slots := make([]block, l.slots, l.slots+64) // so that the first blocks do not move the lists
	for list := range slots {
		slots[list].prev, slots[list].next = list, list
	}
	return l, blockTable{slots: slots}
}

// of is the list of a size. The bits of the size below the highest countBits say nothing; dropping them leaves a number
// in [2^(countBits-1), 2^countBits), so that counting these numbers on for each bit dropped leaves no gaps.
func (l *lists) of(size int64) int {
	dropped := l.dropped(size)
	return dropped<<(l.countBits-1) + int(size>>dropped)
}

// fitting is the first list all of whose blocks have room for a request: the list of the request rounded up.
func (l *lists) fitting(request int64) int {
	dropped := l.dropped(request)
	return dropped<<(l.countBits-1) + int((request-1)>>dropped+1)
}

func (l *lists) dropped(size int64) int {
	return max(0, bits.Len64(uint64(size))-l.countBits)
}

// firstFrom is the slot of the block that joined first in the first list that is not empty, from one list upward, or
// nobody.
func (l *lists) firstFrom(slots []block, list int) int {
	list = l.filled.next(list)
	if list < 0 {
		return nobody
	}
	return slots[list].next
}

// join makes a block free and the last of the list of its size.
func (l *lists) join(slots []block, i int) {
	b := &slots[i]
	list := l.of(b.size)
	last := slots[list].prev
	b.free, b.prev, b.next = true, last, list
	slots[last].next = i
	slots[list].prev = i
	l.filled.add(list)
}

// leave takes a block out of its list; it is free no more.
func (l *lists) leave(slots []block, i int) {
	b := &slots[i]
	slots[b.prev].next = b.next
	slots[b.next].prev = b.prev
	if b.prev == b.next { // only the list's own slot can be both neighbours
		l.filled.remove(b.prev)
	}
	b.free = false
}
