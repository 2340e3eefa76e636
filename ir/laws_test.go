package ir_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"libtolk_memory/internal/generate"
	"libtolk_memory/internal/generate/drawn"
	"libtolk_memory/ir"
)

// key is what makes an op the one it is: its kind, argument and sources, by what their keys are numbered.
func key(n ir.Node, number map[ir.Op]int) string {
	axis, axisKind := n.Axis()
	least, greatest := n.Bounds()
	text := fmt.Sprintf("%v %v %d %q %d %d %q %d [%d %d] %d %d %d", n.Kind(), n.Dtype(), n.Len(), n.Graph().Devices(n.Placement()), n.Phase(), n.Align(),
		n.Name(), n.Tag(), least, greatest, axis, axisKind, n.Shard())
	if n.Kind().IsStorage() {
		text += fmt.Sprint(" slot ", n.Slot())
	}
	for i := range n.NumSources() {
		text += fmt.Sprint(" ", number[n.Source(i).Op()])
	}
	return text
}

// keys numbers each op by its key, in a dictionary that graphs may share.
func keys(g *ir.Graph, dictionary map[string]int) map[ir.Op]int {
	number := map[ir.Op]int{}
	for _, n := range all(g) {
		k := key(n, number)
		if _, ok := dictionary[k]; !ok {
			dictionary[k] = len(dictionary)
		}
		number[n.Op()] = dictionary[k]
	}
	return number
}

func TestLaw_OpsAreEqualIffIdentical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, s := drawGraph(t)
		dictionary := map[string]int{}
		number := keys(g, dictionary)
		require.Len(t, dictionary, g.Len())
		ops := g.Len()
		for op, same := range generate.Copy(g, must(g.Node(s.Op)), drawn.Choices{T: t}) {
			require.Equal(t, op, same)
		}
		require.Equal(t, ops, g.Len())

		other := ir.NewGraph()
		to := generate.Copy(other, must(g.Node(s.Op)), drawn.Choices{T: t})
		for op, n := range keys(other, dictionary) {
			require.Less(t, n, ops, "%v is an op that the first graph has not", op)
		}
		again := keys(other, dictionary)
		for from, op := range to {
			require.Equal(t, number[from], again[op])
		}
		require.NoError(t, g.Check())
		require.NoError(t, other.Check())
	})
}

// describeAll is descriptions that give all ops of a graph, and some of them again, with references to earlier ones.
func describeAll(g *ir.Graph, c generate.Choices) func(to *ir.Graph) []ir.Desc {
	return func(to *ir.Graph) []ir.Desc {
		var list []ir.Desc
		at := map[ir.Op]int{}
		for _, n := range all(g) {
			for range 1 + c.IntN(2) {
				sources := make([]ir.Op, n.NumSources())
				for i := range sources {
					sources[i] = ir.Ref(at[n.Source(i).Op()])
				}
				at[n.Op()] = len(list)
				list = append(list, generate.Describe(to, n, sources))
			}
		}
		return list
	}
}

func buildAll(g *ir.Graph, list []ir.Desc) ([]ir.Op, int, error) {
	ops := make([]ir.Op, len(list))
	failed, err := g.BuildAll(ops, func(_ *ir.Tx, i int, d *ir.Desc) error {
		*d = list[i]
		return nil
	})
	return ops, failed, err
}

func requireBuildAll(t require.TestingT, g *ir.Graph, c generate.Choices) {
	to, oneByOne := ir.NewGraph(), ir.NewGraph()
	ops, _, err := buildAll(to, describeAll(g, c)(to))
	require.NoError(t, err)
	require.NoError(t, to.Check())
	dictionary := map[string]int{}
	keys(g, dictionary)
	number := keys(to, dictionary)
	require.Len(t, dictionary, g.Len())
	require.Equal(t, g.Len(), to.Len())

	// What it gave is what building one by one gives.
	list := describeAll(g, rand.New(rand.NewPCG(1, 1)))(oneByOne)
	var made []ir.Op
	for _, d := range list {
		for k, source := range d.Sources {
			d.Sources[k] = made[uint32(source)]
		}
		made = append(made, must(oneByOne.Build(&d)))
	}
	again, _, err := buildAll(to, describeAll(g, rand.New(rand.NewPCG(1, 1)))(to))
	require.NoError(t, err)
	require.Equal(t, g.Len(), to.Len(), "all are there already")
	single := keys(oneByOne, dictionary)
	given := map[ir.Op]bool{}
	for _, op := range ops {
		given[op] = true
	}
	for i := range again {
		require.Equal(t, single[made[i]], number[again[i]])
		require.True(t, given[again[i]])
	}
}

