package problem_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/placement/problem"
)

func TestValidateNamesTheFault(t *testing.T) {
	good := problem.Buffer{First: 0, End: 1, Bytes: 8}
	with := func(change func(*problem.Buffer)) *problem.Problem {
		b := good
		change(&b)
		return &problem.Problem{Buffers: []problem.Buffer{good, b}}
	}
	for _, c := range []struct {
		name     string
		problem  *problem.Problem
		buffer   int
		field    string
		overflow bool
	}{
		{"empty lifetime", with(func(b *problem.Buffer) { b.End = 0 }), 1, "end", false},
		{"lifetime backwards", with(func(b *problem.Buffer) { b.First, b.End = 5, 3 }), 1, "end", false},
		{"negative bytes", with(func(b *problem.Buffer) { b.Bytes = -1 }), 1, "bytes", false},
		{"huge bytes", with(func(b *problem.Buffer) { b.Bytes = math.MaxInt64 }), 1, "bytes", true},
		{"sum of bytes", with(func(b *problem.Buffer) { b.Bytes = problem.Limit - 7 }), 1, "bytes", true},
		{"align of 3", with(func(b *problem.Buffer) { b.Align = 3 }), 1, "align", false},
		{"negative align", with(func(b *problem.Buffer) { b.Align = -8 }), 1, "align", false},
		{"align of 2 GiB", with(func(b *problem.Buffer) { b.Align = 1 << 31 }), 1, "align", false},
		{"negative offset", with(func(b *problem.Buffer) { b.Fixed, b.Offset = true, -1 }), 1, "offset", false},
		{"misaligned offset", with(func(b *problem.Buffer) { b.Fixed, b.Offset, b.Align = true, 24, 16 }), 1, "offset", false},
		{"huge offset", with(func(b *problem.Buffer) { b.Fixed, b.Offset = true, math.MaxInt64 }), 1, "offset", true},
		{"highest fixed byte", with(func(b *problem.Buffer) { b.Fixed, b.Offset = true, problem.Limit }), 1, "bytes", true},
		{"granule of 3", &problem.Problem{Granule: 3}, -1, "granule", false},
		{"negative granule", &problem.Problem{Granule: -1}, -1, "granule", false},
		{"negative capacity", &problem.Problem{Capacity: -1}, -1, "capacity", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fault *problem.Error
			require.ErrorAs(t, c.problem.Validate(), &fault)
			require.Equal(t, c.buffer, fault.Buffer)
			require.Equal(t, c.field, fault.Field)
			require.Equal(t, c.overflow, fault.Overflow)
			require.Contains(t, fault.Error(), c.field)
			_, err := problem.Analyze(c.problem)
			require.Equal(t, fault, err)
		})
	}
}

func TestValidateTakesTheExtremes(t *testing.T) {
	for name, b := range map[string]problem.Buffer{
		"all of time":    {First: math.MinInt64, End: math.MaxInt64, Bytes: 1},
		"no bytes":       {End: 1},
		"1 GiB aligned":  {End: 1, Bytes: 1, Align: 1 << 30},
		"all the bytes":  {End: 1, Bytes: problem.Limit},
		"fixed anywhere": {End: 1, Bytes: 1, Fixed: true, Offset: 12345},
		"highest fixed":  {End: 1, Bytes: 1, Fixed: true, Offset: problem.Limit - 2},
	} {
		p := problem.Problem{Buffers: []problem.Buffer{b}}
		require.NoError(t, p.Validate(), name)
	}
}

func TestNeedsAreWholeGranules(t *testing.T) {
	p := problem.Problem{Granule: 256, Buffers: []problem.Buffer{{Bytes: 0}, {Bytes: 1}, {Bytes: 256}, {Bytes: 257}}}
	for i, need := range []int64{0, 256, 256, 512} {
		require.Equal(t, need, p.Need(i))
	}
	p.Granule = 0
	require.Equal(t, int64(257), p.Need(3))
}

func TestAlignment(t *testing.T) {
	p := problem.Problem{Granule: 64, Buffers: []problem.Buffer{
		{}, {Align: 16}, {Align: 4096}, {Fixed: true}, {Fixed: true, Align: 16},
	}}
	for i, align := range []int64{64, 64, 4096, 1, 16} {
		require.Equal(t, align, p.Alignment(i), i)
	}
}
