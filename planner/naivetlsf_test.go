package planner_test

import (
	"math/bits"
	"slices"
)

// naiveTLSF is the allocator as docs/semantics.md reads, with a block size of 256 and 32 lists, over slices that are searched.
type naiveTLSF struct {
	blocks []naiveBlock       // in order of address
	lists  map[[2]int][]int64 // addresses of free blocks, in the order in which they joined
}

type naiveBlock struct {
	at, size int64
	free     bool
}

const countBits = 6 // the bit length of 32

func newNaiveTLSF(size int64) *naiveTLSF {
	a := &naiveTLSF{lists: map[[2]int][]int64{}}
	a.blocks = []naiveBlock{{0, size, true}}
	a.join(a.blocks[0])
	return a
}

func listOf(size int64) [2]int {
	length := bits.Len64(uint64(size))
	return [2]int{length, int((size - 1<<(length-1)) >> max(0, length-countBits))}
}

func (a *naiveTLSF) join(b naiveBlock) {
	a.lists[listOf(b.size)] = append(a.lists[listOf(b.size)], b.at)
}

func (a *naiveTLSF) leave(b naiveBlock) {
	list := listOf(b.size)
	a.lists[list] = slices.DeleteFunc(a.lists[list], func(at int64) bool { return at == b.at })
}

func (a *naiveTLSF) index(at int64) int {
	return slices.IndexFunc(a.blocks, func(b naiveBlock) bool { return b.at == at })
}

func (a *naiveTLSF) alloc(n int64) int64 {
	request := max(n, 256)
	if length := bits.Len64(uint64(request)); length > countBits {
		step := int64(1) << (length - countBits)
		request = (request + step - 1) / step * step
	}
	i := a.index(a.find(listOf(request)))
	b := a.blocks[i]
	a.leave(b)
	a.blocks[i] = naiveBlock{b.at, n, false}
	if b.size > n {
		rest := naiveBlock{b.at + n, b.size - n, true}
		a.blocks = slices.Insert(a.blocks, i+1, rest)
		a.join(rest)
	}
	return b.at
}

// find is the block that joined the first list from the given one upward first.
func (a *naiveTLSF) find(list [2]int) int64 {
	for ; list[0] < 64; list = [2]int{list[0] + 1, 0} {
		for ; list[1] < 64; list[1]++ {
			if waiting := a.lists[list]; len(waiting) > 0 {
				return waiting[0]
			}
		}
	}
	panic("no room")
}

func (a *naiveTLSF) release(at int64) {
	i := a.index(at)
	merged := naiveBlock{at, a.blocks[i].size, true}
	from, to := i, i+1
	if i > 0 && a.blocks[i-1].free {
		from--
		a.leave(a.blocks[from])
		merged.at, merged.size = a.blocks[from].at, merged.size+a.blocks[from].size
	}
	if to < len(a.blocks) && a.blocks[to].free {
		a.leave(a.blocks[to])
		merged.size += a.blocks[to].size
		to++
	}
	a.blocks = slices.Replace(a.blocks, from, to, merged)
	a.join(merged)
}
