// Package interpret runs schedules over bytes, to see that a plan changes nothing of what they compute. It is for tests.
//
// A call reads all bytes of all its arguments and writes its first argument that is storage or a view: each byte written
// depends on every byte read, and so does the number that the result keeps of each call. A loop makes its trips, of which a
// RANGE counts; a back edge also stops before a trip where the lowest bit of its flag is not set. A variable has a value
// of its own between its bounds. Storage starts with bytes of its own, as if whoever wrote it first had been there already,
// so that every read is of something known. Effects of AFTER and bodies of calls are not run: planning does not look at them.
package interpret

import (
	"encoding/binary"
	"hash/fnv"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// MaxSteps is how many entries are run; the rest of a schedule of more is left out.
const MaxSteps = 3000

// Result is what a schedule computed.
type Result struct {
	Calls  []uint64           // a number a call, that depends on all bytes it read
	Memory map[ir.Op][][]byte // the bytes of each storage, by device
}

// Apart runs a schedule with every storage in bytes of its own.
func Apart(schedule ir.Node) *Result {
	m := newMachine()
	for i := range schedule.NumSources() {
		m.run(schedule.Source(i))
	}
	return &m.Result
}

// Planned runs what the plan made of a schedule. The bytes of a block in an arena are poison but for the lifetime of
// the buffer placed there, as far as entries take it.
func Planned(schedule ir.Node, plan *planner.Plan) *Result {
	m := newMachine()
	for _, a := range plan.Arenas {
		for _, bytes := range m.bytes(m.node(schedule, a.Op)) {
			poison(bytes)
		}
	}
	uses := lifetimesOf(schedule)
	rewritten := m.node(schedule, plan.Schedule)
	for entry := range rewritten.NumSources() {
		m.begin(schedule, plan, uses, entry)
		m.run(rewritten.Source(entry))
		m.end(plan, uses, entry)
	}
	return &m.Result
}

// begin gives the buffers first taken at an entry the bytes that they start with.
func (m *machine) begin(schedule ir.Node, plan *planner.Plan, uses map[ir.Op]lifetime, entry int) {
	for _, p := range plan.Places {
		if uses[p.Buffer].first == entry {
			for device, bytes := range m.Memory[plan.Arenas[p.Arena].Op] {
				start(m.node(schedule, p.Buffer), device, bytes[p.Start:p.Start+p.Bytes])
			}
		}
	}
}

// end spoils the blocks of the buffers last taken at an entry.
func (m *machine) end(plan *planner.Plan, uses map[ir.Op]lifetime, entry int) {
	for _, p := range plan.Places {
		if uses[p.Buffer].last == entry {
			for _, bytes := range m.Memory[plan.Arenas[p.Arena].Op] {
				poison(bytes[p.Offset : p.Offset+p.Need])
			}
		}
	}
}

func poison(bytes []byte) {
	for i := range bytes {
		bytes[i] = 0xA5
	}
}

// machine is a schedule under way.
type machine struct {
	Result
	ranges map[ir.Op]int64 // the trips that loops are at
	steps  int
}

func newMachine() *machine {
	return &machine{Result: Result{Memory: map[ir.Op][][]byte{}}, ranges: map[ir.Op]int64{}}
}

func (m *machine) node(any ir.Node, op ir.Op) ir.Node {
	n, err := any.Graph().Node(op)
	if err != nil {
		panic(err)
	}
	return n
}

func (m *machine) run(n ir.Node) {
	if m.steps++; m.steps > MaxSteps {
		return
	}
	switch n.Kind() {
	case ir.Linear:
		for i := range n.NumSources() {
			m.run(n.Source(i))
		}
	case ir.End:
		m.nest(n, 1)
	case ir.Backedge:
		m.each(n.Source(1), func() bool {
			holds := m.spans(n.Source(2))[0][0]&1 == 1
			if holds {
				m.run(n.Source(0))
			}
			return holds
		})
	default:
		m.call(n)
	}
}

// nest runs the body of an END once for each value of its ranges from source at on, the last of which counts fastest.
func (m *machine) nest(end ir.Node, at int) {
	if at == end.NumSources() {
		m.run(end.Source(0))
		return
	}
	m.each(end.Source(at), func() bool {
		m.nest(end, at+1)
		return true
	})
}

// each calls trip for each value of a range until it says false.
func (m *machine) each(loop ir.Node, trip func() bool) {
	around, inside := m.ranges[loop.Op()]
	count := m.scalar(loop.Source(0))
	for i := range count {
		if m.ranges[loop.Op()] = i; !trip() {
			break
		}
	}
	delete(m.ranges, loop.Op())
	if inside {
		m.ranges[loop.Op()] = around
	}
}

func (m *machine) call(n ir.Node) {
	body := n.Source(0)
	digest := fnv.New64a()
	add := func(x uint64) { digest.Write(binary.LittleEndian.AppendUint64(nil, x)) }
	add(uint64(body.Kind()))
	add(body.Tag())
	digest.Write([]byte(body.Name()))
	var written [][]byte
	for i := 1; i < n.NumSources(); i++ {
		add(uint64(i))
		if source := n.Source(i); source.Kind().IsScalar() {
			add(uint64(m.scalar(source)))
		} else {
			spans := m.spans(source)
			for _, span := range spans {
				digest.Write(span)
			}
			if written == nil {
				written = spans
			}
		}
	}
	m.Calls = append(m.Calls, digest.Sum64())
	for part, span := range written {
		fill(span, digest.Sum64()+uint64(part))
	}
}
