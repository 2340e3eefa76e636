package read_test

import (
	"context"
	"errors"
	"testing"
	"time"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

// fuzz says of any bytes: they are an error that names its file, or something that can be planned or is refused, in little time.
func fuzz(f *testing.F, name string) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		works, err := read.Data(name, data, read.Settings{Dims: map[string]int64{"batch": 2}})
		var fault *read.Error
		if err != nil {
			if !errors.As(err, &fault) || fault.File == "" {
				t.Fatalf("%v (%T) is no error of a file", err, err)
			}
			return
		}
		for _, w := range works[:min(len(works), 3)] {
			plan, err := solve.Work(context.Background(), w, solve.Settings{TimeLimit: time.Second})
			if err != nil {
				continue
			}
			if faults := solve.Check(plan); len(faults) > 0 {
				t.Fatalf("%v", faults[0])
			}
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("id,lower,upper,size,alignment,offset\na,0,3,16,8,\nb,1,4,24,,0\n"))
	f.Add([]byte("buffer,begin,end,size,hint,gaps,arena,name\na,0,3,16,-1,1-2,CUDA:0,conv\n"))
	fuzz(f, "a.csv")
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(schedule))
	f.Add([]byte(`{"lifetimes": [[0, 2, 100], [1, 3, 50]], "options": {"granule": 64}}`))
	f.Add([]byte(`{"schedule": ` + schedule + `, "plan": {"arenas": [{"device": "CUDA:0", "size": 256}], "places": {"0": [0, 0]}}}`))
	fuzz(f, "a.json")
}

func FuzzONNX(f *testing.F) {
	f.Add(mt.ONNX(branchesOf()))
	f.Add(mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{mt.Node("Shape", list("x"), list("s")), mt.Node("Reshape", list("x", "s"), list("a")),
			mt.Node("Conv", list("a", "w"), list("b"), mt.Ints("pads", 1, 1)), mt.Node("Slice", list("b", "i", "i", "i", "i"), list("y"))},
		Tensors: []mt.Proto{mt.Weights("w", 8, 3, 3), mt.Tensor("i", []int64{1}, 1)},
		Inputs:  []mt.Proto{mt.Value("x", mt.Float32, "batch", 3, 8)}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, nil)},
	}))
	fuzz(f, "a.onnx")
}

func FuzzTFLite(f *testing.F) {
	f.Add(mt.TFLite(mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("in", 1, 8), tensor("out", 8)}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []mt.TFLiteOperator{{Code: opRelu, Inputs: []int32{0}, Outputs: []int32{1}}, {Code: opCall, Calls: []int32{1}}}},
		mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("a", 8)}}))
	fuzz(f, "a.tflite")
}