func TestLaw_BuildAllIsBuildingOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := drawGraph(t)
		requireBuildAll(t, g, drawn.Choices{T: t})
	})
}

func TestLargeListsAreBuiltAsOneByOne(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := ir.NewGraph()
		generate.Any(g, r, generate.Shape{Storage: 60, Entries: 200, Depth: 3, Count: 100})
		requireBuildAll(t, g, r)
	}
}

func TestBuildAllTakesReferencesToEarlierOnesOnly(t *testing.T) {
	for _, bad := range []ir.Op{ir.Ref(1), ir.Ref(2), ir.Ref(1 << 40)} {
		g := ir.NewGraph()
		ops, failed, err := buildAll(g, []ir.Desc{{Kind: ir.Const, Value: 1}, {Kind: ir.Range, Sources: []ir.Op{bad}}, {Kind: ir.Const}})
		require.ErrorContains(t, err, "description 1: source 0 (count) refers to description")
		require.Equal(t, 1, failed)
		require.Equal(t, make([]ir.Op, 3), ops)
		require.Zero(t, g.Len())
	}
}

func requireNoTrace(t require.TestingT, g *ir.Graph, failing func() error) {
	ops := g.Len()
	dictionary := map[string]int{}
	before := keys(g, dictionary)
	require.Error(t, failing())
	require.Equal(t, ops, g.Len())
	require.NoError(t, g.Check())
	require.Equal(t, before, keys(g, dictionary))
}

func TestLaw_WhatFailsLeavesNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, s := drawGraph(t)
		other, _ := drawGraph(t)
		c := drawn.Choices{T: t}
		list := append(describeAll(other, c)(g), ir.Desc{Kind: ir.Shrink, Sources: []ir.Op{s.Storage[0]}, Start: -77, Count: 78})
		requireNoTrace(t, g, func() error {
			ops, failed, err := buildAll(g, list)
			require.Equal(t, len(list)-1, failed)
			require.Equal(t, make([]ir.Op, len(list)), ops)
			return err
		})
		stop := rapid.IntRange(0, len(list)-1).Draw(t, "stop")
		requireNoTrace(t, g, func() error {
			_, err := g.BuildAll(make([]ir.Op, len(list)), func(_ *ir.Tx, i int, d *ir.Desc) error {
				if *d = list[i]; i == stop {
					return errors.New("stop")
				}
				return nil
			})
			return err
		})
		requireNoTrace(t, g, func() (err error) {
			defer func() { err = recover().(error) }()
			_, _ = g.BuildAll(make([]ir.Op, len(list)), func(_ *ir.Tx, i int, d *ir.Desc) error {
				if *d = list[i]; i == stop {
					panic(errors.New("panic"))
				}
				return nil
			})
			return nil
		})
		// And the graph builds on.
		_, _, err := buildAll(g, list[:len(list)-1])
		require.NoError(t, err)
		require.NoError(t, g.Check())
	})
}

func TestTheFirstErrorIsKept(t *testing.T) {
	g := ir.NewGraph()
	require.NoError(t, g.Err())
	_, first := g.Variable("", 0, 1)
	_, _ = g.Add(ir.None, ir.None)
	g.Note(ir.Errorf(ir.BadOp, "later"))
	require.Equal(t, first, g.Err())
}

func TestIdentities(t *testing.T) {
	k := newKit()
	x, zero := k.ops[ir.Buffer], must(k.g.Const(0))
	ops := k.g.Len()
	require.Equal(t, x, must(k.g.Bitcast(x, ir.Float32)))
	require.Equal(t, x, must(k.g.After(x)))
	require.Equal(t, k.ops[ir.Call], must(k.g.End(k.ops[ir.Call])))
	require.Equal(t, k.ops[ir.Linear], must(k.g.End(k.ops[ir.Linear])))
	require.Equal(t, ops, k.g.Len())
	require.Equal(t, x, must(k.g.Shrink(x, 0, 16)))
	require.Equal(t, x, must(k.g.ShrinkAt(x, zero, 16)))
	require.Equal(t, x, must(k.g.ShrinkAt(x, must(k.g.Mul(zero, k.ops[ir.Variable])), 16)))
	require.NotEqual(t, x, must(k.g.Shrink(x, 0, 15)))
	require.NotEqual(t, x, must(k.g.MStack(x)))
	require.NotEqual(t, must(k.g.Add(k.ops[ir.Const], zero)), must(k.g.Add(zero, k.ops[ir.Const])), "sums are kept as they were built")
	require.NoError(t, k.g.Check())
}

// naiveBase is the storage or MSTACK that views end at.
func naiveBase(n ir.Node) ir.Node {
	for !n.Kind().IsStorage() && n.Kind() != ir.MStack {
		n = n.Source(0)
	}
	return n
}

