package main

/*
#include "boundary.h"
*/
import "C"

import (
	"context"
	"sync"
	"sync/atomic"

	"libtolk_memory/ir"
	"libtolk_memory/tlsf"
)

// A handle is a number that is given once, so that a stale one is always known. Its upper bits are those of no pointer.
const handleMark = 0x7401 << 48

var (
	handles    sync.Map // of uint64
	lastHandle atomic.Uint64
)

func newHandle(object any) C.uint64_t {
	h := handleMark | lastHandle.Add(1)
	handles.Store(h, object)
	return C.uint64_t(h)
}

// lookup is the object of a handle, which what names in messages.
func lookup[T any](h C.uint64_t, what string) (T, error) {
	object, ok := handles.Load(uint64(h))
	if t, is := object.(T); is {
		return t, nil
	}
	return complain[T](h, what, ok)
}

func complain[T any](h C.uint64_t, what string, live bool) (none T, err error) {
	reason := "it was made up"
	switch {
	case h == 0:
		reason = "it is NULL"
	case live:
		reason = "it is a handle of another type"
	case h > handleMark && uint64(h)-handleMark <= lastHandle.Load():
		reason = "it was destroyed"
	}
	return none, faultf(C.TOLK_ERR_INVALID_HANDLE, "the %s is not valid: %s", what, reason)
}

// take is lookup and forgets the handle. 0 gives none.
func take[T any](h C.uint64_t, what string) (object T, found bool, err error) {
	if h == 0 {
		return object, false, nil
	}
	if object, err = lookup[T](h, what); err != nil {
		return object, false, err
	}
	if _, found = handles.LoadAndDelete(uint64(h)); !found {
		object, err = complain[T](h, what, false) // another thread was first
	}
	return object, found, err
}

// graph is a graph with the C strings that its readers were given.
type graph struct {
	*ir.Graph
	mu      sync.Mutex
	strings map[string][]C.char
	closed  bool

	exhausted atomic.Bool // whether the first error is that C memory ran out
}

func graphOf(h C.uint64_t) (*graph, error) { return lookup[*graph](h, "graph") }

// give hands out s, in C memory for as long as the graph.
func (g *graph) give(s string, to *C.uintptr_t) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return faultf(C.TOLK_ERR_INVALID_HANDLE, "the graph was destroyed meanwhile")
	}
	text, ok := g.strings[s]
	if !ok {
		var err error
		if text, err = newString(s); err != nil {
			return err
		}
		g.strings[s] = text
	}
	giveAddress(first(text), to)
	return nil
}

func (g *graph) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, text := range g.strings {
		free(text)
	}
	g.strings, g.closed = nil, true
}

// canceller stops searches.
type canceller struct {
	ctx  context.Context
	stop context.CancelFunc
}

// allocator is a TLSF allocator that threads may share.
type allocator struct {
	mu sync.Mutex
	*tlsf.Allocator
}
