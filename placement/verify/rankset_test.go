package verify

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLaw_RankSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int{1, 63, 64, 65, 4096, 5000, 300_000}).Draw(t, "bound")
		set, model := newRankSet(bound), map[int]bool{}
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			i := rapid.IntRange(0, bound-1).Draw(t, "i")
			if rapid.Bool().Draw(t, "add") {
				set.add(i)
				model[i] = true
			} else {
				set.remove(i)
				delete(model, i)
			}
			at := rapid.IntRange(0, bound-1).Draw(t, "at")
			next, prev := -1, -1
			for member := range model {
				if member >= at && (next < 0 || member < next) {
					next = member
				}
				if member <= at {
					prev = max(prev, member)
				}
			}
			require.Equal(t, next, set.next(at))
			require.Equal(t, prev, set.prev(at))
		}
		require.Equal(t, -1, set.prev(-1))
		require.Equal(t, -1, set.next(bound))
	})
}
