package solve_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/cmd/tolkplan/internal/worktest"
	"libtolk_memory/planner"
)

// given is a plan in the form in which files hold one.
func given(t require.TestingT, s *read.Schedule, p *solve.Plan) *read.GivenPlan {
	g := &read.GivenPlan{Name: "given", Places: map[int][2]int64{}, Before: p.Before(), After: p.After(), LowerBound: p.LowerBound(), Taken: [][]int{}}
	for i := range p.Arenas {
		g.Arenas = append(g.Arenas, read.GivenArena{Devices: p.Arenas[i].Devices, Size: p.Arenas[i].Size})
		for k, b := range p.Arenas[i].Buffers {
			storage, err := strconv.Atoi(b.ID)
			require.NoError(t, err)
			g.Places[storage] = [2]int64{int64(i), p.Arenas[i].Offsets[k]}
		}
	}
	for entry := range s.Op.NumSources() {
		taken, err := planner.Taken(s.Op.Source(entry))
		require.NoError(t, err)
		list := []int{}
		for _, storage := range taken {
			list = append(list, slices.Index(s.Storage, storage.Op()))
		}
		g.Taken = append(g.Taken, list)
	}
	return g
}

// faults are those of a plan that a file gives.
func faults(t require.TestingT, w *read.Work, g *read.GivenPlan, granule int64) []solve.Fault {
	p, faults, err := solve.Given(w, g, granule)
	require.NoError(t, err)
	return append(faults, solve.Check(p)...)
}

func TestLaw_APlanOfOursIsRightWhenGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, s := worktest.Schedule(t), drawnSettings(t)
		require.Empty(t, faults(t, w, given(t, w.Schedule, work(t, w, s)), s.Granule))
	})
}

// corruption makes a right plan wrong, and tells which fault that is and of which storage, -1 for none in particular. It reports whether
// it could.
type corruption func(t *rapid.T, s *read.Schedule, p *solve.Plan, g *read.GivenPlan) (kind string, storage int, done bool)

func drawnPlace(t *rapid.T, g *read.GivenPlan) int {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(g.Places))).Draw(t, "storage")
}

// moved moves a drawn buffer.
func moved(kind string, to func(p *solve.Plan, at [2]int64) [2]int64) corruption {
	return func(t *rapid.T, _ *read.Schedule, p *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		i := drawnPlace(t, g)
		g.Places[i] = to(p, g.Places[i])
		return kind, i, true
	}
}

// total changes a total.
func total(which func(g *read.GivenPlan) *int64) corruption {
	return func(_ *rapid.T, _ *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		*which(g)++
		return "wrong total", -1, true
	}
}

var corruptions = map[string]corruption{
	"misaligned": moved("misaligned", func(_ *solve.Plan, at [2]int64) [2]int64 { return [2]int64{at[0], at[1] + 1} }),
	"outside":    moved("out of arena", func(p *solve.Plan, at [2]int64) [2]int64 { return [2]int64{at[0], p.Arenas[at[0]].Size} }),
	"negative":   moved("out of arena", func(_ *solve.Plan, at [2]int64) [2]int64 { return [2]int64{at[0], -256} }),
	"no arena":   moved("no such arena", func(p *solve.Plan, _ [2]int64) [2]int64 { return [2]int64{int64(len(p.Arenas)), 0} }),
	"before":     total(func(g *read.GivenPlan) *int64 { return &g.Before }),
	"after":      total(func(g *read.GivenPlan) *int64 { return &g.After }),
	"bound":      total(func(g *read.GivenPlan) *int64 { return &g.LowerBound }),
	"forgotten": func(t *rapid.T, _ *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		i := drawnPlace(t, g)
		delete(g.Places, i)
		return "not placed", i, true
	},
	"stranger": func(_ *rapid.T, s *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		g.Places[len(s.Storage)] = [2]int64{0, 0}
		return "no such storage", len(s.Storage), true
	},
	"not planned": func(_ *rapid.T, s *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		for i := range s.Storage {
			if _, placed := g.Places[i]; !placed {
				g.Places[i] = [2]int64{0, 0}
				return "not planned", i, true
			}
		}
		return "", 0, false
	},
	"device": func(t *rapid.T, _ *read.Schedule, p *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		i := drawnPlace(t, g)
		at := g.Places[i]
		g.Places[i] = [2]int64{(at[0] + 1) % int64(len(p.Arenas)), at[1]}
		return "wrong device", i, len(p.Arenas) > 1
	},
	"larger": func(_ *rapid.T, _ *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		g.Arenas[0].Size++
		return "wrong size", -1, true
	},
	"taken": func(t *rapid.T, _ *read.Schedule, _ *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		entry := rapid.IntRange(0, len(g.Taken)-1).Draw(t, "entry")
		g.Taken[entry] = append(g.Taken[entry], 0)
		return "wrong taken", -1, true
	},
	"overlap": func(_ *rapid.T, _ *read.Schedule, p *solve.Plan, g *read.GivenPlan) (string, int, bool) {
		for i := range p.Arenas {
			a := &p.Arenas[i]
			for k := range a.Buffers {
				for l := range k {
					if a.Problem.Buffers[k].First < a.Problem.Buffers[l].End && a.Problem.Buffers[l].First < a.Problem.Buffers[k].End {
						one, _ := strconv.Atoi(a.Buffers[k].ID)
						g.Places[one] = [2]int64{int64(i), a.Offsets[l]}
						return "overlap", -1, true
					}
				}
			}
		}
		return "", 0, false
	},
}

