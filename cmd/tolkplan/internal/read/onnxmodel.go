package read

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"libtolk_memory/cmd/tolkplan/internal/shape"
)

// onnxModel is an ONNX model that is being written out.
type onnxModel struct {
	*model
	file   *onnxFile
	types  []*shape.Tensor // by value; nil where the type is not known
	graphs map[int64]*onnxGraph
	folded int
	custom []string
}

// readONNX is the work of an ONNX model. Nodes run in the order of the file, which is a topological one. What can be computed from
// weights and sizes alone takes no step.
func readONNX(name string, data []byte, dims map[string]int64) (*Work, error) {
	file, err := parseONNX(message{file: name, data: data})
	if err != nil {
		return nil, err
	}
	m := &onnxModel{model: newModel(name, dims), file: file, graphs: map[int64]*onnxGraph{}}
	if err := m.main(); err != nil {
		return nil, err
	}
	m.note("what kernels need for themselves, such as workspaces and packed weights, is not in the file and not in the plan")
	if m.folded > 0 {
		m.note("%d nodes follow from weights and sizes alone and take no step", m.folded)
	}
	if len(m.custom) > 0 {
		m.note("operators from beyond the standard may allocate what the file does not say: %q", m.custom)
	}
	return m.work()
}

// scope is the names that a graph's nodes can take.
type scope struct {
	outer    *scope
	value    map[string]int32
	infos    map[string]*onnxValue
	bound    map[string]int32 // names that stand for values of the caller: outputs of a branch
	captured map[int32]bool   // of a loop: the values from around it that it takes
	depth    int
}

func (s *scope) inner() *scope {
	return &scope{outer: s, value: map[string]int32{}, infos: map[string]*onnxValue{}, bound: map[string]int32{}, depth: s.depth + 1}
}

// find is the value that a name stands for.
func (s *scope) find(name string) (int32, bool) {
	for at := s; at != nil; at = at.outer {
		v, ok := at.value[name]
		if !ok {
			continue
		}
		for loop := s; loop != at; loop = loop.outer {
			if loop.captured != nil {
				loop.captured[v] = true
			}
		}
		return v, true
	}
	return 0, false
}

func (m *onnxModel) main() error {
	g := m.file.graph
	s := (&scope{depth: -1}).inner()
	s.outer = nil
	m.declare(g, s)
	if err := m.weights(g, s); err != nil {
		return err
	}
	var inputs []int32
	var missing []string
	for i := range g.inputs {
		in := &g.inputs[i]
		if _, weight := s.value[in.name]; weight {
			continue
		}
		v := m.newValue(in.name, m.typed(in), in)
		m.values[v].group = "input"
		missing = append(missing, m.unknownDims(in)...)
		m.setContent(v, in.name)
		s.value[in.name] = v
		inputs = append(inputs, v)
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return m.needDims(slices.Compact(missing))
	}
	if err := m.do("inputs", inputs); err != nil {
		return err
	}
	if err := m.nodes(g.nodes, s); err != nil {
		return err
	}
	outputs, err := m.outputs(g, s)
	if err != nil {
		return err
	}
	for _, v := range outputs {
		if m.values[v].group == "" {
			m.values[v].group = "output"
		}
	}
	return m.do("outputs", outputs)
}

// setContent gives an input that is one integer the size given for its name as its contents: which branches run can depend on it.
func (m *onnxModel) setContent(v int32, name string) {
	t := m.types[v]
	if t == nil || m.values[v].count != 1 || t.Elem != elemInt32 && t.Elem != elemInt64 {
		return
	}
	if given := m.dim(name); given >= 0 {
		t.Content = []float64{float64(given)}
	}
}

func (m *onnxModel) needDims(names []string) error {
	var flags []string
	for _, name := range names {
		flags = append(flags, fmt.Sprintf("--dim %q", name+"=N"))
	}
	return failure(m.model.file, "the inputs have dynamic dimensions: give each a size with %s", strings.Join(flags, " "))
}

// unknownDims are the names of the dynamic dimensions of a value that were not given a size.
func (m *onnxModel) unknownDims(v *onnxValue) (names []string) {
	for k := range v.dims {
		if m.dimSize(v, k) < 0 {
			names = append(names, dimName(v, k))
		}
	}
	return names
}

// dimName is the name of a dynamic dimension: what the file calls it, or its tensor and number.
func dimName(v *onnxValue, k int) string {
	if v.dims[k].name != "" {
		return v.dims[k].name
	}
	return fmt.Sprintf("%s:%d", v.name, k)
}

func (m *onnxModel) dimSize(v *onnxValue, k int) int64 {
	if v.dims[k].size >= 0 {
		return v.dims[k].size
	}
	return m.dim(dimName(v, k))
}

// typed is the type that the file gives a value, nil if it does not give all of it.
func (m *onnxModel) typed(v *onnxValue) *shape.Tensor {
	if v == nil || !v.isTensor || !v.hasShape {
		return nil
	}
	t := &shape.Tensor{Elem: v.elem, Dims: make([]int64, len(v.dims))}
	for k := range v.dims {
		if t.Dims[k] = m.dimSize(v, k); t.Dims[k] < 0 {
			return nil
		}
	}
	return t
}

