package read_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/planner"
)

// listing is a schedule as text: an entry a line, with the names and bytes of what it takes; * marks what is held.
func listing(t *testing.T, w *read.Work) string {
	t.Helper()
	s := w.Schedule
	held, err := planner.HeldStorage(s.Graph, s.Held)
	require.NoError(t, err)
	name := map[uint32]string{}
	for i, op := range s.Storage {
		n, err := s.Graph.Node(op)
		require.NoError(t, err)
		name[n.Index()] = fmt.Sprintf("%s:%d", s.Names[i], n.Nbytes())
		if held[n.Index()] {
			name[n.Index()] += "*"
		}
	}
	var lines []string
	for i := range s.Op.NumSources() {
		taken, err := planner.Taken(s.Op.Source(i))
		require.NoError(t, err)
		line := s.Entries[i] + " |"
		for _, n := range taken {
			line += " " + name[n.Index()]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func readONNX(t *testing.T, data []byte, dims map[string]int64) *read.Work {
	t.Helper()
	works, err := read.Data("model.onnx", data, read.Settings{Dims: dims})
	require.NoError(t, err)
	require.Len(t, works, 1)
	return works[0]
}

var (
	x = mt.Value("x", mt.Float32, 2, 8)
	y = mt.Value("y", mt.Float32, 2, 8)
)

func list(names ...string) []string { return names }

func TestONNXChain(t *testing.T) {
	w := readONNX(t, mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("MatMul", list("x", "w"), list("a")),
			mt.Node("Relu", list("a"), list("b")),
			mt.Node("MatMul", list("b", "v"), list("y")),
		},
		Tensors: []mt.Proto{mt.Weights("w", 8, 32), mt.Weights("v", 32, 8)},
		// Before IR version 4 weights were inputs as well.
		Inputs: []mt.Proto{x, mt.Value("w", mt.Float32, 8, 32)}, Outputs: []mt.Proto{y},
	}), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | x:64*
MatMul | x:64* a:256
Relu | a:256 b:256
MatMul | b:256 y:64*
outputs | y:64*`), listing(t, w))
}

func TestONNXShapesComputedInTheModel(t *testing.T) {
	w := readONNX(t, mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Shape", list("x"), list("shape")),
			mt.Node("Constant", nil, list("zero"), mt.TensorAttribute("value", mt.Tensor("", nil, 0))),
			mt.Node("Constant", nil, list("rest"), mt.Proto{}.Text(1, "value_ints").Int(8, -1)),
			mt.Node("Gather", list("shape", "zero"), list("batch")),
			mt.Node("Unsqueeze", list("batch", "axes"), list("batch1")),
			mt.Node("Concat", list("batch1", "rest"), list("to"), mt.Int("axis", 0)),
			mt.Node("Reshape", list("x", "to"), list("flat")),
			mt.Node("Softmax", list("flat"), list("y")),
		},
		Tensors: []mt.Proto{mt.Tensor("axes", []int64{1}, 0)},
		Inputs:  []mt.Proto{mt.Value("x", mt.Float32, "batch", 3, 4)}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, "batch", "n")},
	}), map[string]int64{"batch": 5})
	require.Equal(t, strings.TrimSpace(`
inputs | x:240*
Reshape | x:240* flat:240
Softmax | flat:240 y:240*
outputs | y:240*`), listing(t, w))
	require.Contains(t, w.Notes, "4 nodes follow from weights and sizes alone and take no step")
}

func TestONNXDynamicDimensionsAreRefusedByName(t *testing.T) {
	data := mt.ONNX(mt.Graph{
		Nodes:  []mt.ONNXNode{mt.Node("Relu", list("x"), list("y"))},
		Inputs: []mt.Proto{mt.Value("x", mt.Float32, "batch", nil, 4)}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, "batch", nil, 4)},
	})
	_, err := read.Data("model.onnx", data, read.Settings{})
	require.ErrorContains(t, err, `--dim "batch=N"`)
	require.ErrorContains(t, err, `--dim "x:1=N"`)
	w := readONNX(t, data, map[string]int64{"batch": 2, "x:1": 3, "other": 4})
	require.Contains(t, listing(t, w), "y:96*")
	require.Equal(t, []string{"batch", "x:1"}, w.Dims)
}

// branchesOf is a model with an If whose branches work on a value from around it.
func branchesOf() mt.Graph {
	branch := func(kind string) mt.Graph {
		return mt.Graph{
			Nodes:   []mt.ONNXNode{mt.Node(kind, list("a"), list(kind+"1")), mt.Node("Relu", list(kind+"1"), list("out"))},
			Outputs: []mt.Proto{mt.Value("out", mt.Float32, 2, 8)},
		}
	}
	return mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Exp", list("x"), list("a")),
			mt.Node("Cast", list("n"), list("flag"), mt.Int("to", mt.Bool)),
			mt.Node("If", list("flag"), list("b"), mt.GraphAttribute("then_branch", branch("Sin")), mt.GraphAttribute("else_branch", branch("Cos"))),
			mt.Node("Neg", list("b"), list("y")),
		},
		Inputs: []mt.Proto{x, mt.Value("n", mt.Int64)}, Outputs: []mt.Proto{y},
	}
}

func TestONNXIf(t *testing.T) {
	w := readONNX(t, mt.ONNX(branchesOf()), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | x:64* n:8*
Exp | x:64* a:64
Cast | n:8* flag:1
If | flag:1
Sin | a:64 Sin1:64
Relu | Sin1:64 b:64
Cos | a:64 Cos1:64
Relu | Cos1:64 b:64
Neg | b:64 y:64*
outputs | y:64*`), listing(t, w))
}

