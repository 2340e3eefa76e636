// Package solve plans a [read.Work], whatever it is, and gives the plan in one form that the commands show, explain, compare and check.
package solve

import (
	"context"
	"slices"
	"strings"
	"time"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// Settings say how to plan. What a file says of it counts where they leave it open.
type Settings struct {
	Placer     *placement.Placer
	Effort     int64
	TimeLimit  time.Duration
	Granule    int64
	Copies     *planner.Copies
	Capacities []Capacity
	Hold       []string // storage to hold, by id, name, or a word such as "inputs"
	Release    []string // storage not to hold
	Anew       bool     // place buffers anew that the file gives an offset
	Progress   func(arena string, p placement.Progress)
}

// Capacity is the most bytes that the arenas of a device may have, each; of every arena if Device is "".
type Capacity struct {
	Device string
	Bytes  int64
}

// Plan is the arenas of a work.
type Plan struct {
	Name    string // the placer's, or what the file calls it
	Arenas  []Arena
	Apart   []Apart  // what is not planned
	Entries []string // a label for each entry; may be empty
}

// Arena is one arena: the problem and its answer.
type Arena struct {
	Name        string
	Devices     []string // of a schedule's
	Problem     problem.Problem
	Buffers     []Buffer // as the problem numbers them
	Offsets     []int64
	Size        int64
	LowerBound  int64 // the greatest load
	ProvenBound int64 // no arena is smaller
	Peak        int64 // the first entry of the greatest load
	Optimal     bool
	Proof       string
	Stopped     string
	Spent       int64
}

// Buffer is what people call a buffer, and the entries that take it, in rising order.
type Buffer struct {
	ID, Name string
	Takers   []int64
}

// Apart is storage that is not planned, and why: "input", "output" or "variable" of a model, "held", "param", "alloc" or "disk".
type Apart struct {
	ID, Name, Device, Why string
	Bytes                 int64
	Takers                []int64
}

// Held reports whether planning could place it if it were not held.
func (a *Apart) Held() bool {
	return !slices.Contains([]string{"param", "alloc", "disk"}, a.Why)
}

// Before is the sum of the needs, bytes.
func (p *Plan) Before() int64 {
	total := int64(0)
	for i := range p.Arenas {
		total += p.Arenas[i].Before()
	}
	return total
}

// Before is the sum of the needs of an arena, bytes.
func (a *Arena) Before() int64 {
	total := int64(0)
	for i := range a.Problem.Buffers {
		total += a.Problem.Need(i)
	}
	return total
}

// After is the sum of the arenas' sizes, bytes.
func (p *Plan) After() int64 { return p.sum(func(a *Arena) int64 { return a.Size }) }

// LowerBound is the sum of the arenas' greatest loads, bytes.
func (p *Plan) LowerBound() int64 { return p.sum(func(a *Arena) int64 { return a.LowerBound }) }

func (p *Plan) sum(f func(*Arena) int64) int64 {
	total := int64(0)
	for i := range p.Arenas {
		total += f(&p.Arenas[i])
	}
	return total
}

// Optimal reports whether no plan can be smaller.
func (p *Plan) Optimal() bool {
	return !slices.ContainsFunc(p.Arenas, func(a Arena) bool { return !a.Optimal })
}

// Work is the plan of a work. The error is an [*Unmet] where a capacity is not met, and otherwise says what of the settings or the
// work is wrong.
func Work(ctx context.Context, w *read.Work, s Settings) (*Plan, error) {
	s = s.with(w.Options)
	if w.Schedule != nil {
		return planSchedule(ctx, w.Schedule, &s)
	}
	return planLifetimes(ctx, w.Lifetimes, &s)
}

// with is s with what a file says where s is silent.
func (s Settings) with(o read.Options) Settings {
	if s.Placer == nil {
		s.Placer = o.Placer
	}
	if s.Copies == nil {
		s.Copies = o.Copies
	}
	s.Granule = o.GranuleOr(s.Granule)
	if s.Effort == 0 && o.Effort != nil {
		s.Effort = *o.Effort
	}
	if s.TimeLimit == 0 && o.TimeLimitMS != nil {
		s.TimeLimit = time.Duration(min(*o.TimeLimitMS, int64(time.Hour/time.Millisecond)*24*365)) * time.Millisecond
	}
	return s
}

func (s *Settings) placer() placement.Placer {
	if s.Placer == nil {
		return placement.TLSF
	}
	return *s.Placer
}

// progress is a function that tells of an arena's progress, nil if nobody listens.
func (s *Settings) progress(arena string) func(placement.Progress) {
	if s.Progress == nil {
		return nil
	}
	return func(p placement.Progress) { s.Progress(arena, p) }
}

// capacity is that of an arena on a device; 0 if it has none.
func (s *Settings) capacity(device string) int64 {
	bytes := int64(0)
	for _, c := range s.Capacities {
		if c.Device == device || c.Device == "" && bytes == 0 {
			bytes = c.Bytes
		}
	}
	return bytes
}

// DeviceName is what a placement is called.
func DeviceName(devices []string) string { return strings.Join(devices, "+") }

// Unplanned is the plan in which each buffer has bytes of its own.
func (p *Plan) Unplanned() *Plan {
	out := &Plan{Name: "before", Apart: p.Apart, Entries: p.Entries}
	for i := range p.Arenas {
		a := p.Arenas[i]
		a.Offsets, a.Size = make([]int64, len(a.Buffers)), 0
		for k := range a.Offsets {
			a.Offsets[k] = problem.AlignUp(a.Size, a.Problem.Alignment(k))
			a.Size = a.Offsets[k] + a.Problem.Need(k)
		}
		a.Optimal, a.Proof = a.Size == a.ProvenBound, ""
		out.Arenas = append(out.Arenas, a)
	}
	return out
}
