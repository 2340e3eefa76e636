package ir

import "math"

// Desc describes an op to build. Each kind reads the fields that the table in
// kinds.go gives it and ignores the others.
type Desc struct {
	Kind Kind
	// Sources are the op's sources in the order that semantics give them. SHRINK
	// may leave out its length, which is then CONST(Count), or its start too,
	// which is then CONST(Start).
	Sources []Op

	// Dtype is the element type of storage, or what BITCAST makes of its source.
	Dtype Dtype
	// Count is the elements of storage, or those that SHRINK keeps.
	Count int64
	// Slot is the slot of storage if HasSlot, up to MaxSlot; otherwise it takes a fresh one.
	Slot    int64
	HasSlot bool
	// Placement is where storage is.
	Placement Placement
	// Phase is the bytes by which the first element lies past a multiple of Align: 0 <= Phase < Align.
	Phase int64
	// Align is a power of two from 1 to 16; 0 means 16.
	Align int64

	// Name is that of a VARIABLE or of a body.
	Name string
	// Tag is a body's, for the caller's own use.
	Tag uint64
	// Least and Greatest bound a VARIABLE.
	Least, Greatest int64
	// Value is a CONST's.
	Value int64
	// Start is the first element that SHRINK keeps.
	Start int64
	// Axis and AxisKind identify a RANGE; what they mean is the caller's.
	Axis     int64
	AxisKind uint32
	// Shard is the index of the device whose part MSELECT takes.
	Shard int64
}

// builder is the op under construction: its row, and its sources as places in the graph.
type builder struct {
	g       *Graph
	desc    Desc
	n       node
	sources []uint32
	// same is the op that this one is equal to by an identity, such as a SHRINK of all of its source.
	same uint32
	// made holds what the earlier descriptions of the same list gave.
	made []Op
}

// Build is the op that d describes: an existing one if the graph has an equal
// one. A failing Build changes nothing but the graph's first error. The cost does not depend on the graph's
// size.
func (g *Graph) Build(d *Desc) (Op, error) {
	var op Op
	err := g.Update(func(tx *Tx) (err error) {
		op, err = tx.Build(d)
		return err
	})
	return op, err
}

// BuildAll builds what fill describes, calling it with 0 to len(ops)-1 in order and a zero description, and
// fills ops with the results. fill must not build ops itself. Sources may be [Ref] numbers of earlier
// descriptions. It is all or nothing: when one fails no op is built, ops is all
// None, and the result is the failing description's number and the error.
func (g *Graph) BuildAll(ops []Op, fill func(tx *Tx, i int, d *Desc) error) (int, error) {
	failed := 0
	err := g.Update(func(tx *Tx) (err error) {
		failed, err = tx.BuildAll(ops, fill)
		return err
	})
	if err != nil {
		clear(ops)
		return failed, err
	}
	return 0, nil
}

// Tx builds ops that the graph gets all at once, or not at all. See [Graph.Update].
type Tx struct{ g *Graph }

// Update calls f and publishes what it built, or forgets it if f gives an error, which is the
// result. f must not use other methods of the graph that build.
func (g *Graph) Update(f func(tx *Tx) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	list, pages := g.nextList, g.sources.pageCount()
	done := false
	defer func() {
		// An error or a panic in f leaves no trace.
		if !done {
			g.abandonWindow()
			g.undo(list, pages)
		}
	}()
	if err := f(&g.tx); err != nil {
		g.note(err)
		return err
	}
	g.count.Store(g.next)
	done = true
	return nil
}

// Reserve makes room for n more ops, so that the tables of a large update grow once.
func (tx *Tx) Reserve(n int) { tx.g.intern.reserve(n) }

// Build is as [Graph.Build].
func (tx *Tx) Build(d *Desc) (Op, error) {
	b := &tx.g.scratch
	b.desc = *d
	op, err := b.op(nil)
	if err != nil {
		return None, err
	}
	return op, nil
}

