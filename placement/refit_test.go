package placement

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

func TestLaw_LiftMovesNoBoxBehindOneThatDoesNotSqueak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := rapid.Permutation(identity(rapid.IntRange(1, 40).Draw(t, "n"))).Draw(t, "ranks")
		squeaks := rapid.SliceOfN(rapid.Bool(), len(ranks), len(ranks)).Draw(t, "squeaks")
		lifted := newRestarts(rapid.Uint64().Draw(t, "seed")).lift(ranks, squeaks)
		require.ElementsMatch(t, ranks, lifted)
		for i := range ranks {
			for j := range ranks {
				if ranks[i] < ranks[j] && !squeaks[j] {
					require.Less(t, lifted[i], lifted[j])
				}
			}
		}
	})
}

// TestRefitsFindSmallerPlans looks at problems that no first fit of Best's own orders solves.
func TestRefitsFindSmallerPlans(t *testing.T) {
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
			best.refit(context.Background(), 20*int64(best.pairs()/pairsAStep+len(a.ByFirst)))
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
	require.Greater(t, 2*smaller, tried, "smaller for %d of %d", smaller, tried)
}
