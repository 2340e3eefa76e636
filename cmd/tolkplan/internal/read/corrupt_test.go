package read_test

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

// maxSpent is the bytes that a corrupted file of a few kB may cost, all that is freed again counted too.
const maxSpent = 64 << 20

// requireHarmless reads a file, however wrong, checks the plans that it holds and plans it anew, if it can be read.
func requireHarmless(t *testing.T, name string, data []byte, what ...any) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	works, err := read.Data(name, data, read.Settings{Dims: map[string]int64{"batch": 2}})
	if err != nil {
		var fault *read.Error
		require.ErrorAs(t, err, &fault, what...)
		require.Equal(t, name, fault.File)
		require.NotEmpty(t, fault.Message)
	}
	for _, w := range works {
		if w.Schedule != nil {
			for i := range w.Schedule.Plans {
				if plan, _, err := solve.Given(w, &w.Schedule.Plans[i], 0); err == nil {
					solve.Check(plan)
				}
			}
		}
		if plan, err := solve.Work(context.Background(), w, solve.Settings{}); err == nil {
			require.Empty(t, solve.Check(plan), what...)
		}
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(maxSpent), what...)
}

// TestTFLiteCorrupted gives each number of a model every extreme, in turn.
func TestTFLiteCorrupted(t *testing.T) {
	body := mt.TFLiteGraph{Tensors: []mt.TFLiteTensor{tensor("p", 8), tensor("q", 8)}, Inputs: []int32{0}, Outputs: []int32{1},
		Operators: []mt.TFLiteOperator{{Code: opRelu, Inputs: []int32{0}, Outputs: []int32{1}}}}
	whole := mt.TFLite(mt.TFLiteGraph{
		Tensors: []mt.TFLiteTensor{tensor("in", 1, 8), tensor("mid", 8), tensor("out", 8)}, Inputs: []int32{0}, Outputs: []int32{2},
		Operators: []mt.TFLiteOperator{{Code: opCall, Inputs: []int32{0}, Outputs: []int32{1}, Calls: []int32{1}}, {Code: opRelu, Inputs: []int32{1}, Outputs: []int32{2}}},
	}, body)
	requireHarmless(t, "a.tflite", whole)
	for at := 0; at+4 <= len(whole); at += 2 {
		for _, n := range []uint32{0, 1, 2, uint32(at), uint32(len(whole)), math.MaxInt32, 1 << 31, math.MaxUint32} {
			data := slices.Clone(whole)
			binary.LittleEndian.PutUint32(data[at:], n)
			requireHarmless(t, "a.tflite", data, "byte %d: %d", at, n)
		}
	}
}

// TestONNXCorrupted gives each byte of a model several others, and each number a longer one, in turn.
func TestONNXCorrupted(t *testing.T) {
	long := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f} // the greatest number of a field
	whole := mt.ONNX(branchesOf())
	requireHarmless(t, "a.onnx", whole)
	for at := range whole {
		for _, c := range []byte{0, 1, 0x7f, 0x80, 0xff, whole[at] ^ 1, whole[at] ^ 7} {
			data := slices.Clone(whole)
			data[at] = c
			requireHarmless(t, "a.onnx", data, "byte %d: %d", at, c)
		}
		requireHarmless(t, "a.onnx", slices.Replace(slices.Clone(whole), at, at+1, long...), "byte %d: longer", at)
	}
}

// TestTextCorrupted gives each byte of a schedule and of lifetimes several others, in turn, and leaves it out.
func TestTextCorrupted(t *testing.T) {
	for name, text := range map[string]string{
		"a.json": `{"schedule": ` + schedule + `, "plan": {"arenas": [{"device": "CUDA:0", "size": 256}], "places": {"0": [0, 0]}}, "options": {"granule": 64}}`,
		"b.json": `{"lifetimes": [[0, 2, 100], [1, 3, 50]], "options": {"placer": "best"}}`,
		"c.csv":  "id,lower,upper,size,alignment,offset,hint,arena,name\na,0,3,16,8,0,-1,CPU,conv\nb,1,4,24,,,,CPU,\n",
	} {
		for at := range text {
			for _, other := range []string{"", "9", "-", "\"", "[", "}", ",", "\n", "\x00", "\xff", "99999999999999999999", "NaN", "1e300"} {
				requireHarmless(t, name, []byte(text[:at]+other+text[at+1:]), "%s: byte %d: %q", name, at, other)
			}
			requireHarmless(t, name, []byte(text[:at]), "%s cut at %d", name, at)
		}
	}
}