func TestONNXIfWhoseConditionIsKnown(t *testing.T) {
	w := readONNX(t, mt.ONNX(branchesOf()), map[string]int64{"n": 0})
	require.Equal(t, strings.TrimSpace(`
inputs | x:64* n:8*
Exp | x:64* a:64
Cos | a:64 Cos1:64
Relu | Cos1:64 out:64
Neg | out:64 y:64*
outputs | y:64*`), listing(t, w))
}

// TestONNXLoop: what a loop carries, and what it takes from around itself, lives to the end of the last trip.
func TestONNXLoop(t *testing.T) {
	body := mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Add", list("state", "a"), list("sum")),
			mt.Node("Relu", list("sum"), list("next")),
			mt.Node("Identity", list("cond"), list("go")),
			mt.Node("Exp", list("next"), list("scanned")),
		},
		Inputs:  []mt.Proto{mt.Value("i", mt.Int64), mt.Value("cond", mt.Bool), mt.Value("state", mt.Float32, 2, 8)},
		Outputs: []mt.Proto{mt.Value("go", mt.Bool), mt.Value("next", mt.Float32, 2, 8), mt.Value("scanned", mt.Float32, 2, 8)},
	}
	w := readONNX(t, mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Exp", list("x"), list("a")),
			mt.Node("Loop", list("trips", "", "x"), list("last", "all"), mt.GraphAttribute("body", body)),
			mt.Node("Neg", list("last"), list("y")),
		},
		Tensors: []mt.Proto{mt.Tensor("trips", nil, 10)},
		Inputs:  []mt.Proto{x}, Outputs: []mt.Proto{y, mt.Value("all", mt.Float32, "trips", 2, 8)},
	}), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | x:64*
Exp | x:64* a:64
Loop | x:64* last:64 all:640* Loop: trip:8 Loop: condition:1
Add | last:64 a:64 sum:64
Relu | sum:64 next:64
Identity | Loop: condition:1 go:1
Exp | next:64 scanned:64
Loop: next trip | Loop: trip:8 Loop: condition:1 last:64 all:640* go:1 next:64 scanned:64 a:64
Neg | last:64 y:64*
outputs | y:64* all:640*`), listing(t, w))
}

func TestONNXScan(t *testing.T) {
	body := mt.Graph{
		Nodes:   []mt.ONNXNode{mt.Node("Add", list("state", "row"), list("next")), mt.Node("Relu", list("next"), list("out"))},
		Inputs:  []mt.Proto{mt.Value("state", mt.Float32, 8), mt.Value("row", mt.Float32, 8)},
		Outputs: []mt.Proto{mt.Value("next", mt.Float32, 8), mt.Value("out", mt.Float32, 8)},
	}
	w := readONNX(t, mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Exp", list("x"), list("rows")),
			mt.Node("Scan", list("start", "rows"), list("last", "y"), mt.GraphAttribute("body", body), mt.Int("num_scan_inputs", 1)),
		},
		Tensors: []mt.Proto{mt.Weights("start", 8)},
		Inputs:  []mt.Proto{x}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, nil, 8)},
	}), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | x:64*
Exp | x:64* rows:64
Scan | rows:64 last:32 y:64* Scan: part 0:32
Add | last:32 Scan: part 0:32 next:32
Relu | next:32 out:32
Scan: next trip | last:32 Scan: part 0:32 y:64* next:32 out:32 rows:64
outputs | y:64*`), listing(t, w))
}

