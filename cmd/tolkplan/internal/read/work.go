// Package read reads what tolkplan plans: schedules and lifetimes as JSON, lifetimes as CSV, and models of TensorFlow Lite and ONNX.
//
// Each becomes a [Work]. Whatever a file holds, reading it gives a Work or an [Error] that says where the file is wrong, in
// memory that is linear in the file (up to the limits named here).
package read

import (
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// Work is something to plan: either a schedule or lifetimes.
type Work struct {
	Name      string   // the file's name, with a line behind it where a file holds several
	Notes     []string // what the file does not say and the plan therefore leaves out
	Schedule  *Schedule
	Lifetimes *Lifetimes
	Options   Options
	Dims      []string // the dynamic dimensions of a model that were given a size
}

// Schedule is a schedule and what people call its parts.
type Schedule struct {
	Graph   *ir.Graph
	Op      ir.Node // the LINEAR
	Storage []ir.Op
	Held    []ir.Op
	IDs     []string // by storage
	Names   []string // by storage; "" where there is none
	Groups  []string // by storage: "input", "output" or "variable" of a model; "" otherwise
	Entries []string // a label for each entry
	Plans   []GivenPlan
	Text    []byte // as the file has it; nil for a model
}

// Lifetimes are buffers with lifetimes that somebody already has.
type Lifetimes struct {
	Buffers []Lifetime
	// HasArenas reports whether the file says which arena each buffer is in.
	HasArenas bool
}

// Lifetime is a buffer and when it lives. A buffer with an offset is Fixed.
type Lifetime struct {
	problem.Buffer
	ID, Name, Arena string
}

// Options are what a request says about how to plan it. Nil fields are not said.
type Options struct {
	Placer      *placement.Placer
	Copies      *planner.Copies
	Granule     *int64
	Effort      *int64
	TimeLimitMS *int64
}

// GranuleOr is a granule, or what the request says of it if that is 0, which may be nothing: 0.
func (o *Options) GranuleOr(granule int64) int64 {
	if granule == 0 && o.Granule != nil {
		return *o.Granule
	}
	return granule
}

// GivenPlan is a plan that a file holds of the schedule beside it, as text.
type GivenPlan struct {
	Name       string // what to call it
	Arenas     []GivenArena
	Places     map[int][2]int64 // arena and byte, by storage
	Before     int64
	After      int64
	LowerBound int64
	Taken      [][]int
}

// GivenArena is an arena of a given plan.
type GivenArena struct {
	Devices []string
	Size    int64
}

// Offsets reports whether every buffer has an offset: whether the lifetimes are a plan.
func (l *Lifetimes) Offsets() bool {
	for i := range l.Buffers {
		if !l.Buffers[i].Fixed {
			return false
		}
	}
	return len(l.Buffers) > 0
}
