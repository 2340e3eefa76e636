package main

/*
#include <stdlib.h>
#include "boundary.h"
*/
import "C"

import (
	"unsafe"

	"libtolk_memory/ir"
)

// maxItems bounds the length of arrays from C, so that a garbled count is an error.
const maxItems = 1<<31 - 1

var errOutOfMemory = &fault{C.TOLK_ERR_OUT_OF_MEMORY, "the C heap is exhausted"}

// view is a C array as a slice.
func view[T any](p *T, n C.size_t, what string) ([]T, error) {
	switch {
	case n == 0:
		return nil, nil
	case p == nil:
		return nil, faultf(C.TOLK_ERR_INVALID_ARGUMENT, "%s is NULL, its count %d", what, uint64(n))
	case uint64(n) > maxItems:
		return nil, faultf(C.TOLK_ERR_LIMIT, "%s has %d items; at most %d", what, uint64(n), maxItems)
	}
	return unsafe.Slice(p, int(n)), nil
}

// newArray is an array of n zeroed items in C memory; nil if n is 0.
func newArray[T any](n int) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	var item T
	p := C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(item)))
	if p == nil {
		return nil, errOutOfMemory
	}
	return unsafe.Slice((*T)(p), n), nil
}

func free[T any](array []T) {
	if len(array) > 0 {
		C.free(unsafe.Pointer(&array[0]))
	}
}

func first[T any](array []T) *T {
	if len(array) == 0 {
		return nil
	}
	return &array[0]
}

// newString is s in C memory, with a NUL behind it.
func newString[S ~string | ~[]byte](s S) ([]C.char, error) {
	text, err := newArray[C.char](len(s) + 1)
	if err != nil {
		return nil, err
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&text[0])), len(s)), s)
	return text, nil
}

// giveAddress fills a pointer of the caller's, which goes as a number: were it written as a pointer, Go's collector would
// follow what stood there before, and that may be anything.
func giveAddress[T any](p *T, to *C.uintptr_t) { *to = C.uintptr_t(uintptr(unsafe.Pointer(p))) }

// giveText hands a text to the caller.
func giveText(s []byte, to *C.uintptr_t, length *C.size_t) error {
	text, err := newString(s)
	if err == nil {
		giveAddress(first(text), to)
		*length = C.size_t(len(s))
	}
	return err
}

// borrow is a C string as it stands, for as long as the call.
func borrow(s *C.char) string {
	if s == nil {
		return ""
	}
	// Names are short: this loop costs less than a call to strlen.
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return unsafe.String((*byte)(unsafe.Pointer(s)), n)
}

// fill writes the numbers of n ops to a caller's array, all or none.
func fill(n int, node func(i int) ir.Node, to *C.tolk_op, capacity C.size_t, count *C.size_t) error {
	*count = C.size_t(n)
	if uint64(n) > uint64(capacity) {
		return faultf(C.TOLK_ERR_BUFFER_TOO_SMALL, "%d items do not fit in an array of %d", n, uint64(capacity))
	}
	for i := range n {
		unsafe.Slice(to, n)[i] = C.tolk_op(node(i).Op())
	}
	return nil
}
