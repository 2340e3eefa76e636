package read

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"libtolk_memory/cmd/tolkplan/internal/shape"
)

// nodes writes out the nodes of a graph.
func (m *onnxModel) nodes(nodes []onnxNode, s *scope) error {
	for i := range nodes {
		if err := m.visit(); err != nil {
			return err
		}
		if err := m.node(&nodes[i], s); err != nil {
			return err
		}
	}
	return nil
}

func (m *onnxModel) failNode(n *onnxNode, format string, args ...any) error {
	return failureAt(m.model.file, n.at, "node %s: %s", n.label(), fmt.Sprintf(format, args...))
}

// label is what to call a node: its operator, and its name if it has one.
func (n *onnxNode) label() string {
	if n.name == "" {
		return n.kind
	}
	return n.kind + " " + n.name
}

// standard reports whether a node is of ONNX's own operators.
func (n *onnxNode) standard() bool { return n.domain == "" || n.domain == "ai.onnx" }

func (m *onnxModel) node(n *onnxNode, s *scope) error {
	inputs := make([]int32, len(n.inputs))
	for i, name := range n.inputs {
		inputs[i] = -1
		if name == "" {
			continue
		}
		v, ok := s.find(name)
		if !ok {
			return m.failNode(n, "it takes %q, which nothing before it makes", name)
		}
		inputs[i] = v
	}
	if fn, ok := m.file.functions[[2]string{n.domain, n.kind}]; ok {
		return m.function(n, fn, inputs, s)
	}
	if n.standard() {
		switch n.kind {
		case "If":
			return m.branches(n, inputs, s)
		case "Loop":
			return m.loop(n, inputs, s)
		case "Scan":
			return m.scan(n, inputs, s)
		}
	}
	return m.operator(n, inputs, s)
}

// operator writes out a node that is one step, or none where what it gives is known beforehand.
func (m *onnxModel) operator(n *onnxNode, inputs []int32, s *scope) error {
	for _, a := range n.attributes {
		if a.graph != nil {
			return m.failNode(n, "it holds a graph; of those, If, Loop and Scan are read")
		}
	}
	if !n.standard() && !slices.Contains(m.custom, n.domain+"."+n.kind) && len(m.custom) < maxNamed {
		m.custom = append(m.custom, n.domain+"."+n.kind)
	}
	types, why := m.infer(n, inputs)
	outputs := make([]int32, len(n.outputs))
	fold := why == nil && len(types) > 0
	for i := range types {
		_, bound := s.bound[n.outputs[i]]
		fold = fold && types[i].Content != nil && !bound
	}
	if n.standard() && n.kind == "Constant" {
		fold = true
	}
	for i, name := range n.outputs {
		outputs[i] = -1
		if name == "" {
			continue
		}
		var t *shape.Tensor
		if i < len(types) {
			t = &types[i]
		}
		v, err := m.make(n, name, t, why, s)
		if err != nil {
			return err
		}
		m.values[v].weight = m.values[v].weight || fold
		outputs[i] = v
	}
	if fold {
		if n.kind != "Constant" {
			m.folded++
		}
		return nil
	}
	return m.do(n.label(), inputs, outputs)
}

// make is the value that a node's output is, of a type that was inferred, or is nil and why tells the reason. What the file says goes first.
func (m *onnxModel) make(n *onnxNode, name string, t *shape.Tensor, why error, s *scope) (int32, error) {
	if _, twice := s.value[name]; twice {
		return 0, m.failNode(n, "it makes %q, which is there already", name)
	}
	said := s.infos[name]
	if stated := m.typed(said); stated != nil {
		if t != nil {
			stated.Content = t.Content
		}
		t = stated
	}
	v, isBound := s.bound[name]
	if !isBound {
		v = m.newValue(name, t, said)
	} else {
		m.widen(v, t)
	}
	if t == nil && why != nil {
		m.values[v].follows = errors.Is(why, errFollows)
		m.values[v].why = fmt.Sprintf("%v, and the file does not say its shape (ONNX's shape inference can add it)", why)
	}
	s.value[name] = v
	return v, nil
}

