package tlsf

import (
	"fmt"
	"strings"
)

// ErrorKind is the class of an [Error]: what a caller decides by.
type ErrorKind int

const (
	// BadArgument is an argument outside its range.
	BadArgument ErrorKind = iota + 1
	// Overflow is arguments of which each is in its range and whose sum or rounding does not fit in 63 bits.
	Overflow
	// NotAllocated is an address at which no allocated block starts.
	NotAllocated
	// Broken is an allocator that contradicts itself. Only [Allocator.Check] finds it.
	Broken
)

// String is the kind in words.
func (k ErrorKind) String() string {
	switch k {
	case BadArgument:
		return "bad argument"
	case Overflow:
		return "overflow"
	case NotAllocated:
		return "not allocated"
	case Broken:
		return "broken"
	}
	return fmt.Sprintf("ErrorKind(%d)", int(k))
}

// Error is the one type of error of this package. A call that gives one has changed nothing.
type Error struct {
	Kind     ErrorKind
	Call     string // function or method: "New", "Alloc", "Free", "Check"
	Argument string // parameter at fault in words, since other languages spell it in other ways; "" for Broken
	Value    int64  // its value
	Reason   string // what is wrong, or what would be right
}

// Error is one line that names the call, the argument and its value, and says what would be right.
func (e *Error) Error() string {
	call := strings.ToLower(e.Call)
	if e.Argument == "" {
		return fmt.Sprintf("tlsf: %s: %s", call, e.Reason)
	}
	return fmt.Sprintf("tlsf: %s: %s is %d: %s", call, e.Argument, e.Value, e.Reason)
}

func fault(kind ErrorKind, call, argument string, value int64, format string, args ...any) error {
	return &Error{kind, call, argument, value, fmt.Sprintf(format, args...)}
}

func broken(format string, args ...any) error {
	return fault(Broken, "Check", "", 0, format, args...)
}
