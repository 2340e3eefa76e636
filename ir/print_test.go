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
	require.Equal(t, `%0 = BUFFER slot=5 float32[1024] on ["CPU"]
%1 = PARAM slot=5 float16[64] phase=2/4 on ["CUDA:0" "CUDA:1"]
%2 = ALLOC slot=5 bool[1] on ["CPU"]
%3 = VARIABLE "größe" in [1, 8]
%4 = RANGE(%3) axis=3 kind=1
%5 = CONST 2
%6 = MUL(%4, %5)
%7 = CONST 0
%8 = ADD(%6, %7)
%9 = CONST 16
%10 = SHRINK(%0, %8, %9) float32[16]
%11 = BITCAST(%10) int8[64]
%12 = MSELECT(%1) shard=1 float16[64]
%13 = PROGRAM(%0) "gemm" tag=7
%14 = AFTER(%12, %13) float16[64]
%15 = MSTACK(%12, %12) float16[64]
%16 = CALL(%13, %11, %14, %15, %8)
%17 = END(%16, %4)
%18 = LINEAR(%17)
%19 = BACKEDGE(%18, %4, %2)
%20 = SINK ""
%21 = CALL(%20)
%22 = LINEAR(%19, %21)
`, text.String())
}

func TestPrintLeavesOutWhatIsNotReached(t *testing.T) {
	g := ir.NewGraph()
	must(g.Const(1))
	var text bytes.Buffer
	require.NoError(t, must(g.Node(must(g.Const(2)))).Print(&text))
	require.Equal(t, "%0 = CONST 2\n", text.String())
}
