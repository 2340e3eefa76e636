package placement_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

func TestPlacersHaveNames(t *testing.T) {
	for placer, name := range map[placement.Placer]string{
		placement.TLSF: "tlsf", placement.Best: "best", placement.FirstFit: "first-fit", placement.BestFit: "best-fit",
	} {
		require.Equal(t, name, placer.String())
		parsed, err := placement.ParsePlacer(name)
		require.NoError(t, err)
		require.Equal(t, placer, parsed)
	}
	_, err := placement.ParsePlacer("worst")
	require.ErrorContains(t, err, `placer is "worst"; it must be tlsf, best, first-fit or best-fit`)
}

func TestNothingToPlace(t *testing.T) {
	for _, placer := range placers {
		answer := place(t, &problem.Problem{}, placement.Options{Placer: placer})
		require.True(t, answer.Optimal)
		require.Empty(t, answer.Offsets)
	}
}

func TestBuffersWithoutBytesTakeNothing(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{{End: 9}, {End: 9, Align: 64}, {End: 9, Bytes: 10}, {End: 9, Fixed: true, Offset: 7}}}
	for _, placer := range placers {
		answer := place(t, p, placement.Options{Placer: placer})
		require.Equal(t, []int64{0, 0, 0, 7}, answer.Offsets)
		require.Equal(t, int64(10), answer.Size)
	}
}

func TestTimesMayBeAnyInteger(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{
		{First: math.MinInt64, End: math.MaxInt64, Bytes: 4}, {First: math.MinInt64, End: 0, Bytes: 2}, {First: 0, End: math.MaxInt64, Bytes: 2},
	}}
	for _, placer := range placers {
		require.Equal(t, int64(6), place(t, p, placement.Options{Placer: placer}).Size)
	}
}

func TestBadArgumentsAreNamed(t *testing.T) {
	one := []problem.Buffer{{End: 1, Bytes: 8}}
	fixedTwice := []problem.Buffer{{End: 1, Bytes: 8}, {End: 5, Bytes: 8, Fixed: true, Offset: 8}, {First: 3, End: 4, Bytes: 8, Fixed: true, Offset: 12}}
	for _, c := range []struct {
		name    string
		problem problem.Problem
		options placement.Options
		want    placement.Error
	}{
		{"placer", problem.Problem{Buffers: one}, placement.Options{Placer: 9}, placement.Error{Kind: placement.BadArgument, Buffer: -1, Field: "placer", Value: 9}},
		{"effort", problem.Problem{Buffers: one}, placement.Options{Effort: -1}, placement.Error{Kind: placement.BadArgument, Buffer: -1, Field: "effort", Value: -1}},
		{"time limit", problem.Problem{Buffers: one}, placement.Options{TimeLimit: -1}, placement.Error{Kind: placement.BadArgument, Buffer: -1, Field: "time limit", Value: -1}},
		{"range", problem.Problem{Buffers: one}, placement.Options{Range: -1}, placement.Error{Kind: placement.BadArgument, Buffer: -1, Field: "range", Value: -1}},
		{"range too small", problem.Problem{Buffers: one}, placement.Options{Range: 7}, placement.Error{Kind: placement.BadArgument, Buffer: 0, Field: "range", Value: 7}},
		{"bytes", problem.Problem{Buffers: []problem.Buffer{{End: 1, Bytes: -1}}}, placement.Options{}, placement.Error{Kind: placement.BadArgument, Buffer: 0, Field: "bytes", Value: -1}},
		{"overflow", problem.Problem{Buffers: []problem.Buffer{{End: 1, Bytes: math.MaxInt64}}}, placement.Options{}, placement.Error{Kind: placement.Overflow, Buffer: 0, Field: "bytes", Value: math.MaxInt64}},
		{"needs past the units of tlsf", problem.Problem{Buffers: []problem.Buffer{{End: 1, Bytes: 1 << 58}}}, placement.Options{},
			placement.Error{Kind: placement.Overflow, Buffer: -1, Field: "twice the sum of the needs", Value: 1 << 59}},
		{"granule", problem.Problem{Granule: 3}, placement.Options{}, placement.Error{Kind: placement.BadArgument, Buffer: -1, Field: "granule", Value: 3}},
		{"fixed ones overlap", problem.Problem{Buffers: fixedTwice}, placement.Options{}, placement.Error{Kind: placement.BadArgument, Buffer: 2, Field: "offset", Value: 12}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := placement.Place(context.Background(), &c.problem, c.options)
			var fault *placement.Error
			require.ErrorAs(t, err, &fault)
			require.NotEmpty(t, fault.Want)
			require.Contains(t, err.Error(), c.want.Field)
			c.want.Want = fault.Want
			require.Equal(t, &c.want, fault)
		})
	}
}

func TestInfeasibleSaysWhatIsInTheWay(t *testing.T) {
	p := &problem.Problem{Capacity: 100, Buffers: []problem.Buffer{
		{First: 0, End: 4, Bytes: 10}, {First: 2, End: 9, Bytes: 70}, {First: 3, End: 5, Bytes: 40}, {First: 4, End: 9, Bytes: 5},
	}}
	for _, placer := range placers {
		_, err := placement.Place(context.Background(), p, placement.Options{Placer: placer})
		require.EqualError(t, err, "capacity 100 cannot be met: the load is 20 bytes over it; "+
			"120 bytes are live at entry 3, the largest buffer 1 of 70, buffer 2 of 40, buffer 0 of 10")
	}
}

