package planner

import (
	"time"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
)

// DefaultGranule is what needs are rounded up to unless the options say otherwise, in bytes.
const DefaultGranule = 256

// Copies says where the buffers of copies are placed. The values are part of the C ABI.
type Copies uint8

const (
	// CopiesShared places them in the arena of their placement.
	CopiesShared Copies = iota
	// CopiesApart places them in a second arena of their placement, where each stays for twice its lifetime.
	CopiesApart
)

// Capacity is the most bytes that the arenas on a placement may have, each.
type Capacity struct {
	Devices []string
	Bytes   int64
}

// Options say how to plan. The zero value is the rule: TLSF placing, copies shared, nothing held.
type Options struct {
	// Held are the buffers whose contents outlive the schedule. A view stands for the storage under it.
	Held   []ir.Op
	Copies Copies

	// NoMemoryPlanner and Debug override the settings for this plan if they are not nil.
	NoMemoryPlanner, Debug *int64

	// Placer, Effort, TimeLimit and Progress are as in package placement; TimeLimit is for the whole plan.
	Placer    placement.Placer
	Effort    int64
	TimeLimit time.Duration
	Progress  func(placement.Progress)

	// Granule is what needs are rounded up to, in bytes: a power of two up to 1 GiB; 0 means 256.
	Granule int64
	// Capacities bound the arenas of some placements.
	Capacities []Capacity

	// Placed takes the plan once all is known of it but the ops that planning adds to the graph, which it has not yet;
	// its error ends planning. nil takes nothing.
	Placed func(*Plan) error

	// Print takes the line on the memory saved; nil prints it on standard output.
	Print func(line string)
}

func (o *Options) setting(override *int64, s Setting) int64 {
	if override != nil {
		return *override
	}
	return s.Get()
}

func (o *Options) off() bool { return o.setting(o.NoMemoryPlanner, NoMemoryPlanner) != 0 }

func (o *Options) debug() int64 { return o.setting(o.Debug, Debug) }

func (o *Options) granule() int64 {
	if o.Granule == 0 {
		return DefaultGranule
	}
	return o.Granule
}

func (o *Options) validate() error {
	if o.Copies > CopiesApart {
		return errorf(BadArgument, ir.None, "copies is %d; it must be 0 (shared) or 1 (apart)", o.Copies)
	}
	if g := o.Granule; g < 0 || g > 1<<30 || g&(g-1) != 0 {
		return errorf(BadArgument, ir.None, "granule is %d; it must be a power of two up to 1 GiB, or 0 for %d", g, DefaultGranule)
	}
	for i, c := range o.Capacities {
		if c.Bytes <= 0 {
			return errorf(BadArgument, ir.None, "capacity %d is %d bytes; it must be positive", i, c.Bytes)
		}
		if len(c.Devices) == 0 {
			return errorf(BadArgument, ir.None, "capacity %d names no device", i)
		}
	}
	return nil
}

// HeldStorage is the set of the storage that held names, by its place in the graph: the op itself, or what is under a view. It is
// an *[Error] if one of them is neither.
func HeldStorage(g *ir.Graph, held []ir.Op) (map[uint32]bool, error) {
	set := make(map[uint32]bool, len(held))
	var parts stacks
	for i, op := range held {
		n, err := g.Node(op)
		if err != nil {
			return nil, errorf(BadOp, op, "held buffer %d: %v", i, err)
		}
		if !n.Kind().IsValue() {
			return nil, errorf(WrongKind, op, "held buffer %d is %v (a %v); it must be storage or a view", i, op, n.Kind())
		}
		parts.storages(n, 1, func(s ir.Node) { set[s.Index()] = true })
	}
	return set, nil
}
