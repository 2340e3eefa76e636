package main

/*
#include "boundary.h"
*/
import "C"

import "libtolk_memory/tlsf"

//export gotolk_tlsf_create
func gotolk_tlsf_create(t *C.tolk_thread, size, base, blockSize, listCount C.int64_t, out *C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		a, err := tlsf.New(int64(size), int64(base), int64(blockSize), int64(listCount))
		if err == nil {
			*out = newHandle(&allocator{Allocator: a})
		}
		return err
	})
}

func allocatorOf(h C.uint64_t) (*allocator, error) { return lookup[*allocator](h, "tlsf") }

//export gotolk_tlsf_alloc
func gotolk_tlsf_alloc(t *C.tolk_thread, h C.uint64_t, size, align C.int64_t, address *C.int64_t) C.tolk_status {
	room := true
	status := guard(t, func() error {
		a, err := allocatorOf(h)
		if err != nil {
			return err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		at, ok, err := a.Alloc(int64(size), int64(align))
		if ok {
			*address = C.int64_t(at)
		}
		room = ok
		return err
	})
	if status == C.TOLK_OK && !room {
		return C.TOLK_NO_ROOM
	}
	return status
}

//export gotolk_tlsf_free
func gotolk_tlsf_free(t *C.tolk_thread, h C.uint64_t, address C.int64_t) C.tolk_status {
	return guard(t, func() error {
		a, err := allocatorOf(h)
		if err != nil {
			return err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.Free(int64(address))
	})
}

//export gotolk_tlsf_destroy
func gotolk_tlsf_destroy(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		_, _, err := take[*allocator](h, "tlsf")
		return err
	})
}
