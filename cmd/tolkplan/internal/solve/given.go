package solve

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// givenName is what a plan is called that a file gives.
const givenName = "given"

// Given is the plan that a file gives of a schedule, and what is wrong with it beside where the buffers lie, which [Check] tells. The granule is the
// file's, or the usual one, if it is 0.
func Given(w *read.Work, given *read.GivenPlan, granule int64) (*Plan, []Fault, error) {
	s := w.Schedule
	if granule = w.Options.GranuleOr(granule); granule == 0 {
		granule = planner.DefaultGranule
	}
	held, err := heldBy(s, &Settings{})
	if err != nil {
		return nil, nil, err
	}
	f, err := factsOf(s, held)
	if err != nil {
		return nil, nil, err
	}
	g := givenPlan{facts: f, given: given, granule: granule, plan: &Plan{Name: given.Name, Apart: f.apart(), Entries: s.Entries}}
	for _, a := range given.Arenas {
		g.plan.Arenas = append(g.plan.Arenas, Arena{Name: DeviceName(a.Devices), Size: a.Size, Problem: problem.Problem{Granule: granule}})
	}
	for _, i := range f.placeable() {
		g.place(i)
	}
	g.strangers()
	for i := range g.plan.Arenas {
		if err := g.plan.Arenas[i].measure(); err != nil {
			return nil, nil, err
		}
	}
	g.totals()
	g.taken()
	return g.plan, g.faults, nil
}

// givenPlan is a given plan while it is read.
type givenPlan struct {
	*facts
	given   *read.GivenPlan
	granule int64
	plan    *Plan
	faults  []Fault
}

func (g *givenPlan) fault(kind, buffer, format string, args ...any) {
	g.faults = append(g.faults, Fault{Kind: kind, Buffer: buffer, Message: fmt.Sprintf(format, args...)})
}

func (g *givenPlan) place(i int) {
	b, n := g.buffer(i), g.node(i)
	at, ok := g.given.Places[i]
	if !ok {
		g.fault("not placed", b.ID, "buffer %s has no place, though it is planned", b.label())
		return
	}
	if at[0] < 0 || at[0] >= int64(len(g.plan.Arenas)) {
		g.fault("no such arena", b.ID, "buffer %s is in arena %d; there are %d", b.label(), at[0], len(g.plan.Arenas))
		return
	}
	a, device := &g.plan.Arenas[at[0]], DeviceName(g.Graph.Devices(n.Placement()))
	if a.Name != device {
		g.fault("wrong device", b.ID, "buffer %s is on %s; its arena, %d, is on %s", b.label(), device, at[0], a.Name)
	}
	need := planner.Need(n, a.Problem.Granule)
	takers := g.takers[i]
	a.add(b, problem.Buffer{First: takers[0], End: takers[len(takers)-1] + 1, Bytes: need, Align: alignBeyond(n.Align(), a.Problem.Granule)}, at[1])
}

// strangers are places of storage that is not planned.
func (g *givenPlan) strangers() {
	for _, i := range slices.Sorted(maps.Keys(g.given.Places)) {
		switch {
		case i < 0 || i >= len(g.Storage):
			g.fault("no such storage", fmt.Sprint(i), "storage %d has a place; the schedule has %d", i, len(g.Storage))
		case len(g.takers[i]) == 0:
			g.fault("not planned", g.IDs[i], "storage %d has a place, though no entry takes it", i)
		case g.why(i) != "":
			g.fault("not planned", g.IDs[i], "storage %d has a place, though it is not planned: %s", i, g.why(i))
		}
	}
}

func (g *givenPlan) totals() {
	for _, t := range []struct {
		what      string
		got, want int64
	}{{"before", g.given.Before, g.plan.Before()}, {"after", g.given.After, g.plan.After()}, {"lower_bound", g.given.LowerBound, g.plan.LowerBound()}} {
		if t.got != t.want && !(t.what == "lower_bound" && g.isBoundApart(t.got)) {
			g.fault("wrong total", "", "%s is %d; it is %d", t.what, t.got, t.want)
		}
	}
}

// isBoundApart reports whether a lower bound is that of copies kept apart. Their buffers live for longer than they are taken, and a plan's
// text does not tell which they are.
func (g *givenPlan) isBoundApart(bound int64) bool {
	apart := planner.CopiesApart
	p, err := planSchedule(context.Background(), g.Schedule, &Settings{Copies: &apart, Granule: g.granule})
	return err == nil && p.LowerBound() == bound
}

func (g *givenPlan) taken() {
	if g.given.Taken == nil {
		return
	}
	if len(g.given.Taken) != g.Op.NumSources() {
		g.fault("wrong taken", "", "taken has %d entries; the schedule has %d", len(g.given.Taken), g.Op.NumSources())
		return
	}
	for entry, got := range g.given.Taken {
		want, err := planner.Taken(g.Op.Source(entry))
		same := err == nil && len(want) == len(got)
		for k := 0; same && k < len(got); k++ {
			same = g.number[want[k].Op()] == got[k]
		}
		if !same {
			g.fault("wrong taken", "", "entry %d takes %d storages; taken lists %v", entry, len(want), got[:min(len(got), 10)])
		}
	}
}
