package planner

import (
	"fmt"

	"libtolk_memory/ir"
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

func (e *ArenaError) Error() string { return fmt.Sprintf("arena on %q: %v", e.Devices, e.Err) }

func (e *ArenaError) Unwrap() error { return e.Err }
