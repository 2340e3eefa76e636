package shape

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// given are attributes of a node in a test.
type given map[string]any

func (g given) Int(name string, standard int64) int64 {
	if v, ok := g[name].(int); ok {
		return int64(v)
	}
	return standard
}

func (g given) Float(name string, standard float64) float64 { return standard }

func (g given) Ints(name string) []int64 {
	v, _ := g[name].([]int64)
	return v
}

func (g given) Text(name string) string {
	v, _ := g[name].(string)
	return v
}

func of(dims ...int64) *Tensor { return &Tensor{Elem: float32Type, Dims: dims} }

// holding is a tensor of one dimension with contents.
func holding(values ...float64) *Tensor {
	return &Tensor{Elem: int64Type, Dims: []int64{int64(len(values))}, Content: values}
}

func scalar(v float64) *Tensor { return &Tensor{Elem: int64Type, Content: []float64{v}} }

func is(n ...int64) []int64 { return n }

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		kind       string
		attributes given
		inputs     []*Tensor
		want       [][]int64
	}{
		{"Relu", nil, []*Tensor{of(2, 3)}, [][]int64{is(2, 3)}},
		{"Add", nil, []*Tensor{of(2, 1, 4), of(3, 1)}, [][]int64{is(2, 3, 4)}},
		{"MatMul", nil, []*Tensor{of(5, 2, 3), of(3, 4)}, [][]int64{is(5, 2, 4)}},
		{"MatMul", nil, []*Tensor{of(3), of(3, 4)}, [][]int64{is(4)}},
		{"MatMul", nil, []*Tensor{of(2, 3), of(3)}, [][]int64{is(2)}},
		{"Gemm", given{"transB": 1}, []*Tensor{of(2, 3), of(4, 3)}, [][]int64{is(2, 4)}},
		// (224 + 3 + 3 - 7) / 2 + 1
		{"Conv", given{"strides": is(2, 2), "pads": is(3, 3, 3, 3)}, []*Tensor{of(1, 3, 224, 224), of(64, 3, 7, 7)}, [][]int64{is(1, 64, 112, 112)}},
		{"Conv", given{"dilations": is(2)}, []*Tensor{of(1, 1, 10), of(1, 1, 3)}, [][]int64{is(1, 1, 6)}},
		{"Conv", given{"auto_pad": "SAME_UPPER", "strides": is(2)}, []*Tensor{of(1, 1, 9), of(1, 1, 3)}, [][]int64{is(1, 1, 5)}},
		// (4 - 1) * 2 + 3 - 1 - 1 + 1
		{"ConvTranspose", given{"strides": is(2), "pads": is(1, 1), "output_padding": is(1)}, []*Tensor{of(1, 8, 4), of(8, 5, 3)}, [][]int64{is(1, 5, 8)}},
		{"MaxPool", given{"kernel_shape": is(3, 3), "strides": is(2, 2)}, []*Tensor{of(1, 4, 8, 8)}, [][]int64{is(1, 4, 3, 3)}},
		{"MaxPool", given{"kernel_shape": is(3, 3), "strides": is(2, 2), "ceil_mode": 1}, []*Tensor{of(1, 4, 8, 8)}, [][]int64{is(1, 4, 4, 4)}},
		{"GlobalAveragePool", nil, []*Tensor{of(2, 4, 8, 8)}, [][]int64{is(2, 4, 1, 1)}},
		{"Reshape", nil, []*Tensor{of(2, 3, 4), holding(0, -1)}, [][]int64{is(2, 12)}},
		{"Flatten", given{"axis": 2}, []*Tensor{of(2, 3, 4)}, [][]int64{is(6, 4)}},
		{"Squeeze", nil, []*Tensor{of(1, 3, 1)}, [][]int64{is(3)}},
		{"Squeeze", nil, []*Tensor{of(1, 3, 1), holding(-1)}, [][]int64{is(1, 3)}},
		{"Unsqueeze", given{"axes": is(0, 3)}, []*Tensor{of(2, 3)}, [][]int64{is(1, 2, 3, 1)}},
		{"Transpose", nil, []*Tensor{of(2, 3, 4)}, [][]int64{is(4, 3, 2)}},
		{"Transpose", given{"perm": is(1, 0, 2)}, []*Tensor{of(2, 3, 4)}, [][]int64{is(3, 2, 4)}},
		{"Concat", given{"axis": -1}, []*Tensor{of(2, 3), of(2, 4)}, [][]int64{is(2, 7)}},
		{"Split", given{"axis": 1}, []*Tensor{of(2, 6)}, [][]int64{is(2, 3), is(2, 3)}},
		{"Split", given{"axis": 0}, []*Tensor{of(5), holding(1, 4)}, [][]int64{is(1), is(4)}},
		{"Slice", nil, []*Tensor{of(10, 4), holding(-3), holding(9e18), holding(0)}, [][]int64{is(3, 4)}},
		{"Slice", nil, []*Tensor{of(10), holding(-1), holding(-9e18), holding(0), holding(-3)}, [][]int64{is(4)}},
		{"Slice", nil, []*Tensor{of(10), holding(7), holding(3)}, [][]int64{is(0)}},
		{"Gather", given{"axis": 1}, []*Tensor{of(2, 5, 4), of(3, 3)}, [][]int64{is(2, 3, 3, 4)}},
		{"GatherND", nil, []*Tensor{of(2, 5, 4), of(7, 2)}, [][]int64{is(7, 4)}},
		{"Expand", nil, []*Tensor{of(3, 1), holding(2, 1, 4)}, [][]int64{is(2, 3, 4)}},
		{"Tile", nil, []*Tensor{of(2, 3), holding(2, 3)}, [][]int64{is(4, 9)}},
		{"Pad", nil, []*Tensor{of(2, 3), holding(0, 1, 0, 2)}, [][]int64{is(2, 6)}},
		{"ConstantOfShape", nil, []*Tensor{holding(2, 3)}, [][]int64{is(2, 3)}},
		{"Resize", nil, []*Tensor{of(1, 3, 4, 4), nil, holding(1, 1, 2, 2.5)}, [][]int64{is(1, 3, 8, 10)}},
		{"Resize", nil, []*Tensor{of(1, 3, 4, 4), nil, nil, holding(1, 3, 7, 7)}, [][]int64{is(1, 3, 7, 7)}},
		{"SpaceToDepth", given{"blocksize": 2}, []*Tensor{of(1, 3, 4, 4)}, [][]int64{is(1, 12, 2, 2)}},
		{"DepthToSpace", given{"blocksize": 2}, []*Tensor{of(1, 12, 2, 2)}, [][]int64{is(1, 3, 4, 4)}},
		{"ReduceMean", given{"axes": is(-1)}, []*Tensor{of(2, 3)}, [][]int64{is(2, 1)}},
		{"ReduceSum", given{"keepdims": 0}, []*Tensor{of(2, 3), holding(0)}, [][]int64{is(3)}},
		{"ReduceSum", given{"noop_with_empty_axes": 1}, []*Tensor{of(2, 3)}, [][]int64{is(2, 3)}},
		{"ArgMax", given{"axis": 1, "keepdims": 0}, []*Tensor{of(2, 3)}, [][]int64{is(2)}},
		{"TopK", nil, []*Tensor{of(2, 9), holding(4)}, [][]int64{is(2, 4), is(2, 4)}},
		{"OneHot", nil, []*Tensor{of(2, 3), scalar(5), of(2)}, [][]int64{is(2, 3, 5)}},
		{"LSTM", given{"hidden_size": 16}, []*Tensor{of(7, 2, 4), of(1, 64, 4), of(1, 64, 16)}, [][]int64{is(7, 1, 2, 16), is(1, 2, 16), is(1, 2, 16)}},
		{"Shape", nil, []*Tensor{of(2, 3, 4)}, [][]int64{is(3)}},
		{"Range", nil, []*Tensor{scalar(0), scalar(10), scalar(3)}, [][]int64{is(4)}},
		{"Where", nil, []*Tensor{of(3, 1), of(1, 4), of()}, [][]int64{is(3, 4)}},
		{"DynamicQuantizeLinear", nil, []*Tensor{of(3)}, [][]int64{is(3), nil, nil}},
	} {
		out, err := Infer(&Node{Kind: c.kind, Opset: 17, Inputs: c.inputs, Outputs: len(c.want), Attributes: c.attributes})
		require.NoError(t, err, c.kind)
		for i := range out {
			require.Equal(t, c.want[i], append([]int64(nil), out[i].Dims...), "%s, output %d", c.kind, i)
		}
	}
}

