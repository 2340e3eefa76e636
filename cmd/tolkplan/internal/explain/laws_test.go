package explain_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/explain"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/cmd/tolkplan/internal/worktest"
	"libtolk_memory/placement/problem"
)

// first and last are the entries that drawn buffers may live in.
const first, last = int64(-2), int64(40)

// drawnExplanation is an arena and why it is as large as it is. It is false if what was drawn has no arena.
func drawnExplanation(t *rapid.T) (*solve.Arena, *explain.Arena, bool) {
	works := []*rapid.Generator[*read.Work]{rapid.Custom(worktest.Schedule),
		rapid.Custom(func(t *rapid.T) *read.Work { return worktest.Lifetimes(t, 15) })}
	w := rapid.SampledFrom(works).Draw(t, "form").Draw(t, "work")
	p, err := solve.Work(context.Background(), w, solve.Settings{})
	require.NoError(t, err)
	if len(p.Arenas) == 0 {
		return nil, nil, false
	}
	a := &p.Arenas[rapid.IntRange(0, len(p.Arenas)-1).Draw(t, "arena")]
	e, err := explain.Of(a, nil)
	require.NoError(t, err)
	return a, e, true
}

// loads is the bytes live at each entry from first to last without some buffers, counted entry by entry.
func loads(a *solve.Arena, without ...string) map[int64]int64 {
	count := map[int64]int64{}
	for i := range a.Problem.Buffers {
		for entry := a.Problem.Buffers[i].First; entry < a.Problem.Buffers[i].End; entry++ {
			if !slices.Contains(without, a.Buffers[i].ID) {
				count[entry] += a.Problem.Need(i)
			}
		}
	}
	return count
}

func greatest(loads map[int64]int64) (most int64) {
	for _, load := range loads {
		most = max(most, load)
	}
	return most
}

// TestLaw_ThePeakIsWhereMostIsLive counts again what is said of the peak.
func TestLaw_ThePeakIsWhereMostIsLive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, e, drawn := drawnExplanation(t)
		if !drawn {
			return
		}
		count := loads(a)
		require.Equal(t, greatest(count), e.LowerBound)
		require.Equal(t, a.Size, e.Size)
		if e.LowerBound == 0 {
			require.Empty(t, e.Live)
			return
		}
		require.Equal(t, e.LowerBound, count[e.PeakEntry])
		for entry := first; entry < e.PeakEntry; entry++ {
			require.Less(t, count[entry], e.LowerBound, "the peak is the first entry of the greatest load")
		}
		require.InDelta(t, float64(e.Size)-float64(e.LowerBound), e.Fragmentation*float64(e.Size), 1e-6*float64(e.Size))
		requireLive(t, a, e)
	})
}

// requireLive says that the listed buffers are those that live at the peak and need bytes, the largest first.
func requireLive(t *rapid.T, a *solve.Arena, e *explain.Arena) {
	var want, got []string
	notNow := int64(0)
	for i, b := range a.Buffers {
		p := &a.Problem.Buffers[i]
		if p.First > e.PeakEntry || p.End <= e.PeakEntry || a.Problem.Need(i) == 0 {
			continue
		}
		want = append(want, b.ID)
		if len(b.Takers) > 0 && !slices.Contains(b.Takers, e.PeakEntry) {
			notNow += a.Problem.Need(i)
		}
	}
	for k, l := range e.Live {
		got = append(got, l.Buffer)
		require.True(t, k == 0 || e.Live[k-1].Need >= l.Need)
		i := slices.IndexFunc(a.Buffers, func(b solve.Buffer) bool { return b.ID == l.Buffer })
		require.Equal(t, a.Problem.Need(i), l.Need)
		require.Equal(t, [2]int64{a.Problem.Buffers[i].First, a.Problem.Buffers[i].End}, [2]int64{l.First, l.End})
		requireTakers(t, a.Buffers[i].Takers, e.PeakEntry, l)
	}
	require.ElementsMatch(t, want, got)
	require.Equal(t, notNow, e.NotNow)
}

func requireTakers(t *rapid.T, takers []int64, peak int64, l explain.Live) {
	before, after := int64(-1), int64(-1)
	for _, entry := range takers {
		if entry < peak {
			before = entry
		}
		if entry > peak && after < 0 {
			after = entry
		}
	}
	require.Equal(t, [2]int64{before, after}, [2]int64{l.LastTaken, l.NextTaken})
	require.Equal(t, len(takers) == 0 || slices.Contains(takers, peak), l.Taken)
}

// TestLaw_ATenthIsSaved: without the buffers that have to go the load is what is said, and no more than nine tenths; where one buffer is
// enough, one is named, the smallest that is.
func TestLaw_ATenthIsSaved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, e, drawn := drawnExplanation(t)
		if !drawn {
			return
		}
		if e.LowerBound == 0 {
			require.Nil(t, e.Save)
			return
		}
		s := e.Save
		require.NotNil(t, s)
		require.LessOrEqual(t, 10*s.Target, 9*e.LowerBound, "the target is nine tenths, rounded down")
		require.Greater(t, 10*(s.Target+1), 9*e.LowerBound)
		var gone []string
		for _, l := range s.Go {
			gone = append(gone, l.Buffer)
		}
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(gone))), len(gone))
		require.Equal(t, greatest(loads(a, gone...)), s.Load)
		require.LessOrEqual(t, s.Load, s.Target)
		require.Greater(t, greatest(loads(a, gone[:len(gone)-1]...)), s.Target, "the last is needed")
		requireFewest(t, a, s)
		requireSpans(t, loads(a), s)
	})
}

func requireFewest(t *rapid.T, a *solve.Arena, s *explain.Save) {
	smallest := int64(-1)
	for i, b := range a.Buffers {
		if need := a.Problem.Need(i); greatest(loads(a, b.ID)) <= s.Target && (smallest < 0 || need < smallest) {
			smallest = need
		}
	}
	if smallest >= 0 {
		require.Len(t, s.Go, 1)
		require.Equal(t, smallest, s.Go[0].Need)
	} else {
		require.Greater(t, len(s.Go), 1)
	}
}

// requireSpans says that the spans are the runs of entries whose load is above the target.
func requireSpans(t *rapid.T, count map[int64]int64, s *explain.Save) {
	var runs []explain.Span
	for entry := first; entry <= last; entry++ {
		if count[entry] <= s.Target {
			continue
		}
		if count[entry-1] > s.Target {
			runs[len(runs)-1].Last = entry
		} else {
			runs = append(runs, explain.Span{First: entry, Last: entry})
		}
	}
	require.Equal(t, len(runs), len(s.Spans)+s.More)
	require.Equal(t, runs[:len(s.Spans)], s.Spans)
}

// TestTooManyToGo: of very many equal buffers more than fifty would have to go, and none is named.
func TestTooManyToGo(t *testing.T) {
	for _, c := range []struct{ buffers, goes int }{{500, 50}, {510, -1}} {
		a := &solve.Arena{Problem: problem.Problem{}}
		for range c.buffers {
			a.Problem.Buffers = append(a.Problem.Buffers, problem.Buffer{First: 0, End: 1, Bytes: 8})
			a.Buffers = append(a.Buffers, solve.Buffer{ID: "b"})
		}
		e, err := explain.Of(a, []string{"conv"})
		require.NoError(t, err)
		require.Equal(t, "conv", e.PeakLabel)
		if c.goes < 0 {
			require.Nil(t, e.Save)
		} else {
			require.Len(t, e.Save.Go, c.goes)
		}
	}
}
