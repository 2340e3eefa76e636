package solve_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/cmd/tolkplan/internal/worktest"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// drawnSettings are any placer, and either way to treat copies.
func drawnSettings(t *rapid.T) solve.Settings {
	placer := rapid.SampledFrom([]placement.Placer{placement.TLSF, placement.Best, placement.FirstFit, placement.BestFit}).Draw(t, "placer")
	copies := rapid.SampledFrom([]planner.Copies{planner.CopiesShared, planner.CopiesApart}).Draw(t, "copies")
	return solve.Settings{Placer: &placer, Copies: &copies, Granule: rapid.SampledFrom([]int64{0, 1, 64}).Draw(t, "granule")}
}

func work(t require.TestingT, w *read.Work, s solve.Settings) *solve.Plan {
	p, err := solve.Work(context.Background(), w, s)
	require.NoError(t, err)
	return p
}

// loadAt is the bytes live at an entry.
func loadAt(a *solve.Arena, entry int64) (load int64) {
	for i := range a.Problem.Buffers {
		if b := &a.Problem.Buffers[i]; b.First <= entry && entry < b.End {
			load += a.Problem.Need(i)
		}
	}
	return load
}

// requireMeasured counts again what an arena says of itself.
func requireMeasured(t *rapid.T, a *solve.Arena) {
	size, bound, peak := int64(0), int64(0), int64(-1)
	for i := range a.Problem.Buffers {
		size = max(size, a.Offsets[i]+a.Problem.Need(i))
	}
	for entry := int64(-2); entry < 64; entry++ {
		if load := loadAt(a, entry); load > bound {
			bound, peak = load, entry
		}
	}
	require.Equal(t, size, a.Size)
	require.Equal(t, bound, a.LowerBound)
	if bound > 0 {
		require.Equal(t, peak, a.Peak)
	}
	require.LessOrEqual(t, a.LowerBound, a.ProvenBound)
	require.LessOrEqual(t, a.ProvenBound, a.Size)
	require.Equal(t, a.Optimal, a.Size == a.ProvenBound)
}

func TestLaw_PlansOfSchedulesAreRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, s := worktest.Schedule(t), drawnSettings(t)
		p := work(t, w, s)
		require.Empty(t, solve.Check(p))
		before := int64(0)
		for i := range p.Arenas {
			requireMeasured(t, &p.Arenas[i])
			for k := range p.Arenas[i].Buffers {
				before += p.Arenas[i].Problem.Need(k)
			}
		}
		require.Equal(t, before, p.Before())
		requireWhereEachIs(t, w.Schedule, p, *s.Copies)
	})
}

// requireWhereEachIs says of all storage that it is either planned, from the first entry that takes it to the last, or apart, or never taken.
func requireWhereEachIs(t *rapid.T, s *read.Schedule, p *solve.Plan, copies planner.Copies) {
	takers := map[ir.Op][]int64{}
	for entry := range s.Op.NumSources() {
		taken, err := planner.Taken(s.Op.Source(entry))
		require.NoError(t, err)
		for _, storage := range taken {
			takers[storage.Op()] = append(takers[storage.Op()], int64(entry))
		}
	}
	found := map[string][]int64{}
	for i := range p.Arenas {
		for k, b := range p.Arenas[i].Buffers {
			require.NotContains(t, found, b.ID)
			found[b.ID] = b.Takers
			at := &p.Arenas[i].Problem.Buffers[k]
			require.Equal(t, b.Takers[0], at.First)
			if copies == planner.CopiesShared {
				require.Equal(t, b.Takers[len(b.Takers)-1]+1, at.End)
			}
		}
	}
	for _, a := range p.Apart {
		require.NotContains(t, found, a.ID)
		found[a.ID] = a.Takers
	}
	for i, op := range s.Storage {
		require.Equal(t, takers[op], found[s.IDs[i]])
	}
}

func TestLaw_PlansOfLifetimesAreRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, s := worktest.Lifetimes(t, 20), drawnSettings(t)
		p := work(t, w, s)
		require.Empty(t, solve.Check(p))
		for i := range p.Arenas {
			requireMeasured(t, &p.Arenas[i])
		}
		fixed := fixedAt(w, p)
		given, err := solve.GivenLifetimes(fixed, s.Granule)
		require.NoError(t, err)
		require.Empty(t, solve.Check(given))
		again := work(t, fixed, s)
		for i := range p.Arenas {
			requireMeasured(t, &given.Arenas[i])
			require.Equal(t, p.Arenas[i].Offsets, given.Arenas[i].Offsets)
			require.Equal(t, p.Arenas[i].Offsets, again.Arenas[i].Offsets, "planned again it stays")
		}
		s.Anew = true
		require.Equal(t, p.After(), work(t, fixed, s).After(), "placed anew it is as before")
	})
}

