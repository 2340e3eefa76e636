package ir

import (
	"iter"
	"math/bits"
)

// Set is a set of ops of one graph.
type Set struct {
	g     *Graph
	words []uint64
}

// Has reports whether the op at index i (see [Node.Index]) is in the set.
func (s *Set) Has(i uint32) bool {
	w := int(i / 64)
	return w < len(s.words) && s.words[w]>>(i%64)&1 != 0
}

func (s *Set) add(i uint32) { s.words[i/64] |= 1 << (i % 64) }

// All is the ops of the set, sources before what is built on them.
func (s *Set) All() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for w, word := range s.words {
			for ; word != 0; word &= word - 1 {
				if !yield(Node{s.g, uint32(w*64 + bits.TrailingZeros64(word))}) {
					return
				}
			}
		}
	}
}

// Bodies says whether a walk goes into the bodies of calls.
type Bodies bool

// The two ways to walk.
const (
	WithBodies    Bodies = true
	WithoutBodies Bodies = false
)

// Reach is the set of n and all that it is built on. Without bodies it leaves out the bodies of calls and
// what only they reach. The cost is that of the ops reached and a 64th of those before n.
func (n Node) Reach(b Bodies) *Set {
	s := &Set{n.g, make([]uint64, n.i/64+1)}
	s.add(n.i)
	// Sources have lower numbers, so one pass downwards meets each op after all that is built on it.
	for w := len(s.words) - 1; w >= 0; w-- {
		s.markWord(w, b)
	}
	return s
}

func (s *Set) markWord(w int, b Bodies) {
	done := uint64(0)
	for {
		pending := s.words[w] &^ done
		if pending == 0 {
			return
		}
		bit := bits.Len64(pending) - 1
		done |= 1 << bit
		for _, source := range s.g.followed(uint32(w*64+bit), b) {
			s.add(source)
		}
	}
}

// followed is the sources of node i that a walk goes on to.
func (g *Graph) followed(i uint32, b Bodies) []uint32 {
	r := g.nodes.at(i)
	sources := g.sources.slice(r.from, r.n)
	switch {
	case b == WithBodies:
		return sources
	case r.kind == Call:
		return sources[1:]
	case bodyKinds.has(r.kind):
		return nil
	}
	return sources
}
