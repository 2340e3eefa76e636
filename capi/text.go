package main

/*
#include "boundary.h"
*/
import "C"

import (
	"context"
	"unicode/utf8"
	"unsafe"

	"libtolk_memory/text"
)

const maxText = 1 << 40

// bytesOf is a caller's text as it stands.
func bytesOf(p *C.char, n C.size_t) ([]byte, error) {
	if n > maxText {
		return nil, faultf(C.TOLK_ERR_LIMIT, "the text has %d bytes; at most %d", uint64(n), int64(maxText))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n)), nil
}

//export gotolk_plan_text
func gotolk_plan_text(t *C.tolk_thread, request *C.char, n C.size_t, out *C.uintptr_t, length *C.size_t) C.tolk_status {
	return guard(t, func() error {
		in, err := bytesOf(request, n)
		if err != nil {
			return err
		}
		answer, err := text.Answer(context.Background(), in, func(line string) { copyText(t.line[:], line) })
		if err != nil {
			return err
		}
		return giveText(answer, out, length)
	})
}

//export gotolk_schedule_read
func gotolk_schedule_read(t *C.tolk_thread, h C.uint64_t, p *C.char, n C.size_t, out *C.tolk_schedule) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		if err != nil {
			return err
		}
		in, err := bytesOf(p, n)
		if err != nil {
			return err
		}
		return text.TakeSchedule(g.Graph, in, func(s *text.Schedule) error { return giveSchedule(s, out) })
	})
}

func giveSchedule(s *text.Schedule, out *C.tolk_schedule) error {
	name, err := newString(s.Name)
	if err != nil {
		return err
	}
	storage, err := newArray[C.tolk_op](len(s.Storage))
	if err != nil {
		free(name)
		return err
	}
	held, err := newArray[C.tolk_op](len(s.Held))
	if err != nil {
		free(name)
		free(storage)
		return err
	}
	for i, op := range s.Storage {
		storage[i] = C.tolk_op(op)
	}
	for i, op := range s.Held {
		held[i] = C.tolk_op(op)
	}
	out.schedule, out.name = C.tolk_op(s.Op), &name[0]
	out.storage, out.storage_count = first(storage), C.uint64_t(len(storage))
	out.held, out.held_count = first(held), C.uint64_t(len(held))
	return nil
}

//export gotolk_schedule_write
func gotolk_schedule_write(t *C.tolk_thread, h C.uint64_t, schedule C.tolk_op, name *C.char, held *C.tolk_op, heldCount C.size_t, out *C.uintptr_t, length *C.size_t) C.tolk_status {
	return guard(t, func() error {
		_, n, err := argumentNode(h, schedule, "schedule")
		if err != nil {
			return err
		}
		if !utf8.ValidString(borrow(name)) {
			return faultf(C.TOLK_ERR_INVALID_ARGUMENT, "name %q is not valid UTF-8", borrow(name))
		}
		list, err := ops(held, heldCount, "held")
		if err != nil {
			return err
		}
		written, err := text.WriteSchedule(n, borrow(name), list)
		if err != nil {
			return err
		}
		return giveText(written, out, length)
	})
}

//export gotolk_plan_write
func gotolk_plan_write(t *C.tolk_thread, h, planHandle C.uint64_t, out *C.uintptr_t, length *C.size_t) C.tolk_status {
	return guard(t, func() error {
		p, err := planOf(planHandle)
		if err != nil {
			return err
		}
		_, n, err := nodeOf(h, C.tolk_op(p.source))
		if err != nil {
			return err
		}
		if err := p.open(); err != nil {
			return err
		}
		defer p.mu.Unlock()
		written, err := text.WritePlan(n, p.asPlan())
		if err != nil {
			return err
		}
		return giveText(written, out, length)
	})
}
