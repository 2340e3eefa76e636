package ir

import "fmt"

// Check is nil if the graph's tables agree with each other, and otherwise an
// error that names the first op that does not. It derives every op again, so it
// costs about what building the graph did; it is for tests and debugging.
func (g *Graph) Check() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := uint32(1); i < g.next; i++ {
		if err := g.checkNode(i); err != nil {
			return fmt.Errorf("op %v (%v): %w", g.op(i), g.nodes.at(i).kind, err)
		}
	}
	if used := int(g.next) - 1; g.intern.used != used {
		return fmt.Errorf("the intern table holds %d ops of %d", g.intern.used, used)
	}
	return nil
}

func (g *Graph) checkNode(i uint32) error {
	n := *g.nodes.at(i)
	sources := g.sources.slice(n.from, n.n)
	for k, s := range sources {
		if s == 0 || s >= i {
			return fmt.Errorf("source %d is %d, not an earlier op", k, s)
		}
	}
	if found, _ := g.intern.find(hashNode(&n, sources), func(j uint32) bool { return g.equal(j, &n, sources) }); found != i {
		return fmt.Errorf("an equal op is interned as %v", g.op(found))
	}
	return g.checkDerived(i, &n, sources)
}

// checkDerived compares a row with the one that its argument and sources give.
func (g *Graph) checkDerived(i uint32, n *node, sources []uint32) error {
	b := &g.scratch
	b.desc, b.sources = n.describe(g), append(b.sources[:0], sources...)
	defer func() { b.desc = Desc{} }()
	if err := b.checkSources(n.kind); err != nil {
		return err
	}
	b.n, b.same = node{kind: n.kind}, 0
	if err := kinds[n.kind].derive(b); err != nil {
		return err
	}
	if b.same != 0 {
		return fmt.Errorf("it is %v by an identity", g.op(b.same))
	}
	b.n.from, b.n.n = n.from, n.n
	if b.n.base == 0 {
		b.n.base = i
	}
	if b.n.bind == 0 {
		b.n.bind = i
	}
	if b.n != *n {
		return fmt.Errorf("its row is %+v; its argument and sources give %+v", *n, b.n)
	}
	return nil
}