// underAFixedOne is a problem whose load is 9 and whose optimum 13: the second buffer cuts the bytes in two.
func underAFixedOne() *problem.Problem {
	return &problem.Problem{Buffers: []problem.Buffer{{End: 1, Bytes: 7}, {End: 1, Bytes: 2, Fixed: true, Offset: 4}}}
}

func TestProofWhereTheLoadCannotBeMet(t *testing.T) {
	p := underAFixedOne()
	answer := place(t, p, placement.Options{Placer: placement.Best})
	require.Equal(t, placement.Exhausted, answer.Proof)
	require.Equal(t, placement.Done, answer.Stopped)
	require.Equal(t, int64(9), answer.LowerBound)
	require.Equal(t, int64(13), answer.ProvenBound)

	p.Capacity = answer.Size - 1
	_, err := placement.Place(context.Background(), p, placement.Options{Placer: placement.Best})
	var fault *placement.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, placement.Infeasible, fault.Kind)
	require.Equal(t, answer.Size, fault.ProvenBound)
	require.ErrorContains(t, err, "no arena is smaller than")
}

// TestFixedEndBetweenTwoUnits has a bound, 14, that no plan can have exactly: sizes differ by units of 4, and the optimum is 16.
func TestFixedEndBetweenTwoUnits(t *testing.T) {
	p := &problem.Problem{Buffers: []problem.Buffer{
		{End: 1, Bytes: 8}, {End: 1, Bytes: 4, Fixed: true, Offset: 4}, {End: 1, Fixed: true, Offset: 14},
	}}
	require.Equal(t, int64(16), optimum(p))
	answer := place(t, p, placement.Options{Placer: placement.Best})
	require.Equal(t, int64(16), answer.ProvenBound)
	p.Capacity = 16
	require.Equal(t, int64(16), place(t, p, placement.Options{Placer: placement.Best}).Size)
}

func TestNotFoundIsNotInfeasible(t *testing.T) {
	p, size := generate.Tight(100, 1)
	p.Capacity = size
	for _, o := range []placement.Options{{Placer: placement.TLSF}, {Placer: placement.FirstFit}, {Placer: placement.Best, Effort: 1}} {
		_, err := placement.Place(context.Background(), p, o)
		var fault *placement.Error
		require.ErrorAs(t, err, &fault)
		require.Equal(t, placement.NotFound, fault.Kind)
		require.Greater(t, fault.Size, size)
		require.Equal(t, size, fault.ProvenBound)
		require.ErrorContains(t, err, "was not met within the effort")
	}
	require.Equal(t, size, place(t, p, placement.Options{Placer: placement.Best}).Size)
}

func TestCancellingGivesAPlan(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	p, _ := generate.Tight(3000, 1)
	for _, placer := range placers {
		answer, err := placement.Place(cancelled, p, placement.Options{Placer: placer})
		require.NoError(t, err)
		require.Empty(t, verify.Check(p, answer.Offsets, answer.Size))
		if placer != placement.TLSF {
			require.Equal(t, placement.Cancelled, answer.Stopped)
		}
	}
}

func TestCancellingDuringTheSearch(t *testing.T) {
	p, _ := generate.Tight(700, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	answer, err := placement.Place(ctx, p, placement.Options{Placer: placement.Best, Effort: math.MaxInt64, Progress: func(now placement.Progress) {
		if calls++; now.Spent > 100_000 {
			cancel()
		}
	}})
	require.NoError(t, err)
	require.Positive(t, calls)
	require.Equal(t, placement.Cancelled, answer.Stopped)
	require.Empty(t, verify.Check(p, answer.Offsets, answer.Size))
}

func TestTimeLimitGivesAPlan(t *testing.T) {
	for _, n := range []int{700, 3000, 30_000} {
		p, _ := generate.Tight(n, 1)
		answer, err := placement.Place(context.Background(), p,
			placement.Options{Placer: placement.Best, Effort: math.MaxInt64, TimeLimit: 20 * time.Millisecond})
		require.NoError(t, err)
		require.Equal(t, placement.TimedOut, answer.Stopped)
		require.Empty(t, verify.Check(p, answer.Offsets, answer.Size))
	}
}

func TestProgressOnlyImproves(t *testing.T) {
	p, _ := generate.Tight(300, 2)
	last := placement.Progress{Size: math.MaxInt64}
	answer, err := placement.Place(context.Background(), p, placement.Options{Placer: placement.Best, Effort: 50_000, Progress: func(now placement.Progress) {
		require.LessOrEqual(t, now.Size, last.Size)
		require.GreaterOrEqual(t, now.Bound, last.Bound)
		require.GreaterOrEqual(t, now.Spent, last.Spent)
		last = now
	}})
	require.NoError(t, err)
	require.Equal(t, answer.Size, last.Size)
}

// TestManyEqualBuffers needs the rule of twins: without it the search tries them in every order.
func TestManyEqualBuffers(t *testing.T) {
	p := &problem.Problem{}
	for range 30 {
		p.Buffers = append(p.Buffers, problem.Buffer{End: 2, Bytes: 5})
	}
	for range 3 {
		p.Buffers = append(p.Buffers, problem.Buffer{End: 1, Bytes: 7, Align: 8})
	}
	answer := place(t, p, placement.Options{Placer: placement.Best})
	require.True(t, answer.Optimal)
}
