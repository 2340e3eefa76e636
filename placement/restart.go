package placement

import (
	"math/rand/v2"
	"slices"

	"libtolk_memory/placement/problem"
)

// restarts runs the skyline again and again with ranks near those that did well: a rank that is moved a little mends the one
// place where a greedy run went wrong. All arithmetic is in integers, so that the plan does not depend on the machine.
type restarts struct {
	random *rand.Rand
	pool   []attempt // the best runs so far, the smallest size first
	keys   []int64
	sorter problem.Sorter
}

// attempt is a skyline run and the size of its plan.
type attempt struct {
	size     int64
	side     int // of portfolio.sides
	tries    int
	tightest bool
	ranks    []int32
}

// poolSize is how many runs are kept to start from.
const poolSize = 12

func newRestarts(seed uint64) *restarts {
	return &restarts{random: rand.New(rand.NewPCG(1, seed))}
}

// keep adds a run to the pool, and drops the worst if there are too many.
func (r *restarts) keep(a attempt) {
	at, _ := slices.BinarySearchFunc(r.pool, a.size+1, func(b attempt, size int64) int { return compareInts(b.size, size) })
	r.pool = slices.Insert(r.pool, at, a)
	r.pool = r.pool[:min(len(r.pool), poolSize)]
}

// next is a run near one of the pool; the better ones are chosen more often.
func (r *restarts) next() attempt {
	base := r.pool[r.random.IntN(r.random.IntN(len(r.pool))+1)]
	base.ranks = r.perturb(base.ranks)
	base.tries = [...]int{4, 16}[r.random.IntN(2)]
	return base
}

// noiseScale is what a factor of 1 is in noise.
const noiseScale = 1024

// perturb is ranks of which some, or all, were multiplied by factors near 1.
func (r *restarts) perturb(ranks []int32) []int32 {
	const rankScale = 1 << 20
	noise := [...]int64{20, 50, 150, 400}[r.random.IntN(4)]
	chance := [...]int64{noiseScale / 20, noiseScale / 3, noiseScale}[r.random.IntN(3)]
	r.keys = slices.Grow(r.keys[:0], len(ranks))
	for _, rank := range ranks {
		key := (int64(rank) + 1) * rankScale
		if r.random.Int64N(noiseScale) < chance {
			key = key / noiseScale * (noiseScale + r.noise(noise))
		}
		r.keys = append(r.keys, key)
	}
	order := identity(len(ranks))
	r.sorter.Sort(order, r.keys)
	return inverse(order)
}

// lift is ranks in which the boxes that squeak go from 4/3 to 4 times as early.
func (r *restarts) lift(ranks []int32, squeaks []bool) []int32 {
	r.keys = slices.Grow(r.keys[:0], len(ranks))
	for at, rank := range ranks {
		key := (int64(rank) + 1) * noiseScale
		if squeaks[at] {
			key = key / noiseScale * (noiseScale/4 + r.random.Int64N(noiseScale/2))
		}
		r.keys = append(r.keys, key)
	}
	order := identity(len(ranks))
	r.sorter.Sort(order, r.keys)
	return inverse(order)
}

// noise is a number around 0 whose deviation is about the given one, at most 2.5 times as far.
func (r *restarts) noise(deviation int64) int64 {
	width := deviation * 5 / 4 // of each of two uniform numbers
	return r.random.Int64N(2*width+1) + r.random.Int64N(2*width+1) - 2*width
}
