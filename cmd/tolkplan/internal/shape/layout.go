package shape

import (
	"fmt"
	"math"
	"slices"
)

// keep gives the first input's elements in another shape.
func (n *node) keep(x *Tensor, dims []int64) error {
	if volume(dims) != volume(x.Dims) {
		return fmt.Errorf("%d elements of shape %v do not fit the shape %v", volume(x.Dims), x.Dims, dims)
	}
	n.give(0, x.Elem, dims)
	n.out[0].Content = x.Content
	return nil
}

func reshape(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	to, err := n.setting("shape", 1)
	if err != nil {
		return err
	}
	dims, free := slices.Clone(to), -1
	for i, d := range dims {
		switch {
		case d == 0 && n.Int("allowzero", 0) == 0:
			if i >= len(x.Dims) {
				return errShape
			}
			dims[i] = x.Dims[i]
		case d == -1 && free >= 0:
			return fmt.Errorf("the shape %v leaves two sizes open", to)
		case d == -1:
			free, dims[i] = i, 1
		}
	}
	if free >= 0 {
		if rest := volume(dims); rest > 0 {
			dims[free] = volume(x.Dims) / rest
		}
	}
	return n.keep(x, dims)
}

func flatten(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	at := n.Int("axis", 1)
	if at < 0 {
		at += int64(len(x.Dims))
	}
	if at < 0 || at > int64(len(x.Dims)) {
		return errShape
	}
	return n.keep(x, []int64{volume(x.Dims[:at]), volume(x.Dims[at:])})
}

func squeeze(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	list, err := n.setting("axes", 1)
	if err != nil {
		return err
	}
	gone, err := axes(list, len(x.Dims))
	if err != nil {
		return err
	}
	dims := []int64{}
	for i, d := range x.Dims {
		if list == nil && d != 1 || list != nil && !slices.Contains(gone, i) {
			dims = append(dims, d)
		}
	}
	return n.keep(x, dims)
}

func unsqueeze(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	list, err := n.setting("axes", 1)
	if err != nil {
		return err
	}
	added, err := axes(list, len(x.Dims)+len(list))
	if err != nil {
		return err
	}
	dims := make([]int64, 0, len(x.Dims)+len(list))
	rest := x.Dims
	for i := range cap(dims) {
		switch {
		case slices.Contains(added, i):
			dims = append(dims, 1)
		case len(rest) > 0:
			dims, rest = append(dims, rest[0]), rest[1:]
		}
	}
	return n.keep(x, dims)
}

func transpose(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	order := n.Ints("perm")
	if order == nil {
		for i := range x.Dims {
			order = append(order, int64(len(x.Dims)-1-i))
		}
	}
	from, err := axes(order, len(x.Dims))
	if err != nil || len(from) != len(x.Dims) {
		return errShape
	}
	dims := make([]int64, len(from))
	for i, f := range from {
		dims[i] = x.Dims[f]
	}
	n.give(0, x.Elem, dims)
	n.out[0].Content = x.permuted(from, dims)
	return nil
}

// permuted is the contents of x with its axes in another order.
func (x *Tensor) permuted(from []int, dims []int64) []float64 {
	if x.Content == nil || volume(dims) != int64(len(x.Content)) {
		return nil
	}
	strides := make([]int64, len(dims)) // by axis of x
	step := int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		strides[i], step = step, step*x.Dims[i]
	}
	out := make([]float64, len(x.Content))
	for i := range out {
		place, rest := int64(0), int64(i)
		for k := len(dims) - 1; k >= 0; k-- {
			place += rest % dims[k] * strides[from[k]]
			rest /= dims[k]
		}
		out[i] = x.Content[place]
	}
	return out
}

func concat(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", 0), len(x.Dims))
	if err != nil {
		return err
	}
	dims, content := slices.Clone(x.Dims), slices.Clone(x.Content)
	for i := 1; i < len(n.Inputs); i++ {
		y, err := n.input(i)
		if err != nil {
			return err
		}
		if len(y.Dims) != len(dims) || y.Dims[at] > math.MaxInt64-dims[at] {
			return errShape
		}
		dims[at] += y.Dims[at]
		if y.Content == nil || content == nil || len(content)+len(y.Content) > MaxContent {
			content = nil
		} else {
			content = append(content, y.Content...)
		}
	}
	n.give(0, x.Elem, dims)
	if at == 0 {
		n.out[0].Content = content
	}
	return nil
}

func split(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", 0), len(x.Dims))
	if err != nil {
		return err
	}
	sizes, err := n.setting("split", 1)
	if err != nil {
		return err
	}
	if sizes == nil && len(n.out) > 0 {
		parts := int64(len(n.out))
		each := (x.Dims[at] + parts - 1) / parts
		for i := range parts {
			sizes = append(sizes, max(0, min(each, x.Dims[at]-i*each)))
		}
	}
	if len(sizes) != len(n.out) {
		return errShape
	}
	from := int64(0)
	for i, size := range sizes {
		dims := slices.Clone(x.Dims)
		dims[at] = size
		n.give(i, x.Elem, dims)
		if len(dims) == 1 && x.Content != nil && size >= 0 && size <= int64(len(x.Content))-from {
			n.out[i].Content = x.Content[from : from+size]
		}
		from += size
	}
	if from != x.Dims[at] {
		return errShape
	}
	return nil
}

