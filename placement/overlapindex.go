package placement

import "libtolk_memory/placement/problem"

// overlapIndex is a set of buffers that tells which of them live with a given one. It is a binary tree over the buffers in
// order of first section; a node holds the latest end among the members below it.
type overlapIndex struct {
	*problem.Analysis
	leaf   []int32 // by buffer: its place in ByFirst
	before []int32 // by section s: how many buffers start before s
	width  int     // leaves, a power of two
	latest []int32 // by node: 0 if there is no member below
}

func newOverlapIndex(a *problem.Analysis) *overlapIndex {
	x := &overlapIndex{Analysis: a, leaf: make([]int32, len(a.Needs)), before: make([]int32, len(a.Loads)+1), width: 1}
	for at, i := range a.ByFirst {
		x.leaf[i] = int32(at)
		x.before[a.From[i]+1]++
	}
	for s := range a.Loads {
		x.before[s+1] += x.before[s]
	}
	for x.width < len(a.ByFirst) {
		x.width *= 2
	}
	x.latest = make([]int32, 2*x.width)
	return x
}

func (x *overlapIndex) add(i int32) {
	for node := x.width + int(x.leaf[i]); node > 0 && x.latest[node] < x.To[i]; node /= 2 {
		x.latest[node] = x.To[i]
	}
}

// visitSections calls f for each member that lives in one of the sections [from, to), in order of first entry.
func (x *overlapIndex) visitSections(from, to int32, f func(int32)) {
	x.visitNode(1, 0, x.width, int(x.before[to]), from, f)
}

// visitNode calls f for the members below the node, whose leaves are [from, to), that are among the first limit leaves and live
// beyond section after. Its depth is the logarithm of the number of buffers.
func (x *overlapIndex) visitNode(node, from, to, limit int, after int32, f func(int32)) {
	if from >= limit || x.latest[node] <= after {
		return
	}
	if node >= x.width {
		f(x.ByFirst[from])
		return
	}
	middle := (from + to) / 2
	x.visitNode(2*node, from, middle, limit, after, f)
	x.visitNode(2*node+1, middle, to, limit, after, f)
}
