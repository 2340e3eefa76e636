package placement

import "math"

// candidates is the boxes that are still to be placed, and finds the best ranked of those that lie in a window of sections.
//
// It is a binary tree over the boxes in order of first section. A node knows the least end and the best rank below it, so
// that a search passes over nodes whose boxes all reach out of the window or rank behind what is found.
type candidates struct {
	boxes *boxes
	ranks []int32 // by box, the best first: a permutation
	nodes []candidateNode
	width int // leaves, a power of two

	// The search that is under way:
	end      int32 // the window's
	beyond   int32 // boxes must end after this section
	bestRank int32
	best     int32 // box, or none
	visits   int
}

// mostVisits is how many nodes a search looks at before it takes the best box so far. A search for a box that lies within a
// window follows nodes that have one below, and so finds its first in a few times as many visits as the tree is high: it
// never ends with none while there is one.
const mostVisits = 1024

// scanUpTo is how many boxes are sooner looked at one by one than searched for in the tree.
const scanUpTo = 32

type candidateNode struct {
	leastEnd int32
	bestRank int32
	lastEnd  int32
}

const none = -1

// nobody is what a node without boxes knows.
var nobody = candidateNode{leastEnd: math.MaxInt32, bestRank: math.MaxInt32, lastEnd: -1}

func newCandidates(b *boxes) *candidates {
	c := &candidates{boxes: b, width: 1}
	for c.width < len(b.all) {
		c.width *= 2
	}
	c.nodes = make([]candidateNode, 2*c.width)
	return c
}

// reset makes every movable box a candidate, ranked by ranks.
func (c *candidates) reset(ranks []int32) {
	c.ranks = ranks
	for at := range c.width {
		leaf := nobody
		if at < len(c.boxes.all) && c.boxes.all[at].fixed == movable {
			leaf = c.leaf(int32(at))
		}
		c.nodes[c.width+at] = leaf
	}
	for node := c.width - 1; node > 0; node-- {
		c.nodes[node] = join(&c.nodes[2*node], &c.nodes[2*node+1])
	}
}

// remove makes a box no candidate.
func (c *candidates) remove(box int32) {
	c.setLeaf(box, nobody)
}

// restore makes a removed box a candidate again.
func (c *candidates) restore(box int32) {
	c.setLeaf(box, c.leaf(box))
}

// leaf is the node of a candidate.
func (c *candidates) leaf(box int32) candidateNode {
	end := c.boxes.all[box].to
	return candidateNode{leastEnd: end, bestRank: c.ranks[box], lastEnd: end}
}

func (c *candidates) setLeaf(box int32, leaf candidateNode) {
	node := c.width + int(box)
	c.nodes[node] = leaf
	for node > 1 {
		node /= 2
		joined := join(&c.nodes[2*node], &c.nodes[2*node+1])
		if c.nodes[node] == joined {
			return
		}
		c.nodes[node] = joined
	}
}

// join is what a node knows that has these two below it.
func join(left, right *candidateNode) candidateNode {
	return candidateNode{
		leastEnd: min(left.leastEnd, right.leastEnd),
		bestRank: min(left.bestRank, right.bestRank),
		lastEnd:  max(left.lastEnd, right.lastEnd),
	}
}

// within is the best ranked candidate whose sections lie in [from, to), or none. Of very many it may be one ranked behind.
func (c *candidates) within(from, to int32) int32 {
	return c.search(from, to, to, from)
}

// covering is the best ranked candidate whose sections lie in [from, to) and that lives in section at, or none.
func (c *candidates) covering(from, to, at int32) int32 {
	return c.search(from, at+1, to, at)
}

// search is the best ranked candidate that starts in [from, before), ends at end at the latest and after beyond.
func (c *candidates) search(from, before, end, beyond int32) int32 {
	low, high := int(c.boxes.first[from])+c.width, int(c.boxes.first[before])+c.width
	if high-low <= scanUpTo {
		if at := scan(c.nodes[low:high], end, beyond); at != none {
			return int32(low-c.width) + at
		}
		return none
	}
	c.end, c.beyond, c.bestRank, c.best, c.visits = end, beyond, math.MaxInt32, none, 0
	for ; low < high; low, high = low/2, high/2 {
		if low%2 == 1 {
			c.searchBelow(low)
			low++
		}
		if high%2 == 1 {
			high--
			c.searchBelow(high)
		}
	}
	return c.best
}

// scan is which of some leaves is that of the best ranked candidate that ends at end at the latest and after beyond, or none. A
// processor cannot foretell which leaves are candidates: no branch depends on it.
func scan(leaves []candidateNode, end, beyond int32) int32 {
	best := int64(math.MaxInt32) << 32 // its rank, then its place among the leaves
	for at := range leaves {
		leaf := &leaves[at]
		rank := leaf.bestRank
		if leaf.leastEnd > end {
			rank = math.MaxInt32
		}
		if leaf.lastEnd <= beyond {
			rank = math.MaxInt32
		}
		best = min(best, int64(rank)<<32|int64(at))
	}
	if best>>32 == math.MaxInt32 {
		return none
	}
	return int32(best)
}

// searchBelow looks at the leaves below a node that can still win, the child with the better rank first.
func (c *candidates) searchBelow(node int) {
	n := &c.nodes[node]
	c.visits++
	if n.leastEnd > c.end || n.bestRank >= c.bestRank || n.lastEnd <= c.beyond || c.visits > mostVisits {
		return
	}
	if node >= c.width {
		c.bestRank, c.best = n.bestRank, int32(node-c.width)
		return
	}
	near, far := 2*node, 2*node+1
	if c.nodes[far].bestRank < c.nodes[near].bestRank {
		near, far = far, near
	}
	c.searchBelow(near)
	c.searchBelow(far)
}