func TestContents(t *testing.T) {
	square := &Tensor{Elem: int64Type, Dims: is(2, 2), Content: []float64{1, 2, 3, 4}}
	for _, c := range []struct {
		kind       string
		attributes given
		inputs     []*Tensor
		want       []float64
	}{
		{"Shape", nil, []*Tensor{of(2, 3, 4)}, []float64{2, 3, 4}},
		{"Shape", given{"start": -2}, []*Tensor{of(2, 3, 4)}, []float64{3, 4}},
		{"Size", nil, []*Tensor{of(2, 3)}, []float64{6}},
		{"Gather", nil, []*Tensor{holding(5, 6, 7), holding(-1, 0)}, []float64{7, 5}},
		{"Concat", given{"axis": 0}, []*Tensor{holding(1), holding(2, 3)}, []float64{1, 2, 3}},
		{"Slice", nil, []*Tensor{holding(1, 2, 3, 4), holding(3), holding(-9), holding(0), holding(-2)}, []float64{4, 2}},
		{"Slice", nil, []*Tensor{square, holding(-1), holding(-9), holding(0), holding(-1)}, []float64{3, 4, 1, 2}},
		{"Transpose", nil, []*Tensor{square}, []float64{1, 3, 2, 4}},
		{"Div", nil, []*Tensor{holding(-7, 7), holding(2)}, []float64{-3, 3}},
		{"Mul", nil, []*Tensor{holding(1, 2), holding(3)}, []float64{3, 6}},
		{"Equal", nil, []*Tensor{holding(1, 2), holding(2)}, []float64{0, 1}},
		{"Where", nil, []*Tensor{holding(0, 1), holding(5), holding(6)}, []float64{6, 5}},
		{"Cast", given{"to": 7}, []*Tensor{{Elem: float32Type, Dims: is(2), Content: []float64{-1.5, 2.9}}}, []float64{-1, 2}},
		{"Range", nil, []*Tensor{scalar(1), scalar(6), scalar(2)}, []float64{1, 3, 5}},
		{"Expand", nil, []*Tensor{holding(7), holding(3)}, []float64{7, 7, 7}},
		{"ReduceProd", nil, []*Tensor{holding(2, 3, 4)}, []float64{24}},
		{"Relu", nil, []*Tensor{holding(1)}, nil},
	} {
		out, err := Infer(&Node{Kind: c.kind, Opset: 17, Inputs: c.inputs, Outputs: 1, Attributes: c.attributes})
		require.NoError(t, err, c.kind)
		require.Equal(t, c.want, out[0].Content, c.kind)
	}
}

