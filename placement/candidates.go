package placement

import "math"

// candidates is the boxes that are still to be placed, and finds the best ranked of those that lie in a window of sections.
//
// They are kept in order of first section, in blocks, and above the blocks is a binary tree. A node knows the ends and the best rank
// below it, so that a search passes over nodes whose boxes all reach out of the window or rank behind what is found.
type candidates struct {
	boxes  *boxes
	ranks  []int32         // by box, the best first: a permutation
	leaves []candidateLeaf // by box, whole blocks of them
	nodes  []candidateNode
	width  int // blocks, a power of two: block b is node width+b

	// The search that is under way:
	end    int32 // the window's
	beyond int32 // boxes must end after this section
	best   int64 // the rank of the best box so far, then its number: see scan
	visits int
}

const (
	candidateBits  = 4 // a block is as many boxes as are sooner looked at one by one than by way of a tree
	candidateBlock = 1 << candidateBits
	scanUpTo       = 48 // boxes that are looked at one by one wherever they lie

	// mostVisits is how many nodes a search looks at before it takes the best box so far. A search for a box that lies within a
	// window follows nodes that have one below, and so finds its first in a few times as many visits as the tree is high: it
	// never ends with none while there is one.
	mostVisits = 1024
)

// candidateLeaf is a box; one that is placed has a rank behind all.
type candidateLeaf struct {
	end  int32
	rank int32
}

type candidateNode struct {
	leastEnd int32
	lastEnd  int32
	bestRank int32
}

const (
	none     = -1
	unranked = math.MaxInt32
	noBest   = unranked << 32
)

// nobody is what a node without boxes knows.
var nobody = candidateNode{leastEnd: math.MaxInt32, lastEnd: -1, bestRank: unranked}

func newCandidates(b *boxes) *candidates {
	blocks := (len(b.all) + candidateBlock - 1) >> candidateBits
	c := &candidates{boxes: b, width: 1, leaves: make([]candidateLeaf, blocks*candidateBlock)}
	for c.width < blocks {
		c.width *= 2
	}
	c.nodes = make([]candidateNode, 2*c.width)
	return c
}

// reset makes every movable box a candidate, ranked by ranks.
func (c *candidates) reset(ranks []int32) {
	c.ranks = ranks
	for at := range c.leaves {
		leaf := candidateLeaf{rank: unranked}
		if at < len(c.boxes.all) && c.boxes.all[at].fixed == movable {
			leaf = candidateLeaf{c.boxes.all[at].to, ranks[at]}
		}
		c.leaves[at] = leaf
	}
	for block := range c.width {
		c.nodes[c.width+block] = nobody
		if block<<candidateBits < len(c.leaves) {
			c.nodes[c.width+block] = joinBlock(c.block(block))
		}
	}
	for node := c.width - 1; node > 0; node-- {
		c.nodes[node] = join(&c.nodes[2*node], &c.nodes[2*node+1])
	}
}

// remove makes a box no candidate.
func (c *candidates) remove(box int32) {
	leaf, block := c.leaves[box], int(box)>>candidateBits
	c.leaves[box].rank = unranked
	node := c.width + block
	if n := &c.nodes[node]; leaf.rank != n.bestRank && leaf.end != n.leastEnd && leaf.end != n.lastEnd {
		return
	}
	joined := joinBlock(c.block(block))
	for c.nodes[node] != joined {
		c.nodes[node] = joined
		if node /= 2; node == 0 {
			return
		}
		joined = join(&c.nodes[2*node], &c.nodes[2*node+1])
	}
}

// restore makes a removed box a candidate again.
func (c *candidates) restore(box int32) {
	leaf := &c.leaves[box]
	leaf.rank = c.ranks[box]
	added := candidateNode{leaf.end, leaf.end, leaf.rank}
	for node := c.width + int(box)>>candidateBits; node > 0; node /= 2 {
		joined := join(&c.nodes[node], &added)
		if c.nodes[node] == joined {
			return
		}
		c.nodes[node] = joined
	}
}

func (c *candidates) block(at int) *[candidateBlock]candidateLeaf {
	return (*[candidateBlock]candidateLeaf)(c.leaves[at<<candidateBits:])
}

// joinBlock is what the node of a block knows.
func joinBlock(block *[candidateBlock]candidateLeaf) candidateNode {
	joined := nobody
	for at := range block {
		leaf := &block[at]
		least, last := leaf.end, leaf.end
		if leaf.rank == unranked {
			least, last = math.MaxInt32, -1
		}
		joined = candidateNode{min(joined.leastEnd, least), max(joined.lastEnd, last), min(joined.bestRank, leaf.rank)}
	}
	return joined
}

// join is what a node knows that has these two below it.
func join(left, right *candidateNode) candidateNode {
	return candidateNode{
		leastEnd: min(left.leastEnd, right.leastEnd),
		lastEnd:  max(left.lastEnd, right.lastEnd),
		bestRank: min(left.bestRank, right.bestRank),
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

// search is the best ranked candidate that starts in [from, before), ends at end at the latest and after beyond, which is before end.
func (c *candidates) search(from, before, end, beyond int32) int32 {
	low, high := int(c.boxes.first[from]), int(c.boxes.first[before])
	c.end, c.beyond, c.best = end, beyond, noBest
	if high-low <= scanUpTo {
		c.scan(low, high)
	} else {
		c.searchBlocks(low, high)
	}
	if c.best == noBest {
		return none
	}
	return int32(c.best)
}

// searchBlocks looks at the boxes [low, high): at those of blocks that are not whole one by one, and then at the others by the tree.
func (c *candidates) searchBlocks(low, high int) {
	left, right := (low+candidateBlock-1)>>candidateBits, high>>candidateBits
	c.scan(low, left<<candidateBits)
	c.scan(right<<candidateBits, high)
	c.visits = 0
	for left, right = left+c.width, right+c.width; left < right; left, right = left/2, right/2 {
		if left%2 == 1 {
			c.searchBelow(left)
			left++
		}
		if right%2 == 1 {
			right--
			c.searchBelow(right)
		}
	}
}

// scan looks at the boxes [low, high) one by one. A processor cannot foretell which of them are candidates: no branch depends on it.
func (c *candidates) scan(low, high int) {
	best, beyond, window := c.best, c.beyond+1, uint32(c.end-c.beyond)
	for at, leaf := range c.leaves[low:high] {
		rank := leaf.rank
		if uint32(leaf.end-beyond) >= window {
			rank = unranked
		}
		best = min(best, int64(rank)<<32|int64(low+at))
	}
	c.best = best
}

// searchBelow looks at the boxes below a node that can still win, the child with the better rank first.
func (c *candidates) searchBelow(node int) {
	n := &c.nodes[node]
	c.visits++
	if n.leastEnd > c.end || n.lastEnd <= c.beyond || int64(n.bestRank)<<32 >= c.best || c.visits > mostVisits {
		return
	}
	if node >= c.width {
		low := (node - c.width) << candidateBits
		c.scan(low, low+candidateBlock)
		return
	}
	near, far := 2*node, 2*node+1
	if c.nodes[far].bestRank < c.nodes[near].bestRank {
		near, far = far, near
	}
	c.searchBelow(near)
	c.searchBelow(far)
}
