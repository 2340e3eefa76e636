package tlsf

// Check is nil, or an [*Error] of kind Broken that names the first invariant that does not hold. It is for tests and
// debugging: nothing that the other methods do makes it fail. It takes time in proportion to the blocks and the lists.
func (a *Allocator) Check() error {
	checks := []func() error{a.checkLinks, a.checkTiling, a.checkSpare, a.checkAllocated, a.checkLists, a.checkFilled}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkLinks: every link is a slot, so that the other checks can follow it.
func (a *Allocator) checkLinks() error {
	slots := a.blocks.slots
	isSlot := func(i int) bool { return i >= 0 && i < len(slots) }
	for i, b := range slots {
		if !isSlot(b.before) || !isSlot(b.after) || !isSlot(b.prev) || !isSlot(b.next) {
			return broken("slot %d of %d links to a slot that is not there", i, len(slots))
		}
	}
	for i, first := range a.allocated.buckets {
		if !isSlot(first) {
			return broken("bucket %d links to slot %d of %d", i, first, len(slots))
		}
	}
	if !isSlot(a.blocks.spare) {
		return broken("the first spare slot is %d of %d", a.blocks.spare, len(slots))
	}
	return nil
}

// checkTiling: the blocks follow each other without gaps, fill the range, and no two free ones touch.
func (a *Allocator) checkTiling() error {
	slots := a.blocks.slots
	if slots[nobody].free {
		return broken("slot %d, which stands for no block, is free", nobody)
	}
	end, last := int64(0), nobody
	for i := slots[nobody].after; i != nobody; i = slots[i].after {
		switch b := &slots[i]; {
		case b.start != end:
			return broken("a block starts at offset %d, the one before it ends at %d", b.start, end)
		case b.size < 1 || b.size > a.size-end:
			return broken("the block at offset %d has size %d in a range of %d", b.start, b.size, a.size)
		case b.before != last:
			return broken("the block at offset %d does not link to the one before it", b.start)
		case b.free && slots[last].free:
			return broken("the blocks before and after offset %d are both free", b.start)
		}
		end, last = end+slots[i].size, i
	}
	if end != a.size || slots[nobody].before != last {
		return broken("the last block ends at offset %d of %d, or is not known to be the last", end, a.size)
	}
	return nil
}

// checkSpare: every slot is nobody's, a list's, a block's or spare.
func (a *Allocator) checkSpare() error {
	want := len(a.blocks.slots) - a.lists.slots
	for range a.Blocks() {
		want--
	}
	got := 0
	for i := a.blocks.spare; i != nobody && got <= want; i = a.blocks.slots[i].next {
		if b := &a.blocks.slots[i]; i < a.lists.slots || b.size != 0 || b.free {
			return broken("slot %d is spare and used", i)
		}
		got++
	}
	if got != want {
		return broken("%d slots hold no block, and the chain of spare ones is shorter or longer", want)
	}
	return nil
}

// checkAllocated: each allocated block, and nothing else, is found by its start.
func (a *Allocator) checkAllocated() error {
	slots, count := a.blocks.slots, 0
	for i := slots[nobody].after; i != nobody; i = slots[i].after {
		b := &slots[i]
		if b.free {
			continue
		}
		count++
		if b.size < a.blockSize {
			return broken("the allocated block at offset %d has %d bytes, the block size is %d", b.start, b.size, a.blockSize)
		}
	}
	found := 0
	for bucket, i := range a.allocated.buckets {
		for ; i != nobody && found <= count; i = slots[i].next {
			if b := &slots[i]; i < a.lists.slots || b.free || b.size == 0 || a.allocated.bucket(b.start) != &a.allocated.buckets[bucket] {
				return broken("slot %d is in bucket %d, where it does not belong", i, bucket)
			}
			found++
		}
	}
	if found != count || a.allocated.count != count {
		return broken("%d blocks are allocated, %d are found by their starts, and their count is %d", count, found, a.allocated.count)
	}
	return nil
}

// checkLists: each list holds free blocks of its sizes, and together they hold every free block.
func (a *Allocator) checkLists() error {
	listed, free := 0, 0
	for list := range a.lists.slots {
		n, err := a.checkList(list)
		if err != nil {
			return err
		}
		listed += n
	}
	for b := range a.Blocks() {
		if b.Free {
			free++
		}
	}
	if listed != free {
		return broken("%d blocks are free, %d are in lists", free, listed)
	}
	return nil
}

// checkList is the length of one list. Since every block links to the one it is reached from, the walk ends: where it
// came back to a block, that block would have to link to two.
func (a *Allocator) checkList(list int) (length int, err error) {
	slots, last := a.blocks.slots, list
	for i := slots[list].next; i != list; i = slots[i].next {
		switch b := &slots[i]; {
		case !b.free:
			return 0, broken("slot %d is in list %d and not free", i, list)
		case a.lists.of(b.size) != list:
			return 0, broken("the free block at offset %d of %d bytes is in list %d", b.start, b.size, list)
		case b.prev != last:
			return 0, broken("the free block at offset %d does not link to the one before it in list %d", b.start, list)
		}
		last = i
		length++
	}
	if slots[list].prev != last {
		return 0, broken("list %d does not link to its last block", list)
	}
	return length, nil
}

// checkFilled: at every level, the bitmap says which lists, or words below, are not empty.
func (a *Allocator) checkFilled() error {
	filled := a.lists.filled
	for list := range a.lists.slots {
		if filled.has(0, list) != (a.blocks.slots[list].next != list) {
			return broken("the bitmap is wrong about list %d", list)
		}
	}
	for level := 1; level < len(filled); level++ {
		for i, word := range filled[level-1] {
			if filled.has(level, i) != (word != 0) {
				return broken("level %d of the bitmap is wrong about word %d", level, i)
			}
		}
	}
	return nil
}
