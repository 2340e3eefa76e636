package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// A text with everything in it, as it is written.
const everything = `{"tolk_schedule":1,"name":"all \"of\" it","storage":[` +
	`{"device":"CUDA:0","dtype":"float32","count":64,"held":true},` +
	`{"op":"alloc","device":"CUDA:0","dtype":"bool","count":1},` +
	`{"device":["CUDA:0","CUDA:1"],"dtype":"float16","count":8,"phase":2,"align":4},` +
	`{"op":"param","device":"CUDA:0","dtype":"float16","count":8,"phase":0,"align":2}],` +
	`"entries":[` +
	`{"call":{"body":"sink","args":[0,{"shrink":[8,16],"of":0},{"bitcast":"int8","of":{"shrink":[0,1],"of":0}}]}},` +
	`{"loop":{"kind":"backedge","flag":{"of":1,"after":[0]},"entries":[` +
	`{"loop":{"kind":"end","entries":[{"call":{"body":"store","args":[{"mselect":1,"of":2}]}}]}},` +
	`{"call":{"body":"custom_function","args":[]}}]}},` +
	`{"call":{"body":"program","args":[{"mstack":[{"mselect":0,"of":2},3]}]}}]}`

func TestGoldenScheduleText(t *testing.T) {
	schedule, s := read(t, []byte(everything))
	written, err := text.WriteSchedule(schedule, s.Name, s.Held)
	require.NoError(t, err)
	require.Equal(t, everything, string(written))
	require.Equal(t, []ir.Op{s.Storage[0]}, s.Held)
}

// Needs: 256 bytes for storage 2, the only one planned: 8 halves at phase 2 are 18 bytes.
func TestGoldenPlanText(t *testing.T) {
	schedule, s := read(t, []byte(everything))
	written, err := text.WritePlan(schedule, plan(t, schedule, s.Held, planner.CopiesShared))
	require.NoError(t, err)
	require.Equal(t, `{"arenas":[{"device":["CUDA:0","CUDA:1"],"size":256}],"places":{"2":[0,0]},"before":256,"after":256,"lower_bound":256,`+
		`"taken":[[0],[1,2],[2,3]],"optimal":true}`, string(written))
}

// What planning does not look at is left out, and what is shared is repeated.
func TestWhatATextLeavesOut(t *testing.T) {
	g := ir.NewGraph()
	must := func(op ir.Op, err error) ir.Op {
		require.NoError(t, err)
		return op
	}
	device, err := g.Placement("CPU")
	require.NoError(t, err)
	x := must(g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 9, Placement: device}))
	n := must(g.Variable("n", 2, 4))
	view := must(g.After(must(g.ShrinkAt(x, n, 3)), n, must(g.Body(ir.Sink, "", 0))))
	call := must(g.Call(must(g.Linear()), n, view))
	loop := must(g.End(call, must(g.Range(n, 1, 2)), must(g.Range(n, 2, 2))))
	schedule, err := g.Node(must(g.Linear(loop, call)))
	require.NoError(t, err)
	written, err := text.WriteSchedule(schedule, "", []ir.Op{view})
	require.NoError(t, err)
	const one = `{"call":{"body":"custom_function","args":[{"shrink":[2,3],"of":0}]}}`
	require.Equal(t, `{"tolk_schedule":1,"name":"","storage":[{"device":"CPU","dtype":"int8","count":9,"held":true}],`+
		`"entries":[{"loop":{"kind":"end","entries":[`+one+`]}},`+one+`]}`, string(written))
}

func TestWritingRefuses(t *testing.T) {
	g := ir.NewGraph()
	c, err := g.Const(1)
	require.NoError(t, err)
	n, err := g.Node(c)
	require.NoError(t, err)
	_, err = text.WriteSchedule(n, "", nil)
	require.ErrorContains(t, err, "(a CONST); it must be a LINEAR")
	_, err = text.WritePlan(n, &planner.Plan{})
	require.ErrorContains(t, err, "(a CONST); it must be a LINEAR")
	empty, err := g.Linear()
	require.NoError(t, err)
	n, err = g.Node(empty)
	require.NoError(t, err)
	_, err = text.WriteSchedule(n, "", []ir.Op{c})
	require.ErrorContains(t, err, "held buffer 0 is #1 (a CONST); it must be storage or a view")
}

func TestDeepTextIsReadBack(t *testing.T) {
	const deep = 100000
	view := strings.Repeat(`{"after":[1],"of":`, deep) + "0" + strings.Repeat("}", deep)
	call := `{"call":{"body":"sink","args":[` + view + `]}}`
	entry := strings.Repeat(`{"loop":{"kind":"end","entries":[`, deep) + call + strings.Repeat("]}}", deep)
	storage := `{"device":"CPU","dtype":"int8","count":4}`
	schedule, s := read(t, []byte(`{"tolk_schedule":1,"storage":[`+storage+`,`+storage+`],"entries":[`+entry+`]}`))
	written, err := text.WriteSchedule(schedule, "", nil)
	require.NoError(t, err)
	again, _ := read(t, written)
	requireSamePlan(t, plan(t, schedule, s.Held, planner.CopiesShared), plan(t, again, nil, planner.CopiesShared))
}

// The name of a device is written with each storage on it.
func TestATextOfLongNamesIsRefused(t *testing.T) {
	g := ir.NewGraph()
	must := func(op ir.Op, err error) ir.Op {
		require.NoError(t, err)
		return op
	}
	device, err := g.Placement(strings.Repeat("x", 1<<20))
	require.NoError(t, err)
	buffers := make([]ir.Op, 257)
	for i := range buffers {
		buffers[i] = must(g.Buffer(ir.Storage{Dtype: ir.Int8, Count: 1, Placement: device}))
	}
	call := must(g.Call(must(g.Body(ir.Sink, "", 0)), buffers...))
	schedule, err := g.Node(must(g.Linear(call)))
	require.NoError(t, err)
	_, err = text.WriteSchedule(schedule, "", nil)
	require.ErrorContains(t, err, "longer than 268435456 bytes")
	var e *ir.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, ir.TooMany, e.Kind)
}
