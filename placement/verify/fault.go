package verify

import "fmt"

// Kind is what is wrong.
type Kind uint8

const (
	InvalidProblem Kind = iota // the problem itself is not valid: Reason
	WrongCount                 // there are Got offsets for Want buffers
	Moved                      // Buffer is fixed at Want and was placed at Got
	Misaligned                 // Buffer's offset, Got, is no multiple of Want
	OutOfArena                 // Buffer's bytes [From, To) leave the arena, whose size is Want
	WrongSize                  // the size is Got and the highest byte used is Want
	OverCapacity               // the size, Got, is greater than the capacity, Want
	Overlap                    // Buffer and Other both live at Entry and share the bytes [From, To)
)

var kindNames = [...]string{"invalid problem", "wrong count", "moved", "misaligned", "out of arena", "wrong size", "over capacity", "overlap"}

// String is the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Fault is one thing that is wrong with a plan. Its kind says which fields mean something.
type Fault struct {
	Kind     Kind
	Buffer   int   // the buffer, or -1 if the fault is none of a buffer; of an overlap the one that starts first
	Other    int   // the second buffer of an overlap, otherwise -1
	Entry    int64 // the first entry at which the fault is there
	From, To int64 // bytes, half-open
	Got      int64
	Want     int64
	Reason   string
}

// Error is the fault in words.
func (f Fault) Error() string {
	switch f.Kind {
	case InvalidProblem:
		return "the problem is not valid: " + f.Reason
	case WrongCount:
		return fmt.Sprintf("%d offsets for %d buffers", f.Got, f.Want)
	case Moved:
		return fmt.Sprintf("buffer %d is fixed at %d and was placed at %d", f.Buffer, f.Want, f.Got)
	case Misaligned:
		return fmt.Sprintf("buffer %d at %d is not aligned to %d", f.Buffer, f.Got, f.Want)
	case OutOfArena:
		return fmt.Sprintf("buffer %d takes bytes [%d, %d) of an arena of %d", f.Buffer, f.From, f.To, f.Want)
	case WrongSize:
		return fmt.Sprintf("the size is %d and the buffers end at %d", f.Got, f.Want)
	case OverCapacity:
		return fmt.Sprintf("the size is %d and the capacity %d", f.Got, f.Want)
	case Overlap:
		return fmt.Sprintf("buffers %d and %d share bytes [%d, %d) at entry %d", f.Buffer, f.Other, f.From, f.To, f.Entry)
	}
	return f.Kind.String()
}
