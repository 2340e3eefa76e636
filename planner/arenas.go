package planner

import (
	"cmp"
	"context"
	"fmt"
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
func (p *Plan) solve(ctx context.Context, g *ir.Graph, buffers []lifetime, o *Options) error {
	groups, err := p.group(g, buffers, o)
	if err != nil {
		return err
	}
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	capacities := o.capacities()
	for a := range groups {
		if len(capacities) > 0 {
			groups[a].problem.Capacity = capacities[placementName(p.Arenas[a].Devices)]
		}
		if err := p.solveArena(ctx, a, &groups[a], o); err != nil {
			return err
		}
		p.After += p.Arenas[a].Size
		p.LowerBound += p.Arenas[a].LowerBound
	}
	return nil
}

// group lists the buffers as places and sorts them by arena, in order of first use.
func (p *Plan) group(g *ir.Graph, buffers []lifetime, o *Options) ([]group, error) {
	p.Places = make([]Place, len(buffers))
	var sizes []int
	number := map[arenaKey]int32{}
	var last arenaKey // most buffers are on the device of the one before
	a := int32(0)
	for i := range buffers {
		b := &buffers[i]
		buffer := g.At(b.buffer)
		need, err := p.need(buffer, o.granule())
		if err != nil {
			return nil, err
		}
		key := arenaKey{buffer.Placement(), o.Copies == CopiesApart && b.copied}
		if key != last {
			a, last = p.arenaOfKey(g, key, number), key
		}
		if int(a) == len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[a]++
		p.Places[i] = Place{
			Buffer: buffer.Op(), Arena: a, Start: buffer.Phase(), Bytes: buffer.Nbytes(), Need: need,
			First: int(b.first), End: b.end(o.Copies), dtype: buffer.Dtype(),
		}
	}
	return p.problems(g, buffers, sizes, o.granule()), nil
}

// arenaOfKey is the number of the arena for a key, a new one if there is none.
func (p *Plan) arenaOfKey(g *ir.Graph, key arenaKey, number map[arenaKey]int32) int32 {
	a, ok := number[key]
	if !ok {
		a = int32(len(p.Arenas))
		number[key] = a
		p.Arenas = append(p.Arenas, Arena{Devices: g.Devices(key.placement), placement: key.placement, Copies: key.copies})
	}
	return a
}

// problems is the groups of the given sizes, filled.
func (p *Plan) problems(g *ir.Graph, buffers []lifetime, sizes []int, granule int64) []group {
	groups := make([]group, len(sizes))
	for a, n := range sizes {
		groups[a].places = make([]int, 0, n)
		groups[a].problem = problem.Problem{Granule: granule, Buffers: make([]problem.Buffer, 0, n)}
	}
	for i := range p.Places {
		at := &p.Places[i]
		groups[at.Arena].add(i, at, g.At(buffers[i].buffer).Align())
	}
	return groups
}

// need is the bytes of a buffer's block, which it adds to the plan's total.
func (p *Plan) need(buffer ir.Node, granule int64) (int64, error) {
	const most = problem.Limit / 2 // since the allocator's range is twice the sum
	need, spare := Need(buffer, granule), alignmentCost(buffer, granule)
	if need > most-p.addressRange/2-spare {
		return 0, errorf(Overflow, buffer.Op(), "the buffers up to %v, of %d bytes, need more than %d bytes together", buffer.Op(), buffer.Nbytes(), int64(most))
	}
	p.Before += need
	p.addressRange += 2 * (need + spare)
	return need, nil
}

// Need is the bytes of a buffer's block where needs are rounded up to a granule: those of its elements and its phase, and a granule at
// least. Past 2^61 it is some number that is greater.
func Need(buffer ir.Node, granule int64) int64 {
	if bytes := buffer.Nbytes(); bytes <= problem.Limit/2 {
		return problem.AlignUp(max(1, bytes+buffer.Phase()), granule)
	}
	return problem.Limit
}

// alignmentCost is the bytes that aligning a buffer's block can cost beyond its need: none where the granule aligns it.
func alignmentCost(buffer ir.Node, granule int64) int64 {
	return max(0, buffer.Align()-granule)
}

func (g *group) add(place int, at *Place, align int64) {
	if align <= g.problem.Granule {
		align = 0
	}
	g.places = append(g.places, place)
	g.problem.Buffers = append(g.problem.Buffers, problem.Buffer{First: int64(at.First), End: int64(at.End), Bytes: at.Need, Align: align})
}

func (p *Plan) solveArena(ctx context.Context, a int, g *group, o *Options) error {
	arena := &p.Arenas[a]
	answer, err := placement.Place(ctx, &g.problem, placement.Options{
		Placer: o.Placer, Effort: o.Effort, Progress: o.Progress, Range: p.addressRange,
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

// capacities is the bytes of each capacity by the name of its placement. The first of several for one counts.
func (o *Options) capacities() map[string]int64 {
	bytes := make(map[string]int64, len(o.Capacities))
	for _, c := range slices.Backward(o.Capacities) {
		bytes[placementName(c.Devices)] = c.Bytes
	}
	return bytes
}

// placementName is a name that no other placement has.
func placementName(devices []string) string { return fmt.Sprintf("%q", devices) }

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
