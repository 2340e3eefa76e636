package picture

import (
	"cmp"
	"math"
	"slices"
)

// extent is what the axes of an arena's picture reach over. Sums of sizes may leave 64 bits, so that all drawing is done in
// floating point, which is exact up to 2^53 bytes.
type extent struct {
	from, to float64 // entries
	top      float64 // bytes
}

func (a *Arena) extent(entries int) extent {
	x := extent{to: max(float64(entries), 1), top: max(float64(a.Size), float64(a.Bound), 1)}
	for i := range a.Buffers {
		b := &a.Buffers[i]
		x.from = min(x.from, float64(b.First))
		x.to = max(x.to, float64(b.End))
		x.top = max(x.top, b.top())
	}
	return x
}

func (b *Buffer) top() float64 { return float64(b.Offset) + float64(b.Need) }

// step is the load from an entry on: the bytes of the buffers live there.
type step struct{ entry, load float64 }

// loadSteps is the load of an arena over time, one step for each entry where it may change.
func (a *Arena) loadSteps() []step {
	steps := make([]step, 0, 2*len(a.Buffers))
	for i := range a.Buffers {
		b := &a.Buffers[i]
		steps = append(steps, step{float64(b.First), float64(b.Need)}, step{float64(b.End), -float64(b.Need)})
	}
	// What ends frees its bytes before what begins takes its own.
	slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.load, b.load)) })
	load, kept := 0.0, steps[:0]
	for i, s := range steps {
		load += s.load
		if i+1 == len(steps) || steps[i+1].entry != s.entry {
			kept = append(kept, step{s.entry, load})
		}
	}
	return kept
}

// ticks is at most about count round numbers from low to high, and the step between them: 1, 2 or 5 times a power of ten.
func ticks(low, high float64, count int) (at []float64, step float64) {
	rough := (high - low) / float64(max(count, 1))
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if step = max(power*factor, 1); step >= rough {
			break
		}
	}
	for n := math.Ceil(low / step); n*step <= high && len(at) <= 2*count; n++ {
		at = append(at, n*step)
	}
	return at, step
}
