package ir_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
)

func TestPrint(t *testing.T) {
	g := ir.NewGraph()
	slot := int64(5)
	one, two := must(g.Placement("CPU")), must(g.Placement("CUDA:0", "CUDA:1"))
	x := must(g.Buffer(ir.Storage{Dtype: ir.Float32, Count: 1024, Placement: one, Slot: &slot}))
	y := must(g.Param(ir.Storage{Dtype: ir.Float16, Count: 64, Placement: two, Slot: &slot, Phase: 2, Align: 4}))
	z := must(g.Alloc(ir.Storage{Dtype: ir.Bool, Count: 1, Placement: one, Slot: &slot}))
	n := must(g.Variable("größe", 1, 8))
	r := must(g.Range(n, 3, 1))
	at := must(g.Add(must(g.Mul(r, must(g.Const(2)))), must(g.Const(-0))))
	view := must(g.Bitcast(must(g.ShrinkAt(x, at, 16)), ir.Int8))
	part := must(g.MSelect(y, 1))
	body := must(g.Body(ir.Program, "gemm", 7, x))
	call := must(g.Call(body, view, must(g.After(part, body)), must(g.MStack(part, part)), at))
	loop := must(g.Backedge(must(g.Linear(must(g.End(call, r)))), r, z))
	schedule := must(g.Node(must(g.Linear(loop, must(g.Call(must(g.Body(ir.Sink, "", 0))))))))
	var text bytes.Buffer
	require.NoError(t, schedule.Print(&text))
	require.Equal(t, `#1 = BUFFER slot=5 float32[1024] on ["CPU"]
#2 = PARAM slot=5 float16[64] phase=2/4 on ["CUDA:0" "CUDA:1"]
#3 = ALLOC slot=5 bool[1] on ["CPU"]
#4 = VARIABLE "größe" in [1, 8]
#5 = RANGE(#4) axis=3 kind=1
#6 = CONST 2
#7 = MUL(#5, #6)
#8 = CONST 0
#9 = ADD(#7, #8)
#10 = CONST 16
#11 = SHRINK(#1, #9, #10) float32[16]
#12 = BITCAST(#11) int8[64]
#13 = MSELECT(#2) shard=1 float16[64]
#14 = PROGRAM(#1) "gemm" tag=7
#15 = AFTER(#13, #14) float16[64]
#16 = MSTACK(#13, #13) float16[64]
#17 = CALL(#14, #12, #15, #16, #9)
#18 = END(#17, #5)
#19 = LINEAR(#18)
#20 = BACKEDGE(#19, #5, #3)
#21 = SINK ""
#22 = CALL(#21)
#23 = LINEAR(#20, #22)
`, text.String())
}

func TestPrintLeavesOutWhatIsNotReached(t *testing.T) {
	g := ir.NewGraph()
	must(g.Const(1))
	var text bytes.Buffer
	require.NoError(t, must(g.Node(must(g.Const(2)))).Print(&text))
	require.Equal(t, "#2 = CONST 2\n", text.String())
}
