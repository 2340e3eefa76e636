package tlsf

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// bytesUpTo draws sizes that find corners: small ones, those around powers of two, and any.
func bytesUpTo(limit int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return rapid.Int64Range(0, min(limit, 300)).Draw(t, "small")
		case 1:
			power := int64(1) << rapid.IntRange(0, 62).Draw(t, "power")
			return max(0, min(limit, power-2+rapid.Int64Range(0, 4).Draw(t, "off")))
		}
		return rapid.Int64Range(0, limit).Draw(t, "any")
	})
}

func creates() *rapid.Generator[create] {
	return rapid.Custom(func(t *rapid.T) create {
		var c create
		c.Size = bytesUpTo(math.MaxInt64).Draw(t, "size")
		c.Base = rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Max(math.MaxInt64-c.Size)).Draw(t, "base")
		c.ListCount = rapid.SampledFrom([]int64{1, 2, 3, 4, 8, 16, 31, 32, 64, 512}).Draw(t, "listCount")
		c.BlockSize = c.ListCount + bytesUpTo(1000).Draw(t, "blockSize")
		return c
	})
}

func alignments() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Just(int64(1)),
		rapid.SampledFrom([]int64{2, 8, 16, 64, 256, 4096, 1 << 40}),
		rapid.Int64Range(1, 1000))
}

// A life is a run of drawn calls on a pair.
type life struct {
	pair
	size int64
	live []int64
}

func newLife(t *rapid.T, c create) *life {
	return &life{pair: newPair(t, c), size: c.Size}
}

func (l *life) Alloc(t *rapid.T) {
	n := bytesUpTo(min(l.size, 1<<62)).Draw(t, "n")
	align := alignments().Draw(t, "align")
	if address, ok := l.alloc(t, n, align); ok {
		l.live = append(l.live, address)
	}
}

func (l *life) AllocMany(t *rapid.T) {
	for range 8 {
		l.Alloc(t)
	}
}

func (l *life) Free(t *rapid.T) {
	if len(l.live) == 0 {
		t.Skip("nothing to free")
	}
	i := rapid.IntRange(0, len(l.live)-1).Draw(t, "which")
	l.free(t, l.live[i])
	l.live = slices.Delete(l.live, i, i+1)
}

func (l *life) FreeNothing(t *rapid.T) {
	address := rapid.Int64().Draw(t, "address")
	if len(l.live) > 0 {
		address = l.live[0] + rapid.Int64Range(-20, 20).Draw(t, "off")
	}
	if !slices.Contains(l.live, address) {
		l.free(t, address)
	}
}

func (l *life) Check(*rapid.T) {} // each call compares already

func TestLaw_AddressesAreTheModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		t.Repeat(rapid.StateMachineActions(newLife(t, creates().Draw(t, "create"))))
	})
}

// drawLife runs a life and keeps its allocator.
func drawLife(t *rapid.T) *life {
	l := newLife(t, creates().Draw(t, "create"))
	for range rapid.IntRange(0, 40).Draw(t, "steps") {
		if len(l.live) > 0 && rapid.Bool().Draw(t, "free") {
			l.Free(t)
		} else {
			l.Alloc(t)
		}
	}
	return l
}

func TestLaw_BlocksTileTheRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		end, free := l.allocator.base, false
		allocated := []int64{}
		for b := range l.allocator.Blocks() {
			require.Equal(t, end, b.Address)
			require.Positive(t, b.Size)
			require.False(t, free && b.Free, "two free blocks touch at %d", end)
			if !b.Free {
				allocated = append(allocated, b.Address)
			}
			end, free = end+b.Size, b.Free
		}
		require.Equal(t, l.allocator.base+l.size, end)
		require.ElementsMatch(t, l.live, allocated)
	})
}

func TestLaw_AllocIsAlignedAndLargeEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		n, align := bytesUpTo(min(l.size, 1<<62)).Draw(t, "n"), alignments().Draw(t, "align")
		before := slices.Collect(l.allocator.Blocks())
		address, ok := l.alloc(t, n, align)
		if !ok {
			return
		}
		require.Zero(t, (address-l.allocator.base)%align)
		i := slices.IndexFunc(before, func(b Block) bool { return b.Address+(b.Size-1) >= address })
		require.True(t, before[i].Free)
		require.LessOrEqual(t, address-before[i].Address+max(n, l.allocator.blockSize), before[i].Size)
	})
}

