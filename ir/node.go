package ir

// Node is an op to read. It is obtained from [Graph.Node], which checks the
// number once; its methods then cost a few loads. Methods that read a part of
// the argument that the kind does not have (see [Kind.Arguments]) give zero.
type Node struct {
	g *Graph
	i uint32
}

// Node is the op of number op, or an error if that is no op of the graph.
func (g *Graph) Node(op Op) (Node, error) {
	i, ok := g.indexBelow(op, g.count.Load())
	if !ok {
		return Node{}, g.explainBadOp(NoKind, "op", op)
	}
	return Node{g, i}, nil
}

// At is the op at an index that [Node.Index] gave.
func (g *Graph) At(index uint32) Node { return Node{g, index} }

func (n Node) row() *node { return n.g.nodes.at(n.i) }

// Op is the op's number.
func (n Node) Op() Op { return n.g.op(n.i) }

// Graph is the op's graph.
func (n Node) Graph() *Graph { return n.g }

// Index is the op's place in its graph, from 1; that of a source is below that of
// what is built on it.
func (n Node) Index() uint32 { return n.i }

// Kind is what the op is.
func (n Node) Kind() Kind { return n.row().kind }

// Dtype is the element type of storage and views, WeakInt for scalars, Void for the rest.
func (n Node) Dtype() Dtype { return n.row().dtype }

// Len is the elements of storage or of a view; 0 for other ops.
func (n Node) Len() int64 {
	if r := n.row(); valueKinds.has(r.kind) {
		return r.b
	}
	return 0
}

// Nbytes is the bytes of storage or of a view; 0 for other ops.
func (n Node) Nbytes() int64 { return n.Len() * n.Dtype().Size() }

// NumSources is how many sources the op has.
func (n Node) NumSources() int { return int(n.row().n) }

// Source is source i, 0 <= i < NumSources.
func (n Node) Source(i int) Node {
	r := n.row()
	return Node{n.g, n.g.sources.slice(r.from, r.n)[i]}
}

// Has reports whether the op's argument has every part of a.
func (n Node) Has(a Argument) bool { return kinds[n.Kind()].argument&a == a }

// Slot is the slot of storage.
func (n Node) Slot() int64 {
	if n.Has(ArgSlot) {
		return n.row().a
	}
	return 0
}

// Phase is the bytes by which the first element of storage lies past a multiple of Align.
func (n Node) Phase() int64 {
	if n.Has(ArgPhase) {
		return int64(n.row().small & 0xff)
	}
	return 0
}

// Align is what the phase of storage is relative to.
func (n Node) Align() int64 {
	if n.Has(ArgAlign) {
		return int64(n.row().small >> 8)
	}
	return 0
}

// Placement is where storage, or what a view views, is; 0 for other ops.
func (n Node) Placement() Placement {
	if r := n.row(); valueKinds.has(r.kind) {
		return Placement(n.g.serial)<<32 | Placement(r.ref)
	}
	return 0
}

// Name is the name of a VARIABLE or a body.
func (n Node) Name() string {
	if n.Has(ArgName) {
		return n.g.names.get(n.row().ref)
	}
	return ""
}

// Tag is the caller's number on a body.
func (n Node) Tag() uint64 {
	if n.Has(ArgTag) {
		return uint64(n.row().a)
	}
	return 0
}

// Bounds is the least and the greatest value that a scalar may have.
func (n Node) Bounds() (least, greatest int64) {
	if r := n.row(); scalarKinds.has(r.kind) {
		return r.bounds()
	}
	return 0, 0
}

// Axis is the identity and the kind of a RANGE's axis.
func (n Node) Axis() (axis int64, kind uint32) {
	if r := n.row(); r.kind == Range {
		return r.a, r.ref
	}
	return 0, 0
}

// Shard is the index of the device that an MSELECT picks.
func (n Node) Shard() int64 {
	if r := n.row(); r.kind == MSelect {
		return int64(r.small >> 1)
	}
	return 0
}

// Base is the storage or MSTACK that the op names or, through any chain of
// views, ends at; false for an op that is no storage or view. It costs the same at any depth.
func (n Node) Base() (Node, bool) {
	r := n.row()
	return Node{n.g, r.base}, valueKinds.has(r.kind)
}

// Binding is where the bytes of a value are: Offset bytes past the first byte of
// Storage, or of each source of Storage where that is an MSTACK. An MSELECT over
// an MSTACK binds to the shard it picks. Each start that is not known before the
// schedule runs counts as 0 in Offset and makes it Symbolic.
type Binding struct {
	Storage  Node
	Offset   int64
	Symbolic bool
}

// Binding is where the op's bytes are; false for an op that is no storage or view.
func (n Node) Binding() (Binding, bool) {
	r := n.row()
	return Binding{Node{n.g, r.bind}, r.offset(), r.symbolic() != 0}, valueKinds.has(r.kind)
}
