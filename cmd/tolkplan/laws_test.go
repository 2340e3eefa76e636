package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/cmd/tolkplan/internal/worktest"
	"libtolk_memory/placement"
)

// TestLaw_WhatIsPlannedIsRight: gen, plan -o and verify in a row, whatever the arguments.
func TestLaw_WhatIsPlannedIsRight(t *testing.T) {
	t.Chdir(t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"training", "random", "spread", "mixed", "tight", "any"}).Draw(t, "kind")
		generated := []string{"gen", kind, "-n", strconv.Itoa(rapid.IntRange(1, 30).Draw(t, "n")), "--seed", strconv.Itoa(rapid.IntRange(0, 99).Draw(t, "seed"))}
		input, output := "in.csv", rapid.SampledFrom([]string{"out.csv", "out.json"}).Draw(t, "output")
		if kind == "any" {
			input = "in.json"
		} else if kind != "mixed" && rapid.Bool().Draw(t, "schedule") {
			generated, input = append(generated, "--as", "schedule"), "in.json"
		}
		succeed(t, append(generated, "-o", input)...)

		planned := []string{"plan", input, "-o", output, "--placer", rapid.SampledFrom([]string{"tlsf", "best", "first-fit", "best-fit"}).Draw(t, "placer")}
		if input == "in.json" {
			planned = append(planned, "--copies", rapid.SampledFrom([]string{"shared", "apart"}).Draw(t, "copies"),
				rapid.SampledFrom([]string{"--hold", "--release"}).Draw(t, "change"), rapid.SampledFrom([]string{"", "all"}).Draw(t, "of"))
		}
		if kind != "mixed" {
			planned = append(planned, "--granule", rapid.SampledFrom([]string{"1", "64", "256", "1KiB"}).Draw(t, "granule"))
		}
		succeed(t, planned...)
		if input == "in.csv" && output == "out.json" {
			return // offsets alone, of which TestLaw_AnAnswerOfOursIsRight tells
		}
		succeed(t, "verify", output)
	})
}

// succeed runs a command that must succeed.
func succeed(t *rapid.T, args ...string) {
	_, errText, code := call(args...)
	require.Zero(t, code, "tolkplan %v: %s", args, errText)
}

// TestHugeCountsCostNothing: files of a few bytes that tell of very much are refused, or planned, explained and drawn, in little memory.
func TestHugeCountsCostNothing(t *testing.T) {
	for name, text := range map[string]string{
		"all_entries.csv": "id,lower,upper,size\na,-9223372036854775808,9223372036854775807,1000\nb,-5,9223372036854775806,7\n",
		"all_bytes.csv":   "id,lower,upper,size\na,0,1,4611686018427387000\nb,1,2,7\n",
		"far.csv":         "id,lower,upper,size,offset\na,0,1,1,4611686018427387000\nb,1,2,7,0\n",
		"trips.json": `{"tolk_schedule": 1, "storage": [{"device": "CPU", "dtype": "float32", "count": 4611686018427387904}],
			"entries": [{"call": {"body": "sink", "args": [0]}}]}`,
		"count.json":     `{"tolk_schedule": 1, "storage": [{"device": "CPU", "dtype": "uint8", "count": 288230376151711000}], "entries": [{"call": {"body": "sink", "args": [0]}}]}`,
		"lifetimes.json": `{"lifetimes": [[-9223372036854775808, 9223372036854775807, 4611686018427387000]]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
			for _, args := range [][]string{{"plan"}, {"plan", "--placer", "best"}, {"plan", "-o", "out" + filepath.Ext(name)}, {"explain"}, {"compare"}, {"verify"},
				{"map"}, {"map", "-o", "map.html"}, {"map", "-o", "map.svg"}, {"map", "-o", "map.json"}} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, errText, code := call(append(args, name)...)
				runtime.ReadMemStats(&after)
				require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20), "tolkplan %v %s", args, name)
				require.Contains(t, []int{exitOK, exitInput}, code, "tolkplan %v %s: %s", args, name, errText)
			}
		})
	}
}

// TestLaw_ComparingIsSymmetric: the other way round everything is said of the other side, and a plan is no different from itself.
func TestLaw_ComparingIsSymmetric(t *testing.T) {
	plan := func(t *rapid.T, label string) side {
		placer := rapid.SampledFrom([]placement.Placer{placement.TLSF, placement.Best, placement.FirstFit}).Draw(t, label)
		p, err := solve.Work(context.Background(), worktest.Lifetimes(t, 8), solve.Settings{Placer: &placer})
		require.NoError(t, err)
		return side{label, p}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := plan(t, "a"), plan(t, "b")
		there, back := comparisonOf(a, b), comparisonOf(b, a)
		mirrored := func(c arenaCompared) arenaCompared {
			c.A, c.B, c.BoundA, c.BoundB, c.OnlyA, c.OnlyB = c.B, c.A, c.BoundB, c.BoundA, c.OnlyB, c.OnlyA
			return c
		}
		require.Equal(t, there.All, mirrored(back.All))
		require.Len(t, back.Arenas, len(there.Arenas))
		for _, arena := range back.Arenas {
			require.Contains(t, there.Arenas, mirrored(arena))
		}
		require.Equal(t, []int64{a.plan.After(), b.plan.After()}, []int64{there.All.A, there.All.B})
		require.Equal(t, buffers(a.plan), there.All.Buffers+there.All.OnlyA)

		same := comparisonOf(a, a).All
		require.Zero(t, same.Moved+same.OnlyA+same.OnlyB)
	})
}
