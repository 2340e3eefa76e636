// Command capi is the C face of the library: built with -buildmode=c-shared or
// c-archive it is what include/tolk_memory.h declares.
//
// tolk_memory.c carries the public functions and calls the gotolk_ functions here, one each. These
// turn numbers into Go values and errors into statuses. Each recovers from panics.
package main

/*
#include "boundary.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
	"libtolk_memory/text"
	"libtolk_memory/tlsf"
)

func main() {}

// fault is an error that is the boundary's own.
type fault struct {
	status  C.tolk_status
	message string
}

func (f *fault) Error() string { return f.message }

func faultf(status C.tolk_status, format string, args ...any) error {
	return &fault{status, fmt.Sprintf(format, args...)}
}

// guard is the status of what f does. An error becomes the thread's last, and a panic an internal error.
func guard(t *C.tolk_thread, f func() error) (status C.tolk_status) {
	defer func() {
		if p := recover(); p != nil {
			status = fail(t, C.TOLK_ERR_INTERNAL, fmt.Sprintf("internal error: %v", p))
		}
	}()
	maybePanic()
	if err := f(); err != nil {
		return fail(t, statusOf(err), err.Error())
	}
	return C.TOLK_OK
}

func fail(t *C.tolk_thread, status C.tolk_status, message string) C.tolk_status {
	copyText(t.message[:], message)
	t.status = status
	return status
}

// copyText copies as much of s as fits, without cutting a character, and a NUL.
func copyText(to []C.char, s string) {
	if len(s) > len(to)-1 {
		cut := len(to) - 1
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		s = s[:cut]
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&to[0])), len(to)), s)
	to[len(s)] = 0
}

var irStatus = map[ir.ErrorKind]C.tolk_status{
	ir.BadArgument: C.TOLK_ERR_INVALID_ARGUMENT, ir.BadOp: C.TOLK_ERR_INVALID_OP, ir.WrongKind: C.TOLK_ERR_WRONG_KIND,
	ir.Overflow: C.TOLK_ERR_OVERFLOW, ir.TooMany: C.TOLK_ERR_LIMIT,
}

var plannerStatus = map[planner.ErrorKind]C.tolk_status{
	planner.BadArgument: C.TOLK_ERR_INVALID_ARGUMENT, planner.WrongKind: C.TOLK_ERR_WRONG_KIND, planner.BadOp: C.TOLK_ERR_INVALID_OP,
	planner.Overflow: C.TOLK_ERR_OVERFLOW, planner.TooMany: C.TOLK_ERR_LIMIT,
}

var placementStatus = map[placement.Kind]C.tolk_status{
	placement.BadArgument: C.TOLK_ERR_INVALID_ARGUMENT, placement.Overflow: C.TOLK_ERR_OVERFLOW,
	placement.Infeasible: C.TOLK_ERR_INFEASIBLE, placement.NotFound: C.TOLK_ERR_NOT_FOUND,
}

var tlsfStatus = map[tlsf.ErrorKind]C.tolk_status{
	tlsf.BadArgument: C.TOLK_ERR_INVALID_ARGUMENT, tlsf.Overflow: C.TOLK_ERR_OVERFLOW,
	tlsf.NotAllocated: C.TOLK_ERR_NOT_ALLOCATED, tlsf.Broken: C.TOLK_ERR_INTERNAL,
}

func statusOf(err error) C.tolk_status {
	var own *fault
	var op *ir.Error
	var plan *planner.Error
	var place *placement.Error
	var lifetimes *problem.Error
	var parse *text.Error
	var block *tlsf.Error
	switch {
	case errors.As(err, &own):
		return own.status
	case errors.As(err, &op):
		return irStatus[op.Kind]
	case errors.As(err, &plan):
		return plannerStatus[plan.Kind]
	case errors.As(err, &place):
		return placementStatus[place.Kind]
	case errors.As(err, &lifetimes):
		if lifetimes.Overflow {
			return C.TOLK_ERR_OVERFLOW
		}
		return C.TOLK_ERR_INVALID_ARGUMENT
	case errors.As(err, &parse):
		return C.TOLK_ERR_PARSE
	case errors.As(err, &block):
		return tlsfStatus[block.Kind]
	}
	return C.TOLK_ERR_INTERNAL
}
