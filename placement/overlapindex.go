package placement

// overlapIndex is a set of lifetimes that tells which of them meet a given one. It is a binary tree over blocks of lifetimes in
// order of first section; a node holds the latest end below it, of members or not.
type overlapIndex struct {
	before []int32 // by section: how many lifetimes start before it
	ends   []int32 // by lifetime: the section after its last, 0 if it is no member
	latest []int32 // by node
	width  int     // leaves, a power of two
}

// indexedBlock is how many lifetimes are a leaf.
const indexedBlock = 16

// newOverlapIndex is the set of all of n lifetimes in order of first section.
func newOverlapIndex(n, sections int, lifetime func(at int) (from, to int32)) *overlapIndex {
	x := &overlapIndex{before: make([]int32, sections+1), ends: make([]int32, n), width: 1}
	for x.width*indexedBlock < n {
		x.width *= 2
	}
	x.latest = make([]int32, 2*x.width)
	for at := range n {
		from, to := lifetime(at)
		x.before[from+1]++
		x.ends[at] = to
		leaf := x.width + at/indexedBlock
		x.latest[leaf] = max(x.latest[leaf], to)
	}
	for s := range sections {
		x.before[s+1] += x.before[s]
	}
	for node := x.width - 1; node > 0; node-- {
		x.latest[node] = max(x.latest[2*node], x.latest[2*node+1])
	}
	return x
}

// appendMeeting appends the members that meet the sections [from, to), in order.
func (x *overlapIndex) appendMeeting(members []int32, from, to int32) []int32 {
	members = x.appendReaching(members, 1, 0, x.width, from)
	return x.appendFrom(members, int(x.before[from]), int(x.before[to]), from)
}

// appendReaching appends the members below a node, whose leaves are [low, high), that start before a section and reach into it.
// Its depth is the logarithm of the number of lifetimes.
func (x *overlapIndex) appendReaching(members []int32, node, low, high int, section int32) []int32 {
	before := int(x.before[section])
	switch {
	case low*indexedBlock >= before || x.latest[node] <= section:
		return members
	case high-low > 1:
		middle := (low + high) / 2
		members = x.appendReaching(members, 2*node, low, middle, section)
		return x.appendReaching(members, 2*node+1, middle, high, section)
	}
	return x.appendFrom(members, low*indexedBlock, min(high*indexedBlock, before), section)
}

// appendFrom appends those of the lifetimes [low, high) that are members and reach into a section.
func (x *overlapIndex) appendFrom(members []int32, low, high int, section int32) []int32 {
	for at, end := range x.ends[low:high] {
		if end > section {
			members = append(members, int32(low+at))
		}
	}
	return members
}
