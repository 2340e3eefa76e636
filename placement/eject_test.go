package placement

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// TestEjectionFindsSmallerPlans looks at problems that no first fit of Best's own orders solves.
func TestEjectionFindsSmallerPlans(t *testing.T) {
	smaller, tried := 0, 0
	for name, family := range map[string]func(n int, seed uint64) *problem.Problem{
		"spread": generate.Spread, "mixed": generate.Mixed, "random": generate.Random,
	} {
		for seed := range uint64(6) {
			p := family(2000, seed)
			a, err := problem.Analyze(p)
			require.NoError(t, err)
			best := newPortfolio(a, unlimited)
			best.fitAll(context.Background(), fittings)
			fitted := best.size
			best.eject(context.Background(), 200_000)
			require.LessOrEqual(t, best.size, fitted, name)
			require.Empty(t, verify.Check(p, best.offsets, best.size), name)
			if fitted > best.bound {
				tried++
			}
			if best.size < fitted {
				smaller++
			}
		}
	}
	require.Greater(t, 4*smaller, 3*tried, "smaller for %d of %d", smaller, tried)
}

// TestEjectorSaysWhatFixedBoxesRuleOut gives a box no place but above a fixed one: no search is needed to prove that.
func TestEjectorSaysWhatFixedBoxesRuleOut(t *testing.T) {
	a, err := problem.Analyze(&problem.Problem{Buffers: []problem.Buffer{
		{End: 2, Bytes: 10, Fixed: true, Offset: 5},
		{First: 1, End: 3, Bytes: 6},
	}})
	require.NoError(t, err)
	best := newPortfolio(a, unlimited)
	best.takeBoxes(best.side(0).boxes, []int64{5, 20}, 26)
	best.eject(context.Background(), 10_000)
	require.EqualValues(t, 21, best.size)
	require.EqualValues(t, 21, best.bound)
}

// requireApart checks that what is placed shares no bytes, is within the capacity, aligned, and where it is fixed.
func requireApart(t *rapid.T, e *ejector) {
	for i, x := range e.all {
		require.Equal(t, e.placed.ends[i] == 0, slices.Contains(e.homeless, int32(i)))
		if e.placed.ends[i] == 0 {
			continue
		}
		require.GreaterOrEqual(t, e.starts[i], int64(0))
		require.LessOrEqual(t, e.ends[i], e.capacity)
		require.Equal(t, x.need, e.ends[i]-e.starts[i])
		if x.fixed != movable {
			require.Equal(t, x.fixed, e.starts[i])
		} else {
			require.Zero(t, e.starts[i]%int64(x.align))
		}
		for j := range i {
			if y := e.all[j]; e.placed.ends[j] > 0 && y.from < x.to && x.from < y.to {
				require.True(t, e.ends[i] <= e.starts[j] || e.ends[j] <= e.starts[i], "%d and %d", i, j)
			}
		}
	}
}

func TestLaw_EjectorKeepsWhatIsPlacedApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoxes(t, 40)
		s := newSkyline(b)
		offsets, size, ok := s.place(context.Background(), skylineRun{ranks: identity(len(b.all)), tries: 4, limit: unlimited})
		require.True(t, ok)
		e := newEjector(b, rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed"))))
		e.aim(offsets, max(size-rapid.Int64Range(0, 6).Draw(t, "lower"), b.bound, b.fixedTop))
		for range 10 {
			verdict, _ := e.run(context.Background(), 5)
			requireApart(t, e)
			placed := len(e.homeless)
			e.press(rapid.Bool().Draw(t, "up"))
			requireApart(t, e)
			require.Len(t, e.homeless, placed)
			if verdict != undecided {
				require.Equal(t, verdict == found, len(e.homeless) == 0)
				return
			}
		}
	})
}

// TestLaw_EjectorFindsTheCheapestPlace compares with the price at every offset there is.
func TestLaw_EjectorFindsTheCheapestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBoxes(t, 40)
		s := newSkyline(b)
		offsets, size, ok := s.place(context.Background(), skylineRun{ranks: identity(len(b.all)), tries: 4, limit: unlimited})
		require.True(t, ok)
		e := newEjector(b, rand.New(rand.NewPCG(1, 1)))
		e.aim(offsets, size)
		for at := range e.prices {
			e.prices[at] = rapid.Int64Range(1, 5).Draw(t, "price")
		}
		box := rapid.Int32Range(0, int32(len(b.all)-1)).Draw(t, "box")
		if b.all[box].fixed != movable {
			return
		}
		e.displace(box)
		e.findNeighbours(box)
		least := int64(math.MaxInt64)
		for start := int64(0); start+b.all[box].need <= e.capacity; start += int64(b.all[box].align) {
			least = min(least, priceAt(e, box, start))
		}
		start, price, ok := e.cheapest(box)
		require.True(t, ok)
		require.Equal(t, least, price)
		require.Equal(t, least, priceAt(e, box, start))
	})
}

// priceAt is what it costs to clear the bytes for a box at start.
func priceAt(e *ejector, box int32, start int64) (price int64) {
	x := e.all[box]
	for j, y := range e.all {
		if int32(j) == box || y.to <= x.from || x.to <= y.from || e.ends[j] <= start || start+x.need <= e.starts[j] {
			continue
		}
		if y.fixed != movable {
			return math.MaxInt64
		}
		price += e.prices[j]
	}
	return price
}

func TestLaw_OverlapIndexFindsWhatMeets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const sections = 40
		firsts := rapid.SliceOfN(rapid.Int32Range(0, sections-1), 1, 200).Draw(t, "firsts")
		slices.Sort(firsts)
		ends := make([]int32, len(firsts))
		for at, first := range firsts {
			ends[at] = rapid.Int32Range(first+1, sections).Draw(t, "end")
		}
		x := newOverlapIndex(len(firsts), sections, func(at int) (from, to int32) { return firsts[at], ends[at] })
		from := rapid.Int32Range(0, sections-1).Draw(t, "from")
		to := rapid.Int32Range(from+1, sections).Draw(t, "to")
		meeting := []int32{}
		for at := range firsts {
			if rapid.Bool().Draw(t, "leaves") {
				x.ends[at] = 0
			} else if firsts[at] < to && from < ends[at] {
				meeting = append(meeting, int32(at))
			}
		}
		require.Equal(t, meeting, x.appendMeeting([]int32{}, from, to))
	})
}
