// Package worktest draws works for property tests.
package worktest

import (
	"strconv"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/placement/problem"
	"libtolk_memory/text"
)

// Schedule is a work that holds whatever a schedule may, read from the text of one.
func Schedule(t *rapid.T) *read.Work {
	schedule, s := drawn.Schedule(t, generate.Shape{Storage: 12, Entries: 10, Depth: 2, Count: 3000})
	line, err := text.WriteSchedule(schedule, "drawn", s.Held)
	require.NoError(t, err)
	works, err := read.Data("drawn.json", line, read.Settings{})
	require.NoError(t, err)
	require.Len(t, works, 1)
	return works[0]
}

// Lifetimes is a work of buffers without offsets, up to some number, in up to two arenas.
func Lifetimes(t *rapid.T, most int) *read.Work {
	l := &read.Lifetimes{HasArenas: rapid.Bool().Draw(t, "has arenas")}
	for i := range rapid.IntRange(1, most).Draw(t, "buffers") {
		first := rapid.Int64Range(-2, 12).Draw(t, "first")
		b := read.Lifetime{ID: strconv.Itoa(i), Buffer: problem.Buffer{First: first, End: first + rapid.Int64Range(1, 8).Draw(t, "length"),
			Bytes: rapid.Int64Range(0, 40).Draw(t, "bytes"), Align: rapid.SampledFrom([]int64{0, 1, 4, 16}).Draw(t, "align")}}
		if l.HasArenas {
			b.Arena = rapid.SampledFrom([]string{"CUDA:0", "CPU"}).Draw(t, "arena")
		}
		l.Buffers = append(l.Buffers, b)
	}
	return &read.Work{Name: "drawn.csv", Lifetimes: l}
}
