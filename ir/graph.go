package ir

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Op is the number of an op: its graph's serial above, its place in the graph
// below. It stays valid as long as its graph; [None] is no op.
type Op uint64

// None is no op.
const None Op = 0

// refBit marks the numbers of [Ref], which no graph's serial reaches.
const refBit Op = 1 << 63

// Ref stands for what the i-th description of a list gives, among the sources of
// later descriptions of the same list. See [Graph.BuildAll].
func Ref(i int) Op { return refBit | Op(i) }

// String is the op's place in its graph, such as "#17".
func (op Op) String() string { return fmt.Sprintf("#%d", uint32(op)) }

// node is an op's row. What the columns a, b, ref and small hold depends on the kind:
//
//	storage   a slot, b elements, ref placement, small phase and align
//	view      a bytes from the first byte of bind, b elements, ref placement, small shard and whether a start is symbolic
//	VARIABLE  a, b bounds, ref name
//	CONST     a, b value
//	RANGE     a axis, b greatest value, ref axis kind
//	ADD, MUL  a, b bounds
//	bodies    a tag, ref name
//
// base is the storage or MSTACK that a chain of views ends at; bind is the same,
// but that an MSELECT over an MSTACK leads on to the shard it picks.
type node struct {
	a, b       int64
	ref        uint32
	base, bind uint32
	from, n    uint32
	small      uint16
	kind       Kind
	dtype      Dtype
}

// Graph owns ops. The zero value is not usable; see [NewGraph].
type Graph struct {
	serial uint32
	nodes  pages[node]
	// sources holds the lists of all nodes, each in one piece.
	sources pages[uint32]
	names   names
	places  placements
	// count is the number of published nodes, the unused node 0 included.
	count atomic.Uint32

	mu       sync.Mutex
	next     uint32 // nodes in use, published or about to be
	nextList uint64 // items of sources in use
	intern   internTable
	window   window
	scratch  builder
	tx       Tx
	first    *Error
}

var nextSerial atomic.Uint32

const maxSerial = math.MaxInt32

// NewGraph is an empty graph.
func NewGraph() *Graph {
	g := &Graph{serial: (nextSerial.Add(1)-1)%maxSerial + 1, next: 1}
	g.nodes.grow(1)
	g.names.init()
	g.places.init()
	g.scratch.g, g.tx.g = g, g
	g.count.Store(1)
	return g
}

// Len is the number of ops in the graph.
func (g *Graph) Len() int { return int(g.count.Load()) - 1 }

// Err is the error of the first op that could not be built in the graph, or nil.
func (g *Graph) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first == nil {
		return nil
	}
	return g.first
}

func (g *Graph) op(i uint32) Op {
	if i == 0 {
		return None
	}
	return Op(g.serial)<<32 | Op(i)
}

// indexBelow is the place of op among the graph's first limit nodes.
func (g *Graph) indexBelow(op Op, limit uint32) (uint32, bool) {
	i := uint32(op)
	return i, uint32(op>>32) == g.serial && i != 0 && i < limit
}

// explainBadOp is the error for a number that is no op of the graph.
func (g *Graph) explainBadOp(about Kind, label string, op Op) *Error {
	switch {
	case op == None:
		return errorf(BadOp, about, "%s is TOLK_NONE: it was never built", label)
	case op&refBit != 0:
		return errorf(BadOp, about, "%s refers to description %d, which is not an earlier one of the same list", label, uint64(op&^refBit))
	case uint32(op>>32) != g.serial:
		return errorf(BadOp, about, "%s (%d) is not an op of this graph: it is of another graph, or made up", label, uint64(op))
	}
	return errorf(BadOp, about, "%s (%d) is not an op: the graph has %d ops", label, uint64(op), g.Len())
}
