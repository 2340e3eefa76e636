// Package generate makes workloads for tests and benchmarks: the same arguments give the same workload everywhere.
package generate

import (
	"math/bits"
	"math/rand/v2"

	"libtolk_memory/placement/problem"
)

// Training is the lifetimes of n buffers of a training step: each layer keeps an activation until its gradient is computed, in
// the reverse order of the layers, and every entry has temporaries that die soon. Sizes repeat, as layers do.
func Training(n int, seed uint64) *problem.Problem {
	r := newRandom(seed)
	sizes := make([]int64, 24)
	for at := range sizes {
		sizes[at] = 256 * logUniform(r, 1, 1<<16)
	}
	p := &problem.Problem{Granule: 256}
	entries := int64(max(n/2, 2)) // two buffers an entry
	for entry := int64(0); len(p.Buffers) < n; entry++ {
		size := sizes[(entry/4)%int64(len(sizes))]
		temporary := problem.Buffer{First: entry, End: entry + 1 + r.Int64N(3), Bytes: size}
		if entry < entries/2 && entry%2 == 0 {
			kept := problem.Buffer{First: entry, End: entries - entry, Bytes: sizes[(entry/8)%int64(len(sizes))]}
			p.Buffers = append(p.Buffers, kept)
		} else {
			p.Buffers = append(p.Buffers, problem.Buffer{First: entry, End: entry + 2, Bytes: size / 2})
		}
		p.Buffers = append(p.Buffers, temporary)
	}
	p.Buffers = p.Buffers[:n]
	return p
}

// Random is n buffers with starts spread evenly over n entries, lifetimes up to 100 entries and sizes from 256 bytes to 1 MiB.
func Random(n int, seed uint64) *problem.Problem {
	r := newRandom(seed)
	p := &problem.Problem{Granule: 256}
	for range n {
		first := r.Int64N(int64(n))
		p.Buffers = append(p.Buffers, problem.Buffer{
			First: first,
			End:   first + 1 + r.Int64N(100),
			Bytes: logUniform(r, 256, 1<<20),
		})
	}
	return p
}

// Spread is n buffers with starts spread over n entries, most of which live shortly and some for a good part of all, and sizes
// from 256 bytes to 32 MiB. The largest decide the arena, which makes it hard.
func Spread(n int, seed uint64) *problem.Problem {
	r := newRandom(seed)
	p := &problem.Problem{Granule: 256}
	for range n {
		first := r.Int64N(int64(n))
		p.Buffers = append(p.Buffers, problem.Buffer{
			First: first,
			End:   first + logUniform(r, 1, max(int64(n)/16, 2)),
			Bytes: logUniform(r, 256, 1<<25),
		})
	}
	return p
}

// Chain is the lifetimes of n buffers of a chain of n layers, each of which takes what the two before it gave; sizes up to 1 MiB. The
// arena is decided in a few places of it.
func Chain(n int, seed uint64) *problem.Problem {
	r := newRandom(seed)
	p := &problem.Problem{Granule: 256}
	for layer := range int64(n) {
		p.Buffers = append(p.Buffers, problem.Buffer{First: layer, End: layer + 3, Bytes: 1 + r.Int64N(1<<20)})
	}
	return p
}

// Mixed is Spread with alignments from 1 byte to 64 KiB, and every hundredth buffer fixed. The fixed ones stand in lanes that
// are 1 MiB apart, one after the other, so that they share no bytes.
func Mixed(n int, seed uint64) *problem.Problem {
	const lanes = 16
	r := newRandom(seed)
	p := Spread(n, seed+1)
	p.Granule = 1
	var free [lanes]int64 // the entry from which a lane is free
	for at := range p.Buffers {
		b := &p.Buffers[at]
		b.Align = 1 << r.IntN(17)
		if at%100 != 0 {
			continue
		}
		lane := r.IntN(lanes)
		length := b.End - b.First
		b.First = free[lane] + r.Int64N(int64(1+n/100))
		b.End = b.First + min(length, int64(n/10+1))
		free[lane] = b.End
		b.Fixed, b.Offset = true, int64(lane)<<20
		b.Bytes = min(b.Bytes, 1<<20)
	}
	return p
}

// Tight is n buffers that fill an arena of some units without a gap, and that size in bytes: the optimum, equal to the load at
// every entry. The arena's bytes over time are cut by a saw from edge to edge, again and again: a piece chosen by area is cut
// in two.
func Tight(n int, seed uint64) (*problem.Problem, int64) {
	const unit, height = 1024, 1 << 20
	r := newRandom(seed)
	width := int64(4 * n)
	pieces := []piece{{0, width, 0, height}}
	for len(pieces) < n {
		at := r.IntN(len(pieces))
		if other := r.IntN(len(pieces)); pieces[other].area() > pieces[at].area() {
			at = other
		}
		if a, b, ok := pieces[at].cut(r, float64(height)/float64(width)); ok {
			pieces[at] = a
			pieces = append(pieces, b)
		}
	}
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	p := &problem.Problem{Granule: 1}
	for _, c := range pieces {
		p.Buffers = append(p.Buffers, problem.Buffer{First: c.first, End: c.end, Bytes: (c.to - c.from) * unit})
	}
	return p, height * unit
}

// piece is a rectangle of entries and bytes, half-open.
type piece struct{ first, end, from, to int64 }

func (c piece) area() float64 {
	return float64(c.end-c.first) * float64(c.to-c.from)
}

// cut cuts a piece across its longer side, or the other if that is a unit long; scale is the bytes that count as an entry.
// It is false for a piece of one unit.
func (c piece) cut(r *rand.Rand, scale float64) (a, b piece, ok bool) {
	a, b = c, c
	long, high := c.end-c.first, c.to-c.from
	inTime := float64(long)*scale*(0.5+r.Float64()) > float64(high)*(0.5+r.Float64())
	switch {
	case long > 1 && (inTime || high == 1):
		a.end = c.first + 1 + r.Int64N(long-1)
		b.first = a.end
	case high > 1:
		a.to = c.from + 1 + r.Int64N(high-1)
		b.from = a.to
	default:
		return c, c, false
	}
	return a, b, true
}

func newRandom(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x746f6c6b))
}

// logUniform is a number from low to high, as likely between 1 and 2 times some number as between 2 and 4 times it.
func logUniform(r *rand.Rand, low, high int64) int64 {
	octave := low << r.IntN(bits.Len64(uint64(high/low)))
	return min(octave+r.Int64N(octave), high)
}
