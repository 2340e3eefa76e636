package placement

import (
	"errors"
	"fmt"
	"strings"

	"libtolk_memory/placement/problem"
)

// Kind is why there is no plan.
type Kind uint8

const (
	BadArgument Kind = iota + 1 // Field of Buffer, or of the problem or options, is Value: Want says what would be right
	Overflow                    // a sum of sizes leaves 64 bits
	Infeasible                  // no plan fits the capacity: proven
	NotFound                    // no plan that fits the capacity was found within the effort; there may be one
)

// Error is why there is no plan. Its kind says which fields mean something.
type Error struct {
	Kind   Kind
	Buffer int    // BadArgument, Overflow: the buffer's index, or -1
	Field  string // BadArgument, Overflow: which field
	Value  int64  // BadArgument, Overflow: what it is
	Want   string // BadArgument, Overflow: what would be right

	Capacity    int64 // Infeasible, NotFound: bytes
	ProvenBound int64 // Infeasible, NotFound: no arena is smaller, bytes
	Size        int64 // NotFound: the smallest arena found, bytes
	Entry       int64 // Infeasible, NotFound: the entry of the greatest load
	Load        int64 // Infeasible, NotFound: bytes live at Entry
	Largest     []int // Infeasible, NotFound: the largest buffers live at Entry, the greatest first, maxLargest at most
	Needs       []int64
}

// maxLargest is how many of the buffers that live at the greatest load an error names.
const maxLargest = 5

// Error is the fault in words.
func (e *Error) Error() string {
	switch e.Kind {
	case BadArgument, Overflow:
		if e.Buffer < 0 {
			return fmt.Sprintf("%s is %d: %s", e.Field, e.Value, e.Want)
		}
		return fmt.Sprintf("buffer %d: %s is %d: %s", e.Buffer, e.Field, e.Value, e.Want)
	case Infeasible:
		if e.Load <= e.Capacity {
			return fmt.Sprintf("capacity %d cannot be met: no arena is smaller than %d; %s", e.Capacity, e.ProvenBound, e.peak())
		}
		return fmt.Sprintf("capacity %d cannot be met: the load is %d bytes over it; %s", e.Capacity, e.Load-e.Capacity, e.peak())
	case NotFound:
		return fmt.Sprintf("capacity %d was not met within the effort: the smallest arena found is %d, none is smaller than %d; %s",
			e.Capacity, e.Size, e.ProvenBound, e.peak())
	}
	return "no plan"
}

func (e *Error) peak() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d bytes are live at entry %d, the largest", e.Load, e.Entry)
	for at, i := range e.Largest {
		if at > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, " buffer %d of %d", i, e.Needs[at])
	}
	return s.String()
}

// fromProblem is the error of package problem as one of this package.
func fromProblem(err error) error {
	var fault *problem.Error
	if !errors.As(err, &fault) {
		return err
	}
	e := &Error{Kind: BadArgument, Buffer: fault.Buffer, Field: fault.Field, Value: fault.Value, Want: fault.Want}
	if fault.Overflow {
		e.Kind = Overflow
	}
	return e
}

// capacityError is that the capacity of a's problem was not met by a plan of size bytes.
func capacityError(kind Kind, a *problem.Analysis, size, bound int64) error {
	e := &Error{Kind: kind, Buffer: -1, Capacity: a.Problem.Capacity, ProvenBound: bound, Size: size,
		Entry: a.PeakEntry(), Load: a.LowerBound}
	live := a.Live(e.Entry)
	for _, i := range live[:min(len(live), maxLargest)] {
		e.Largest = append(e.Largest, i)
		e.Needs = append(e.Needs, a.Needs[i])
	}
	return e
}
