package picture

import (
	"fmt"
	"math/big"
	"sort"
)

const classCount = 5

// classes is the classes of lifetimes of a picture, which colours tell apart. From the shortest to the longest lifetime each class
// reaches further by the same factor, so that there are some of most, whatever the schedule.
type classes struct {
	shortest int64             // entries
	longest  [classCount]int64 // entries, of each class
}

func newClasses(p *Picture) classes {
	shortest, longest := int64(0), int64(1)
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			for k := range p.Plans[i].Arenas[j].Buffers {
				length := p.Plans[i].Arenas[j].Buffers[k].length()
				longest = max(longest, length)
				if shortest == 0 || length < shortest {
					shortest = length
				}
			}
		}
	}
	c := classes{shortest: max(shortest, 1)}
	for i := range c.longest {
		c.longest[i] = between(c.shortest, longest, i+1)
	}
	return c
}

// between is the number that is step of classCount steps of one factor on the way from low to high, rounded down. It is exact, and so
// the same on every machine: the greatest n with n^classCount <= low^(classCount-step) * high^step.
func between(low, high int64, step int) int64 {
	power := func(n int64, exponent int) *big.Int {
		return new(big.Int).Exp(big.NewInt(n), big.NewInt(int64(exponent)), nil)
	}
	limit := power(low, classCount-step)
	limit.Mul(limit, power(high, step))
	above := sort.Search(int(high-low)+1, func(i int) bool { return power(low+int64(i), classCount).Cmp(limit) > 0 })
	return low + int64(above) - 1
}

func (b *Buffer) length() int64 { return b.End - b.First }

// of is the class of a buffer.
func (c classes) of(b *Buffer) int {
	for i, longest := range c.longest {
		if b.length() <= longest {
			return i
		}
	}
	return classCount - 1
}

// name is the lifetimes of a class in words, "" if it has none.
func (c classes) name(class int) string {
	from := c.shortest
	if class > 0 {
		from = c.longest[class-1] + 1
	}
	switch to := c.longest[class]; {
	case from > to:
		return ""
	case from == to:
		return fmt.Sprint(to)
	default:
		return fmt.Sprintf("%d–%d", from, to)
	}
}

const classesTitle = "Lifetime in entries"
