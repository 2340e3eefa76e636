package ir

import "math/bits"

// internTable finds the node equal to a given one. Its entries hold a node's
// place below and half of its hash above, so that growing it reads no node.
type internTable struct {
	entries []uint64
	used    int
}

const (
	hashKey1 = 0x9e3779b97f4a7c15
	hashKey2 = 0xd6e8feb86659fd93
	lowHalf  = 1<<32 - 1
)

func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^hashKey1, x^hashKey2)
	return hi ^ lo
}

func hashNode(n *node, sources []uint32) uint64 {
	h := mix(uint64(n.ref)<<32|uint64(n.small)<<16|uint64(n.kind)<<8|uint64(n.dtype), uint64(n.a))
	h = mix(h, uint64(n.b))
	for _, s := range sources {
		h = mix(h, uint64(s))
	}
	return h
}

// slot is where an entry of hash h is looked for first: its upper half decides, since that is kept.
func (t *internTable) slot(h uint64) int {
	hi, _ := bits.Mul64(h&^lowHalf, uint64(len(t.entries)))
	return int(hi)
}

// find is the node that equal accepts among those of hash h, or 0 and the place for a new entry.
func (t *internTable) find(h uint64, equal func(uint32) bool) (uint32, int) {
	at := t.slot(h)
	for {
		e := t.entries[at]
		if e == 0 {
			return 0, at
		}
		if (e^h)&^lowHalf == 0 && equal(uint32(e)) {
			return uint32(e), at
		}
		if at++; at == len(t.entries) {
			at = 0
		}
	}
}

func (t *internTable) put(at int, h uint64, i uint32) {
	t.entries[at] = h&^lowHalf | uint64(i)
	t.used++
}

// reserve makes room for n more entries.
func (t *internTable) reserve(n int) {
	if (t.used+n)*4 <= len(t.entries)*3 {
		return
	}
	old := t.entries
	t.entries = make([]uint64, max(64, 2*len(old), (t.used+n)*3/2))
	for _, e := range old {
		if e != 0 {
			t.entries[t.free(e)] = e
		}
	}
}

func (t *internTable) free(e uint64) int {
	at := t.slot(e)
	for t.entries[at] != 0 {
		if at++; at == len(t.entries) {
			at = 0
		}
	}
	return at
}

// remove takes out the entry at a place and moves up those that had to pass it.
func (t *internTable) remove(at int) {
	n := len(t.entries)
	t.used--
	for next := at; ; {
		if next++; next == n {
			next = 0
		}
		e := t.entries[next]
		if e == 0 {
			t.entries[at] = 0
			return
		}
		if passed := (next - t.slot(e) + n) % n; passed >= (next-at+n)%n {
			t.entries[at] = e
			at = next
		}
	}
}
