package ir

import (
	"fmt"
	"strings"
)

// Kind is what an op is. The values are part of the C ABI.
type Kind uint8

// The kinds of ops.
const (
	NoKind Kind = iota
	Buffer
	Alloc
	Param
	Variable
	Const
	Range
	Add
	Mul
	Shrink
	Bitcast
	After
	MSelect
	MStack
	Sink
	Store
	Program
	CustomFunction
	Call
	Linear
	End
	Backedge
	kindCount
)

// kindSet is a set of kinds, a bit each.
type kindSet uint32

func setOf(kinds ...Kind) kindSet {
	var s kindSet
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k Kind) bool { return s>>k&1 != 0 }

// role is what a source may be, and how a message calls it.
type role struct {
	kinds  kindSet
	phrase string
}

var (
	storageKinds = setOf(Buffer, Alloc, Param)
	viewKinds    = setOf(Shrink, Bitcast, After, MSelect, MStack)
	valueKinds   = storageKinds | viewKinds
	scalarKinds  = setOf(Variable, Const, Range, Add, Mul)
	bodyKinds    = setOf(Sink, Store, Program, CustomFunction)
	anyKind      = ^setOf(NoKind)

	value    = role{valueKinds, "storage or a view"}
	scalar   = role{scalarKinds, "a scalar"}
	constant = role{setOf(Const), "a CONST"}
	body     = role{bodyKinds | setOf(Linear), "a SINK, STORE, PROGRAM, CUSTOM_FUNCTION or LINEAR"}
	argument = role{valueKinds | scalarKinds, "storage, a view or a scalar"}
	entry    = role{setOf(Call, End, Backedge), "a CALL or a loop (END, BACKEDGE)"}
	repeated = role{setOf(Call, Linear), "a CALL or a LINEAR"}
	loop     = role{setOf(Range), "a RANGE"}
	anything = role{anyKind, "an op"}
)

// Argument names a part of an op's argument, for the table and for messages.
type Argument uint16

// The parts that arguments are made of.
const (
	ArgSlot Argument = 1 << iota
	ArgDtype
	ArgCount
	ArgPlacement
	ArgPhase
	ArgAlign
	ArgName
	ArgTag
	ArgBounds
	ArgValue
	ArgAxis
	ArgShard

	argStorage = ArgSlot | ArgDtype | ArgCount | ArgPlacement | ArgPhase | ArgAlign
	argBody    = ArgName | ArgTag
)

var argumentNames = []string{"slot", "dtype", "element count", "placement", "phase", "align", "name", "tag", "bounds", "value", "axis", "shard"}

// String is the argument's name as messages use it.
func (a Argument) String() string {
	var names []string
	for i, name := range argumentNames {
		if a>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// kindRow is all that sets one kind apart: sources holds the role of each
// leading source, rest that of any further ones (none may follow when its set is
// empty), derive computes and checks the columns that follow from the sources.
// Messages call the leading sources by labels, and each further one by each.
type kindRow struct {
	name     string
	sources  []role
	labels   []string
	rest     role
	each     string
	argument Argument
	derive   func(b *builder) *Error
}

// kinds is filled by init because the functions it names print kinds in their messages.
var kinds [kindCount]kindRow

func init() {
	kinds = [kindCount]kindRow{
		NoKind:         {name: "NONE"},
		Buffer:         {name: "BUFFER", argument: argStorage, derive: deriveStorage},
		Alloc:          {name: "ALLOC", argument: argStorage, derive: deriveStorage},
		Param:          {name: "PARAM", argument: argStorage, derive: deriveStorage},
		Variable:       {name: "VARIABLE", argument: ArgName | ArgBounds, derive: deriveVariable},
		Const:          {name: "CONST", argument: ArgValue, derive: deriveConst},
		Range:          {name: "RANGE", sources: []role{scalar}, labels: []string{"count"}, argument: ArgAxis, derive: deriveRange},
		Add:            {name: "ADD", sources: []role{scalar, scalar}, derive: deriveAdd},
		Mul:            {name: "MUL", sources: []role{scalar, scalar}, derive: deriveMul},
		Shrink:         {name: "SHRINK", sources: []role{value, scalar, constant}, labels: []string{"source", "start", "length"}, derive: deriveShrink},
		Bitcast:        {name: "BITCAST", sources: []role{value}, argument: ArgDtype, derive: deriveBitcast},
		After:          {name: "AFTER", sources: []role{value}, rest: anything, each: "effect", derive: deriveAfter},
		MSelect:        {name: "MSELECT", sources: []role{value}, argument: ArgShard, derive: deriveMSelect},
		MStack:         {name: "MSTACK", sources: []role{value}, rest: value, derive: deriveMStack},
		Sink:           {name: "SINK", rest: anything, argument: argBody, derive: deriveBody},
		Store:          {name: "STORE", rest: anything, argument: argBody, derive: deriveBody},
		Program:        {name: "PROGRAM", rest: anything, argument: argBody, derive: deriveBody},
		CustomFunction: {name: "CUSTOM_FUNCTION", rest: anything, argument: argBody, derive: deriveBody},
		Call:           {name: "CALL", sources: []role{body}, labels: []string{"body"}, rest: argument, each: "argument", derive: deriveNothing},
		Linear:         {name: "LINEAR", rest: entry, derive: deriveNothing},
		End:            {name: "END", sources: []role{repeated}, labels: []string{"body"}, rest: loop, each: "range", derive: deriveEnd},
		Backedge:       {name: "BACKEDGE", sources: []role{repeated, loop, value}, labels: []string{"body", "loop", "flag"}, derive: deriveBackedge},
	}
}

// Kinds is every kind of op in the order of its number.
func Kinds() []Kind {
	all := make([]Kind, 0, kindCount-1)
	for k := NoKind + 1; k < kindCount; k++ {
		all = append(all, k)
	}
	return all
}

// String is the kind's name, such as "BUFFER".
func (k Kind) String() string {
	if k < kindCount {
		return kinds[k].name
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Arguments is the parts that the argument of ops of this kind has.
func (k Kind) Arguments() Argument { return kinds[k].argument }

// IsStorage reports whether ops of this kind are storage: BUFFER, ALLOC or PARAM.
func (k Kind) IsStorage() bool { return storageKinds.has(k) }

// IsValue reports whether ops of this kind are storage or views of it.
func (k Kind) IsValue() bool { return valueKinds.has(k) }

// IsScalar reports whether ops of this kind are integers: VARIABLE, CONST,
// RANGE, ADD or MUL.
func (k Kind) IsScalar() bool { return scalarKinds.has(k) }

// IsBody reports whether ops of this kind are opaque bodies of calls: SINK, STORE, PROGRAM
// or CUSTOM_FUNCTION.
func (k Kind) IsBody() bool { return bodyKinds.has(k) }

// roleOf is the role of source i of an op of this kind; false when it may not have one.
func (k Kind) roleOf(i int) (role, bool) {
	row := &kinds[k]
	if i < len(row.sources) {
		return row.sources[i], true
	}
	return row.rest, row.rest.kinds != 0
}

// labelOf is what messages call source i of an op of this kind. A constructor takes the leading sources apart from the further ones, and so
// these have numbers of their own.
func (k Kind) labelOf(i int) string {
	row := &kinds[k]
	switch further := i - len(row.sources); {
	case i < len(row.labels):
		return fmt.Sprintf("source %d (%s)", i, row.labels[i])
	case further >= 0 && row.each != "":
		return fmt.Sprintf("source %d (%s %d)", i, row.each, further)
	}
	return fmt.Sprintf("source %d", i)
}
