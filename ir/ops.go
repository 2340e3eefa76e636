package ir

// The functions below build one kind each; see [Graph.Build] and the fields of [Desc].

// Storage describes what BUFFER, ALLOC and PARAM have in common. See [Desc] for
// the fields; a nil Slot takes a fresh one.
type Storage struct {
	Dtype        Dtype
	Count        int64
	Placement    Placement
	Phase, Align int64
	Slot         *int64
}

func (g *Graph) storage(kind Kind, s Storage) (Op, error) {
	d := Desc{Kind: kind, Dtype: s.Dtype, Count: s.Count, Placement: s.Placement, Phase: s.Phase, Align: s.Align}
	if s.Slot != nil {
		d.Slot, d.HasSlot = *s.Slot, true
	}
	return g.Build(&d)
}

// Buffer is storage that the schedule allocates.
func (g *Graph) Buffer(s Storage) (Op, error) { return g.storage(Buffer, s) }

// Alloc is call-local storage.
func (g *Graph) Alloc(s Storage) (Op, error) { return g.storage(Alloc, s) }

// Param is storage that whoever runs the schedule binds.
func (g *Graph) Param(s Storage) (Op, error) { return g.storage(Param, s) }

// Variable is an integer in [least, greatest] that is known when the schedule runs.
func (g *Graph) Variable(name string, least, greatest int64) (Op, error) {
	return g.Build(&Desc{Kind: Variable, Name: name, Least: least, Greatest: greatest})
}

// Const is the integer v.
func (g *Graph) Const(v int64) (Op, error) { return g.Build(&Desc{Kind: Const, Value: v}) }

// Range is a loop's variable, in [0, count).
func (g *Graph) Range(count Op, axis int64, axisKind uint32) (Op, error) {
	return g.Build(&Desc{Kind: Range, Sources: []Op{count}, Axis: axis, AxisKind: axisKind})
}

// Add is x + y.
func (g *Graph) Add(x, y Op) (Op, error) { return g.Build(&Desc{Kind: Add, Sources: []Op{x, y}}) }

// Mul is x * y.
func (g *Graph) Mul(x, y Op) (Op, error) { return g.Build(&Desc{Kind: Mul, Sources: []Op{x, y}}) }

// Shrink is elements [start, start+length) of source; source itself if that is all of it.
func (g *Graph) Shrink(source Op, start, length int64) (Op, error) {
	return g.Build(&Desc{Kind: Shrink, Sources: []Op{source}, Start: start, Count: length})
}

// ShrinkAt is Shrink with a start that is a scalar. Every value that the start may have must fit.
func (g *Graph) ShrinkAt(source, start Op, length int64) (Op, error) {
	return g.Build(&Desc{Kind: Shrink, Sources: []Op{source, start}, Count: length})
}

// Bitcast is the bytes of source at another type, whose size must divide them;
// source itself if the type is the same.
func (g *Graph) Bitcast(source Op, to Dtype) (Op, error) {
	return g.Build(&Desc{Kind: Bitcast, Sources: []Op{source}, Dtype: to})
}

// After is source, ordered after the effects; source itself if there are none.
func (g *Graph) After(source Op, effects ...Op) (Op, error) {
	return g.Build(&Desc{Kind: After, Sources: append([]Op{source}, effects...)})
}

// MSelect is the part of source, which is on several devices, on the device at index shard.
func (g *Graph) MSelect(source Op, shard int64) (Op, error) {
	return g.Build(&Desc{Kind: MSelect, Sources: []Op{source}, Shard: shard})
}

// MStack is one value on several devices, of parts on one device each, alike in type and length.
func (g *Graph) MStack(parts ...Op) (Op, error) {
	return g.Build(&Desc{Kind: MStack, Sources: parts})
}

// Body is the body of a call: kind is Sink, Store, Program or CustomFunction.
func (g *Graph) Body(kind Kind, name string, tag uint64, sources ...Op) (Op, error) {
	if !kind.IsBody() {
		return None, errorf(BadArgument, NoKind, "kind %v is not that of a body: SINK, STORE, PROGRAM or CUSTOM_FUNCTION", kind)
	}
	return g.Build(&Desc{Kind: kind, Name: name, Tag: tag, Sources: sources})
}

// Call is one piece of work: body on the arguments.
func (g *Graph) Call(body Op, arguments ...Op) (Op, error) {
	return g.Build(&Desc{Kind: Call, Sources: append([]Op{body}, arguments...)})
}

// Linear is the entries in order: a schedule, or what a loop repeats.
func (g *Graph) Linear(entries ...Op) (Op, error) {
	return g.Build(&Desc{Kind: Linear, Sources: entries})
}

// End is body once per value of the ranges; body itself if there are none.
func (g *Graph) End(body Op, ranges ...Op) (Op, error) {
	return g.Build(&Desc{Kind: End, Sources: append([]Op{body}, ranges...)})
}

// Backedge is body for as long as flag, storage of one bool, holds before a trip.
func (g *Graph) Backedge(body, loop, flag Op) (Op, error) {
	return g.Build(&Desc{Kind: Backedge, Sources: []Op{body, loop, flag}})
}
