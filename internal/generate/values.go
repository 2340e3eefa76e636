package generate

import (
	"slices"
	"strconv"

	"libtolk_memory/ir"
)

// value is storage, an MSTACK, or a chain of views of one.
func (s *schedules) value() ir.Op {
	if len(s.values) > 0 && s.oneIn(4) {
		return pick(s, s.values)
	}
	v := pick(s, s.storage)
	if s.oneIn(8) {
		v = s.stack()
	}
	for range s.IntN(5) {
		v = s.view(v)
	}
	s.values = append(s.values, v)
	return v
}

// view is a view of v, or v where the view drawn does not fit.
func (s *schedules) view(v ir.Op) ir.Op {
	n := s.node(v)
	switch s.IntN(5) {
	case 0:
		start := int64(s.IntN(int(n.Len() + 1)))
		return built(s.g.Shrink(v, start, int64(s.IntN(int(n.Len()-start+1)))))
	case 1:
		return s.symbolicShrink(n)
	case 2:
		return built(s.g.Bitcast(v, s.dtypeFor(n)))
	case 3:
		return built(s.g.After(v, s.some(s.anything())...))
	}
	if devices := s.g.Devices(n.Placement()); len(devices) > 1 {
		return built(s.g.MSelect(v, int64(s.IntN(len(devices)))))
	}
	return v
}

func (s *schedules) symbolicShrink(n ir.Node) ir.Op {
	start := s.scalar()
	least, greatest := s.node(start).Bounds()
	if least < 0 || greatest > n.Len() {
		return n.Op()
	}
	return built(s.g.ShrinkAt(n.Op(), start, int64(s.IntN(int(n.Len()-greatest+1)))))
}

// dtypeFor is a type whose size divides the bytes of a value.
func (s *schedules) dtypeFor(n ir.Node) ir.Dtype {
	fits := slices.DeleteFunc(slices.Clone(storable), func(d ir.Dtype) bool { return n.Nbytes()%d.Size() != 0 })
	return pick(s, fits)
}

// stack is an MSTACK of one to three parts, each made to be like the first.
func (s *schedules) stack() ir.Op {
	parts := []ir.Op{s.part()}
	first := s.node(parts[0])
	for range s.IntN(3) {
		parts = append(parts, s.like(first, s.part()))
	}
	return built(s.g.MStack(parts...))
}

// part is storage, or a view made so far, on one device.
func (s *schedules) part() ir.Op {
	if len(s.values) > 0 && s.oneIn(2) {
		return s.onOneDevice(pick(s, s.values))
	}
	return s.onOneDevice(pick(s, s.storage))
}

func (s *schedules) onOneDevice(v ir.Op) ir.Op {
	if devices := s.g.Devices(s.node(v).Placement()); len(devices) > 1 {
		return built(s.g.MSelect(v, int64(s.IntN(len(devices)))))
	}
	return v
}

// like is as many elements of v as first has, of its type, or first if v has too few.
func (s *schedules) like(first ir.Node, v ir.Op) ir.Op {
	bytes := built(s.g.Bitcast(v, ir.Int8))
	room := s.node(bytes).Len() - first.Nbytes()
	if room < 0 {
		return first.Op()
	}
	part := built(s.g.Shrink(bytes, int64(s.IntN(int(room+1))), first.Nbytes()))
	return built(s.g.Bitcast(part, first.Dtype()))
}

// scalar is an integer that is small whatever the variables and ranges are.
func (s *schedules) scalar() ir.Op {
	x := s.leaf()
	for range s.IntN(3) {
		if y := s.leaf(); s.oneIn(2) {
			x = built(s.g.Add(x, y))
		} else {
			x = built(s.g.Mul(y, x))
		}
	}
	return x
}

func (s *schedules) leaf() ir.Op {
	if len(s.ranges) > 0 && !s.oneIn(3) {
		return pick(s, s.ranges)
	}
	if s.oneIn(2) {
		return built(s.g.Const(int64(s.IntN(8) - 1)))
	}
	least := int64(s.IntN(4) - 1)
	return built(s.g.Variable("n"+strconv.Itoa(s.IntN(3)), least, least+int64(s.IntN(4))))
}
