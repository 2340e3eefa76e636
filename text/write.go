package text

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// MaxWritten is the most bytes that a written schedule may have. Text repeats what
// ops share, so that a small graph can have a text past all bounds.
const MaxWritten = 1 << 28

// WriteSchedule is the text of a schedule, a LINEAR, from which it can be planned
// again with the same plan. held names what is held, as [planner.Options] do.
//
// The text holds what planning looks at. It leaves out slots, ranges, names and tags of bodies, scalar
// arguments, and effects of AFTER that are no storage or view; a start that
// is known only when the schedule runs is written as its least value, and a body that is a LINEAR as a custom function.
// Storage is numbered in order of first appearance.
func WriteSchedule(schedule ir.Node, name string, held []ir.Op) ([]byte, error) {
	w, err := writeEntries(schedule)
	if err != nil {
		return nil, err
	}
	isHeld, err := planner.HeldStorage(schedule.Graph(), held)
	if err != nil {
		return nil, err
	}
	text := append([]byte(`{"tolk_schedule":1,"name":`), quote(name)...)
	text = append(text, `,"storage":[`...)
	for i, s := range w.storage {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, storageText(s, isHeld[s.Index()])...)
		if err := checkLength(len(text) + len(w.text)); err != nil {
			return nil, err
		}
	}
	text = append(text, `],"entries":`...)
	text = append(text, w.text...)
	return append(text, '}'), nil
}

func quote(s string) []byte {
	text, _ := json.Marshal(s) // a string always has a text
	return text
}

func devicesText(devices []string) []byte {
	if len(devices) == 1 {
		return quote(devices[0])
	}
	text, _ := json.Marshal(devices)
	return text
}

func storageText(s ir.Node, held bool) []byte {
	text := []byte("{")
	if s.Kind() != ir.Buffer {
		text = fmt.Appendf(text, `"op":"%s",`, map[ir.Kind]string{ir.Alloc: "alloc", ir.Param: "param"}[s.Kind()])
	}
	text = fmt.Appendf(text, `"device":%s,"dtype":"%v","count":%d`, devicesText(s.Graph().Devices(s.Placement())), s.Dtype(), s.Len())
	if s.Phase() != 0 || s.Align() != ir.DefaultAlign {
		text = fmt.Appendf(text, `,"phase":%d,"align":%d`, s.Phase(), s.Align())
	}
	if held {
		text = append(text, `,"held":true`...)
	}
	return append(text, '}')
}

// writer writes entries. What is left to write is kept on a stack: literal text, or an op.
type writer struct {
	text    []byte
	storage []ir.Node
	number  map[uint32]int
	todo    []todo
	once    map[uint32]bool // the ops that were numbered, where only storage is numbered and each op visited once; otherwise nil
}

type todo struct {
	op   ir.Node
	text string // where it is not an op
}

func writeEntries(schedule ir.Node) (*writer, error) {
	w := &writer{number: map[uint32]int{}}
	return w, w.run(schedule)
}

// numberStorage is the storage of a schedule by number, in the order in which a text of it has them, in time linear in the ops.
func numberStorage(schedule ir.Node) (map[ir.Op]int, error) {
	w := &writer{number: map[uint32]int{}, once: map[uint32]bool{}}
	if err := w.run(schedule); err != nil {
		return nil, err
	}
	number := make(map[ir.Op]int, len(w.storage))
	for i, s := range w.storage {
		number[s.Op()] = i
	}
	return number, nil
}

func (w *writer) run(schedule ir.Node) error {
	if schedule.Kind() != ir.Linear {
		return ir.Errorf(ir.WrongKind, "the schedule is %v (a %v); it must be a LINEAR", schedule.Op(), schedule.Kind())
	}
	w.push(todo{op: schedule})
	for len(w.todo) > 0 {
		next := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		switch {
		case next.text != "" && w.once == nil:
			w.text = append(w.text, next.text...)
		case next.text == "" && w.isNew(next.op):
			w.op(next.op)
		}
		if err := checkLength(len(w.text)); err != nil {
			return err
		}
	}
	return nil
}

