package placement

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

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
