package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
)

// substitution replaces by recursion, as [ir.Graph.Substitute] says.
type substitution struct {
	g   *ir.Graph
	now map[ir.Op]ir.Op
	err error
}

func (s *substitution) of(n ir.Node) ir.Op {
	if op, ok := s.now[n.Op()]; ok {
		return op
	}
	if n.Kind().IsBody() || n.NumSources() == 0 {
		return n.Op()
	}
	sources := make([]ir.Op, n.NumSources())
	changed := false
	for i := range sources {
		sources[i] = n.Source(i).Op()
		if i > 0 || n.Kind() != ir.Call {
			sources[i] = s.of(n.Source(i))
		}
		changed = changed || sources[i] != n.Source(i).Op()
	}
	op := n.Op()
	if changed && s.err == nil {
		d := generate.Describe(s.g, n, sources)
		if n.Kind().IsStorage() {
			panic("storage has no sources")
		}
		op, s.err = s.g.Build(&d)
	}
	s.now[n.Op()] = op
	return op
}

// drawReplacements draws some ops of a graph and others that may stand for them.
func drawReplacements(t *rapid.T, g *ir.Graph) (list []ir.Replacement) {
	ops := rapid.SampledFrom(all(g))
	for range rapid.IntRange(0, 5).Draw(t, "replacements") {
		from, to := ops.Draw(t, "from"), ops.Draw(t, "to")
		if from.Kind().IsStorage() && rapid.Bool().Draw(t, "alike") {
			to = must(g.Node(alike(g, from)))
		}
		list = append(list, ir.Replacement{From: from.Op(), To: to.Op()})
	}
	return list
}

// alike is the view of another storage that fits wherever a storage does.
func alike(g *ir.Graph, s ir.Node) ir.Op {
	bytes := must(g.Buffer(ir.Storage{Dtype: ir.Int8, Count: s.Nbytes() + 10, Placement: s.Placement()}))
	return must(g.Bitcast(must(g.Shrink(bytes, 3, s.Nbytes())), s.Dtype()))
}

func requireSubstitute(t require.TestingT, g *ir.Graph, root ir.Op, list []ir.Replacement) {
	ops := g.Len()
	got, err := g.Substitute(root, list)
	require.NoError(t, g.Check())
	naive := substitution{g: g, now: map[ir.Op]ir.Op{}}
	for _, r := range list {
		naive.now[r.From] = r.To
	}
	if err != nil {
		require.Equal(t, ops, g.Len())
		require.Equal(t, ir.None, got)
	}
	want := naive.of(must(g.Node(root)))
	require.Equal(t, naive.err == nil, err == nil, "%v, %v", naive.err, err)
	if err == nil {
		require.Equal(t, want, got)
	}
}

func TestLaw_SubstituteReplacesAsByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, s := drawGraph(t)
		requireSubstitute(t, g, s.Op, drawReplacements(t, g))
	})
}

func TestLaw_SubstituteOfManyReplacesAsByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := ir.NewGraph()
		s := generate.Any(g, drawn.Choices{T: t}, generate.Shape{Storage: 30, Entries: 60, Depth: 3, Count: 100})
		var list []ir.Replacement
		for _, op := range s.Storage {
			list = append(list, ir.Replacement{From: op, To: alike(g, must(g.Node(op)))})
		}
		requireSubstitute(t, g, s.Op, list)
	})
}

func TestLaw_ReplacingByItselfChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, s := drawGraph(t)
		var list []ir.Replacement
		for _, n := range all(g) {
			if rapid.Bool().Draw(t, "replace") {
				list = append(list, ir.Replacement{From: n.Op(), To: n.Op()})
			}
		}
		ops := g.Len()
		require.Equal(t, s.Op, must(g.Substitute(s.Op, list)))
		require.Equal(t, s.Op, must(g.Substitute(s.Op, nil)))
		require.Equal(t, ops, g.Len())
	})
}

func TestBodiesAreLeftAlone(t *testing.T) {
	k := newKit()
	x, y := k.ops[ir.Buffer], k.ops[ir.Param]
	body := must(k.g.Body(ir.Program, "p", 0, x, k.ops[ir.Shrink]))
	nested := must(k.g.Linear(must(k.g.Call(body, x))))
	for _, b := range []ir.Op{body, nested} {
		call := must(k.g.Call(b, x, k.ops[ir.Shrink]))
		got := k.node(must(k.g.Substitute(call, []ir.Replacement{{From: x, To: y}})))
		require.Equal(t, b, got.Source(0).Op())
		require.Equal(t, y, got.Source(1).Op())
		require.Equal(t, must(k.g.Shrink(y, 4, 8)), got.Source(2).Op())
	}
}

func TestReplacementsAreNotSearchedAgain(t *testing.T) {
	k := newKit()
	x, y := k.ops[ir.Buffer], k.ops[ir.Param]
	call := must(k.g.Call(k.ops[ir.Sink], x, y))
	swapped := must(k.g.Substitute(call, []ir.Replacement{{From: x, To: y}, {From: y, To: x}}))
	require.Equal(t, must(k.g.Call(k.ops[ir.Sink], y, x)), swapped)
	last := must(k.g.Substitute(call, []ir.Replacement{{From: x, To: k.ops[ir.Alloc]}, {From: x, To: y}}))
	require.Equal(t, must(k.g.Call(k.ops[ir.Sink], y, y)), last)
	require.Equal(t, y, must(k.g.Substitute(x, []ir.Replacement{{From: x, To: y}})))
}

func TestSubstituteRefusesWhatDoesNotFit(t *testing.T) {
	k := newKit()
	ops := k.g.Len()
	for _, r := range []ir.Replacement{
		{From: ir.None, To: k.flag}, {From: k.flag, To: ir.None}, {From: k.flag, To: k.flag + 1<<40},
		{From: k.ops[ir.Buffer], To: k.flag},         // shorter than the SHRINK of it
		{From: k.ops[ir.Buffer], To: k.ops[ir.Sink]}, // no value
	} {
		_, err := k.g.Substitute(k.ops[ir.Shrink], []ir.Replacement{r})
		require.Error(t, err)
	}
	_, err := k.g.Substitute(ir.None, nil)
	require.Error(t, err)
	require.Equal(t, ops, k.g.Len())
	require.NoError(t, k.g.Check())
}
