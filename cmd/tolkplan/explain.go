package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/explain"
	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/placement"
)

func (a *app) explainCommand() *cobra.Command {
	var p planning
	live := 10
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "Say why an arena is as large as it is, and what would make it smaller",
		Long: `Explain tells of each arena: at which entry most is live, which buffers those are and since when, what would have to go for a tenth less, how much the
placer wastes, what the placer best would save, and what held buffers cost.

A file that holds a plan is explained as it is planned.`,
		Example: `  tolkplan explain schedule.json
  tolkplan explain model.onnx --dim batch=1 --live 30`,
		Args: files(1, 1),
		RunE: func(c *cobra.Command, paths []string) error { return a.explain(c.Context(), &p, paths[0], live) },
	}
	p.add(c)
	c.Flags().IntVar(&live, "live", live, "how many of the buffers live at the peak to list")
	return c
}

// explanation is why a plan needs what it needs.
type explanation struct {
	File   string           `json:"file"`
	Plan   string           `json:"plan"`
	Arenas []*explain.Arena `json:"arenas"`
	Best   *bestText        `json:"best,omitempty"`
	Held   *heldText        `json:"held,omitempty"`
	Notes  []string         `json:"notes"`
}

// bestText is what the placer best would save.
type bestText struct {
	After   int64 `json:"after"`
	Saves   int64 `json:"saves"`
	Optimal bool  `json:"optimal"`
}

// heldText is what held buffers cost: a placer's arenas with the held storage beside them, less its arenas of all.
type heldText struct {
	Buffers    int    `json:"buffers"`
	Bytes      int64  `json:"bytes"`
	Placer     string `json:"placer"`
	After      int64  `json:"after"`
	AfterIfNot int64  `json:"after_if_planned"`
	Cost       int64  `json:"cost"` // negative where the placer does worse with all of them
}

func (a *app) explain(ctx context.Context, p *planning, path string, live int) error {
	if live < 0 {
		return usage("--live is %d; it must not be negative", live)
	}
	w, s, err := a.onlyWorkWith(p, path)
	if err != nil {
		return err
	}
	plan, err := a.given(w, &s)
	if err != nil {
		return err
	}
	if plan == nil || p.placer != "" {
		one, err := a.planOne(ctx, w, s)
		if err != nil {
			return err
		}
		plan = one.plan
	}
	e := explanation{File: w.Name, Plan: plan.Name, Arenas: []*explain.Arena{}, Notes: append([]string{}, w.Notes...)}
	for i := range plan.Arenas {
		arena, err := explain.Of(&plan.Arenas[i], plan.Entries)
		if err != nil {
			return err
		}
		e.Arenas = append(e.Arenas, arena)
	}
	s.Anew = true // what others would make of it, not what it is
	if e.Best, err = a.bestOf(ctx, w, s, plan); err != nil {
		return err
	}
	if e.Held, err = a.heldCost(ctx, w, s, plan, e.Best); err != nil {
		return err
	}
	if a.json {
		return a.writeJSON(e)
	}
	e.write(a.out, live)
	return nil
}

// bestOf is what the placer best would save of a plan, nil if that is best already.
func (a *app) bestOf(ctx context.Context, w *read.Work, s solve.Settings, plan *solve.Plan) (*bestText, error) {
	if plan.Name == placement.Best.String() {
		return nil, nil
	}
	if plan.Optimal() {
		return &bestText{After: plan.After(), Optimal: true}, nil
	}
	best, err := a.planWith(ctx, w, s, placement.Best)
	if err != nil {
		return nil, err
	}
	return &bestText{After: best.After(), Saves: max(0, plan.After()-best.After()), Optimal: best.Optimal()}, nil
}

// heldCost is what holding costs, nil if nothing is held. A plan that is nobody's here is taken for what best makes of it: its waste is no cost of holding.
func (a *app) heldCost(ctx context.Context, w *read.Work, s solve.Settings, plan *solve.Plan, best *bestText) (*heldText, error) {
	h := heldText{Placer: plan.Name, After: plan.After()}
	placer, err := placement.ParsePlacer(plan.Name)
	if err != nil {
		placer, h.Placer, h.After = placement.Best, placement.Best.String(), best.After
	}
	for i := range plan.Apart {
		if at := &plan.Apart[i]; at.Held() {
			h.Buffers++
			h.Bytes += at.Bytes
		}
	}
	if h.Buffers == 0 {
		return nil, nil
	}
	s.Hold, s.Release, s.Capacities = nil, []string{"all"}, nil
	all, err := a.planWith(ctx, w, s, placer)
	if err != nil {
		return nil, err
	}
	h.AfterIfNot = all.After()
	h.Cost = h.After + h.Bytes - h.AfterIfNot
	return &h, nil
}

