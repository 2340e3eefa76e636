package placement

import "math"

// pockets finds the best ranked box that is low enough to stand in the pocket under a fixed box. It is a binary tree like that of
// candidates; a node knows the least need, end and rank of the boxes to be placed below it.
type pockets struct {
	boxes *boxes
	width int // leaves, a power of two
	nodes []pocketNode
}

type pocketNode struct {
	need int64
	end  int32
	rank int32
}

// emptyPocket is what a node without boxes knows.
var emptyPocket = pocketNode{math.MaxInt64, math.MaxInt32, math.MaxInt32}

func newPockets(b *boxes) *pockets {
	p := &pockets{boxes: b, width: 1}
	for p.width < len(b.all) {
		p.width *= 2
	}
	p.nodes = make([]pocketNode, 2*p.width)
	return p
}

// reset takes in all movable boxes.
func (p *pockets) reset(ranks []int32) {
	for at := range p.width {
		leaf := emptyPocket
		if at < len(p.boxes.all) && p.boxes.all[at].fixed == movable {
			leaf = pocketNode{p.boxes.all[at].need, p.boxes.all[at].to, ranks[at]}
		}
		p.nodes[p.width+at] = leaf
	}
	for node := p.width - 1; node > 0; node-- {
		p.refresh(node)
	}
}

func (p *pockets) refresh(node int) {
	left, right := &p.nodes[2*node], &p.nodes[2*node+1]
	p.nodes[node] = pocketNode{min(left.need, right.need), min(left.end, right.end), min(left.rank, right.rank)}
}

func (p *pockets) remove(box int32) {
	node := p.width + int(box)
	p.nodes[node] = emptyPocket
	for node /= 2; node > 0; node /= 2 {
		p.refresh(node)
	}
}

// within is the best ranked box whose sections lie in [from, to) and that needs at most room bytes, or none.
func (p *pockets) within(from, to int32, room int64) int32 {
	q := pocketSearch{pockets: p, low: int(p.boxes.first[from]), high: int(p.boxes.first[to]), room: room, end: to,
		best: none, bestRank: math.MaxInt32}
	q.visit(1, 0, p.width)
	return q.best
}

type pocketSearch struct {
	*pockets
	low, high int // leaves, half-open
	room      int64
	end       int32
	best      int32
	bestRank  int32
}

// visit looks at the boxes below a node, whose leaves are [from, to). Its depth is the logarithm of the number of boxes.
func (q *pocketSearch) visit(node, from, to int) {
	n := &q.nodes[node]
	if to <= q.low || q.high <= from || n.need > q.room || n.end > q.end || n.rank >= q.bestRank {
		return
	}
	if node >= q.width {
		q.best, q.bestRank = int32(from), n.rank
		return
	}
	middle := (from + to) / 2
	q.visit(2*node, from, middle)
	q.visit(2*node+1, middle, to)
}