// naiveBinding follows the views one by one; shard is what an MSELECT over an MSTACK picks.
func naiveBinding(n ir.Node) ir.Binding {
	switch {
	case n.Kind().IsStorage():
		return ir.Binding{Storage: n}
	case n.Kind() == ir.MStack && n.NumSources() > 1:
		return ir.Binding{Storage: n}
	}
	b := naiveBinding(n.Source(0))
	switch n.Kind() {
	case ir.Shrink:
		if least, greatest := n.Source(1).Bounds(); least == greatest {
			b.Offset += least * n.Dtype().Size()
		} else {
			b.Symbolic = true
		}
	case ir.MSelect:
		if b.Storage.Kind() == ir.MStack {
			part := naiveBinding(b.Storage.Source(int(n.Shard())))
			return ir.Binding{Storage: part.Storage, Offset: b.Offset + part.Offset, Symbolic: b.Symbolic || part.Symbolic}
		}
	}
	return b
}

func TestLaw_BaseAndBindingFollowTheViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := drawGraph(t)
		for _, n := range all(g) {
			base, isValue := n.Base()
			require.Equal(t, n.Kind().IsValue(), isValue)
			binding, isValue := n.Binding()
			require.Equal(t, n.Kind().IsValue(), isValue)
			if isValue {
				require.Equal(t, naiveBase(n), base)
				if stack := binding.Storage; stack.Kind() != ir.MStack || stack.NumSources() > 1 {
					require.Equal(t, naiveBinding(n), binding)
				}
			}
		}
	})
}

// reachNaively is what n is built on, by recursion.
func reachNaively(n ir.Node, bodies ir.Bodies, seen map[ir.Op]bool) {
	if seen[n.Op()] {
		return
	}
	seen[n.Op()] = true
	for i := range n.NumSources() {
		inBody := n.Kind().IsBody() || n.Kind() == ir.Call && i == 0
		if bodies == ir.WithBodies || !inBody {
			reachNaively(n.Source(i), bodies, seen)
		}
	}
}

func TestLaw_AWalkMeetsSourcesFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := drawGraph(t)
		n := rapid.SampledFrom(all(g)).Draw(t, "root")
		for _, bodies := range []ir.Bodies{ir.WithBodies, ir.WithoutBodies} {
			want, met := map[ir.Op]bool{}, map[ir.Op]bool{}
			reachNaively(n, bodies, want)
			set := n.Reach(bodies)
			for op := range set.All() {
				for i := range op.NumSources() {
					if want[op.Source(i).Op()] {
						require.True(t, met[op.Source(i).Op()], "%v comes before its source %d", op.Op(), i)
					}
				}
				require.False(t, met[op.Op()])
				met[op.Op()] = true
			}
			require.Equal(t, want, met)
			for _, op := range all(g) {
				require.Equal(t, want[op.Op()], set.Has(op.Index()))
			}
		}
	})
}

// A caller may go on after a list or a replacement that failed in an update: what else it builds is as ever.
func TestAnUpdateMayGoOnAfterAFailure(t *testing.T) {
	k := newKit()
	two := must(k.g.Linear(k.ops[ir.Call], k.ops[ir.End]))
	err := k.g.Update(func(tx *ir.Tx) error {
		_, err := tx.BuildAll(make([]ir.Op, 3), func(_ *ir.Tx, i int, d *ir.Desc) error {
			*d = []ir.Desc{{Kind: ir.Const, Value: 100}, {Kind: ir.Const, Value: 3}, {Kind: ir.Add}}[i]
			return nil
		})
		require.Error(t, err)
		_, err = tx.Substitute(two, []ir.Replacement{{From: k.ops[ir.Buffer], To: k.ops[ir.Param]}, {From: k.ops[ir.Range], To: k.ops[ir.Sink]}})
		require.Error(t, err)
		require.Equal(t, k.ops[ir.Const], must(tx.Build(&ir.Desc{Kind: ir.Const, Value: 3})))
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, k.g.Check())
}

// Tables that grew in between are as they should be when what made them grow is forgotten.
func TestForgettingAcrossGrowth(t *testing.T) {
	for _, kept := range []int{0, 40, 1000, 5000} {
		g := ir.NewGraph()
		for i := range kept {
			must(g.Const(int64(i)))
		}
		for _, more := range []int{10, 100, 3000, 20000} {
			requireNoTrace(t, g, func() error {
				return g.Update(func(tx *ir.Tx) error {
					for i := range more {
						must(tx.Build(&ir.Desc{Kind: ir.Const, Value: int64(-i)}))
					}
					return errors.New("never mind")
				})
			})
		}
	}
}
