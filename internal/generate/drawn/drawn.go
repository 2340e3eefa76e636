// Package drawn makes the choices of the generators from what a property test draws, so that they are shrunk and replayed.
package drawn

import "pgregory.net/rapid"

// Choices are a generator's choices, drawn from T.
type Choices struct{ T *rapid.T }

// IntN is a number in [0, n).
func (c Choices) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(c.T, "choice") }
