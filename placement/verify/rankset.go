package verify

import "math/bits"

// rankSet is a set of the integers below a bound. A bit of level 0 is a member; a bit of a higher level says that a word of
// the level below is not zero, so that finding a neighbour touches two words a level.
type rankSet [][]uint64

func newRankSet(bound int) rankSet {
	var set rankSet
	for {
		words := bound/64 + 1
		set = append(set, make([]uint64, words))
		if words == 1 {
			return set
		}
		bound = words
	}
}

func (s rankSet) add(i int) {
	for _, level := range s {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s rankSet) remove(i int) {
	for _, level := range s {
		level[i/64] &^= 1 << (i % 64)
		if level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// next is the least member that is at least i, or -1.
func (s rankSet) next(i int) int {
	for height := 0; height < len(s) && i/64 < len(s[height]); height++ {
		if above := s[height][i/64] >> (i % 64); above != 0 {
			i += bits.TrailingZeros64(above)
			for height--; height >= 0; height-- {
				i = i*64 + bits.TrailingZeros64(s[height][i])
			}
			return i
		}
		i = i/64 + 1
	}
	return -1
}

// prev is the greatest member that is at most i, or -1.
func (s rankSet) prev(i int) int {
	for height := 0; height < len(s) && i >= 0; height++ {
		if below := s[height][i/64] << (63 - i%64); below != 0 {
			i -= bits.LeadingZeros64(below)
			for height--; height >= 0; height-- {
				i = i*64 + 63 - bits.LeadingZeros64(s[height][i])
			}
			return i
		}
		i = i/64 - 1
	}
	return -1
}