// isNew is whether to visit an op, and marks it.
func (w *writer) isNew(n ir.Node) bool {
	if w.once == nil {
		return true
	}
	seen := w.once[n.Index()]
	w.once[n.Index()] = true
	return !seen
}

func checkLength(n int) error {
	if n > MaxWritten {
		return ir.Errorf(ir.TooMany, "the text of the schedule is longer than %d bytes: its ops share too much to be written out", MaxWritten)
	}
	return nil
}

// push leaves items to be written next, in the order given.
func (w *writer) push(items ...todo) {
	for _, item := range slices.Backward(items) {
		w.todo = append(w.todo, item)
	}
}

// list is items for a list of ops: "[", the ops between commas, "]" and a closing text.
func list(ops []ir.Node, closing string) []todo {
	items := []todo{{text: "["}}
	for i, op := range ops {
		if i > 0 {
			items = append(items, todo{text: ","})
		}
		items = append(items, todo{op: op})
	}
	return append(items, todo{text: "]" + closing})
}

func (w *writer) op(n ir.Node) {
	switch kind := n.Kind(); kind {
	case ir.Linear:
		w.push(list(sources(n, 0), "")...)
	case ir.Call:
		w.call(n)
	case ir.End:
		w.push(append([]todo{{text: `{"loop":{"kind":"end","entries":`}}, w.repeated(n.Source(0), "}}")...)...)
	case ir.Backedge:
		items := append([]todo{{text: `{"loop":{"kind":"backedge","flag":`}, {op: n.Source(2)}, {text: `,"entries":`}}, w.repeated(n.Source(0), "}}")...)
		w.push(items...)
	default:
		w.value(n)
	}
}

// repeated is items for what a loop repeats, as a list of entries.
func (w *writer) repeated(body ir.Node, closing string) []todo {
	if body.Kind() == ir.Linear {
		return []todo{{op: body}, {text: closing}}
	}
	return list([]ir.Node{body}, closing)
}

func (w *writer) call(n ir.Node) {
	body := map[ir.Kind]string{ir.Sink: "sink", ir.Store: "store", ir.Program: "program"}[n.Source(0).Kind()]
	if body == "" {
		body = "custom_function"
	}
	w.push(append([]todo{{text: `{"call":{"body":"` + body + `","args":`}}, list(values(sources(n, 1)), "}}")...)...)
}

func sources(n ir.Node, from int) []ir.Node {
	var all []ir.Node
	for i := from; i < n.NumSources(); i++ {
		all = append(all, n.Source(i))
	}
	return all
}

func values(ops []ir.Node) []ir.Node {
	return slices.DeleteFunc(ops, func(n ir.Node) bool { return !n.Kind().IsValue() })
}

// value writes storage or a view.
func (w *writer) value(n ir.Node) {
	var head string
	switch n.Kind() {
	case ir.Shrink:
		start, _ := n.Source(1).Bounds()
		head = fmt.Sprintf(`{"shrink":[%d,%d],"of":`, start, n.Len())
	case ir.Bitcast:
		head = fmt.Sprintf(`{"bitcast":"%v","of":`, n.Dtype())
	case ir.MSelect:
		head = fmt.Sprintf(`{"mselect":%d,"of":`, n.Shard())
	case ir.MStack:
		w.push(append([]todo{{text: `{"mstack":`}}, list(sources(n, 0), "}")...)...)
		return
	case ir.After:
		w.after(n)
		return
	default:
		w.text = strconv.AppendInt(w.text, int64(w.index(n)), 10)
		return
	}
	w.push(todo{text: head}, todo{op: n.Source(0)}, todo{text: "}"})
}

func (w *writer) after(n ir.Node) {
	effects := values(sources(n, 1))
	if len(effects) == 0 {
		w.push(todo{op: n.Source(0)})
		return
	}
	items := append([]todo{{text: `{"of":`}, {op: n.Source(0)}, {text: `,"after":`}}, list(effects, "}")...)
	w.push(items...)
}

// index is the number of storage in the text.
func (w *writer) index(s ir.Node) int {
	i, ok := w.number[s.Index()]
	if !ok {
		i = len(w.storage)
		w.number[s.Index()] = i
		w.storage = append(w.storage, s)
	}
	return i
}
