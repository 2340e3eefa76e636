package ir_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
)

// kit is a graph with an op of every kind in it.
type kit struct {
	g     *ir.Graph
	one   ir.Placement
	two   ir.Placement
	ops   map[ir.Kind]ir.Op
	flag  ir.Op
	multi ir.Op
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newKit() *kit {
	g := ir.NewGraph()
	k := &kit{g: g, one: must(g.Placement("CPU")), two: must(g.Placement("CUDA:0", "CUDA:1")), ops: map[ir.Kind]ir.Op{}}
	float := ir.Storage{Dtype: ir.Float32, Count: 16, Placement: k.one}
	k.ops[ir.Buffer], k.ops[ir.Alloc], k.ops[ir.Param] = must(g.Buffer(float)), must(g.Alloc(float)), must(g.Param(float))
	k.flag = must(g.Buffer(ir.Storage{Dtype: ir.Bool, Count: 1, Placement: k.one}))
	k.multi = must(g.Buffer(ir.Storage{Dtype: ir.Float32, Count: 16, Placement: k.two}))
	k.ops[ir.Const], k.ops[ir.Variable] = must(g.Const(3)), must(g.Variable("n", 0, 4))
	k.ops[ir.Range] = must(g.Range(k.ops[ir.Variable], 7, 1))
	k.ops[ir.Add], k.ops[ir.Mul] = must(g.Add(k.ops[ir.Const], k.ops[ir.Range])), must(g.Mul(k.ops[ir.Const], k.ops[ir.Range]))
	k.ops[ir.Shrink] = must(g.Shrink(k.ops[ir.Buffer], 4, 8))
	k.ops[ir.Bitcast] = must(g.Bitcast(k.ops[ir.Buffer], ir.Int8))
	k.ops[ir.After] = must(g.After(k.ops[ir.Buffer], k.ops[ir.Const]))
	k.ops[ir.MSelect] = must(g.MSelect(k.multi, 1))
	k.ops[ir.MStack] = must(g.MStack(k.ops[ir.Buffer], k.ops[ir.Param]))
	for _, kind := range []ir.Kind{ir.Sink, ir.Store, ir.Program, ir.CustomFunction} {
		k.ops[kind] = must(g.Body(kind, "kernel", 42, k.ops[ir.Buffer]))
	}
	k.ops[ir.Call] = must(g.Call(k.ops[ir.Program], k.ops[ir.Buffer], k.ops[ir.Const]))
	k.ops[ir.Linear] = must(g.Linear(k.ops[ir.Call]))
	k.ops[ir.End] = must(g.End(k.ops[ir.Call], k.ops[ir.Range]))
	k.ops[ir.Backedge] = must(g.Backedge(k.ops[ir.Linear], k.ops[ir.Range], k.flag))
	return k
}

func (k *kit) node(op ir.Op) ir.Node { return must(k.g.Node(op)) }

func TestTheKitHasEveryKind(t *testing.T) {
	k := newKit()
	for _, kind := range ir.Kinds() {
		require.Equal(t, kind, k.node(k.ops[kind]).Kind())
	}
	require.NoError(t, k.g.Check())
}

// Which kinds each group has.
var (
	storageKinds = []ir.Kind{ir.Buffer, ir.Alloc, ir.Param}
	valueKinds   = append([]ir.Kind{ir.Shrink, ir.Bitcast, ir.After, ir.MSelect, ir.MStack}, storageKinds...)
	scalarKinds  = []ir.Kind{ir.Variable, ir.Const, ir.Range, ir.Add, ir.Mul}
	bodyKinds    = []ir.Kind{ir.Sink, ir.Store, ir.Program, ir.CustomFunction}
	entryKinds   = []ir.Kind{ir.Call, ir.End, ir.Backedge}
	onlyLoop     = []ir.Kind{ir.Range}
	repeatable   = []ir.Kind{ir.Call, ir.Linear}
)

// sourceRules is, by kind, sources that are right, and which kinds may stand at the place of each.
func (k *kit) sourceRules() map[ir.Kind][]sourceRule {
	value := sourceRule{k.ops[ir.Buffer], valueKinds, false}
	scalar := sourceRule{k.ops[ir.Const], scalarKinds, false}
	anything := sourceRule{k.ops[ir.Sink], ir.Kinds(), true}
	return map[ir.Kind][]sourceRule{
		ir.Buffer: {}, ir.Alloc: {}, ir.Param: {}, ir.Variable: {}, ir.Const: {},
		ir.Range: {scalar}, ir.Add: {scalar, scalar}, ir.Mul: {scalar, scalar},
		ir.Shrink:  {value, scalar, {k.ops[ir.Const], []ir.Kind{ir.Const}, false}},
		ir.Bitcast: {value}, ir.After: {value, anything},
		ir.MSelect: {{k.multi, valueKinds, false}},
		ir.MStack:  {value, {k.ops[ir.Buffer], valueKinds, true}},
		ir.Sink:    {anything}, ir.Store: {anything}, ir.Program: {anything}, ir.CustomFunction: {anything},
		ir.Call:     {{k.ops[ir.Sink], append(bodyKinds, ir.Linear), false}, {k.ops[ir.Buffer], append(valueKinds, scalarKinds...), true}},
		ir.Linear:   {{k.ops[ir.Call], entryKinds, true}},
		ir.End:      {{k.ops[ir.Call], repeatable, false}, {k.ops[ir.Range], onlyLoop, true}},
		ir.Backedge: {{k.ops[ir.Call], repeatable, false}, {k.ops[ir.Range], onlyLoop, false}, {k.flag, valueKinds, false}},
	}
}

type sourceRule struct {
	good     ir.Op
	kinds    []ir.Kind
	repeated bool // any number of them, or none
}

// desc is a description that is right but for its sources.
func (k *kit) desc(kind ir.Kind, sources []ir.Op) *ir.Desc {
	return &ir.Desc{
		Kind: kind, Sources: sources, Dtype: ir.Int32, Count: 4, Placement: k.one, Name: "n", Shard: 1,
	}
}

func TestSourcesOfEachKind(t *testing.T) {
	k := newKit()
	for kind, rules := range k.sourceRules() {
		var good []ir.Op
		for _, rule := range rules {
			good = append(good, rule.good)
		}
		_, err := k.g.Build(k.desc(kind, good))
		require.NoError(t, err, "%v", kind)
		k.requireCount(t, kind, rules, good)
		for i, rule := range rules {
			for _, other := range ir.Kinds() {
				k.requireFit(t, kind, slices.Clone(good), i, other, slices.Contains(rule.kinds, other))
			}
		}
	}
	require.NoError(t, k.g.Check())
}

// requireFit builds a kind with an op of another kind as source i. Where it may stand, it can still be wrong in other ways.
func (k *kit) requireFit(t *testing.T, kind ir.Kind, sources []ir.Op, i int, other ir.Kind, fits bool) {
	sources[i] = k.ops[other]
	_, err := k.g.Build(k.desc(kind, sources))
	if fits {
		if err != nil {
			require.NotContains(t, err.Error(), "it must be a", "%v with %v as source %d", kind, other, i)
		}
		return
	}
	var fault *ir.Error
	require.ErrorAs(t, err, &fault, "%v with %v as source %d", kind, other, i)
	require.Equal(t, ir.WrongKind, fault.Kind)
	require.Equal(t, kind, fault.About)
	require.Contains(t, err.Error(), other.String())
	require.Contains(t, err.Error(), "it must be ")
}

func (k *kit) requireCount(t *testing.T, kind ir.Kind, rules []sourceRule, good []ir.Op) {
	least, more := 0, false
	for _, rule := range rules {
		if more = rule.repeated; !more {
			least++
		}
	}
	if kind == ir.Shrink {
		least = 1 // the start and the length may be numbers
	}
	if least > 0 {
		_, err := k.g.Build(k.desc(kind, good[:least-1]))
		require.ErrorContains(t, err, "is missing", "%v", kind)
	}
	if !more {
		_, err := k.g.Build(k.desc(kind, append(slices.Clone(good), k.ops[ir.Const])))
		require.ErrorContains(t, err, "sources are given; it takes", "%v", kind)
	}
}

func TestArgumentsThatAreWrong(t *testing.T) {
	k := newKit()
	slot := int64(-1)
	storage := func(s ir.Storage) func() (ir.Op, error) { return func() (ir.Op, error) { return k.g.Buffer(s) } }
	buffer, multi := k.ops[ir.Buffer], k.multi
	for _, c := range []struct {
		name    string
		build   func() (ir.Op, error)
		kind    ir.ErrorKind
		message string
	}{
		{"void storage", storage(ir.Storage{Placement: k.one}), ir.BadArgument, "BUFFER: dtype void cannot be stored; give a type of known width, such as int32"},
		{"weak storage", storage(ir.Storage{Dtype: ir.WeakFloat, Placement: k.one}), ir.BadArgument, "BUFFER: dtype weak_float cannot be stored"},
		{"no such dtype", storage(ir.Storage{Dtype: 200, Placement: k.one}), ir.BadArgument, "BUFFER: dtype dtype(200) cannot be stored"},
		{"negative count", storage(ir.Storage{Dtype: ir.Int8, Count: -1, Placement: k.one}), ir.BadArgument, "BUFFER: element count -1 is negative"},
		{"bytes past 63 bits", storage(ir.Storage{Dtype: ir.Int16, Count: 1 << 62, Placement: k.one}), ir.Overflow, "BUFFER: 4611686018427387904 elements of int16 do not fit in 63 bits of bytes"},
		{"negative slot", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Slot: &slot}), ir.BadArgument, "BUFFER: slot -1 is not in [0, 2^62)"},
		{"no placement", storage(ir.Storage{Dtype: ir.Int8}), ir.BadArgument, "BUFFER: no placement is given; storage is on one device or several"},
		{"placement of another graph", storage(ir.Storage{Dtype: ir.Int8, Placement: newKit().one}), ir.BadArgument, "BUFFER: no placement is given"},
		{"align no power", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Align: 3}), ir.BadArgument, "BUFFER: align 3 is not 1, 2, 4, 8 or 16"},
		{"align too great", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Align: 32}), ir.BadArgument, "BUFFER: align 32 is not"},
		{"align negative", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Align: math.MinInt64}), ir.BadArgument, "is not 1, 2, 4, 8 or 16"},
		{"phase negative", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Phase: -1}), ir.BadArgument, "BUFFER: phase -1 is not in [0, 16), below align"},
		{"phase as align", storage(ir.Storage{Dtype: ir.Int8, Placement: k.one, Phase: 4, Align: 4}), ir.BadArgument, "BUFFER: phase 4 is not in [0, 4), below align"},
		{"phase in an element", storage(ir.Storage{Dtype: ir.Float32, Placement: k.one, Phase: 6}), ir.BadArgument, "BUFFER: phase 6 is not a multiple of 4, the smaller of the element's 4 bytes and align 16"},
		{"phase in a step of align", storage(ir.Storage{Dtype: ir.Float64, Placement: k.one, Phase: 1, Align: 4}), ir.BadArgument, "phase 1 is not a multiple of 4"},
		{"nameless variable", func() (ir.Op, error) { return k.g.Variable("", 0, 1) }, ir.BadArgument, "VARIABLE: the name is empty"},
		{"bounds upside down", func() (ir.Op, error) { return k.g.Variable("n", 2, 1) }, ir.BadArgument, "VARIABLE: least value 2 is above the greatest, 1"},
		{"NUL in a name", func() (ir.Op, error) { return k.g.Variable("a\x00b", 0, 1) }, ir.BadArgument, `VARIABLE: name "a\x00b" has a NUL at byte 1; names hold none`},
		{"bytes as a name", func() (ir.Op, error) { return k.g.Body(ir.Sink, "\xff", 0) }, ir.BadArgument, `SINK: name "\xff" is not valid UTF-8`},
		{"body of a kind that is none", func() (ir.Op, error) { return k.g.Body(ir.Call, "", 0) }, ir.BadArgument, "kind CALL is not that of a body"},
		{"negative trips", func() (ir.Op, error) { return k.g.Range(must(k.g.Variable("m", -1, 4)), 0, 0) }, ir.BadArgument, "RANGE: source 0 (count) may be -1; it must not be negative"},
		{"shrink past the end", func() (ir.Op, error) { return k.g.Shrink(buffer, 9, 8) }, ir.BadArgument, "SHRINK: elements [9, +8) do not lie within the 16 elements of its source " + buffer.String()},
		{"shrink before the start", func() (ir.Op, error) { return k.g.Shrink(buffer, -1, 8) }, ir.BadArgument, "elements [-1, +8) do not lie within"},
		{"shrink to less than nothing", func() (ir.Op, error) { return k.g.Shrink(buffer, 0, -1) }, ir.BadArgument, "SHRINK: length -1 is negative"},
		{"shrink by far", func() (ir.Op, error) { return k.g.Shrink(buffer, math.MaxInt64, math.MaxInt64) }, ir.BadArgument, "do not lie within"},
		{"start that may lie past the end", func() (ir.Op, error) { return k.g.ShrinkAt(buffer, k.ops[ir.Variable], 13) }, ir.BadArgument, "SHRINK: elements [0..4, +13) do not lie within the 16 elements"},
		{"bitcast to void", func() (ir.Op, error) { return k.g.Bitcast(buffer, ir.Void) }, ir.BadArgument, "BITCAST: dtype void cannot be stored"},
		{"bitcast that does not divide", func() (ir.Op, error) { return k.g.Bitcast(must(k.g.Shrink(buffer, 0, 3)), ir.Int64) }, ir.BadArgument, "BITCAST: the 12 bytes of its source"},
		{"shard of one device", func() (ir.Op, error) { return k.g.MSelect(buffer, 0) }, ir.BadArgument, `is on one device, "CPU"; it must be on several`},
		{"shard past the last", func() (ir.Op, error) { return k.g.MSelect(multi, 2) }, ir.BadArgument, "MSELECT: shard 2 is not in [0, 2), the devices of its source"},
		{"negative shard", func() (ir.Op, error) { return k.g.MSelect(multi, -1) }, ir.BadArgument, "MSELECT: shard -1 is not in [0, 2)"},
		{"stack of a stack", func() (ir.Op, error) { return k.g.MStack(buffer, multi) }, ir.BadArgument, "is on 2 devices; each source must be on one"},
		{"stack of unlike types", func() (ir.Op, error) { return k.g.MStack(buffer, must(k.g.Bitcast(buffer, ir.Int32))) }, ir.BadArgument, "source 1 is 16 elements of int32, source 0 16 of float32; all must be alike"},
		{"stack of unlike lengths", func() (ir.Op, error) { return k.g.MStack(buffer, must(k.g.Shrink(buffer, 0, 1))) }, ir.BadArgument, "source 1 is 1 elements of float32, source 0 16 of float32"},
		{"flag of two", func() (ir.Op, error) {
			return k.g.Backedge(k.ops[ir.Call], k.ops[ir.Range], must(k.g.Buffer(ir.Storage{Dtype: ir.Bool, Count: 2, Placement: k.one})))
		}, ir.BadArgument, "BACKEDGE: source 2 (flag) is 2 elements of bool; it must be one bool"},
		{"flag of a byte", func() (ir.Op, error) {
			return k.g.Backedge(k.ops[ir.Call], k.ops[ir.Range], must(k.g.Bitcast(k.flag, ir.Uint8)))
		}, ir.BadArgument, "1 elements of uint8; it must be one bool"},
		{"none as source", func() (ir.Op, error) { return k.g.Add(k.ops[ir.Const], ir.None) }, ir.BadOp, "ADD: source 1 is TOLK_NONE: it was never built"},
		{"none as argument", func() (ir.Op, error) { return k.g.Call(k.ops[ir.Sink], buffer, ir.None) }, ir.BadOp, "CALL: source 2 (argument 1) is TOLK_NONE"},
		{"none as effect", func() (ir.Op, error) { return k.g.After(buffer, ir.None) }, ir.BadOp, "AFTER: source 1 (effect 0) is TOLK_NONE"},
		{"a buffer as range", func() (ir.Op, error) { return k.g.End(k.ops[ir.Call], buffer) }, ir.WrongKind, "END: source 1 (range 0) is "},
		{"another graph's source", func() (ir.Op, error) { return k.g.Range(newKit().ops[ir.Const], 0, 0) }, ir.BadOp, "is not an op of this graph: it is of another graph, or made up"},
		{"source not built yet", func() (ir.Op, error) { return k.g.Range(k.ops[ir.Const]+1000, 0, 0) }, ir.BadOp, "is not an op: the graph has"},
		{"reference outside of a list", func() (ir.Op, error) { return k.g.Range(ir.Ref(0), 0, 0) }, ir.BadOp, "refers to description 0, which is not an earlier one of the same list"},
		{"no kind", func() (ir.Op, error) { return k.g.Build(&ir.Desc{}) }, ir.BadArgument, "kind 0 is not a kind of op; they go from 1 to 21"},
		{"no such kind", func() (ir.Op, error) { return k.g.Build(&ir.Desc{Kind: 22}) }, ir.BadArgument, "kind 22 is not a kind of op"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := c.build()
			var fault *ir.Error
			require.ErrorAs(t, err, &fault)
			require.Contains(t, err.Error(), c.message)
			require.Equal(t, c.kind, fault.Kind)
			require.Equal(t, ir.None, op)
			require.NoError(t, k.g.Check())
		})
	}
}

