package generate

import (
	"libtolk_memory/ir"
)

// Describe is the description that gives n again. Its sources are the given ones, its placement is on the graph g.
func Describe(g *ir.Graph, n ir.Node, sources []ir.Op) ir.Desc {
	d := ir.Desc{Kind: n.Kind(), Sources: sources, Name: n.Name(), Tag: n.Tag(), Shard: n.Shard()}
	d.Dtype, d.Phase, d.Align = n.Dtype(), n.Phase(), n.Align()
	d.Axis, d.AxisKind = n.Axis()
	d.Least, d.Greatest = n.Bounds()
	d.Value = d.Least
	if n.Has(ir.ArgSlot) {
		d.Slot, d.HasSlot, d.Count = n.Slot(), true, n.Len()
	}
	if n.Has(ir.ArgPlacement) {
		p, err := g.Placement(n.Graph().Devices(n.Placement())...)
		if err != nil {
			panic(err)
		}
		d.Placement = p
	}
	return d
}

// Copy builds n and all that it is built on in the graph g, in an order that is drawn from all that are possible, and is where each
// op went.
func Copy(g *ir.Graph, n ir.Node, c Choices) map[ir.Op]ir.Op {
	waiting := map[ir.Op]int{} // how many sources are not built yet
	users := map[ir.Op][]ir.Node{}
	var ready []ir.Node
	for op := range n.Reach(ir.WithBodies).All() {
		waiting[op.Op()] = op.NumSources()
		for i := range op.NumSources() {
			users[op.Source(i).Op()] = append(users[op.Source(i).Op()], op)
		}
		if op.NumSources() == 0 {
			ready = append(ready, op)
		}
	}
	to := map[ir.Op]ir.Op{}
	for len(ready) > 0 {
		i := c.IntN(len(ready))
		op := ready[i]
		ready[i] = ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		to[op.Op()] = rebuild(g, op, to)
		for _, user := range users[op.Op()] {
			if waiting[user.Op()]--; waiting[user.Op()] == 0 {
				ready = append(ready, user)
			}
		}
	}
	return to
}

func rebuild(g *ir.Graph, n ir.Node, to map[ir.Op]ir.Op) ir.Op {
	sources := make([]ir.Op, n.NumSources())
	for i := range sources {
		sources[i] = to[n.Source(i).Op()]
	}
	d := Describe(g, n, sources)
	return built(g.Build(&d))
}
