package text_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/text"
)

// planned is what vectors and captures hold of a plan.
type planned struct {
	Arenas []struct {
		Device any   `json:"device"`
		Size   int64 `json:"size"`
	} `json:"arenas"`
	Places     map[string][2]int64 `json:"places"`
	Before     int64               `json:"before"`
	After      int64               `json:"after"`
	LowerBound int64               `json:"lower_bound"`
	Taken      [][]int             `json:"taken"`
}

type vector struct {
	Schedule json.RawMessage `json:"schedule"`
	Plan     planned         `json:"plan"`
	Apart    planned         `json:"plan_copies_apart"`
}

func answer(t testing.TB, schedule []byte, options string) planned {
	request := []byte(`{"schedule":` + string(schedule) + `,"options":` + options + `}`)
	got, err := text.Answer(context.Background(), request, nil)
	require.NoError(t, err)
	var plan planned
	require.NoError(t, json.Unmarshal(got, &plan))
	return plan
}

func testVectors(t *testing.T, path string) {
	vectors := fixture.Lines[vector](t, path)
	require.NotEmpty(t, vectors)
	for _, v := range vectors {
		require.Equal(t, v.Plan, answer(t, v.Schedule, `{}`), "%.120s", v.Schedule)
	}
}

func testCaptures(t *testing.T, dir string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			v := fixture.Capture[vector](t, path)
			shared := answer(t, v.Schedule, `{}`)
			apart := answer(t, v.Schedule, `{"copies":"apart"}`)
			// Captures hold no taken.
			shared.Taken, apart.Taken = nil, nil
			require.Equal(t, v.Plan, shared)
			require.Equal(t, v.Apart, apart)
		})
	}
}

func TestVectors(t *testing.T)        { testVectors(t, fixture.Path(t, "plans.jsonl")) }
func TestCaptures(t *testing.T)       { testCaptures(t, fixture.Path(t, "captures")) }
func TestSharedVectors(t *testing.T)  { testVectors(t, fixture.Shared(t, "vectors", "plans.jsonl")) }
func TestSharedCaptures(t *testing.T) { testCaptures(t, fixture.Shared(t, "captures")) }
