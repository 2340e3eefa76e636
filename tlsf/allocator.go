package tlsf

import (
	"iter"
	"math"
	"math/bits"
)

const (
	// DefaultBlockSize is the block size, in bytes, for callers that have no reason for another.
	DefaultBlockSize = 16
	// DefaultListCount is the list count for callers that have no reason for another.
	DefaultListCount = 16
	// MaxListCount is the largest list count that [New] takes. Its lists take 12 MB.
	MaxListCount = 4096
)

// An Allocator hands out blocks of one range of bytes. It is not safe for use by several goroutines at the same time.
type Allocator struct {
	base, size int64
	blockSize  int64
	blocks     blockTable
	lists      lists
	allocated  starts
}

// New is an allocator of the addresses [base, base+size), all free.
//
// The size, in bytes, is 0 or more; of a range of size 0 every Alloc finds no room. The base may be negative, and
// base+size must not exceed 2^63-1. The block size, in bytes, is the least that an Alloc takes, and 1 or more. The list
// count says how finely the lists part sizes: an Alloc is rounded up by less than one part in the highest power of two in
// it. It is from 1 to [MaxListCount] and has no more bits than the block size.
//
// The error is an [*Error] of kind BadArgument or Overflow.
//
// An allocator takes 56 bytes a list, of which there are about list count times the bits of the size, and up to 100 bytes
// for each of as many blocks as it ever had at the same time. There is nothing to close.
func New(size, base, blockSize, listCount int64) (*Allocator, error) {
	if err := checkNew(size, base, blockSize, listCount); err != nil {
		return nil, err
	}
	a := &Allocator{
		base:      base,
		size:      size,
		blockSize: blockSize,
		allocated: newStarts(),
	}
	a.lists, a.blocks = newLists(size, listCount)
	if size > 0 {
		a.lists.join(a.blocks.slots, a.blocks.insert(nobody, 0, size))
	}
	return a, nil
}

func checkNew(size, base, blockSize, listCount int64) error {
	listBits := bits.Len64(uint64(listCount))
	switch {
	case size < 0:
		return fault(BadArgument, "New", "size", size, "must be 0 or more")
	case base > math.MaxInt64-size:
		return fault(Overflow, "New", "base", base, "must be %d or less with size %d, so that base + size fits in 63 bits",
			math.MaxInt64-size, size)
	case blockSize < 1:
		return fault(BadArgument, "New", "block size", blockSize, "must be 1 or more")
	case listCount < 1 || listCount > MaxListCount:
		return fault(BadArgument, "New", "list count", listCount, "must be from 1 to %d", MaxListCount)
	case bits.Len64(uint64(blockSize)) < listBits:
		return fault(BadArgument, "New", "block size", blockSize, "must be %d or more, to have as many bits as list count %d",
			1<<(listBits-1), listCount)
	}
	return nil
}

// Alloc is the address of a block of max(n, block size) bytes that overlaps no other, until [Allocator.Free].
// The offset address - base is a multiple of align; so the address is one if the base is.
//
// It requires n >= 0 and align >= 1, both in bytes; align need not be a power of two.
//
// When no block is found ok is false, which is an ordinary answer: err is nil and the allocator is as before. Since the
// request is rounded up, this can happen although a free block would be large enough; see the package comment.
//
// The error is an [*Error]: BadArgument, or Overflow when max(n, block size) + align - 1 does not fit in 63 bits.
//
// It takes constant time and no memory, except that tables grow, by doubling or so, when there are more blocks than ever
// before.
func (a *Allocator) Alloc(n, align int64) (address int64, ok bool, err error) {
	if err := a.checkAlloc(n, align); err != nil {
		return 0, false, err
	}
	n = max(n, a.blockSize)
	i := a.lists.firstFrom(a.blocks.slots, a.lists.fitting(n+align-1))
	if i == nobody {
		return 0, false, nil
	}
	i = a.carve(i, n, align)
	a.allocated.add(a.blocks.slots, i)
	return a.base + a.blocks.slots[i].start, true, nil
}

func (a *Allocator) checkAlloc(n, align int64) error {
	switch largest := math.MaxInt64 - (align - 1); {
	case n < 0:
		return fault(BadArgument, "Alloc", "size", n, "must be 0 or more")
	case align < 1:
		return fault(BadArgument, "Alloc", "align", align, "must be 1 or more")
	case max(n, a.blockSize) > largest:
		return fault(Overflow, "Alloc", "size", n, "it and the block size %d must be %d or less with align %d, so that the sum fits in 63 bits",
			a.blockSize, largest, align)
	}
	return nil
}

// carve cuts n bytes at an aligned start out of a free block with room for them, and is the slot they get. What lies
// before and after stays free.
func (a *Allocator) carve(i int, n, align int64) int {
	a.lists.leave(a.blocks.slots, i)
	if past := a.blocks.slots[i].start % align; past > 0 {
		aligned := a.blocks.split(i, align-past)
		a.lists.join(a.blocks.slots, i)
		i = aligned
	}
	if a.blocks.slots[i].size > n {
		rest := a.blocks.split(i, n)
		a.lists.join(a.blocks.slots, rest)
	}
	return i
}

// Free makes the allocated block that starts at an address free, together with the free blocks around it.
//
// The error is an [*Error] of kind NotAllocated if no allocated block starts there: the address never came from
// [Allocator.Alloc], or it was freed since.
//
// It takes constant time and no memory.
func (a *Allocator) Free(address int64) error {
	slots := a.blocks.slots
	i := a.allocated.take(slots, address-a.base) // where this wraps around it is no block's start
	if i == nobody {
		return fault(NotAllocated, "Free", "address", address,
			"no allocated block starts there; must be an address that was allocated and not freed since")
	}
	if after := slots[i].after; slots[after].free {
		a.lists.leave(slots, after)
		a.blocks.absorb(i)
	}
	if before := slots[i].before; slots[before].free {
		a.lists.leave(slots, before)
		a.blocks.absorb(before)
		i = before
	}
	a.lists.join(slots, i)
	return nil
}

// A Block is a stretch of an allocator's range.
type Block struct {
	Address, Size int64 // bytes
	Free          bool
}

// Blocks is every block in address order: together they are the range, without gaps, and no two free ones touch. The
// allocator must not change while it is walked.
func (a *Allocator) Blocks() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		slots := a.blocks.slots
		for i := slots[nobody].after; i != nobody; i = slots[i].after {
			if !yield(Block{a.base + slots[i].start, slots[i].size, slots[i].free}) {
				return
			}
		}
	}
}
