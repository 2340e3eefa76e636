package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/placement"
)

func workloads(t *testing.T) (all []*workload) {
	for _, family := range families {
		w, err := newWorkload(family.make(100, 1))
		require.NoError(t, err)
		all = append(all, w)
	}
	return all
}

// TestOurs: the allocator, the placer and the planner follow one rule, so that they find one size.
func TestOurs(t *testing.T) {
	byRule := []contestant{ourAllocator(), ourPlacers()[0], ourPlanner(placement.TLSF)}
	for _, w := range workloads(t) {
		var sizes []int64
		for _, c := range byRule {
			sizes = append(sizes, sizeOf(t, c, w))
		}
		require.Len(t, slices.Compact(sizes), 1)
	}
}

// TestPeers: each peer that can be had runs and needs the bound at least. Those that follow our rule find our arenas.
func TestPeers(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, copySources(folder))
	for _, p := range slices.Concat(allocators, planners) {
		t.Run(p.name, func(t *testing.T) {
			command, err := p.prepare(folder)
			if err != nil {
				t.Skipf("it needs %s: %v", p.needs, err)
			}
			for _, w := range workloads(t) {
				size := sizeOf(t, p.contestant(command), w)
				if strings.HasPrefix(p.name, "tinygrad") {
					require.Equal(t, sizeOf(t, ourAllocator(), w), size)
				}
			}
		})
	}
}

func sizeOf(t *testing.T, c contestant, w *workload) int64 {
	r, err := c.run(w, 2)
	require.NoError(t, err)
	require.Len(t, r.times, 2)
	require.GreaterOrEqual(t, r.size, w.bound)
	return r.size
}

func TestMissingPeersAreNamed(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, copySources(folder))
	_, err := peer{name: "none", source: "none.cpp"}.prepare(folder)
	require.Error(t, err)
	_, err = peer{name: "none", source: "none.py"}.prepare(folder)
	require.Error(t, err)
}

func TestTable(t *testing.T) {
	w := &workload{needs: make([]int64, 100), bound: 1000}
	table := newTable("family", []group{{"what", []contestant{{name: "ours"}, {name: "theirs"}, {name: "too slow"}}}})
	table.addColumn(w)
	table.add("what", "ours", result{1000, []float64{500, 400, 900}})
	table.add("what", "theirs", result{1500, []float64{2000}})
	var out bytes.Buffer
	table.print(&out)
	require.Equal(t, `
### family

Bytes over the lower bound:

| buffers | 100 |
| --- | --- |
| *what* |  |
| ours | 1.000 |
| theirs | 1.500 |
| too slow |  |

Nanoseconds a buffer (over those of the group's first row):

| buffers | 100 |
| --- | --- |
| *what* |  |
| ours | 5 (1.00) |
| theirs | 20 (4.00) |
| too slow |  |
`, out.String())
}
