package shape

import "slices"

func matMul(n *node) error {
	a, err := n.input(0)
	if err != nil {
		return err
	}
	b, err := n.input(1)
	if err != nil {
		return err
	}
	dims, err := product(a.Dims, b.Dims)
	if err != nil {
		return err
	}
	elem := a.Elem
	if n.Kind == "MatMulInteger" {
		elem = int32Type
	}
	n.give(0, elem, dims)
	return nil
}

// product is the shape of a matrix product, whose leading dimensions are broadcast.
func product(a, b []int64) ([]int64, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, errShape
	}
	row, column := len(a) == 1, len(b) == 1
	if row {
		a = []int64{1, a[0]}
	}
	if column {
		b = []int64{b[0], 1}
	}
	if a[len(a)-1] != b[len(b)-2] {
		return nil, errShape
	}
	dims, err := broadcast(a[:len(a)-2], b[:len(b)-2])
	if err != nil {
		return nil, err
	}
	if !row {
		dims = append(dims, a[len(a)-2])
	}
	if !column {
		dims = append(dims, b[len(b)-1])
	}
	return dims, nil
}

func gemm(n *node) error {
	a, err := n.input(0)
	if err != nil {
		return err
	}
	b, err := n.input(1)
	if err != nil {
		return err
	}
	if len(a.Dims) != 2 || len(b.Dims) != 2 {
		return errShape
	}
	x, y := slices.Clone(a.Dims), slices.Clone(b.Dims)
	if n.Int("transA", 0) != 0 {
		slices.Reverse(x)
	}
	if n.Int("transB", 0) != 0 {
		slices.Reverse(y)
	}
	if x[1] != y[0] {
		return errShape
	}
	n.give(0, a.Elem, []int64{x[0], y[1]})
	return nil
}

func qlinearMatMul(n *node) error {
	a, err := n.input(0)
	if err != nil {
		return err
	}
	b, err := n.input(3)
	if err != nil {
		return err
	}
	zero, err := n.input(7)
	if err != nil {
		return err
	}
	dims, err := product(a.Dims, b.Dims)
	n.give(0, zero.Elem, dims)
	return err
}

// recurrent is LSTM, GRU and RNN: the sequence, then the last states.
func recurrent(n *node) error {
	x, err := n.input(0)
	if err != nil {
		return err
	}
	r, err := n.input(2)
	if err != nil {
		return err
	}
	if len(x.Dims) != 3 || len(r.Dims) != 3 {
		return errShape
	}
	length, batch, directions := x.Dims[0], x.Dims[1], r.Dims[0]
	hidden := n.Int("hidden_size", r.Dims[2])
	sequence, state := []int64{length, directions, batch, hidden}, []int64{directions, batch, hidden}
	if n.Int("layout", 0) != 0 {
		length, batch = batch, length
		sequence, state = []int64{batch, length, directions, hidden}, []int64{batch, directions, hidden}
	}
	n.give(0, x.Elem, sequence)
	n.give(1, x.Elem, state)
	n.give(2, x.Elem, state)
	return nil
}
