package ir_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
)

func TestAMillionNestedViews(t *testing.T) {
	const deep = 1000000
	k := newKit()
	view := must(k.g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 2 * deep, Placement: k.one}))
	base := view
	for i := range int64(deep) {
		view = must(k.g.Shrink(view, 1, 2*deep-1-i))
	}
	n := k.node(view)
	b, _ := n.Binding()
	require.Equal(t, ir.Binding{Storage: k.node(base), Offset: deep}, b)
	walked := 0
	for range n.Reach(ir.WithoutBodies).All() {
		walked++
	}
	require.Equal(t, 2*deep+2, walked) // the views and their lengths, the start of all, and the buffer
	other := must(k.g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 2 * deep, Placement: k.one}))
	moved, _ := k.node(must(k.g.Substitute(view, []ir.Replacement{{From: base, To: other}}))).Binding()
	require.Equal(t, ir.Binding{Storage: k.node(other), Offset: deep}, moved)
	require.NoError(t, k.g.Check())
}

func TestTenThousandNestedLoops(t *testing.T) {
	k := newKit()
	entry := k.ops[ir.Call]
	for i := range int64(10000) {
		entry = must(k.g.End(must(k.g.Linear(entry)), must(k.g.Range(k.ops[ir.Const], i, 0))))
		entry = must(k.g.Backedge(must(k.g.Linear(entry)), k.ops[ir.Range], k.flag))
	}
	got := must(k.g.Substitute(entry, []ir.Replacement{{From: k.flag, To: must(k.g.Bitcast(must(k.g.Shrink(must(k.g.Bitcast(k.ops[ir.Param], ir.Int8)), 3, 1)), ir.Bool))}}))
	require.NotEqual(t, entry, got)
	require.NoError(t, k.node(got).Print(io.Discard))
	require.NoError(t, k.g.Check())
}

func TestAMillionSources(t *testing.T) {
	const many = 1000000
	k := newKit()
	arguments := make([]ir.Op, many)
	for i := range arguments {
		arguments[i] = must(k.g.Const(int64(i % 1000)))
	}
	for _, n := range []int{many, 1 << 14, 1<<14 - 1, 1<<14 + 1, 1 << 15, many} {
		call := k.node(must(k.g.Call(k.ops[ir.Sink], arguments[:n-1]...)))
		require.Equal(t, n, call.NumSources())
		require.Equal(t, arguments[n-2], call.Source(n-1).Op())
		require.Equal(t, call.Op(), must(k.g.Call(k.ops[ir.Sink], arguments[:n-1]...)))
		k.node(must(k.g.Call(k.ops[ir.Store], arguments[:7]...)))
	}
	require.NoError(t, k.g.Check())
}

// Lists that were not kept give their room back.
func TestWhatFailsHoldsNoMemory(t *testing.T) {
	k := newKit()
	fail := func() {
		_, _, err := buildAll(k.g, []ir.Desc{
			{Kind: ir.Sink, Sources: slices.Repeat([]ir.Op{k.flag}, 100000)},
			{Kind: ir.Sink, Name: "small", Sources: []ir.Op{k.flag}},
			{Kind: ir.Add},
		})
		require.Error(t, err)
	}
	fail()
	before := heap()
	for range 200 { // 80 MB of sources
		fail()
	}
	require.Less(t, heap(), before+4<<20)
	require.NoError(t, k.g.Check())
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Meant for the race detector: some build and some read what others have built, all in one graph.
func TestManyBuildAndRead(t *testing.T) {
	k := newKit()
	var wait sync.WaitGroup
	for seed := range uint64(4) {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(seed, 4))
			for range 20 {
				s := generate.Any(k.g, r, generate.Shape{Storage: 10, Entries: 20, Depth: 2, Count: 100})
				n := must(k.g.Node(s.Op))
				generate.Copy(k.g, n, r)
				must(k.g.Substitute(s.Op, []ir.Replacement{{From: s.Storage[0], To: alike(k.g, must(k.g.Node(s.Storage[0])))}}))
				if _, _, err := buildAll(k.g, []ir.Desc{{Kind: ir.Const, Value: int64(seed)}, {Kind: ir.Add}}); err == nil {
					t.Error("an ADD of nothing was built")
				}
			}
		})
		wait.Go(func() {
			for range 100 {
				last := k.g.At(uint32(k.g.Len()))
				var text bytes.Buffer
				if err := last.Print(&text); err != nil || text.Len() == 0 {
					t.Error("an op has no text")
				}
				for n := range last.Reach(ir.WithBodies).All() {
					n.Binding()
					k.g.Devices(n.Placement())
				}
			}
		})
	}
	wait.Wait()
	require.NoError(t, k.g.Check())
}

func TestSlotsAreGivenOnce(t *testing.T) {
	var wait sync.WaitGroup
	slots := make([][]int64, 4)
	for i := range slots {
		wait.Go(func() {
			for range 10000 {
				slots[i] = append(slots[i], ir.UniqueNum())
			}
		})
	}
	wait.Wait()
	given := slices.Concat(slots...)
	slices.Sort(given)
	require.Len(t, slices.Compact(given), 40000)
}
