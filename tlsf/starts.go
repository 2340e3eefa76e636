package tlsf

import "math/bits"

// starts finds allocated blocks by where they start. It is a hash table: the blocks of a bucket are chained through next,
// of which a block outside the lists has no other use.
type starts struct {
	buckets []int // first block of each; a power of two of them
	count   int
}

func newStarts() starts {
	return starts{buckets: make([]int, 8)}
}

// bucket mixes a start twice. One product with an odd number would spread most starts as well, and at some even distances
// (the Fibonacci numbers, with the golden ratio that is usual) put them all in one bucket.
func (s *starts) bucket(start int64) *int {
	const multiplier = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	x := uint64(start) * multiplier
	x = (x ^ x>>32) * multiplier
	return &s.buckets[x>>(64-bits.Len(uint(len(s.buckets)-1)))]
}

// link is where the slot of the block with a start is written, or would be: nobody is written there if there is none.
func (s *starts) link(slots []block, start int64) *int {
	link := s.bucket(start)
	for *link != nobody && slots[*link].start != start {
		link = &slots[*link].next
	}
	return link
}

// add makes a block one that take finds.
func (s *starts) add(slots []block, i int) {
	if s.count == len(s.buckets) {
		s.grow(slots)
	}
	s.count++
	s.chain(slots, i)
}

func (s *starts) chain(slots []block, i int) {
	first := s.bucket(slots[i].start)
	slots[i].next = *first
	*first = i
}

// take removes the block with a start and is its slot, or nobody if there is none.
func (s *starts) take(slots []block, start int64) int {
	link := s.link(slots, start)
	i := *link
	if i != nobody {
		*link = slots[i].next
		s.count--
	}
	return i
}

// grow doubles the buckets, so that they hold at most one block on average.
func (s *starts) grow(slots []block) {
	old := s.buckets
	s.buckets = make([]int, 2*len(old))
	for _, i := range old {
		for i != nobody {
			next := slots[i].next
			s.chain(slots, i)
			i = next
		}
	}
}
