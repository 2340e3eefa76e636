package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
)

// driver asks the C API, a line a question, and gives the answers.
func driver(t *testing.T, questions []string) []string {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	command(t, root, "make", "lib")
	program := filepath.Join(t.TempDir(), "driver")
	lib := filepath.Join(root, "build")
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	command(t, root, cc, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Iinclude", "tests/c/driver.c", "-o", program, "-L"+lib, "-ltolk_memory", "-Wl,-rpath,"+lib)
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(strings.Join(questions, "\n") + "\n")
	out, err := cmd.Output()
	require.NoError(t, err)
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	require.Len(t, answers, len(questions))
	return answers
}

// expected is a plan as the vectors have it.
type expected struct {
	Arenas     json.RawMessage     `json:"arenas"`
	Places     map[string][2]int64 `json:"places"`
	Before     int64               `json:"before"`
	After      int64               `json:"after"`
	LowerBound int64               `json:"lower_bound"`
	Taken      [][]int             `json:"taken,omitempty"`
}

type planVector struct {
	Schedule json.RawMessage `json:"schedule"`
	Plan     expected        `json:"plan"`
	Apart    *expected       `json:"plan_copies_apart"`
}

// ofArrays is a plan as the driver writes it from the plan's arrays; places are in order of index here.
func ofArrays(t *testing.T, e *expected) (head string, places []string, taken string) {
	var arenas []struct {
		Size int64 `json:"size"`
	}
	require.NoError(t, json.Unmarshal(e.Arenas, &arenas))
	head = fmt.Sprintf("%d %d %d arenas", e.Before, e.After, e.LowerBound)
	for _, a := range arenas {
		head += fmt.Sprintf(" %d", a.Size)
	}
	for index, at := range e.Places {
		places = append(places, fmt.Sprintf("%s:%d:%d", index, at[0], at[1]))
	}
	slices.Sort(places)
	for _, list := range e.Taken {
		taken += " |"
		for _, s := range list {
			taken += fmt.Sprintf(" %d", s)
		}
	}
	return head, places, taken
}

func requireArrays(t *testing.T, e *expected, answer string) {
	head, places, taken := ofArrays(t, e)
	gotHead, rest, _ := strings.Cut(answer, " places")
	gotPlaces, gotTaken, _ := strings.Cut(rest, " |")
	require.Equal(t, head, gotHead)
	got := strings.Fields(gotPlaces)
	slices.Sort(got)
	require.Equal(t, strings.Join(places, " "), strings.Join(got, " "))
	if e.Taken != nil && taken != "" {
		require.Equal(t, taken, " |"+gotTaken)
	}
}

func requireText(t *testing.T, e *expected, answer string) {
	var got expected
	require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
	if e.Taken == nil {
		got.Taken = nil
	}
	require.JSONEq(t, string(e.Arenas), string(got.Arenas))
	got.Arenas, e.Arenas = nil, nil
	require.Equal(t, *e, got)
}

func testPlans(t *testing.T, vectors []planVector) {
	require.NotEmpty(t, vectors)
	var questions []string
	var answers []*expected
	ask := func(schedule []byte, copies int, e *expected) {
		name := []string{"shared", "apart"}[copies]
		questions = append(questions, fmt.Sprintf("ops %d %s", copies, schedule), fmt.Sprintf(`text {"schedule":%s,"options":{"copies":"%s"}}`, schedule, name))
		answers = append(answers, e)
	}
	for i := range vectors {
		var line bytes.Buffer
		require.NoError(t, json.Compact(&line, vectors[i].Schedule))
		ask(line.Bytes(), 0, &vectors[i].Plan)
		if vectors[i].Apart != nil {
			ask(line.Bytes(), 1, vectors[i].Apart)
		}
	}
	got := driver(t, questions)
	for i, e := range answers {
		requireArrays(t, e, got[2*i])
		requireText(t, e, got[2*i+1])
	}
}

func testCaptures(t *testing.T, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	require.NoError(t, err)
	var vectors []planVector
	for _, path := range paths {
		vectors = append(vectors, fixture.Capture[planVector](t, path))
	}
	testPlans(t, vectors)
}

type trace struct {
	Name   string `json:"name"`
	Create struct {
		Size      int64 `json:"size"`
		Base      int64 `json:"base"`
		BlockSize int64 `json:"block_size"`
		ListCount int64 `json:"lv2_cnt"`
	} `json:"create"`
	Steps [][]any `json:"steps"`
}

func testTraces(t *testing.T, traces []trace) {
	require.NotEmpty(t, traces)
	var questions, want []string
	for _, tr := range traces {
		c := tr.Create
		questions = append(questions, fmt.Sprintf("create %d %d %d %d", c.Size, c.Base, c.BlockSize, c.ListCount))
		want = append(want, "ok")
		for _, step := range tr.Steps {
			if step[0] == "free" {
				questions, want = append(questions, fmt.Sprintf("free %.0f", step[1])), append(want, "ok")
				continue
			}
			questions = append(questions, fmt.Sprintf("alloc %.0f %.0f", step[1], step[2]))
			address := "null"
			if step[3] != nil {
				address = fmt.Sprintf("%.0f", step[3])
			}
			want = append(want, address)
		}
	}
	require.Equal(t, want, driver(t, questions))
}

func TestPlansThroughC(t *testing.T) {
	testPlans(t, fixture.Lines[planVector](t, fixture.Path(t, "plans.jsonl")))
}

func TestSharedPlansThroughC(t *testing.T) {
	testPlans(t, fixture.Lines[planVector](t, fixture.Shared(t, "vectors", "plans.jsonl")))
}

func TestCapturesThroughC(t *testing.T)       { testCaptures(t, fixture.Path(t, "captures")) }
func TestSharedCapturesThroughC(t *testing.T) { testCaptures(t, fixture.Shared(t, "captures")) }

func TestTracesThroughC(t *testing.T) {
	testTraces(t, fixture.Lines[trace](t, fixture.Path(t, "tlsf.jsonl")))
}

func TestSharedTracesThroughC(t *testing.T) {
	testTraces(t, fixture.Lines[trace](t, fixture.Shared(t, "vectors", "tlsf.jsonl")))
}
