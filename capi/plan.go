package main

/*
#include "boundary.h"
*/
import "C"

import (
	"cmp"
	"sync"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
	"libtolk_memory/planner"
)

// plan is a plan as the caller reads it: its arrays lie in C memory.
type plan struct {
	mu      sync.Mutex // held where a text or a check reads the arrays, so that destroying waits
	closed  bool
	source  ir.Op // the schedule that was planned
	planned ir.Op
	granule int64
	totals  C.tolk_totals

	arenas  []C.tolk_arena
	places  []C.tolk_placed
	binds   []C.tolk_bind
	entries []C.uint64_t
	live    []C.uint64_t // of all arenas
	devices []*C.char    // of all arenas
	names   [][]C.char
}

func planOf(h C.uint64_t) (*plan, error) { return lookup[*plan](h, "plan") }

// close frees the arrays; of no plan it frees none.
func (p *plan) close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	free(p.arenas)
	free(p.places)
	free(p.binds)
	free(p.entries)
	free(p.live)
	free(p.devices)
	for _, name := range p.names {
		free(name)
	}
}

// open locks a plan that is still there.
func (p *plan) open() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return faultf(C.TOLK_ERR_INVALID_HANDLE, "the plan was destroyed meanwhile")
	}
	return nil
}

//export gotolk_memory_plan_rewrite
func gotolk_memory_plan_rewrite(t *C.tolk_thread, h C.uint64_t, schedule C.tolk_op, held *C.tolk_op, heldCount C.size_t, o *C.tolk_plan_options, planned *C.tolk_op, out *C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		_, n, err := argumentNode(h, schedule, "schedule")
		if err != nil {
			return err
		}
		options, err := planOptions(o)
		if err != nil {
			return err
		}
		if options.Held, err = ops(held, heldCount, "held"); err != nil {
			return err
		}
		options.Print = func(line string) { copyText(t.line[:], line) }
		ctx, err := contextOf(&o.cancel)
		if err != nil {
			return err
		}
		var p *plan
		if out != nil {
			if options.Placed, err = copier(&p, n, &options); err != nil {
				return err
			}
		}
		made, err := planner.MemoryPlanRewrite(ctx, n, options)
		if err != nil {
			p.close()
			return err
		}
		if p != nil {
			p.finish(made)
			*out = newHandle(p)
		}
		if planned != nil {
			*planned = C.tolk_op(made.Schedule)
		}
		return nil
	})
}

// copier is what copies a plan of a schedule to *p while the graph is as it was, since C memory may run out. It is an error if
// no such plan can be copied, which is so before the search for it.
func copier(p **plan, schedule ir.Node, o *planner.Options) (func(*planner.Plan) error, error) {
	if schedule.Kind() != ir.Linear {
		return nil, nil // planning tells
	}
	binds, err := planner.CountBinds(schedule)
	if err != nil {
		return nil, err
	}
	return func(made *planner.Plan) (err error) {
		*p, err = newPlan(schedule, made, o, binds)
		return err
	}, nil
}

// newPlan is a plan in C memory, with room for as many binds as the schedule has: it lacks what [plan.finish] adds.
func newPlan(schedule ir.Node, made *planner.Plan, o *planner.Options, binds int) (*plan, error) {
	p := &plan{source: schedule.Op(), granule: cmp.Or(o.Granule, planner.DefaultGranule)}
	p.totals.before, p.totals.after = C.int64_t(made.Before), C.int64_t(made.After)
	p.totals.lower_bound, p.totals.optimal = C.int64_t(made.LowerBound), flag(made.Optimal())
	if err := p.copy(made, binds); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *plan) copy(made *planner.Plan, binds int) (err error) {
	if err = p.copyArenas(made); err != nil {
		return err
	}
	if err = p.copyPlaces(made); err != nil {
		return err
	}
	if p.binds, err = newArray[C.tolk_bind](binds); err != nil {
		return err
	}
	p.entries, err = newArray[C.uint64_t](made.Entries() + 1)
	return err
}

