package planner

import (
	"cmp"
	"context"
	"slices"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
)

// arenaKey is what buffers of one arena have in common.
type arenaKey struct {
	placement ir.Placement
	copies    bool
}

// group is the buffers of one arena: their places in order, and their lifetimes as a problem.
type group struct {
	places  []int
	problem problem.Problem
}

// solve fills the plan's arenas, but for their ops, and its places.
func (p *Plan) solve(ctx context.Context, buffers []lifetime, o *Options) error {
	groups, err := p.group(buffers, o)
	if err != nil {
		return err
	}
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	for a := range groups {
		if err := p.solveArena(ctx, a, &groups[a], o); err != nil {
			return err
		}
		p.After += p.Arenas[a].Size
		p.LowerBound += p.Arenas[a].LowerBound
	}
	return nil
}

// group lists the buffers as places and sorts them by arena, in order of first use.
func (p *Plan) group(buffers []lifetime, o *Options) ([]group, error) {
	p.Places = make([]Place, len(buffers))
	var groups []group
	number := map[arenaKey]int{}
	for i := range buffers {
		b := &buffers[i]
		need, err := p.need(b.buffer, o.granule())
		if err != nil {
			return nil, err
		}
		key := arenaKey{b.buffer.Placement(), o.Copies == CopiesApart && b.copied}
		a, ok := number[key]
		if !ok {
			a = len(groups)
			number[key] = a
			groups = append(groups, group{problem: problem.Problem{Granule: o.granule()}})
			p.addArena(b.buffer.Graph(), key)
		}
		p.Places[i] = Place{
			Buffer: b.buffer.Op(), Arena: a, Start: b.buffer.Phase(), Bytes: b.buffer.Nbytes(), Need: need,
			First: b.first, End: b.end(o.Copies), dtype: b.buffer.Dtype(),
		}
		groups[a].add(i, b, &p.Places[i])
	}
	return groups, nil
}

func (p *Plan) addArena(g *ir.Graph, key arenaKey) {
	p.Arenas = append(p.Arenas, Arena{Devices: g.Devices(key.placement), placement: key.placement, Copies: key.copies})
}

// need is the bytes of a buffer's block, which it adds to the plan's total.
func (p *Plan) need(buffer ir.Node, granule int64) (int64, error) {
	bytes := max(1, buffer.Nbytes())
	// Half of 63 bits, since the allocator's range is twice the sum.
	if limit := int64(problem.Limit/2) - p.Before - granule - buffer.Phase(); bytes > limit {
		return 0, errorf(Overflow, buffer.Op(), "the buffers up to %v, of %d bytes, need more than %d bytes together", buffer.Op(), buffer.Nbytes(), int64(problem.Limit/2))
	}
	need := problem.AlignUp(bytes+buffer.Phase(), granule)
	p.Before += need
	return need, nil
}

func (g *group) add(place int, b *lifetime, at *Place) {
	align := b.buffer.Align()
	if align <= g.problem.Granule {
		align = 0
	}
	g.places = append(g.places, place)
	g.problem.Buffers = append(g.problem.Buffers, problem.Buffer{First: int64(at.First), End: int64(at.End), Bytes: at.Need, Align: align})
}

func (p *Plan) solveArena(ctx context.Context, a int, g *group, o *Options) error {
	arena := &p.Arenas[a]
	g.problem.Capacity = o.capacity(arena.Devices)
	answer, err := placement.Place(ctx, &g.problem, placement.Options{
		Placer: o.Placer, Effort: o.Effort, Progress: o.Progress, Range: 2 * p.Before,
	})
	if err != nil {
		return &ArenaError{Devices: arena.Devices, Buffers: p.buffersOf(g), Err: err}
	}
	arena.Size, arena.LowerBound, arena.ProvenBound = answer.Size, answer.LowerBound, answer.ProvenBound
	arena.PeakEntry, arena.Proof, arena.Spent, arena.Stopped = int(answer.PeakEntry), answer.Proof, answer.Spent, answer.Stopped
	for i, at := range g.places {
		p.Places[at].Offset = answer.Offsets[i]
		p.Places[at].Start += answer.Offsets[i]
	}
	arena.Live = p.live(arena.PeakEntry, g)
	return nil
}

func (o *Options) capacity(devices []string) int64 {
	for _, c := range o.Capacities {
		if slices.Equal(c.Devices, devices) {
			return c.Bytes
		}
	}
	return 0
}

func (p *Plan) buffersOf(g *group) []ir.Op {
	ops := make([]ir.Op, len(g.places))
	for i, at := range g.places {
		ops[i] = p.Places[at].Buffer
	}
	return ops
}

// live is the places of a group that live at an entry, largest need first.
func (p *Plan) live(entry int, g *group) []int {
	var live []int
	for _, at := range g.places {
		if place := &p.Places[at]; place.First <= entry && entry < place.End {
			live = append(live, at)
		}
	}
	slices.SortStableFunc(live, func(i, j int) int { return cmp.Compare(p.Places[j].Need, p.Places[i].Need) })
	return live
}
