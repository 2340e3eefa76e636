package read

import (
	"google.golang.org/protobuf/encoding/protowire"

	"libtolk_memory/ir"
)

// maxParts is how many nodes, tensors and attributes of an ONNX file are kept, so that a file of empty ones does not become many times as large.
const maxParts = 1 << 22

// onnxTypes are the element types of ONNX in the order of their numbers. Strings have no fixed size.
var onnxTypes = []elementType{
	{0, ir.Void}, {32, ir.Float32}, {8, ir.Uint8}, {8, ir.Int8}, {16, ir.Uint16}, {16, ir.Int16}, {32, ir.Int32}, {64, ir.Int64},
	{0, ir.Void}, {8, ir.Bool}, {16, ir.Float16}, {64, ir.Float64}, {32, ir.Uint32}, {64, ir.Uint64}, {64, ir.Void}, {128, ir.Void},
	{16, ir.BFloat16}, {8, ir.Float8E4M3}, {8, ir.Float8E4M3}, {8, ir.Float8E5M2}, {8, ir.Float8E5M2}, {4, ir.Void}, {4, ir.Void},
	{4, ir.Void}, {8, ir.Uint8}, {2, ir.Void}, {2, ir.Void},
}

// Numbers of onnxTypes.
const (
	elemFloat  = 1
	elemUint8  = 2
	elemInt32  = 6
	elemInt64  = 7
	elemString = 8
	elemBool   = 9
)

// onnxTensor is a tensor that the file holds.
type onnxTensor struct {
	name string
	elem int64
	dims []int64
	body message // the whole of it
}

// onnxDim is a dimension of a type: a size, a name, or neither.
type onnxDim struct {
	size int64 // -1 if there is none
	name string
}

// onnxValue is what a graph says of a value.
type onnxValue struct {
	name     string
	elem     int64
	dims     []onnxDim
	hasShape bool
	isTensor bool
	at       int64
}

type onnxAttribute struct {
	name    string
	i       int64
	f       uint64
	s       string
	ints    []int64
	floats  []uint64
	tensor  *message
	graph   *message
	strange bool // it refers to an attribute of the function around it
}

type onnxNode struct {
	inputs, outputs    []string
	name, kind, domain string
	attributes         []onnxAttribute
	at                 int64
}

type onnxGraph struct {
	nodes                  []onnxNode
	tensors                []onnxTensor
	inputs, outputs, infos []onnxValue
}

type onnxFunction struct {
	inputs, outputs []string
	graph           onnxGraph
}

// onnxParser reads messages, and counts what it keeps.
type onnxParser struct{ parts int }

func (p *onnxParser) count(m message) error {
	if p.parts++; p.parts > maxParts {
		return m.fail("the model has more than %d nodes, tensors and attributes", maxParts)
	}
	return nil
}

func (p *onnxParser) graph(m message) (*onnxGraph, error) {
	g := &onnxGraph{}
	err := m.each("a graph", func(f field) error {
		var sub message
		switch f.number {
		case 1, 5, 11, 12, 13, 15:
			if err := f.sub(&sub, "a part of a graph"); err != nil {
				return err
			}
			if err := p.count(sub); err != nil {
				return err
			}
		}
		switch f.number {
		case 1:
			return p.appendNode(&g.nodes, sub)
		case 5:
			return appendTensor(&g.tensors, sub)
		case 11:
			return p.appendValue(&g.inputs, sub)
		case 12:
			return p.appendValue(&g.outputs, sub)
		case 13:
			return p.appendValue(&g.infos, sub)
		case 15: // a sparse tensor: its first field is a tensor with its name
			return sub.each("a sparse tensor", func(f field) error {
				if f.number != 1 {
					return nil
				}
				return appendTensor(&g.tensors, f.message)
			})
		}
		return nil
	})
	return g, err
}

func appendTensor(list *[]onnxTensor, m message) error {
	t, err := parseTensor(m)
	*list = append(*list, t)
	return err
}

func parseTensor(m message) (onnxTensor, error) {
	t := onnxTensor{body: m}
	err := m.each("a tensor", func(f field) error {
		switch f.number {
		case 1:
			return f.integers(&t.dims, "a tensor's dims")
		case 2:
			return f.integer(&t.elem, "a tensor's type")
		case 8:
			return f.text(&t.name, "a tensor's name")
		}
		return nil
	})
	return t, err
}

