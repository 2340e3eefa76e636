package placement

import (
	"math"
	"slices"
)

// claim is the bytes [from, to) in the sections [first, end).
type claim struct {
	from, to   int64
	first, end int32
}

// everywhere is a claim to bytes in every section.
func everywhere(from, to int64) claim {
	return claim{from, to, 0, math.MaxInt32}
}

// endIn is where the bytes of c end if it meets the sections [first, end), or else 0. It does not branch: which claims of a block
// meet them cannot be foretold.
func (c *claim) endIn(first, end int32) int64 {
	return c.to & int64((c.first-end)&(first-c.end)>>31)
}

// insertClaim is claims, in order of from, with one more.
func insertClaim(claims []claim, c claim) []claim {
	return slices.Insert(claims, claimsBelow(claims, c.from), c)
}

// uniteClaim is the union of c and claims in order with free bytes between any two, all of them everywhere.
func uniteClaim(claims []claim, c claim) []claim {
	low := claimsBelow(claims, c.from)
	if low > 0 && claims[low-1].to >= c.from {
		low--
		c.from = claims[low].from
	}
	high := low
	for ; high < len(claims) && claims[high].from <= c.to; high++ {
		c.to = max(c.to, claims[high].to)
	}
	if low == high {
		return slices.Insert(claims, low, c)
	}
	claims[low] = c
	return slices.Delete(claims, low+1, high)
}

// claimsBelow is how many of the claims, in order of from, start below an offset. It halves what is left without a branch, for the
// reason that endIn has none, and so may look again at one that starts above.
func claimsBelow(claims []claim, offset int64) int {
	below := 0
	for left := len(claims); left > 0; {
		half := (left + 1) / 2
		below += half & int((claims[below+half-1].from-offset)>>63)
		left -= half
	}
	return below
}
