// Package problem holds the problem of placing buffers in one arena, and what is true of it whoever places them.
//
// A buffer lives for a half-open span of entries and takes some bytes. Buffers that live at one entry may share no
// byte. A placer gives each buffer an offset so that the highest byte used is as low as it can be.
//
// The package is a leaf: it imports the standard library only, so that placers and the checker of package verify
// share the question and nothing else.
package problem

// MaxAlign is the greatest alignment and the greatest granule, 1 GiB.
const MaxAlign = 1 << 30

// Limit is what the needs of a problem, with the bytes that alignment can cost, and its highest fixed byte may add up to.
// Up to it no sum that a placer forms leaves 64 bits, twice the sum of the needs included.
const Limit = 1<<62 - 1

// Buffer is storage that needs a place in the arena. The arena reaches to the greatest end of a buffer, those of no bytes included.
type Buffer struct {
	First, End int64 // the entries it lives for, half-open: First < End
	Bytes      int64 // at least 0; a buffer of no bytes overlaps nothing
	Align      int64 // what its offset is a multiple of: a power of two up to MaxAlign; 0 means the granule
	Fixed      bool  // whether somebody has already placed it, at Offset
	Offset     int64 // the byte it starts at if Fixed, otherwise ignored
}

// Problem is the question: which offset should each buffer get?
type Problem struct {
	Buffers  []Buffer
	Granule  int64 // needs are rounded up to it and offsets are multiples of it: a power of two up to MaxAlign; 0 means 1
	Capacity int64 // the arena's greatest size in bytes; 0 means none
}

// GranuleBytes is the granule of p in bytes, at least 1.
func (p *Problem) GranuleBytes() int64 {
	return max(p.Granule, 1)
}

// Need is the bytes that buffer i takes: its bytes rounded up to the granule. It requires a valid problem.
func (p *Problem) Need(i int) int64 {
	return AlignUp(p.Buffers[i].Bytes, p.GranuleBytes())
}

// Alignment is what the offset of buffer i has to be a multiple of. An offset that is fixed has to keep the buffer's own
// alignment only: whoever chose it need not know the granule.
func (p *Problem) Alignment(i int) int64 {
	b := &p.Buffers[i]
	if b.Fixed {
		return max(b.Align, 1)
	}
	return max(b.Align, p.GranuleBytes())
}

// AlignUp is the least multiple of align, a power of two, that is at least n. It requires n >= 0 and that the result fits.
func AlignUp(n, align int64) int64 {
	return (n + align - 1) &^ (align - 1)
}