func TestWhatDoesNotFitIsAnError(t *testing.T) {
	for _, c := range []struct {
		kind       string
		attributes given
		inputs     []*Tensor
	}{
		{"NoSuchOperator", nil, nil},
		{"Relu", nil, nil},
		{"Add", nil, []*Tensor{of(2), of(3)}},
		{"MatMul", nil, []*Tensor{of(2, 3), of(4, 3)}},
		{"Conv", nil, []*Tensor{of(1, 3, 2, 2), of(4, 3, 5, 5)}},
		{"Conv", given{"strides": is(0, 0)}, []*Tensor{of(1, 3, 8, 8), of(4, 3, 5, 5)}},
		{"Reshape", nil, []*Tensor{of(2, 3), holding(4, -1)}},
		{"Reshape", nil, []*Tensor{of(2, 3), of(2)}},
		{"Reshape", nil, []*Tensor{of(2, 3), holding(-2, -3)}},
		{"Reshape", nil, []*Tensor{of(2, 3), holding(-1, -1)}},
		{"Reshape", nil, []*Tensor{of(2, 3), holding(-1, 3, -1)}},
		{"Squeeze", given{"axes": is(0)}, []*Tensor{of(2)}},
		{"Transpose", given{"perm": is(0)}, []*Tensor{of(2, 3)}},
		{"Concat", given{"axis": 5}, []*Tensor{of(2)}},
		{"ConstantOfShape", nil, []*Tensor{holding(-1, 3)}},
		{"Range", nil, []*Tensor{scalar(0), scalar(1), scalar(0)}},
		{"Split", nil, []*Tensor{of(4), holding(5, -1)}},
		{"Split", nil, []*Tensor{of(4), holding(1, 1)}},
	} {
		_, err := Infer(&Node{Kind: c.kind, Opset: 17, Inputs: c.inputs, Outputs: 2, Attributes: c.attributes})
		require.Error(t, err, c.kind)
	}
}

