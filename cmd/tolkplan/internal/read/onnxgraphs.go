package read

import (
	"fmt"

	"libtolk_memory/cmd/tolkplan/internal/shape"
)

// sub is a graph that a node has as an attribute.
func (m *onnxModel) sub(n *onnxNode, name string) (*onnxGraph, error) {
	a := attributes{n}.get(name)
	if a == nil || a.graph == nil {
		return nil, m.failNode(n, "it has no graph %q", name)
	}
	if g, ok := m.graphs[a.graph.at]; ok {
		return g, nil
	}
	g, err := m.file.parser.graph(*a.graph)
	m.graphs[a.graph.at] = g
	return g, err
}

// enter is the scope of a graph that a node runs, with its weights.
func (m *onnxModel) enter(n *onnxNode, g *onnxGraph, s *scope) (*scope, error) {
	inner := s.inner()
	if inner.depth > maxDepth {
		return nil, m.failNode(n, "graphs stand in each other more than %d deep", maxDepth)
	}
	if len(m.values)+len(g.tensors) > maxTaken {
		return nil, m.tooLong()
	}
	m.declare(g, inner)
	return inner, m.weights(g, inner)
}

// branches writes out both branches of an If, or the one that is known to be taken.
func (m *onnxModel) branches(n *onnxNode, inputs []int32, s *scope) error {
	if len(inputs) != 1 || inputs[0] < 0 {
		return m.failNode(n, "it must have one input, the condition")
	}
	names := []string{"then_branch", "else_branch"}
	if t := m.types[inputs[0]]; t != nil && len(t.Content) == 1 {
		if t.Content[0] == 0 {
			names = names[1:]
		}
		return m.branch(n, names[0], s)
	}
	if err := m.do(n.label(), inputs); err != nil {
		return err
	}
	outputs := make([]int32, len(n.outputs))
	for i, name := range n.outputs {
		outputs[i] = m.newValue(name, nil, s.infos[name])
	}
	for _, name := range names {
		if err := m.either(n, name, outputs, s); err != nil {
			return err
		}
	}
	for i, name := range n.outputs {
		if err := m.name(n, name, outputs[i], s); err != nil {
			return err
		}
	}
	return nil
}

// name lets a name stand for a value.
func (m *onnxModel) name(n *onnxNode, name string, v int32, s *scope) error {
	if name == "" {
		return nil
	}
	if _, twice := s.value[name]; twice {
		return m.failNode(n, "it makes %q, which is there already", name)
	}
	s.value[name] = v
	return nil
}

// branch writes out the only branch that can be taken: what it makes is what the node makes.
func (m *onnxModel) branch(n *onnxNode, name string, s *scope) error {
	_, made, err := m.run(n, name, nil, nil, s)
	if err != nil {
		return err
	}
	if len(made) != len(n.outputs) {
		return m.failNode(n, "%s gives %d values; the node has %d outputs", name, len(made), len(n.outputs))
	}
	m.folded++
	for i, name := range n.outputs {
		if err := m.name(n, name, made[i], s); err != nil {
			return err
		}
	}
	return nil
}

// either writes out one of two branches, whose outputs are those of the node.
func (m *onnxModel) either(n *onnxNode, name string, outputs []int32, s *scope) error {
	_, made, err := m.run(n, name, nil, outputs, s)
	if err != nil {
		return err
	}
	if len(made) != len(outputs) {
		return m.failNode(n, "%s gives %d values; the node has %d outputs", name, len(made), len(outputs))
	}
	var from, to []int32
	for i, v := range made {
		if v != outputs[i] { // of around the branch, or known beforehand: it is copied
			m.widen(outputs[i], m.types[v])
			from, to = append(from, v), append(to, outputs[i])
		}
	}
	if len(to) == 0 {
		return nil
	}
	return m.do(n.label()+": "+name, from, to)
}

// run writes out a graph that a node has, with its inputs and, where it may write them itself, its outputs bound to values. It is the graph's
// scope and what it gives.
func (m *onnxModel) run(n *onnxNode, name string, inputs, bound []int32, s *scope) (*scope, []int32, error) {
	g, err := m.sub(n, name)
	if err != nil {
		return nil, nil, err
	}
	inner, err := m.enter(n, g, s)
	if err != nil {
		return nil, nil, err
	}
	return m.runIn(n, g, inputs, bound, inner)
}

