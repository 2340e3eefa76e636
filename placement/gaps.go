package placement

import "libtolk_memory/placement/problem"

// gapSearch finds the gaps between claims that hold a buffer, from the lowest up.
type gapSearch struct {
	first, end  int32 // sections of the buffer, half-open
	need, align int64
	sets        [][]claim // each in order of offset: what is left of it from the gap up
	free        int64     // where the gap starts
}

// lowest is the buffer's offset in the lowest gap.
func (g *gapSearch) lowest() int64 {
	g.next()
	return g.offset()
}

// tightest is its offset in the smallest gap, the lowest of those. The one above all claims is the greatest.
func (g *gapSearch) tightest() int64 {
	offset, least := int64(0), int64(unlimited)
	for {
		g.next()
		ceiling := g.ceiling()
		if ceiling == unlimited {
			break
		}
		if ceiling-g.free < least {
			offset, least = g.offset(), ceiling-g.free
		}
		g.free = ceiling
	}
	if least == unlimited {
		return g.offset()
	}
	return offset
}

// next goes up to the first gap from free on that holds the buffer: it passes set after set until none is in the way.
func (g *gapSearch) next() {
	for at, quiet := 0, 0; quiet < len(g.sets); at++ {
		if at == len(g.sets) {
			at = 0
		}
		quiet++
		if g.pass(&g.sets[at]) {
			quiet = 1
		}
	}
}

// pass goes up past the claims of a set until the next one leaves room, and is whether it moved.
func (g *gapSearch) pass(set *[]claim) bool {
	free, top := g.free, g.offset()+g.need
	at, claims := 0, *set
	for ; at < len(claims); at++ {
		c := &claims[at]
		if end := c.endIn(g.first, g.end); end > free {
			if c.from >= top {
				break
			}
			free = end
			top = problem.AlignUp(free, g.align) + g.need
		}
	}
	moved := free > g.free
	*set, g.free = claims[at:], free
	return moved
}

// offset is the buffer's in the gap.
func (g *gapSearch) offset() int64 { return problem.AlignUp(g.free, g.align) }

// ceiling is where the gap ends, unlimited above all claims.
func (g *gapSearch) ceiling() int64 {
	lowest := int64(unlimited)
	for _, set := range g.sets {
		if len(set) > 0 {
			lowest = min(lowest, set[0].from)
		}
	}
	return lowest
}
