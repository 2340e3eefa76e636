package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
)

// handmade is a schedule that a test writes op by op.
type handmade struct {
	t    testing.TB
	g    *ir.Graph
	body ir.Op
}

func newSchedule(t testing.TB) *handmade {
	s := &handmade{t: t, g: ir.NewGraph()}
	s.body = s.op(s.g.Body(ir.Program, "kernel", 0))
	return s
}

func (s *handmade) op(op ir.Op, err error) ir.Op {
	s.t.Helper()
	require.NoError(s.t, err)
	return op
}

func (s *handmade) on(devices ...string) ir.Placement {
	p, err := s.g.Placement(devices...)
	require.NoError(s.t, err)
	return p
}

// buffer is one of some bytes on CUDA:0.
func (s *handmade) buffer(bytes int64) ir.Op {
	return s.op(s.g.Buffer(ir.Storage{Dtype: ir.Uint8, Count: bytes, Placement: s.on("CUDA:0")}))
}

func (s *handmade) call(arguments ...ir.Op) ir.Op { return s.op(s.g.Call(s.body, arguments...)) }

func (s *handmade) copy(arguments ...ir.Op) ir.Op {
	return s.op(s.g.Call(s.op(s.g.Body(ir.Store, "", 0)), arguments...))
}

func (s *handmade) linear(entries ...ir.Op) ir.Node {
	return nodeOf(s.t, s.g, s.op(s.g.Linear(entries...)))
}

func (s *handmade) twice() ir.Op { return s.op(s.g.Range(s.op(s.g.Const(2)), 0, 0)) }

func (s *handmade) loop(entries ...ir.Op) ir.Op {
	return s.op(s.g.End(s.op(s.g.Linear(entries...)), s.twice()))
}
