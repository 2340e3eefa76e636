package main

/*
#include "boundary.h"
*/
import "C"

import (
	"slices"
	"unsafe"

	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

func problemOf(buffers *C.tolk_lifetime, count C.size_t, o *C.tolk_place_options) (*problem.Problem, error) {
	list, err := view(buffers, count, "buffers")
	if err != nil {
		return nil, err
	}
	p := &problem.Problem{Granule: int64(o.granule), Capacity: int64(o.capacity), Buffers: make([]problem.Buffer, len(list))}
	for i := range list {
		from := &list[i]
		if from.reserved != 0 {
			return nil, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "buffer %d: reserved is %d: it must be 0", i, uint32(from.reserved))
		}
		p.Buffers[i] = problem.Buffer{
			First: int64(from.first), End: int64(from.end), Bytes: int64(from.bytes), Align: int64(from.align),
			Fixed: from.fixed != 0, Offset: int64(from.offset),
		}
	}
	return p, nil
}

func offsetsOf(p *C.int64_t, count C.size_t) ([]int64, error) {
	list, err := view(p, count, "offsets")
	if len(list) == 0 {
		return nil, err
	}
	return unsafe.Slice((*int64)(unsafe.Pointer(&list[0])), len(list)), nil
}

//export gotolk_place
func gotolk_place(t *C.tolk_thread, buffers *C.tolk_lifetime, count C.size_t, o *C.tolk_place_options, out *C.int64_t, result *C.tolk_place_result) C.tolk_status {
	return guard(t, func() error {
		p, err := problemOf(buffers, count, o)
		if err != nil {
			return err
		}
		if o.placer > 255 {
			return faultf(C.TOLK_ERR_INVALID_ARGUMENT, "placer is %d; it must be a TOLK_PLACER_", uint32(o.placer))
		}
		limit, err := milliseconds(o.time_limit_ms)
		if err != nil {
			return err
		}
		ctx, err := contextOf(&o.cancel)
		if err != nil {
			return err
		}
		answer, err := placement.Place(ctx, p, placement.Options{
			Placer: placement.Placer(o.placer), Effort: int64(o.effort), TimeLimit: limit,
			Progress: progressOf(o.progress, addressIn(&o.progress_user)),
		})
		if err != nil {
			return err
		}
		offsets, err := offsetsOf(out, count)
		copy(offsets, answer.Offsets)
		giveResult(answer, result)
		return err
	})
}

func giveResult(a *placement.Answer, r *C.tolk_place_result) {
	r.proof, r.optimal, r.stopped = C.uint32_t(a.Proof), flag(a.Optimal), C.uint32_t(a.Stopped)
	r.size, r.lower_bound, r.proven_bound = C.int64_t(a.Size), C.int64_t(a.LowerBound), C.int64_t(a.ProvenBound)
	r.peak_entry, r.spent = C.int64_t(a.PeakEntry), C.int64_t(a.Spent)
}

//export gotolk_place_verify
func gotolk_place_verify(t *C.tolk_thread, buffers *C.tolk_lifetime, count C.size_t, o *C.tolk_place_options, offsets *C.int64_t, size C.int64_t, to *C.tolk_fault, capacity C.size_t, found *C.size_t) C.tolk_status {
	return guard(t, func() error {
		p, err := problemOf(buffers, count, o)
		if err != nil {
			return err
		}
		if err := p.Validate(); err != nil {
			return err
		}
		at, err := offsetsOf(offsets, count)
		if err != nil {
			return err
		}
		// An arena may have bytes to spare.
		faults := slices.DeleteFunc(verify.Check(p, at, int64(size)), func(f verify.Fault) bool { return f.Kind == verify.WrongSize })
		return giveFaults(faults, to, capacity, found)
	})
}

func giveFaults(faults []verify.Fault, to *C.tolk_fault, capacity C.size_t, found *C.size_t) error {
	if found != nil {
		*found = C.size_t(len(faults))
	}
	if len(faults) == 0 {
		return nil
	}
	room, err := view(to, min(capacity, C.size_t(len(faults))), "faults")
	if err != nil {
		return err
	}
	for i := range room {
		f := &faults[i]
		room[i] = C.tolk_fault{
			kind: C.uint32_t(f.Kind), buffer: C.uint64_t(max(0, f.Buffer)), other: C.uint64_t(max(0, f.Other)), entry: C.int64_t(f.Entry),
			from: C.int64_t(f.From), to: C.int64_t(f.To), got: C.int64_t(f.Got), want: C.int64_t(f.Want),
		}
	}
	return faultf(C.TOLK_ERR_INVALID_PLAN, "%v", faults[0])
}
