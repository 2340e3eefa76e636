// Package placement places the buffers of one arena: it gives each an offset so that buffers that live at one time share
// no byte, and keeps the arena small.
//
// The question is a problem.Problem; Place answers it with one of several placers, a file or a few each. The package
// needs nothing of the planner: lifetimes and sizes are enough. Package verify checks any plan, whoever made it.
package placement

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Placer is a strategy of placing.
type Placer uint8

const (
	// TLSF allocates and frees in order of time, from a two-level segregated fit allocator. Nearly linear.
	TLSF Placer = iota
	// Best looks for the smallest arena, and for a proof that there is none smaller. It is never worse than TLSF.
	Best
	// FirstFit places the largest buffers first, each at the lowest offset that is free for its whole lifetime.
	FirstFit
	// BestFit places the largest buffers first, each in the smallest gap that holds it.
	BestFit
)

var placerNames = [...]string{"tlsf", "best", "first-fit", "best-fit"}

// String is the name of the placer, as ParsePlacer takes it.
func (p Placer) String() string {
	if int(p) < len(placerNames) {
		return placerNames[p]
	}
	return fmt.Sprintf("Placer(%d)", uint8(p))
}

// ParsePlacer is the placer of a name: "tlsf", "best", "first-fit" or "best-fit".
func ParsePlacer(name string) (Placer, error) {
	for i, known := range placerNames {
		if name == known {
			return Placer(i), nil
		}
	}
	last := len(placerNames) - 1
	return 0, fmt.Errorf("placer is %q; it must be %s or %s", name, strings.Join(placerNames[:last], ", "), placerNames[last])
}

// Options say how to place. The zero value is TLSF with its defaults.
type Options struct {
	Placer Placer

	// Effort is the steps of work after which Best stops, a step being about a microsecond: the same effort gives the same
	// plan on every machine. Best ends what it is at when the effort is spent: up to one greedy placement of every buffer.
	// 0 means milliseconds for real models, about a second for hard problems, several for hard ones of a million buffers. The other
	// placers take what they take.
	Effort int64

	// TimeLimit is how long to look for a better plan; what is found by then is the answer, which depends on the machine.
	// 0 means no limit.
	TimeLimit time.Duration

	// Progress, if not nil, is called by Best when it finds a better plan or a better bound, and now and then in between.
	Progress func(Progress)

	// Range is the bytes of address range that the TLSF allocator starts with. It decides which plan it finds. 0 means
	// twice the sum of the needs, with the bytes that alignment can cost. Best looks at that plan too; the others ignore it.
	Range int64
}

// Progress is how far a long search has come.
type Progress struct {
	Size  int64 // of the best plan so far, bytes
	Bound int64 // no arena is smaller, bytes
	Spent int64 // steps
}

func (o *Options) validate() error {
	fault := func(field string, value int64, want string) error {
		return &Error{Kind: BadArgument, Buffer: -1, Field: field, Value: value, Want: want}
	}
	switch {
	case int(o.Placer) >= len(placerNames):
		return fault("placer", int64(o.Placer), fmt.Sprintf("it must be one of %q, 0 to %d", placerNames, len(placerNames)-1))
	case o.Effort < 0:
		return fault("effort", o.Effort, "it must be positive, or 0 for the default")
	case o.TimeLimit < 0:
		return fault("time limit", int64(o.TimeLimit), "it must be positive, or 0 for none")
	case o.Range < 0:
		return fault("range", o.Range, "it must be positive, or 0 for twice the sum of the needs")
	}
	return nil
}

// limit is ctx with the time limit.
func (o *Options) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.TimeLimit > 0 {
		return context.WithTimeout(ctx, o.TimeLimit)
	}
	return ctx, func() {}
}
