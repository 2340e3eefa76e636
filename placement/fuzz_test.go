package placement_test

import (
	"testing"

	"pgregory.net/rapid"

	"libtolk_memory/placement"
)

// FuzzPlace draws problems of every kind and checks what every placer makes of them.
func FuzzPlace(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		p := drawProblem(t, kind{
			most:    rapid.IntRange(1, 40).Draw(t, "most"),
			aligned: rapid.Bool().Draw(t, "aligned"),
			fixed:   rapid.Bool().Draw(t, "fixed"),
		})
		for _, placer := range placers {
			place(t, p, placement.Options{Placer: placer, Effort: 5_000})
		}
	}))
}
