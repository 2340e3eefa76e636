package planner

import "libtolk_memory/ir"

// Flag is the Argument of a [use] that is a back edge's flag.
const Flag = -1

// use is a value that an entry takes: an argument of a call, or the flag of a back edge.
type use struct {
	owner    ir.Node // the CALL or BACKEDGE
	argument int     // counted from 0 behind the body; Flag for a flag
	value    ir.Node
}

// isCopy reports whether the use is by a call whose body is a STORE.
func (u use) isCopy() bool {
	return u.argument != Flag && u.owner.Source(0).Kind() == ir.Store
}

// entryWalk goes through the uses of entries in order. Loops in loops are kept on
// a stack of its own, since callers choose their depth.
type entryWalk struct {
	stack []position
	// seen holds the LINEARs walked for the entry at hand, if one repeated is to be left out.
	seen map[uint32]int
	mark int
	// budget is how many more ops the walk may visit; 0 means any number.
	budget int
}

// position is how far a walk has come in the sources of an op.
type position struct {
	op   ir.Node
	next int
}

// once is a walk that goes through each LINEAR once an entry: enough to know what
// the entry takes, and linear in the ops however often loops share a body.
func once() *entryWalk { return &entryWalk{seen: map[uint32]int{}} }

// each calls f for each use of an entry until f says false, and reports whether it never did.
func (w *entryWalk) each(entry ir.Node, f func(use) bool) bool {
	w.mark++
	w.stack = w.stack[:0]
	if !w.visit(entry, f) {
		return false
	}
	for len(w.stack) > 0 {
		top := &w.stack[len(w.stack)-1]
		if top.next == top.op.NumSources() {
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		top.next++
		if !w.visit(top.op.Source(top.next-1), f) {
			return false
		}
	}
	return true
}

// visit yields the uses of a call, or of a loop up to the LINEAR it repeats, which it leaves on the stack.
func (w *entryWalk) visit(n ir.Node, f func(use) bool) bool {
	if w.budget > 0 {
		if w.budget--; w.budget == 0 {
			return false
		}
	}
	switch n.Kind() {
	case ir.Backedge:
		if !f(use{n, Flag, n.Source(2)}) {
			return false
		}
		return w.visitBody(n.Source(0), f)
	case ir.End:
		return w.visitBody(n.Source(0), f)
	}
	return eachArgument(n, f)
}

func (w *entryWalk) visitBody(n ir.Node, f func(use) bool) bool {
	if n.Kind() == ir.Call {
		return eachArgument(n, f)
	}
	if w.seen != nil {
		if w.seen[n.Index()] == w.mark {
			return true
		}
		w.seen[n.Index()] = w.mark
	}
	w.stack = append(w.stack, position{n, 0})
	return true
}

func eachArgument(call ir.Node, f func(use) bool) bool {
	for i := 1; i < call.NumSources(); i++ {
		if value := call.Source(i); value.Kind().IsValue() && !f(use{call, i - 1, value}) {
			return false
		}
	}
	return true
}

// stacks walks the sources of MSTACKs, each MSTACK once a mark, so that stacks of
// stacks cost no more than their ops.
type stacks struct {
	seen  map[uint32]int
	stack []position
}

// storages calls f for the storage under a value: what its views end at or, where
// that is an MSTACK, that of each of its sources in order, unless the mark has met it before.
func (s *stacks) storages(value ir.Node, mark int, f func(ir.Node)) {
	base, _ := value.Base()
	if base.Kind().IsStorage() {
		f(base)
		return
	}
	s.enter(base, mark)
	for len(s.stack) > 0 {
		top := &s.stack[len(s.stack)-1]
		if top.next == top.op.NumSources() {
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		top.next++
		part, _ := top.op.Source(top.next - 1).Base()
		if part.Kind().IsStorage() {
			f(part)
		} else {
			s.enter(part, mark)
		}
	}
}

func (s *stacks) enter(stack ir.Node, mark int) {
	if s.seen == nil {
		s.seen = map[uint32]int{}
	}
	if s.seen[stack.Index()] != mark {
		s.seen[stack.Index()] = mark
		s.stack = append(s.stack, position{stack, 0})
	}
}

// Taken is the storage (BUFFER, ALLOC or PARAM) that an entry of a schedule, a CALL, END or BACKEDGE, takes: each once, in the order of
// its first use. A loop takes a back edge's flag first, then what each call inside takes.
func Taken(entry ir.Node) ([]ir.Node, error) {
	switch entry.Kind() {
	case ir.Call, ir.End, ir.Backedge:
	default:
		return nil, errorf(WrongKind, entry.Op(), "op %v is a %v; an entry is a CALL or a loop (END, BACKEDGE)", entry.Op(), entry.Kind())
	}
	var taken []ir.Node
	seen := map[uint32]bool{}
	var parts stacks
	once().each(entry, func(u use) bool {
		parts.storages(u.value, 1, func(s ir.Node) {
			if !seen[s.Index()] {
				seen[s.Index()] = true
				taken = append(taken, s)
			}
		})
		return true
	})
	return taken, nil
}
