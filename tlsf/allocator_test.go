package tlsf

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErrors(t *testing.T) {
	create := func(size, base, blockSize, listCount int64) func() error {
		return func() error {
			a, err := New(size, base, blockSize, listCount)
			if err != nil {
				require.Nil(t, a)
			}
			return err
		}
	}
	a, err := New(1000, 50, 16, 16)
	require.NoError(t, err)
	taken, ok, err := a.Alloc(100, 1)
	require.NoError(t, err)
	require.True(t, ok)
	alloc := func(n, align int64) func() error {
		return func() error {
			address, ok, err := a.Alloc(n, align)
			require.False(t, ok)
			require.Zero(t, address)
			return err
		}
	}
	free := func(address int64) func() error {
		return func() error { return a.Free(address) }
	}
	cases := []struct {
		name string
		call func() error
		kind ErrorKind
		want string
	}{
		{"size negative", create(-1, 0, 16, 16), BadArgument, "new: size is -1: must be 0 or more"},
		{"size least", create(math.MinInt64, 0, 16, 16), BadArgument, "new: size is -9223372036854775808: must be 0 or more"},
		{"block size zero", create(100, 0, 0, 16), BadArgument, "new: block size is 0: must be 1 or more"},
		{"block size negative", create(100, 0, -16, 16), BadArgument, "new: block size is -16: must be 1 or more"},
		{"count zero", create(100, 0, 16, 0), BadArgument, "new: list count is 0: must be from 1 to 4096"},
		{"count negative", create(100, 0, 16, -1), BadArgument, "new: list count is -1: must be from 1 to 4096"},
		{"count huge", create(100, 0, 1<<62, 1<<62), BadArgument, "new: list count is 4611686018427387904: must be from 1 to 4096"},
		{"count past the limit", create(100, 0, 1<<62, 4097), BadArgument, "new: list count is 4097: must be from 1 to 4096"},
		{"block size of fewer bits", create(100, 0, 15, 16), BadArgument,
			"new: block size is 15: must be 16 or more, to have as many bits as list count 16"},
		{"block size of fewer bits than an odd count", create(100, 0, 15, 31), BadArgument,
			"new: block size is 15: must be 16 or more, to have as many bits as list count 31"},
		{"end past 63 bits", create(10, math.MaxInt64-9, 16, 16), Overflow,
			"new: base is 9223372036854775798: must be 9223372036854775797 or less with size 10, so that base + size fits in 63 bits"},
		{"end far past 63 bits", create(math.MaxInt64, math.MaxInt64, 16, 16), Overflow,
			"new: base is 9223372036854775807: must be 0 or less with size 9223372036854775807, so that base + size fits in 63 bits"},

		{"n negative", alloc(-1, 1), BadArgument, "alloc: size is -1: must be 0 or more"},
		{"n least", alloc(math.MinInt64, 1), BadArgument, "alloc: size is -9223372036854775808: must be 0 or more"},
		{"align zero", alloc(1, 0), BadArgument, "alloc: align is 0: must be 1 or more"},
		{"align negative", alloc(1, -8), BadArgument, "alloc: align is -8: must be 1 or more"},
		{"align least", alloc(1, math.MinInt64), BadArgument, "alloc: align is -9223372036854775808: must be 1 or more"},
		{"n + align past 63 bits", alloc(math.MaxInt64, 2), Overflow,
			"alloc: size is 9223372036854775807: it and the block size 16 must be 9223372036854775806 or less with align 2, so that the sum fits in 63 bits"},
		{"block size + align past 63 bits", alloc(0, math.MaxInt64), Overflow,
			"alloc: size is 0: it and the block size 16 must be 1 or less with align 9223372036854775807, so that the sum fits in 63 bits"},

		{"free before the range", free(49), NotAllocated,
			"free: address is 49: no allocated block starts there; must be an address that was allocated and not freed since"},
		{"free inside a block", free(taken + 1), NotAllocated, "free: address is 51: "},
		{"free a free block", free(taken + 100), NotAllocated, "free: address is 150: "},
		{"free the end", free(1050), NotAllocated, "free: address is 1050: "},
		{"free an offset", free(taken - 50), NotAllocated, "free: address is 0: "},
		{"free the least address", free(math.MinInt64), NotAllocated, "free: address is -9223372036854775808: "},
		{"free the greatest address", free(math.MaxInt64), NotAllocated, "free: address is 9223372036854775807: "},
	}
	before := slices.Collect(a.Blocks())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.call()
			requireKind(t, c.kind, err)
			require.Contains(t, err.Error(), "tlsf: "+c.want)
			require.NoError(t, a.Check())
			require.Equal(t, before, slices.Collect(a.Blocks()))
		})
	}
	require.NoError(t, a.Free(taken))
	requireKind(t, NotAllocated, a.Free(taken))
}

