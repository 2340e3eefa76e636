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
)

//export gotolk_build_one
func gotolk_build_one(t *C.tolk_thread, h C.uint64_t, desc *C.tolk_op_desc) C.tolk_op {
	var op ir.Op
	guard(t, func() error {
		g, err := graphOf(h)
		if err != nil {
			return err
		}
		err = g.Update(func(tx *ir.Tx) error {
			var d ir.Desc
			var last named
			if err := describe(tx, desc, &last, &d); err != nil {
				return err
			}
			op, err = tx.Build(&d)
			return err
		})
		return err
	})
	return C.tolk_op(op)
}

//export gotolk_build
func gotolk_build(t *C.tolk_thread, h C.uint64_t, descs *C.tolk_op_desc, count C.size_t, out *C.tolk_op) C.tolk_status {
	return guard(t, func() error {
		g, err := graphOf(h)
		if err != nil {
			return err
		}
		built, e := buildList(descs, count, out)
		if e != nil {
			g.Note(e)
			return e
		}
		if len(built) == 0 {
			return nil
		}
		size := descs.struct_size
		var last named
		_, err = g.BuildAll(built, func(tx *ir.Tx, i int, d *ir.Desc) error {
			desc := (*C.tolk_op_desc)(unsafe.Add(unsafe.Pointer(descs), i*int(size)))
			if e := describeOne(tx, desc, size, &last, d); e != nil {
				e.Message = fmt.Sprintf("description %d: %s", i, e.Message)
				return e
			}
			return nil
		})
		return err
	})
}

// buildList is the ops to fill, the arrays and the first description's struct_size having been checked.
func buildList(descs *C.tolk_op_desc, count C.size_t, out *C.tolk_op) ([]ir.Op, *ir.Error) {
	switch {
	case count == 0:
		return nil, nil
	case count > maxItems:
		return nil, ir.Errorf(ir.TooMany, "descs has %d items; at most %d", uint64(count), maxItems)
	case out == nil:
		return nil, ir.Errorf(ir.BadArgument, "ops is NULL, its count %d", uint64(count))
	}
	built := unsafe.Slice((*ir.Op)(unsafe.Pointer(out)), int(count))
	clear(built)
	if descs == nil {
		return nil, ir.Errorf(ir.BadArgument, "descs is NULL, its count %d", uint64(count))
	}
	return built, checkStruct(unsafe.Pointer(descs), unsafe.Sizeof(*descs), "tolk_op_desc", "TOLK_OP_DESC_INIT")
}

// checkStruct is an error unless a caller's struct is of this library's size, or a newer one with nothing set that this library does not know.
func checkStruct(p unsafe.Pointer, size uintptr, name, init string) *ir.Error {
	given := uintptr(*(*C.uint32_t)(p))
	if given < size || given > maxStruct || given%8 != 0 {
		return ir.Errorf(ir.BadArgument, "%s: struct_size is %d; begin from %s", name, given, init)
	}
	for at := size; at < given; at++ {
		if *(*byte)(unsafe.Add(p, at)) != 0 {
			return ir.Errorf(ir.BadArgument, "%s: it uses fields that are newer than this library", name)
		}
	}
	return nil
}

// maxStruct is more than any struct will grow to, in bytes.
const maxStruct = 4096

func descError(kind ir.Kind, format string, args ...any) *ir.Error {
	e := ir.Errorf(ir.BadArgument, format, args...)
	e.About = kind
	return e
}

// describeOne is describe for a description among others, which have this size.
func describeOne(tx *ir.Tx, desc *C.tolk_op_desc, size C.uint32_t, last *named, d *ir.Desc) *ir.Error {
	if desc.struct_size != size {
		return ir.Errorf(ir.BadArgument, "struct_size is %d, that of the first %d; they must be alike", uint32(desc.struct_size), uint32(size))
	}
	if uintptr(size) > unsafe.Sizeof(*desc) {
		if e := checkStruct(unsafe.Pointer(desc), unsafe.Sizeof(*desc), "tolk_op_desc", "TOLK_OP_DESC_INIT"); e != nil {
			return e
		}
	}
	return describe(tx, desc, last, d)
}

