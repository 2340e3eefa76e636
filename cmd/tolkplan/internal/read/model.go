package read

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"libtolk_memory/ir"
)

const (
	maxSteps = 1 << 20 // of a model written out, its subgraphs counted each time they are called
	maxTaken = 1 << 25 // values that the steps take together
	maxDepth = 64      // of subgraphs in subgraphs
)

// Device is where buffers are for which no file names a device: those of models, and of lifetimes.
const Device = "memory"

// model is a model's work written out: its steps in order, and the values that each takes. Subgraphs stand where they run:
//
//   - of an If both branches, one behind the other: only one of them runs, so they can share bytes;
//   - of a loop one trip, and behind it a step that takes all that has to live to the end of the last trip.
type model struct {
	file      string
	values    []value
	lastTaken []int // by value: 1 + the last step that takes it, 0 for none
	steps     []step
	taken     int
	visited   int
	notes     []string
	usedDims  map[string]bool
	dims      map[string]int64
}

// value is a tensor.
type value struct {
	name  string
	group string // "input", "output", "variable", or ""
	dtype ir.Dtype
	bits  int64 // of an element; 0 where an element has no fixed size
	count int64 // elements, -1 if that is not known
	// weight reports whether the file holds its contents, or all that they follow from: it is not planned.
	weight  bool
	why     string // why the count is not known
	follows bool   // whether that is because another value's count is not known
}

// step is one piece of work.
type step struct {
	label string
	takes []int32
}

func newModel(file string, dims map[string]int64) *model {
	return &model{file: file, dims: dims, usedDims: map[string]bool{}}
}

func (m *model) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// add is a new value's number.
func (m *model) add(v value) int32 {
	m.values = append(m.values, v)
	m.lastTaken = append(m.lastTaken, 0)
	return int32(len(m.values) - 1)
}

// visit counts an operator, which an operator that calls a subgraph may be without being a step.
func (m *model) visit() error {
	if m.visited++; m.visited > maxSteps {
		return m.tooLong()
	}
	return nil
}

func (m *model) tooLong() error {
	return failure(m.file, "the model has more than %d steps, or takes more than %d values, when its subgraphs are written out", maxSteps, maxTaken)
}

// do is a step. Negative numbers stand for values that are left out.
func (m *model) do(label string, takes ...[]int32) error {
	var planned []int32
	for _, list := range takes {
		for _, v := range list {
			if v >= 0 && !m.values[v].weight && m.lastTaken[v] != len(m.steps)+1 {
				m.lastTaken[v] = len(m.steps) + 1
				planned = append(planned, v)
			}
		}
	}
	m.taken += len(planned)
	if len(m.steps) >= maxSteps || m.taken > maxTaken {
		return m.tooLong()
	}
	m.steps = append(m.steps, step{label, planned})
	return nil
}

// dim is the size that was given for a dynamic dimension, or -1.
func (m *model) dim(name string) int64 {
	size, ok := m.dims[name]
	if !ok {
		return -1
	}
	m.usedDims[name] = true
	return size
}

// product is the product of sizes, false if one is negative or the product leaves 62 bits.
func product(sizes []int64) (int64, bool) {
	total, zero := uint64(1), false
	for _, size := range sizes {
		if size < 0 {
			return 0, false
		}
		if size == 0 {
			zero = true
			continue
		}
		high, low := bits.Mul64(total, uint64(size))
		if high != 0 || low >= 1<<58 {
			return 0, false
		}
		total = low
	}
	if zero {
		return 0, true
	}
	return int64(total), true
}

// storage is the type and the count of elements that a value's storage has. Elements of less than a byte are packed.
func (v *value) storage() (ir.Dtype, int64) {
	if v.dtype != ir.Void && v.dtype.Size()*8 == v.bits {
		return v.dtype, v.count
	}
	return ir.Uint8, (v.count*v.bits + 7) / 8
}

