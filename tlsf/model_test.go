package tlsf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// A model is the allocator as its rules read: blocks in a slice, lists in slices, every question answered by a search.
type model struct {
	base, blockSize int64
	countBits       int
	blocks          []Block          // in address order
	lists           map[list][]int64 // addresses of free blocks, in the order in which they joined
}

type list struct{ first, second int }

func newModel(c create) *model {
	m := &model{base: c.Base, blockSize: c.BlockSize, countBits: bitLength(uint64(c.ListCount)), lists: map[list][]int64{}}
	if c.Size > 0 {
		m.blocks = []Block{{c.Base, c.Size, true}}
		m.join(m.blocks[0])
	}
	return m
}

func bitLength(x uint64) int {
	return len(strings.TrimLeft(fmt.Sprintf("%b", x), "0"))
}

func (m *model) list(size uint64) list {
	length := bitLength(size)
	return list{length, int((size - 1<<(length-1)) >> max(0, length-m.countBits))}
}

func (m *model) join(b Block) {
	at := m.list(uint64(b.Size))
	m.lists[at] = append(m.lists[at], b.Address)
}

func (m *model) leave(b Block) {
	at := m.list(uint64(b.Size))
	m.lists[at] = slices.DeleteFunc(m.lists[at], func(address int64) bool { return address == b.Address })
}

func (m *model) alloc(n, align int64) (address int64, ok bool) {
	n = max(n, m.blockSize)
	i := m.fit(uint64(n + align - 1))
	if i < 0 {
		return 0, false
	}
	b := m.blocks[i]
	m.leave(b)
	offset := b.Address - m.base
	for offset%align != 0 {
		offset += align - offset%align
	}
	address = offset + m.base
	parts := []Block{
		{b.Address, address - b.Address, true},
		{address, n, false},
		{address + n, b.Address + b.Size - address - n, true},
	}
	parts = slices.DeleteFunc(parts, func(b Block) bool { return b.Size == 0 })
	m.blocks = slices.Replace(m.blocks, i, i+1, parts...)
	for _, part := range parts {
		if part.Free {
			m.join(part)
		}
	}
	return address, true
}

// fit is the index of the block that serves a request, or -1.
func (m *model) fit(request uint64) int {
	if length := bitLength(request); length > m.countBits {
		step := uint64(1) << (length - m.countBits)
		request = (request + step - 1) / step * step
	}
	from := m.list(request)
	for at := from; at.first < 64; at = (list{at.first + 1, 0}) {
		for ; at.second < 1<<(m.countBits-1); at.second++ {
			if waiting := m.lists[at]; len(waiting) > 0 {
				return m.index(waiting[0])
			}
		}
	}
	return -1
}

func (m *model) index(address int64) int {
	return slices.IndexFunc(m.blocks, func(b Block) bool { return b.Address == address })
}

func (m *model) free(address int64) bool {
	i := m.index(address)
	if i < 0 || m.blocks[i].Free {
		return false
	}
	first, last := i, i
	if i > 0 && m.blocks[i-1].Free {
		first--
		m.leave(m.blocks[first])
	}
	if i+1 < len(m.blocks) && m.blocks[i+1].Free {
		last++
		m.leave(m.blocks[last])
	}
	merged := Block{m.blocks[first].Address, 0, true}
	for _, b := range m.blocks[first : last+1] {
		merged.Size += b.Size
	}
	m.blocks = slices.Replace(m.blocks, first, last+1, merged)
	m.join(merged)
	return true
}

// A pair is an allocator and its model, which must agree on everything.
type pair struct {
	allocator *Allocator
	model     *model
}

func newPair(t require.TestingT, c create) pair {
	a, err := New(c.Size, c.Base, c.BlockSize, c.ListCount)
	require.NoError(t, err)
	p := pair{a, newModel(c)}
	p.compare(t)
	return p
}

func (p pair) alloc(t require.TestingT, n, align int64) (address int64, ok bool) {
	address, ok, err := p.allocator.Alloc(n, align)
	require.NoError(t, err)
	wantAddress, wantOK := p.model.alloc(n, align)
	require.Equal(t, wantOK, ok, "Alloc(%d, %d) of\n%s", n, align, p)
	require.Equal(t, wantAddress, address, "Alloc(%d, %d), now\n%s", n, align, p)
	p.compare(t)
	return address, ok
}

func (p pair) free(t require.TestingT, address int64) {
	err := p.allocator.Free(address)
	if p.model.free(address) {
		require.NoError(t, err)
	} else {
		requireKind(t, NotAllocated, err)
	}
	p.compare(t)
}

func (p pair) compare(t require.TestingT) {
	require.NoError(t, p.allocator.Check())
	require.Equal(t, p.model.blocks, slices.Collect(p.allocator.Blocks()))
}

// String is the blocks of the model, one a line.
func (p pair) String() string {
	var s strings.Builder
	for _, b := range p.model.blocks {
		state := "allocated"
		if b.Free {
			state = "free"
		}
		fmt.Fprintf(&s, "  %20d +%d %s\n", b.Address, b.Size, state)
	}
	return s.String()
}

func requireKind(t require.TestingT, kind ErrorKind, err error) {
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, kind, e.Kind, "%v", err)
}
