package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before you commit it")

// call runs the program and gives what it wrote, with its exit code. The clock stands still.
func call(args ...string) (out, err string, code int) {
	var stdout, stderr bytes.Buffer
	a := &app{out: &stdout, err: &stderr, now: func() time.Time { return time.Time{} }, width: 90}
	code = a.run(context.Background(), args)
	return stdout.String(), stderr.String(), code
}

// inData goes to a copy of the test data, with models beside them.
func inData(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/in")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model.onnx"), onnxModel(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "model.tflite"), tfliteModel(), 0o600))
	t.Chdir(dir)
}

// onnxModel is two convolutions and a sum, of a batch that is not said.
func onnxModel() []byte {
	list := func(names ...string) []string { return names }
	return mt.ONNX(mt.Graph{
		Nodes: []mt.ONNXNode{
			mt.Node("Conv", list("x", "w1"), list("a"), mt.Ints("pads", 1, 1, 1, 1)),
			mt.Node("Relu", list("a"), list("b")),
			mt.Node("Conv", list("b", "w2"), list("c"), mt.Ints("pads", 1, 1, 1, 1)),
			mt.Node("Add", list("b", "c"), list("d")),
			mt.Node("GlobalAveragePool", list("d"), list("y")),
		},
		Tensors: []mt.Proto{mt.Weights("w1", 8, 3, 3, 3), mt.Weights("w2", 8, 8, 3, 3)},
		Inputs:  []mt.Proto{mt.Value("x", mt.Float32, "batch", 3, 16, 16)}, Outputs: []mt.Proto{mt.Value("y", mt.Float32, "batch", 8, 1, 1)},
	})
}

// tfliteModel is four operators in a row.
func tfliteModel() []byte {
	tensor := func(name string, n int32) mt.TFLiteTensor { return mt.TFLiteTensor{Name: name, Shape: []int32{1, n}} }
	g := mt.TFLiteGraph{Inputs: []int32{0}, Outputs: []int32{4},
		Tensors: []mt.TFLiteTensor{tensor("in", 100), tensor("a", 4000), tensor("b", 1000), tensor("c", 2000), tensor("out", 10)}}
	for i, code := range []int32{3, 19, 9, 25} {
		g.Operators = append(g.Operators, mt.TFLiteOperator{Code: code, Inputs: []int32{int32(i)}, Outputs: []int32{int32(i + 1)}})
	}
	return mt.TFLite(g)
}

// spent is what a search costs, which changes whenever one is improved.
var spent = regexp.MustCompile(`"steps": \d+`)

