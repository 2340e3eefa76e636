package placement_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/placement/problem"
)

// sharedFiles is the files of a folder of those that the project does not carry; the test is skipped if it is absent.
func sharedFiles(t testing.TB, folder, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixture.Shared(t, folder), pattern))
	require.NoError(t, err)
	return files
}

// instance reads a placement problem others published: lines of id, first, end, bytes.
func instance(t testing.TB, file string) *problem.Problem {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	p := &problem.Problem{}
	for _, row := range rows[1:] {
		var numbers [3]int64
		for at := range numbers {
			numbers[at], err = strconv.ParseInt(row[at+1], 10, 64)
			require.NoError(t, err)
		}
		p.Buffers = append(p.Buffers, problem.Buffer{First: numbers[0], End: numbers[1], Bytes: numbers[2]})
	}
	return p
}

// capturedArena is one arena of a captured schedule, with the plan that the rules of tlsf gave it.
type capturedArena struct {
	name    string
	problem *problem.Problem
	offsets []int64
	size    int64
	span    int64 // address range of tlsf: twice the needs of the whole schedule
}

// capture is the part of a captured schedule that lifetimes follow from. The captures hold neither loops nor views.
type capture struct {
	Schedule struct {
		Storage []struct {
			Op     string
			Device json.RawMessage
			Dtype  string
			Count  int64
			Held   bool
		}
		Entries []struct{ Call struct{ Args []int } }
	}
	Plan struct {
		Arenas []struct{ Size int64 }
		Places map[int][2]int64
		Before int64
	}
}

var dtypeBytes = map[string]int64{"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2,
	"int32": 4, "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8}

// capturedArenas reads the arenas of a capture, their buffers in order of first use.
func capturedArenas(t testing.TB, file string) []capturedArena {
	t.Helper()
	c := fixture.Capture[capture](t, file)
	name := strings.TrimSuffix(filepath.Base(file), ".json.gz")
	arenas := make([]capturedArena, len(c.Plan.Arenas))
	for at := range arenas {
		arenas[at] = capturedArena{name: name + "/" + strconv.Itoa(at), problem: &problem.Problem{Granule: 256},
			size: c.Plan.Arenas[at].Size, span: 2 * c.Plan.Before}
	}
	seen := map[int]int{} // storage to its index in its arena
	for entry, e := range c.Schedule.Entries {
		for _, s := range e.Call.Args {
			place, planned := c.Plan.Places[s]
			if !planned {
				continue
			}
			arena := &arenas[place[0]]
			if _, ok := seen[s]; !ok {
				storage := c.Schedule.Storage[s]
				require.Contains(t, dtypeBytes, storage.Dtype)
				seen[s] = len(arena.offsets)
				arena.offsets = append(arena.offsets, place[1])
				arena.problem.Buffers = append(arena.problem.Buffers,
					problem.Buffer{First: int64(entry), Bytes: max(storage.Count*dtypeBytes[storage.Dtype], 1)})
			}
			arena.problem.Buffers[seen[s]].End = int64(entry) + 1
		}
	}
	return arenas
}
