package text

import (
	"libtolk_memory/ir"
)

// Schedule is a schedule that was read into a graph.
type Schedule struct {
	Name    string
	Op      ir.Op   // the LINEAR
	Storage []ir.Op // by index in the text
	Held    []ir.Op // the storage marked as held
}

// ReadSchedule is the schedule that a text holds, built in g: all of it or, on an
// error, nothing. Each storage takes a fresh slot. A loop gets a RANGE of its own, of one trip, since the text does
// not say how many.
//
// The error is an *[Error] that says where the text is wrong.
func ReadSchedule(g *ir.Graph, text []byte) (*Schedule, error) {
	t, err := readTape(text)
	if err != nil {
		return nil, err
	}
	return readSchedule(g, t, 0)
}

// TakeSchedule is [ReadSchedule] into take, whose error leaves the graph as it was, too. take must not use the graph.
func TakeSchedule(g *ir.Graph, text []byte, take func(*Schedule) error) error {
	t, err := readTape(text)
	if err != nil {
		return err
	}
	return takeSchedule(g, t, 0, take)
}

func readSchedule(g *ir.Graph, t *tape, v value) (s *Schedule, err error) {
	err = takeSchedule(g, t, v, func(read *Schedule) error {
		s = read
		return nil
	})
	return s, err
}

func takeSchedule(g *ir.Graph, t *tape, v value, take func(*Schedule) error) error {
	return g.Update(func(tx *ir.Tx) error {
		r := reader{tape: t, tx: tx}
		s, err := r.schedule(v)
		if err != nil {
			return err
		}
		return take(s)
	})
}

// reader builds what a tape describes.
type reader struct {
	*tape
	tx    *ir.Tx
	s     Schedule
	loops int64
	// body is the body of the calls of each kind: the text tells no more of it.
	body map[ir.Kind]ir.Op
}

func (r *reader) schedule(v value) (*Schedule, error) {
	f, err := r.fields(v, "the schedule", "tolk_schedule", "name", "storage", "entries")
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"tolk_schedule", "storage", "entries"} {
		if _, ok := f[key]; !ok {
			return nil, r.failAt(v, "the schedule has no %q", key)
		}
	}
	version, err := r.integer(f["tolk_schedule"], "tolk_schedule")
	if err != nil {
		return nil, err
	}
	if version != 1 {
		return nil, r.failAt(f["tolk_schedule"], "tolk_schedule is %d; this library reads version 1", version)
	}
	if name, ok := f["name"]; ok {
		if r.s.Name, err = r.str(name, "name"); err != nil {
			return nil, err
		}
	}
	if err := r.storages(f["storage"]); err != nil {
		return nil, err
	}
	if err := r.entries(f["entries"]); err != nil {
		return nil, err
	}
	return &r.s, nil
}

// build is an op that the value v describes.
func (r *reader) build(v value, d *ir.Desc) (ir.Op, error) {
	op, err := r.tx.Build(d)
	if err != nil {
		return ir.None, r.failAt(v, "%v", err)
	}
	return op, nil
}

func (r *reader) storages(v value) error {
	list, err := r.items(v, "storage")
	if err != nil {
		return err
	}
	for _, v := range list {
		if err := r.storage(v); err != nil {
			return err
		}
	}
	return nil
}

var storageKinds = []ir.Kind{ir.Buffer, ir.Alloc, ir.Param}

func (r *reader) storage(v value) error {
	f, err := r.fields(v, "a storage", "op", "device", "dtype", "count", "phase", "align", "held")
	if err != nil {
		return err
	}
	for _, key := range []string{"device", "dtype", "count"} {
		if _, ok := f[key]; !ok {
			return r.failAt(v, "the storage has no %q", key)
		}
	}
	d := ir.Desc{Kind: ir.Buffer}
	if at, ok := f["op"]; ok {
		kind, err := r.choice(at, "op", "buffer", "alloc", "param")
		if err != nil {
			return err
		}
		d.Kind = storageKinds[kind]
	}
	if err := r.storageArgument(f, &d); err != nil {
		return err
	}
	op, err := r.build(v, &d)
	if err != nil {
		return err
	}
	r.s.Storage = append(r.s.Storage, op)
	return r.held(f, op)
}

func (r *reader) held(f map[string]value, op ir.Op) error {
	at, ok := f["held"]
	if !ok {
		return nil
	}
	held, err := r.boolean(at, "held")
	if held {
		r.s.Held = append(r.s.Held, op)
	}
	return err
}

func (r *reader) storageArgument(f map[string]value, d *ir.Desc) (err error) {
	if d.Dtype, err = r.dtype(f["dtype"]); err != nil {
		return err
	}
	if d.Placement, err = r.device(f["device"]); err != nil {
		return err
	}
	if d.Count, err = r.integer(f["count"], "count"); err != nil {
		return err
	}
	if at, ok := f["phase"]; ok {
		if d.Phase, err = r.integer(at, "phase"); err != nil {
			return err
		}
	}
	if at, ok := f["align"]; ok {
		if d.Align, err = r.integer(at, "align"); err != nil {
			return err
		}
		if d.Align == 0 {
			return r.failAt(at, "align is 0; it must be 1, 2, 4, 8 or 16")
		}
	}
	return nil
}

func (r *reader) dtype(v value) (ir.Dtype, error) {
	name, err := r.str(v, "dtype")
	if err != nil {
		return ir.Void, err
	}
	d, ok := ir.ParseDtype(name)
	if !ok || !d.Storable() {
		return ir.Void, r.failAt(v, "dtype %q is not one that can be stored, such as \"float32\"", name)
	}
	return d, nil
}

func (r *reader) device(v value) (ir.Placement, error) {
	list := []value{v}
	if r.isArray(v) {
		list, _ = r.items(v, "device")
	}
	names := make([]string, len(list))
	for i, v := range list {
		name, err := r.str(v, "a device")
		if err != nil {
			return 0, err
		}
		names[i] = name
	}
	p, err := r.tx.Placement(names...)
	if err != nil {
		return 0, r.failAt(v, "%v", err)
	}
	return p, nil
}
