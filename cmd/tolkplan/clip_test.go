package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	mt "libtolk_memory/cmd/tolkplan/internal/modeltest"
)

// TestClipped holds what is left of quotations.
func TestClipped(t *testing.T) {
	x := strings.Repeat("x", 100)
	for message, want := range map[string]string{
		"":                                  "",
		`it is "short"; "so" is ["this"]`:   `it is "short"; "so" is ["this"]`,
		`it is "` + x + `"; it must be "b"`: `it is "` + x[:79] + `…"; it must be "b"`,
		`["` + x + `" "` + x + `"]`:         `["` + x[:79] + `…" "` + x[:79] + `…"]`,
		`"` + x[:75] + `\x1b\x1b` + x + `"`: `"` + x[:75] + `…"`,
		`"` + x[:78] + `ßß` + x + `"`:       `"` + x[:78] + `…"`,
		x + `: 5" of ` + x:                  x + `: 5" of ` + x,
	} {
		require.Equal(t, want, clipped(message))
	}
}

// TestLaw_MessagesAreShort: no message is longer than it may be, and one that quotes little stays as it is.
func TestLaw_MessagesAreShort(t *testing.T) {
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{strings.Repeat("\x80", 200), `"`, `\`, strings.Repeat("x", 200), strings.Repeat("ß", 3000)}))
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "")
		require.LessOrEqual(t, len(clipped(message)), longestMessage+len("…"))
		if !strings.Contains(message, `"`) && len(message) <= longestMessage {
			require.Equal(t, message, clipped(message))
		}
	})
}

// TestLongValuesAreClipped: a value of a million bytes, anywhere in a file that is wrong, gives a message to read.
func TestLongValuesAreClipped(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("long ", 200_000)
	model := string(mt.ONNX(mt.Graph{Nodes: []mt.ONNXNode{mt.Node(long, []string{"x"}, []string{"y"})}, Inputs: []mt.Proto{mt.Value("x", mt.Float32, long, 3)},
		Outputs: []mt.Proto{mt.Value("y", mt.Float32, long, 3)}}))
	for name, text := range map[string]string{
		"placer.json":   `{"lifetimes": [[0, 1, 5]], "options": {"placer": "` + long + `"}}`,
		"copies.json":   `{"lifetimes": [[0, 1, 5]], "options": {"copies": "` + long + `"}}`,
		"option.json":   `{"lifetimes": [[0, 1, 5]], "options": {"` + long + `": 1}}`,
		"key.json":      `{"lifetimes": [[0, 1, 5]], "` + long + `": 1}`,
		"dtype.json":    `{"tolk_schedule": 1, "storage": [{"device": "CPU", "dtype": "` + long + `", "count": 1}], "entries": []}`,
		"device.json":   `{"schedule": {"tolk_schedule": 1, "storage": [], "entries": []}, "plan": {"arenas": [{"device": {"` + long + `": 1}}]}}`,
		"place.json":    `{"schedule": {"tolk_schedule": 1, "storage": [], "entries": []}, "plan": {"places": {"` + long + `": [0, 0]}}}`,
		"column.csv":    "id,lower,upper,size," + long + "\n",
		"number.csv":    "id,lower,upper,size\n1," + long + ",3,4\n",
		"twice.csv":     "id,lower,upper,size\n" + long + ",0,3,4\n" + long + ",0,3,4\n",
		"capacity.csv":  "id,lower,upper,size,arena,name\n" + long + ",0,3,4000," + long + "," + long + "\n",
		"dynamic.onnx":  model,
		"operator.onnx": strings.ReplaceAll(model, "\x12", "\x13"),
	} {
		for _, form := range []string{"--json=false", "--json"} {
			_, errText, code := call("plan", "--capacity", "1", form, saved(t, name, text))
			require.NotZero(t, code, name)
			if form != "--json" || name != "capacity.csv" { // there the arena and the buffers are data, exact as all JSON
				require.Less(t, len(errText), 2*longestMessage, name)
			}
			require.Contains(t, errText, name)
		}
	}
}

// saved is the path of a file that it writes.
func saved(t *testing.T, name, text string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}
