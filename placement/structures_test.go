package placement

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/placement/problem"
)

// drawBoxes draws the boxes of a problem, at most as many as told, some of them aligned, some fixed one above the other.
func drawBoxes(t *rapid.T, most int) *boxes {
	p := &problem.Problem{}
	for at := range rapid.IntRange(1, most).Draw(t, "n") {
		first := rapid.Int64Range(0, 20).Draw(t, "first")
		p.Buffers = append(p.Buffers, problem.Buffer{
			First: first, End: first + rapid.Int64Range(1, 8).Draw(t, "length"), Bytes: rapid.Int64Range(1, 9).Draw(t, "bytes"),
			Align: 1 << rapid.IntRange(0, 3).Draw(t, "shift"),
			Fixed: rapid.IntRange(0, 3).Draw(t, "fix") == 0, Offset: int64(16 * at),
		})
	}
	a, err := problem.Analyze(p)
	require.NoError(t, err)
	return newBoxes(a)
}

// drawSections draws a run of sections that is not empty.
func drawSections(t *rapid.T, loads []int64) (from, to int32) {
	from = rapid.Int32Range(0, int32(len(loads))-1).Draw(t, "from")
	return from, rapid.Int32Range(from+1, int32(len(loads))).Draw(t, "to")
}

func TestLaw_CandidatesFindTheBestRanked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoxes(t, 5*scanUpTo) // some windows are searched by the tree
		ranks := rapid.Permutation(identity(len(b.all))).Draw(t, "ranks")
		c, present := newCandidates(b), make([]bool, len(b.all))
		c.reset(ranks)
		keep := rapid.SampledFrom([]int{1, 2, 20, len(b.all)}).Draw(t, "keep one in")
		for at := range b.all {
			switch {
			case b.all[at].fixed != movable:
			case at%keep == 0:
				present[at] = true
			default:
				c.remove(int32(at))
			}
		}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			box := rapid.Int32Range(0, int32(len(b.all))-1).Draw(t, "box")
			switch {
			case b.all[box].fixed != movable:
			case present[box]:
				c.remove(box)
				present[box] = false
			default:
				c.restore(box)
				present[box] = true
			}
			from, to := drawSections(t, b.loads)
			at := rapid.Int32Range(from, to-1).Draw(t, "at")
			within, covering, all := int32(none), int32(none), nobody
			for i, x := range b.all {
				if present[i] {
					all = candidateNode{min(all.leastEnd, x.to), max(all.lastEnd, x.to), min(all.bestRank, ranks[i])}
				}
				if !present[i] || x.from < from || x.to > to {
					continue
				}
				if within == none || ranks[i] < ranks[within] {
					within = int32(i)
				}
				if x.from <= at && at < x.to && (covering == none || ranks[i] < ranks[covering]) {
					covering = int32(i)
				}
			}
			require.Equal(t, within, c.within(from, to))
			require.Equal(t, covering, c.covering(from, to, at))
			require.Equal(t, all, c.nodes[1]) // or searches would look in vain
		}
	})
}

func TestLaw_PocketsFindTheBestRankedThatIsLow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoxes(t, 40)
		ranks := rapid.Permutation(identity(len(b.all))).Draw(t, "ranks")
		p, removed := newPockets(b), map[int]bool{}
		p.reset(ranks)
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			box := rapid.IntRange(0, len(b.all)-1).Draw(t, "box")
			p.remove(int32(box))
			removed[box] = true
			from, to := drawSections(t, b.loads)
			room := rapid.Int64Range(0, 10).Draw(t, "room")
			best := int32(none)
			for i, x := range b.all {
				if !removed[i] && x.fixed == movable && from <= x.from && x.to <= to && x.need <= room && (best == none || ranks[i] < ranks[best]) {
					best = int32(i)
				}
			}
			require.Equal(t, best, p.within(from, to, room))
		}
	})
}

func TestLaw_SlackIsAnArrayOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loads := rapid.SliceOfN(rapid.Int64Range(0, 99), 1, 10*blockSize).Draw(t, "loads")
		s, model := newSlack(len(loads)), make([]int64, len(loads))
		s.reset(loads, 99)
		for section := range model {
			model[section] = 99 - loads[section]
		}
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			from, to := drawSections(t, loads)
			bytes := rapid.Int64Range(0, 20).Draw(t, "bytes")
			s.lower(from, to, bytes)
			for section := from; section < to; section++ {
				model[section] -= bytes
			}
			from, to = drawSections(t, loads)
			least := slices.Min(model[from:to])
			require.Equal(t, least, s.leastIn(from, to))
			require.Equal(t, slices.Index(model[from:to], least), int(s.tightest(from, to, least)-from))
			require.Equal(t, slices.Min(model), s.least())
		}
	})
}

func TestLaw_CeilingIsTheLowestFixedBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoxes(t, 40)
		if !b.hasFixed {
			return
		}
		c, above := newCeiling(b), map[int]bool{}
		c.reset()
		for i, x := range b.all {
			above[i] = x.fixed != movable
		}
		for range len(b.all) {
			from, to := drawSections(t, b.loads)
			lowest, offset := int32(none), int64(unlimited)
			for i, x := range b.all {
				if above[i] && x.from < to && from < x.to && x.fixed < offset {
					lowest, offset = int32(i), x.fixed
				}
			}
			box, at := c.over(from, to)
			require.Equal(t, offset, at)
			require.Equal(t, lowest, box)
			if lowest, _ = c.over(0, int32(len(b.loads))); lowest != none {
				c.remove(lowest)
				above[int(lowest)] = false
			}
		}
	})
}

// TestLaw_PlateausAreTheUpperEdge covers and raises plateaus at random and compares them with a height for each section.
func TestLaw_PlateausAreTheUpperEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sections := rapid.IntRange(1, 20).Draw(t, "sections")
		var p plateaus
		p.reset(sections)
		heights := make([]int64, sections)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			id := p.lowest()
			low := p.all[id]
			from := rapid.Int32Range(low.from, low.to-1).Draw(t, "from")
			to := rapid.Int32Range(from+1, low.to).Draw(t, "to")
			height := low.height + rapid.Int64Range(1, 3).Draw(t, "by")
			if from == low.from && to == low.to {
				p.raise(id, height)
			} else {
				p.cover(id, from, to, height)
			}
			for section := from; section < to; section++ {
				heights[section] = height
			}
			requireEdge(t, &p, heights)
		}
	})
}

func requireEdge(t *rapid.T, p *plateaus, heights []int64) {
	lowest := p.lowest()
	first := lowest
	for p.all[first].prev != none {
		first = p.all[first].prev
	}
	section := int32(0)
	for id := first; id != none; id = p.all[id].next {
		x := p.all[id]
		require.Equal(t, section, x.from)
		require.GreaterOrEqual(t, x.height, p.all[lowest].height)
		for ; section < x.to; section++ {
			require.Equal(t, heights[section], x.height)
		}
		if x.next != none {
			require.NotEqual(t, x.height, p.all[x.next].height, "neighbours of one height are one plateau")
			require.Equal(t, id, p.all[x.next].prev)
		}
	}
	require.Equal(t, int32(len(heights)), section)
}

func TestLubySequence(t *testing.T) {
	var terms []int64
	for i := range 15 {
		terms = append(terms, luby(i+1))
	}
	require.Equal(t, []int64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}, terms)
}
