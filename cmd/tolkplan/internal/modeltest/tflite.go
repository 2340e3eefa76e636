package modeltest

import flatbuffers "github.com/google/flatbuffers/go"

// Tensor types of TensorFlow Lite.
const (
	TFLiteFloat32 = 0
	TFLiteInt8    = 9
	TFLiteBool    = 6
	TFLiteString  = 5
	TFLiteInt4    = 17
)

// TFLiteTensor is a tensor of a subgraph. A signature of nil is left out.
type TFLiteTensor struct {
	Name             string
	Shape, Signature []int32
	Type             int8
	Weight, Variable bool
}

// TFLiteOperator is an operator: a builtin code, or a custom one's name. Calls are the subgraphs that its options name, in the order of their fields.
type TFLiteOperator struct {
	Code            int32
	Custom          string
	Inputs, Outputs []int32
	Calls           []int32
}

// TFLiteGraph is a subgraph.
type TFLiteGraph struct {
	Tensors         []TFLiteTensor
	Inputs, Outputs []int32
	Operators       []TFLiteOperator
}

// TFLite is a model of subgraphs, the first of which is the model's own.
func TFLite(graphs ...TFLiteGraph) []byte {
	b := &builder{Builder: flatbuffers.NewBuilder(1024)}
	var subgraphs, codes []flatbuffers.UOffsetT
	for _, g := range graphs {
		subgraphs = append(subgraphs, b.graph(g))
	}
	for _, o := range b.codes {
		codes = append(codes, b.code(o))
	}
	empty := b.table(func() {})
	data := b.bytes(make([]byte, 16))
	full := b.table(func() { b.PrependUOffsetTSlot(0, data, 0) })
	buffers := b.list(empty, full)
	subgraphList, codeList := b.list(subgraphs...), b.list(codes...)
	b.FinishWithFileIdentifier(b.table(func() {
		b.PrependUint32Slot(0, 3, 0)
		b.PrependUOffsetTSlot(1, codeList, 0)
		b.PrependUOffsetTSlot(2, subgraphList, 0)
		b.PrependUOffsetTSlot(4, buffers, 0)
	}), []byte("TFL3"))
	return b.FinishedBytes()
}

type builder struct {
	*flatbuffers.Builder
	codes []TFLiteOperator // one an operator
}

// fields is more than any table here has.
const fields = 12

func (b *builder) table(fill func()) flatbuffers.UOffsetT {
	b.StartObject(fields)
	fill()
	return b.EndObject()
}

func (b *builder) list(items ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(items), 4)
	for i := len(items) - 1; i >= 0; i-- {
		b.PrependUOffsetT(items[i])
	}
	return b.EndVector(len(items))
}

func (b *builder) ints(items []int32) flatbuffers.UOffsetT {
	b.StartVector(4, len(items), 4)
	for i := len(items) - 1; i >= 0; i-- {
		b.PrependInt32(items[i])
	}
	return b.EndVector(len(items))
}

func (b *builder) bytes(data []byte) flatbuffers.UOffsetT { return b.CreateByteVector(data) }

func (b *builder) code(o TFLiteOperator) flatbuffers.UOffsetT {
	name := b.CreateString(o.Custom)
	return b.table(func() {
		b.PrependInt8Slot(0, int8(min(o.Code, 127)), 0)
		if o.Custom != "" {
			b.PrependUOffsetTSlot(1, name, 0)
		}
		b.PrependInt32Slot(3, o.Code, 0)
	})
}

func (b *builder) graph(g TFLiteGraph) flatbuffers.UOffsetT {
	var tensors, operators []flatbuffers.UOffsetT
	for _, t := range g.Tensors {
		tensors = append(tensors, b.tensor(t))
	}
	for _, o := range g.Operators {
		operators = append(operators, b.operator(o))
	}
	tensorList, operatorList, inputs, outputs := b.list(tensors...), b.list(operators...), b.ints(g.Inputs), b.ints(g.Outputs)
	return b.table(func() {
		b.PrependUOffsetTSlot(0, tensorList, 0)
		b.PrependUOffsetTSlot(1, inputs, 0)
		b.PrependUOffsetTSlot(2, outputs, 0)
		b.PrependUOffsetTSlot(3, operatorList, 0)
	})
}

func (b *builder) tensor(t TFLiteTensor) flatbuffers.UOffsetT {
	name, shape, signature := b.CreateString(t.Name), b.ints(t.Shape), b.ints(t.Signature)
	return b.table(func() {
		b.PrependUOffsetTSlot(0, shape, 0)
		b.PrependInt8Slot(1, t.Type, 0)
		if t.Weight {
			b.PrependUint32Slot(2, 1, 0)
		}
		b.PrependUOffsetTSlot(3, name, 0)
		b.PrependBoolSlot(5, t.Variable, false)
		if t.Signature != nil {
			b.PrependUOffsetTSlot(7, signature, 0)
		}
	})
}

func (b *builder) operator(o TFLiteOperator) flatbuffers.UOffsetT {
	inputs, outputs := b.ints(o.Inputs), b.ints(o.Outputs)
	options := b.table(func() {
		for i, graph := range o.Calls {
			b.PrependInt32Slot(i, graph, 0)
		}
	})
	b.codes = append(b.codes, o)
	index := uint32(len(b.codes) - 1)
	return b.table(func() {
		b.PrependUint32Slot(0, index, 0)
		b.PrependUOffsetTSlot(1, inputs, 0)
		b.PrependUOffsetTSlot(2, outputs, 0)
		if o.Calls != nil {
			b.PrependUOffsetTSlot(4, options, 0)
		}
	})
}