func (m *onnxModel) runIn(n *onnxNode, g *onnxGraph, inputs, bound []int32, inner *scope) (*scope, []int32, error) {
	if len(inputs) != len(g.inputs) {
		return nil, nil, m.failNode(n, "its graph has %d inputs; it is run with %d", len(g.inputs), len(inputs))
	}
	for i := range inputs {
		inner.value[g.inputs[i].name] = inputs[i]
	}
	for i := range min(len(bound), len(g.outputs)) {
		inner.bound[g.outputs[i].name] = bound[i]
	}
	if err := m.nodes(g.nodes, inner); err != nil {
		return nil, nil, err
	}
	made, err := m.outputs(g, inner)
	return inner, made, err
}

// function writes out a function of the model in the place of the node that calls it.
func (m *onnxModel) function(n *onnxNode, fn *onnxFunction, inputs []int32, s *scope) error {
	inner := s.inner()
	inner.outer = nil // it sees nothing of its caller
	if inner.depth > maxDepth {
		return m.failNode(n, "functions call each other more than %d deep", maxDepth)
	}
	m.declare(&fn.graph, inner)
	for i, name := range fn.inputs {
		if i < len(inputs) && inputs[i] >= 0 {
			inner.value[name] = inputs[i]
		}
	}
	if err := m.nodes(fn.graph.nodes, inner); err != nil {
		return err
	}
	for i, name := range n.outputs {
		if i >= len(fn.outputs) {
			return m.failNode(n, "it has %d outputs; its function has %d", len(n.outputs), len(fn.outputs))
		}
		v, ok := inner.find(fn.outputs[i])
		if !ok {
			return m.failNode(n, "no node of its function makes the output %q", fn.outputs[i])
		}
		if err := m.name(n, name, v, s); err != nil {
			return err
		}
	}
	return nil
}

// loop writes out a Loop: [trips, condition, state...] to [state..., what each trip adds...].
func (m *onnxModel) loop(n *onnxNode, inputs []int32, s *scope) error {
	if len(inputs) < 2 {
		return m.failNode(n, "it must have two inputs or more: the trips and the condition")
	}
	trips := int64(-1)
	if inputs[0] >= 0 && m.types[inputs[0]] != nil {
		if c := m.types[inputs[0]].Content; len(c) == 1 && c[0] >= 0 && c[0] < 1<<53 {
			trips = int64(c[0])
		}
	}
	inner := []int32{
		m.newValue(n.label()+": trip", &shape.Tensor{Elem: elemInt64}, nil),
		m.newValue(n.label()+": condition", &shape.Tensor{Elem: elemBool}, nil),
	}
	return m.repeat(&repeated{n: n, inputs: inputs, state: inputs[2:], own: inner, kept: inputs[:1], first: 1, trips: trips}, s)
}

// scan writes out a Scan: [state..., what is gone through...] to [state..., what each trip adds...].
func (m *onnxModel) scan(n *onnxNode, inputs []int32, s *scope) error {
	through := attributes{n}.Int("num_scan_inputs", 0)
	if m.file.opset < 9 || through < 1 || through > int64(len(inputs)) {
		return m.failNode(n, "it goes through %d of its %d inputs (of operator set %d; sets from 9 on are read)", through, len(inputs), m.file.opset)
	}
	state := inputs[:len(inputs)-int(through)]
	r := repeated{n: n, inputs: inputs, state: state, kept: inputs[len(state):], trips: -1}
	along := attributes{n}.Ints("scan_input_axes")
	for i, v := range inputs[len(state):] {
		var slice *shape.Tensor
		if v >= 0 && m.types[v] != nil {
			at := int64(0)
			if i < len(along) {
				at = along[i]
			}
			slice, r.trips = cutAxis(m.types[v], at, r.trips)
		}
		r.parts = append(r.parts, m.newValue(fmt.Sprintf("%s: part %d", n.label(), i), slice, nil))
	}
	return m.repeat(&r, s)
}

