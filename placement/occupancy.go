package placement

import (
	"math/bits"

	"libtolk_memory/placement/problem"
)

// occupancy is the bytes that are taken in each section. It is a binary tree over blocks of sections, up to nodes as wide as the
// longest run of sections there is:
//
//	level 2  +-------------------------------+-------------------------------+
//	level 1  |       part    |     whole     |      part     |               |
//	blocks   |       |  cut  |               | whole |  cut  |       |       |
//	                     |-------- run ----------------|
//
// A claim is noted in the few nodes that make up its run and in those above them. There it is one with those it touches, so that
// few are left where boxes stand close. Only in the blocks at the ends of the run, of which it has a part, is it kept as it is.
// What meets a run is found in the same nodes: below a node of the run lies what is within it, above it what goes across.
type occupancy struct {
	shift  int       // a block is 1<<shift sections
	levels []int32   // by level: its first node; the nodes of level 0 are the blocks
	within [][]claim // by node: the union of what is taken in any of its sections
	across [][]claim // by node: the union of the claims to all of its sections
	cuts   [][]claim // by block: the claims to some of its sections, in order of from
	run    cover
}

// cover is a run of sections as nodes of an occupancy.
type cover struct {
	first, end int32   // sections, half-open
	whole      []int32 // the greatest nodes that lie in it
	part       []int32 // nodes that it meets and that do not lie in it, the blocks first
	cut        int     // how many of these are blocks
}

// unionRoom is how many claims a union has memory for from the start.
const unionRoom = 16

// newOccupancy is that of the sections of a, which are free, for the lifetimes of its buffers.
func newOccupancy(a *problem.Analysis, shift int) *occupancy {
	longest := int32(0)
	for _, i := range a.ByFirst {
		longest = max(longest, a.To[i]-a.From[i])
	}
	levels := make([]int32, bits.Len32(uint32(longest>>shift|1)))
	blocks, nodes := (len(a.Loads)-1)>>shift+1, 0
	for level := range levels {
		levels[level] = int32(nodes)
		nodes += (blocks-1)>>level + 1
	}
	return &occupancy{
		shift: shift, levels: levels,
		within: emptySets(nodes, unionRoom), across: emptySets(nodes, unionRoom),
		cuts: emptySets(blocks, 2*len(a.ByFirst)/max(blocks, 1)), // no claim cuts through more than two blocks
		run:  cover{whole: make([]int32, 0, 2*len(levels)), part: make([]int32, 0, 2*len(levels))},
	}
}

// emptySets is sets with room for some claims each in memory that is allocated at once.
func emptySets(count, room int) [][]claim {
	sets, all := make([][]claim, count), make([]claim, count*room)
	for at := range sets {
		sets[at] = all[at*room : at*room : (at+1)*room]
	}
	return sets
}

// reset frees all bytes.
func (o *occupancy) reset() {
	for _, sets := range [][][]claim{o.within, o.across, o.cuts} {
		for at := range sets {
			sets[at] = sets[at][:0]
		}
	}
}

// turnTo makes [first, end) the run that take and appendSets are about. At each level it meets the nodes low to high, of which
// those from from to to-1 lie in it; one of these is the greatest if its sibling does not lie in it.
func (o *occupancy) turnTo(first, end int32) {
	r := &o.run
	r.first, r.end, r.whole, r.part = first, end, r.whole[:0], r.part[:0]
	low, high := first>>o.shift, (end-1)>>o.shift
	from, to := (first+1<<o.shift-1)>>o.shift, end>>o.shift
	for level, base := range o.levels {
		if low < from || low >= to {
			r.part = append(r.part, base+low)
		}
		if high > low && high >= to {
			r.part = append(r.part, base+high)
		}
		if level == 0 {
			r.cut = len(r.part)
		}
		if from < to && from&1 == 1 {
			r.whole = append(r.whole, base+from)
		}
		if from < to && to&1 == 1 {
			r.whole = append(r.whole, base+to-1)
		}
		low, high, from, to = low>>1, high>>1, (from+1)>>1, to>>1
	}
}

// take takes the bytes [from, to) in the run.
func (o *occupancy) take(from, to int64) {
	r, c := &o.run, everywhere(from, to)
	for _, node := range r.whole {
		o.within[node] = uniteClaim(o.within[node], c)
		o.across[node] = uniteClaim(o.across[node], c)
	}
	for _, node := range r.part {
		o.within[node] = uniteClaim(o.within[node], c)
	}
	for _, block := range r.part[:r.cut] {
		o.cuts[block] = insertClaim(o.cuts[block], claim{from, to, r.first, r.end})
	}
}

// appendSets appends the sets that hold all claims which meet the run. Those of a block may hold others.
func (o *occupancy) appendSets(sets [][]claim) [][]claim {
	for _, node := range o.run.whole {
		sets = appendFilled(sets, o.within[node])
	}
	for _, node := range o.run.part {
		sets = appendFilled(sets, o.across[node])
	}
	for _, block := range o.run.part[:o.run.cut] {
		sets = appendFilled(sets, o.cuts[block])
	}
	return sets
}

func appendFilled(sets [][]claim, set []claim) [][]claim {
	if len(set) == 0 {
		return sets
	}
	return append(sets, set)
}
