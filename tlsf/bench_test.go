package tlsf

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkAllocFree frees one of n live blocks and allocates another, each time.
func BenchmarkAllocFree(b *testing.B) {
	workloads := []struct {
		name string
		size func(r *rand.Rand) (n, align int64)
	}{
		{"equal", func(*rand.Rand) (int64, int64) { return 256, 1 }},
		{"random", func(r *rand.Rand) (int64, int64) { return 1 + r.Int64N(1<<16), 1 }},
		{"aligned", func(r *rand.Rand) (int64, int64) { return 1 + r.Int64N(1<<16), 256 }},
	}
	for _, w := range workloads {
		for _, n := range []int{1000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/tlsf/n=%d", w.name, n), func(b *testing.B) { benchmarkAllocFree(b, w.size, n) })
		}
	}
}

func benchmarkAllocFree(b *testing.B, size func(*rand.Rand) (n, align int64), live int) {
	r := rand.New(rand.NewPCG(1, 2))
	a, err := New(1<<40, 0, 256, 32)
	require.NoError(b, err)
	var load, peak, bound int64
	type held struct{ address, n int64 }
	blocks := make([]held, live)
	alloc := func(i int) {
		n, align := size(r)
		address, ok, err := a.Alloc(n, align)
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		blocks[i] = held{address, n}
		load += n
		bound, peak = max(bound, load), max(peak, address+n)
	}
	for i := range blocks {
		alloc(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		i := r.IntN(live)
		load -= blocks[i].n
		if err := a.Free(blocks[i].address); err != nil {
			b.Fatal(err)
		}
		alloc(i)
	}
	b.ReportMetric(float64(peak)/float64(bound), "arena/bound")
}

func BenchmarkNew(b *testing.B) {
	for _, size := range []int64{1 << 20, 1 << 40} {
		b.Run(fmt.Sprintf("lists=32/tlsf/n=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New(size, 0, 256, 32); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
