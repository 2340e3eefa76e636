package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
)

// TestCSVRoundTrip: lifetimes become a plan, the plan is right, and planning it again moves nothing, in whatever columns they come.
func TestCSVRoundTrip(t *testing.T) {
	inData(t)
	for _, kind := range []string{"training", "random", "spread", "mixed", "tight"} {
		roundTrip(t, written(t, kind+".csv", "gen", kind, "-n", "300"))
	}
	roundTrip(t, "lifetimes.csv")
}

// TestCSVRoundTripOfOthers takes lifetimes that others published, minimalloc's among them.
func TestCSVRoundTripOfOthers(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(fixture.Shared(t, "instances"), "*.csv"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	t.Chdir(t.TempDir())
	for _, path := range paths {
		roundTrip(t, path)
	}
}

func roundTrip(t *testing.T, path string) {
	t.Run(filepath.Base(path), func(t *testing.T) {
		planned := written(t, "planned.csv", "plan", path)
		done(t, "verify", planned)
		require.Contains(t, done(t, "plan", planned), "at the offsets that the file gives")
		want := records(t, planned)
		for _, placer := range []string{"tlsf", "best"} {
			require.Equal(t, want, records(t, written(t, "again.csv", "plan", planned, "--placer", placer)))
		}

		turned := records(t, path)
		for _, record := range turned {
			slices.Reverse(record)
		}
		require.Equal(t, want, records(t, written(t, "turned_planned.csv", "plan", write(t, "turned.csv", turned))))

		inclusive := lastIncluded(t, records(t, path))
		require.Equal(t, want, records(t, written(t, "inclusive_planned.csv", "plan", write(t, "inclusive.csv", inclusive), "--inclusive")))
		inclusive[0][slices.Index(inclusive[0], "upper")] = "end"
		require.Equal(t, want, records(t, written(t, "end_planned.csv", "plan", write(t, "end.csv", inclusive))))
	})
}

// lastIncluded is lifetimes with the last entry that each lives in as its upper one.
func lastIncluded(t *testing.T, lifetimes [][]string) [][]string {
	upper := slices.Index(lifetimes[0], "upper")
	for _, record := range lifetimes[1:] {
		n, err := strconv.ParseInt(record[upper], 10, 64)
		require.NoError(t, err)
		record[upper] = strconv.FormatInt(n-1, 10)
	}
	return lifetimes
}

// done is what a command writes, which must succeed.
func done(t *testing.T, args ...string) string {
	t.Helper()
	out, errText, code := call(args...)
	require.Zero(t, code, "tolkplan %v: %s", args, errText)
	return out
}

// written is the path that a command was made to write to.
func written(t *testing.T, path string, args ...string) string {
	t.Helper()
	done(t, append(args, "-o", path)...)
	return path
}

func records(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	return records
}

func write(t *testing.T, path string, records [][]string) string {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, csv.NewWriter(file).WriteAll(records))
	require.NoError(t, file.Close())
	return path
}
