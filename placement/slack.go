package placement

import "math"

// slack is, by section, the bytes that a plan of some capacity can still leave unused: the capacity less the height reached and
// less what is still to be placed there. It is a binary tree of minima; what is added to all leaves below a node is kept at
// the node, and included in its minimum.
type slack struct {
	nodes []slackNode
	width int // leaves, a power of two
}

type slackNode struct {
	least int64 // over the leaves below, without what is added above
	added int64
}

// unlimited is the slack of a leaf beyond the last section.
const unlimited = math.MaxInt64 / 2

func newSlack(sections int) *slack {
	s := &slack{width: 1}
	for s.width < sections {
		s.width *= 2
	}
	s.nodes = make([]slackNode, 2*s.width)
	return s
}

// reset sets the slack to what it is before anything is placed.
func (s *slack) reset(loads []int64, capacity int64) {
	for at := range s.width {
		s.nodes[s.width+at] = slackNode{least: unlimited}
		if at < len(loads) {
			s.nodes[s.width+at].least = capacity - loads[at]
		}
	}
	for node := s.width - 1; node > 0; node-- {
		s.nodes[node] = slackNode{least: min(s.nodes[2*node].least, s.nodes[2*node+1].least)}
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
	left, right := int(from)+s.width, int(to)+s.width-1
	s.lowerNode(left, bytes)
	if left != right {
		s.lowerNode(right, bytes)
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

func (s *slack) lowerNode(node int, bytes int64) {
	s.nodes[node].least -= bytes
	s.nodes[node].added -= bytes
}

// refresh recomputes the minimum of a node. It is whether that changed.
func (s *slack) refresh(node int) bool {
	n := &s.nodes[node]
	before := n.least
	n.least = min(s.nodes[2*node].least, s.nodes[2*node+1].least) + n.added
	return n.least != before
}

// leastIn is the least slack of the sections [from, to), which must not be empty, and a section that has it.
func (s *slack) leastIn(from, to int32) (section int32, bytes int64) {
	left, right := int(from)+s.width, int(to)+s.width-1
	leftNode, leftLeast := left, s.nodes[left].least
	rightNode, rightLeast := right, s.nodes[right].least
	for left/2 != right/2 {
		if left%2 == 0 && s.nodes[left+1].least < leftLeast {
			leftNode, leftLeast = left+1, s.nodes[left+1].least
		}
		if right%2 == 1 && s.nodes[right-1].least < rightLeast {
			rightNode, rightLeast = right-1, s.nodes[right-1].least
		}
		left, right = left/2, right/2
		leftLeast += s.nodes[left].added
		rightLeast += s.nodes[right].added
	}
	node, least := leftNode, leftLeast
	if rightLeast < least {
		node, least = rightNode, rightLeast
	}
	for above := left / 2; above > 0; above /= 2 {
		least += s.nodes[above].added
	}
	return s.leafBelow(node), least
}

// leafBelow is the first section below a node that has its minimum.
func (s *slack) leafBelow(node int) int32 {
	for node < s.width {
		if least := s.nodes[node].least - s.nodes[node].added; s.nodes[2*node].least == least {
			node = 2 * node
		} else {
			node = 2*node + 1
		}
	}
	return int32(node - s.width)
}