// TestGolden holds what each command writes, and its exit code. Files that a command wrote are shown too.
func TestGolden(t *testing.T) {
	golden, err := filepath.Abs("testdata/golden")
	require.NoError(t, err)
	inData(t)
	for _, c := range []struct{ name, line string }{
		{"help", "--help"},
		{"plan", "plan schedule.json lifetimes.csv requests.jsonl"},
		{"plan_best", "plan --placer best schedule.json"},
		{"plan_json", "plan --json --placer best schedule.json"},
		{"plan_models", "plan model.onnx model.tflite --dim batch=4"},
		{"plan_release", "plan model.tflite --release inputs,outputs"},
		{"plan_dynamic", "plan model.onnx"},
		{"plan_dim_unused", "plan model.tflite --dim batch=4"},
		{"plan_infeasible", "plan schedule.json --capacity CUDA:0=1kB"},
		{"plan_infeasible_json", "plan schedule.json --capacity 1kB --json"},
		{"plan_csv", "plan lifetimes.csv --placer first-fit -o planned.csv; planned.csv"},
		{"plan_arenas", "plan arenas.csv -o planned_arenas.csv; planned_arenas.csv"},
		{"plan_text", "plan schedule.json -o plan.json; plan.json"},
		{"plan_hold", "plan schedule.json --hold 1 --release 3 -o held.json; held.json"},
		{"plan_model_csv", "plan model.tflite -o model.csv; model.csv"},
		{"plan_stdout", "plan lifetimes.csv -o -"},
		{"plan_answer", "plan lifetimes.csv --placer first-fit -o answer.json; answer.json"},
		{"plan_answer_alone", "plan answer.json"},
		{"plan_bare", "plan bare.json"},
		{"plan_granule", "plan schedule.json --granule 1KiB -o coarse.json; coarse.json"},
		{"plan_inclusive", "plan lifetimes.csv --inclusive -o inclusive.csv; inclusive.csv"},
		{"plan_fixed", "plan planned.csv"},
		{"plan_overlap", "plan overlapping.csv"},
		{"plan_missing", "plan nowhere.json"},
		{"plan_fault_csv", "plan faulty.csv"},
		{"plan_fault_json", "plan faulty.json --json"},
		{"map", "map lifetimes.csv"},
		{"map_text", "map lifetimes.csv --placers tlsf -o map.txt; map.txt"},
		{"map_stdout", "map planned.csv --placers tlsf -o -"},
		{"map_svg", "map lifetimes.csv --placers tlsf -o map.svg; map.svg"},
		{"map_form", "map lifetimes.csv --placers tlsf --form json -o map.trace; map.trace"},
		{"map_json", "map lifetimes.csv --placers tlsf --json"},
		{"map_faults", "map overlapping.csv --placers tlsf"},
		{"explain", "explain schedule.json"},
		{"explain_plan", "explain plan.json"},
		{"explain_faults", "explain overlapping.csv"},
		{"explain_json", "explain --json lifetimes.csv"},
		{"compare", "compare schedule.json"},
		{"compare_files", "compare lifetimes.csv planned.csv"},
		{"compare_json", "compare --json lifetimes.csv planned.csv"},
		{"verify", "verify planned.csv plan.json held.json"},
		{"verify_granule", "verify coarse.json"},
		{"verify_answer", "verify answer.json --of lifetimes.csv"},
		{"plan_answers", "plan requests.jsonl -o answers.jsonl; answers.jsonl"},
		{"verify_answers", "verify answers.jsonl --of requests.jsonl"},
		{"verify_answers_count", "verify answers.jsonl --of lifetimes.csv"},
		{"verify_answer_kind", "verify bare.json --of lifetimes.csv"},
		{"verify_of", "verify bare.json --of schedule.json"},
		{"verify_faults", "verify overlapping.csv faulty_plan.json"},
		{"verify_faults_json", "verify --json overlapping.csv"},
		{"gen", "gen training -n 12 --seed 3"},
		{"gen_json", "gen training -n 4 --json"},
		{"gen_mixed_json", "gen mixed -n 4 --as json"},
		{"gen_any", "gen any -n 3 --seed 5"},
		{"gen_schedule", "gen random -n 4 --as schedule"},
		{"demo", "demo"},
		{"demo_json", "demo schedule.json --json"},
		{"verify_no_plan", "verify lifetimes.csv"},
		{"complete_flag", "__complete plan --placer b"},
		{"complete_kind", "__complete gen t"},
		{"usage_form", "map schedule.json --form pdf"},
		{"usage_help", "help plam"},
		{"usage_number", "gen random -n x"},
		{"usage_live", "explain schedule.json --live -3"},
		{"usage_demo", "demo -o map.png"},
		{"usage_shell", "completion csh"},
		{"usage_flag_json", "plan --colour --json"},
		{"usage_command", "plam"},
		{"usage_flag", "plan --colour"},
		{"usage_files", "map"},
		{"usage_capacity", "plan schedule.json --capacity CUDA:0=much"},
		{"usage_device", "plan schedule.json --capacity CUDA:7=1GiB"},
		{"usage_hold", "plan schedule.json --hold nothing"},
		{"usage_output", "map schedule.json -o map.png"},
		{"usage_arenas", "plan arenas.csv -o plan.json"},
		{"usage_placer", "plan schedule.json --placer worst"},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, shown, _ := strings.Cut(c.line, "; ")
			out, errText, code := call(strings.Fields(line)...)
			out = spent.ReplaceAllString(out, `"steps": 0`)
			text := fmt.Sprintf("$ tolkplan %s\n%s", line, out)
			if errText != "" {
				text += "--- standard error\n" + errText
			}
			if shown != "" {
				data, err := os.ReadFile(shown)
				require.NoError(t, err)
				text += "--- " + shown + "\n" + string(data)
			}
			text += fmt.Sprintf("--- exit %d\n", code)
			path := filepath.Join(golden, c.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), text)
		})
	}
}
