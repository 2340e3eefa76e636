package shape

import "fmt"

// window is what convolutions and pools slide over an input, along its dimensions from the third on.
type window struct {
	kernel, strides, dilations, pads []int64
	auto                             string
	up                               bool // whether sizes are rounded up
}

func (n *node) window(kernel []int64) (*window, error) {
	w := &window{kernel: kernel, strides: n.Ints("strides"), dilations: n.Ints("dilations"), pads: n.Ints("pads"), auto: n.Text("auto_pad"),
		up: n.Int("ceil_mode", 0) != 0}
	for _, list := range []*[]int64{&w.strides, &w.dilations} {
		if *list == nil {
			*list = ones(len(kernel))
		}
	}
	if w.pads == nil {
		w.pads = make([]int64, 2*len(kernel))
	}
	if len(w.strides) != len(kernel) || len(w.dilations) != len(kernel) || len(w.pads) != 2*len(kernel) {
		return nil, fmt.Errorf("strides %v, dilations %v and pads %v do not fit a kernel of %d dimensions", w.strides, w.dilations, w.pads, len(kernel))
	}
	for k := range kernel {
		if small(kernel[k]) || small(w.strides[k]) || small(w.dilations[k]) || large(w.pads[k]) || large(w.pads[k+len(kernel)]) {
			return nil, fmt.Errorf("kernel %v, strides %v, dilations %v or pads %v are out of range", kernel, w.strides, w.dilations, w.pads)
		}
	}
	return w, nil
}

func ones(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = 1
	}
	return list
}

// reach is the greatest size of a window: beyond it sums of sizes could leave 64 bits.
const reach = 1 << 28

func small(n int64) bool { return n < 1 || n > reach }

func large(n int64) bool { return n < -reach || n > reach }

// size is what a dimension of some size becomes.
func (w *window) size(k int, in int64) (int64, error) {
	if large(in) {
		return 0, errShape
	}
	if w.auto == "SAME_UPPER" || w.auto == "SAME_LOWER" {
		return (in + w.strides[k] - 1) / w.strides[k], nil
	}
	padded := in + w.pads[k] + w.pads[k+len(w.kernel)]
	if w.auto == "VALID" {
		padded = in
	}
	room := padded - (w.kernel[k]-1)*w.dilations[k] - 1
	if room < 0 {
		return 0, errShape
	}
	out := room/w.strides[k] + 1
	if w.up && room%w.strides[k] != 0 && (out)*w.strides[k] < in+w.pads[k] {
		out++
	}
	return out, nil
}

// slid is the shape of an input that a window slid over, with some channels.
func (w *window) slid(in []int64, channels int64) ([]int64, error) {
	if len(in) != len(w.kernel)+2 {
		return nil, errShape
	}
	dims := []int64{in[0], channels}
	for k := range w.kernel {
		d, err := w.size(k, in[k+2])
		if err != nil {
			return nil, err
		}
		dims = append(dims, d)
	}
	return dims, nil
}

func conv(n *node) error {
	elem := int64(int32Type)
	if n.Kind == "Conv" && n.has(0) {
		elem = n.Inputs[0].Elem
	}
	return n.convolve(0, 1, elem)
}

func qlinearConv(n *node) error {
	zero, err := n.input(7)
	if err != nil {
		return err
	}
	return n.convolve(0, 3, zero.Elem)
}

func (n *node) convolve(input, weight int, elem int64) error {
	x, err := n.input(input)
	if err != nil {
		return err
	}
	w, err := n.input(weight)
	if err != nil {
		return err
	}
	if len(w.Dims) < 2 || len(x.Dims) != len(w.Dims) {
		return errShape
	}
	over, err := n.window(w.Dims[2:])
	if err != nil {
		return err
	}
	dims, err := over.slid(x.Dims, w.Dims[0])
	n.give(0, elem, dims)
	return err
}

func convTranspose(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	w, err := n.input(1)
	if err != nil {
		return err
	}
	if len(w.Dims) < 2 || len(x.Dims) != len(w.Dims) {
		return errShape
	}
	over, err := n.window(w.Dims[2:])
	if err != nil {
		return err
	}
	dims := []int64{x.Dims[0], w.Dims[1] * n.Int("group", 1)}
	shape, extra := n.Ints("output_shape"), n.Ints("output_padding")
	for k := range over.kernel {
		if large(x.Dims[k+2]) {
			return errShape
		}
		d := over.strides[k]*(x.Dims[k+2]-1) + (over.kernel[k]-1)*over.dilations[k] + 1 - over.pads[k] - over.pads[k+len(over.kernel)]
		if k < len(extra) {
			d += extra[k]
		}
		if over.auto == "SAME_UPPER" || over.auto == "SAME_LOWER" {
			d = x.Dims[k+2] * over.strides[k]
		}
		if len(shape) == len(over.kernel) {
			d = shape[k]
		}
		dims = append(dims, d)
	}
	n.give(0, x.Elem, dims)
	return nil
}

func pool(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	over, err := n.window(n.Ints("kernel_shape"))
	if err != nil {
		return err
	}
	if len(x.Dims) < 2 {
		return errShape
	}
	dims, err := over.slid(x.Dims, x.Dims[1])
	n.give(0, x.Elem, dims)
	n.give(1, int64Type, dims)
	return err
}

func globalPool(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	if len(x.Dims) < 2 {
		return errShape
	}
	n.give(0, x.Elem, append([]int64{x.Dims[0], x.Dims[1]}, ones(len(x.Dims)-2)...))
	return nil
}
