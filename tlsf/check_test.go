package tlsf

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// worn is an allocator with each kind of slot: blocks allocated and free, two of them in one list, and a spare slot.
//
//	0    256  512  768  1024 1280                           4096
//	|####|....|####|....|####|..............................|
func worn(t testing.TB) *Allocator {
	a, err := New(4096, 0, 256, 4)
	require.NoError(t, err)
	for range 6 {
		_, ok, err := a.Alloc(256, 1)
		require.NoError(t, err)
		require.True(t, ok)
	}
	for _, address := range []int64{256, 768, 1280} {
		require.NoError(t, a.Free(address))
	}
	require.NoError(t, a.Check())
	require.NotZero(t, a.blocks.spare)
	return a
}

// at is the block at an offset.
func (a *Allocator) at(t testing.TB, start int64) *block {
	i := slices.IndexFunc(a.blocks.slots, func(b block) bool { return b.start == start && b.size > 0 })
	require.Positive(t, i)
	return &a.blocks.slots[i]
}

func TestCheckNamesWhatIsBroken(t *testing.T) {
	cases := []struct {
		name  string
		spoil func(a *Allocator)
		want  string
	}{
		{"link below the table", func(a *Allocator) { a.at(t, 0).prev = -1 }, "links to a slot that is not there"},
		{"link past the table", func(a *Allocator) { a.at(t, 256).next = math.MaxInt }, "links to a slot that is not there"},
		{"bucket past the table", func(a *Allocator) { a.allocated.buckets[0] = 99 }, "bucket 0 links to slot 99"},
		{"spare past the table", func(a *Allocator) { a.blocks.spare = 99 }, "the first spare slot is 99"},
		{"nobody free", func(a *Allocator) { a.blocks.slots[nobody].free = true }, "stands for no block, is free"},
		{"gap", func(a *Allocator) { a.at(t, 0).size-- }, "starts at offset 256, the one before it ends at 255"},
		{"empty block", func(a *Allocator) { a.at(t, 0).size = 0 }, "the block at offset 0 has size 0"},
		{"block past the range", func(a *Allocator) { a.at(t, 1280).size = math.MaxInt64 }, "has size 9223372036854775807"},
		{"neighbour not linked", func(a *Allocator) { a.at(t, 512).before = nobody }, "offset 512 does not link to the one before"},
		{"free neighbours", func(a *Allocator) { a.at(t, 0).free = true }, "before and after offset 256 are both free"},
		{"short range", func(a *Allocator) { a.at(t, 1280).size-- }, "the last block ends at offset 4095 of 4096"},
		{"last not linked", func(a *Allocator) { a.blocks.slots[nobody].before = nobody }, "not known to be the last"},
		{"lost spare slot", func(a *Allocator) { a.blocks.spare = nobody }, "1 slots hold no block"},
		{"spare slot in a circle", func(a *Allocator) { a.blocks.slots[a.blocks.spare].next = a.blocks.spare }, "1 slots hold no block"},
		{"used slot spare", func(a *Allocator) { a.blocks.spare = a.blocks.slots[nobody].after }, "is spare and used"},
		{"small block", func(a *Allocator) { a.blockSize = 257 }, "offset 0 has 256 bytes, the block size is 257"},
		{"block not found", func(a *Allocator) { *a.allocated.bucket(512) = nobody }, "3 blocks are allocated, 2 are found"},
		{"block in another bucket", func(a *Allocator) {
			*a.allocated.bucket(0), *a.allocated.bucket(512) = *a.allocated.bucket(512), *a.allocated.bucket(0)
		}, "where it does not belong"},
		{"wrong count", func(a *Allocator) { a.allocated.count++ }, "their count is 4"},
		{"allocated block in a list", func(a *Allocator) {
			a.blocks.slots[a.lists.of(2000)].next = a.at(t, 256).before
		}, "and not free"},
		{"free block in another list", func(a *Allocator) {
			a.blocks.slots[a.lists.of(2000)].next = a.at(t, 0).after
		}, "offset 256 of 256 bytes is in list"},
		{"list link one way", func(a *Allocator) { a.at(t, 768).prev = nobody }, "offset 768 does not link to the one before it in list"},
		{"end of list lost", func(a *Allocator) { a.blocks.slots[a.lists.of(256)].prev = a.lists.of(256) }, "does not link to its last"},
		{"block in no list", func(a *Allocator) { a.lists.leave(a.blocks.slots, a.at(t, 0).after); a.at(t, 256).free = true },
			"3 blocks are free, 2 are in lists"},
		{"bit not set", func(a *Allocator) { a.lists.filled[0][0] = 0 }, "the bitmap is wrong about list"},
		{"bit set", func(a *Allocator) { a.lists.filled.add(3) }, "the bitmap is wrong about list 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := worn(t)
			c.spoil(a)
			err := a.Check()
			requireKind(t, Broken, err)
			require.Contains(t, err.Error(), "tlsf: check: ")
			require.Contains(t, err.Error(), c.want)
		})
	}
}

func TestCheckFindsUpperLevelsOfTheBitmap(t *testing.T) {
	a, err := New(1<<40, 0, 256, 32)
	require.NoError(t, err)
	require.Len(t, a.lists.filled, 2)
	a.lists.filled[1][0] ^= 1
	require.ErrorContains(t, a.Check(), "level 1 of the bitmap is wrong about word 0")
}

// Whatever number a field of a block holds, Check comes to an end, and finds it unless the field means nothing there.
func TestCheckFindsEveryWrongNumber(t *testing.T) {
	slotCount := len(worn(t).blocks.slots)
	fields := []struct {
		name string
		set  func(b *block, value int)
	}{
		{"start", func(b *block, value int) { b.start = int64(value) }},
		{"size", func(b *block, value int) { b.size = int64(value) }},
		{"before", func(b *block, value int) { b.before = value }},
		{"after", func(b *block, value int) { b.after = value }},
		{"prev", func(b *block, value int) { b.prev = value }},
		{"next", func(b *block, value int) { b.next = value }},
		{"free", func(b *block, _ int) { b.free = !b.free }},
	}
	for i := range slotCount {
		for _, f := range fields {
			for value := -1; value <= slotCount; value++ {
				a := worn(t)
				b := &a.blocks.slots[i]
				old := *b
				f.set(b, value)
				err := a.Check()
				isBlock := old.size > 0
				ignored := f.name == "prev" && !old.free && value >= 0 && value < slotCount
				if isBlock && !ignored && *b != old {
					require.Error(t, err, "slot %d %+v, %s = %d", i, old, f.name, value)
				}
			}
		}
	}
}
