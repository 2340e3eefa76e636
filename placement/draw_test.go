package placement_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

var placers = []placement.Placer{placement.TLSF, placement.Best, placement.FirstFit, placement.BestFit}

// kind is what the drawn problems may hold.
type kind struct {
	most    int // buffers
	aligned bool
	fixed   bool
}

// drawProblem draws a problem whose fixed buffers share no bytes.
func drawProblem(t *rapid.T, k kind) *problem.Problem {
	p := &problem.Problem{Granule: rapid.SampledFrom([]int64{0, 1, 4, 256}).Draw(t, "granule")}
	entries := rapid.Int64Range(1, 16).Draw(t, "entries")
	largest := rapid.SampledFrom([]int64{3, 10, 5000}).Draw(t, "largest")
	for range rapid.IntRange(0, k.most).Draw(t, "n") {
		first := rapid.Int64Range(0, entries-1).Draw(t, "first")
		b := problem.Buffer{First: first, End: rapid.Int64Range(first+1, entries).Draw(t, "end"), Bytes: rapid.Int64Range(0, largest).Draw(t, "bytes")}
		if k.aligned && rapid.IntRange(0, 2).Draw(t, "align") == 0 {
			b.Align = 1 << rapid.IntRange(0, 12).Draw(t, "shift")
		}
		if k.fixed && rapid.IntRange(0, 3).Draw(t, "fix") == 0 {
			b.Fixed = true
			b.Offset = rapid.Int64Range(0, 3*largest).Draw(t, "offset") / max(b.Align, 1) * max(b.Align, 1)
		}
		if b.Fixed && meetsFixed(p, b) {
			b.Fixed, b.Offset = false, 0
		}
		p.Buffers = append(p.Buffers, b)
	}
	return p
}

// meetsFixed is whether b would share bytes with a fixed buffer of p.
func meetsFixed(p *problem.Problem, b problem.Buffer) bool {
	end := b.Offset + problem.AlignUp(b.Bytes, p.GranuleBytes())
	for i, f := range p.Buffers {
		if f.Fixed && max(f.First, b.First) < min(f.End, b.End) && max(f.Offset, b.Offset) < min(f.Offset+p.Need(i), end) {
			return true
		}
	}
	return false
}

// place places p and checks the plan and all that the answer says of it.
func place(t require.TestingT, p *problem.Problem, o placement.Options) *placement.Answer {
	answer, err := placement.Place(context.Background(), p, o)
	require.NoError(t, err)
	require.Empty(t, verify.Check(p, answer.Offsets, answer.Size))
	a, err := problem.Analyze(p)
	require.NoError(t, err)
	require.Equal(t, a.LowerBound, answer.LowerBound)
	require.Equal(t, a.PeakEntry(), answer.PeakEntry)
	require.GreaterOrEqual(t, answer.ProvenBound, answer.LowerBound)
	require.GreaterOrEqual(t, answer.Size, answer.ProvenBound)
	require.Equal(t, answer.Size == answer.ProvenBound, answer.Optimal)
	require.Equal(t, answer.Optimal, answer.Proof != placement.NoProof)
	return answer
}

// optimum is the least size there is, by brute force: in some order, each buffer lies as low as those before it let it.
func optimum(p *problem.Problem) int64 {
	b := bruteForce{p, make([]int64, len(p.Buffers)), make([]bool, len(p.Buffers)), math.MaxInt64}
	b.try(0, 0)
	return b.best
}

type bruteForce struct {
	*problem.Problem
	offsets []int64
	placed  []bool
	best    int64
}

func (b *bruteForce) try(count int, size int64) {
	if count == len(b.placed) {
		b.best = min(b.best, size)
		return
	}
	for i := range b.placed {
		if b.placed[i] {
			continue
		}
		offset, ok := b.lowest(i)
		if !ok {
			continue
		}
		b.placed[i], b.offsets[i] = true, offset
		b.try(count+1, max(size, offset+b.Need(i)))
		b.placed[i] = false
	}
}

// lowest is the offset on top of all that are placed and live with buffer i, false if it is fixed below that.
func (b *bruteForce) lowest(i int) (int64, bool) {
	x, low := b.Buffers[i], int64(0)
	for j, y := range b.Buffers {
		if b.placed[j] && max(x.First, y.First) < min(x.End, y.End) {
			low = max(low, b.offsets[j]+b.Need(j))
		}
	}
	switch {
	case b.Need(i) == 0 && !x.Fixed:
		return 0, true
	case x.Fixed:
		return x.Offset, low <= x.Offset || b.Need(i) == 0
	}
	return problem.AlignUp(low, b.Alignment(i)), true
}

func TestBruteForceKnowsTheOptimum(t *testing.T) {
	for _, c := range []struct {
		name    string
		buffers []problem.Buffer
		optimum int64
	}{
		{"nothing", nil, 0},
		{"one", []problem.Buffer{{End: 1, Bytes: 7}}, 7},
		{"together", []problem.Buffer{{End: 1, Bytes: 7}, {End: 1, Bytes: 5}}, 12},
		{"apart", []problem.Buffer{{End: 1, Bytes: 7}, {First: 1, End: 2, Bytes: 5}}, 7},
		{"under a fixed one", []problem.Buffer{{End: 1, Bytes: 7}, {End: 1, Bytes: 5, Fixed: true, Offset: 9}}, 14},
		{"over a fixed one", []problem.Buffer{{End: 1, Bytes: 7}, {End: 1, Bytes: 5, Fixed: true, Offset: 3}}, 15},
		{"aligned", []problem.Buffer{{End: 1, Bytes: 7, Align: 8}, {End: 1, Bytes: 7, Align: 8}}, 15},
	} {
		require.Equal(t, c.optimum, optimum(&problem.Problem{Buffers: c.buffers}), c.name)
	}
}
