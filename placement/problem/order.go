package problem

import (
	"math/bits"
	"slices"
)

const (
	digitBits  = 11 // of many keys are sorted in a pass: a histogram of 2048 counts stays in the first-level cache
	fewBits    = 8  // of few keys, to which the histogram costs more than the keys
	fewUpTo    = 4096
	wordBits   = 32  // of a key are sorted by at a time, to move few bytes
	stackRoom  = 256 // keys that are sorted on the stack
	insertUpTo = 32  // keys are sorted by insertion: a histogram costs more
)

// keyed is an index and a word of its key.
type keyed struct {
	word  uint32
	index int32
}

// Sorter sorts indices by keys. Its zero value is ready; sorts that use the same one share its memory.
type Sorter struct {
	items, spare []keyed
}

// Sort sorts indices by ascending keys[index] and keeps the order of those with equal keys. Its cost is linear for keys that
// span a small range: a pass for each 8 or 11 bits of the range, none if they are in order.
func (s *Sorter) Sort(indices []int32, keys []int64) {
	n := len(indices)
	if n < insertUpTo {
		insert(indices, keys)
		return
	}
	r := keyRange(indices, keys)
	switch {
	case r.sorted:
	case n <= stackRoom:
		var room [2][stackRoom]keyed
		sortWords(room[0][:n], room[1][:n], indices, keys, r)
	default:
		s.items, s.spare = slices.Grow(s.items[:0], n)[:n], slices.Grow(s.spare[:0], n)[:n]
		sortWords(s.items, s.spare, indices, keys, r)
	}
}

// insert is a sort by insertion.
func insert(indices []int32, keys []int64) {
	for at := 1; at < len(indices); at++ {
		moved := indices[at]
		to := at
		for ; to > 0 && keys[indices[to-1]] > keys[moved]; to-- {
			indices[to] = indices[to-1]
		}
		indices[to] = moved
	}
}

// sortWords sorts indices by their keys, a word at a time. It has memory for as many items and as many again.
func sortWords(items, spare []keyed, indices []int32, keys []int64, r rangeOfKeys) {
	pass := digitBits
	if len(indices) <= fewUpTo {
		pass = fewBits
	}
	for shift := r.equalBits; shift < bits.Len64(r.span); shift += wordBits {
		for at, i := range indices {
			items[at] = keyed{uint32((uint64(keys[i]) - r.least) >> shift), i}
		}
		for digit := 0; digit < min(bits.Len64(r.span>>shift), wordBits); digit += pass {
			scatter(spare, items, digit, pass)
			items, spare = spare, items
		}
		for at := range items {
			indices[at] = items[at].index
		}
	}
}

// rangeOfKeys is what keys lie in. It counts in wrapping 64-bit arithmetic: the distance of two int64 fits 64 bits without a sign.
type rangeOfKeys struct {
	least, span uint64 // the least key and the distance from it to the greatest
	equalBits   int    // how many of the lowest bits all keys have in common
	sorted      bool   // whether they ascend already
}

func keyRange(indices []int32, keys []int64) rangeOfKeys {
	low, high := keys[indices[0]], keys[indices[0]]
	last, different, sorted := low, int64(0), true
	for _, i := range indices {
		key := keys[i]
		low, high = min(low, key), max(high, key)
		different |= key ^ last
		sorted = sorted && key >= last
		last = key
	}
	return rangeOfKeys{uint64(low), uint64(high) - uint64(low), bits.TrailingZeros64(uint64(different)), sorted}
}

// scatter is one pass of a radix sort from the least digit: from, stably sorted by the width bits at shift, to to.
func scatter(to, from []keyed, shift, width int) {
	if width == fewBits {
		scatterBy(new([1 << fewBits]int32)[:], to, from, shift)
	} else {
		scatterBy(new([1 << digitBits]int32)[:], to, from, shift)
	}
}

// scatterBy is scatter with a histogram, of zeros, of as many digits as there are.
func scatterBy(next []int32, to, from []keyed, shift int) {
	mask := uint32(len(next) - 1)
	for i := range from {
		next[from[i].word>>shift&mask]++
	}
	sum := int32(0)
	for digit, count := range next {
		next[digit] = sum
		sum += count
	}
	for i := range from {
		digit := from[i].word >> shift & mask
		at := next[digit]
		next[digit]++
		to[at] = from[i]
	}
}
