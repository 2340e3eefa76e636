package placement

import (
	"math/rand/v2"
	"slices"

	"libtolk_memory/placement/problem"
)

// perturber changes ranks a little at random. All arithmetic is in integers, so that the plan does not depend on the machine.
type perturber struct {
	random *rand.Rand
	keys   []int64
	sorter problem.Sorter
}

// noiseScale is what a factor of 1 is in noise.
const noiseScale = 1024

// perturb is ranks of which some, or all, were multiplied by factors near 1.
func (p *perturber) perturb(ranks []int32) []int32 {
	const rankScale = 1 << 20
	noise := [...]int64{20, 50, 150, 400}[p.random.IntN(4)]
	chance := [...]int64{noiseScale / 20, noiseScale / 3, noiseScale}[p.random.IntN(3)]
	p.keys = slices.Grow(p.keys[:0], len(ranks))
	for _, rank := range ranks {
		key := (int64(rank) + 1) * rankScale
		if p.random.Int64N(noiseScale) < chance {
			key = key / noiseScale * (noiseScale + p.noise(noise))
		}
		p.keys = append(p.keys, key)
	}
	order := identity(len(ranks))
	p.sorter.Sort(order, p.keys)
	return inverse(order)
}

// noise is a number around 0 whose deviation is about the given one, at most 2.5 times as far.
func (p *perturber) noise(deviation int64) int64 {
	width := deviation * 5 / 4 // of each of two uniform numbers
	return p.random.Int64N(2*width+1) + p.random.Int64N(2*width+1) - 2*width
}
