package shape

import (
	"math"
	"slices"
)

func reduce(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	list, err := n.setting("axes", 1)
	if err != nil {
		return err
	}
	if len(list) == 0 && n.Int("noop_with_empty_axes", 0) != 0 {
		n.give(0, x.Elem, x.Dims)
		return nil
	}
	over, err := axes(list, len(x.Dims))
	if err != nil {
		return err
	}
	n.give(0, x.Elem, reduced(x.Dims, over, n.Int("keepdims", 1) != 0))
	if n.Kind == "ReduceProd" && x.Content != nil && len(x.Dims) == 1 {
		product := 1.0
		for _, v := range x.Content {
			product *= v
		}
		n.out[0].Content = []float64{product}
	}
	return nil
}

// reduced is dims without some axes, all if there are none, or with 1 in their place.
func reduced(dims []int64, over []int, keep bool) []int64 {
	out := []int64{}
	for i, d := range dims {
		switch {
		case len(over) > 0 && !slices.Contains(over, i):
			out = append(out, d)
		case keep:
			out = append(out, 1)
		}
	}
	return out
}

func argReduce(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", 0), len(x.Dims))
	if err != nil {
		return err
	}
	n.give(0, int64Type, reduced(x.Dims, []int{at}, n.Int("keepdims", 1) != 0))
	return nil
}

func topK(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", -1), len(x.Dims))
	if err != nil {
		return err
	}
	k := n.Int("k", -1)
	if k < 0 {
		list, err := n.integers(1)
		if err != nil || len(list) != 1 {
			return errContent
		}
		k = list[0]
	}
	dims := slices.Clone(x.Dims)
	dims[at] = k
	n.give(0, x.Elem, dims)
	n.give(1, int64Type, dims)
	return nil
}

func oneHot(n *node) error {
	indices, err := n.input(0)
	if err != nil {
		return err
	}
	depth, err := n.integers(1)
	if err != nil || len(depth) != 1 {
		return errContent
	}
	values, err := n.input(2)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", -1), len(indices.Dims)+1)
	if err != nil {
		return err
	}
	n.give(0, values.Elem, slices.Insert(slices.Clone(indices.Dims), at, depth[0]))
	return nil
}

func shapeOf(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	rank := int64(len(x.Dims))
	from, to := n.Int("start", 0), n.Int("end", rank)
	if from < 0 {
		from += rank
	}
	if to < 0 {
		to += rank
	}
	from, to = min(max(from, 0), rank), min(max(to, 0), rank)
	content := make([]float64, 0, rank)
	for _, d := range x.Dims[from:max(from, to)] {
		content = append(content, float64(d))
	}
	n.give(0, int64Type, []int64{int64(len(content))})
	n.out[0].Content = content
	return nil
}

func sizeOf(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	n.give(0, int64Type, nil)
	n.out[0].Content = []float64{float64(volume(x.Dims))}
	return nil
}

func rangeOf(n *node) error {
	var v [3]float64
	for i := range v {
		t, err := n.input(i)
		if err != nil {
			return err
		}
		if len(t.Content) != 1 {
			return errContent
		}
		v[i] = t.Content[0]
	}
	count := math.Ceil((v[1] - v[0]) / v[2])
	if math.IsNaN(count) || count > math.MaxInt32 {
		return errShape
	}
	n.give(0, n.Inputs[0].Elem, []int64{int64(max(count, 0))})
	if count <= MaxContent {
		content := make([]float64, 0, int(max(count, 0)))
		for i := range cap(content) {
			content = append(content, v[0]+float64(i)*v[2])
		}
		n.out[0].Content = content
	}
	return nil
}

// constantOfShape gives a value, 0 if none is said, in a shape that its input holds. Its value is an attribute that is a tensor, which the caller
// passes as a second input.
func constantOfShape(n *node) error {
	dims, err := n.integers(0)
	if err != nil {
		return err
	}
	elem, value := int64(float32Type), []float64{0}
	if n.has(1) {
		elem, value = n.Inputs[1].Elem, n.Inputs[1].Content
	}
	n.give(0, elem, dims)
	if len(value) == 1 && volume(dims) <= MaxContent {
		content := make([]float64, volume(dims))
		for i := range content {
			content[i] = value[0]
		}
		n.out[0].Content = content
	}
	return nil
}

// resize is Resize and Upsample: the sizes are an input, or follow from scales.
func resize(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	if n.has(3) && n.Kind == "Resize" {
		sizes, err := n.integers(3)
		if err != nil {
			return err
		}
		if len(sizes) == len(x.Dims) {
			n.give(0, x.Elem, sizes)
			return nil
		}
	}
	at := 2
	if n.Kind == "Upsample" || n.Opset < 11 {
		at = 1
	}
	scales, err := n.input(at)
	if err != nil {
		return err
	}
	if scales.Content == nil {
		return errContent
	}
	if len(scales.Content) != len(x.Dims) {
		return errShape
	}
	dims := make([]int64, len(x.Dims))
	for i, s := range scales.Content {
		d := math.Floor(float64(x.Dims[i]) * s)
		if math.IsNaN(d) || d < 0 || d > math.MaxInt32 {
			return errShape
		}
		dims[i] = int64(d)
	}
	n.give(0, x.Elem, dims)
	return nil
}