// finish adds the ops that planning added to the graph, and what binds to them. It needs no memory, so that it cannot fail.
func (p *plan) finish(made *planner.Plan) {
	p.planned = made.Schedule
	for i := range made.Arenas {
		p.arenas[i].op = C.tolk_op(made.Arenas[i].Op)
	}
	p.copyBinds(made)
}

func flag(b bool) C.uint32_t {
	if b {
		return 1
	}
	return 0
}

func (p *plan) copyArenas(made *planner.Plan) (err error) {
	live, devices := 0, 0
	for i := range made.Arenas {
		live += len(made.Arenas[i].Live)
		devices += len(made.Arenas[i].Devices)
	}
	if p.arenas, err = newArray[C.tolk_arena](len(made.Arenas)); err != nil {
		return err
	}
	if p.live, err = newArray[C.uint64_t](live); err != nil {
		return err
	}
	if p.devices, err = newArray[*C.char](devices); err != nil {
		return err
	}
	live, devices = 0, 0
	for i := range made.Arenas {
		a := &made.Arenas[i]
		if err := p.copyArena(&p.arenas[i], a, p.live[live:], p.devices[devices:]); err != nil {
			return err
		}
		live += len(a.Live)
		devices += len(a.Devices)
	}
	return nil
}

func (p *plan) copyArena(to *C.tolk_arena, a *planner.Arena, live []C.uint64_t, devices []*C.char) error {
	for i, name := range a.Devices {
		text, err := newString(name)
		if err != nil {
			return err
		}
		p.names = append(p.names, text)
		devices[i] = &text[0]
	}
	for i, place := range a.Live {
		live[i] = C.uint64_t(place)
	}
	to.size = C.int64_t(a.Size)
	to.devices, to.device_count = first(devices), C.uint64_t(len(a.Devices))
	to.live, to.live_count = first(live), C.uint64_t(len(a.Live))
	to.lower_bound, to.proven_bound = C.int64_t(a.LowerBound), C.int64_t(a.ProvenBound)
	to.peak_entry, to.spent = C.uint64_t(a.PeakEntry), C.int64_t(a.Spent)
	to.proof, to.stopped, to.copies = C.uint32_t(a.Proof), C.uint32_t(a.Stopped), flag(a.Copies)
	return nil
}

func (p *plan) copyPlaces(made *planner.Plan) (err error) {
	if p.places, err = newArray[C.tolk_placed](len(made.Places)); err != nil {
		return err
	}
	for i := range made.Places {
		from := &made.Places[i]
		p.places[i] = C.tolk_placed{
			buffer: C.tolk_op(from.Buffer), place: C.int64_t(from.Offset), start: C.int64_t(from.Start),
			bytes: C.int64_t(from.Bytes), need: C.int64_t(from.Need),
			first: C.uint64_t(from.First), end: C.uint64_t(from.End), arena: C.uint32_t(from.Arena),
		}
	}
	return nil
}

func (p *plan) copyBinds(made *planner.Plan) {
	i, next := 0, 0 // the entry whose beginning is to be written next
	for entry, b := range made.Binds() {
		for ; next <= entry; next++ {
			p.entries[next] = C.uint64_t(i)
		}
		p.binds[i] = bindOf(entry, &b)
		i++
	}
	for ; next < len(p.entries); next++ {
		p.entries[next] = C.uint64_t(i)
	}
}

func bindOf(entry int, b *planner.Bind) C.tolk_bind {
	// -1 in Go is all ones here: TOLK_NO_ARENA, TOLK_FLAG and TOLK_ALL_DEVICES.
	return C.tolk_bind{
		entry: C.uint64_t(entry), call: C.tolk_op(b.Call), value: C.tolk_op(b.Value), storage: C.tolk_op(b.Storage),
		offset: C.int64_t(b.Offset), bytes: C.int64_t(b.Bytes), argument: C.uint32_t(uint32(b.Argument)),
		shard: C.uint32_t(b.Shard), device: C.uint32_t(uint32(b.Device)), arena: C.uint32_t(uint32(b.Arena)), symbolic: flag(b.Symbolic),
	}
}

