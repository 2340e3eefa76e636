package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// FuzzCheck gives Check problems and plans of any numbers: it answers, and what it names exists.
func FuzzCheck(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		p := &problem.Problem{Granule: rapid.Int64().Draw(t, "granule"), Capacity: rapid.Int64().Draw(t, "capacity")}
		if rapid.Bool().Draw(t, "plain") {
			p.Granule, p.Capacity = 1, 0
		}
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			p.Buffers = append(p.Buffers, problem.Buffer{
				First: rapid.Int64().Draw(t, "first"), End: rapid.Int64().Draw(t, "end"), Bytes: rapid.Int64().Draw(t, "bytes"),
				Align: rapid.SampledFrom([]int64{0, 1, 16, 1 << 30, -4, 3}).Draw(t, "align"),
				Fixed: rapid.Bool().Draw(t, "fixed"), Offset: rapid.Int64().Draw(t, "offset"),
			})
		}
		offsets := rapid.SliceOfN(rapid.Int64(), len(p.Buffers), len(p.Buffers)).Draw(t, "offsets")
		for _, fault := range verify.Check(p, offsets, rapid.Int64().Draw(t, "size")) {
			require.Less(t, fault.Buffer, len(p.Buffers))
			require.Less(t, fault.Other, len(p.Buffers))
			require.NotEmpty(t, fault.Error())
		}
	}))
}
