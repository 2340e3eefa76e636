package placement

import (
	"errors"
	"fmt"
	"math"

	"libtolk_memory/placement/problem"
	"libtolk_memory/tlsf"
)

const (
	tlsfLists     = 32 // second-level lists of the allocator
	leastTLSFUnit = 32 // the least block size that has as many bits as the count of lists
)

// eventOrder is the offsets that placing in order of time gives. It walks the entries in order of time: at each it frees first
// the buffers that end, in order of their first use, and then allocates those that start (M. Masmano, I. Ripoll, A. Crespo,
// J. Real, "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004).
//
// The allocator counts in units of which a granule has at least leastTLSFUnit, so that the same needs in granules get the same
// plan whatever the granule.
//
// It cannot keep bytes free for a buffer that is fixed and starts later: all others lie above the highest fixed byte.
func eventOrder(a *problem.Analysis, addressRange int64) ([]int64, error) {
	granule := a.Problem.GranuleBytes()
	block := max(granule, leastTLSFUnit)
	scale := block / granule
	if addressRange == 0 {
		addressRange = twiceTheNeeds(a)
	}
	if addressRange > math.MaxInt64/scale {
		return nil, &Error{Kind: Overflow, Buffer: -1, Field: "twice the sum of the needs", Value: addressRange,
			Want: fmt.Sprintf("with a granule of %d tlsf counts in units of which a byte has %d: it must be %d at most", granule, scale, math.MaxInt64/scale)}
	}
	allocator, err := tlsf.New(addressRange*scale, 0, block, tlsfLists)
	if err != nil {
		return nil, fromTLSF(err, -1)
	}
	r := tlsfReplay{Analysis: a, allocator: allocator, scale: scale, size: addressRange,
		base: floorAboveFixed(a), offsets: startOffsets(a)}
	ended := 0
	for _, i := range a.ByFirst {
		for ; a.Problem.Buffers[a.ByEnd[ended]].End <= a.Problem.Buffers[i].First; ended++ {
			if err := r.free(a.ByEnd[ended]); err != nil {
				return nil, err
			}
		}
		if err := r.allocate(i); err != nil {
			return nil, err
		}
	}
	return r.offsets, nil
}

// floorAboveFixed is the least offset above all fixed buffers that is a multiple of every alignment.
func floorAboveFixed(a *problem.Analysis) int64 {
	if !a.HasFixed {
		return 0
	}
	greatest := a.Problem.GranuleBytes()
	for _, i := range a.ByFirst {
		greatest = max(greatest, extraAlignment(a, i))
	}
	return problem.AlignUp(a.FixedTop, greatest)
}

// tlsfReplay is a replay under way. An offset is the base and an address of the allocator divided by scale.
type tlsfReplay struct {
	*problem.Analysis
	allocator *tlsf.Allocator
	scale     int64
	size      int64 // of the address range, bytes
	base      int64
	offsets   []int64
}

func (r *tlsfReplay) allocate(i int32) error {
	if r.Problem.Buffers[i].Fixed {
		return nil
	}
	if r.Needs[i] > math.MaxInt64/r.scale {
		return &Error{Kind: Overflow, Buffer: int(i), Field: "bytes", Value: r.Problem.Buffers[i].Bytes,
			Want: fmt.Sprintf("tlsf counts in units of which a granule has %d: it must be %d at most", r.scale, math.MaxInt64/r.scale)}
	}
	address, ok, err := r.allocator.Alloc(r.Needs[i]*r.scale, max(extraAlignment(r.Analysis, i)*r.scale, 1))
	if err != nil {
		return fromTLSF(err, int(i))
	}
	if !ok {
		return &Error{Kind: BadArgument, Buffer: int(i), Field: "range", Value: r.size,
			Want: "tlsf found no block for the buffer in it; it must be greater, or 0 for twice the sum of the needs"}
	}
	r.offsets[i] = r.base + address/r.scale
	return nil
}

func (r *tlsfReplay) free(i int32) error {
	if r.Problem.Buffers[i].Fixed {
		return nil
	}
	return fromTLSF(r.allocator.Free((r.offsets[i]-r.base)*r.scale), int(i))
}

// extraAlignment is the alignment of buffer i if the granule does not give it already, otherwise 0.
func extraAlignment(a *problem.Analysis, i int32) int64 {
	if align := a.Problem.Buffers[i].Align; align > a.Problem.GranuleBytes() {
		return align
	}
	return 0
}

// twiceTheNeeds is twice the sum of what the buffers can take. A free block of half of that is left until the last buffer, so
// that no request fails, though it is rounded up.
func twiceTheNeeds(a *problem.Analysis) int64 {
	sum := a.Total
	for _, i := range a.ByFirst {
		if align := extraAlignment(a, i); align > 0 {
			sum += align - a.Problem.GranuleBytes()
		}
	}
	return 2 * sum
}

// fromTLSF is the allocator's error, if there is one, as one of this package.
func fromTLSF(err error, buffer int) error {
	if err == nil {
		return nil
	}
	var fault *tlsf.Error
	if errors.As(err, &fault) && fault.Kind == tlsf.Overflow {
		return &Error{Kind: Overflow, Buffer: buffer, Field: fault.Argument, Value: fault.Value, Want: fault.Reason}
	}
	return err
}