//export gotolk_plan_arenas
func gotolk_plan_arenas(t *C.tolk_thread, h C.uint64_t, to *C.uintptr_t, count *C.size_t) C.tolk_status {
	return give(t, h, func(p *plan) { giveArray(p.arenas, to, count) })
}

//export gotolk_plan_places
func gotolk_plan_places(t *C.tolk_thread, h C.uint64_t, to *C.uintptr_t, count *C.size_t) C.tolk_status {
	return give(t, h, func(p *plan) { giveArray(p.places, to, count) })
}

//export gotolk_plan_binds
func gotolk_plan_binds(t *C.tolk_thread, h C.uint64_t, to *C.uintptr_t, count *C.size_t) C.tolk_status {
	return give(t, h, func(p *plan) { giveArray(p.binds, to, count) })
}

//export gotolk_plan_entries
func gotolk_plan_entries(t *C.tolk_thread, h C.uint64_t, to *C.uintptr_t, count *C.size_t) C.tolk_status {
	return give(t, h, func(p *plan) { giveArray(p.entries, to, count) })
}

//export gotolk_plan_totals
func gotolk_plan_totals(t *C.tolk_thread, h C.uint64_t, to *C.tolk_totals) C.tolk_status {
	return give(t, h, func(p *plan) { *to = p.totals })
}

//export gotolk_plan_schedule
func gotolk_plan_schedule(t *C.tolk_thread, h C.uint64_t, to *C.tolk_op) C.tolk_status {
	return give(t, h, func(p *plan) { *to = C.tolk_op(p.planned) })
}

func giveArray[T any](array []T, to *C.uintptr_t, count *C.size_t) {
	giveAddress(first(array), to)
	*count = C.size_t(len(array))
}

func give(t *C.tolk_thread, h C.uint64_t, read func(*plan)) C.tolk_status {
	return guard(t, func() error {
		p, err := planOf(h)
		if err == nil {
			read(p)
		}
		return err
	})
}

//export gotolk_plan_destroy
func gotolk_plan_destroy(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		p, found, err := take[*plan](h, "plan")
		if found {
			p.close()
		}
		return err
	})
}

//export gotolk_plan_verify
func gotolk_plan_verify(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		p, err := planOf(h)
		if err != nil {
			return err
		}
		if err := p.open(); err != nil {
			return err
		}
		defer p.mu.Unlock()
		for a := range p.arenas {
			if err := p.verifyArena(a); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *plan) verifyArena(arena int) error {
	question := problem.Problem{Granule: p.granule}
	var offsets []int64
	var places []int
	for i := range p.places {
		if at := &p.places[i]; int(at.arena) == arena {
			places = append(places, i)
			offsets = append(offsets, int64(at.place))
			question.Buffers = append(question.Buffers, problem.Buffer{First: int64(at.first), End: int64(at.end), Bytes: int64(at.need)})
		}
	}
	faults := verify.Check(&question, offsets, int64(p.arenas[arena].size))
	if len(faults) == 0 {
		return nil
	}
	f := faults[0]
	if f.Buffer >= 0 {
		f.Buffer = places[f.Buffer]
	}
	if f.Other >= 0 {
		f.Other = places[f.Other]
	}
	return faultf(C.TOLK_ERR_INVALID_PLAN, "arena %d, places as buffers: %v", arena, f)
}

// asPlan is the parts of a plan that its text tells.
func (p *plan) asPlan() *planner.Plan {
	made := &planner.Plan{
		Before: int64(p.totals.before), After: int64(p.totals.after), LowerBound: int64(p.totals.lower_bound),
		Arenas: make([]planner.Arena, len(p.arenas)), Places: make([]planner.Place, len(p.places)),
	}
	for i := range p.arenas {
		from, to := &p.arenas[i], &made.Arenas[i]
		to.Size, to.Proof = int64(from.size), placement.Proof(from.proof)
		to.Devices, _ = deviceNames(&from.devices, from.device_count)
	}
	for i := range p.places {
		from := &p.places[i]
		made.Places[i] = planner.Place{Buffer: ir.Op(from.buffer), Arena: int32(from.arena), Offset: int64(from.place)}
	}
	return made
}