// declare makes what a graph says of values known to its scope.
func (m *onnxModel) declare(g *onnxGraph, s *scope) {
	for _, list := range [][]onnxValue{g.infos, g.outputs} {
		for i := range list {
			s.infos[list[i].name] = &list[i]
		}
	}
}

// weights makes the tensors that the file holds known to a scope.
func (m *onnxModel) weights(g *onnxGraph, s *scope) error {
	for i := range g.tensors {
		t := &g.tensors[i]
		if t.name == "" {
			continue
		}
		content, err := tensorType(t)
		if err != nil {
			return err
		}
		v := m.newValue(t.name, content, nil)
		m.values[v].weight = true
		s.value[t.name] = v
	}
	return nil
}

// newValue is a new value of a type, which may be nil; said is what the file says of it, which may be nil too.
func (m *onnxModel) newValue(name string, t *shape.Tensor, said *onnxValue) int32 {
	v := m.add(value{name: name, count: -1, bits: 8, why: "the file does not say its shape"})
	m.types = append(m.types, nil)
	if said != nil && len(said.dims) > 0 {
		m.values[v].why = fmt.Sprintf("its dimensions %q are dynamic", m.unknownDims(said))
	}
	if said != nil && !said.isTensor && t == nil {
		m.values[v].bits = 0
	}
	m.setType(v, t)
	return v
}

func (m *onnxModel) setType(v int32, t *shape.Tensor) {
	m.types[v] = t
	if t == nil {
		return
	}
	at := &m.values[v]
	at.bits = 8
	if t.Elem >= 0 && t.Elem < int64(len(onnxTypes)) {
		at.bits, at.dtype = onnxTypes[t.Elem].bits, onnxTypes[t.Elem].dtype
	}
	count, ok := product(t.Dims)
	if at.count = count; !ok {
		at.count, at.why = -1, fmt.Sprintf("its shape %v has negative sizes or a product of more than 58 bits", t.Dims)
	}
}

func (m *onnxModel) outputs(g *onnxGraph, s *scope) ([]int32, error) {
	var list []int32
	for _, out := range g.outputs {
		v, ok := s.find(out.name)
		if !ok {
			return nil, failureAt(m.model.file, out.at, "no node makes the output %q", out.name)
		}
		list = append(list, v)
	}
	return list, nil
}

// tensorType is the type of a tensor of the file, with its contents if they are few.
func tensorType(t *onnxTensor) (*shape.Tensor, error) {
	if t.elem < 1 || t.elem >= int64(len(onnxTypes)) {
		return nil, t.body.fail("tensor %q is of type %d, which is not known", t.name, t.elem)
	}
	count, ok := product(t.dims)
	if !ok {
		return nil, t.body.fail("tensor %q has the dims %v; they must not be negative, and their product must fit 58 bits", t.name, t.dims)
	}
	out := &shape.Tensor{Elem: t.elem, Dims: t.dims}
	if count > shape.MaxContent {
		return out, nil
	}
	content, err := tensorContent(t)
	if err == nil && int64(len(content)) == count {
		out.Content = content
	}
	return out, err
}

// tensorContent is the elements of a small tensor; nil if they are in another file or of a type that no shape is made of.
func tensorContent(t *onnxTensor) ([]float64, error) {
	var bits []uint64
	var raw []byte
	err := t.body.each("a tensor", func(f field) error {
		switch f.number {
		case 4:
			return f.numbers(&bits, protowire.Fixed32Type, "a tensor's numbers")
		case 5, 7, 11:
			return f.numbers(&bits, protowire.VarintType, "a tensor's integers")
		case 10:
			return f.numbers(&bits, protowire.Fixed64Type, "a tensor's numbers")
		case 9:
			raw = f.data
			return f.wants(protowire.BytesType, "a tensor's bytes")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if raw != nil {
		bits = littleEndian(raw, t.elem)
	}
	return numbers(bits, t.elem), nil
}

// littleEndian is the elements of raw bytes, with their signs.
func littleEndian(raw []byte, elem int64) []uint64 {
	width := int(onnxTypes[elem].bits / 8)
	if width < 1 || width > 8 {
		return nil
	}
	var bits []uint64
	for ; len(raw) >= width; raw = raw[width:] {
		var n uint64
		for k := range width {
			n |= uint64(raw[k]) << (8 * k)
		}
		bits = append(bits, n<<(64-8*width)) // moved up, for the sign
	}
	for i := range bits {
		bits[i] = uint64(int64(bits[i]) >> (64 - 8*width))
	}
	return bits
}

// numbers are elements as float64: nil for types that are neither integers, bool, nor floats of 32 or 64 bits.
func numbers(bits []uint64, elem int64) []float64 {
	out := make([]float64, len(bits))
	for i, b := range bits {
		switch dtype := onnxTypes[elem].dtype.String(); {
		case dtype == "float32":
			out[i] = float64(math.Float32frombits(uint32(b)))
		case dtype == "float64":
			out[i] = math.Float64frombits(b)
		case strings.HasPrefix(dtype, "int") || strings.HasPrefix(dtype, "uint") || dtype == "bool":
			out[i] = float64(int64(b))
		default:
			return nil
		}
	}
	return out
}

// sortedValues are the members of a set, in order.
func sortedValues(set map[int32]bool) []int32 { return slices.Sorted(maps.Keys(set)) }