// widen makes a value, which two branches give, large enough for a type too.
func (m *onnxModel) widen(v int32, t *shape.Tensor) {
	before, had := m.values[v], m.types[v] != nil
	if t == nil {
		return
	}
	if !had {
		m.setType(v, &shape.Tensor{Elem: t.Elem, Dims: t.Dims})
		return
	}
	if !slices.Equal(m.types[v].Dims, t.Dims) || m.types[v].Elem != t.Elem {
		m.setType(v, t)
		if after := &m.values[v]; before.count*before.bits > after.count*after.bits {
			after.count, after.bits, after.dtype = before.count, before.bits, before.dtype
		}
		m.types[v] = nil // what follows cannot go by either shape
		m.values[v].why = "two branches give it different shapes"
	}
}

var errFollows = errors.New("it follows from a value whose shape is not known")

// infer is the types of what a node gives, or why they are not known.
func (m *onnxModel) infer(n *onnxNode, inputs []int32) ([]shape.Tensor, error) {
	if !n.standard() {
		return nil, fmt.Errorf("what %s.%s gives is not known here", n.domain, n.kind)
	}
	if n.kind == "Constant" {
		return m.constant(n)
	}
	at := shape.Node{Kind: n.kind, Opset: m.file.opset, Outputs: len(n.outputs), Attributes: attributes{n}}
	for _, a := range n.attributes {
		if a.strange {
			return nil, fmt.Errorf("its attribute %q is that of the function around it", a.name)
		}
	}
	for _, v := range inputs {
		var t *shape.Tensor
		if v >= 0 {
			if t = m.types[v]; t == nil {
				return nil, errFollows
			}
		}
		at.Inputs = append(at.Inputs, t)
	}
	if n.kind == "ConstantOfShape" {
		value, err := m.valueAttribute(n)
		if err != nil {
			return nil, err
		}
		at.Inputs = append(at.Inputs[:min(1, len(at.Inputs))], value)
	}
	return shape.Infer(&at)
}

// valueAttribute is the tensor that a node has as its attribute "value", nil if it has none.
func (m *onnxModel) valueAttribute(n *onnxNode) (*shape.Tensor, error) {
	for _, a := range n.attributes {
		if a.name == "value" && a.tensor != nil {
			t, err := parseTensor(*a.tensor)
			if err != nil {
				return nil, err
			}
			return tensorType(&t)
		}
	}
	return nil, nil
}

// constant is what a Constant gives.
func (m *onnxModel) constant(n *onnxNode) ([]shape.Tensor, error) {
	t, err := m.valueAttribute(n)
	if t != nil || err != nil {
		return []shape.Tensor{*orEmpty(t)}, err
	}
	for _, a := range n.attributes {
		list := func(elem int64, content []float64) []shape.Tensor {
			return []shape.Tensor{{Elem: elem, Dims: []int64{int64(len(content))}, Content: content}}
		}
		switch a.name {
		case "value_int":
			return []shape.Tensor{{Elem: elemInt64, Content: []float64{float64(a.i)}}}, nil
		case "value_float":
			return []shape.Tensor{{Elem: elemFloat, Content: []float64{float64(math.Float32frombits(uint32(a.f)))}}}, nil
		case "value_ints":
			content := make([]float64, len(a.ints))
			for i, v := range a.ints {
				content[i] = float64(v)
			}
			return list(elemInt64, content), nil
		case "value_floats":
			content := make([]float64, len(a.floats))
			for i, v := range a.floats {
				content[i] = float64(math.Float32frombits(uint32(v)))
			}
			return list(elemFloat, content), nil
		}
	}
	return nil, fmt.Errorf("a Constant whose value is not known here")
}

func orEmpty(t *shape.Tensor) *shape.Tensor {
	if t == nil {
		return &shape.Tensor{}
	}
	return t
}

// attributes are a node's, as package shape asks for them.
type attributes struct{ *onnxNode }

func (a attributes) get(name string) *onnxAttribute {
	for i := range a.attributes {
		if a.attributes[i].name == name {
			return &a.attributes[i]
		}
	}
	return nil
}

// Int is an integer attribute.
func (a attributes) Int(name string, standard int64) int64 {
	if found := a.get(name); found != nil {
		return found.i
	}
	return standard
}

// Float is a number attribute.
func (a attributes) Float(name string, standard float64) float64 {
	if found := a.get(name); found != nil {
		return float64(math.Float32frombits(uint32(found.f)))
	}
	return standard
}

// Ints is an attribute of integers, nil if there is none.
func (a attributes) Ints(name string) []int64 {
	if found := a.get(name); found != nil {
		return found.ints
	}
	return nil
}

// Text is a string attribute.
func (a attributes) Text(name string) string {
	if found := a.get(name); found != nil {
		return found.s
	}
	return ""
}