// describe fills d from a caller's description. Its strings and sources stay in C memory, for as long as the call.
func describe(tx *ir.Tx, desc *C.tolk_op_desc, last *named, d *ir.Desc) *ir.Error {
	if desc.kind > 255 {
		return descError(ir.NoKind, "kind %d is not a TOLK_KIND_", uint32(desc.kind))
	}
	d.Kind = ir.Kind(desc.kind)
	if n := desc.source_count; n > 0 {
		switch {
		case desc.sources == nil:
			return descError(d.Kind, "sources is NULL, their count %d", uint64(n))
		case n > maxItems:
			return &ir.Error{Kind: ir.TooMany, About: d.Kind, Message: fmt.Sprintf("%d sources; an op has at most %d", uint64(n), maxItems)}
		}
		d.Sources = unsafe.Slice((*ir.Op)(unsafe.Pointer(desc.sources)), int(n))
	}
	switch d.Kind {
	case ir.Buffer, ir.Alloc, ir.Param:
		return describeStorage(tx, desc.storage, last, d)
	case ir.Bitcast:
		return describeDtype(uint32(desc.dtype), d)
	case ir.Variable:
		d.Name, d.Least, d.Greatest = borrow(desc.name), int64(desc.value), int64(desc.limit)
	case ir.Sink, ir.Store, ir.Program, ir.CustomFunction:
		d.Name, d.Tag = borrow(desc.name), uint64(desc.tag)
	case ir.Range:
		d.Axis, d.AxisKind = int64(desc.value), uint32(desc.axis_kind)
	default:
		value := int64(desc.value)
		d.Value, d.Start, d.Shard, d.Count = value, value, value, int64(desc.limit)
	}
	return nil
}

func describeDtype(dtype uint32, d *ir.Desc) *ir.Error {
	if dtype > 255 {
		return descError(d.Kind, "dtype %d is not an element type", dtype)
	}
	d.Dtype = ir.Dtype(dtype)
	return nil
}

func describeStorage(tx *ir.Tx, s *C.tolk_storage, last *named, d *ir.Desc) *ir.Error {
	if s == nil {
		return descError(d.Kind, "storage is NULL")
	}
	if e := checkStruct(unsafe.Pointer(s), unsafe.Sizeof(*s), "tolk_storage", "TOLK_STORAGE_INIT"); e != nil {
		e.About = d.Kind
		return e
	}
	if s.reserved != 0 {
		return descError(d.Kind, "tolk_storage: reserved is %d; it must be 0", uint32(s.reserved))
	}
	d.Count, d.Slot, d.HasSlot = int64(s.count), int64(s.slot), s.has_slot != 0
	d.Phase, d.Align = int64(s.phase), int64(s.align)
	if e := describeDtype(uint32(s.dtype), d); e != nil {
		return e
	}
	return describePlacement(tx, s, last, d)
}

// named is the device that a storage of this call named last, and its placement. While a call lasts its strings stay as they are, so that the
// same pointer is the same name.
type named struct {
	device    *C.char
	placement ir.Placement
}

// describePlacement leaves a missing placement for the graph to refuse.
func describePlacement(tx *ir.Tx, s *C.tolk_storage, last *named, d *ir.Desc) *ir.Error {
	var err error
	switch {
	case s.device_count > 0:
		var names []string
		if names, err = deviceNames(&s.devices, s.device_count); err == nil {
			d.Placement, err = tx.Placement(names...)
		}
	case s.device != nil:
		if s.device != last.device {
			last.placement, err = tx.Placement(borrow(s.device))
			last.device = s.device
		}
		d.Placement = last.placement
	}
	if err == nil {
		return nil
	}
	var e *ir.Error
	errors.As(err, &e)
	e.About = d.Kind
	return e
}

// deviceNames is a C array of strings as they stand. The array's address is read only if there are any: else it may be any number.
func deviceNames(p ***C.char, n C.uint64_t) ([]string, error) {
	if n > ir.MaxDevices {
		return nil, ir.Errorf(ir.TooMany, "%d devices; a placement has at most %d", uint64(n), ir.MaxDevices)
	}
	names := make([]string, int(n))
	if n == 0 {
		return names, nil
	}
	if *p == nil {
		return nil, ir.Errorf(ir.BadArgument, "devices is NULL, its count %d", uint64(n))
	}
	for i, s := range unsafe.Slice(*p, int(n)) {
		names[i] = borrow(s)
	}
	return names, nil
}
