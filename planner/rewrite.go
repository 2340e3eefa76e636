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
	replacements := make([]ir.Replacement, len(p.Places))
	source := make([]ir.Op, 1)
	for i := range p.Places {
		place := &p.Places[i]
		source[0] = p.Arenas[place.Arena].Op
		bytes, err := tx.Build(&ir.Desc{Kind: ir.Shrink, Sources: source, Start: place.Start, Count: place.Bytes})
		if err != nil {
			return nil, err
		}
		source[0] = bytes
		typed, err := tx.Build(&ir.Desc{Kind: ir.Bitcast, Sources: source, Dtype: place.dtype})
		if err != nil {
			return nil, err
		}
		replacements[i] = ir.Replacement{From: place.Buffer, To: typed}
	}
	return replacements, nil
}
