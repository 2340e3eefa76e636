package main

/*
#include "boundary.h"
*/
import "C"

import (
	"bytes"
	"fmt"
	"unsafe"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

//export gotolk_graph_create
func gotolk_graph_create(t *C.tolk_thread, out *C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		*out = newHandle(&graph{Graph: ir.NewGraph(), strings: map[string][]C.char{}})
		return nil
	})
}

//export gotolk_graph_destroy
func gotolk_graph_destroy(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		g, found, err := take[*graph](h, "graph")
		if found {
			g.close()
		}
		return err
	})
}

//export gotolk_graph_op_count
func gotolk_graph_op_count(t *C.tolk_thread, h C.uint64_t, count *C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		if err == nil {
			*count = C.uint64_t(g.Len())
		}
		return err
	})
}

//export gotolk_graph_error
func gotolk_graph_error(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		switch {
		case err != nil:
			return err
		case g.exhausted.Load():
			return errOutOfMemory
		}
		return g.Err()
	})
}

// gotolk_graph_exhausted is for a constructor that found no C memory for its sources.
//
//export gotolk_graph_exhausted
func gotolk_graph_exhausted(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		if err != nil {
			return err
		}
		if g.Err() == nil {
			g.exhausted.Store(true)
		}
		return errOutOfMemory
	})
}

//export gotolk_graph_check
func gotolk_graph_check(t *C.tolk_thread, h C.uint64_t) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		if err != nil {
			return err
		}
		if err := g.Check(); err != nil {
			return faultf(C.TOLK_ERR_INTERNAL, "%v", err)
		}
		return nil
	})
}

// nodeOf is an op of a graph.
func nodeOf(h C.uint64_t, op C.tolk_op) (*graph, ir.Node, error) {
	g, err := graphOf(h)
	if err != nil {
		return nil, ir.Node{}, err
	}
	n, err := g.Node(ir.Op(op))
	return g, n, err
}

// argumentNode is nodeOf for an op that is one of several arguments: the error names it.
func argumentNode(h C.uint64_t, op C.tolk_op, argument string) (g *graph, n ir.Node, err error) {
	if g, n, err = nodeOf(h, op); err != nil && g != nil {
		err = fmt.Errorf("%s: %w", argument, err)
	}
	return g, n, err
}

//export gotolk_op_read
func gotolk_op_read(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, info *C.tolk_op_info) C.tolk_status {
	return guard(t, func() error {
		g, n, err := nodeOf(h, op)
		if err == nil {
			readOp(g, n, info)
		}
		return err
	})
}

// readOp fills all of a caller's struct but its size.
func readOp(g *graph, n ir.Node, out *C.tolk_op_info) {
	info := C.tolk_op_info{struct_size: out.struct_size}
	info.kind, info.dtype = C.uint32_t(n.Kind()), C.uint32_t(n.Dtype())
	info.count, info.bytes = C.int64_t(n.Len()), C.int64_t(n.Nbytes())
	info.source_count = C.uint64_t(n.NumSources())
	info.device_count = C.uint32_t(len(g.Devices(n.Placement())))
	info.slot, info.phase, info.align = C.int64_t(n.Slot()), C.uint32_t(n.Phase()), C.uint32_t(n.Align())
	if base, ok := n.Base(); ok {
		info.base = C.tolk_op(base.Op())
	}
	info.tag, info.shard = C.uint64_t(n.Tag()), C.uint32_t(n.Shard())
	switch n.Kind() {
	case ir.Shrink:
		info.start, info.length = C.tolk_op(n.Source(1).Op()), C.tolk_op(n.Source(2).Op())
	case ir.Range:
		info.range_count = C.tolk_op(n.Source(0).Op())
	}
	axis, axisKind := n.Axis()
	info.axis, info.axis_kind = C.int64_t(axis), C.uint32_t(axisKind)
	least, greatest := n.Bounds()
	info.least, info.greatest = C.int64_t(least), C.int64_t(greatest)
	*out = info
}

//export gotolk_op_source
func gotolk_op_source(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, index C.uint64_t, source *C.tolk_op) C.tolk_status {
	return guard(t, func() error {
		_, n, err := nodeOf(h, op)
		if err != nil {
			return err
		}
		if uint64(index) >= uint64(n.NumSources()) {
			return faultf(C.TOLK_ERR_INVALID_ARGUMENT, "%v (a %v) has %d sources; there is no source %d", n.Op(), n.Kind(), n.NumSources(), uint64(index))
		}
		*source = C.tolk_op(n.Source(int(index)).Op())
		return nil
	})
}

//export gotolk_op_sources
func gotolk_op_sources(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, to *C.tolk_op, capacity C.size_t, count *C.size_t) C.tolk_status {
	return guard(t, func() error {
		_, n, err := nodeOf(h, op)
		if err != nil {
			return err
		}
		return fill(n.NumSources(), n.Source, to, capacity, count)
	})
}

//export gotolk_op_device
func gotolk_op_device(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, index C.uint32_t, device *C.uintptr_t) C.tolk_status {
	return guard(t, func() error {
		g, n, err := nodeOf(h, op)
		if err != nil {
			return err
		}
		if !n.Kind().IsValue() {
			return faultf(C.TOLK_ERR_WRONG_KIND, "%v is a %v, which has no placement; storage and views have", n.Op(), n.Kind())
		}
		devices := g.Devices(n.Placement())
		if uint64(index) >= uint64(len(devices)) {
			return faultf(C.TOLK_ERR_INVALID_ARGUMENT, "%v is on %d devices; there is no device %d", n.Op(), len(devices), uint32(index))
		}
		return g.give(devices[index], device)
	})
}

//export gotolk_op_name
func gotolk_op_name(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, name *C.uintptr_t) C.tolk_status {
	return guard(t, func() error {
		g, n, err := nodeOf(h, op)
		if err != nil {
			return err
		}
		if !n.Has(ir.ArgName) {
			return faultf(C.TOLK_ERR_WRONG_KIND, "%v is a %v, which has no name; VARIABLEs and bodies of calls have", n.Op(), n.Kind())
		}
		return g.give(n.Name(), name)
	})
}

//export gotolk_op_print
func gotolk_op_print(t *C.tolk_thread, h C.uint64_t, op C.tolk_op, text *C.uintptr_t, length *C.size_t) C.tolk_status {
	return guard(t, func() error {
		_, n, err := nodeOf(h, op)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := n.Print(&out); err != nil {
			return err
		}
		return giveText(out.Bytes(), text, length)
	})
}

//export gotolk_unique_num
func gotolk_unique_num(t *C.tolk_thread) C.int64_t {
	number := int64(-1)
	guard(t, func() error {
		number = ir.UniqueNum()
		return nil
	})
	return C.int64_t(number)
}

//export gotolk_taken
func gotolk_taken(t *C.tolk_thread, h C.uint64_t, entry C.tolk_op, to *C.tolk_op, capacity C.size_t, count *C.size_t) C.tolk_status {
	return guard(t, func() error {
		_, n, err := argumentNode(h, entry, "entry")
		if err != nil {
			return err
		}
		taken, err := planner.Taken(n)
		if err != nil {
			return err
		}
		return fill(len(taken), func(i int) ir.Node { return taken[i] }, to, capacity, count)
	})
}

// ops is a C array of ops as it stands.
func ops(p *C.tolk_op, n C.size_t, what string) ([]ir.Op, error) {
	list, err := view(p, n, what)
	if len(list) == 0 {
		return nil, err
	}
	return unsafe.Slice((*ir.Op)(unsafe.Pointer(&list[0])), len(list)), nil
}
