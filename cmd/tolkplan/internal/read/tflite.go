package read

import (
	"fmt"
	"slices"
)

// Fields of the tables of TensorFlow Lite's schema, version 3, by their numbers.
const (
	modelCodes, modelSubgraphs, modelBuffers                                              = 1, 2, 4
	graphTensors, graphInputs, graphOutputs, graphOperators, graphName                    = 0, 1, 2, 3, 4
	tensorShape, tensorKind, tensorBuffer, tensorName, tensorVariable, tensorSignature    = 0, 1, 2, 3, 5, 7
	operatorCode, operatorInputs, operatorOutputs, operatorOptions, operatorIntermediates = 0, 1, 2, 4, 8
	codeOld, codeCustom, codeNew                                                          = 0, 1, 3
	bufferData, bufferOffset                                                              = 0, 1
)

// tfliteModel is a model of TensorFlow Lite that is being written out.
type tfliteModel struct {
	*model
	codes    []opcode
	graphs   []tfliteGraph
	constant []bool // by buffer: whether the file holds its bytes
	custom   []string
	internal int // tensors that are internal to an operator
}

type opcode struct {
	number int64
	name   string
}

type tfliteGraph struct {
	tensors, operators []table
	inputs, outputs    []int32
}

// readTFLite is the work of a model of TensorFlow Lite. Its operators run in the order of the file, as its interpreter runs them.
func readTFLite(file string, data []byte, dims map[string]int64) (*Work, error) {
	f := &flat{file: file, data: data}
	if id := identifier(data); id != "TFL3" {
		return nil, f.fail(min(4, len(data)), "the file identifier is %q; that of a .tflite file is \"TFL3\"", id)
	}
	root, err := f.table(0, "the model")
	if err != nil {
		return nil, err
	}
	m := &tfliteModel{model: newModel(file, dims)}
	for _, read := range []func(table) error{m.readCodes, m.readBuffers, m.readGraphs} {
		if err := read(root); err != nil {
			return nil, err
		}
	}
	if len(m.graphs) == 0 {
		return nil, f.fail(0, "the model has no subgraph")
	}
	if err := m.main(); err != nil {
		return nil, err
	}
	m.note("what kernels need for themselves, such as scratch and packed weights, is not in the file and not in the plan")
	if len(m.custom) > 0 {
		m.note("custom operators may allocate what the file does not say: %q", m.custom)
	}
	if m.internal > 0 {
		m.note("%d tensors are internal to operators and left to them", m.internal)
	}
	return m.work()
}

func (m *tfliteModel) readCodes(root table) error {
	codes, err := root.tables(modelCodes, "the operator codes")
	if err != nil {
		return err
	}
	for _, t := range codes {
		old, err := t.integer(codeOld, 1, 0, "an operator's old code")
		if err != nil {
			return err
		}
		number, err := t.integer(codeNew, 4, 0, "an operator's code")
		if err != nil {
			return err
		}
		c := opcode{number: max(old, number)}
		c.name = builtinName(c.number)
		if c.number == opCustom {
			if c.name, err = t.text(codeCustom, "a custom operator's name"); err != nil {
				return err
			}
			if !slices.Contains(m.custom, c.name) && len(m.custom) < maxNamed {
				m.custom = append(m.custom, c.name)
			}
		}
		m.codes = append(m.codes, c)
	}
	return nil
}

func (m *tfliteModel) readBuffers(root table) error {
	buffers, err := root.tables(modelBuffers, "the buffers")
	if err != nil {
		return err
	}
	for _, t := range buffers {
		_, n, err := t.list(bufferData, 1, "a buffer's data")
		if err != nil {
			return err
		}
		outside, err := t.integer(bufferOffset, 8, 0, "a buffer's offset")
		if err != nil {
			return err
		}
		m.constant = append(m.constant, n > 0 || outside > 1)
	}
	return nil
}

