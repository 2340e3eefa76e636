package verify

import (
	"slices"

	"libtolk_memory/placement/problem"
)

// overlaps looks at the buffers in order of first entry and keeps those that may still live in order of offset, where one
// that shares bytes with a new one is a neighbour. Buffers whose end has come are thrown out when they are met.
//
//	offset ^
//	       |   [ upper ]        the new buffer is compared with the nearest at or above its offset,
//	       |      [ new ]       and on while those start below its end,
//	       |   [ lower ]        and with the nearest below its offset
//	       +---------------> entry
//
// The nearest below suffices only if the buffers kept in order share no bytes, so one that was found to share some is kept
// in a list by itself and compared with each that follows.
type overlaps struct {
	*checker
	byOffset []int32 // the buffers in order of offset
	rank     []int32 // by buffer: its place in byOffset
	live     rankSet // ranks of live buffers that share no bytes
	sharing  []int32 // live buffers that share bytes with another
	found    int
	sorter   problem.Sorter
}

func (c *checker) checkOverlaps(buffers []int32) {
	o := &overlaps{checker: c}
	o.orderByOffset(buffers)
	o.sortByFirst(buffers)
	for _, i := range buffers {
		if o.found >= MaxOverlaps {
			return
		}
		o.add(i)
	}
}

func (o *overlaps) orderByOffset(buffers []int32) {
	o.byOffset = slices.Clone(buffers)
	o.sorter.Sort(o.byOffset, o.offsets)
	o.rank = make([]int32, len(o.offsets))
	for at, i := range o.byOffset {
		o.rank[i] = int32(at)
	}
	o.live = newRankSet(len(o.byOffset))
}

func (o *overlaps) sortByFirst(buffers []int32) {
	firsts := make([]int64, len(o.offsets))
	for _, i := range buffers {
		firsts[i] = o.problem.Buffers[i].First
	}
	o.sorter.Sort(buffers, firsts)
}

// add compares i, which starts now, with all that live.
func (o *overlaps) add(i int32) {
	before := o.found
	now := o.problem.Buffers[i].First
	if lower, ok := o.livingFrom(int(o.rank[i])-1, now, rankSet.prev); ok && o.end(lower) > o.offsets[i] {
		o.report(lower, i)
	}
	upper, ok := o.livingFrom(int(o.rank[i])+1, now, rankSet.next)
	for ok && o.offsets[upper] < o.end(i) {
		o.report(upper, i)
		upper, ok = o.livingFrom(int(o.rank[upper])+1, now, rankSet.next)
	}
	o.compareSharing(i, now)
	if o.found > before {
		o.sharing = append(o.sharing, i)
	} else {
		o.live.add(int(o.rank[i]))
	}
}

// livingFrom is the nearest buffer in the direction of step, from the rank on, that lives at entry now.
func (o *overlaps) livingFrom(rank int, now int64, step func(rankSet, int) int) (int32, bool) {
	for {
		rank = step(o.live, rank)
		if rank < 0 {
			return 0, false
		}
		if j := o.byOffset[rank]; o.problem.Buffers[j].End > now {
			return j, true
		}
		o.live.remove(rank)
	}
}

func (o *overlaps) compareSharing(i int32, now int64) {
	o.sharing = slices.DeleteFunc(o.sharing, func(j int32) bool { return o.problem.Buffers[j].End <= now })
	for _, j := range o.sharing {
		if o.offsets[j] < o.end(i) && o.offsets[i] < o.end(j) {
			o.report(j, i)
		}
	}
}

func (o *overlaps) report(earlier, later int32) {
	if o.found++; o.found > MaxOverlaps {
		return
	}
	o.faults = append(o.faults, Fault{
		Kind: Overlap, Buffer: int(earlier), Other: int(later), Entry: o.problem.Buffers[later].First,
		From: max(o.offsets[earlier], o.offsets[later]), To: min(o.end(earlier), o.end(later)),
	})
}
