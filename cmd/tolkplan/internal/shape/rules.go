package shape

import "strings"

// rules are what each operator gives.
var rules = makeRules()

func makeRules() map[string]rule {
	all := map[string]rule{
		"Cast": cast, "CastLike": castLike, "Where": where, "Shape": shapeOf, "Size": sizeOf, "Range": rangeOf,
		"MatMul": matMul, "MatMulInteger": matMul, "Gemm": gemm, "Conv": conv, "ConvInteger": conv, "ConvTranspose": convTranspose,
		"QLinearConv": qlinearConv, "QLinearMatMul": qlinearMatMul,
		"MaxPool": pool, "AveragePool": pool, "LpPool": pool, "GlobalAveragePool": globalPool, "GlobalMaxPool": globalPool, "GlobalLpPool": globalPool,
		"Reshape": reshape, "Flatten": flatten, "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Transpose": transpose, "Concat": concat,
		"Split": split, "Slice": slice, "Gather": gather, "GatherElements": gatherElements, "GatherND": gatherND, "Expand": expand,
		"Tile": tile, "Pad": pad, "ConstantOfShape": constantOfShape, "Resize": resize, "Upsample": resize, "SpaceToDepth": spaceToDepth,
		"DepthToSpace": depthToSpace, "ArgMax": argReduce, "ArgMin": argReduce, "TopK": topK, "OneHot": oneHot,
		"LSTM": recurrent, "GRU": recurrent, "RNN": recurrent, "QuantizeLinear": quantize, "DequantizeLinear": dequantize,
		"DynamicQuantizeLinear": dynamicQuantize, "BatchNormalization": first, "LayerNormalization": layerNormalization,
		"Dropout": dropout,
	}
	add := func(r rule, names string) {
		for _, name := range strings.Fields(names) {
			all[name] = r
		}
	}
	add(first, `Relu Sigmoid Tanh Exp Log Sqrt Neg Abs Erf Softmax LogSoftmax Hardmax LeakyRelu Elu Selu Celu ThresholdedRelu HardSigmoid HardSwish
		Clip Identity InstanceNormalization GroupNormalization RMSNormalization LRN Softplus Softsign Gelu Mish Swish Ceil Floor Round Reciprocal Sign Sin Cos
		Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Not CumSum PRelu LpNormalization MeanVarianceNormalization Shrink ReverseSequence
		ScatterElements ScatterND Scatter Trilu BitwiseNot`)
	add(together(0), "Add Sub Mul Div Pow Mod Max Min Sum Mean BitwiseAnd BitwiseOr BitwiseXor BitShift And Or Xor")
	add(together(boolType), "Equal Less Greater LessOrEqual GreaterOrEqual")
	add(predicate, "IsNaN IsInf")
	add(reduce, "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare")
	return all
}
