// Package modeltest writes small model files for tests, by the published field numbers of their formats.
package modeltest

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Proto is the bytes of a protobuf message.
type Proto []byte

// Text is p with a string, or bytes, as a field.
func (p Proto) Text(field protowire.Number, s string) Proto {
	return protowire.AppendString(protowire.AppendTag(p, field, protowire.BytesType), s)
}

// Sub is p with messages as a field each.
func (p Proto) Sub(field protowire.Number, subs ...Proto) Proto {
	for _, sub := range subs {
		p = protowire.AppendBytes(protowire.AppendTag(p, field, protowire.BytesType), sub)
	}
	return p
}

// Int is p with integers as a field each.
func (p Proto) Int(field protowire.Number, values ...int64) Proto {
	for _, v := range values {
		p = protowire.AppendVarint(protowire.AppendTag(p, field, protowire.VarintType), uint64(v))
	}
	return p
}

// Float is p with a 32-bit float as a field.
func (p Proto) Float(field protowire.Number, v float32) Proto {
	return protowire.AppendFixed32(protowire.AppendTag(p, field, protowire.Fixed32Type), math.Float32bits(v))
}

// Element types of ONNX.
const (
	Float32 = 1
	Int64   = 7
	Bool    = 9
)

// Value is a value_info: a name, an element type and dimensions, each an int, a string that names it, or nil.
func Value(name string, elem int64, dims ...any) Proto {
	var shape Proto
	for _, d := range dims {
		var dim Proto
		switch d := d.(type) {
		case int:
			dim = dim.Int(1, int64(d))
		case string:
			dim = dim.Text(2, d)
		}
		shape = shape.Sub(1, dim)
	}
	tensor := Proto{}.Int(1, elem).Sub(2, shape)
	return Proto{}.Text(1, name).Sub(2, Proto{}.Sub(1, tensor))
}

// Tensor is a tensor of integers.
func Tensor(name string, dims []int64, values ...int64) Proto {
	return Proto{}.Int(1, dims...).Int(2, Int64).Text(8, name).Int(7, values...)
}

// Weights is a tensor of float32 whose contents do not matter.
func Weights(name string, dims ...int64) Proto {
	n := int64(4)
	for _, d := range dims {
		n *= d
	}
	return Proto{}.Int(1, dims...).Int(2, Float32).Text(8, name).Text(9, string(make([]byte, n)))
}

// ONNXNode is a node of an ONNX model.
type ONNXNode struct {
	Kind, Domain    string
	Inputs, Outputs []string
	Attributes      []Proto
}

// Node is a node with attributes.
func Node(kind string, inputs, outputs []string, attributes ...Proto) ONNXNode {
	return ONNXNode{Kind: kind, Inputs: inputs, Outputs: outputs, Attributes: attributes}
}

func (n ONNXNode) proto() Proto {
	p := Proto{}.Text(4, n.Kind)
	for _, in := range n.Inputs {
		p = p.Text(1, in)
	}
	for _, out := range n.Outputs {
		p = p.Text(2, out)
	}
	if n.Domain != "" {
		p = p.Text(7, n.Domain)
	}
	return p.Sub(5, n.Attributes...)
}

// Ints is an attribute of integers.
func Ints(name string, values ...int64) Proto {
	return Proto{}.Text(1, name).Int(8, values...).Int(20, 7)
}

// Int is an attribute of an integer.
func Int(name string, value int64) Proto { return Proto{}.Text(1, name).Int(3, value).Int(20, 2) }

// TensorAttribute is an attribute of a tensor.
func TensorAttribute(name string, t Proto) Proto { return Proto{}.Text(1, name).Sub(5, t).Int(20, 4) }

// GraphAttribute is an attribute of a graph.
func GraphAttribute(name string, g Graph) Proto {
	return Proto{}.Text(1, name).Sub(6, g.proto()).Int(20, 5)
}

// Graph is a graph of an ONNX model.
type Graph struct {
	Nodes                           []ONNXNode
	Tensors, Inputs, Outputs, Infos []Proto
}

func (g Graph) proto() Proto {
	var p Proto
	for _, n := range g.Nodes {
		p = p.Sub(1, n.proto())
	}
	return p.Text(2, "graph").Sub(5, g.Tensors...).Sub(11, g.Inputs...).Sub(12, g.Outputs...).Sub(13, g.Infos...)
}

// Function is a function of an ONNX model in a domain.
func Function(domain, name string, inputs, outputs []string, nodes ...ONNXNode) Proto {
	p := Proto{}.Text(1, name).Text(10, domain)
	for _, in := range inputs {
		p = p.Text(4, in)
	}
	for _, out := range outputs {
		p = p.Text(5, out)
	}
	for _, n := range nodes {
		p = p.Sub(7, n.proto())
	}
	return p
}

// ONNX is a model of a graph and functions.
func ONNX(g Graph, functions ...Proto) []byte {
	return Proto{}.Int(1, 8).Sub(8, Proto{}.Int(2, 17)).Sub(7, g.proto()).Sub(25, functions...)
}
