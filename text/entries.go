package text

import (
	"libtolk_memory/ir"
)

// frame is a value whose parts are being built: an entry or an argument.
type frame struct {
	at    value
	parts []value
	next  int
	desc  ir.Desc
	// loop is "end" or "backedge" where the value is a loop: its parts are then its entries and, last, the flag.
	loop string
	// floor is where the ops of its parts begin on the stack of built ops.
	floor int
}

// entries builds the schedule's LINEAR. Arguments and loops are as deep as the text makes them, so their frames are kept on a stack.
func (r *reader) entries(v value) error {
	list, err := r.items(v, "entries")
	if err != nil {
		return err
	}
	r.body = map[ir.Kind]ir.Op{}
	entries := make([]ir.Op, len(list))
	for i, v := range list {
		if entries[i], err = r.tree(v, r.entry); err != nil {
			return err
		}
	}
	r.s.Op, err = r.build(v, &ir.Desc{Kind: ir.Linear, Sources: entries})
	return err
}

// tree is the op of a value, which open begins; what it is made of is opened by the kind of frame it stands in.
func (r *reader) tree(v value, open func(value) (frame, error)) (ir.Op, error) {
	var stack []frame
	var built []ir.Op
	push := func(v value, open func(value) (frame, error)) error {
		f, err := open(v)
		f.floor = len(built)
		stack = append(stack, f)
		return err
	}
	if err := push(v, open); err != nil {
		return ir.None, err
	}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next < len(top.parts) {
			part := top.parts[top.next]
			top.next++
			if err := push(part, r.opener(top)); err != nil {
				return ir.None, err
			}
			continue
		}
		op, err := r.close(top, built[top.floor:])
		if err != nil {
			return ir.None, err
		}
		built = append(built[:top.floor], op)
		stack = stack[:len(stack)-1]
	}
	return built[0], nil
}

// opener is what opens the part of f that was just counted.
func (r *reader) opener(f *frame) func(value) (frame, error) {
	isFlag := f.loop == "backedge" && f.next == len(f.parts)
	if f.loop != "" && !isFlag {
		return r.entry
	}
	return r.argument
}

func (r *reader) entry(v value) (frame, error) {
	f, err := r.fields(v, "an entry", "call", "loop")
	if err != nil {
		return frame{}, err
	}
	if len(f) != 1 {
		return frame{}, r.failAt(v, "an entry has either a \"call\" or a \"loop\"; this one has %d of them", len(f))
	}
	if call, ok := f["call"]; ok {
		return r.call(call)
	}
	return r.loop(f["loop"])
}

var bodyKinds = []ir.Kind{ir.Sink, ir.Store, ir.Program, ir.CustomFunction}

func (r *reader) call(v value) (frame, error) {
	f, err := r.fields(v, "a call", "body", "args")
	if err != nil {
		return frame{}, err
	}
	body, hasBody := f["body"]
	args, hasArgs := f["args"]
	if !hasBody || !hasArgs {
		return frame{}, r.failAt(v, "a call has a \"body\" and \"args\"")
	}
	kind, err := r.choice(body, "body", "sink", "store", "program", "custom_function")
	if err != nil {
		return frame{}, err
	}
	op, err := r.bodyOf(body, bodyKinds[kind])
	if err != nil {
		return frame{}, err
	}
	parts, err := r.items(args, "args")
	return frame{at: v, parts: parts, desc: ir.Desc{Kind: ir.Call, Sources: []ir.Op{op}}}, err
}

func (r *reader) bodyOf(v value, kind ir.Kind) (ir.Op, error) {
	if op, ok := r.body[kind]; ok {
		return op, nil
	}
	op, err := r.build(v, &ir.Desc{Kind: kind})
	r.body[kind] = op
	return op, err
}

func (r *reader) loop(v value) (frame, error) {
	f, err := r.fields(v, "a loop", "kind", "entries", "flag")
	if err != nil {
		return frame{}, err
	}
	kind, hasKind := f["kind"]
	entries, hasEntries := f["entries"]
	if !hasKind || !hasEntries {
		return frame{}, r.failAt(v, "a loop has a \"kind\" and \"entries\"")
	}
	names := []string{"end", "backedge"}
	i, err := r.choice(kind, "kind", names...)
	if err != nil {
		return frame{}, err
	}
	parts, err := r.items(entries, "entries")
	if err != nil {
		return frame{}, err
	}
	flag, hasFlag := f["flag"]
	if hasFlag != (names[i] == "backedge") {
		return frame{}, r.failAt(v, "a loop of kind \"backedge\" has a \"flag\", one of kind \"end\" has none")
	}
	if hasFlag {
		parts = append(parts, flag)
	}
	return frame{at: v, parts: parts, loop: names[i]}, nil
}

