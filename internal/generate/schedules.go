package generate

import (
	"slices"
	"strconv"

	"libtolk_memory/ir"
)

// Choices is where a generator's choices come from: a *rand.Rand of math/rand/v2, or what a property test draws (package
// drawn). IntN is a number in [0, n), n > 0.
type Choices interface{ IntN(n int) int }

// Shape bounds a schedule. The zero value is one of no entries.
type Shape struct {
	Storage int // how many BUFFERs, ALLOCs and PARAMs to choose from, at least 1
	Entries int // how many entries
	Depth   int // how deep loops stand in loops
	Count   int // elements of a storage, at most
}

// Schedule is a schedule with what goes with it.
type Schedule struct {
	Op      ir.Op // the LINEAR
	Storage []ir.Op
	Held    []ir.Op // storage, or views that stand for it
}

// Any is a schedule in g that may hold whatever a schedule may: every kind of op, chains of views with starts that depend on
// loops, effects of any kind, bodies that reach storage, several devices and disks, and everything shared and repeated.
// Each loop makes at most maxTrips trips.
func Any(g *ir.Graph, c Choices, shape Shape) *Schedule {
	s := &schedules{Choices: c, g: g, shape: shape}
	s.choosePlacements()
	for range max(1, shape.Storage) {
		s.storage = append(s.storage, s.newStorage())
	}
	entries := make([]ir.Op, shape.Entries)
	for i := range entries {
		entries[i] = s.entry(shape.Depth)
	}
	return &Schedule{Op: built(g.Linear(entries...)), Storage: s.storage, Held: s.chooseHeld()}
}

const maxTrips = 3

// schedules is a schedule under construction.
type schedules struct {
	Choices
	g          *ir.Graph
	shape      Shape
	placements []ir.Placement
	storage    []ir.Op
	values     []ir.Op // made so far, to be shared
	bodies     []ir.Op
	entries    []ir.Op
	ranges     []ir.Op // of the loops around what is being made, and any left behind
}

// built is an op that the generator knows to be right.
func built(op ir.Op, err error) ir.Op {
	if err != nil {
		panic(err)
	}
	return op
}

func (s *schedules) node(op ir.Op) ir.Node {
	n, err := s.g.Node(op)
	if err != nil {
		panic(err)
	}
	return n
}

// oneIn is true once in n times.
func (s *schedules) oneIn(n int) bool { return s.IntN(n) == 0 }

func pick[T any](c Choices, list []T) T { return list[c.IntN(len(list))] }

var deviceLists = [][]string{
	{"CUDA:0"}, {"CUDA:0"}, {"CPU"}, {"CUDA:1"}, {"CUDA:0", "CUDA:1"}, {"CUDA:1", "CUDA:0"}, {"AMD:0", "AMD:1", "CPU"},
	{"disk:/weights"}, {"DISK"}, {"Disk:a:b"}, {"DISKETTE:0"}, {"CPU", "DiSk:1"}, {"größe:0"},
}

func (s *schedules) choosePlacements() {
	for range 1 + s.IntN(4) {
		p, err := s.g.Placement(pick(s, deviceLists)...)
		if err != nil {
			panic(err)
		}
		s.placements = append(s.placements, p)
	}
}

var storable = slices.DeleteFunc(ir.Dtypes(), func(d ir.Dtype) bool { return !d.Storable() })

func (s *schedules) newStorage() ir.Op {
	d := ir.Desc{Kind: ir.Buffer, Dtype: pick(s, storable), Placement: pick(s, s.placements), Count: s.count()}
	if s.oneIn(5) {
		d.Kind = pick(s, []ir.Kind{ir.Alloc, ir.Param})
	}
	if s.oneIn(3) {
		d.Align = 1 << s.IntN(5)
		unit := min(d.Align, d.Dtype.Size())
		d.Phase = unit * int64(s.IntN(int(d.Align/unit)))
	}
	return built(s.g.Build(&d))
}

