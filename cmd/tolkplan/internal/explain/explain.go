// Package explain tells why an arena is as large as it is.
package explain

import (
	"math"
	"slices"

	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/placement/problem"
)

// Arena is why an arena is as large as it is.
type Arena struct {
	Arena         string  `json:"arena"`
	Size          int64   `json:"size"`
	LowerBound    int64   `json:"lower_bound"`
	Optimal       bool    `json:"optimal"`
	Fragmentation float64 `json:"fragmentation"` // (size - bound) / size
	PeakEntry     int64   `json:"peak_entry"`
	PeakLabel     string  `json:"peak_label,omitempty"`
	Live          []Live  `json:"live"`      // at the peak, the largest first
	NotNow        int64   `json:"not_taken"` // bytes that live at the peak and are not taken by its entry
	Save          *Save   `json:"save,omitempty"`
}

// Live is a buffer that lives at the peak.
type Live struct {
	Buffer string `json:"buffer"`
	Name   string `json:"name,omitempty"`
	Need   int64  `json:"need"`
	First  int64  `json:"first"`
	End    int64  `json:"end"`
	Taken  bool   `json:"taken"` // whether the peak's entry takes it; true if that is not known
	// LastTaken and NextTaken are the entries around the peak that take it, -1 if there are none or it is not known.
	LastTaken int64 `json:"last_taken"`
	NextTaken int64 `json:"next_taken"`
}

// Save is what would have to go for the greatest load to be a tenth less.
type Save struct {
	Target int64  `json:"target"` // the load to come down to
	Load   int64  `json:"load"`   // what it comes down to without the buffers
	Spans  []Span `json:"spans"`  // where the load is above the target
	More   int    `json:"more_spans,omitempty"`
	Go     []Live `json:"go"` // the buffers, in the order in which they were chosen
}

// Span is the entries [First, Last], both included.
type Span struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// Of is why an arena of a plan is as large as it is. It costs n log n for n buffers, and for each buffer to go the sections it lives in.
func Of(a *solve.Arena, entries []string) (*Arena, error) {
	analysis, err := problem.Analyze(&a.Problem)
	if err != nil {
		return nil, err
	}
	out := &Arena{Arena: a.Name, Size: a.Size, LowerBound: a.LowerBound, Optimal: a.Optimal, PeakEntry: a.Peak}
	if a.Size > 0 {
		out.Fragmentation = float64(a.Size-a.LowerBound) / float64(a.Size)
	}
	if a.Peak >= 0 && a.Peak < int64(len(entries)) {
		out.PeakLabel = entries[a.Peak]
	}
	for _, i := range analysis.Live(a.Peak) {
		l := live(a, i)
		if !l.Taken {
			out.NotNow += l.Need
		}
		out.Live = append(out.Live, l)
	}
	out.Save = save(a, analysis)
	return out, nil
}

func live(a *solve.Arena, i int) Live {
	b, who := &a.Problem.Buffers[i], &a.Buffers[i]
	l := Live{Buffer: who.ID, Name: who.Name, Need: a.Problem.Need(i), First: b.First, End: b.End, Taken: true, LastTaken: -1, NextTaken: -1}
	if len(who.Takers) == 0 {
		return l
	}
	at, taken := slices.BinarySearch(who.Takers, a.Peak)
	l.Taken = taken
	if at > 0 {
		l.LastTaken = who.Takers[at-1]
	}
	if taken {
		at++
	}
	if at < len(who.Takers) {
		l.NextTaken = who.Takers[at]
	}
	return l
}

const (
	maxGo    = 50 // buffers to go that are looked for
	maxSpans = 5  // spans that are named
)

// save looks for few buffers without which the load is nowhere above nine tenths of what it is: again and again, at the greatest
// load, the one that takes most away from all that is above. It is nil if there is no load or too many buffers would have to go.
func save(a *solve.Arena, p *problem.Analysis) *Save {
	s := &Save{Target: p.LowerBound - (p.LowerBound+9)/10} // a tenth less, at least
	if p.LowerBound == 0 {
		return nil
	}
	loads := slices.Clone(p.Loads)
	s.Spans, s.More = spans(p, s.Target)
	gone := map[int32]bool{}
	for {
		peak := greatest(loads)
		if s.Load = loads[peak]; s.Load <= s.Target {
			return s
		}
		best := choose(p, loads, s.Target, int32(peak), gone)
		if best < 0 || len(s.Go) == maxGo {
			return nil
		}
		gone[best] = true
		for k := p.From[best]; k < p.To[best]; k++ {
			loads[k] -= p.Needs[best]
		}
		s.Go = append(s.Go, live(a, int(best)))
	}
}

func greatest(loads []int64) int {
	at := 0
	for i, load := range loads {
		if load > loads[at] {
			at = i
		}
	}
	return at
}

// choose is the buffer live in the section of the greatest load that takes most off what is above the target, about in bytes times sections,
// the smallest of those that take as much; one that takes all of it comes first. It is -1 if none is left.
func choose(p *problem.Analysis, loads []int64, target int64, section int32, gone map[int32]bool) int32 {
	excess := make([]float64, len(loads)+1) // sums up to a section
	sections := make([]int32, len(loads)+1)
	for k, load := range loads {
		excess[k+1], sections[k+1] = excess[k], sections[k]
		if load > target {
			excess[k+1] += float64(load - target)
			sections[k+1]++
		}
	}
	best, most := int32(-1), 0.0
	for _, i := range p.ByFirst {
		if gone[i] || p.From[i] > section || p.To[i] <= section {
			continue
		}
		from, to := p.From[i], p.To[i]
		off := min(excess[to]-excess[from], float64(p.Needs[i])*float64(sections[to]-sections[from]))
		if sections[to]-sections[from] == sections[len(loads)] && p.Needs[i] >= loads[section]-target {
			off = math.Inf(1)
		}
		if best < 0 || off > most || off == most && p.Needs[i] < p.Needs[best] {
			best, most = i, off
		}
	}
	return best
}

// spans are where the load of a problem is above a target, the first few, and how many more there are.
func spans(p *problem.Analysis, target int64) (list []Span, more int) {
	load, ended := int64(0), 0
	above, first := false, int64(0)
	close := func(end int64) {
		if len(list) < maxSpans {
			list = append(list, Span{First: first, Last: end - 1})
		} else {
			more++
		}
	}
	buffers := p.Problem.Buffers
	for started := 0; ended < len(p.ByEnd); {
		at := buffers[p.ByEnd[ended]].End
		if started < len(p.ByFirst) {
			at = min(at, buffers[p.ByFirst[started]].First)
		}
		for ; ended < len(p.ByEnd) && buffers[p.ByEnd[ended]].End == at; ended++ {
			load -= p.Needs[p.ByEnd[ended]]
		}
		for ; started < len(p.ByFirst) && buffers[p.ByFirst[started]].First == at; started++ {
			load += p.Needs[p.ByFirst[started]]
		}
		if now := load > target; now != above {
			if above {
				close(at)
			}
			above, first = now, at
		}
	}
	return list, more
}
