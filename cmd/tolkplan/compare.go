package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

func (a *app) compareCommand() *cobra.Command {
	var p planning
	var placers []string
	c := &cobra.Command{
		Use:   "compare FILE [FILE]",
		Short: "Put two plans, or two placers, side by side",
		Long: `Compare puts two files side by side: each as the plan it holds, or else as --placer plans it. Of one file it compares two placers, or the plan it holds
with that of a placer.`,
		Example: `  tolkplan compare schedule.json --placers tlsf,best
  tolkplan compare before.csv after.csv`,
		Args: files(1, 2),
		RunE: func(c *cobra.Command, paths []string) error { return a.compare(c.Context(), &p, placers, paths) },
	}
	p.add(c)
	c.Flags().StringSliceVar(&placers, "placers", []string{"tlsf", "best"}, "`NAMES` of the two placers to compare on one file")
	complete(c, "placers", "tlsf", "best", "first-fit", "best-fit")
	return c
}

// side is one of two plans that are compared.
type side struct {
	name string
	plan *solve.Plan
}

func (a *app) compare(ctx context.Context, p *planning, placers []string, paths []string) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	works := make([]*read.Work, len(paths))
	for i, path := range paths {
		if works[i], err = a.onlyWork(&p.reading, path); err != nil {
			return err
		}
	}
	var sides []side
	if len(works) == 2 {
		sides, err = a.twoFiles(ctx, works, s)
	} else {
		sides, err = a.oneFile(ctx, works[0], s, placers)
	}
	if err != nil {
		return err
	}
	c := comparisonOf(sides[0], sides[1])
	if a.json {
		return a.writeJSON(c)
	}
	a.comparisonTable(c)
	return nil
}

func (a *app) twoFiles(ctx context.Context, works []*read.Work, s solve.Settings) (sides []side, err error) {
	for _, w := range works {
		plan, err := a.given(w, &s)
		if err != nil {
			return nil, err
		}
		if plan == nil {
			one, err := a.planOne(ctx, w, s)
			if err != nil {
				return nil, err
			}
			plan = one.plan
		}
		sides = append(sides, side{fmt.Sprintf("%s (%s)", w.Name, plan.Name), plan})
	}
	return sides, nil
}

func (a *app) oneFile(ctx context.Context, w *read.Work, s solve.Settings, placers []string) (sides []side, err error) {
	own, err := a.given(w, &s)
	if err != nil {
		return nil, err
	}
	if own != nil {
		sides, placers = append(sides, side{own.Name, own}), placers[len(placers)-1:]
		s.Anew = true
	}
	if len(sides)+len(placers) != 2 {
		return nil, usage("--placers names %d; two are compared", len(placers))
	}
	plans, err := a.plansBy(ctx, w, s, placers)
	for _, plan := range plans {
		sides = append(sides, side{plan.Name, plan})
	}
	return sides, err
}

// comparison is two plans side by side.
type comparison struct {
	A      string          `json:"a"`
	B      string          `json:"b"`
	Arenas []arenaCompared `json:"arenas"`
	All    arenaCompared   `json:"all"`
}

// arenaCompared is one arena in two plans. Sizes are 0 where a plan does not have it.
type arenaCompared struct {
	Arena   string `json:"arena,omitempty"`
	A       int64  `json:"a"`
	B       int64  `json:"b"`
	BoundA  int64  `json:"lower_bound_a"`
	BoundB  int64  `json:"lower_bound_b"`
	Buffers int    `json:"buffers_of_both"` // in both plans, by id
	Moved   int    `json:"moved"`           // of those, at another offset
	OnlyA   int    `json:"only_a"`
	OnlyB   int    `json:"only_b"`
}

func (c *arenaCompared) add(other arenaCompared) {
	c.A, c.B, c.BoundA, c.BoundB = c.A+other.A, c.B+other.B, c.BoundA+other.BoundA, c.BoundB+other.BoundB
	c.Buffers, c.Moved, c.OnlyA, c.OnlyB = c.Buffers+other.Buffers, c.Moved+other.Moved, c.OnlyA+other.OnlyA, c.OnlyB+other.OnlyB
}

func comparisonOf(a, b side) comparison {
	c := comparison{A: a.name, B: b.name, Arenas: []arenaCompared{}}
	left := append([]solve.Arena{}, b.plan.Arenas...)
	for i := range a.plan.Arenas {
		var other solve.Arena
		for k := range left {
			if left[k].Name == a.plan.Arenas[i].Name {
				other = left[k]
				left = append(left[:k], left[k+1:]...)
				break
			}
		}
		c.Arenas = append(c.Arenas, arenasCompared(&a.plan.Arenas[i], &other))
	}
	for k := range left {
		c.Arenas = append(c.Arenas, arenasCompared(&solve.Arena{Name: left[k].Name}, &left[k]))
	}
	for _, arena := range c.Arenas {
		c.All.add(arena)
	}
	return c
}

func arenasCompared(a, b *solve.Arena) arenaCompared {
	c := arenaCompared{Arena: a.Name, A: a.Size, B: b.Size, BoundA: a.LowerBound, BoundB: b.LowerBound}
	offset := map[string]int64{}
	for i := range a.Buffers {
		offset[a.Buffers[i].ID] = a.Offsets[i]
	}
	for i := range b.Buffers {
		at, ok := offset[b.Buffers[i].ID]
		switch {
		case !ok:
			c.OnlyB++
		case at != b.Offsets[i]:
			c.Moved++
			fallthrough
		default:
			c.Buffers++
		}
	}
	c.OnlyA = len(a.Buffers) - c.Buffers
	return c
}

func (a *app) comparisonTable(c comparison) {
	t := table{left: 1}
	t.add("arena", "A", "above", "B", "above", "B - A", "", "moved", "only A", "only B")
	for _, arena := range c.Arenas {
		t.add(comparedRow(arena.Arena, arena)...)
	}
	if len(c.Arenas) != 1 {
		t.add(comparedRow("all", c.All)...)
	}
	say(a.out, "A: %s\nB: %s\n\n", c.A, c.B)
	t.write(a.out)
}

func comparedRow(name string, c arenaCompared) []string {
	return []string{name, size(c.A), above(c.A, c.BoundA), size(c.B), above(c.B, c.BoundB), difference(c.B - c.A), change(c.A, c.B),
		fmt.Sprintf("%d of %d", c.Moved, c.Buffers), fmt.Sprint(c.OnlyA), fmt.Sprint(c.OnlyB)}
}

func difference(bytes int64) string {
	switch {
	case bytes < 0:
		return "-" + size(-bytes)
	case bytes > 0:
		return "+" + size(bytes)
	}
	return size(0)
}

func change(from, to int64) string {
	if from == 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*excess(to, from))
}
