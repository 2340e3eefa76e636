package tlsf

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzAllocator lives a life that bytes tell, beside the model. The first byte picks the allocator, then each call takes
// four: what to do, and an argument of three. The corpus is in testdata/fuzz, named by what its lives do.
func FuzzAllocator(f *testing.F) {
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) == 0 || len(script) > 1+4*64 {
			return
		}
		runScript(t, script[0], script[1:])
	})
}

var fuzzCreates = []create{
	{0, 0, 16, 16},
	{15, 7, 16, 16},
	{4096, 1000, 16, 16},
	{65536, -1000, 256, 32},
	{100_000, 0, 1, 1},
	{1 << 20, 0, 5, 4},
	{1 << 62, 1 << 61, 16, 16},
	{math.MaxInt64, 0, 64, 64},
}

func runScript(t *testing.T, which byte, calls []byte) {
	p := newPair(t, fuzzCreates[int(which)%len(fuzzCreates)])
	for ; len(calls) >= 4; calls = calls[4:] {
		kind := calls[0]
		argument := int64(binary.LittleEndian.Uint32(calls) >> 8)
		switch scale := kind >> 2; kind & 3 {
		case 0:
			tryAlloc(t, p, argument<<(scale%40), 1)
		case 1:
			tryAlloc(t, p, argument>>8<<(scale%40), argument&0xff+1)
		case 2:
			tryAlloc(t, p, argument>>8, int64(1)<<(argument&63))
		case 3:
			if i := int(argument) % (len(p.model.blocks) + 1); i < len(p.model.blocks) {
				p.free(t, p.model.blocks[i].Address)
			}
		}
	}
}

// tryAlloc allocates, or is refused where the model cannot be asked.
func tryAlloc(t *testing.T, p pair, n, align int64) {
	if align > 0 && max(n, p.model.blockSize) <= math.MaxInt64-(align-1) {
		p.alloc(t, n, align)
		return
	}
	_, _, err := p.allocator.Alloc(n, align)
	require.Error(t, err)
	p.compare(t)
}
