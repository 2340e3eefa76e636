package ir

import (
	"math"
	"math/bits"
	"strconv"
)

func itoa(i int) string { return strconv.Itoa(i) }

// DefaultAlign is the alignment that phases are relative to unless a storage's description says otherwise.
const DefaultAlign = 16

func (b *builder) fail(kind ErrorKind, format string, args ...any) *Error {
	return errorf(kind, b.desc.Kind, format, args...)
}

func (b *builder) source(i int) *node { return b.g.nodes.at(b.sources[i]) }

func deriveNothing(*builder) *Error { return nil }

func deriveStorage(b *builder) *Error {
	d := &b.desc
	if err := b.checkStorage(); err != nil {
		return err
	}
	place, ok := b.g.placementIndex(d.Placement)
	if !ok {
		return b.fail(BadArgument, "no placement is given; storage is on one device or several")
	}
	phase, err := b.phase()
	if err != nil {
		return err
	}
	slot := d.Slot
	if d.HasSlot {
		nameSlot(slot)
	} else {
		slot = UniqueNum()
	}
	b.n.dtype, b.n.a, b.n.b, b.n.ref, b.n.small = d.Dtype, slot, d.Count, place, phase
	return nil
}

func (b *builder) checkStorage() *Error {
	d := &b.desc
	if !d.Dtype.Storable() {
		return b.fail(BadArgument, "dtype %v cannot be stored; give a type of known width, such as int32", d.Dtype)
	}
	if d.Count < 0 {
		return b.fail(BadArgument, "element count %d is negative", d.Count)
	}
	if d.Count > math.MaxInt64/d.Dtype.Size() {
		return b.fail(Overflow, "%d elements of %v do not fit in 63 bits of bytes", d.Count, d.Dtype)
	}
	return nil
}

// phase is the column that packs phase and align.
func (b *builder) phase() (uint16, *Error) {
	d := &b.desc
	align := d.Align
	if align == 0 {
		align = DefaultAlign
	}
	if align < 1 || align > DefaultAlign || align&(align-1) != 0 {
		return 0, b.fail(BadArgument, "align %d is not 1, 2, 4, 8 or 16", align)
	}
	if d.Phase < 0 || d.Phase >= align {
		return 0, b.fail(BadArgument, "phase %d is not in [0, %d), below align", d.Phase, align)
	}
	if unit := min(d.Dtype.Size(), align); d.Phase%unit != 0 {
		return 0, b.fail(BadArgument, "phase %d is not a multiple of %d, the smaller of the element's %d bytes and align %d", d.Phase, unit, d.Dtype.Size(), align)
	}
	return uint16(d.Phase) | uint16(align)<<8, nil
}

func deriveVariable(b *builder) *Error {
	d := &b.desc
	if d.Name == "" {
		return b.fail(BadArgument, "the name is empty")
	}
	if d.Least > d.Greatest {
		return b.fail(BadArgument, "least value %d is above the greatest, %d", d.Least, d.Greatest)
	}
	if err := b.name(); err != nil {
		return err
	}
	return b.scalar(d.Least, d.Greatest)
}

func (b *builder) name() *Error {
	name, err := b.g.names.intern(b.desc.Kind, b.desc.Name)
	b.n.ref = name
	return err
}

func (b *builder) scalar(least, greatest int64) *Error {
	b.n.dtype, b.n.a, b.n.b = WeakInt, least, greatest
	return nil
}

func deriveConst(b *builder) *Error { return b.scalar(b.desc.Value, b.desc.Value) }

func deriveRange(b *builder) *Error {
	least, greatest := b.source(0).bounds()
	if least < 0 {
		return b.fail(BadArgument, "%s may be %d; it must not be negative", Range.labelOf(0), least)
	}
	b.n.ref = b.desc.AxisKind
	return b.scalar(b.desc.Axis, max(0, greatest-1))
}

// bounds is the least and greatest value of a scalar.
func (n *node) bounds() (int64, int64) {
	if n.kind == Range {
		return 0, n.b
	}
	return n.a, n.b
}

func deriveAdd(b *builder) *Error {
	xl, xg := b.source(0).bounds()
	yl, yg := b.source(1).bounds()
	least, ok1 := addExact(xl, yl)
	greatest, ok2 := addExact(xg, yg)
	if !ok1 || !ok2 {
		return b.fail(Overflow, "the sum of [%d, %d] and [%d, %d] does not fit in 64 bits", xl, xg, yl, yg)
	}
	return b.scalar(least, greatest)
}

func addExact(x, y int64) (int64, bool) {
	s := x + y
	return s, (s > x) == (y > 0)
}

func deriveMul(b *builder) *Error {
	xl, xg := b.source(0).bounds()
	yl, yg := b.source(1).bounds()
	least, greatest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range [2]int64{xl, xg} {
		for _, y := range [2]int64{yl, yg} {
			p, ok := mulExact(x, y)
			if !ok {
				return b.fail(Overflow, "the product of [%d, %d] and [%d, %d] does not fit in 64 bits", xl, xg, yl, yg)
			}
			least, greatest = min(least, p), max(greatest, p)
		}
	}
	return b.scalar(least, greatest)
}