// cutAxis is what is left of a tensor without an axis, and the axis's size; nil and trips if it has no such axis.
func cutAxis(t *shape.Tensor, axis, trips int64) (*shape.Tensor, int64) {
	if axis < 0 {
		axis += int64(len(t.Dims))
	}
	if axis < 0 || axis >= int64(len(t.Dims)) {
		return nil, trips
	}
	dims := append(append([]int64{}, t.Dims[:axis]...), t.Dims[axis+1:]...)
	return &shape.Tensor{Elem: t.Elem, Dims: dims}, t.Dims[axis]
}

// repeated is a loop to be written out: its body takes its own values, the state, and parts.
type repeated struct {
	n             *onnxNode
	inputs, state []int32
	own, parts    []int32
	kept          []int32 // inputs that every trip reads
	first         int     // where the state begins in what the body gives: behind the condition
	trips         int64   // -1 if it is not known
}

// repeat writes out one trip of a loop between a step that takes what it begins with and one that takes all that lives to the end of the last trip.
func (m *onnxModel) repeat(r *repeated, s *scope) error {
	n := r.n
	outputs, err := m.loopOutputs(r, s)
	if err != nil {
		return err
	}
	state := outputs[:len(r.state)]
	if err := m.do(n.label(), r.inputs, outputs, r.own, r.parts); err != nil {
		return err
	}
	g, err := m.sub(n, "body")
	if err != nil {
		return err
	}
	inner, err := m.enter(n, g, s)
	if err != nil {
		return err
	}
	inner.captured = map[int32]bool{}
	inputs := append(append(append([]int32{}, r.own...), state...), r.parts...)
	_, made, err := m.runIn(n, g, inputs, nil, inner)
	if err != nil {
		return err
	}
	if len(made) != r.first+len(outputs) {
		return m.failNode(n, "its body gives %d values; it must give %d", len(made), r.first+len(outputs))
	}
	m.loopTypes(r, outputs, made[r.first:], s)
	return m.do(n.label()+": next trip", inputs, outputs, made, sortedValues(inner.captured), r.kept)
}

// loopOutputs are the values that a loop gives: its state, which begins as its inputs are, and what its trips add.
func (m *onnxModel) loopOutputs(r *repeated, s *scope) ([]int32, error) {
	n := r.n
	if len(n.outputs) < len(r.state) {
		return nil, m.failNode(n, "it has %d outputs; its state has %d values", len(n.outputs), len(r.state))
	}
	outputs := make([]int32, len(n.outputs))
	for i, name := range n.outputs {
		var t *shape.Tensor
		if i < len(r.state) && r.state[i] >= 0 && m.types[r.state[i]] != nil {
			from := m.types[r.state[i]]
			t = &shape.Tensor{Elem: from.Elem, Dims: from.Dims}
		}
		if stated := m.typed(s.infos[name]); stated != nil {
			t = stated
		}
		v := m.newValue(name, t, s.infos[name])
		if name == "" {
			m.values[v].name = fmt.Sprintf("%s: state %d", n.label(), i)
		}
		outputs[i] = v
		if err := m.name(n, name, v, s); err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// loopTypes finds the types of what a loop gives from what its body gives.
func (m *onnxModel) loopTypes(r *repeated, outputs, made []int32, s *scope) {
	for i, v := range outputs {
		t := m.types[made[i]]
		switch said := m.typed(s.infos[r.n.outputs[i]]); {
		case said != nil || t == nil:
		case i < len(r.state):
			if at := m.types[v]; at == nil || volumeOf(at) != volumeOf(t) {
				m.types[v], m.values[v].count = nil, -1
				m.values[v].why = "its size changes from trip to trip of a loop"
			}
		case r.trips >= 0:
			m.setType(v, &shape.Tensor{Elem: t.Elem, Dims: append([]int64{r.trips}, t.Dims...)})
		default:
			m.values[v].why = "how many trips its loop makes is not known"
		}
	}
}

func volumeOf(t *shape.Tensor) int64 {
	n, _ := product(t.Dims)
	return n
}
