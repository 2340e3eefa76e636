package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

func (a *app) planCommand() *cobra.Command {
	var p planning
	var output string
	c := &cobra.Command{
		Use:   "plan FILE...",
		Short: "Plan files: how much memory each needs, and how near that is to the least",
		Long: `Plan says how much memory each file's buffers need: without a plan, with one, and at least (the greatest load: bytes live at one entry).

Sizes are in MB of 1e6 bytes. A plan is proven where no plan can be smaller. With -o the plan itself is written: as CSV with offsets, or as JSON
with its schedule, from which tolkplan verify, map, explain and compare read it again. Of lifetimes, JSON is the offsets alone, in their order.`,
		Example: `  tolkplan plan schedule.json --placer best
  tolkplan plan model.tflite --capacity 512KiB
  tolkplan plan lifetimes.csv -o planned.csv`,
		Args: files(1, -1),
		RunE: func(c *cobra.Command, paths []string) error { return a.plan(c.Context(), &p, paths, output) },
	}
	p.add(c)
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write the plan to: .csv or .json (.jsonl for many); - for standard output, instead of the table")
	return c
}

// files checks that there are some files, at most a number if that is not negative.
func files(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usage("%s takes %s; it was given %d. See %s --help", c.CommandPath(), expected(least, most), len(args), c.CommandPath())
		}
		return nil
	}
}

func expected(least, most int) string {
	switch {
	case most < 0:
		return counted(least, "file") + " or more"
	case least == most:
		return counted(least, "file")
	}
	return fmt.Sprintf("%d or %d files", least, most)
}

// planned is a work and its plan.
type planned struct {
	work  *read.Work
	plan  *solve.Plan
	spent time.Duration
}

func (a *app) plan(ctx context.Context, p *planning, paths []string, output string) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	works, err := a.files(&p.reading, paths)
	if err != nil {
		return err
	}
	write, err := writerFor(output, works)
	if err != nil {
		return err
	}
	var all []planned
	for _, w := range works {
		one, err := a.planOne(ctx, w, s)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	if write != nil {
		if err := a.writePlans(output, write, all, &s); err != nil || output == read.Stdin {
			return err
		}
	}
	if a.json {
		return a.planJSON(all)
	}
	a.planTable(all)
	return nil
}

func (a *app) planOne(ctx context.Context, w *read.Work, s solve.Settings) (planned, error) {
	show, done := a.progress(w.Name)
	defer done()
	s.Progress = show
	started := a.now()
	plan, err := solve.Work(ctx, w, s)
	if err != nil {
		return planned{}, fmt.Errorf("%s: %w", w.Name, err)
	}
	return planned{w, plan, a.now().Sub(started)}, nil
}

func (a *app) planTable(all []planned) {
	t := table{left: 2}
	t.add("file", "arena", "buffers", "before", "after", "at least", "above", "", "time")
	for i := range all {
		one := &all[i]
		for k := range one.plan.Arenas {
			at := &one.plan.Arenas[k]
			t.add(shown(one.work.Name, k), at.Name, fmt.Sprint(len(at.Buffers)), size(at.Before()), size(at.Size), size(at.LowerBound), above(at.Size, at.LowerBound),
				proven(at.Optimal), shown(seconds(one.spent), k))
		}
		if len(one.plan.Arenas) > 1 {
			p := one.plan
			t.add("", "all", fmt.Sprint(buffers(p)), size(p.Before()), size(p.After()), size(p.LowerBound()), above(p.After(), p.LowerBound()), proven(p.Optimal()), "")
		}
		if len(one.plan.Arenas) == 0 {
			t.add(one.work.Name, "none", "0", size(0), size(0), size(0), "", proven(true), seconds(one.spent))
		}
	}
	t.write(a.out)
	a.planNotes(all)
}

// shown is s in the first of some rows.
func shown(s string, row int) string {
	if row > 0 {
		return ""
	}
	return s
}

func proven(optimal bool) string {
	if optimal {
		return "proven"
	}
	return ""
}

func buffers(p *solve.Plan) int {
	n := 0
	for i := range p.Arenas {
		n += len(p.Arenas[i].Buffers)
	}
	return n
}

// seconds is a duration for people.
func seconds(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}

// planNotes says what is not in the table: what is not planned, why a search stopped, and what a file does not say. What is true of every file is said once.
func (a *app) planNotes(all []planned) {
	var order []string
	of := map[string][]string{}
	for i := range all {
		for _, note := range all[i].notes() {
			if of[note] == nil {
				order = append(order, note)
			}
			of[note] = append(of[note], all[i].work.Name)
		}
	}
	for _, note := range order {
		who := ""
		if len(of[note]) < len(all) {
			who = strings.Join(of[note], ", ") + ": "
		}
		say(a.out, "note: %s%s\n", who, note)
	}
}

func (p *planned) notes() []string {
	var notes []string
	if apart := apartNote(p.plan); apart != "" {
		notes = append(notes, apart)
	}
	for i := range p.plan.Arenas {
		if at := &p.plan.Arenas[i]; at.Stopped == "timed out" || at.Stopped == "cancelled" {
			notes = append(notes, fmt.Sprintf("arena %s: the search was ended: %s", at.Name, at.Stopped))
		}
	}
	fixed := 0
	for i := range p.plan.Arenas {
		for k := range p.plan.Arenas[i].Problem.Buffers {
			if p.plan.Arenas[i].Problem.Buffers[k].Fixed {
				fixed++
			}
		}
	}
	if fixed > 0 {
		notes = append(notes, fmt.Sprintf("%s stay at the offsets that the file gives; --anew places them anew", counted(fixed, "buffer")))
	}
	return append(notes, p.work.Notes...)
}

// apartNote sums up what is not planned, by why; "" if there is nothing.
func apartNote(p *solve.Plan) string {
	count, bytes := map[string]int{}, map[string]int64{}
	for i := range p.Apart {
		count[p.Apart[i].Why]++
		bytes[p.Apart[i].Why] += p.Apart[i].Bytes
	}
	var sums []string
	for _, kind := range []struct{ why, what string }{{"held", "held buffer"}, {"input", "input"}, {"output", "output"}, {"variable", "variable"},
		{"param", "param"}, {"alloc", "alloc"}, {"disk", "disk buffer"}} {
		if n := count[kind.why]; n > 0 {
			sums = append(sums, fmt.Sprintf("%s of %s", counted(n, kind.what), size(bytes[kind.why])))
		}
	}
	if len(sums) == 0 {
		return ""
	}
	return "not planned: " + strings.Join(sums, ", ")
}
