package placement

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// byteMap is, by section, which bytes are taken: what an occupancy says in few words.
type byteMap [][]bool

const mapHeight = 80 // above all that the law takes

func newByteMap(sections int) byteMap {
	m := make(byteMap, sections)
	for at := range m {
		m[at] = make([]bool, mapHeight)
	}
	return m
}

func (m byteMap) take(first, end int32, from, to int64) {
	for _, section := range m[first:end] {
		for at := from; at < to; at++ {
			section[at] = true
		}
	}
}

func (m byteMap) taken(first, end int32, offset int64) bool {
	return slices.ContainsFunc(m[first:end], func(section []bool) bool { return section[offset] })
}

// gaps is the runs of free bytes, the last of which has no end.
func (m byteMap) gaps(first, end int32) (gaps []claim) {
	for offset := range int64(mapHeight) {
		if m.taken(first, end, offset) {
			continue
		}
		if last := len(gaps) - 1; last >= 0 && gaps[last].to == offset {
			gaps[last].to++
		} else {
			gaps = append(gaps, claim{offset, offset + 1, first, end})
		}
	}
	gaps[len(gaps)-1].to = unlimited
	return gaps
}

func TestLaw_UnitedClaimsHaveFreeBytesBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, claims := newByteMap(1), []claim(nil)
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			from := rapid.Int64Range(0, 60).Draw(t, "from")
			to := from + rapid.Int64Range(1, 10).Draw(t, "bytes")
			claims = uniteClaim(claims, everywhere(from, to))
			m.take(0, 1, from, to)
			again := newByteMap(1)
			for at, c := range claims {
				require.True(t, at == 0 || claims[at-1].to < c.from, claims)
				again.take(0, 1, c.from, c.to)
			}
			require.Equal(t, m, again)
		}
	})
}

func TestLaw_GapsAreThoseOfAMapOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawLifetimes(t)
		o := newOccupancy(a, rapid.IntRange(0, 4).Draw(t, "shift"))
		for range 2 { // the second time with what the first has left behind
			o.reset()
			m := newByteMap(len(a.Loads))
			for _, i := range rapid.Permutation(a.ByFirst).Draw(t, "order") {
				o.turnTo(a.From[i], a.To[i])
				requireGaps(t, o, m.gaps(a.From[i], a.To[i]))
				from := rapid.Int64Range(0, 40).Draw(t, "from")
				to := from + rapid.Int64Range(1, 10).Draw(t, "bytes")
				o.take(from, to)
				m.take(a.From[i], a.To[i], from, to)
			}
		}
	})
}

// drawLifetimes draws lifetimes in up to 70 sections, most of them short.
func drawLifetimes(t *rapid.T) *problem.Analysis {
	p := &problem.Problem{}
	for at := range rapid.Int64Range(1, 70).Draw(t, "n") {
		length := rapid.Int64Range(1, rapid.SampledFrom([]int64{2, 8, 70}).Draw(t, "longest")).Draw(t, "length")
		p.Buffers = append(p.Buffers, problem.Buffer{First: at, End: at + length, Bytes: 1})
	}
	a, err := problem.Analyze(p)
	require.NoError(t, err)
	return a
}

// requireGaps draws a buffer and looks for the lowest and the tightest of the gaps that hold it.
func requireGaps(t *rapid.T, o *occupancy, gaps []claim) {
	align := int64(1) << rapid.IntRange(0, 3).Draw(t, "align")
	need := rapid.Int64Range(1, 9).Draw(t, "need")
	gaps = slices.DeleteFunc(gaps, func(gap claim) bool { return problem.AlignUp(gap.from, align)+need > gap.to })
	finite := gaps[:max(1, len(gaps)-1)]
	tightest := slices.MinFunc(finite, func(x, y claim) int { return compareInts(x.to-x.from, y.to-y.from) })
	search := func() *gapSearch {
		return &gapSearch{first: o.run.first, end: o.run.end, need: need, align: align, sets: o.appendSets(nil)}
	}
	require.Equal(t, problem.AlignUp(gaps[0].from, align), search().lowest(), "lowest")
	require.Equal(t, problem.AlignUp(tightest.from, align), search().tightest(), "tightest")
}

// TestFirstFitLeavesNoRoomBelow looks below each buffer, on whatever was placed before it. The families differ in how long
// their buffers live, which decides the blocks of a fitter.
func TestFirstFitLeavesNoRoomBelow(t *testing.T) {
	for name, family := range map[string]func(n int, seed uint64) *problem.Problem{
		"chain": generate.Chain, "training": generate.Training, "spread": generate.Spread, "mixed": generate.Mixed,
	} {
		t.Run(name, func(t *testing.T) {
			p := family(700, 1)
			a, err := problem.Analyze(p)
			require.NoError(t, err)
			f := newFitter(a)
			for _, order := range [][]int32{a.ByEnd, bySize(a)} {
				offsets, ok := fitInOrder(context.Background(), f, order, (*fitter).placeLowest)
				require.True(t, ok)
				require.Empty(t, verify.Check(p, offsets, top(a, offsets)))
				requireNoRoomBelow(t, a, offsets, order)
			}
		})
	}
}

// requireNoRoomBelow tries for each buffer the bottom and what lies on the fixed ones and those earlier in the order.
func requireNoRoomBelow(t *testing.T, a *problem.Analysis, offsets []int64, order []int32) {
	buffers := a.Problem.Buffers
	placed := slices.DeleteFunc(slices.Clone(order), func(i int32) bool { return !buffers[i].Fixed })
	for _, i := range order {
		if buffers[i].Fixed {
			continue
		}
		var together []claim
		for _, j := range placed {
			if a.From[j] < a.To[i] && a.From[i] < a.To[j] {
				together = append(together, everywhere(offsets[j], offsets[j]+a.Needs[j]))
			}
		}
		for _, x := range append(together, claim{}) {
			offset := problem.AlignUp(x.to, a.Problem.Alignment(int(i)))
			room := !slices.ContainsFunc(together, func(y claim) bool { return offset < y.to && y.from < offset+a.Needs[i] })
			require.False(t, room && offset < offsets[i], "buffer %d fits at %d, below %d", i, offset, offsets[i])
		}
		placed = append(placed, i)
	}
}
