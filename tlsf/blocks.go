package tlsf

// nobody is the slot that stands for no block. It closes every chain but the lists'. As a neighbour it is never free, so
// nothing merges with it.
const nobody = 0

// A block is a stretch of the range, free or allocated.
type block struct {
	start, size   int64 // bytes; start counts from the base
	before, after int   // neighbours by address
	prev, next    int   // neighbours in its list while free; next also chains allocated blocks, and spare slots
	free          bool
}

// A blockTable is the blocks of the range, chained in address order: the first comes after nobody, the last before it.
// It begins with nobody and a slot for each list.
type blockTable struct {
	slots []block
	spare int // first of the slots that held a block and hold none
}

// insert is the slot of a new block, neither free nor in a list, that comes after another in address order.
func (t *blockTable) insert(before int, start, size int64) int {
	i := t.takeSlot()
	after := t.slots[before].after
	t.slots[i] = block{start: start, size: size, before: before, after: after}
	t.slots[before].after = i
	t.slots[after].before = i
	return i
}

// split cuts a block after its first size bytes. It is the slot of the rest; the first part keeps its slot.
func (t *blockTable) split(i int, size int64) int {
	b := &t.slots[i]
	rest := b.size - size
	b.size = size
	return t.insert(i, b.start+size, rest)
}

// absorb adds to a block the one after it, whose slot becomes spare.
func (t *blockTable) absorb(i int) {
	b := &t.slots[i]
	gone := b.after
	b.size += t.slots[gone].size
	b.after = t.slots[gone].after
	t.slots[b.after].before = i
	t.slots[gone] = block{next: t.spare}
	t.spare = gone
}

func (t *blockTable) takeSlot() int {
	if t.spare == nobody {
		t.slots = append(t.slots, block{})
		return len(t.slots) - 1
	}
	i := t.spare
	t.spare = t.slots[i].next
	return i
}