func (m *tfliteModel) readGraphs(root table) error {
	graphs, err := root.tables(modelSubgraphs, "the subgraphs")
	if err != nil {
		return err
	}
	for _, t := range graphs {
		var g tfliteGraph
		if g.tensors, err = t.tables(graphTensors, "the tensors of a subgraph"); err != nil {
			return err
		}
		if g.operators, err = t.tables(graphOperators, "the operators of a subgraph"); err != nil {
			return err
		}
		if g.inputs, err = t.integers(graphInputs, "the inputs of a subgraph"); err != nil {
			return err
		}
		if g.outputs, err = t.integers(graphOutputs, "the outputs of a subgraph"); err != nil {
			return err
		}
		m.graphs = append(m.graphs, g)
	}
	return nil
}

// main writes out the first subgraph, between a step that takes its inputs and one that takes its outputs.
func (m *tfliteModel) main() error {
	run, err := m.enter(0, nil)
	if err != nil {
		return err
	}
	for _, list := range []struct {
		group   string
		tensors []int32
	}{{"output", m.graphs[0].outputs}, {"input", m.graphs[0].inputs}} {
		values, err := run.values(list.tensors, "a "+list.group+" of the model")
		if err != nil {
			return err
		}
		for _, v := range values {
			if v >= 0 {
				m.values[v].group = list.group
			}
		}
	}
	inputs, _ := run.values(m.graphs[0].inputs, "")
	outputs, _ := run.values(m.graphs[0].outputs, "")
	if err := m.do("inputs", inputs); err != nil {
		return err
	}
	if err := run.operators(); err != nil {
		return err
	}
	return m.do("outputs", outputs)
}

// tfliteRun is one run of a subgraph.
type tfliteRun struct {
	*tfliteModel
	graph  int
	value  []int32 // by tensor
	caller *tfliteRun
	depth  int
}

// enter is a run of a subgraph that a run calls, nil for the model's own.
func (m *tfliteModel) enter(graph int, caller *tfliteRun) (*tfliteRun, error) {
	if graph < 0 || graph >= len(m.graphs) {
		return nil, failure(m.file, "an operator calls subgraph %d; there are %d", graph, len(m.graphs))
	}
	r := &tfliteRun{tfliteModel: m, graph: graph, caller: caller}
	if caller != nil {
		r.depth = caller.depth + 1
	}
	for at := caller; at != nil; at = at.caller {
		if at.graph == graph {
			return nil, failure(m.file, "subgraph %d calls itself", graph)
		}
	}
	if r.depth > maxDepth {
		return nil, failure(m.file, "subgraphs call each other more than %d deep", maxDepth)
	}
	if len(m.values)+len(m.graphs[graph].tensors) > maxTaken {
		return nil, failure(m.file, "the model has more than %d tensors when its subgraphs are written out", maxTaken)
	}
	for i, t := range m.graphs[graph].tensors {
		v, err := m.tensor(t, i, graph)
		if err != nil {
			return nil, err
		}
		r.value = append(r.value, m.add(v))
	}
	return r, nil
}

func (m *tfliteModel) tensor(t table, i, graph int) (value, error) {
	v := value{}
	name, err := t.text(tensorName, "a tensor's name")
	if err != nil {
		return v, err
	}
	if v.name = name; name == "" {
		v.name = fmt.Sprintf("tensor %d of subgraph %d", i, graph)
	}
	kind, err := t.integer(tensorKind, 1, 0, "a tensor's type")
	if err != nil {
		return v, err
	}
	if kind < 0 || kind >= int64(len(tfliteTypes)) {
		return v, t.fail(t.at, "tensor %q is of type %d, which is not known", v.name, kind)
	}
	v.bits, v.dtype = tfliteTypes[kind].bits, tfliteTypes[kind].dtype
	buffer, err := t.integer(tensorBuffer, 4, 0, "a tensor's buffer")
	if err != nil {
		return v, err
	}
	if buffer < 0 || buffer >= max(1, int64(len(m.constant))) {
		return v, t.fail(t.at, "tensor %q is in buffer %d; there are %d", v.name, buffer, len(m.constant))
	}
	v.weight = buffer < int64(len(m.constant)) && m.constant[buffer]
	variable, err := t.integer(tensorVariable, 1, 0, "whether a tensor is a variable")
	if err != nil {
		return v, err
	}
	if variable != 0 {
		v.group = "variable"
	}
	return v, m.size(t, &v)
}