func mulExact(x, y int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(x), magnitude(y))
	negative := (x < 0) != (y < 0)
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	if hi != 0 || lo > limit {
		return 0, false
	}
	if negative {
		return int64(-lo), true
	}
	return int64(lo), true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// view starts a row as a view of source 0, with the same bytes.
func (b *builder) view() *node {
	s := b.source(0)
	b.n.dtype, b.n.b, b.n.ref = s.dtype, s.b, s.ref
	b.n.a, b.n.base, b.n.bind, b.n.small = s.offset(), s.base, s.bind, s.symbolic()
	return s
}

const symbolicBit = 1

// offset is the bytes of a value past the first byte of what it binds to, each symbolic start counted as 0.
func (n *node) offset() int64 {
	if viewKinds.has(n.kind) {
		return n.a
	}
	return 0
}

func (n *node) symbolic() uint16 {
	if viewKinds.has(n.kind) {
		return n.small & symbolicBit
	}
	return 0
}

func deriveShrink(b *builder) *Error {
	s := b.view()
	least, greatest := b.source(1).bounds()
	length := b.source(2).a
	switch {
	case length < 0:
		return b.fail(BadArgument, "length %d is negative", length)
	case least < 0 || length > s.b || greatest > s.b-length:
		return b.fail(BadArgument, "elements [%s, +%d) do not lie within the %d elements of its source %v", boundsText(least, greatest), length, s.b, b.g.op(b.sources[0]))
	case length == s.b:
		b.same = b.sources[0]
	case least == greatest:
		b.n.a += least * s.dtype.Size()
	default:
		b.n.small |= symbolicBit
	}
	b.n.b = length
	return nil
}

func boundsText(least, greatest int64) string {
	if least == greatest {
		return strconv.FormatInt(least, 10)
	}
	return strconv.FormatInt(least, 10) + ".." + strconv.FormatInt(greatest, 10)
}

func deriveBitcast(b *builder) *Error {
	s := b.view()
	to := b.desc.Dtype
	if !to.Storable() {
		return b.fail(BadArgument, "dtype %v cannot be stored; give a type of known width, such as int32", to)
	}
	if to == s.dtype {
		b.same = b.sources[0]
		return nil
	}
	bytes := s.b * s.dtype.Size()
	if bytes%to.Size() != 0 {
		return b.fail(BadArgument, "the %d bytes of its source %v are not a multiple of the %d bytes of %v", bytes, b.g.op(b.sources[0]), to.Size(), to)
	}
	b.n.dtype, b.n.b = to, bytes/to.Size()
	return nil
}

func deriveAfter(b *builder) *Error {
	b.view()
	if len(b.sources) == 1 {
		b.same = b.sources[0]
	}
	return nil
}

func deriveMSelect(b *builder) *Error {
	s := b.view()
	devices := b.g.places.get(s.ref).devices
	shard := b.desc.Shard
	if len(devices) < 2 {
		return b.fail(BadArgument, "its source %v is on one device, %q; it must be on several", b.g.op(b.sources[0]), devices[0])
	}
	if shard < 0 || shard >= int64(len(devices)) {
		return b.fail(BadArgument, "shard %d is not in [0, %d), the devices of its source %v", shard, len(devices), b.g.op(b.sources[0]))
	}
	if stack := b.g.nodes.at(s.bind); stack.kind == MStack {
		part := b.g.nodes.at(b.g.sources.slice(stack.from, stack.n)[shard])
		b.n.a += part.offset()
		b.n.bind = part.bind
		b.n.small |= part.symbolic()
	}
	b.n.small |= uint16(shard) << 1
	place, err := b.g.places.intern(MSelect, devices[shard:shard+1])
	b.n.ref = place
	return err
}

func deriveMStack(b *builder) *Error {
	first := b.view()
	if len(b.sources) > MaxDevices {
		return b.fail(TooMany, "%d sources; a placement has at most %d devices", len(b.sources), MaxDevices)
	}
	devices := make([]string, 0, len(b.sources))
	for i := range b.sources {
		s := b.source(i)
		on := b.g.places.get(s.ref).devices
		if len(on) != 1 {
			return b.fail(BadArgument, "source %d (%v) is on %d devices; each source must be on one", i, b.g.op(b.sources[i]), len(on))
		}
		if s.dtype != first.dtype || s.b != first.b {
			return b.fail(BadArgument, "source %d is %d elements of %v, source 0 %d of %v; all must be alike", i, s.b, s.dtype, first.b, first.dtype)
		}
		devices = append(devices, on[0])
	}
	place, err := b.g.places.intern(MStack, devices)
	b.n.ref = place
	b.n.a, b.n.base, b.n.bind, b.n.small = 0, 0, 0, 0
	if len(b.sources) == 1 {
		b.n.a, b.n.bind, b.n.small = first.offset(), first.bind, first.symbolic()
	}
	return err
}

func deriveBody(b *builder) *Error {
	b.n.a = int64(b.desc.Tag)
	return b.name()
}

func deriveEnd(b *builder) *Error {
	if len(b.sources) == 1 {
		b.same = b.sources[0]
	}
	return nil
}

func deriveBackedge(b *builder) *Error {
	flag := b.source(2)
	if flag.dtype != Bool || flag.b != 1 {
		return b.fail(BadArgument, "%s is %d elements of %v; it must be one bool", Backedge.labelOf(2), flag.b, flag.dtype)
	}
	return nil
}
