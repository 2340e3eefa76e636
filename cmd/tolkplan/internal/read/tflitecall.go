package read

// callee is the subgraph that an operator's options name.
func (r *tfliteRun) callee(t table, field int) (*tfliteRun, error) {
	at, err := t.field(operatorOptions, 4, "an operator's options")
	if err != nil {
		return nil, err
	}
	graph := int64(0)
	if at != 0 {
		options, err := t.table(at, "an operator's options")
		if err != nil {
			return nil, err
		}
		if graph, err = options.integer(field, 4, 0, "the subgraph that an operator calls"); err != nil {
			return nil, err
		}
	}
	return r.enter(int(graph), r)
}

// bind makes the tensors of a run stand for values of its caller.
func (r *tfliteRun) bind(tensors, values []int32, what string) error {
	if len(tensors) != len(values) {
		return failure(r.file, "subgraph %d has %d %ss; it is called with %d", r.graph, len(tensors), what, len(values))
	}
	for i, t := range tensors {
		if t < 0 || int(t) >= len(r.value) {
			return failure(r.file, "an %s of subgraph %d is tensor %d; it has %d", what, r.graph, t, len(r.value))
		}
		if values[i] >= 0 && !r.valueOf(t).weight {
			r.value[t] = values[i]
		}
	}
	return nil
}

// valueOf is the value that a tensor of the run stands for.
func (r *tfliteRun) valueOf(tensor int32) *value { return &r.model.values[r.value[tensor]] }

// call writes out a subgraph whose inputs and outputs are values of its caller.
func (r *tfliteRun) call(t table, field int, inputs, outputs []int32) error {
	callee, err := r.callee(t, field)
	if err != nil {
		return err
	}
	g := &r.graphs[callee.graph]
	if err := callee.bind(g.outputs, outputs, "output"); err != nil {
		return err
	}
	// An output that is an input as well is the caller's input: what it returns is copied.
	if err := callee.bind(g.inputs, inputs, "input"); err != nil {
		return err
	}
	if err := callee.operators(); err != nil {
		return err
	}
	return r.copyOut(callee, outputs)
}

// copyOut is a step that copies what a subgraph returns, where that is not the caller's value already.
func (r *tfliteRun) copyOut(callee *tfliteRun, outputs []int32) error {
	var from, to []int32
	for i, t := range r.graphs[callee.graph].outputs {
		if v := callee.value[t]; i < len(outputs) && v != outputs[i] {
			from, to = append(from, v), append(to, outputs[i])
		}
	}
	if len(to) == 0 {
		return nil
	}
	return r.do("return", from, to)
}

// branches writes out both branches of an IF.
func (r *tfliteRun) branches(t table, inputs, outputs []int32) error {
	if len(inputs) == 0 {
		return t.fail(t.at, "an IF has no condition")
	}
	if err := r.do("IF", inputs[:1]); err != nil {
		return err
	}
	for field := range 2 {
		if err := r.call(t, field, inputs[1:], outputs); err != nil {
			return err
		}
	}
	return nil
}

// while writes out a WHILE: its state is in its outputs, which each trip reads and, when it is done, overwrites.
func (r *tfliteRun) while(t table, inputs, outputs []int32) error {
	if err := r.do("WHILE", inputs, outputs); err != nil {
		return err
	}
	condition, err := r.callee(t, 0)
	if err != nil {
		return err
	}
	if err := condition.bind(r.graphs[condition.graph].inputs, outputs, "input"); err != nil {
		return err
	}
	if err := condition.operators(); err != nil {
		return err
	}
	flags, err := condition.values(r.graphs[condition.graph].outputs, "the condition of a WHILE")
	if err != nil {
		return err
	}
	if err := r.do("WHILE: go on?", flags); err != nil {
		return err
	}
	return r.trip(t, outputs)
}

func (r *tfliteRun) trip(t table, state []int32) error {
	body, err := r.callee(t, 1)
	if err != nil {
		return err
	}
	g := &r.graphs[body.graph]
	if err := body.bind(g.inputs, state, "input"); err != nil {
		return err
	}
	if err := body.operators(); err != nil {
		return err
	}
	next, err := body.values(g.outputs, "what a WHILE returns")
	if err != nil {
		return err
	}
	if len(next) != len(state) {
		return failure(r.file, "the body of a WHILE returns %d values; its state has %d", len(next), len(state))
	}
	return r.do("WHILE: next trip", state, next)
}
