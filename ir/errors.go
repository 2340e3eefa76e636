package ir

import "fmt"

// ErrorKind is what kind of fault an [Error] tells of.
type ErrorKind uint8

// The kinds of faults.
const (
	// BadArgument is a value that is out of its range.
	BadArgument ErrorKind = iota + 1
	// BadOp is a number that is no op of this graph: TOLK_NONE, made up, or another graph's.
	BadOp
	// WrongKind is an op of a kind that does not belong where it stands.
	WrongKind
	// Overflow is a size or sum that does not fit in 64 bits.
	Overflow
	// TooMany is a graph, a list or a placement that is longer than the tables hold.
	TooMany
)

// Error is why an op was not built or not read.
type Error struct {
	Kind ErrorKind
	// About is the kind of op that was asked for, or NoKind.
	About Kind
	// Message names the argument and its value and says what would be right.
	Message string
}

func (e *Error) Error() string {
	if e.About == NoKind {
		return e.Message
	}
	return e.About.String() + ": " + e.Message
}

// Errorf is an error about no kind of op, for faces that find faults before an op can be described.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	return errorf(kind, NoKind, format, args...)
}

func errorf(kind ErrorKind, about Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, About: about, Message: fmt.Sprintf(format, args...)}
}
