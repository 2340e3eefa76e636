package planner

import (
	"context"
	"fmt"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
)

// Arena is one large buffer that buffers of a schedule are placed in.
type Arena struct {
	Op        ir.Op    // the new BUFFER, of int8
	Devices   []string // its placement; not to be written to
	placement ir.Placement
	Copies    bool  // whether it holds the buffers of copies, kept apart
	Size      int64 // bytes
	// LowerBound is the greatest load: the bytes of the buffers live at one entry.
	LowerBound int64
	// PeakEntry is the first entry of the greatest load.
	PeakEntry int
	// Live are the places of the buffers live at PeakEntry, largest need first.
	Live []int
	// ProvenBound is the most bytes known to be needed by any plan; at least LowerBound.
	ProvenBound int64
	Proof       placement.Proof
	Spent       int64 // steps of work of the placer
	Stopped     placement.Stop
}

// Place is where a buffer was placed, and when.
type Place struct {
	Buffer     ir.Op // the planned BUFFER
	Offset     int64 // bytes from the arena's start to the buffer's block
	Start      int64 // bytes from the arena's start to the buffer's first element: Offset + phase
	Bytes      int64 // of the buffer's elements
	Need       int64 // bytes of the block
	First, End int   // lifetime [First, End) in entries
	Arena      int32 // which arena
	dtype      ir.Dtype
}

// Plan is a planned schedule.
type Plan struct {
	// Schedule is the rewritten schedule: the given one if nothing was planned.
	Schedule ir.Op
	graph    *ir.Graph
	Arenas   []Arena // in order of the first buffer placed in each
	Places   []Place // in order of first use

	Before     int64 // sum of the needs, bytes
	After      int64 // sum of the arenas' sizes, bytes
	LowerBound int64 // sum of the arenas' greatest loads, bytes

	addressRange int64 // of the allocators, bytes: twice the sum of the needs and of what alignment can cost
}

// Optimal reports whether no plan can need fewer bytes, arena by arena.
func (p *Plan) Optimal() bool {
	for _, a := range p.Arenas {
		if a.Proof == placement.NoProof {
			return false
		}
	}
	return true
}

// MemoryPlanRewrite is the plan of a schedule, a LINEAR of calls and loops run in
// order, with its buffers placed in arenas.
//
// A buffer is planned unless it is held or on a disk. The rewritten schedule has the same entries
// in the same order, and each planned buffer replaced by bytes of its arena wherever the schedule reaches it outside the bodies of
// calls. It is the given one if planning is switched off or nothing is planned.
//
// When ctx ends, a search for a better plan stops and the best one found is the
// result. The graph gets the arenas, their views and the rewritten ops; on an error it gets nothing.
//
// Errors are an *[Error], an *[ArenaError], or an *ir.Error. The time is linear in
// the arguments but for the placer.
func MemoryPlanRewrite(ctx context.Context, schedule ir.Node, o Options) (*Plan, error) {
	if schedule.Kind() != ir.Linear {
		return nil, errorf(WrongKind, schedule.Op(), "the schedule is %v (a %v); it must be a LINEAR", schedule.Op(), schedule.Kind())
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	held, err := HeldStorage(schedule.Graph(), o.Held)
	if err != nil {
		return nil, err
	}
	p := &Plan{Schedule: schedule.Op(), graph: schedule.Graph()}
	if !o.off() {
		if err := p.solve(ctx, schedule.Graph(), findLifetimes(schedule, held), &o); err != nil {
			return nil, err
		}
	}
	if o.Placed != nil {
		if err := o.Placed(p); err != nil {
			return nil, err
		}
	}
	if len(p.Places) > 0 {
		if err := p.rewrite(schedule); err != nil {
			return nil, err
		}
	}
	p.report(&o)
	return p, nil
}

// report prints the memory saved, if debugging asks for it and there is any.
func (p *Plan) report(o *Options) {
	if p.Before == p.After || o.debug() < 1 {
		return
	}
	line := fmt.Sprintf("memory reduced from %.2f MB -> %.2f MB, %d -> %d bufs",
		float64(p.Before)/1e6, float64(p.After)/1e6, len(p.Places), len(p.Arenas))
	if o.Print != nil {
		o.Print(line)
		return
	}
	fmt.Println(line)
}
