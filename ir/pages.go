package ir

import "sync/atomic"

const (
	pageBits = 12
	pageSize = 1 << pageBits
	pageMask = pageSize - 1
)

// pages is an array that grows without moving, so that readers need no lock: a
// reader that has learned of an item by an atomic load finds it where it was put.
// One goroutine at a time may grow it.
type pages[T any] struct {
	directory atomic.Pointer[[][]T]
}

func (p *pages[T]) at(i uint32) *T {
	return &(*p.directory.Load())[i>>pageBits][i&pageMask]
}

// slice is items [from, from+n), which must have been reserved together.
func (p *pages[T]) slice(from, n uint32) []T {
	if n == 0 {
		return nil
	}
	start := from & pageMask
	return (*p.directory.Load())[from>>pageBits][start : start+n : start+n]
}

func (p *pages[T]) pageCount() uint64 {
	if d := p.directory.Load(); d != nil {
		return uint64(len(*d))
	}
	return 0
}

// grow adds room for at least n items that lie in one piece. Where that is more
// than a page, the page numbers that it runs over stand for nothing of their own.
func (p *pages[T]) grow(n uint64) {
	count := max(1, (n+pageMask)>>pageBits)
	var old [][]T
	if d := p.directory.Load(); d != nil {
		old = *d
	}
	// Readers of the old directory see only its own length, so its spare room may be written.
	grown := append(old, make([]T, count<<pageBits))
	for range count - 1 {
		grown = append(grown, nil)
	}
	p.directory.Store(&grown)
}

// shrink gives back all but the first count pages, which no reader has learned of.
func (p *pages[T]) shrink(count uint64) {
	if count < p.pageCount() {
		// Without spare room: readers of the old directory still see its whole length.
		kept := (*p.directory.Load())[:count:count]
		p.directory.Store(&kept)
	}
}