// argument opens an index into storage or a view.
func (r *reader) argument(v value) (frame, error) {
	if !r.isObject(v) {
		op, err := r.index(v)
		return frame{at: v, desc: ir.Desc{Sources: []ir.Op{op}}}, err
	}
	f, err := r.fields(v, "a view", "shrink", "bitcast", "after", "mselect", "mstack", "of")
	if err != nil {
		return frame{}, err
	}
	of, hasOf := f["of"]
	if stack, ok := f["mstack"]; ok && len(f) == 1 {
		parts, err := r.items(stack, "mstack")
		return frame{at: v, parts: parts, desc: ir.Desc{Kind: ir.MStack}}, err
	}
	if !hasOf || len(f) != 2 {
		return frame{}, r.failAt(v, "a view is one of \"shrink\", \"bitcast\", \"after\", \"mselect\" with an \"of\", or \"mstack\" alone")
	}
	return r.view(v, f, of)
}

func (r *reader) index(v value) (ir.Op, error) {
	i, err := r.integer(v, "an argument")
	if err != nil {
		return ir.None, err
	}
	if i < 0 || i >= int64(len(r.s.Storage)) {
		return ir.None, r.failAt(v, "storage index %d is not in [0, %d)", i, len(r.s.Storage))
	}
	return r.s.Storage[i], nil
}

func (r *reader) view(v value, f map[string]value, of value) (frame, error) {
	fr := frame{at: v, parts: []value{of}}
	var err error
	if at, ok := f["shrink"]; ok {
		fr.desc.Kind = ir.Shrink
		fr.desc.Start, fr.desc.Count, err = r.span(at)
	} else if at, ok := f["bitcast"]; ok {
		fr.desc.Kind = ir.Bitcast
		fr.desc.Dtype, err = r.dtype(at)
	} else if at, ok := f["mselect"]; ok {
		fr.desc.Kind = ir.MSelect
		fr.desc.Shard, err = r.integer(at, "mselect")
	} else if at, ok := f["after"]; ok {
		fr.desc.Kind = ir.After
		var effects []value
		effects, err = r.items(at, "after")
		fr.parts = append(fr.parts, effects...)
	} else {
		err = r.failAt(v, "\"mstack\" has no \"of\"")
	}
	return fr, err
}

func (r *reader) span(v value) (start, length int64, err error) {
	list, err := r.items(v, "shrink")
	if err != nil {
		return 0, 0, err
	}
	if len(list) != 2 {
		return 0, 0, r.failAt(v, "shrink has %d numbers; it must be [start, length]", len(list))
	}
	if start, err = r.integer(list[0], "start"); err != nil {
		return 0, 0, err
	}
	length, err = r.integer(list[1], "length")
	return start, length, err
}

// close builds the op of a frame whose parts are built.
func (r *reader) close(f *frame, parts []ir.Op) (ir.Op, error) {
	switch {
	case f.loop != "":
		return r.closeLoop(f, parts)
	case f.desc.Kind == ir.NoKind:
		return f.desc.Sources[0], nil
	}
	f.desc.Sources = append(f.desc.Sources, parts...)
	return r.build(f.at, &f.desc)
}

func (r *reader) closeLoop(f *frame, parts []ir.Op) (ir.Op, error) {
	entries := parts
	if f.loop == "backedge" {
		entries = parts[:len(parts)-1]
	}
	body, err := r.build(f.at, &ir.Desc{Kind: ir.Linear, Sources: entries})
	if err != nil {
		return ir.None, err
	}
	trips, err := r.build(f.at, &ir.Desc{Kind: ir.Const, Value: 1})
	if err != nil {
		return ir.None, err
	}
	axis, err := r.build(f.at, &ir.Desc{Kind: ir.Range, Sources: []ir.Op{trips}, Axis: r.loops})
	if err != nil {
		return ir.None, err
	}
	r.loops++
	if f.loop == "end" {
		return r.build(f.at, &ir.Desc{Kind: ir.End, Sources: []ir.Op{body, axis}})
	}
	return r.build(f.at, &ir.Desc{Kind: ir.Backedge, Sources: []ir.Op{body, axis, parts[len(parts)-1]}})
}
