package planner

import (
	"errors"
	"fmt"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
)

// ErrorKind is what kind of fault an [Error] tells of.
type ErrorKind uint8

// The kinds of faults.
const (
	// BadArgument is an option out of its range.
	BadArgument ErrorKind = iota + 1
	// WrongKind is an op of a kind that cannot stand there, such as a schedule that is no LINEAR.
	WrongKind
	// BadOp is a number that is no op of the schedule's graph.
	BadOp
	// Overflow is a size or sum that does not fit.
	Overflow
	// TooMany is a schedule whose loops, written out, would have too many arguments to list.
	TooMany
)

// Error is why a schedule was not planned.
type Error struct {
	Kind    ErrorKind
	Op      ir.Op // the op at fault, or None
	Message string
}

func (e *Error) Error() string { return e.Message }

func errorf(kind ErrorKind, op ir.Op, format string, args ...any) *Error {
	return &Error{Kind: kind, Op: op, Message: fmt.Sprintf(format, args...)}
}

// ArenaError is why the buffers of one arena could not be placed.
type ArenaError struct {
	Devices []string
	// Buffers are the arena's buffers as the placer numbers them.
	Buffers []ir.Op
	Err     error // of package placement
}

func (e *ArenaError) Error() string {
	text := fmt.Sprintf("arena on %q: %v", e.Devices, e.Err)
	var place *placement.Error
	if !errors.As(e.Err, &place) {
		return text
	}
	// The placer counts the arena's buffers; the caller knows them as ops.
	named := place.Largest
	if place.Buffer >= 0 && len(named) == 0 {
		named = []int{place.Buffer}
	}
	for i, b := range named {
		text += fmt.Sprintf("%s buffer %d is %v", separator(i), b, e.Buffers[b])
	}
	return text
}

func separator(i int) string {
	if i == 0 {
		return ";"
	}
	return ","
}

func (e *ArenaError) Unwrap() error { return e.Err }