// TestLaw_ACorruptedPlanIsFound: whatever is made wrong in a right plan is named, with the storage that it is wrong of.
func TestLaw_ACorruptedPlanIsFound(t *testing.T) {
	for name, corrupt := range corruptions {
		t.Run(name, func(t *testing.T) {
			tried := 0
			rapid.Check(t, func(t *rapid.T) {
				w := worktest.Schedule(t)
				p := work(t, w, solve.Settings{})
				if len(p.Arenas) == 0 {
					return
				}
				g := given(t, w.Schedule, p)
				kind, storage, done := corrupt(t, w.Schedule, p, g)
				if !done {
					return
				}
				tried++
				require.True(t, slices.ContainsFunc(faults(t, w, g, 0), func(f solve.Fault) bool {
					return f.Kind == kind && (storage < 0 || f.Buffer == strconv.Itoa(storage))
				}), "a fault %q of storage %d is not among %+v", kind, storage, faults(t, w, g, 0))
			})
			require.Positive(t, tried, "no schedule was drawn that can be corrupted so")
		})
	}
}

// TestLaw_AnAnswerOfOursIsRight, and is found to be wrong with one offset, the size or the bound changed.
func TestLaw_AnAnswerOfOursIsRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, s := worktest.Lifetimes(t, 10), drawnSettings(t)
		p := work(t, w, s)
		if len(p.Arenas) != 1 {
			_, _, err := solve.Answered(w, &read.Answer{}, 0)
			require.ErrorContains(t, err, "in 2")
			return
		}
		a := p.Arenas[0]
		answer := read.Answer{Size: a.Size, Offsets: slices.Clone(a.Offsets), LowerBound: a.LowerBound}
		check := func() (kinds []string) {
			plan, faults, err := solve.Answered(w, &answer, s.Granule)
			require.NoError(t, err)
			for _, f := range append(faults, solve.Check(plan)...) {
				kinds = append(kinds, f.Kind)
			}
			return kinds
		}
		require.Empty(t, check())
		answer.LowerBound++
		require.Equal(t, []string{"wrong total"}, check())
		answer.LowerBound--
		answer.Size++
		require.Equal(t, []string{"wrong size"}, check())
		answer.Offsets[rapid.IntRange(0, len(answer.Offsets)-1).Draw(t, "moved")] = answer.Size + 1<<20
		require.Contains(t, check(), "out of arena")
		answer.Offsets = answer.Offsets[1:]
		_, _, err := solve.Answered(w, &answer, s.Granule)
		require.ErrorContains(t, err, "offsets in one arena")
	})
}

const scheduleText = `{"tolk_schedule": 1, "storage": [{"device": "CUDA:0", "dtype": "float32", "count": 100}, {"device": "CUDA:0", "dtype": "float32", "count": 100}],
 "entries": [{"call": {"body": "program", "args": [0, 1]}}]}`

func TestLifetimesWithoutAnOffsetAreNoPlan(t *testing.T) {
	_, err := solve.GivenLifetimes(&read.Work{Lifetimes: &read.Lifetimes{Buffers: []read.Lifetime{{ID: "a"}}}}, 0)
	require.ErrorContains(t, err, `buffer "a" has no offset`)
}