// BuildAll is as [Graph.BuildAll].
func (tx *Tx) BuildAll(ops []Op, fill func(tx *Tx, i int, d *Desc) error) (int, error) {
	g := tx.g
	g.intern.reserve(len(ops))
	g.openWindow()
	defer g.abandonWindow()
	begin := 0
	for i := range ops {
		if err := tx.buildNext(ops, i, fill); err != nil {
			return i, err
		}
		if g.window.full() || i == len(ops)-1 {
			g.settle()
			g.settleOps(ops[begin : i+1])
			g.nextWindow()
			begin = i + 1
		}
	}
	g.closeWindow()
	return 0, nil
}

// settleOps corrects ops that were given out since the window opened.
func (g *Graph) settleOps(ops []Op) {
	for k, op := range ops {
		ops[k] = g.op(g.window.settled(uint32(op)))
	}
}

func (tx *Tx) buildNext(ops []Op, i int, fill func(tx *Tx, i int, d *Desc) error) error {
	b := &tx.g.scratch
	b.desc = Desc{}
	if err := fill(tx, i, &b.desc); err != nil {
		return err
	}
	op, failed := b.op(ops[:i])
	if failed != nil {
		failed.Message = "description " + itoa(i) + ": " + failed.Message
		return failed
	}
	ops[i] = op
	return nil
}

// undo forgets the nodes that were not published, and the lists from place list on with the pages that they took beyond the given ones.
func (g *Graph) undo(list, pages uint64) {
	for g.next > g.count.Load() {
		g.next--
		n := g.nodes.at(g.next)
		h := hashNode(n, g.sources.slice(n.from, n.n))
		_, at := g.intern.find(h, func(i uint32) bool { return i == g.next })
		g.intern.remove(at)
	}
	g.nextList = list
	g.sources.shrink(pages)
}

func (g *Graph) note(err error) {
	if e, ok := err.(*Error); ok && g.first == nil {
		g.first = e
	}
}

// Note keeps err as the graph's first error if it has none, for faces that find
// faults before an op can be described.
func (g *Graph) Note(err *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.note(err)
}

// op is the op that the builder's description gives, made holding what the earlier descriptions of its list gave.
func (b *builder) op(made []Op) (Op, *Error) {
	if k := b.desc.Kind; k == NoKind || k >= kindCount {
		return None, errorf(BadArgument, NoKind, "kind %d is not a kind of op; they go from 1 to %d", uint8(k), kindCount-1)
	}
	b.made = made
	i, err := b.build()
	// What the description points to may be the caller's only until the call ends.
	b.desc.Sources, b.desc.Name, b.made = nil, "", nil
	return b.g.op(i), err
}

func (b *builder) build() (uint32, *Error) {
	if err := b.takeSources(); err != nil {
		return 0, err
	}
	if err := b.checkNamedSlot(); err != nil {
		return 0, err
	}
	return b.finish()
}

// checkNamedSlot is for descriptions of callers only: fresh slots may lie above all that can be named.
func (b *builder) checkNamedSlot() *Error {
	d := &b.desc
	if kinds[d.Kind].argument&ArgSlot != 0 && d.HasSlot && (d.Slot < 0 || d.Slot > MaxSlot) {
		return b.fail(BadArgument, "slot %d is not in [0, 2^62)", d.Slot)
	}
	return nil
}

// takeSources resolves and checks the described sources.
func (b *builder) takeSources() *Error {
	b.sources = b.sources[:0]
	for i, op := range b.desc.Sources {
		s, err := b.resolve(i, op)
		if err != nil {
			return err
		}
		b.sources = append(b.sources, s)
	}
	if b.desc.Kind == Shrink {
		return b.completeShrink()
	}
	return nil
}

func (b *builder) resolve(i int, op Op) (uint32, *Error) {
	if op&refBit != 0 && uint64(op&^refBit) < uint64(len(b.made)) {
		op = b.made[op&^refBit]
	}
	s, ok := b.g.indexBelow(op, b.g.next)
	if !ok {
		return 0, b.g.explainBadOp(b.desc.Kind, b.desc.Kind.labelOf(i), op)
	}
	return s, nil
}

// completeShrink builds the start and length that the description gives as numbers.
func (b *builder) completeShrink() *Error {
	given := len(b.sources)
	if given == 0 || given >= 3 {
		return nil
	}
	numbers := [2]int64{b.desc.Start, b.desc.Count}
	for _, v := range numbers[given-1:] {
		c, err := b.g.insert(&node{kind: Const, dtype: WeakInt, a: v, b: v}, nil)
		if err != nil {
			return err
		}
		b.sources = append(b.sources, c)
	}
	return nil
}

