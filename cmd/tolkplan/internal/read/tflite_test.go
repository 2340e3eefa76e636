package read_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
	"libtolk_memory/cmd/tolkplan/internal/read"
)

// Operator codes of TensorFlow Lite.
const (
	opAdd, opConv, opRelu, opCall, opCustom, opIf, opWhile = 0, 3, 19, 31, 32, 118, 119
)

func readTFLite(t *testing.T, data []byte, dims map[string]int64) *read.Work {
	t.Helper()
	works, err := read.Data("model.tflite", data, read.Settings{Dims: dims})
	require.NoError(t, err)
	require.Len(t, works, 1)
	return works[0]
}

func tensor(name string, shape ...int32) mt.TFLiteTensor {
	return mt.TFLiteTensor{Name: name, Shape: shape}
}

func TestTFLiteChain(t *testing.T) {
	w := readTFLite(t, mt.TFLite(mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{tensor("in", 1, 8), {Name: "w", Shape: []int32{8, 8}, Weight: true}, tensor("mid", 1, 16),
			{Name: "state", Shape: []int32{4}, Variable: true}, {Name: "small", Shape: []int32{3}, Type: mt.TFLiteInt4}, tensor("out", 2)},
		Inputs: []int32{0}, Outputs: []int32{5},
		Operators: []mt.TFLiteOperator{
			{Code: opConv, Inputs: []int32{0, 1, -1}, Outputs: []int32{2}},
			{Code: opCustom, Custom: "Mine", Inputs: []int32{2, 3}, Outputs: []int32{4}},
			{Code: opRelu, Inputs: []int32{4}, Outputs: []int32{5}},
		},
	}), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | in:32*
CONV_2D | in:32* mid:64
Mine | mid:64 state:16* small:2
RELU | small:2 out:8*
outputs | out:8*`), listing(t, w))
	require.Contains(t, w.Notes, `custom operators may allocate what the file does not say: ["Mine"]`)
}

func TestTFLiteDynamicDimensionsAreRefusedByName(t *testing.T) {
	data := mt.TFLite(mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{{Name: "in", Shape: []int32{1, 1}, Signature: []int32{-1, -1}}, {Name: "out", Shape: []int32{1}, Signature: []int32{-1}}},
		Inputs:  []int32{0}, Outputs: []int32{1},
		Operators: []mt.TFLiteOperator{{Code: opRelu, Inputs: []int32{0}, Outputs: []int32{1}}},
	})
	_, err := read.Data("model.tflite", data, read.Settings{})
	require.ErrorContains(t, err, `"in": dimension 0 is dynamic; give it with --dim "batch=N"`)
	_, err = read.Data("model.tflite", data, read.Settings{Dims: map[string]int64{"batch": 4}})
	require.ErrorContains(t, err, `--dim "in:1=N"`)
	w := readTFLite(t, data, map[string]int64{"batch": 4, "in:1": 5})
	require.Equal(t, "inputs | in:80*\nRELU | in:80* out:16*\noutputs | out:16*", listing(t, w))
}

func TestTFLiteIf(t *testing.T) {
	branch := func(code int32) mt.TFLiteGraph {
		return mt.TFLiteGraph{
			Tensors: []mt.TFLiteTensor{tensor("arg", 8), tensor("inner", 8), tensor("result", 8)}, Inputs: []int32{0}, Outputs: []int32{2},
			Operators: []mt.TFLiteOperator{{Code: code, Inputs: []int32{0}, Outputs: []int32{1}}, {Code: opRelu, Inputs: []int32{1}, Outputs: []int32{2}}},
		}
	}
	same := mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("arg", 8)}, Inputs: []int32{0}, Outputs: []int32{0}}
	w := readTFLite(t, mt.TFLite(mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{{Name: "flag", Type: mt.TFLiteBool}, tensor("a", 8), tensor("b", 8), tensor("c", 8)},
		Inputs:  []int32{0, 1}, Outputs: []int32{3},
		Operators: []mt.TFLiteOperator{{Code: opIf, Inputs: []int32{0, 1}, Outputs: []int32{2}, Calls: []int32{1, 2}}, {Code: opRelu, Inputs: []int32{2}, Outputs: []int32{3}}},
	}, branch(opConv), same), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | flag:1* a:32*
IF | flag:1*
CONV_2D | a:32* inner:32
RELU | inner:32 b:32
return | a:32* b:32
RELU | b:32 c:32*
outputs | c:32*`), listing(t, w))
}

