package placement_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
)

// forKinds checks a law of problems of every kind, up to most buffers.
func forKinds(t *testing.T, most int, law func(*rapid.T, *problem.Problem)) {
	for name, k := range map[string]kind{
		"plain":             {most, false, false},
		"aligned":           {most, true, false},
		"fixed":             {most, false, true},
		"aligned and fixed": {most, true, true},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { law(t, drawProblem(t, k)) }))
	}
}

func TestLaw_EveryPlacerIsRight(t *testing.T) {
	forKinds(t, 60, func(t *rapid.T, p *problem.Problem) {
		for _, placer := range placers {
			place(t, p, placement.Options{Placer: placer, Effort: 20_000})
		}
	})
}

func TestLaw_BestIsTheOptimumOfBruteForce(t *testing.T) {
	forKinds(t, 6, func(t *rapid.T, p *problem.Problem) {
		least := optimum(p)
		for _, placer := range placers {
			answer := place(t, p, placement.Options{Placer: placer})
			require.GreaterOrEqual(t, answer.Size, least)
			require.LessOrEqual(t, answer.ProvenBound, least)
			if placer == placement.Best {
				require.Equal(t, least, answer.Size)
				require.True(t, answer.Optimal, "small problems are searched in full")
			}
		}
	})
}

func TestLaw_BestIsNeverWorse(t *testing.T) {
	forKinds(t, 60, func(t *rapid.T, p *problem.Problem) {
		effort := rapid.SampledFrom([]int64{1, 100, 20_000}).Draw(t, "effort")
		best := place(t, p, placement.Options{Placer: placement.Best, Effort: effort})
		require.LessOrEqual(t, best.Size, place(t, p, placement.Options{}).Size)
		more := place(t, p, placement.Options{Placer: placement.Best, Effort: 2 * effort})
		require.LessOrEqual(t, more.Size, best.Size, "more effort")
	})
}

func TestLaw_SameInputSamePlan(t *testing.T) {
	forKinds(t, 40, func(t *rapid.T, p *problem.Problem) {
		for _, placer := range placers {
			o := placement.Options{Placer: placer, Effort: 20_000}
			require.Equal(t, place(t, p, o), place(t, p, o))
		}
	})
}

// mirrored is p with time running backwards.
func mirrored(p *problem.Problem) *problem.Problem {
	m := *p
	m.Buffers = slices.Clone(p.Buffers)
	for i := range m.Buffers {
		b := &m.Buffers[i]
		b.First, b.End = -b.End, -b.First
	}
	return &m
}

// shuffled is p with its buffers in another order.
func shuffled(p *problem.Problem, seed uint64) *problem.Problem {
	s := *p
	s.Buffers = slices.Clone(p.Buffers)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(s.Buffers), func(i, j int) { s.Buffers[i], s.Buffers[j] = s.Buffers[j], s.Buffers[i] })
	return &s
}

// scaled is p with all sizes times a factor.
func scaled(p *problem.Problem, factor int64) *problem.Problem {
	s := *p
	s.Buffers = slices.Clone(p.Buffers)
	s.Granule = p.GranuleBytes() * factor
	for i := range s.Buffers {
		b := &s.Buffers[i]
		b.Bytes, b.Offset, b.Align = b.Bytes*factor, b.Offset*factor, b.Align*factor
	}
	return &s
}

// The order of buffers decides what TLSF does, and Best takes the plan of TLSF should it be the better one. Where alignment
// matters that happens, so the law is checked for problems that the search decides.
func TestLaw_OrderAndDirectionDoNotMatterToBest(t *testing.T) {
	forKinds(t, 40, func(t *rapid.T, p *problem.Problem) {
		for i := range p.Buffers {
			p.Buffers[i].Align = 0
		}
		orderAndDirectionDoNotMatter(t, p, 20_000)
	})
	forKinds(t, 8, func(t *rapid.T, p *problem.Problem) {
		orderAndDirectionDoNotMatter(t, p, 0)
	})
}

func orderAndDirectionDoNotMatter(t *rapid.T, p *problem.Problem, effort int64) {
	o := placement.Options{Placer: placement.Best, Effort: effort}
	size := place(t, p, o).Size
	require.Equal(t, size, place(t, mirrored(p), o).Size, "mirrored")
	require.Equal(t, size, place(t, shuffled(p, rapid.Uint64().Draw(t, "seed")), o).Size, "shuffled")
}

func TestOrderAndDirectionDoNotMatterToBestWhenItIsHard(t *testing.T) {
	for seed := range uint64(3) {
		p, _ := generate.Tight(700, seed)
		o := placement.Options{Placer: placement.Best, Effort: 100_000}
		answer := place(t, p, o)
		require.False(t, answer.Optimal, "the law says more where the search gives up")
		require.Equal(t, answer.Size, place(t, mirrored(p), o).Size)
		require.Equal(t, answer.Size, place(t, shuffled(p, seed), o).Size)
	}
}

func TestLaw_ScalingScales(t *testing.T) {
	forKinds(t, 40, func(t *rapid.T, p *problem.Problem) {
		factor := int64(1) << rapid.IntRange(1, 8).Draw(t, "shift")
		for _, placer := range placers {
			o := placement.Options{Placer: placer, Effort: 20_000}
			require.Equal(t, factor*place(t, p, o).Size, place(t, scaled(p, factor), o).Size, placer)
		}
	})
}

func TestLaw_OddFactorsScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, kind{most: 40})
		p.Granule = 1
		tripled := scaled(p, 3)
		tripled.Granule = 1
		for _, placer := range []placement.Placer{placement.Best, placement.FirstFit, placement.BestFit} {
			o := placement.Options{Placer: placer, Effort: 20_000}
			require.Equal(t, 3*place(t, p, o).Size, place(t, tripled, o).Size, placer)
		}
	})
}

func TestLaw_AddingABufferNeverLowersTheOptimum(t *testing.T) {
	forKinds(t, 8, func(t *rapid.T, p *problem.Problem) {
		if len(p.Buffers) == 0 {
			return
		}
		fewer := *p
		fewer.Buffers = p.Buffers[:len(p.Buffers)-1]
		o := placement.Options{Placer: placement.Best}
		require.LessOrEqual(t, place(t, &fewer, o).Size, place(t, p, o).Size)
	})
}

func TestLaw_BoundIsTheLeastCapacity(t *testing.T) {
	forKinds(t, 6, func(t *rapid.T, p *problem.Problem) {
		least := optimum(p)
		if least < 2 {
			return
		}
		tight := *p
		tight.Capacity = least
		place(t, &tight, placement.Options{Placer: placement.Best})
		tight.Capacity = least - 1
		_, err := placement.Place(context.Background(), &tight, placement.Options{Placer: placement.Best})
		var fault *placement.Error
		require.ErrorAs(t, err, &fault)
		require.Equal(t, placement.Infeasible, fault.Kind)
	})
}
