package generate

import (
	"libtolk_memory/ir"
	"libtolk_memory/placement/problem"
)

// ScheduleOf is a schedule in g whose buffers live as those of p, which start at entry 0 or later: an entry for each entry of
// p, whose call takes what starts there and what is taken last there.
func ScheduleOf(g *ir.Graph, p *problem.Problem) ir.Op {
	entries := 0
	for _, b := range p.Buffers {
		entries = max(entries, int(b.End))
	}
	device, err := g.Placement("CUDA:0")
	if err != nil {
		panic(err)
	}
	arguments := make([][]ir.Op, entries)
	for _, b := range p.Buffers {
		op := built(g.Buffer(ir.Storage{Dtype: ir.Uint8, Count: b.Bytes, Placement: device}))
		arguments[b.First] = append(arguments[b.First], op)
		if b.End-1 > b.First {
			arguments[b.End-1] = append(arguments[b.End-1], op)
		}
	}
	body := built(g.Body(ir.Program, "kernel", 0))
	calls := make([]ir.Op, entries)
	for i := range calls {
		calls[i] = built(g.Call(body, arguments[i]...))
	}
	return built(g.Linear(calls...))
}
