package main

/*
#include "boundary.h"
*/
import "C"

import (
	"context"
	"math"
	"time"
	"unsafe"

	"libtolk_memory/placement"
	"libtolk_memory/planner"
)

func planOptions(o *C.tolk_plan_options) (planner.Options, error) {
	var out planner.Options
	switch {
	case o.copies > C.TOLK_COPIES_APART:
		return out, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "copies is %d; it must be a TOLK_COPIES_", uint32(o.copies))
	case o.placer > C.TOLK_PLACER_BEST_FIT:
		return out, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "placer is %d; it must be a TOLK_PLACER_", uint32(o.placer))
	case o.effort < 0:
		return out, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "effort is %d; it must be positive, or 0 for the default", int64(o.effort))
	}
	out.Copies, out.Placer = planner.Copies(o.copies), placement.Placer(o.placer)
	out.Granule, out.Effort = int64(o.granule), int64(o.effort)
	out.Progress = progressOf(o.progress, addressIn(&o.progress_user))
	if o.overrides&C.TOLK_OVERRIDE_NO_MEMORY_PLANNER != 0 {
		out.NoMemoryPlanner = (*int64)(&o.no_memory_planner)
	}
	if o.overrides&C.TOLK_OVERRIDE_DEBUG != 0 {
		out.Debug = (*int64)(&o.debug)
	}
	if unknown := o.overrides &^ (C.TOLK_OVERRIDE_NO_MEMORY_PLANNER | C.TOLK_OVERRIDE_DEBUG); unknown != 0 {
		return out, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "overrides has bits 0x%x, which are no TOLK_OVERRIDE_", uint32(unknown))
	}
	var err error
	if out.TimeLimit, err = milliseconds(o.time_limit_ms); err != nil {
		return out, err
	}
	out.Capacities, err = capacitiesOf(o)
	return out, err
}

func capacitiesOf(o *C.tolk_plan_options) ([]planner.Capacity, error) {
	if o.capacity_count == 0 {
		return nil, nil // the address may be any number
	}
	list, err := view(o.capacities, C.size_t(o.capacity_count), "capacities")
	if err != nil {
		return nil, err
	}
	capacities := make([]planner.Capacity, len(list))
	for i := range list {
		names, err := deviceNames(&list[i].devices, list[i].device_count)
		if err != nil {
			return nil, err
		}
		capacities[i] = planner.Capacity{Devices: names, Bytes: int64(list[i].bytes)}
	}
	return capacities, nil
}

func milliseconds(ms C.int64_t) (time.Duration, error) {
	switch {
	case ms < 0:
		return 0, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "time_limit_ms is %d; it must be positive, or 0 for none", int64(ms))
	case int64(ms) > math.MaxInt64/int64(time.Millisecond):
		return math.MaxInt64, nil
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// addressIn is a pointer of the caller's as a number, since it may be one that Go must not hold.
func addressIn(p *unsafe.Pointer) C.uintptr_t { return *(*C.uintptr_t)(unsafe.Pointer(p)) }

func progressOf(callback C.tolk_progress_callback, user C.uintptr_t) func(placement.Progress) {
	if callback == nil {
		return nil
	}
	return func(p placement.Progress) {
		c := C.tolk_progress{size: C.int64_t(p.Size), bound: C.int64_t(p.Bound), spent: C.int64_t(p.Spent)}
		C.tolk_call_progress(callback, user, &c)
	}
}

// contextOf is what ends when the caller's canceller is asked to.
func contextOf(cancel **C.tolk_cancel) (context.Context, error) {
	h := C.uint64_t(*(*C.uintptr_t)(unsafe.Pointer(cancel)))
	if h == 0 {
		return context.Background(), nil
	}
	c, err := lookup[*canceller](h, "cancel")
	if err != nil {
		return nil, err
	}
	return c.ctx, nil
}

//export gotolk_cancel_create
func gotolk_cancel_create(t *C.tolk_thread, out *C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		ctx, stop := context.WithCancel(context.Background())
		*out = newHandle(&canceller{ctx, stop})
		return nil
	})
}

//export gotolk_cancel_request
func gotolk_cancel_request(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		c, err := lookup[*canceller](h, "cancel")
		if err == nil {
			c.stop()
		}
		return err
	})
}

//export gotolk_cancel_destroy
func gotolk_cancel_destroy(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		_, _, err := take[*canceller](h, "cancel")
		return err
	})
}
