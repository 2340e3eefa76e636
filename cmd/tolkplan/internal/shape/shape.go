// Package shape finds the types of what ONNX operators give from those of what they take, when every size is known.
//
// It also follows the contents of small tensors, since shapes are often computed in the model itself: what a Reshape
// makes of its input is often said by a chain of Shape, Gather and Concat.
package shape

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Element types that operators ask for by number, as ONNX counts them.
const (
	float32Type = 1
	uint8Type   = 2
	int32Type   = 6
	int64Type   = 7
	boolType    = 9
)

// Tensor is the type of a tensor and, where they are known and few, its contents.
type Tensor struct {
	Elem int64   // as ONNX numbers element types
	Dims []int64 // none for a scalar
	// Content is the elements in order, as far as they are known: nil if not. A float64 holds the sizes that shapes are made of exactly.
	Content []float64
}

// MaxContent is the most elements whose contents are followed.
const MaxContent = 4096

// Attributes are those of a node, each with a default.
type Attributes interface {
	Int(name string, standard int64) int64
	Float(name string, standard float64) float64
	Ints(name string) []int64
	Text(name string) string
}

// Node is an operator and what it takes.
type Node struct {
	Kind    string
	Opset   int64
	Inputs  []*Tensor // nil for one left out
	Outputs int
	Attributes
}

// maxRank bounds the dimensions of a tensor.
const maxRank = 64

// rule fills the outputs of a node.
type rule func(n *node) error

// node is a Node while its outputs are found.
type node struct {
	*Node
	out []Tensor
}

// Infer is the types of what a node gives. The error says why they are not known.
func Infer(n *Node) (out []Tensor, err error) {
	r, ok := rules[n.Kind]
	if !ok {
		return nil, fmt.Errorf("what %s gives is not known here", n.Kind)
	}
	at := node{n, make([]Tensor, max(1, n.Outputs))}
	if err := r(&at); err != nil {
		return nil, fmt.Errorf("%s: %w", n.Kind, err)
	}
	for i := range at.out {
		if len(at.out[i].Dims) > maxRank {
			return nil, fmt.Errorf("%s gives a tensor of %d dimensions", n.Kind, len(at.out[i].Dims))
		}
		for _, d := range at.out[i].Dims {
			if d < 0 {
				return nil, fmt.Errorf("%s gives a tensor of shape %v", n.Kind, at.out[i].Dims)
			}
		}
		if at.out[i].Content != nil && int64(len(at.out[i].Content)) != volume(at.out[i].Dims) {
			at.out[i].Content = nil
		}
	}
	return at.out[:n.Outputs], nil
}

// give sets output i, if the node has it.
func (n *node) give(i int, elem int64, dims []int64) {
	if i < len(n.out) {
		n.out[i] = Tensor{Elem: elem, Dims: slices.Clone(dims)}
	}
}

// has reports whether input i is there.
func (n *node) has(i int) bool { return i < len(n.Inputs) && n.Inputs[i] != nil }

var (
	errMissing = errors.New("an input is missing")
	errContent = errors.New("it depends on the contents of an input, which are not known")
	errShape   = errors.New("the shapes of its inputs do not fit each other")
)

// input is input i.
func (n *node) input(i int) (*Tensor, error) {
	if !n.has(i) {
		return nil, errMissing
	}
	return n.Inputs[i], nil
}

// integers are the contents of input i.
func (n *node) integers(i int) ([]int64, error) {
	t, err := n.input(i)
	if err != nil {
		return nil, err
	}
	return t.integers()
}

func (t *Tensor) integers() ([]int64, error) {
	if t.Content == nil {
		return nil, errContent
	}
	list := make([]int64, len(t.Content))
	for i, c := range t.Content {
		switch {
		case math.IsNaN(c):
			return nil, errors.New("a size is NaN")
		case c >= math.MaxInt64:
			list[i] = math.MaxInt64
		case c <= math.MinInt64:
			list[i] = math.MinInt64
		default:
			list[i] = int64(c)
		}
	}
	return list, nil
}

// setting is integers that older operators have as an attribute and newer ones as input i; nil if there are none.
func (n *node) setting(name string, i int) ([]int64, error) {
	if list := n.Ints(name); list != nil {
		return list, nil
	}
	if !n.has(i) {
		return nil, nil
	}
	return n.integers(i)
}

// axis is an axis of a tensor of some rank, counted from its end if it is negative.
func axis(a int64, rank int) (int, error) {
	if a < -int64(rank) || a >= int64(rank) {
		return 0, fmt.Errorf("axis %d does not fit %d dimensions", a, rank)
	}
	if a < 0 {
		a += int64(rank)
	}
	return int(a), nil
}

func axes(list []int64, rank int) ([]int, error) {
	var all []int
	for _, a := range list {
		i, err := axis(a, rank)
		if err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

// volume is the product of dims, or the greatest number if that is more.
func volume(dims []int64) int64 {
	total := int64(1)
	for _, d := range dims {
		if d == 0 {
			return 0
		}
		if total > math.MaxInt64/d {
			return math.MaxInt64
		}
		total *= d
	}
	return total
}

// broadcast is the shape of two together.
func broadcast(a, b []int64) ([]int64, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	shift := len(a) - len(b)
	for i, d := range b {
		switch at := &out[shift+i]; {
		case *at == 1:
			*at = d
		case d != 1 && d != *at:
			return nil, errShape
		}
	}
	return out, nil
}
