package placement

import "slices"

// ceiling is the fixed boxes above the skyline: what is placed must end below the lowest of its sections.
//
// It is a binary tree over the sections. A fixed box is kept at the few nodes that make up its sections together; all boxes at
// one node live together, so they are reached in order of offset.
type ceiling struct {
	boxes  *boxes
	width  int       // leaves, a power of two
	waits  [][]int32 // by node: fixed boxes, the lowest last
	lowest []int32   // by node: the lowest fixed box at it or below, or none
}

func newCeiling(b *boxes) *ceiling {
	c := &ceiling{boxes: b, width: 1}
	for c.width < len(b.loads) {
		c.width *= 2
	}
	c.waits = make([][]int32, 2*c.width)
	c.lowest = make([]int32, 2*c.width)
	return c
}

// reset puts all fixed boxes above the skyline.
func (c *ceiling) reset() {
	var fixed []int32
	for at := range c.boxes.all {
		if c.boxes.all[at].fixed != movable {
			fixed = append(fixed, int32(at))
		}
	}
	slices.SortFunc(fixed, func(i, j int32) int {
		return compareInts(c.boxes.all[j].fixed, c.boxes.all[i].fixed, int64(i), int64(j))
	})
	for node := range c.waits {
		c.waits[node] = c.waits[node][:0]
		c.lowest[node] = none
	}
	for _, i := range fixed {
		c.visit(i, func(node int) { c.waits[node] = append(c.waits[node], i) })
	}
}

// remove takes the lowest fixed box off the ceiling of its sections.
func (c *ceiling) remove(i int32) {
	c.visit(i, func(node int) { c.waits[node] = c.waits[node][:len(c.waits[node])-1] })
}

// visit calls change for the nodes that make up the sections of a box, and then updates what lies above them.
func (c *ceiling) visit(i int32, change func(node int)) {
	low, high := int(c.boxes.all[i].from)+c.width, int(c.boxes.all[i].to)+c.width
	for left, right := low, high; left < right; left, right = left/2, right/2 {
		if left%2 == 1 {
			change(left)
			c.refresh(left)
			left++
		}
		if right%2 == 1 {
			right--
			change(right)
			c.refresh(right)
		}
	}
}

// refresh recomputes the lowest box at a node and at those above it.
func (c *ceiling) refresh(node int) {
	for ; node > 0; node /= 2 {
		lowest := int32(none)
		if waits := c.waits[node]; len(waits) > 0 {
			lowest = waits[len(waits)-1]
		}
		if node < c.width {
			lowest = c.lower(lowest, c.lower(c.lowest[2*node], c.lowest[2*node+1]))
		}
		c.lowest[node] = lowest
	}
}

func (c *ceiling) lower(i, j int32) int32 {
	if i == none || j != none && c.boxes.all[j].fixed < c.boxes.all[i].fixed {
		return j
	}
	return i
}

// over is the lowest fixed box that lives in one of the sections [from, to), and its offset; none and unlimited if there is none.
func (c *ceiling) over(from, to int32) (box int32, offset int64) {
	low, high := int(from)+c.width, int(to)+c.width
	box = none
	for left, right := low, high; left < right; left, right = left/2, right/2 {
		if left%2 == 1 {
			box = c.lower(box, c.lowest[left])
			left++
		}
		if right%2 == 1 {
			right--
			box = c.lower(box, c.lowest[right])
		}
	}
	for _, edge := range [2]int{low, high - 1} {
		for node := edge; node > 0; node /= 2 {
			if waits := c.waits[node]; len(waits) > 0 {
				box = c.lower(box, waits[len(waits)-1])
			}
		}
	}
	if box == none {
		return none, unlimited
	}
	return box, c.boxes.all[box].fixed
}
