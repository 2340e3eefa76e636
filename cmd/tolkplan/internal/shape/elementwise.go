package shape

import (
	"cmp"
	"math"
)

// first gives what the first input is.
func first(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	n.give(0, x.Elem, x.Dims)
	n.out[0].Content = mapContent(n.Kind, x.Content)
	for i := 1; i < len(n.out); i++ { // the running mean and variance of a BatchNormalization that trains
		if n.has(i + 2) {
			n.give(i, n.Inputs[i+2].Elem, n.Inputs[i+2].Dims)
		}
	}
	return nil
}

var unary = map[string]func(float64) float64{
	"Identity": func(x float64) float64 { return x },
	"Neg":      func(x float64) float64 { return -x },
	"Abs":      math.Abs, "Ceil": math.Ceil, "Floor": math.Floor, "Round": math.RoundToEven, "Sqrt": math.Sqrt,
	"Not": func(x float64) float64 { return truth(x == 0) },
}

func mapContent(kind string, x []float64) []float64 {
	f, ok := unary[kind]
	if !ok || x == nil {
		return nil
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var binary = map[string]func(x, y float64) float64{
	"Add": func(x, y float64) float64 { return x + y },
	"Sub": func(x, y float64) float64 { return x - y },
	"Mul": func(x, y float64) float64 { return x * y },
	"Max": math.Max, "Min": math.Min,
	"And":            func(x, y float64) float64 { return truth(x != 0 && y != 0) },
	"Or":             func(x, y float64) float64 { return truth(x != 0 || y != 0) },
	"Equal":          func(x, y float64) float64 { return truth(x == y) },
	"Less":           func(x, y float64) float64 { return truth(x < y) },
	"Greater":        func(x, y float64) float64 { return truth(x > y) },
	"LessOrEqual":    func(x, y float64) float64 { return truth(x <= y) },
	"GreaterOrEqual": func(x, y float64) float64 { return truth(x >= y) },
}

// together gives all inputs broadcast to one shape; elem 0 stands for the type of the first.
func together(elem int64) rule {
	return func(n *node) error {
		x, err := n.input(0)
		if err != nil {
			return err
		}
		dims, content := x.Dims, x.Content
		for i := 1; i < len(n.Inputs); i++ {
			y, err := n.input(i)
			if err != nil {
				return err
			}
			both, err := broadcast(dims, y.Dims)
			if err != nil {
				return err
			}
			content = combine(n.Kind, Tensor{Elem: x.Elem, Dims: dims, Content: content}, *y, both)
			dims = both
		}
		n.give(0, cmp.Or(elem, x.Elem), dims)
		n.out[0].Content = content
		return nil
	}
}

func isInteger(elem int64) bool { return elem >= 2 && elem <= 7 || elem == 12 || elem == 13 }

// combine is the contents of two broadcast to a shape, nil if they are not known.
func combine(kind string, x, y Tensor, dims []int64) []float64 {
	f := binary[kind]
	if kind == "Div" {
		f = divide(isInteger(x.Elem))
	}
	if f == nil || x.Content == nil || y.Content == nil || volume(dims) > MaxContent {
		return nil
	}
	out := make([]float64, volume(dims))
	for i := range out {
		out[i] = f(x.at(i, dims), y.at(i, dims))
	}
	return out
}

func divide(integers bool) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		if integers {
			return math.Trunc(x / y)
		}
		return x / y
	}
}

// at is the element of t that stands at place i of the shape it is broadcast to.
func (t *Tensor) at(i int, dims []int64) float64 {
	place, step := int64(0), int64(1)
	rest := int64(i)
	for k := range dims {
		to := len(dims) - 1 - k
		at := rest % dims[to]
		rest /= dims[to]
		if own := len(t.Dims) - 1 - k; own >= 0 {
			if t.Dims[own] != 1 {
				place += at * step
			}
			step *= t.Dims[own]
		}
	}
	return t.Content[place]
}

func cast(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	to := n.Int("to", x.Elem)
	n.give(0, to, x.Dims)
	n.out[0].Content = castContent(x.Content, to)
	return nil
}

func castContent(x []float64, to int64) []float64 {
	if x == nil {
		return nil
	}
	out := make([]float64, len(x))
	for i, v := range x {
		switch {
		case to == boolType:
			out[i] = truth(v != 0)
		case isInteger(to):
			out[i] = math.Trunc(v)
		default:
			out[i] = v
		}
	}
	return out
}

func castLike(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	like, err := n.input(1)
	if err != nil {
		return err
	}
	n.give(0, like.Elem, x.Dims)
	return nil
}

func predicate(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	n.give(0, boolType, x.Dims)
	return nil
}

func where(n *node) error {
	var t [3]*Tensor
	dims := []int64{}
	for i := range t {
		x, err := n.input(i)
		if err != nil {
			return err
		}
		if dims, err = broadcast(dims, x.Dims); err != nil {
			return err
		}
		t[i] = x
	}
	n.give(0, t[1].Elem, dims)
	if t[0].Content == nil || t[1].Content == nil || t[2].Content == nil || volume(dims) > MaxContent {
		return nil
	}
	content := make([]float64, volume(dims))
	for i := range content {
		if t[0].at(i, dims) != 0 {
			content[i] = t[1].at(i, dims)
		} else {
			content[i] = t[2].at(i, dims)
		}
	}
	n.out[0].Content = content
	return nil
}

func dropout(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	n.give(0, x.Elem, x.Dims)
	n.give(1, boolType, x.Dims)
	return nil
}

func layerNormalization(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	from, err := axis(n.Int("axis", -1), len(x.Dims))
	if err != nil {
		return err
	}
	n.give(0, x.Elem, x.Dims)
	mean := append([]int64{}, x.Dims...)
	for i := from; i < len(mean); i++ {
		mean[i] = 1
	}
	n.give(1, float32Type, mean)
	n.give(2, float32Type, mean)
	return nil
}

func quantize(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	elem := n.Int("output_dtype", uint8Type)
	if n.has(2) {
		elem = n.Inputs[2].Elem
	}
	n.give(0, elem, x.Dims)
	return nil
}

func dequantize(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	scale, err := n.input(1)
	if err != nil {
		return err
	}
	n.give(0, scale.Elem, x.Dims)
	return nil
}

func dynamicQuantize(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	n.give(0, uint8Type, x.Dims)
	n.give(1, float32Type, nil)
	n.give(2, uint8Type, nil)
	return nil
}