// work is the model as a schedule: a call a step. Inputs, outputs and variables are held.
func (m *model) work() (*Work, error) {
	if err := m.checkSizes(); err != nil {
		return nil, err
	}
	g := ir.NewGraph()
	b := scheduleBuilder{model: m, g: g, s: &Schedule{Graph: g}, op: make([]ir.Op, len(m.values))}
	if err := b.build(); err != nil {
		return nil, failure(m.file, "%v", err)
	}
	return &Work{Name: m.file, Notes: m.notes, Schedule: b.s, Dims: slices.Sorted(maps.Keys(m.usedDims))}, nil
}

// maxNamed is how many tensors of unknown size an error names.
const maxNamed = 5

func (m *model) checkSizes() error {
	var unknown []string
	var unsized []string
	missing := 0
	seen := make([]bool, len(m.values))
	for i := range m.steps {
		for _, v := range m.steps[i].takes {
			switch at := &m.values[v]; {
			case seen[v]:
			case at.bits == 0:
				unsized = append(unsized, at.name)
				at.weight = true
			case at.count < 0:
				if missing++; !at.follows {
					unknown = append(unknown, fmt.Sprintf("%q: %s", at.name, at.why))
				}
			}
			seen[v] = true
		}
	}
	if missing > 0 {
		listed := unknown[:min(len(unknown), maxNamed)]
		given := ""
		if len(m.usedDims) > 0 {
			given = " (a size given with --dim may not suit the model)"
		}
		return failure(m.file, "%d tensors have no size%s; where it begins:\n  %s", missing, given, strings.Join(listed, "\n  "))
	}
	if len(unsized) > 0 {
		m.note("not planned, since elements of their type have no fixed size: %s", strings.Join(unsized[:min(len(unsized), maxNamed)], ", "))
	}
	return nil
}

// scheduleBuilder builds the schedule of a model.
type scheduleBuilder struct {
	*model
	g         *ir.Graph
	s         *Schedule
	op        []ir.Op // by value; ir.None until it is first taken
	placement ir.Placement
}

func (b *scheduleBuilder) build() (err error) {
	if b.placement, err = b.g.Placement(Device); err != nil {
		return err
	}
	entries := make([]ir.Op, len(b.steps))
	for i := range b.steps {
		if entries[i], err = b.call(i, &b.steps[i]); err != nil {
			return err
		}
		b.s.Entries = append(b.s.Entries, b.steps[i].label)
	}
	op, err := b.g.Linear(entries...)
	if err != nil {
		return err
	}
	b.s.Op, err = b.g.Node(op)
	return err
}

func (b *scheduleBuilder) call(i int, s *step) (ir.Op, error) {
	arguments := make([]ir.Op, 0, len(s.takes))
	for _, v := range s.takes {
		if b.values[v].weight {
			continue
		}
		if b.op[v] == ir.None {
			if err := b.newStorage(v); err != nil {
				return ir.None, err
			}
		}
		arguments = append(arguments, b.op[v])
	}
	body, err := b.g.Body(ir.Program, s.label, uint64(i))
	if err != nil {
		return ir.None, err
	}
	return b.g.Call(body, arguments...)
}

func (b *scheduleBuilder) newStorage(v int32) error {
	at := &b.values[v]
	dtype, count := at.storage()
	op, err := b.g.Buffer(ir.Storage{Dtype: dtype, Count: count, Placement: b.placement})
	if err != nil {
		return fmt.Errorf("tensor %q: %v", at.name, err)
	}
	b.op[v] = op
	b.s.IDs = append(b.s.IDs, strconv.Itoa(len(b.s.Storage)))
	b.s.Storage = append(b.s.Storage, op)
	b.s.Names = append(b.s.Names, at.name)
	b.s.Groups = append(b.s.Groups, at.group)
	if at.group != "" {
		b.s.Held = append(b.s.Held, op)
	}
	return nil
}