func TestONNXFunction(t *testing.T) {
	call := mt.Node("twice", list("x"), list("y"))
	call.Domain = "own"
	w := readONNX(t, mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{call}, Inputs: []mt.Proto{x}, Outputs: []mt.Proto{y}},
		mt.Function("own", "twice", list("p"), list("q"), mt.Node("Relu", list("p"), list("m")), mt.Node("Relu", list("m"), list("q")))), nil)
	require.Equal(t, strings.TrimSpace(`
inputs | x:64*
Relu | x:64* m:64
Relu | m:64 q:64*
outputs | q:64*`), listing(t, w))
}

func TestONNXFaults(t *testing.T) {
	relu := func(in, out string) mt.ONNXNode { return mt.Node("Relu", list(in), list(out)) }
	graph := func(nodes ...mt.ONNXNode) mt.Graph {
		return mt.Graph{Nodes: nodes, Inputs: []mt.Proto{x}, Outputs: []mt.Proto{y}}
	}
	recursive := mt.Node("f", list("p"), list("q"))
	recursive.Domain = "own"
	calls := mt.Node("f", list("x"), list("y"))
	calls.Domain = "own"
	strange := mt.Node("Strange", list("x"), list("y"))
	strange.Domain = "elsewhere"
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "no graph"},
		{"cycle", mt.ONNX(graph(relu("b", "a"), relu("a", "b"), relu("b", "y"))), `takes "b", which nothing before it makes`},
		{"made twice", mt.ONNX(graph(relu("x", "y"), relu("x", "y"))), `makes "y", which is there already`},
		{"no output", mt.ONNX(graph(relu("x", "a"))), `no node makes the output "y"`},
		{"unknown operator", mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{mt.Node("NonZero", list("x"), list("y"))}, Inputs: []mt.Proto{x},
			Outputs: []mt.Proto{mt.Value("y", mt.Int64, 2, "n")}}), "what NonZero gives is not known here"},
		{"other domain", mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{strange}, Inputs: []mt.Proto{x}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, "n")}}), "elsewhere.Strange"},
		{"recursive function", mt.ONNX(graph(calls), mt.Function("own", "f", list("p"), list("q"), recursive)), "more than 64 deep"},
		{"branch missing", mt.ONNX(graph(mt.Node("If", list("x"), list("y")))), `no graph "then_branch"`},
		{"negative weight", mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{relu("x", "y")}, Tensors: []mt.Proto{mt.Tensor("w", []int64{-1})}, Inputs: []mt.Proto{x}, Outputs: []mt.Proto{y}}), "must not be negative"},
		{"huge weight", mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{relu("x", "y")}, Tensors: []mt.Proto{mt.Tensor("w", []int64{1 << 40, 1 << 40})}, Inputs: []mt.Proto{x}, Outputs: []mt.Proto{y}}), "58 bits"},
		{"wrong wire type", mt.Proto{}.Int(1, 8).Int(7, 3), "the graph is of wire type 0"},
		{"not UTF-8", mt.ONNX(graph(relu("\xff", "y"))), "not valid UTF-8"},
		{"shapes do not fit", mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{mt.Node("Add", list("x", "w"), list("y"))}, Tensors: []mt.Proto{mt.Weights("w", 3)},
			Inputs: []mt.Proto{x}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, "n")}}), "do not fit each other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Data("model.onnx", c.data, read.Settings{})
			require.ErrorContains(t, err, c.want)
			var fault *read.Error
			require.ErrorAs(t, err, &fault)
			require.Equal(t, "model.onnx", fault.File)
		})
	}
}

// TestONNXTruncated: a model that ends anywhere is an error, or a model that ends between two of its fields.
func TestONNXTruncated(t *testing.T) {
	whole := mt.ONNX(branchesOf())
	for n := range whole {
		if _, err := read.Data("model.onnx", whole[:n], read.Settings{}); err != nil {
			var fault *read.Error
			require.ErrorAs(t, err, &fault, n)
		}
	}
}
