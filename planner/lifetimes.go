package planner

import (
	"slices"

	"libtolk_memory/ir"
)

// lifetime is a planned buffer and the entries it lives for.
type lifetime struct {
	buffer      uint32 // by its place in the graph
	first, last int32
	copied      bool // whether a copy takes it
}

// Numbers of storage in lifetimes.number beside those of buffers, which count from 0.
const (
	unseen     = 0
	notPlanned = -1
)

// lifetimes finds the planned buffers of a schedule. Its time is linear in the
// arguments, its memory 4 bytes an op before the schedule.
type lifetimes struct {
	// number is, by the op's place in its graph, 1 + its number among the buffers.
	number  []int32
	buffers []lifetime // in order of first use
	parts   [2]stacks  // those of kernels and those of copies
	held    map[uint32]bool
}

func findLifetimes(schedule ir.Node, held map[uint32]bool) []lifetime {
	l := lifetimes{number: make([]int32, schedule.Index()), held: held}
	walk := once()
	for entry := range schedule.NumSources() {
		walk.each(schedule.Source(entry), func(u use) bool {
			l.take(entry, u)
			return true
		})
	}
	return l.buffers
}

func (l *lifetimes) take(entry int, u use) {
	parts, copied := &l.parts[0], u.isCopy()
	if copied {
		parts = &l.parts[1]
	}
	parts.storages(u.value, entry+1, func(s ir.Node) {
		if b := l.of(s, entry); b != nil {
			b.last = int32(entry)
			b.copied = b.copied || copied
		}
	})
}

// of is the lifetime of storage, begun at entry if it is new; nil if it is not planned.
func (l *lifetimes) of(s ir.Node, entry int) *lifetime {
	number := l.number[s.Index()]
	if number == unseen {
		number = l.add(s, entry)
		l.number[s.Index()] = number
	}
	if number == notPlanned {
		return nil
	}
	return &l.buffers[number-1]
}

func (l *lifetimes) add(s ir.Node, entry int) int32 {
	if s.Kind() != ir.Buffer || l.held[s.Index()] || s.Graph().OnDisk(s.Placement()) {
		return notPlanned
	}
	if len(l.buffers) == cap(l.buffers) {
		// A long slice grows by a quarter at a time, which leaves four times its size behind.
		l.buffers = slices.Grow(l.buffers, max(64, len(l.buffers)))
	}
	l.buffers = append(l.buffers, lifetime{buffer: s.Index(), first: int32(entry)})
	return int32(len(l.buffers))
}

// end is the entry from which on a buffer's bytes are free. Where copies are kept apart, those of a copy
// stay taken for as many entries again as it lived.
func (b *lifetime) end(copies Copies) int {
	end := int(b.last) + 1
	if copies == CopiesApart && b.copied {
		end += end - int(b.first)
	}
	return end
}
