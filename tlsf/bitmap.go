package tlsf

import "math/bits"

// A bitmap is a set of small integers in which the next member is found without a search. Level 0 has a bit for each
// integer; each level above has a bit for each word below that is not zero; the top level is one word. Two levels hold
// 4096 integers, three 262144.
type bitmap [][]uint64

// newBitmap is the empty set of integers in [0, n).
func newBitmap(n int) bitmap {
	n = (n + 63) / 64
	b := bitmap{make([]uint64, n)}
	for n > 1 {
		n = (n + 63) / 64
		b = append(b, make([]uint64, n))
	}
	return b
}

func (b bitmap) add(i int) {
	for _, words := range b {
		words[i>>6] |= 1 << (i & 63)
		i >>= 6
	}
}

func (b bitmap) remove(i int) {
	for _, words := range b {
		words[i>>6] &^= 1 << (i & 63)
		if words[i>>6] != 0 {
			return
		}
		i >>= 6
	}
}

func (b bitmap) has(level, i int) bool {
	return b[level][i>>6]>>(i&63)&1 == 1
}

// next is the least member that is i or more, or -1. It climbs until a word has a bit at or after its place, then
// descends to the first integer under that bit.
func (b bitmap) next(i int) int {
	for level, words := range b {
		if i>>6 >= len(words) {
			return -1
		}
		if rest := words[i>>6] >> (i & 63); rest != 0 {
			return b.first(level, i+bits.TrailingZeros64(rest))
		}
		i = i>>6 + 1
	}
	return -1
}

// first is the least member under bit i of a level.
func (b bitmap) first(level, i int) int {
	for ; level > 0; level-- {
		i = i<<6 + bits.TrailingZeros64(b[level-1][i])
	}
	return i
}