func (s *schedules) count() int64 {
	switch s.IntN(8) {
	case 0:
		return 0
	case 1:
		return 1
	}
	return int64(s.IntN(s.shape.Count + 1))
}

func (s *schedules) chooseHeld() (held []ir.Op) {
	for _, op := range s.storage {
		if s.oneIn(5) {
			held = append(held, op)
		}
	}
	if len(s.values) > 0 && s.oneIn(3) {
		held = append(held, pick(s, s.values))
	}
	return held
}

// entry is a call, a loop that holds others up to depth deep, or one of those made already.
func (s *schedules) entry(depth int) ir.Op {
	var op ir.Op
	switch {
	case len(s.entries) > 0 && s.oneIn(12):
		return pick(s, s.entries)
	case depth > 0 && s.oneIn(4):
		op = s.loop(depth - 1)
	default:
		op = s.call()
	}
	s.entries = append(s.entries, op)
	return op
}

func (s *schedules) call() ir.Op {
	arguments := make([]ir.Op, s.IntN(5))
	for i := range arguments {
		if s.oneIn(6) {
			arguments[i] = s.scalar()
		} else {
			arguments[i] = s.value()
		}
	}
	return built(s.g.Call(s.body(), arguments...))
}

func (s *schedules) body() ir.Op {
	if len(s.bodies) > 0 && s.oneIn(2) {
		return pick(s, s.bodies)
	}
	var op ir.Op
	if s.oneIn(6) {
		op = built(s.g.Linear(s.some(s.entries)...))
	} else {
		kind := pick(s, []ir.Kind{ir.Sink, ir.Store, ir.Store, ir.Program, ir.CustomFunction})
		name := pick(s, []string{"", "gemm", "añadir"})
		op = built(s.g.Body(kind, name, uint64(s.IntN(3)), s.some(s.anything())...))
	}
	s.bodies = append(s.bodies, op)
	return op
}

// anything is every op made so far that may be shared.
func (s *schedules) anything() []ir.Op {
	return slices.Concat(s.storage, s.values, s.bodies, s.entries, s.ranges)
}

// some is none to two of a list.
func (s *schedules) some(list []ir.Op) (ops []ir.Op) {
	if len(list) > 0 {
		for range s.IntN(3) {
			ops = append(ops, pick(s, list))
		}
	}
	return ops
}

func (s *schedules) loop(depth int) ir.Op {
	around := len(s.ranges)
	ranges := []ir.Op{s.newRange()}
	if s.oneIn(4) {
		ranges = append(ranges, s.newRange())
	}
	s.ranges = append(s.ranges, ranges...)
	body := s.repeated(depth)
	if !s.oneIn(5) {
		s.ranges = s.ranges[:around] // otherwise they are used outside of their loop too
	}
	if s.oneIn(2) {
		return built(s.g.Backedge(body, ranges[0], s.flag()))
	}
	return built(s.g.End(body, ranges...))
}

func (s *schedules) repeated(depth int) ir.Op {
	if s.oneIn(4) {
		return s.call()
	}
	entries := make([]ir.Op, s.IntN(4))
	for i := range entries {
		entries[i] = s.entry(depth)
	}
	return built(s.g.Linear(entries...))
}

func (s *schedules) newRange() ir.Op {
	count := built(s.g.Const(int64(s.IntN(maxTrips + 1))))
	if s.oneIn(3) {
		count = built(s.g.Variable("trips"+strconv.Itoa(s.IntN(2)), 0, maxTrips))
	}
	return built(s.g.Range(count, int64(s.IntN(100)), uint32(s.IntN(3))))
}

// flag is one bool of some storage.
func (s *schedules) flag() ir.Op {
	for range 4 {
		if v := s.value(); s.node(v).Nbytes() > 0 {
			bytes := built(s.g.Bitcast(v, ir.Bool))
			return built(s.g.Shrink(bytes, int64(s.IntN(int(s.node(bytes).Len()))), 1))
		}
	}
	return built(s.g.Buffer(ir.Storage{Dtype: ir.Bool, Count: 1, Placement: pick(s, s.placements)}))
}
