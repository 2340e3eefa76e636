package main

import (
	"context"
	"fmt"

	"libtolk_memory/cmd/tolkplan/internal/picture"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/placement"
)

// onlyWork is what a file holds, which must be one thing.
func (a *app) onlyWork(r *reading, path string) (*read.Work, error) {
	works, err := a.files(r, []string{path})
	if err != nil {
		return nil, err
	}
	if len(works) != 1 {
		return nil, fmt.Errorf("%s: it holds %d schedules or lifetimes; this command takes a file of one", path, len(works))
	}
	return works[0], nil
}

// onlyWorkWith is what a file holds, which must be one thing, and how to plan it.
func (a *app) onlyWorkWith(p *planning, path string) (*read.Work, solve.Settings, error) {
	s, err := p.settings()
	if err != nil {
		return nil, s, err
	}
	w, err := a.onlyWork(&p.reading, path)
	return w, s, err
}

// given is the plan that a work holds already, nil if it holds none. Of several it is the first. It warns of one with faults.
func (a *app) given(w *read.Work, s *solve.Settings) (*solve.Plan, error) {
	var plan *solve.Plan
	var faults []solve.Fault
	var err error
	switch {
	case w.Lifetimes != nil && w.Lifetimes.Offsets() && !s.Anew:
		plan, err = solve.GivenLifetimes(w, s.Granule)
	case w.Schedule != nil && len(w.Schedule.Plans) > 0:
		plan, faults, err = solve.Given(w, &w.Schedule.Plans[0], s.Granule)
	}
	if plan == nil || err != nil {
		return nil, err
	}
	if n := len(faults) + len(solve.Check(plan)); n > 0 {
		say(a.err, "tolkplan: %s: the plan that it holds has %s, which tolkplan verify names\n", w.Name, counted(n, "fault"))
	}
	return plan, nil
}

// plansBy are the plans of a work by some placers.
func (a *app) plansBy(ctx context.Context, w *read.Work, s solve.Settings, placers []string) ([]*solve.Plan, error) {
	var plans []*solve.Plan
	for _, name := range placers {
		placer, err := parsePlacer(name)
		if err != nil {
			return nil, err
		}
		one, err := a.planWith(ctx, w, s, placer)
		if err != nil {
			return nil, err
		}
		plans = append(plans, one)
	}
	return plans, nil
}

func (a *app) planWith(ctx context.Context, w *read.Work, s solve.Settings, placer placement.Placer) (*solve.Plan, error) {
	s.Placer = &placer
	one, err := a.planOne(ctx, w, s)
	return one.plan, err
}

// pictureOf is a picture of plans of a work.
func pictureOf(w *read.Work, plans []*solve.Plan) picture.Picture {
	p := picture.Picture{Title: w.Name}
	for _, plan := range plans {
		if len(plan.Entries) > 0 {
			p.Entries = plan.Entries
		}
		p.Plans = append(p.Plans, picturePlan(plan))
	}
	return p
}

// distinctNames is what to call buffers: where several have one name, their ids before it.
func distinctNames(buffers []solve.Buffer) []string {
	times, names := map[string]int{}, make([]string, len(buffers))
	for _, b := range buffers {
		times[b.Name]++
	}
	for i, b := range buffers {
		if names[i] = b.Name; b.Name != "" && times[b.Name] > 1 {
			names[i] = b.ID + " " + b.Name
		}
	}
	return names
}

func picturePlan(plan *solve.Plan) picture.Plan {
	out := picture.Plan{Name: plan.Name}
	for i := range plan.Arenas {
		a := &plan.Arenas[i]
		arena := picture.Arena{Name: a.Name, Size: a.Size, Bound: a.LowerBound, Peak: a.Peak, Optimal: a.Optimal, Buffers: make([]picture.Buffer, len(a.Buffers))}
		names := distinctNames(a.Buffers)
		for k := range a.Buffers {
			b := &a.Problem.Buffers[k]
			arena.Buffers[k] = picture.Buffer{ID: a.Buffers[k].ID, Name: names[k], First: b.First, End: b.End, Offset: a.Offsets[k],
				Bytes: b.Bytes, Need: a.Problem.Need(k), Takers: a.Buffers[k].Takers}
		}
		out.Arenas = append(out.Arenas, arena)
	}
	return out
}