// slice takes from, to and step along some axes.
func slice(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	starts, err := n.setting("starts", 1)
	if err != nil {
		return err
	}
	ends, err := n.setting("ends", 2)
	if err != nil {
		return err
	}
	list, err := n.setting("axes", 3)
	if err != nil {
		return err
	}
	steps := ones(len(starts))
	if n.has(4) {
		if steps, err = n.integers(4); err != nil {
			return err
		}
	}
	if list == nil {
		for i := range starts {
			list = append(list, int64(i))
		}
	}
	along, err := axes(list, len(x.Dims))
	if err != nil || len(ends) != len(starts) || len(steps) != len(starts) || len(along) != len(starts) {
		return errShape
	}
	dims, content := slices.Clone(x.Dims), x.Content
	for i, a := range along {
		if steps[i] == 0 {
			return errShape
		}
		from, count := cut(x.Dims[a], starts[i], ends[i], steps[i])
		content = pick(content, dims, a, from, count, steps[i])
		dims[a] = count
	}
	n.give(0, x.Elem, dims)
	n.out[0].Content = content
	return nil
}

// cut is the first index and the count of a slice of a dimension.
func cut(size, start, end, step int64) (from, count int64) {
	if start < 0 {
		start += size
	}
	if end < 0 {
		end = max(end, math.MinInt64/2) + size
	}
	if step > 0 {
		start, end = min(max(start, 0), size), min(max(end, 0), size)
		return start, max(0, (end-start+min(step, size+1)-1)/min(step, size+1))
	}
	step = min(-max(step, -size-1), size+1)
	start, end = min(max(start, 0), size-1), min(max(end, -1), size-1)
	return start, max(0, (start-end+step-1)/step)
}

// pick is the slice of contents of shape dims along an axis.
func pick(content []float64, dims []int64, axis int, from, count, step int64) []float64 {
	if content == nil {
		return nil
	}
	inner := volume(dims[axis+1:])
	out := []float64{}
	for block := range volume(dims[:axis]) {
		for i := range count {
			at := (block*dims[axis] + from + i*step) * inner
			out = append(out, content[at:at+inner]...)
		}
	}
	return out
}

func gather(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	indices, err := n.input(1)
	if err != nil {
		return err
	}
	at, err := axis(n.Int("axis", 0), len(x.Dims))
	if err != nil {
		return err
	}
	n.give(0, x.Elem, slices.Concat(x.Dims[:at], indices.Dims, x.Dims[at+1:]))
	if x.Content == nil || indices.Content == nil || len(x.Dims) != 1 {
		return nil
	}
	list, err := indices.integers()
	if err != nil {
		return err
	}
	content := make([]float64, len(list))
	for i, k := range list {
		from, err := axis(k, len(x.Content))
		if err != nil {
			return err
		}
		content[i] = x.Content[from]
	}
	n.out[0].Content = content
	return nil
}

func gatherElements(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	indices, err := n.input(1)
	if err != nil {
		return err
	}
	n.give(0, x.Elem, indices.Dims)
	return nil
}

func gatherND(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	indices, err := n.input(1)
	if err != nil {
		return err
	}
	last := len(indices.Dims) - 1
	batch := n.Int("batch_dims", 0)
	if last < 0 || batch < 0 || batch > int64(last) || indices.Dims[last] > int64(len(x.Dims))-batch {
		return errShape
	}
	n.give(0, x.Elem, slices.Concat(indices.Dims[:last], x.Dims[batch+indices.Dims[last]:]))
	return nil
}

func expand(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	to, err := n.integers(1)
	if err != nil {
		return err
	}
	dims, err := broadcast(x.Dims, to)
	if err != nil {
		return err
	}
	n.give(0, x.Elem, dims)
	if x.Content != nil && volume(dims) <= MaxContent && volume(dims) > 0 {
		content := make([]float64, volume(dims))
		for i := range content {
			content[i] = x.at(i, dims)
		}
		n.out[0].Content = content
	}
	return nil
}

func tile(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	times, err := n.integers(1)
	if err != nil {
		return err
	}
	if len(times) != len(x.Dims) {
		return errShape
	}
	return n.scale(x, times)
}

// scale gives the first input with each dimension some times as large.
func (n *node) scale(x *Tensor, times []int64) error {
	dims := make([]int64, len(times))
	for i := range times {
		if times[i] < 0 {
			return errShape
		}
		if dims[i] = volume([]int64{x.Dims[i], times[i]}); dims[i] == math.MaxInt64 {
			return errShape
		}
	}
	n.give(0, x.Elem, dims)
	return nil
}

func pad(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	pads, err := n.setting("pads", 1)
	if err != nil {
		return err
	}
	along := make([]int, len(x.Dims))
	for i := range along {
		along[i] = i
	}
	if n.has(3) {
		list, err := n.integers(3)
		if err != nil {
			return err
		}
		if along, err = axes(list, len(x.Dims)); err != nil {
			return err
		}
	}
	if len(pads) != 2*len(along) {
		return errShape
	}
	dims := slices.Clone(x.Dims)
	for i, a := range along {
		if large(pads[i]) || large(pads[i+len(along)]) || dims[a] > math.MaxInt64/2 {
			return errShape
		}
		dims[a] += pads[i] + pads[i+len(along)]
	}
	n.give(0, x.Elem, dims)
	return nil
}

func spaceToDepth(n *node) error {
	block := n.Int("blocksize", 0)
	x, err := n.input(0)
	if err != nil {
		return err
	}
	if len(x.Dims) != 4 || small(block) || large(x.Dims[1]) {
		return errShape
	}
	n.give(0, x.Elem, []int64{x.Dims[0], volume([]int64{x.Dims[1], block, block}), x.Dims[2] / block, x.Dims[3] / block})
	return nil
}

func depthToSpace(n *node) error {
	block := n.Int("blocksize", 0)
	x, err := n.input(0)
	if err != nil {
		return err
	}
	if len(x.Dims) != 4 || small(block) {
		return errShape
	}
	n.give(0, x.Elem, []int64{x.Dims[0], x.Dims[1] / block / block, volume([]int64{x.Dims[2], block}), volume([]int64{x.Dims[3], block})})
	return nil
}
