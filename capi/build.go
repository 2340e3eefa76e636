package main

/*
#include "boundary.h"
*/
import "C"

import (
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
			if err := describe(tx, desc, &d); err != nil {
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
		built, err := ops(out, count, "ops")
		if err != nil || len(built) == 0 {
			return err
		}
		size := descs.struct_size
		if int(size) < int(unsafe.Sizeof(*descs)) {
			return faultf(C.TOLK_ERR_INVALID_ARGUMENT, "tolk_op_desc: struct_size is %d; begin from TOLK_OP_DESC_INIT", uint32(size))
		}
		_, err = g.BuildAll(built, func(tx *ir.Tx, i int, d *ir.Desc) error {
			desc := (*C.tolk_op_desc)(unsafe.Add(unsafe.Pointer(descs), i*int(size)))
			if desc.struct_size != size {
				return descError("description %d: struct_size is %d, that of the first %d; they must be alike", i, uint32(desc.struct_size), uint32(size))
			}
			return describe(tx, desc, d)
		})
		return err
	})
}

func descError(format string, args ...any) *ir.Error {
	return ir.Errorf(ir.BadArgument, format, args...)
}

// describe fills d from a caller's description. Its strings and sources stay in C memory, for as long as the call.
func describe(tx *ir.Tx, desc *C.tolk_op_desc, d *ir.Desc) error {
	if desc.kind > 255 {
		return descError("kind %d is not a TOLK_KIND_", uint32(desc.kind))
	}
	d.Kind = ir.Kind(desc.kind)
	if n := desc.source_count; n > 0 {
		switch {
		case desc.sources == nil:
			return descError("%v: sources is NULL, their count %d", d.Kind, uint64(n))
		case n > maxSources:
			return ir.Errorf(ir.TooMany, "%v: %d sources; an op has at most %d", d.Kind, uint64(n), maxSources)
		}
		d.Sources = unsafe.Slice((*ir.Op)(unsafe.Pointer(desc.sources)), int(n))
	}
	switch d.Kind {
	case ir.Buffer, ir.Alloc, ir.Param:
		return describeStorage(tx, desc.storage, d)
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

const maxSources = 1<<31 - 1

func describeDtype(dtype uint32, d *ir.Desc) error {
	if dtype > 255 {
		return descError("%v: dtype %d is not an element type", d.Kind, dtype)
	}
	d.Dtype = ir.Dtype(dtype)
	return nil
}

func describeStorage(tx *ir.Tx, s *C.tolk_storage, d *ir.Desc) error {
	switch {
	case s == nil:
		return descError("%v: storage is NULL", d.Kind)
	case int(s.struct_size) < int(unsafe.Sizeof(*s)):
		return descError("%v: tolk_storage: struct_size is %d; begin from TOLK_STORAGE_INIT", d.Kind, uint32(s.struct_size))
	}
	d.Count, d.Slot, d.HasSlot = int64(s.count), int64(s.slot), s.has_slot != 0
	d.Phase, d.Align = int64(s.phase), int64(s.align)
	if err := describeDtype(uint32(s.dtype), d); err != nil {
		return err
	}
	return describePlacement(tx, s, d)
}

// describePlacement leaves a missing placement for the graph to refuse.
func describePlacement(tx *ir.Tx, s *C.tolk_storage, d *ir.Desc) (err error) {
	if s.device_count == 0 {
		if s.device != nil {
			d.Placement, err = tx.Placement(borrow(s.device))
		}
		return err
	}
	names, err := deviceNames(s.devices, s.device_count)
	if err != nil {
		return descError("%v: %v", d.Kind, err)
	}
	d.Placement, err = tx.Placement(names...)
	return err
}

// deviceNames is a C array of strings as they stand.
func deviceNames(p **C.char, n C.uint64_t) ([]string, error) {
	if n > ir.MaxDevices {
		return nil, faultf(C.TOLK_ERR_LIMIT, "%d devices; a placement has at most %d", uint64(n), ir.MaxDevices)
	}
	list, err := view(p, C.size_t(n), "devices")
	if err != nil {
		return nil, err
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = borrow(s)
	}
	return names, nil
}