// A request is rounded up by less than its part in the lists of a row, so no room means no block that is larger by it.
func TestLaw_NoRoomMeansNoBlockLargerByOneStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		n, align := bytesUpTo(1<<61).Draw(t, "n"), alignments().Draw(t, "align")
		if _, ok := l.alloc(t, n, align); ok {
			return
		}
		request := max(n, l.allocator.blockSize) + align - 1
		for b := range l.allocator.Blocks() {
			if b.Free {
				require.Less(t, b.Size, request+request>>(l.model.countBits-1)+1)
			}
		}
	})
}

func TestLaw_FreeingAllLeavesOneBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		for len(l.live) > 0 {
			l.Free(t)
		}
		var want []Block
		if l.size > 0 {
			want = []Block{{l.allocator.base, l.size, true}}
		}
		require.Equal(t, want, slices.Collect(l.allocator.Blocks()))
	})
}

// A power of two is not rounded up, so the block that it had, alone or merged, serves it again.
func TestLaw_AFreedPowerOfTwoIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		n := int64(1) << rapid.IntRange(bitLength(uint64(l.allocator.blockSize)), 61).Draw(t, "power")
		address, ok := l.alloc(t, n, 1)
		if !ok {
			return
		}
		l.free(t, address)
		_, ok = l.alloc(t, n, 1)
		require.True(t, ok)
	})
}

func TestLaw_ABaseOnlyShifts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := creates().Draw(t, "create")
		moved := newLife(t, c)
		c.Base = 0
		still := newPair(t, c)
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			n, align := bytesUpTo(min(c.Size, 1<<62)).Draw(t, "n"), alignments().Draw(t, "align")
			a, ok := moved.alloc(t, n, align)
			b, okStill := still.alloc(t, n, align)
			require.Equal(t, okStill, ok)
			if ok {
				require.Equal(t, b, a-moved.allocator.base)
			}
			if ok && rapid.Bool().Draw(t, "free") {
				moved.free(t, a)
				still.free(t, b)
			}
		}
	})
}

// What is refused leaves no trace: an allocator that refuses between calls gives the addresses of its model, which is not
// asked.
func TestLaw_RefusalsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLife(t)
		if l.size == math.MaxInt64 {
			t.Skip("every request is small enough")
		}
		for range 10 {
			_, _, err := l.allocator.Alloc(rapid.Int64Max(-1).Draw(t, "n"), 1)
			requireKind(t, BadArgument, err)
			_, _, err = l.allocator.Alloc(1, rapid.Int64Max(0).Draw(t, "align"))
			requireKind(t, BadArgument, err)
			_, _, err = l.allocator.Alloc(math.MaxInt64, rapid.Int64Min(2).Draw(t, "align"))
			requireKind(t, Overflow, err)
			_, ok, err := l.allocator.Alloc(rapid.Int64Min(l.size+1).Draw(t, "n"), 1)
			require.NoError(t, err)
			require.False(t, ok)
			l.compare(t)
			l.Alloc(t)
		}
	})
}

func TestLaw_SlotsAreUsedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife(t, creates().Draw(t, "create"))
		most := len(l.model.blocks)
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			if len(l.live) > 0 && rapid.Bool().Draw(t, "free") {
				l.Free(t)
			} else {
				l.Alloc(t)
			}
			most = max(most, len(l.model.blocks))
		}
		require.Equal(t, most, len(l.allocator.blocks.slots)-l.allocator.lists.slots)
	})
}

func TestLaw_BitmapIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 63, 64, 65, 4096, 4097, 262144, 262145}).Draw(t, "n")
		members := rapid.IntRange(0, n-1)
		b, want := newBitmap(n), map[int]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			i := members.Draw(t, "i")
			if rapid.Bool().Draw(t, "add") {
				b.add(i)
				want[i] = true
			} else {
				b.remove(i)
				delete(want, i)
			}
			require.Equal(t, want[i], b.has(0, i))
			from := rapid.IntRange(0, n+100).Draw(t, "from")
			require.Equal(t, nextOf(want, from), b.next(from), "from %d", from)
		}
	})
}

func nextOf(set map[int]bool, from int) int {
	next := -1
	for i := range set {
		if i >= from && (next < 0 || i < next) {
			next = i
		}
	}
	return next
}
