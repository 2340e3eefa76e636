// Package picture draws plans: as a page for a browser, as SVG for documents, as characters for a terminal, and as a trace for the
// viewers that Chrome and Perfetto are.
//
// All four show the same thing, the bytes of an arena against time:
//
//	bytes ^      +---b---+
//	      | +--a-+---+---+
//	      | +--------+
//	      +-+-----c--+----> entries
//
// The same picture gives the same bytes out on every machine.
package picture

// A Picture is what a map shows: one or more plans of the same buffers.
type Picture struct {
	Title   string
	Entries []string // the label of each entry; may be empty, or shorter than the lifetimes reach
	Plans   []Plan   // a page opens with the smallest
}

// A Plan is the arenas that one placer made.
type Plan struct {
	Name   string // "before", "tlsf", "best"
	Arenas []Arena
}

// An Arena is one large allocation and the buffers placed in it.
type Arena struct {
	Name    string // "CUDA:0", "CUDA:0 copies"
	Size    int64  // bytes
	Bound   int64  // bytes: no plan can be smaller
	Peak    int64  // the first entry of the greatest load
	Optimal bool   // whether Size is proven to be the least
	Buffers []Buffer
}

// A Buffer is a box: the bytes [Offset, Offset+Need) during the entries [First, End). A buffer of one plan is the buffer
// of the same ID in another.
type Buffer struct {
	ID         string
	Name       string  // what people call it; may be ""
	First, End int64   // lifetime [First, End) in entries
	Offset     int64   // bytes from the arena's start
	Bytes      int64   // of its elements
	Need       int64   // bytes of its block: at least Bytes
	Takers     []int64 // the entries that take it, in rising order; may be nil if they are not known
	Held       bool    // whether it is held: kept past the schedule and not planned
}
