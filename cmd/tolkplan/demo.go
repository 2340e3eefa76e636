package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/picture"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/internal/generate"
)

func (a *app) demoCommand() *cobra.Command {
	output := ""
	c := &cobra.Command{
		Use:   "demo [FILE]",
		Short: "Show what a plan is: a small training step, or a file, planned and drawn",
		Args:  files(0, 1),
		RunE: func(c *cobra.Command, paths []string) error {
			return a.demo(c.Context(), paths, output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to draw a page to as well, such as map.html")
	return c
}

func (a *app) demo(ctx context.Context, paths []string, output string) error {
	if _, err := a.drawer(output, ""); err != nil {
		return err
	}
	w := demoWork()
	if len(paths) == 1 {
		var err error
		if w, err = a.onlyWork(&reading{}, paths[0]); err != nil {
			return err
		}
	}
	plans, err := a.plansBy(ctx, w, solve.Settings{}, []string{"tlsf", "best"})
	if err != nil {
		return err
	}
	if err := a.showPlans(w, plans); err != nil || output == "" {
		return err
	}
	plans = append(plans, plans[0].Unplanned())
	if err := a.drawTo(output, w, plans); err != nil || a.json {
		return err
	}
	say(a.out, "To explore it, open %s in a browser.\n", output)
	return nil
}

// showPlans sketches the two plans of a work, or as JSON compares them.
func (a *app) showPlans(w *read.Work, plans []*solve.Plan) error {
	if a.json {
		return a.writeJSON(comparisonOf(side{plans[0].Name, plans[0]}, side{plans[1].Name, plans[1]}))
	}
	for _, plan := range plans {
		one := picture.Picture{Title: fmt.Sprintf("%s, planned by %s", w.Name, plan.Name), Entries: plan.Entries, Plans: []picture.Plan{picturePlan(plan)}}
		if err := a.sketch(a.out, one); err != nil {
			return err
		}
		say(a.out, "\n%s: %s, where %s without a plan and %s at least\n\n", plan.Name, size(plan.After()), size(plan.Before()), size(plan.LowerBound()))
	}
	return nil
}

// demoWork is a small training step, for which tlsf leaves something to save.
func demoWork() *read.Work {
	l := &read.Lifetimes{}
	for i, b := range generate.Training(40, 170).Buffers {
		l.Buffers = append(l.Buffers, read.Lifetime{Buffer: b, ID: strconv.Itoa(i)})
	}
	return &read.Work{Name: "a training step of 40 buffers", Lifetimes: l}
}