// size is how many elements a tensor has. Its signature has -1 for a dimension that is dynamic: the first is called "batch", others
// are called by the tensor's name and their number.
func (m *tfliteModel) size(t table, v *value) error {
	shape, err := t.integers(tensorShape, "a tensor's shape")
	if err != nil {
		return err
	}
	signature, err := t.integers(tensorSignature, "a tensor's shape signature")
	if err != nil {
		return err
	}
	sizes := make([]int64, len(shape))
	for k := range shape {
		sizes[k] = int64(shape[k])
		dynamic := sizes[k] == -1 || k < len(signature) && signature[k] == -1
		if !dynamic || v.weight {
			continue
		}
		name := "batch"
		if k > 0 {
			name = fmt.Sprintf("%s:%d", v.name, k)
		}
		if sizes[k] = m.dim(name); sizes[k] < 0 {
			v.count, v.why = -1, fmt.Sprintf("dimension %d is dynamic; give it with --dim %q", k, name+"=N")
			return nil
		}
	}
	count, ok := product(sizes)
	if !ok {
		return t.fail(t.at, "tensor %q has the shape %v; sizes must not be negative, and their product must fit 58 bits", v.name, shape)
	}
	v.count = count
	return nil
}

// values are the values of tensors; -1 for one that is left out.
func (r *tfliteRun) values(tensors []int32, what string) ([]int32, error) {
	list := make([]int32, len(tensors))
	for i, t := range tensors {
		switch {
		case t == -1:
			list[i] = -1
		case t < 0 || int(t) >= len(r.value):
			return nil, failure(r.file, "%s is tensor %d; subgraph %d has %d", what, t, r.graph, len(r.value))
		default:
			list[i] = r.value[t]
		}
	}
	return list, nil
}

func (r *tfliteRun) operators() error {
	for i, t := range r.graphs[r.graph].operators {
		if err := r.visit(); err != nil {
			return err
		}
		if err := r.operator(t); err != nil {
			return fmt.Errorf("%w (operator %d of subgraph %d)", err, i, r.graph)
		}
	}
	return nil
}

func (r *tfliteRun) operator(t table) error {
	index, err := t.integer(operatorCode, 4, 0, "an operator's code")
	if err != nil {
		return err
	}
	if index < 0 || index >= int64(len(r.codes)) {
		return t.fail(t.at, "an operator has code %d; there are %d", index, len(r.codes))
	}
	inputs, err := r.listed(t, operatorInputs, "an operator's input")
	if err != nil {
		return err
	}
	outputs, err := r.listed(t, operatorOutputs, "an operator's output")
	if err != nil {
		return err
	}
	intermediates, err := r.listed(t, operatorIntermediates, "an operator's intermediate")
	if err != nil {
		return err
	}
	r.internal += len(intermediates)
	code := r.codes[index]
	switch code.number {
	case opIf:
		return r.branches(t, inputs, outputs)
	case opWhile:
		return r.while(t, inputs, outputs)
	case opCall:
		return r.call(t, 0, inputs, outputs)
	case opCallOnce:
		return r.call(t, 0, nil, nil)
	}
	return r.do(code.name, inputs, outputs)
}

func (r *tfliteRun) listed(t table, field int, what string) ([]int32, error) {
	tensors, err := t.integers(field, what+"s")
	if err != nil {
		return nil, err
	}
	return r.values(tensors, what)
}
