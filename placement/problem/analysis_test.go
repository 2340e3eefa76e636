package problem_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/placement/problem"
)

// drawProblem draws a problem of movable buffers whose entries are dense, sparse or as far apart as can be.
func drawProblem(t *rapid.T) *problem.Problem {
	p := &problem.Problem{Granule: rapid.SampledFrom([]int64{0, 1, 4, 256}).Draw(t, "granule")}
	times := rapid.SampledFrom([]*rapid.Generator[int64]{
		rapid.Int64Range(-3, 12), rapid.Int64Range(0, 1<<40), rapid.Int64(),
	}).Draw(t, "times")
	for range rapid.IntRange(0, 200).Draw(t, "n") {
		first, end := times.Draw(t, "first"), times.Draw(t, "end")
		if first > end {
			first, end = end, first
		}
		if first == end {
			continue
		}
		p.Buffers = append(p.Buffers, problem.Buffer{First: first, End: end, Bytes: rapid.Int64Range(0, 1000).Draw(t, "bytes")})
	}
	return p
}

// loadAt is the load at an entry by definition.
func loadAt(p *problem.Problem, entry int64) (load int64) {
	for i, b := range p.Buffers {
		if b.First <= entry && entry < b.End {
			load += p.Need(i)
		}
	}
	return load
}

func TestLaw_LowerBoundIsTheGreatestLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		a, err := problem.Analyze(p)
		require.NoError(t, err)
		greatest := int64(0)
		for _, b := range p.Buffers {
			greatest = max(greatest, loadAt(p, b.First))
		}
		require.Equal(t, greatest, a.LowerBound)
		require.Equal(t, greatest, loadAt(p, a.PeakEntry()))
		for _, b := range p.Buffers {
			if greatest > 0 && b.First < a.PeakEntry() {
				require.Less(t, loadAt(p, b.First), greatest, "the peak entry is the first")
			}
		}
		total := int64(0)
		for i := range p.Buffers {
			total += p.Need(i)
		}
		require.Equal(t, total, a.Total)
	})
}

func TestLaw_SectionsSayWhoLivesTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		a, err := problem.Analyze(p)
		require.NoError(t, err)
		require.LessOrEqual(t, len(a.Loads), len(p.Buffers))
		for i, x := range p.Buffers {
			if a.Needs[i] == 0 {
				require.Equal(t, a.From[i], a.To[i])
				continue
			}
			require.Less(t, a.From[i], a.To[i])
			for j, y := range p.Buffers {
				if a.Needs[j] > 0 {
					together := max(x.First, y.First) < min(x.End, y.End)
					require.Equal(t, together, max(a.From[i], a.From[j]) < min(a.To[i], a.To[j]), "buffers %d and %d", i, j)
				}
			}
		}
		for s, entry := range a.Entries {
			require.Equal(t, a.Loads[s], loadAt(p, entry))
		}
	})
}

func TestLaw_OrdersAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		a, err := problem.Analyze(p)
		require.NoError(t, err)
		var all []int32
		for i := range p.Buffers {
			if a.Needs[i] > 0 {
				all = append(all, int32(i))
			}
		}
		byFirst := slices.Clone(all)
		slices.SortStableFunc(byFirst, func(i, j int32) int { return compare(p.Buffers[i].First, p.Buffers[j].First) })
		require.Equal(t, len(byFirst), len(a.ByFirst))
		if len(byFirst) == 0 {
			return
		}
		require.Equal(t, byFirst, a.ByFirst)
		byEnd := slices.Clone(byFirst)
		slices.SortStableFunc(byEnd, func(i, j int32) int { return compare(p.Buffers[i].End, p.Buffers[j].End) })
		require.Equal(t, byEnd, a.ByEnd)
	})
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestLaw_SorterIsAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spread := rapid.SampledFrom([]int64{1, 5, 1 << 12, 1 << 45, math.MaxInt64}).Draw(t, "spread")
		keys := rapid.SliceOfN(rapid.Int64Range(-spread, spread), 0, 400).Draw(t, "keys")
		indices := rapid.Permutation(seq(len(keys))).Draw(t, "indices")
		want := slices.Clone(indices)
		slices.SortStableFunc(want, func(i, j int32) int { return compare(keys[i], keys[j]) })
		var s problem.Sorter
		s.Sort(indices, keys)
		require.Equal(t, want, indices)
		s.Sort(indices, keys)
		require.Equal(t, want, indices, "a sorter can be used again")
	})
}

func seq(n int) []int32 {
	indices := make([]int32, n)
	for i := range indices {
		indices[i] = int32(i)
	}
	return indices
}

func TestBoundCountsWholeStepsOfAnAlignment(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{
		{End: 2, Bytes: 5, Align: 64}, {End: 2, Bytes: 70, Align: 64}, {First: 1, End: 3, Bytes: 6, Align: 128}, {End: 1, Bytes: 9},
	}}
	a, err := problem.Analyze(p)
	require.NoError(t, err)
	require.Equal(t, int64(84), a.LowerBound)
	require.Equal(t, int64(4*64-59), a.Bound, "the four steps of the first three less the waste of the smallest")
	p.Buffers[3] = problem.Buffer{End: 1, Fixed: true, Offset: 300}
	a, err = problem.Analyze(p)
	require.NoError(t, err)
	require.Equal(t, int64(300), a.Bound, "the fixed buffer's end")
}

func TestLiveIsLargestFirst(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{
		{First: 0, End: 4, Bytes: 10}, {First: 1, End: 3, Bytes: 30}, {First: 2, End: 5, Bytes: 10}, {First: 2, End: 3, Bytes: 0}, {First: 3, End: 9, Bytes: 99},
	}}
	a, err := problem.Analyze(p)
	require.NoError(t, err)
	require.Equal(t, []int{1, 0, 2}, a.Live(2))
	require.Empty(t, a.Live(9))
}

func TestAnalyzeNothing(t *testing.T) {
	a, err := problem.Analyze(&problem.Problem{Buffers: []problem.Buffer{{First: 3, End: 4}}})
	require.NoError(t, err)
	require.Zero(t, a.LowerBound)
	require.Zero(t, a.PeakEntry())
	require.Equal(t, -1, a.PeakSection)
}