func TestErrorKindsHaveNames(t *testing.T) {
	for kind, want := range map[ErrorKind]string{
		BadArgument: "bad argument", Overflow: "overflow", NotAllocated: "not allocated", Broken: "broken", 9: "ErrorKind(9)",
	} {
		require.Equal(t, want, kind.String())
	}
}

func TestLargestRanges(t *testing.T) {
	const most = math.MaxInt64
	cases := []struct {
		name     string
		create   create
		n, align int64
		fits     bool
	}{
		{"all of 2^62", create{1 << 62, 0, 16, 16}, 1 << 62, 1, true},
		{"one more than 2^62", create{1 << 62, 0, 16, 16}, 1<<62 + 1, 1, false},
		{"all of 2^62 up to the last address", create{1 << 62, 1<<62 - 1, 16, 16}, 1 << 62, 1, true},
		{"2^62 of all", create{most, 0, 256, 32}, 1 << 62, 1, true},
		{"all, rounded up past the range", create{most, 0, 256, 32}, most, 1, false},
		{"a list's least size", create{most, 0, 16, 16}, 31 << 58, 1, true},
		{"a list's least size, and one", create{most, 0, 16, 16}, 31<<58 + 1, 1, false},
		{"aligned to 2^62", create{most, 0, 16, 16}, 16, 1 << 62, true},
		{"from the least address", create{most, math.MinInt64, 1, 1}, 1 << 62, 1, true},
		{"a block size past the range", create{1000, 0, most, 4096}, 0, 1, false},
		{"most lists", create{most, 0, 4096, MaxListCount}, 1<<62 + 1<<50, 1, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(t, c.create)
			address, ok := p.alloc(t, c.n, c.align)
			require.Equal(t, c.fits, ok)
			if ok {
				require.Equal(t, c.create.Base, address)
				p.free(t, address)
			}
		})
	}
}

func TestBlocksStopsWhenAsked(t *testing.T) {
	a := fill(t, 10)
	for b := range a.Blocks() {
		require.Equal(t, Block{0, 256, false}, b)
		break
	}
}

// fill is an allocator of n blocks of 256 bytes and one free block.
func fill(t testing.TB, n int) *Allocator {
	a, err := New(1<<40, 0, 256, 32)
	require.NoError(t, err)
	for range n {
		_, ok, err := a.Alloc(256, 1)
		require.NoError(t, err)
		require.True(t, ok)
	}
	return a
}

func TestManyBlocks(t *testing.T) {
	const n = 100_000
	a := fill(t, n)
	require.NoError(t, a.Check())
	for done, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		require.NoError(t, a.Free(int64(i)*256))
		if done == n/2 {
			require.NoError(t, a.Check())
		}
	}
	require.NoError(t, a.Check())
	require.Equal(t, []Block{{0, 1 << 40, true}}, slices.Collect(a.Blocks()))
}

func TestBucketsAreShort(t *testing.T) {
	const n = 1024
	for _, distance := range []int64{1, 3, 16, 100, 256, 768, 4096, 28657, 832040, 433494437, 16 * 28657, 1 << 20, 1 << 40, 3 << 40, 1 << 52} {
		s := starts{buckets: make([]int, n)}
		for i := range int64(n) {
			*s.bucket(i * distance)++
		}
		require.LessOrEqual(t, slices.Max(s.buckets), 10, "distance %d", distance)
	}
}

func TestSteadyStateTakesNoMemory(t *testing.T) {
	a := fill(t, 1000)
	r := rand.New(rand.NewPCG(1, 2))
	held := make([]int64, 1000)
	for i := range held {
		held[i] = int64(i) * 256
	}
	churn := func() {
		for range 100 {
			i := r.IntN(len(held))
			if a.Free(held[i]) != nil {
				panic("not allocated")
			}
			held[i], _, _ = a.Alloc(1+r.Int64N(5000), 64)
		}
	}
	for range 1000 {
		churn()
	}
	require.Zero(t, testing.AllocsPerRun(1000, churn))
}
