package picture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before you commit it")

func sketch100(w io.Writer, p Picture) error { return Text(w, p, 100, 30) }

func TestGoldens(t *testing.T) {
	for name, p := range map[string]Picture{
		"small":   smallPicture(),
		"hostile": hostilePicture(),
		"model":   modelPicture(t, "resnet50_infer_bs8"),
		"nothing": {},
	} {
		for ending, write := range map[string]func(io.Writer, Picture) error{".svg": SVG, ".txt": sketch100, ".trace.json": Trace} {
			t.Run(name+ending, func(t *testing.T) {
				requireGolden(t, name+ending, drawn(t, write, p))
			})
		}
	}
}

func requireGolden(t *testing.T, name string, got []byte) {
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s differs; write it anew with -update if it is meant to", path)
}

func drawn(t testing.TB, write func(io.Writer, Picture) error, p Picture) []byte {
	var out bytes.Buffer
	require.NoError(t, write(&out, p))
	return out.Bytes()
}

// TestDrawingIsDeterministic draws twice, from pictures made twice.
func TestDrawingIsDeterministic(t *testing.T) {
	for name, write := range map[string]func(io.Writer, Picture) error{"html": HTML, "svg": SVG, "text": sketch100, "trace": Trace} {
		for _, make := range []func() Picture{smallPicture, hostilePicture} {
			require.Equal(t, string(drawn(t, write, make())), string(drawn(t, write, make())), name)
		}
	}
}

// TestSVGIsWellFormed parses what was written, whatever names hold, and finds them whole where they are short enough to be shown.
func TestSVGIsWellFormed(t *testing.T) {
	for _, p := range []Picture{smallPicture(), hostilePicture(), {}, {Plans: []Plan{{}}}} {
		decoder := xml.NewDecoder(bytes.NewReader(drawn(t, SVG, p)))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			if start, ok := token.(xml.StartElement); ok {
				require.NotEqual(t, "script", start.Name.Local)
			}
		}
	}
}

// TestTraceIsValid reads a trace back: buffers on one row never overlap, and the load of the counter is that of brute force.
func TestTraceIsValid(t *testing.T) {
	p := modelPicture(t, "mlp_pipe4_micro4_bs512")
	var trace struct {
		Events []struct {
			Name     string `json:"name"`
			Category string `json:"cat"`
			Phase    string `json:"ph"`
			Process  int    `json:"pid"`
			Thread   int    `json:"tid"`
			Start    int64  `json:"ts"`
			Length   int64  `json:"dur"`
			Args     struct {
				Bytes int64 `json:"bytes"`
			} `json:"args"`
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(drawn(t, Trace, p), &trace))
	arenas := []*Arena{nil} // processes count from 1
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			arenas = append(arenas, &p.Plans[i].Arenas[j])
		}
	}
	type row struct{ process, thread int }
	type slot struct {
		row
		entry int64
	}
	taken, buffers := map[slot]bool{}, 0
	for _, e := range trace.Events {
		if e.Phase == "C" {
			require.Equal(t, bruteLoad(arenas[e.Process], e.Start), e.Args.Bytes)
		}
		if e.Category != "buffer" {
			continue
		}
		buffers++
		for entry := e.Start; entry < e.Start+e.Length; entry++ {
			at := slot{row{e.Process, e.Thread}, entry}
			require.False(t, taken[at], "two buffers on one row at entry %d", entry)
			taken[at] = true
		}
	}
	want := 0
	for _, a := range arenas[1:] {
		want += len(a.Buffers)
	}
	require.Equal(t, want, buffers)
}

func bruteLoad(a *Arena, entry int64) (load int64) {
	for _, b := range a.Buffers {
		if b.First <= entry && entry < b.End {
			load += b.Need
		}
	}
	return load
}

func TestTextRefusesWhatIsTooSmall(t *testing.T) {
	require.ErrorContains(t, Text(io.Discard, smallPicture(), MinWidth-1, MinHeight), "at least 30×8")
	require.ErrorContains(t, Text(io.Discard, smallPicture(), MinWidth, MinHeight-1), "at least 30×8")
	require.NoError(t, Text(io.Discard, smallPicture(), MinWidth, MinHeight))
}

// TestTextFits measures sketches: no line is wider than asked, and no arena has more lines.
func TestTextFits(t *testing.T) {
	for _, size := range [][2]int{{MinWidth, MinHeight}, {80, 24}, {200, 60}} {
		for _, p := range []Picture{smallPicture(), hostilePicture(), modelPicture(t, "resnet50_infer_bs8")} {
			text := string(drawn(t, func(w io.Writer, p Picture) error { return Text(w, p, size[0], size[1]) }, p))
			for _, sketch := range strings.Split(text, "\n\n") {
				lines := strings.Split(strings.TrimSuffix(sketch, "\n"), "\n")
				require.LessOrEqual(t, len(lines), size[1])
				for _, line := range lines {
					require.LessOrEqual(t, len([]rune(line)), size[0], line)
				}
			}
			require.NotContains(t, text, "\x1b")
		}
	}
}
