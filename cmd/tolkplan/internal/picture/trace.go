package picture

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
)

// Trace writes the picture in the trace event format, which chrome://tracing and Perfetto show. An arena of a plan is a process:
// its load is a counter, the entries and the buffers are events on its threads. A buffer is on the lowest row that is free for all of its lifetime.
// One entry lasts one microsecond.
func Trace(w io.Writer, p Picture) error {
	t := tracer{out: bufio.NewWriter(w)}
	t.out.WriteString(`{"displayTimeUnit":"ns","traceEvents":[`)
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			t.process++
			t.arena(&p, &p.Plans[i], &p.Plans[i].Arenas[j])
		}
	}
	t.out.WriteString("\n]}\n")
	if t.err != nil {
		return t.err
	}
	return t.out.Flush()
}

// event is one record of the format. Its fields are in the format's own names.
type event struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Start    int64          `json:"ts"`
	Length   int64          `json:"dur,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

type tracer struct {
	out     *bufio.Writer
	process int
	begun   bool
	err     error
}

func (t *tracer) write(e event) {
	e.Process = t.process
	text, err := json.Marshal(e) // the keys of a map in order
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return
	}
	if t.begun {
		t.out.WriteByte(',')
	}
	t.begun = true
	t.out.WriteByte('\n')
	t.out.Write(text)
}

// name names the process, or one of its threads.
func (t *tracer) name(what string, thread int, name string) {
	t.write(event{Name: what, Phase: "M", Thread: thread, Args: map[string]any{"name": name}})
}

const entriesThread = 1 // rows of buffers follow

func (t *tracer) arena(p *Picture, plan *Plan, a *Arena) {
	t.name("process_name", 0, caption(plan, a))
	t.write(event{Name: "process_sort_index", Phase: "M", Args: map[string]any{"sort_index": t.process}})
	for _, s := range a.loadSteps() {
		t.write(event{Name: "load", Phase: "C", Start: int64(s.entry), Args: map[string]any{"bytes": s.load}})
	}
	if len(p.Entries) > 0 {
		t.name("thread_name", entriesThread, "entries")
	}
	for i, label := range p.Entries {
		t.write(event{Name: label, Category: "entry", Phase: "X", Thread: entriesThread, Start: int64(i), Length: 1})
	}
	t.buffers(a)
}

func (t *tracer) buffers(a *Arena) {
	rows, used := assignRows(a.Buffers)
	for row := range used {
		t.name("thread_name", entriesThread+1+row, "buffers")
	}
	for i := range a.Buffers {
		b := &a.Buffers[i]
		args := map[string]any{"id": b.ID, "offset": b.Offset, "bytes": b.Bytes, "need": b.Need}
		if b.Held {
			args["held"] = true
		}
		if b.Takers != nil {
			args["takers"] = b.Takers
		}
		t.write(event{Name: b.label(), Category: "buffer", Phase: "X", Thread: entriesThread + 1 + rows[i], Start: b.First, Length: b.End - b.First, Args: args})
	}
}

// assignRows is the row of each buffer, so that those of a row follow each other in time, and how many rows there are: as many as buffers live
// at one entry.
func assignRows(buffers []Buffer) (rows []int, used int) {
	order := make([]int, len(buffers))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(buffers[i].First, buffers[j].First), cmp.Compare(buffers[i].Offset, buffers[j].Offset), cmp.Compare(i, j))
	})
	rows = make([]int, len(buffers))
	var free, busy rowHeap
	for _, i := range order {
		for len(busy) > 0 && busy[0].key <= buffers[i].First {
			row := busy.pop().row
			free.push(rowKey{int64(row), row})
		}
		if len(free) > 0 {
			rows[i] = free.pop().row
		} else {
			rows[i] = used
			used++
		}
		busy.push(rowKey{buffers[i].End, rows[i]})
	}
	return rows, used
}
