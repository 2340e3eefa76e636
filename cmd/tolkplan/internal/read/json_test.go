package read_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/placement"
)

const schedule = `{"tolk_schedule": 1, "name": "two", "storage": [
  {"device": "CUDA:0", "dtype": "float32", "count": 4}, {"device": "CUDA:0", "dtype": "float32", "count": 8, "held": true}],
 "entries": [{"call": {"body": "sink", "args": [0, 1]}}, {"loop": {"kind": "end", "entries": [{"call": {"body": "store", "args": [0]}}]}}]}`

func TestJSONForms(t *testing.T) {
	plan := `{"arenas": [{"device": "CUDA:0", "size": 256}], "places": {"0": [0, 0]}, "before": 256, "after": 256, "lower_bound": 256, "taken": [[0, 1], [0]]}`
	for _, c := range []struct {
		name, text string
		works      int
		plans      int
	}{
		{"schedule", schedule, 1, 0},
		{"request", `{"options": {"placer": "best"}, "schedule": ` + schedule + `}`, 1, 0},
		{"with its plan", `{"schedule": ` + schedule + `, "plan": ` + plan + `}`, 1, 1},
		{"capture", `{"schedule": ` + schedule + `, "plan": ` + plan + `, "plan_copies_apart": ` + plan + `, "peer_seconds": {"whole": 0.5}}`, 1, 2},
		{"byte order mark", "\ufeff" + schedule, 1, 0},
		{"lines", schedule + "\n" + schedule + "\n", 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			works, err := read.Data("a.json", []byte(c.text), read.Settings{})
			require.NoError(t, err)
			require.Len(t, works, c.works)
			for _, w := range works {
				require.Equal(t, []string{"sink", "loop of 1 entries"}, w.Schedule.Entries)
				require.Equal(t, []string{"float32[4]", "float32[8]"}, w.Schedule.Names)
				require.Len(t, w.Schedule.Held, 1)
				require.Len(t, w.Schedule.Plans, c.plans)
			}
		})
	}
}

func TestJSONLinesAreNamed(t *testing.T) {
	works, err := read.Data("a.jsonl", []byte(schedule+"\n"+schedule), read.Settings{})
	require.NoError(t, err)
	require.Equal(t, "a.jsonl:1", works[0].Name)
	require.Equal(t, "a.jsonl:4", works[1].Name)
}

func TestJSONLifetimesAndOptions(t *testing.T) {
	works, err := read.Data("a.json", []byte(`{"lifetimes": [[0, 2, 100], [1, 3, 50]], "options": {"placer": "best", "granule": 64, "time_limit_ms": 5}}`), read.Settings{})
	require.NoError(t, err)
	w := works[0]
	require.Len(t, w.Lifetimes.Buffers, 2)
	require.Equal(t, int64(50), w.Lifetimes.Buffers[1].Bytes)
	require.Equal(t, placement.Best, *w.Options.Placer)
	require.Equal(t, int64(64), *w.Options.Granule)
	require.Nil(t, w.Options.Effort)
}

func TestJSONFaultsPointAtThePlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", " ", "a.json: the file is empty"},
		{"cut off", schedule[:100], "the text ends too early"},
		{"no JSON", "{]", "a.json:1:2:"},
		{"no schedule", `{"a": 1}`, "a.json:1:1: this is no schedule"},
		{"array", `[1]`, "a.json:1:1: this is no schedule"},
		{"unknown key", `{"schedule": ` + schedule + `, "extra": 1}`, `key "extra" is not known`},
		{"inside", "{\"options\": {},\n \"schedule\": " + strings.Replace(schedule, `"float32", "count": 4`, `"float31", "count": 4`, 1) + "}", `a.json:3:33: dtype "float31"`},
		{"second line", schedule + "\n" + strings.Replace(schedule, `[0, 1]`, `[0, 9]`, 1), "a.json:6:52: storage index 9"},
		{"negative count", strings.Replace(schedule, `"count": 4`, `"count": -4`, 1), "a.json:2:3:"},
		{"NaN", strings.Replace(schedule, `"count": 4`, `"count": NaN`, 1), "a.json:2:53:"},
		{"lifetimes", `{"lifetimes": 3}`, "a.json:1:15: lifetimes must be an array"},
		{"lifetime of two", `{"lifetimes": [[0, 1]]}`, "lifetime 0 must be three integers"},
		{"lifetime backwards", `{"lifetimes": [[0, 1, 5], [3, 2, 5]]}`, "lifetime 1: end is 2"},
		{"option", `{"lifetimes": [], "options": {"placer": "worst"}}`, "a.json:1:30: the options:"},
		{"unknown option", `{"lifetimes": [], "options": {"speed": 1}}`, "a.json:1:30: the options:"},
		{"plan", `{"schedule": ` + schedule + `, "plan": {"places": {"x": [0, 0]}}}`, `the plan: place "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Data("a.json", []byte(c.text), read.Settings{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestDepthCostsNothing(t *testing.T) {
	const depth = 50_000
	open, closing := strings.Repeat(`{"loop":{"kind":"end","entries":[`, depth), strings.Repeat("]}}", depth)
	text := `{"schedule": {"tolk_schedule":1,"storage":[],"entries":[` + open + closing + `]}}`
	works, err := read.Data("a.json", []byte(text), read.Settings{})
	require.NoError(t, err)
	require.Len(t, works[0].Schedule.Entries, 1)
}

func TestGzip(t *testing.T) {
	half := len(schedule) / 2
	for _, data := range []string{gzipped(t, schedule), gzipped(t, schedule[:half]) + gzipped(t, "") + gzipped(t, schedule[half:])} {
		works, err := read.Data("a.json.gz", []byte(data), read.Settings{})
		require.NoError(t, err)
		require.Equal(t, "a.json", works[0].Name)
		require.Equal(t, []byte(schedule), works[0].Schedule.Text)
	}
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err := zip.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	return packed.String()
}

func TestGzipErrors(t *testing.T) {
	packed := gzipped(t, schedule)
	garbage := fmt.Sprintf("a.json.gz: byte %d: from there on it is no gzipped data", len(packed))
	wrongSum := []byte(packed)
	wrongSum[len(packed)-5] ^= 1
	for _, c := range []struct{ name, data, want string }{
		{"cut off", packed[:len(packed)-20], "the gzipped data end too early"},
		{"cut off in the sum", packed[:len(packed)-1], "the gzipped data end too early"},
		{"cut off in the head", packed[:5], "the gzipped data end too early"},
		{"a second part cut off", packed + packed[:5], "the gzipped data end too early"},
		{"a byte behind", packed + "x", garbage},
		{"some bytes behind", packed + "garbage", garbage},
		{"many bytes behind", packed + strings.Repeat("garbage", 100), garbage},
		{"another method", "\x1f\x8b" + strings.Repeat("x", 100), "a.json.gz: byte 0: of the gzipped data that begin there: gzip: invalid header"},
		{"a wrong sum", string(wrongSum), "gzip: invalid checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read.Data("a.json.gz", []byte(c.data), read.Settings{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestForeignFilesAreNamed(t *testing.T) {
	for name, data := range map[string]string{"m.ort": "    ORTM", "m.hlo.pb": "x", "m.gguf": "GGUF"} {
		_, err := read.Data(name, []byte(data), read.Settings{})
		require.ErrorContains(t, err, "which tolkplan does not read", name)
	}
}
