package problem

import (
	"fmt"
	"math"
)

// Error is why a problem is none: a field of a buffer, or of the problem itself, has a value it may not have.
type Error struct {
	Buffer   int    // the buffer's index, or -1 for a field of the problem
	Field    string // the field's name: "end", "bytes", "align", "offset", "granule", "capacity", "buffers"
	Value    int64  // what it is
	Want     string // what would be right
	Overflow bool   // whether the value is right by itself and a sum of it leaves 64 bits
}

// Error is the fault in words.
func (e *Error) Error() string {
	if e.Buffer < 0 {
		return fmt.Sprintf("%s is %d: %s", e.Field, e.Value, e.Want)
	}
	return fmt.Sprintf("buffer %d: %s is %d: %s", e.Buffer, e.Field, e.Value, e.Want)
}

// Validate is nil if p is a problem that can be placed, and otherwise an *Error that names the first fault.
// That fixed buffers overlap one another is a fault too, which package placement finds with the help of package verify.
func (p *Problem) Validate() error {
	if err := p.validateSettings(); err != nil {
		return err
	}
	total, highest := int64(0), int64(0)
	for i := range p.Buffers {
		if err := p.validateBuffer(i); err != nil {
			return err
		}
		b, need := &p.Buffers[i], p.Need(i)
		total += need + p.Alignment(i) - 1
		if b.Fixed {
			highest = max(highest, b.Offset+need)
		}
		if total+highest > Limit {
			return &Error{Buffer: i, Field: "bytes", Value: b.Bytes, Overflow: true,
				Want: "the needs, the bytes lost to alignment and the highest fixed byte may add up to 2^62 - 1 at most"}
		}
	}
	return nil
}

func (p *Problem) validateSettings() error {
	if len(p.Buffers) > math.MaxInt32/2 {
		return &Error{Buffer: -1, Field: "buffers", Value: int64(len(p.Buffers)), Want: "at most 2^30 buffers can be placed at once"}
	}
	if p.Granule != 0 && !isAlignment(p.Granule) {
		return &Error{Buffer: -1, Field: "granule", Value: p.Granule, Want: "it must be a power of two up to 2^30, or 0 for 1"}
	}
	if p.Capacity < 0 {
		return &Error{Buffer: -1, Field: "capacity", Value: p.Capacity, Want: "it must be positive, or 0 for none"}
	}
	return nil
}

func (p *Problem) validateBuffer(i int) error {
	b := &p.Buffers[i]
	fault := func(field string, value int64, want string) error {
		return &Error{Buffer: i, Field: field, Value: value, Want: want}
	}
	switch {
	case b.First >= b.End:
		return fault("end", b.End, fmt.Sprintf("it must be greater than first, %d, since a lifetime is half-open", b.First))
	case b.Bytes < 0:
		return fault("bytes", b.Bytes, "it must be at least 0")
	case b.Bytes > Limit:
		return &Error{Buffer: i, Field: "bytes", Value: b.Bytes, Want: "it may be 2^62 - 1 at most", Overflow: true}
	case b.Align != 0 && !isAlignment(b.Align):
		return fault("align", b.Align, "it must be a power of two up to 2^30, or 0 for the granule")
	case !b.Fixed:
		return nil
	case b.Offset < 0:
		return fault("offset", b.Offset, "a fixed offset must be at least 0")
	case b.Offset > Limit:
		return &Error{Buffer: i, Field: "offset", Value: b.Offset, Want: "it may be 2^62 - 1 at most", Overflow: true}
	case b.Offset%max(b.Align, 1) != 0:
		return fault("offset", b.Offset, fmt.Sprintf("a fixed offset must be a multiple of the buffer's alignment, %d", b.Align))
	}
	return nil
}

func isAlignment(n int64) bool {
	return n > 0 && n <= MaxAlign && n&(n-1) == 0
}
