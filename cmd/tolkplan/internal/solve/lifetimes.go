package solve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/placement/verify"
)

// arenasOf sorts lifetimes by arena, in order of the first buffer of each.
func arenasOf(l *read.Lifetimes, granule int64) []Arena {
	number := map[string]int{}
	var arenas []Arena
	for i := range l.Buffers {
		b := &l.Buffers[i]
		a, ok := number[b.Arena]
		if !ok {
			a = len(arenas)
			number[b.Arena] = a
			name := b.Arena
			if name == "" {
				name = read.Device
			}
			arenas = append(arenas, Arena{Name: name, Problem: problem.Problem{Granule: granule}})
		}
		arenas[a].Problem.Buffers = append(arenas[a].Problem.Buffers, b.Buffer)
		arenas[a].Buffers = append(arenas[a].Buffers, Buffer{ID: b.ID, Name: b.Name})
	}
	return arenas
}

func planLifetimes(ctx context.Context, l *read.Lifetimes, s *Settings) (*Plan, error) {
	if len(s.Hold)+len(s.Release) > 0 {
		return nil, settingErrorf("lifetimes have no held buffers: --hold and --release are for schedules and models")
	}
	p := &Plan{Name: s.placer().String(), Arenas: arenasOf(l, s.Granule)}
	if err := s.checkDevices(p.Arenas); err != nil {
		return nil, err
	}
	if s.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, time.Now().Add(s.TimeLimit))
		defer cancel()
	}
	for i := range p.Arenas {
		a := &p.Arenas[i]
		a.Problem.Capacity = s.capacity(a.Name)
		if s.Anew {
			a.Problem.Buffers = anew(a.Problem.Buffers)
		}
		if err := a.place(ctx, s); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// anew is buffers without their offsets.
func anew(buffers []problem.Buffer) []problem.Buffer {
	buffers = slices.Clone(buffers)
	for i := range buffers {
		buffers[i].Fixed, buffers[i].Offset = false, 0
	}
	return buffers
}

func (s *Settings) checkDevices(arenas []Arena) error {
	for _, c := range s.Capacities {
		if c.Device != "" && !slices.ContainsFunc(arenas, func(a Arena) bool { return a.Name == c.Device }) {
			return settingErrorf("--capacity names %q, which no arena is on; the first arena is on %q", c.Device, firstName(arenas))
		}
	}
	return nil
}

func firstName(arenas []Arena) string {
	if len(arenas) == 0 {
		return ""
	}
	return arenas[0].Name
}

func (a *Arena) place(ctx context.Context, s *Settings) error {
	answer, err := placement.Place(ctx, &a.Problem, placement.Options{Placer: s.placer(), Effort: s.Effort, Progress: s.progress(a.Name)})
	if err != nil {
		if overlap := a.fixedOverlap(); overlap != nil {
			return overlap
		}
		return a.explain(err)
	}
	a.Offsets, a.Size, a.LowerBound, a.ProvenBound, a.Peak = answer.Offsets, answer.Size, answer.LowerBound, answer.ProvenBound, answer.PeakEntry
	a.Optimal, a.Proof, a.Stopped, a.Spent = answer.Optimal, answer.Proof.String(), answer.Stopped.String(), answer.Spent
	return nil
}

// fixedOverlap is an error that tells of two fixed buffers that share bytes, nil if none do.
func (a *Arena) fixedOverlap() error {
	fixed := Arena{Name: a.Name, Problem: problem.Problem{Granule: a.Problem.Granule}}
	for i, b := range a.Problem.Buffers {
		if b.Fixed {
			fixed.add(a.Buffers[i], b, b.Offset)
		}
	}
	for _, fault := range Check(&Plan{Arenas: []Arena{fixed}}) {
		if fault.Kind == verify.Overlap.String() {
			return fmt.Errorf("arena %s: where the file puts them, %s; --anew places all anew", a.Name, fault.Message)
		}
	}
	return nil
}

// measure finds the bounds of an arena whose offsets are given.
func (a *Arena) measure() error {
	analysis, err := problem.Analyze(&a.Problem)
	if err != nil {
		return a.explain(err)
	}
	a.LowerBound, a.ProvenBound, a.Peak = analysis.LowerBound, max(analysis.LowerBound, analysis.Bound), analysis.PeakEntry()
	a.Optimal = a.Size == a.ProvenBound
	if a.Optimal {
		a.Proof = placement.EqualsBound.String()
	}
	return nil
}

// GivenLifetimes is the plan that lifetimes with offsets are. The granule is the file's, or 1, if it is 0.
func GivenLifetimes(w *read.Work, granule int64) (*Plan, error) {
	p := &Plan{Name: givenName, Arenas: arenasOf(w.Lifetimes, w.Options.GranuleOr(granule))}
	for i := range p.Arenas {
		a := &p.Arenas[i]
		for k := range a.Problem.Buffers {
			b := &a.Problem.Buffers[k]
			if !b.Fixed {
				return nil, fmt.Errorf("buffer %q has no offset: these are lifetimes and no plan", a.Buffers[k].ID)
			}
			a.Offsets = append(a.Offsets, b.Offset)
			a.Size = max(a.Size, b.Offset+a.Problem.Need(k))
		}
		a.Problem.Buffers = anew(a.Problem.Buffers)
		if err := a.measure(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Answered is the plan that an answer makes of lifetimes, and what is wrong with it beside where the buffers lie, which [Check] tells.
func Answered(w *read.Work, answer *read.Answer, granule int64) (*Plan, []Fault, error) {
	granule = w.Options.GranuleOr(granule)
	p := &Plan{Name: givenName, Arenas: arenasOf(w.Lifetimes, granule)}
	if len(p.Arenas) == 0 {
		p.Arenas = []Arena{{Name: read.Device, Problem: problem.Problem{Granule: granule}}}
	}
	if len(p.Arenas) != 1 || len(answer.Offsets) != len(p.Arenas[0].Buffers) {
		return nil, nil, fmt.Errorf("it has %d offsets in one arena; the lifetimes are %d, in %d", len(answer.Offsets), len(w.Lifetimes.Buffers), len(p.Arenas))
	}
	a := &p.Arenas[0]
	a.Offsets, a.Size = answer.Offsets, answer.Size
	if err := a.measure(); err != nil {
		return nil, nil, err
	}
	var faults []Fault
	if answer.LowerBound != a.LowerBound {
		faults = append(faults, Fault{Kind: "wrong total", Message: fmt.Sprintf("lower_bound is %d; it is %d", answer.LowerBound, a.LowerBound)})
	}
	return p, faults, nil
}