func (p *onnxParser) appendNode(list *[]onnxNode, m message) error {
	n := onnxNode{at: m.at}
	err := m.each("a node", func(f field) error {
		switch f.number {
		case 1:
			return f.texts(&n.inputs, "a node's input")
		case 2:
			return f.texts(&n.outputs, "a node's output")
		case 3:
			return f.text(&n.name, "a node's name")
		case 4:
			return f.text(&n.kind, "a node's op_type")
		case 7:
			return f.text(&n.domain, "a node's domain")
		case 5:
			if err := p.count(f.message); err != nil {
				return err
			}
			a, err := parseAttribute(f.message)
			n.attributes = append(n.attributes, a)
			return err
		}
		return nil
	})
	*list = append(*list, n)
	return err
}

func parseAttribute(m message) (onnxAttribute, error) {
	var a onnxAttribute
	err := m.each("an attribute", func(f field) error {
		switch f.number {
		case 1:
			return f.text(&a.name, "an attribute's name")
		case 2:
			a.f = f.value
			return f.wants(protowire.Fixed32Type, "an attribute's number")
		case 3:
			return f.integer(&a.i, "an attribute's integer")
		case 4:
			a.s = string(f.data)
			return f.wants(protowire.BytesType, "an attribute's string")
		case 5:
			a.tensor = &message{}
			return f.sub(a.tensor, "an attribute's tensor")
		case 6:
			a.graph = &message{}
			return f.sub(a.graph, "an attribute's graph")
		case 7:
			return f.numbers(&a.floats, protowire.Fixed32Type, "an attribute's numbers")
		case 8:
			return f.integers(&a.ints, "an attribute's integers")
		case 21:
			a.strange = len(f.data) > 0
		}
		return nil
	})
	return a, err
}

func (p *onnxParser) appendValue(list *[]onnxValue, m message) error {
	v := onnxValue{at: m.at}
	err := m.each("a value", func(f field) error {
		switch f.number {
		case 1:
			return f.text(&v.name, "a value's name")
		case 2:
			return f.message.each("a type", func(f field) error {
				if f.number != 1 {
					return nil
				}
				v.isTensor = true
				return p.tensorType(&v, f.message)
			})
		}
		return nil
	})
	*list = append(*list, v)
	return err
}

func (p *onnxParser) tensorType(v *onnxValue, m message) error {
	return m.each("a tensor's type", func(f field) error {
		switch f.number {
		case 1:
			return f.integer(&v.elem, "a value's type")
		case 2:
			v.hasShape = true
			return f.message.each("a shape", func(f field) error {
				if f.number != 1 {
					return nil
				}
				if err := p.count(f.message); err != nil {
					return err
				}
				d := onnxDim{size: -1}
				err := f.message.each("a dimension", func(f field) error {
					switch f.number {
					case 1:
						return f.integer(&d.size, "a dimension's size")
					case 2:
						return f.text(&d.name, "a dimension's name")
					}
					return nil
				})
				v.dims = append(v.dims, d)
				return err
			})
		}
		return nil
	})
}

// onnxFile is a parsed model.
type onnxFile struct {
	parser    onnxParser
	graph     *onnxGraph
	functions map[[2]string]*onnxFunction // by domain and name
	opset     int64                       // of the standard operators
}

func parseONNX(m message) (*onnxFile, error) {
	o := &onnxFile{functions: map[[2]string]*onnxFunction{}}
	err := m.each("the model", func(f field) (err error) {
		switch f.number {
		case 7:
			if o.graph != nil {
				return f.fail("the model has a second graph")
			}
			if err = f.wants(protowire.BytesType, "the graph"); err == nil {
				o.graph, err = o.parser.graph(f.message)
			}
		case 8:
			err = o.opsetImport(f.message)
		case 25:
			err = o.function(f.message)
		}
		return err
	})
	if err == nil && o.graph == nil {
		err = m.fail("the model has no graph")
	}
	return o, err
}

func (o *onnxFile) opsetImport(m message) error {
	var domain string
	var version int64
	err := m.each("an operator set", func(f field) error {
		switch f.number {
		case 1:
			return f.text(&domain, "an operator set's domain")
		case 2:
			return f.integer(&version, "an operator set's version")
		}
		return nil
	})
	if domain == "" || domain == "ai.onnx" {
		o.opset = version
	}
	return err
}

func (o *onnxFile) function(m message) error {
	var key [2]string
	fn := &onnxFunction{}
	err := m.each("a function", func(f field) error {
		switch f.number {
		case 1:
			return f.text(&key[1], "a function's name")
		case 4:
			return f.texts(&fn.inputs, "a function's input")
		case 5:
			return f.texts(&fn.outputs, "a function's output")
		case 7:
			if err := o.parser.count(f.message); err != nil {
				return err
			}
			return o.parser.appendNode(&fn.graph.nodes, f.message)
		case 10:
			return f.text(&key[0], "a function's domain")
		case 12:
			return o.parser.appendValue(&fn.graph.infos, f.message)
		}
		return nil
	})
	o.functions[key] = fn
	return err
}
