package placement

import "math"

// slack is, by section, the bytes that a plan of some capacity can still leave unused: the capacity less the height reached and
// less what is still to be placed there. Sections are kept in blocks, and above the blocks is a binary tree of minima; what is
// added to all sections below a node is kept at the node, and included in its minimum.
type slack struct {
	sections []int64 // without what is added at nodes
	nodes    []slackNode
	width    int // blocks, a power of two: block b is node width+b
}

type slackNode struct {
	least int64 // over the sections below, without what is added above
	added int64
}

const (
	// unlimited is the slack of what comes after the last section.
	unlimited = math.MaxInt64 / 2

	blockBits = 4 // a block is as many sections as a few cache lines hold: quicker to walk through than a tree
	blockSize = 1 << blockBits
)

func newSlack(sections int) *slack {
	s := &slack{width: 1}
	for s.width*blockSize < sections {
		s.width *= 2
	}
	s.sections = make([]int64, s.width*blockSize)
	s.nodes = make([]slackNode, 2*s.width)
	return s
}

// reset sets the slack to what it is before anything is placed.
func (s *slack) reset(loads []int64, capacity int64) {
	for at, load := range loads {
		s.sections[at] = capacity - load
	}
	for at := len(loads); at < len(s.sections); at++ {
		s.sections[at] = unlimited
	}
	clear(s.nodes)
	for node := 2*s.width - 1; node > 0; node-- {
		s.refresh(node)
	}
}

// least is the least slack of all sections.
func (s *slack) least() int64 {
	return s.nodes[1].least
}

// lower takes bytes from each of the sections [from, to), which must not be empty.
func (s *slack) lower(from, to int32, bytes int64) {
	if bytes == 0 {
		return
	}
	left, right := s.blockOf(from), s.blockOf(to-1)
	if left == right {
		s.lowerSections(left, from, to, bytes)
	} else {
		s.lowerSections(left, from, s.end(left), bytes)
		s.lowerSections(right, s.start(right), to, bytes)
	}
	for left/2 != right/2 {
		if left%2 == 0 {
			s.lowerNode(left+1, bytes)
		}
		if right%2 == 1 {
			s.lowerNode(right-1, bytes)
		}
		left, right = left/2, right/2
		s.refresh(left)
		s.refresh(right)
	}
	for node := left / 2; node > 0 && s.refresh(node); node /= 2 {
	}
}

// lowerSections takes bytes from sections of one block.
func (s *slack) lowerSections(block int, from, to int32, bytes int64) {
	for at := from; at < to; at++ {
		s.sections[at] -= bytes
	}
	s.refresh(block)
}

func (s *slack) lowerNode(node int, bytes int64) {
	s.nodes[node].least -= bytes
	s.nodes[node].added -= bytes
}

// refresh recomputes the minimum of a node. It is whether that changed.
func (s *slack) refresh(node int) bool {
	n := &s.nodes[node]
	before := n.least
	if node < s.width {
		n.least = min(s.nodes[2*node].least, s.nodes[2*node+1].least) + n.added
	} else {
		n.least = s.leastSection(s.start(node), s.end(node)) + n.added
	}
	return n.least != before
}

// leastIn is the least slack of the sections [from, to), which must not be empty.
func (s *slack) leastIn(from, to int32) int64 {
	left, right := s.blockOf(from), s.blockOf(to-1)
	if left == right {
		return s.leastSection(from, to) + s.nodes[left].added + s.addedAbove(left)
	}
	leftLeast := s.leastSection(from, s.end(left)) + s.nodes[left].added
	rightLeast := s.leastSection(s.start(right), to) + s.nodes[right].added
	for left/2 != right/2 {
		if left%2 == 0 {
			leftLeast = min(leftLeast, s.nodes[left+1].least)
		}
		if right%2 == 1 {
			rightLeast = min(rightLeast, s.nodes[right-1].least)
		}
		left, right = left/2, right/2
		leftLeast += s.nodes[left].added
		rightLeast += s.nodes[right].added
	}
	return min(leftLeast, rightLeast) + s.addedAbove(left)
}

// leastSection is the least slack of the sections [from, to) of a block, without what is added at nodes.
func (s *slack) leastSection(from, to int32) int64 {
	least := s.sections[from]
	for _, bytes := range s.sections[from+1 : to] {
		least = min(least, bytes)
	}
	return least
}

// tightest is the first of the sections [from, to) whose slack is least, which is given: see leastIn.
func (s *slack) tightest(from, to int32, least int64) int32 {
	for block := s.blockOf(from); ; block = s.nextAtMost(block, least) {
		inBlock := least - s.nodes[block].added - s.addedAbove(block)
		for at, end := max(from, s.start(block)), min(to, s.end(block)); at < end; at++ {
			if s.sections[at] == inBlock {
				return at
			}
		}
	}
}

// nextAtMost is the first block behind another that has a section of at most so much slack; there must be one.
func (s *slack) nextAtMost(node int, most int64) int {
	above := s.addedAbove(node)
	for node%2 == 1 || s.nodes[node+1].least+above > most {
		node /= 2
		above -= s.nodes[node].added
	}
	for node++; node < s.width; {
		above += s.nodes[node].added
		if node *= 2; s.nodes[node].least+above > most {
			node++
		}
	}
	return node
}

// addedAbove is what is added at the nodes above one.
func (s *slack) addedAbove(node int) int64 {
	added := int64(0)
	for node /= 2; node > 0; node /= 2 {
		added += s.nodes[node].added
	}
	return added
}

// blockOf is the node of a section's block, whose sections are [start, end).
func (s *slack) blockOf(section int32) int { return int(section)>>blockBits + s.width }
func (s *slack) start(block int) int32     { return int32(block-s.width) << blockBits }
func (s *slack) end(block int) int32       { return s.start(block) + blockSize }
