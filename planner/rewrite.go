package planner

import "libtolk_memory/ir"

// rewrite builds the arenas, what stands for each planned buffer, and the schedule on them: all or nothing.
func (p *Plan) rewrite(schedule ir.Node) error {
	return schedule.Graph().Update(func(tx *ir.Tx) error {
		tx.Reserve(opsPerPlace * len(p.Places))
		for a := range p.Arenas {
			if err := p.buildArena(tx, &p.Arenas[a]); err != nil {
				return err
			}
		}
		replacements, err := p.buildViews(tx)
		if err != nil {
			return err
		}
		p.Schedule, err = tx.Substitute(schedule.Op(), replacements)
		return err
	})
}

// opsPerPlace is about what a place adds to the graph: its start, its view of the arena at its type, and a call rewritten.
const opsPerPlace = 4

func (p *Plan) buildArena(tx *ir.Tx, a *Arena) (err error) {
	a.Op, err = tx.Build(&ir.Desc{Kind: ir.Buffer, Dtype: ir.Int8, Count: a.Size, Placement: a.placement})
	return err
}

// buildViews is BITCAST(SHRINK(arena, start, bytes), dtype) for each planned buffer.
func (p *Plan) buildViews(tx *ir.Tx) ([]ir.Replacement, error) {
	ops := make([]ir.Op, 2*len(p.Places))
	source := make([]ir.Op, 1)
	_, err := tx.BuildAll(ops, func(_ *ir.Tx, i int, d *ir.Desc) error {
		place := &p.Places[i/2]
		d.Sources = source
		if i%2 == 0 {
			source[0] = p.Arenas[place.Arena].Op
			d.Kind, d.Start, d.Count = ir.Shrink, place.Start, place.Bytes
		} else {
			source[0] = ir.Ref(i - 1)
			d.Kind, d.Dtype = ir.Bitcast, place.dtype
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	replacements := make([]ir.Replacement, len(p.Places))
	for i := range replacements {
		replacements[i] = ir.Replacement{From: p.Places[i].Buffer, To: ops[2*i+1]}
	}
	return replacements, nil
}