// finish checks the sources against the table, derives the row and interns it.
func (b *builder) finish() (uint32, *Error) {
	kind := b.desc.Kind
	if err := b.checkSources(kind); err != nil {
		return 0, err
	}
	b.n, b.same = node{kind: kind}, 0
	if err := kinds[kind].derive(b); err != nil {
		return 0, err
	}
	if b.same != 0 {
		return b.same, nil
	}
	return b.g.insert(&b.n, b.sources)
}

func (b *builder) checkSources(kind Kind) *Error {
	if len(b.sources) < len(kinds[kind].sources) {
		missing := kind.labelOf(len(b.sources))
		return errorf(BadArgument, kind, "%s is missing: %d sources are given", missing, len(b.sources))
	}
	if len(b.sources) > math.MaxInt32 {
		return errorf(TooMany, kind, "%d sources; an op has at most %d", len(b.sources), math.MaxInt32)
	}
	for i, s := range b.sources {
		if err := b.checkSource(kind, i, s); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) checkSource(kind Kind, i int, s uint32) *Error {
	r, ok := kind.roleOf(i)
	if !ok {
		return errorf(BadArgument, kind, "%d sources are given; it takes %d", len(b.sources), len(kinds[kind].sources))
	}
	if got := b.g.nodes.at(s).kind; !r.kinds.has(got) {
		return errorf(WrongKind, kind, "%s is %v (a %v); it must be %s", kind.labelOf(i), b.g.op(s), got, r.phrase)
	}
	return nil
}

// insert is the place of the node equal to n, which joins the graph if there is none.
func (g *Graph) insert(n *node, sources []uint32) (uint32, *Error) {
	if g.window.open {
		return g.addProvisional(n, sources)
	}
	g.intern.reserve(1)
	h := hashNode(n, sources)
	i, at := g.intern.find(h, func(i uint32) bool { return g.equal(i, n, sources) })
	if i != 0 {
		return i, nil
	}
	i, err := g.append(n, sources)
	if err == nil {
		g.intern.put(at, h, i)
	}
	return i, err
}

// append is the place of a copy of n behind the other nodes.
func (g *Graph) append(n *node, sources []uint32) (uint32, *Error) {
	from, err := g.addList(n.kind, sources)
	if err != nil {
		return 0, err
	}
	i := g.next
	n.from, n.n = from, uint32(len(sources))
	if n.base == 0 {
		n.base = i
	}
	if n.bind == 0 {
		n.bind = i
	}
	if uint64(i)>>pageBits == g.nodes.pageCount() {
		g.nodes.grow(1)
	}
	*g.nodes.at(i) = *n
	g.next++
	return i, nil
}

func (g *Graph) equal(i uint32, n *node, sources []uint32) bool {
	m := g.nodes.at(i)
	if m.kind != n.kind || m.dtype != n.dtype || m.small != n.small || m.ref != n.ref || m.a != n.a || m.b != n.b || int(m.n) != len(sources) {
		return false
	}
	for k, s := range g.sources.slice(m.from, m.n) {
		if s != sources[k] {
			return false
		}
	}
	return true
}

// addList copies a list of sources into the table, in one piece.
func (g *Graph) addList(kind Kind, sources []uint32) (uint32, *Error) {
	n := uint64(len(sources))
	if g.next == math.MaxUint32 {
		return 0, errorf(TooMany, kind, "the graph is full: it has %d ops", g.next-1)
	}
	if n == 0 {
		return 0, nil
	}
	end := g.sources.pageCount() << pageBits
	from := g.nextList
	if room := pageSize - from&pageMask; from == end || n > room {
		from = end
		if end+n+pageSize > math.MaxUint32 {
			return 0, errorf(TooMany, kind, "the graph is full: its lists of sources hold %d", g.nextList)
		}
		g.sources.grow(n)
	}
	g.nextList = from + n
	if n > pageSize {
		// The pages that the list runs over end with it.
		g.nextList = g.sources.pageCount() << pageBits
	}
	copy(g.sources.slice(uint32(from), uint32(n)), sources)
	return uint32(from), nil
}