// fixedAt is lifetimes with the offsets of a plan.
func fixedAt(w *read.Work, p *solve.Plan) *read.Work {
	offset := map[string]int64{}
	for i := range p.Arenas {
		for k, b := range p.Arenas[i].Buffers {
			offset[b.ID] = p.Arenas[i].Offsets[k]
		}
	}
	fixed := &read.Lifetimes{HasArenas: w.Lifetimes.HasArenas}
	for _, b := range w.Lifetimes.Buffers {
		b.Fixed, b.Offset = true, offset[b.ID]
		fixed.Buffers = append(fixed.Buffers, b)
	}
	return &read.Work{Name: w.Name, Lifetimes: fixed}
}

// TestLaw_CapacitiesHoldOrAreUnmet: the plan's own size is enough, and less than the load is proven to be too little.
func TestLaw_CapacitiesHoldOrAreUnmet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Custom(worktest.Schedule)
		if rapid.Bool().Draw(t, "lifetimes") {
			w = rapid.Custom(func(t *rapid.T) *read.Work { return worktest.Lifetimes(t, 12) })
		}
		one, s := w.Draw(t, "work"), drawnSettings(t)
		*s.Copies = planner.CopiesShared // apart, a device has two arenas
		p := work(t, one, s)
		if len(p.Arenas) == 0 || p.Arenas[0].LowerBound == 0 {
			return
		}
		a := &p.Arenas[0]
		s.Capacities = []solve.Capacity{{Device: a.Name, Bytes: a.Size}}
		require.LessOrEqual(t, work(t, one, s).Arenas[0].Size, a.Size)

		s.Capacities[0].Bytes = a.LowerBound - 1
		if s.Capacities[0].Bytes == 0 {
			return
		}
		_, err := solve.Work(context.Background(), one, s)
		var unmet *solve.Unmet
		require.ErrorAs(t, err, &unmet)
		require.True(t, unmet.Impossible)
		require.Equal(t, []any{a.Name, a.LowerBound - 1, a.LowerBound}, []any{unmet.Arena, unmet.Capacity, unmet.Load})
		require.Equal(t, a.LowerBound, loadAt(a, unmet.Entry))
		require.NotEmpty(t, unmet.Largest)

		require.NoError(t, solve.Limit(p, &s))
		faults := solve.Check(p)
		require.Len(t, faults, 1)
		require.Equal(t, "over capacity", faults[0].Kind)
	})
}

// TestLaw_WithoutAPlanNothingIsShared: the plan "before" is right too, and no larger than the needs but for what alignments cost.
func TestLaw_WithoutAPlanNothingIsShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := work(t, worktest.Lifetimes(t, 20), drawnSettings(t)).Unplanned()
		require.Empty(t, solve.Check(p))
		for i := range p.Arenas {
			a := &p.Arenas[i]
			for k := 1; k < len(a.Offsets); k++ {
				end := a.Offsets[k-1] + a.Problem.Need(k-1)
				require.Equal(t, problem.AlignUp(end, a.Problem.Alignment(k)), a.Offsets[k])
			}
		}
	})
}

func TestFixedBuffersThatOverlapAreNamed(t *testing.T) {
	buffer := func(id string, offset int64) read.Lifetime {
		return read.Lifetime{ID: id, Name: "conv", Buffer: problem.Buffer{First: 1, End: 3, Bytes: 4, Fixed: true, Offset: offset}}
	}
	w := &read.Work{Lifetimes: &read.Lifetimes{Buffers: []read.Lifetime{buffer("a", 0), buffer("b", 4), buffer("c", 6)}}}
	_, err := solve.Work(context.Background(), w, solve.Settings{})
	require.ErrorContains(t, err, "buffers b (conv) and c (conv) both live at entry 1 and share the bytes [6, 8)")
	_, err = solve.Work(context.Background(), w, solve.Settings{Anew: true})
	require.NoError(t, err)
}

func TestSettingsThatDoNotFit(t *testing.T) {
	lifetimes := &read.Work{Lifetimes: &read.Lifetimes{Buffers: []read.Lifetime{{ID: "a", Buffer: problem.Buffer{End: 1, Bytes: 4}}}}}
	works, err := read.Data("a.json", []byte(scheduleText), read.Settings{})
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		work *read.Work
		s    solve.Settings
		want string
	}{
		{"hold lifetimes", lifetimes, solve.Settings{Hold: []string{"a"}}, "lifetimes have no held buffers"},
		{"capacity of lifetimes", lifetimes, solve.Settings{Capacities: []solve.Capacity{{Device: "CPU", Bytes: 1}}}, `--capacity names "CPU"`},
		{"capacity", works[0], solve.Settings{Capacities: []solve.Capacity{{Device: "CUDA:1", Bytes: 1}}}, `the first arena is on "CUDA:0"`},
		{"hold", works[0], solve.Settings{Hold: []string{"b"}}, `--hold names "b", which is no storage`},
		{"release", works[0], solve.Settings{Release: []string{"inputs"}}, `--release names "inputs"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := solve.Work(context.Background(), c.work, c.s)
			var wrong *solve.SettingError
			require.ErrorAs(t, err, &wrong)
			require.ErrorContains(t, err, c.want)
		})
	}
}