// TestTFLiteWhile: the state lives through each trip, and what a trip gives is copied to it.
func TestTFLiteWhile(t *testing.T) {
	condition := mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{tensor("i", 8), {Name: "go", Type: mt.TFLiteBool}}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []mt.TFLiteOperator{{Code: opCustom, Custom: "Less", Inputs: []int32{0}, Outputs: []int32{1}}},
	}
	body := mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{tensor("i", 8), tensor("tmp", 8), tensor("next", 8)}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []mt.TFLiteOperator{{Code: opConv, Inputs: []int32{0}, Outputs: []int32{1}}, {Code: opRelu, Inputs: []int32{1}, Outputs: []int32{2}}},
	}
	w := readTFLite(t, mt.TFLite(mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{tensor("in", 8), tensor("last", 8), tensor("out", 8)}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []mt.TFLiteOperator{{Code: opWhile, Inputs: []int32{0}, Outputs: []int32{1}, Calls: []int32{1, 2}}, {Code: opAdd, Inputs: []int32{1}, Outputs: []int32{2}}},
	}, condition, body), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | in:32*
WHILE | in:32* last:32
Less | last:32 go:1
WHILE: go on? | go:1
CONV_2D | last:32 tmp:32
RELU | tmp:32 next:32
WHILE: next trip | last:32 next:32
ADD | last:32 out:32*
outputs | out:32*`), listing(t, w))
}

func TestTFLiteFaults(t *testing.T) {
	graph := func(o mt.TFLiteOperator, tensors ...mt.TFLiteTensor) mt.TFLiteGraph {
		return mt.TFLiteGraph{Tensors: tensors, Inputs: []int32{0}, Outputs: []int32{0}, Operators: []mt.TFLiteOperator{o}}
	}
	call := func(to int32) mt.TFLiteOperator {
		return mt.TFLiteOperator{Code: opCall, Inputs: []int32{0}, Outputs: []int32{0}, Calls: []int32{to}}
	}
	doubling := []mt.TFLiteGraph{}
	for i := range int32(40) {
		g := graph(call(i+1), tensor("t", 1))
		g.Operators = append(g.Operators, call(i+1))
		doubling = append(doubling, g)
	}
	doubling = append(doubling, mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("t", 1)}, Inputs: []int32{0}, Outputs: []int32{0}})
	deep := []mt.TFLiteGraph{}
	for i := range int32(80) {
		deep = append(deep, graph(call(i+1), tensor("t", 1)))
	}
	for _, c := range []struct {
		name   string
		graphs []mt.TFLiteGraph
		want   string
	}{
		{"no subgraph", nil, "no subgraph"},
		{"no such tensor", []mt.TFLiteGraph{graph(mt.TFLiteOperator{Inputs: []int32{7}}, tensor("t", 1))}, "an operator's input is tensor 7; subgraph 0 has 1"},
		{"negative tensor", []mt.TFLiteGraph{graph(mt.TFLiteOperator{Inputs: []int32{-2}}, tensor("t", 1))}, "is tensor -2"},
		{"negative size", []mt.TFLiteGraph{graph(mt.TFLiteOperator{}, tensor("t", 4, -3))}, "must not be negative"},
		{"huge size", []mt.TFLiteGraph{graph(mt.TFLiteOperator{}, tensor("t", 1<<30, 1<<30))}, "58 bits"},
		{"unknown type", []mt.TFLiteGraph{graph(mt.TFLiteOperator{}, mt.TFLiteTensor{Name: "t", Type: 100})}, `"t" is of type 100`},
		{"cycle", []mt.TFLiteGraph{graph(call(0), tensor("t", 1))}, "subgraph 0 calls itself"},
		{"no such subgraph", []mt.TFLiteGraph{graph(call(9), tensor("t", 1))}, "calls subgraph 9; there are 1"},
		{"deep", deep, "more than 64 deep"},
		{"calls that double", doubling, "when its subgraphs are written out"},
		{"if without condition", []mt.TFLiteGraph{graph(mt.TFLiteOperator{Code: opIf}, tensor("t", 1))}, "no condition"},
		{"wrong arguments", []mt.TFLiteGraph{graph(mt.TFLiteOperator{Code: opCall, Calls: []int32{1}}, tensor("t", 1)), graph(mt.TFLiteOperator{}, tensor("t", 1))}, "it is called with 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Data("model.tflite", mt.TFLite(c.graphs...), read.Settings{})
			require.ErrorContains(t, err, c.want)
			var fault *read.Error
			require.ErrorAs(t, err, &fault)
		})
	}
	_, err := read.Data("model.tflite", []byte("no model"), read.Settings{})
	require.ErrorContains(t, err, `byte 4: the file identifier is "odel"`)
}

// TestTFLiteTruncated: whatever is cut off is noticed, if something refers to it.
func TestTFLiteTruncated(t *testing.T) {
	whole := mt.TFLite(mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("in", 1, 8), tensor("out", 8)}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []mt.TFLiteOperator{{Code: opRelu, Inputs: []int32{0}, Outputs: []int32{1}}}})
	for n := range whole {
		if _, err := read.Data("model.tflite", whole[:n], read.Settings{}); err != nil {
			var fault *read.Error
			require.ErrorAs(t, err, &fault, n)
		}
	}
}