func TestPlacements(t *testing.T) {
	g := ir.NewGraph()
	p := must(g.Placement("CUDA:0", "CPU"))
	require.Equal(t, p, must(g.Placement("CUDA:0", "CPU")))
	require.Equal(t, []string{"CUDA:0", "CPU"}, g.Devices(p))
	others := []ir.Placement{must(g.Placement("CPU", "CUDA:0")), must(g.Placement("CUDA:0CPU")), must(g.Placement("CUDA:0"))}
	for i, q := range others {
		require.NotEqual(t, p, q)
		require.NotContains(t, others[:i], q)
	}
	require.Nil(t, g.Devices(0))
	require.Nil(t, g.Devices(p+100))
	require.Nil(t, ir.NewGraph().Devices(p))
	require.False(t, g.OnDisk(0))
	for message, devices := range map[string][]string{
		"no device is given":          {},
		"the name of device 1 is emp": {"CPU", ""},
		"has a NUL at byte 0":         {"\x00"},
		"is not valid UTF-8":          {"\xc3"},
		"a placement has at most 327": slices.Repeat([]string{"CPU"}, ir.MaxDevices+1),
	} {
		_, err := g.Placement(devices...)
		require.ErrorContains(t, err, message)
	}
}

func TestManyPlacementsAndNames(t *testing.T) {
	g := ir.NewGraph()
	const many = 40000 // more than two pages
	for i := range many {
		name := "device " + itoa(i)
		p := must(g.Placement(name))
		require.Equal(t, []string{name}, g.Devices(p))
		n := must(g.Node(must(g.Variable(name, 0, 1))))
		require.Equal(t, name, n.Name())
	}
	require.Equal(t, many, g.Len())
	require.NoError(t, g.Check())
}
