package placement

import (
	"context"
	"errors"
	"fmt"

	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// Proof is why an answer is known to be the best there is.
type Proof uint8

const (
	NoProof     Proof = iota // it may not be the best
	EqualsBound              // it is as small as the load, or as what alignment and fixed buffers make of it
	Exhausted                // every smaller arena was searched in full
)

var proofNames = [...]string{"none", "equals bound", "exhausted"}

// String is the proof in words.
func (p Proof) String() string {
	if int(p) < len(proofNames) {
		return proofNames[p]
	}
	return fmt.Sprintf("Proof(%d)", uint8(p))
}

// Stop is why a placer stopped.
type Stop uint8

const (
	Done        Stop = iota // it did all it does, or has a proof
	EffortSpent             // the effort was spent
	TimedOut                // the time limit, or the deadline of the context, was reached
	Cancelled               // the context was cancelled
)

var stopNames = [...]string{"done", "effort spent", "timed out", "cancelled"}

// String is the reason in words.
func (s Stop) String() string {
	if int(s) < len(stopNames) {
		return stopNames[s]
	}
	return fmt.Sprintf("Stop(%d)", uint8(s))
}

// Answer is a plan and what is known of it.
type Answer struct {
	Offsets     []int64 // bytes, by buffer
	Size        int64   // the greatest end of a buffer: the size of the arena
	LowerBound  int64   // the greatest load: bytes live at one entry
	PeakEntry   int64   // the first entry of that load, 0 if nothing needs bytes
	ProvenBound int64   // no arena is smaller: at least LowerBound
	Optimal     bool    // whether Size is ProvenBound
	Proof       Proof   // why it is optimal
	Spent       int64   // steps
	Stopped     Stop    // why the placer stopped
}

// Place is a plan for p. An answer of Best has been checked by package verify.
//
// When ctx ends or the time limit is reached, the best plan so far is the answer, not an error: see Answer.Stopped. It is
// the plan of TLSF if there is no better one yet.
//
// The error is an *Error: p or o is not valid, sizes overflow, or p has a capacity and it cannot be met (Infeasible) or was
// not (NotFound). The cost is that of the placer; see Placer and docs/placement.md.
func Place(ctx context.Context, p *problem.Problem, o Options) (*Answer, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	a, err := problem.Analyze(p)
	if err != nil {
		return nil, fromProblem(err)
	}
	if err := checkFixed(a); err != nil {
		return nil, err
	}
	if exceeds(p, a.Bound) {
		return nil, capacityError(Infeasible, a, 0, a.Bound)
	}
	ctx, cancel := o.limit(ctx)
	defer cancel()
	answer, err := run(ctx, a, &o)
	if err != nil {
		return nil, err
	}
	if exceeds(p, answer.Size) {
		return nil, unmet(a, answer)
	}
	return answer, nil
}

func exceeds(p *problem.Problem, size int64) bool {
	return p.Capacity > 0 && size > p.Capacity
}

// unmet is the error of an answer that does not fit the capacity.
func unmet(a *problem.Analysis, answer *Answer) error {
	if exceeds(a.Problem, answer.ProvenBound) {
		return capacityError(Infeasible, a, answer.Size, answer.ProvenBound)
	}
	return capacityError(NotFound, a, answer.Size, answer.ProvenBound)
}

func run(ctx context.Context, a *problem.Analysis, o *Options) (*Answer, error) {
	switch o.Placer {
	case Best:
		return placeBest(ctx, a, o), nil
	case FirstFit, BestFit:
		return placeBySize(ctx, a, o)
	default:
		offsets, err := eventOrder(a, o.Range)
		if err != nil {
			return nil, err
		}
		return newAnswer(a, offsets), nil
	}
}

// newAnswer is the answer with these offsets, proven only if they reach the bound. Nothing was spent beyond one step a buffer.
func newAnswer(a *problem.Analysis, offsets []int64) *Answer {
	answer := &Answer{
		Offsets: offsets, Size: top(a, offsets),
		LowerBound: a.LowerBound, PeakEntry: a.PeakEntry(), ProvenBound: a.Bound,
		Spent: int64(len(a.ByFirst)),
	}
	if answer.Size == answer.ProvenBound {
		answer.Optimal, answer.Proof = true, EqualsBound
	}
	return answer
}

// top is the greatest end of a buffer.
func top(a *problem.Analysis, offsets []int64) int64 {
	size := a.FixedTop
	for _, i := range a.ByFirst {
		size = max(size, offsets[i]+a.Needs[i])
	}
	return size
}

// startOffsets is the offsets that are known before placing: the fixed ones. A buffer of no bytes stays at 0 or where it is fixed.
func startOffsets(a *problem.Analysis) []int64 {
	offsets := make([]int64, len(a.Needs))
	for i := range offsets {
		if b := &a.Problem.Buffers[i]; b.Fixed {
			offsets[i] = b.Offset
		}
	}
	return offsets
}

// checkFixed is an error if two fixed buffers overlap.
func checkFixed(a *problem.Analysis) error {
	if !a.HasFixed {
		return nil
	}
	var fixed []int // indices
	sub := problem.Problem{Granule: a.Problem.Granule}
	var offsets []int64
	for i, b := range a.Problem.Buffers {
		if b.Fixed {
			fixed = append(fixed, i)
			sub.Buffers = append(sub.Buffers, b)
			offsets = append(offsets, b.Offset)
		}
	}
	for _, fault := range verify.Check(&sub, offsets, a.FixedTop) {
		if fault.Kind == verify.Overlap {
			i, j := fixed[fault.Buffer], fixed[fault.Other]
			return &Error{Kind: BadArgument, Buffer: j, Field: "offset", Value: a.Problem.Buffers[j].Offset,
				Want: fmt.Sprintf("it must not share bytes [%d, %d) at entry %d with buffer %d, which is fixed too", fault.From, fault.To, fault.Entry, i)}
		}
	}
	return nil
}

// stopped is why ctx ended.
func stopped(ctx context.Context) Stop {
	switch {
	case ctx.Err() == nil:
		return Done
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return TimedOut
	}
	return Cancelled
}