func (e *explanation) write(t io.Writer, live int) {
	for _, arena := range e.Arenas {
		arenaText := arenaExplanation{arena, live}
		arenaText.write(t, e)
	}
	if len(e.Arenas) == 0 {
		say(t, "%s: nothing is planned.\n", e.File)
	}
	if b := e.Best; b != nil {
		switch {
		case b.Saves == 0 && b.Optimal:
			say(t, "No plan is smaller: %s is the least.\n", size(b.After))
		case b.Saves == 0:
			say(t, "The placer best finds nothing smaller.\n")
		default:
			say(t, "The placer best needs %s and saves %s%s.\n", size(b.After), size(b.Saves), map[bool]string{true: "; no plan is smaller"}[b.Optimal])
		}
	}
	if e.Held != nil {
		e.Held.write(t)
	}
	for _, note := range e.Notes {
		say(t, "Note: %s.\n", note)
	}
}

func (h *heldText) write(t io.Writer) {
	less := "no less"
	if h.Cost > 0 {
		less = size(h.Cost) + " less"
	}
	say(t, "Held and so not planned: %s of %s, beside arenas by %s of %s. If only the schedule needed them (they are not weights, outputs or caches), arenas of all would take %s: %s.\n",
		counted(h.Buffers, "buffer"), size(h.Bytes), h.Placer, size(h.After), size(h.AfterIfNot), less)
}

// arenaExplanation is an arena's part of the text, with the greatest number of live buffers to list.
type arenaExplanation struct {
	*explain.Arena
	most int
}

func (e arenaExplanation) write(t io.Writer, all *explanation) {
	say(t, "%s, arena %s, plan %s: %s\n\n", all.File, e.Arena.Arena, all.Plan, size(e.Size))
	switch {
	case e.Size < e.LowerBound:
		say(t, "The load asks for %s, which is more: the plan has faults.\n", size(e.LowerBound))
	case e.Size == e.LowerBound:
		say(t, "The load asks for all of it: no byte is lost to where buffers lie.\n")
	default:
		say(t, "The load asks for %s; %s, %.1f %% of the arena, are lost to where buffers lie.\n", size(e.LowerBound), size(e.Size-e.LowerBound), 100*e.Fragmentation)
	}
	if e.LowerBound == 0 {
		say(t, "No buffer needs a byte.\n\n")
		return
	}
	label := ""
	if e.PeakLabel != "" {
		label = fmt.Sprintf(" (%s)", e.PeakLabel)
	}
	say(t, "Most is live at entry %d%s: %s of %s.\n\n", e.PeakEntry, label, counted(len(e.Live), "buffer"), size(e.LowerBound))
	e.writeLive(t)
	e.writeSave(t)
	say(t, "\n")
}

func (e arenaExplanation) writeLive(t io.Writer) {
	rows := table{left: 2}
	rows.add("  live at the peak", "", "size", "from", "to", "last taken", "next taken")
	rest := int64(0)
	for i, l := range e.Live {
		if i >= e.most {
			rest += l.Need
			continue
		}
		rows.add("  "+l.Buffer, shortened(l.Name), size(l.Need), number(l.First), number(l.End-1), entry(l.LastTaken), nextTaken(l))
	}
	if e.most > 0 {
		rows.write(t)
	}
	if rest > 0 {
		say(t, "  and %d more of %s\n", len(e.Live)-e.most, size(rest))
	}
	if e.NotNow > 0 {
		say(t, "Of it %s are not taken by the peak's entry: they only wait for later ones.\n", size(e.NotNow))
	}
}

// nextTaken is when a buffer is taken next, at the peak or behind it.
func nextTaken(l explain.Live) string {
	if l.Taken && (l.LastTaken >= 0 || l.NextTaken >= 0) {
		return "now"
	}
	return entry(l.NextTaken)
}

func entry(at int64) string {
	if at < 0 {
		return "-"
	}
	return number(at)
}

func number(n int64) string { return fmt.Sprint(n) }

// shortened is a name in at most 40 cells.
func shortened(name string) string {
	const most = 40
	runes := []rune(name)
	if len(runes) <= most {
		return name
	}
	return "…" + string(runes[len(runes)-most+1:])
}

func (e arenaExplanation) writeSave(t io.Writer) {
	s := e.Save
	if s == nil {
		say(t, "For a tenth less, more than fifty buffers would have to go.\n")
		return
	}
	var names, places []string
	for _, l := range s.Go {
		names = append(names, fmt.Sprintf("%s (%s)", l.Buffer, size(l.Need)))
	}
	for _, p := range s.Spans {
		places = append(places, spanText(p))
	}
	if s.More > 0 {
		places = append(places, fmt.Sprintf("%d more stretches", s.More))
	}
	say(t, "For a tenth less, %s, these would have to go (be computed again, moved away, or die sooner): %s.\n", size(s.Target), strings.Join(names, ", "))
	say(t, "The load is above that at %s; without them it is at most %s.\n", strings.Join(places, ", "), size(s.Load))
}

func spanText(s explain.Span) string {
	if s.First == s.Last {
		return fmt.Sprintf("entry %d", s.First)
	}
	return fmt.Sprintf("entries %d to %d", s.First, s.Last)
}
