package ir

// Replacement is an op and what stands for it.
type Replacement struct{ From, To Op }

// Substitute is root with each From replaced by its To wherever root reaches it
// outside the bodies of calls, all at once: a To is not searched again. Of several
// replacements of one op the last counts. It is an error if an op does not fit where it is put; then nothing is
// built. The cost is that of the ops reached, and 4 bytes for each op before root.
func (g *Graph) Substitute(root Op, replacements []Replacement) (Op, error) {
	var now Op
	err := g.Update(func(tx *Tx) (err error) {
		now, err = tx.Substitute(root, replacements)
		return err
	})
	return now, err
}

// Substitute is as [Graph.Substitute].
func (tx *Tx) Substitute(root Op, replacements []Replacement) (Op, error) {
	top, err := tx.index(root)
	if err != nil {
		return None, err
	}
	s := substitution{g: tx.g, now: make([]uint32, top+1)}
	for _, r := range replacements {
		if err := s.add(tx, r); err != nil {
			return None, err
		}
	}
	if err := s.rebuild(s.reach(top)); err != nil {
		return None, err
	}
	return tx.g.op(s.at(top)), nil
}

func (tx *Tx) index(op Op) (uint32, error) {
	i, ok := tx.g.indexBelow(op, tx.g.next)
	if !ok {
		return 0, tx.g.explainBadOp(NoKind, "op", op)
	}
	return i, nil
}

// substitution maps places of ops to places of what stands for them; 0 is the op itself.
type substitution struct {
	g   *Graph
	now []uint32
}

func (s *substitution) at(i uint32) uint32 {
	if now := s.now[i]; now != 0 {
		return now
	}
	return i
}

func (s *substitution) add(tx *Tx, r Replacement) error {
	from, err := tx.index(r.From)
	if err != nil {
		return err
	}
	to, err := tx.index(r.To)
	if err != nil {
		return err
	}
	if int(from) < len(s.now) {
		s.now[from] = to
	}
	return nil
}

// reach is what lies under top, but for call bodies and what only replaced ops are built on.
func (s *substitution) reach(top uint32) *Set {
	set := &Set{s.g, make([]uint64, top/64+1)}
	set.add(top)
	for i := top; i > 0; i-- {
		if !set.Has(i) || s.now[i] != 0 {
			continue
		}
		for _, source := range s.g.followed(i, WithoutBodies) {
			set.add(source)
		}
	}
	return set
}

func (s *substitution) rebuild(reached *Set) error {
	g := s.g
	g.openWindow()
	defer g.abandonWindow()
	var rebuilt []uint32 // since the window opened
	for n := range reached.All() {
		if s.now[n.i] != 0 || !s.changed(n) {
			continue
		}
		now, err := g.rebuild(n, s)
		if err != nil {
			return err
		}
		s.now[n.i] = now
		rebuilt = append(rebuilt, n.i)
		if g.window.full() {
			s.settle(rebuilt)
			g.nextWindow()
			rebuilt = rebuilt[:0]
		}
	}
	s.settle(rebuilt)
	g.closeWindow()
	return nil
}

// settle corrects what stands for the ops rebuilt since the window opened.
func (s *substitution) settle(rebuilt []uint32) {
	s.g.settle()
	for _, i := range rebuilt {
		s.now[i] = s.g.window.settled(s.now[i])
	}
}

func (s *substitution) changed(n Node) bool {
	for _, source := range s.g.followed(n.i, WithoutBodies) {
		if now := s.now[source]; now != 0 && now != source {
			return true
		}
	}
	return false
}

// rebuild is the place of an op like n on the sources that s puts in place of n's.
func (g *Graph) rebuild(n Node, s *substitution) (uint32, *Error) {
	b := &g.scratch
	r := n.row()
	b.desc = r.describe(g)
	b.sources = b.sources[:0]
	for i, source := range g.sources.slice(r.from, r.n) {
		if i > 0 || r.kind != Call {
			source = s.at(source)
		}
		b.sources = append(b.sources, source)
	}
	i, err := b.finish()
	b.desc = Desc{}
	return i, err
}

// describe is the description that gives the op again on the same sources.
func (n *node) describe(g *Graph) Desc {
	d := Desc{Kind: n.kind, Dtype: n.dtype, AxisKind: n.ref, Axis: n.a, Value: n.a, Least: n.a, Greatest: n.b}
	switch {
	case storageKinds.has(n.kind):
		d.Slot, d.HasSlot, d.Count = n.a, true, n.b
		d.Placement = Placement(g.serial)<<32 | Placement(n.ref)
		d.Phase, d.Align = int64(n.small&0xff), int64(n.small>>8)
	case bodyKinds.has(n.kind):
		d.Name, d.Tag = g.names.get(n.ref), uint64(n.a)
	case n.kind == Variable:
		d.Name = g.names.get(n.ref)
	case n.kind == MSelect:
		d.Shard = int64(n.small >> 1)
	}
	return d
}
