package planner_test

import (
	"cmp"
	"slices"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// naivePlan is a plan as docs/semantics.md reads, by recursion and search.
type naivePlan struct {
	arenas []planner.Arena // without what the placer says of itself
	places []naivePlace
	before int64
}

type naivePlace struct {
	buffer      ir.Node
	first, last int
	end         int
	copied      bool
	need        int64
	arena       int
	offset      int64
}

type naiveKey struct {
	placement ir.Placement
	copied    bool
}

func planNaively(schedule ir.Node, held []ir.Op, copies planner.Copies) *naivePlan {
	p := &naivePlan{}
	p.findLifetimes(schedule, heldNaively(schedule, held))
	for i := range p.places {
		b := &p.places[i]
		b.end = b.last + 1
		if copies == planner.CopiesApart && b.copied {
			b.end += b.end - b.first
		}
		b.copied = b.copied && copies == planner.CopiesApart
		b.need = max(256, (b.buffer.Nbytes()+b.buffer.Phase()+255)/256*256)
		p.before += b.need
	}
	p.allocate()
	p.findPeaks()
	return p
}

func heldNaively(schedule ir.Node, held []ir.Op) map[ir.Op]bool {
	set := map[ir.Op]bool{}
	for _, op := range held {
		n, _ := schedule.Graph().Node(op)
		for _, s := range storagesNaively(n) {
			set[s.Op()] = true
		}
	}
	return set
}

// storagesNaively is rule 2: what a value passes.
func storagesNaively(v ir.Node) (storages []ir.Node) {
	switch {
	case v.Kind().IsStorage():
		return []ir.Node{v}
	case v.Kind() == ir.MStack:
		for i := range v.NumSources() {
			storages = append(storages, storagesNaively(v.Source(i))...)
		}
		return storages
	case v.Kind().IsValue():
		return storagesNaively(v.Source(0))
	}
	return nil
}

// usesNaively is rule 1: each value that an entry takes, loops written out, and whether a copy takes it.
func usesNaively(n ir.Node, f func(call ir.Node, argument int, value ir.Node)) {
	switch n.Kind() {
	case ir.Call:
		for i := 1; i < n.NumSources(); i++ {
			if n.Source(i).Kind().IsValue() {
				f(n, i-1, n.Source(i))
			}
		}
	case ir.Linear:
		for i := range n.NumSources() {
			usesNaively(n.Source(i), f)
		}
	case ir.Backedge:
		f(n, planner.Flag, n.Source(2))
		usesNaively(n.Source(0), f)
	case ir.End:
		usesNaively(n.Source(0), f)
	}
}

func isCopy(call ir.Node) bool {
	return call.Kind() == ir.Call && call.Source(0).Kind() == ir.Store
}

func takenNaively(entry ir.Node) (taken []ir.Node) {
	usesNaively(entry, func(_ ir.Node, _ int, value ir.Node) {
		for _, s := range storagesNaively(value) {
			if !slices.Contains(taken, s) {
				taken = append(taken, s)
			}
		}
	})
	return taken
}

func isPlanned(s ir.Node, held map[ir.Op]bool) bool {
	return s.Kind() == ir.Buffer && !held[s.Op()] && !s.Graph().OnDisk(s.Placement())
}

func (p *naivePlan) findLifetimes(schedule ir.Node, held map[ir.Op]bool) {
	number := map[ir.Op]int{}
	for entry := range schedule.NumSources() {
		usesNaively(schedule.Source(entry), func(call ir.Node, _ int, value ir.Node) {
			for _, s := range storagesNaively(value) {
				if !isPlanned(s, held) {
					continue
				}
				i, ok := number[s.Op()]
				if !ok {
					i = len(p.places)
					number[s.Op()] = i
					p.places = append(p.places, naivePlace{buffer: s, first: entry})
				}
				p.places[i].last = entry
				p.places[i].copied = p.places[i].copied || isCopy(call)
			}
		})
	}
}

// allocate is rules 5 and 6.
func (p *naivePlan) allocate() {
	entries := 0
	for _, b := range p.places {
		entries = max(entries, b.end)
	}
	number := map[naiveKey]int{}
	var allocators []*naiveTLSF
	for entry := range entries {
		for _, b := range p.places {
			if b.end == entry {
				allocators[b.arena].release(b.offset)
			}
		}
		for i := range p.places {
			b := &p.places[i]
			if b.first != entry {
				continue
			}
			key := naiveKey{b.buffer.Placement(), b.copied}
			a, ok := number[key]
			if !ok {
				a = len(allocators)
				number[key] = a
				allocators = append(allocators, newNaiveTLSF(2*p.before))
				p.arenas = append(p.arenas, planner.Arena{Devices: b.buffer.Graph().Devices(b.buffer.Placement()), Copies: b.copied})
			}
			b.arena, b.offset = a, allocators[a].alloc(b.need)
			p.arenas[a].Size = max(p.arenas[a].Size, b.offset+b.need)
		}
	}
}

func (p *naivePlan) findPeaks() {
	for a := range p.arenas {
		for _, at := range p.places {
			if live := p.live(a, at.first); live.load > p.arenas[a].LowerBound {
				p.arenas[a].LowerBound, p.arenas[a].PeakEntry, p.arenas[a].Live = live.load, at.first, live.places
			}
		}
	}
}

type liveSet struct {
	load   int64
	places []int
}

// live is what lives in an arena at an entry.
func (p *naivePlan) live(arena, entry int) (l liveSet) {
	for i, b := range p.places {
		if b.arena == arena && b.first <= entry && entry < b.end {
			l.load += b.need
			l.places = append(l.places, i)
		}
	}
	slices.SortFunc(l.places, func(i, j int) int {
		return cmp.Or(cmp.Compare(p.places[j].need, p.places[i].need), cmp.Compare(i, j))
	})
	return l
}

// substituteNaively is rule 8, with the ops of a plan's arenas.
func substituteNaively(schedule ir.Node, plan *planner.Plan) ir.Op {
	s := naiveSubstitution{schedule.Graph(), map[ir.Op]ir.Op{}}
	for _, p := range plan.Places {
		n, _ := s.g.Node(p.Buffer)
		bytes, err := s.g.Shrink(plan.Arenas[p.Arena].Op, p.Start, p.Bytes)
		if err != nil {
			panic(err)
		}
		if s.now[p.Buffer], err = s.g.Bitcast(bytes, n.Dtype()); err != nil {
			panic(err)
		}
	}
	return s.of(schedule)
}

type naiveSubstitution struct {
	g   *ir.Graph
	now map[ir.Op]ir.Op
}

func (s *naiveSubstitution) of(n ir.Node) ir.Op {
	if op, ok := s.now[n.Op()]; ok {
		return op
	}
	if n.NumSources() == 0 || n.Kind().IsBody() {
		return n.Op()
	}
	sources := make([]ir.Op, n.NumSources())
	for i := range sources {
		sources[i] = n.Source(i).Op()
		if i > 0 || n.Kind() != ir.Call {
			sources[i] = s.of(n.Source(i))
		}
	}
	d := generate.Describe(s.g, n, sources)
	op, err := s.g.Build(&d)
	if err != nil {
		panic(err)
	}
	s.now[n.Op()] = op
	return op
}
