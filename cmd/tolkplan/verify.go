package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
)

func (a *app) verifyCommand() *cobra.Command {
	var p planning
	var of string
	c := &cobra.Command{
		Use:   "verify PLAN...",
		Short: "Check plans, whoever made them, and name each fault",
		Long: `Verify checks plans: CSV lifetimes with offsets, or JSON that holds a schedule and its plan. A plan alone, or the answer to
lifetimes, is checked against the file that --of names.

It names each fault: overlap, out of arena, misaligned, wrong size, not placed, not planned, wrong device and so on. With faults the exit code is 1.`,
		Example: `  tolkplan verify planned.csv
  tolkplan verify plan.json --of schedule.json`,
		Args: files(1, -1),
		RunE: func(c *cobra.Command, paths []string) error { return a.verify(&p, paths, of) },
	}
	p.reading.add(c.Flags())
	c.Flags().StringSliceVar(&p.capacities, "capacity", nil, "`[DEVICE=]BYTES` that an arena may have at most")
	c.Flags().StringVar(&p.granule, "granule", "", "`BYTES` that sizes are rounded up to (as the file says; 256; 1 for lifetimes)")
	c.Flags().StringVar(&of, "of", "", "`FILE` of the schedule or lifetimes whose plan it is")
	return c
}

// checked is a plan that was checked.
type checked struct {
	File    string        `json:"file"`
	Plan    string        `json:"plan"`
	Buffers int           `json:"buffers"`
	Size    int64         `json:"size"`
	Faults  []solve.Fault `json:"faults"`
}

func (a *app) verify(p *planning, paths []string, of string) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	var all []checked
	for _, path := range paths {
		var found []checked
		if of != "" {
			found, err = a.checkOf(&p.reading, &s, path, of)
		} else {
			found, err = a.checkFile(&p.reading, &s, path)
		}
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	if err := a.writeChecked(all); err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(c checked) bool { return len(c.Faults) > 0 }) {
		return errFaults
	}
	return nil
}

// checkFile is each plan that a file holds, checked.
func (a *app) checkFile(r *reading, s *solve.Settings, path string) ([]checked, error) {
	works, err := a.files(r, []string{path})
	if err != nil {
		return nil, err
	}
	var all []checked
	for _, w := range works {
		found, err := check(w, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkOf is the plans that a file holds of what another holds, in its order, checked.
func (a *app) checkOf(r *reading, s *solve.Settings, path, of string) ([]checked, error) {
	works, err := a.files(r, []string{of})
	if err != nil {
		return nil, err
	}
	bare, err := read.BarePlans(path)
	if err != nil {
		return nil, err
	}
	if bare.Len() != len(works) {
		return nil, fmt.Errorf("%s: it holds %s; %s holds %d to plan", path, counted(bare.Len(), "plan"), of, len(works))
	}
	var all []checked
	for i, w := range works {
		found, err := checkBare(w, bare, i, s)
		if err != nil {
			return nil, err
		}
		for k := range found {
			found[k].File = fmt.Sprintf("%s of %s", path, w.Name)
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkBare is plan i of those that a file holds, of a work, checked.
func checkBare(w *read.Work, bare *read.Bare, i int, s *solve.Settings) ([]checked, error) {
	if w.Schedule != nil {
		plan, err := bare.Plan(i)
		if err != nil {
			return nil, err
		}
		w.Schedule.Plans = []read.GivenPlan{*plan}
		return check(w, s)
	}
	answer, err := bare.Answer(i)
	if err != nil {
		return nil, err
	}
	plan, faults, err := solve.Answered(w, answer, s.Granule)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.Name, err)
	}
	return checkedWithin(w, plan, faults, s)
}

// check is each plan that a work holds, checked.
func check(w *read.Work, s *solve.Settings) ([]checked, error) {
	if w.Lifetimes != nil {
		plan, err := solve.GivenLifetimes(w, s.Granule)
		if err != nil {
			return nil, err
		}
		return checkedWithin(w, plan, nil, s)
	}
	if len(w.Schedule.Plans) == 0 {
		return nil, fmt.Errorf("it holds a schedule and no plan; with --of a plan is checked against it")
	}
	var all []checked
	for i := range w.Schedule.Plans {
		plan, faults, err := solve.Given(w, &w.Schedule.Plans[i], s.Granule)
		if err != nil {
			return nil, err
		}
		found, err := checkedWithin(w, plan, faults, s)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// checkedWithin is a plan checked within the capacities of some settings. Some faults are known already.
func checkedWithin(w *read.Work, plan *solve.Plan, faults []solve.Fault, s *solve.Settings) ([]checked, error) {
	if err := solve.Limit(plan, s); err != nil {
		return nil, err
	}
	return []checked{checkedOf(w, plan, append(faults, solve.Check(plan)...))}, nil
}

func checkedOf(w *read.Work, plan *solve.Plan, faults []solve.Fault) checked {
	return checked{File: w.Name, Plan: plan.Name, Buffers: buffers(plan), Size: plan.After(), Faults: append([]solve.Fault{}, faults...)}
}

func (a *app) writeChecked(all []checked) error {
	if a.json {
		return a.writeJSON(map[string]any{"plans": all})
	}
	for _, c := range all {
		verdict := "right"
		if len(c.Faults) > 0 {
			verdict = counted(len(c.Faults), "fault")
		}
		say(a.out, "%s: %s: %s in %s: %s\n", c.File, c.Plan, counted(c.Buffers, "buffer"), size(c.Size), verdict)
		for _, f := range c.Faults {
			arena := ""
			if f.Arena != "" {
				arena = "arena " + f.Arena + ": "
			}
			say(a.out, "  %s: %s%s\n", f.Kind, arena, f.Message)
		}
	}
	return nil
}