// TestAxesOfErrors: an axis that does not fit is told as the model has it.
func TestAxesOfErrors(t *testing.T) {
	for _, a := range []int64{-9, -3, 2, 7, math.MinInt64, math.MaxInt64} {
		_, err := Infer(&Node{Kind: "Split", Opset: 17, Inputs: []*Tensor{of(2, 6)}, Outputs: 2, Attributes: given{"axis": int(a)}})
		require.ErrorContains(t, err, fmt.Sprintf("axis %d does not fit 2 dimensions", a))
	}
}

// TestLaw_AnyNodeIsAnAnswerOrAnError: whatever the operator and what it takes, sizes that are given are not negative and contents fit their shape.
func TestLaw_AnyNodeIsAnAnswerOrAnError(t *testing.T) {
	kinds := slices.Sorted(maps.Keys(rules))
	number := rapid.OneOf(rapid.Int64Range(-3, 5), rapid.SampledFrom([]int64{-1 << 63, 1<<63 - 1, 1 << 40}))
	size := rapid.OneOf(rapid.Int64Range(0, 5), rapid.SampledFrom([]int64{1 << 30, 1 << 60}))
	tensor := rapid.Custom(func(t *rapid.T) *Tensor {
		out := &Tensor{Elem: rapid.Int64Range(1, 13).Draw(t, "elem"), Dims: rapid.SliceOfN(size, 0, 4).Draw(t, "dims")}
		if n := volume(out.Dims); n <= 30 && rapid.Bool().Draw(t, "known") {
			out.Content = []float64{}
			for range n {
				out.Content = append(out.Content, float64(number.Draw(t, "value")))
			}
		}
		return out
	})
	names := []string{"axis", "axes", "pads", "strides", "kernel_shape", "perm", "keepdims", "to", "split", "blocksize", "hidden_size", "batch_dims", "group", "dilations", "k"}
	rapid.Check(t, func(t *rapid.T) {
		attributes := given{}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 4).Draw(t, "names") {
			if rapid.Bool().Draw(t, "list") {
				attributes[name] = rapid.SliceOfN(number, 0, 5).Draw(t, "ints")
			} else {
				attributes[name] = int(number.Draw(t, "int"))
			}
		}
		n := &Node{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Opset: 17, Outputs: rapid.IntRange(0, 3).Draw(t, "outputs"),
			Inputs: rapid.SliceOfN(tensor, 0, 5).Draw(t, "inputs"), Attributes: attributes}
		out, err := Infer(n)
		if err != nil {
			return
		}
		for _, o := range out {
			for _, d := range o.Dims {
				require.GreaterOrEqual(t, d, int64(0))
			}
			if o.Content != nil {
				require.Equal(t, volume(o.Dims), int64(len(o.Content)))
			}
		}
	})
}
