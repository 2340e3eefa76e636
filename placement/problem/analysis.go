package problem

import (
	"cmp"
	"slices"
)

// Analysis is what is true of a problem whatever the placer.
//
// A section is a maximal set of buffers that live together. Sections are numbered in order of time, and every lifetime is
// a run of them, so two buffers live at one time exactly if their sections meet. Placers need the sections only: that
// two buffers may not share bytes is said by them alone, and there are at most as many as buffers.
//
// Buffers of no bytes take part in nothing: they are in no section and their range of sections is empty.
type Analysis struct {
	Problem *Problem
	Needs   []int64 // bytes, by buffer
	ByFirst []int32 // the buffers that need bytes, in order of first entry, then index
	ByEnd   []int32 // the same in order of end, then first entry, then index

	From, To []int32 // by buffer: it is in the sections [From, To)
	Loads    []int64 // bytes live together, by section
	Entries  []int64 // an entry at which all of a section is live, by section

	Total       int64 // the sum of the needs
	LowerBound  int64 // the greatest load
	PeakSection int   // the first section whose load is LowerBound, or -1 if no buffer needs bytes
	FixedTop    int64 // the greatest end of a fixed buffer, 0 if there is none
	HasFixed    bool  // whether a buffer that needs bytes is fixed
	Bound       int64 // no arena is smaller: LowerBound, or more if alignment or fixed buffers tell
}

// Analyze is the analysis of p, in time n for entries that span a range near n and n log n otherwise.
// A problem that is not valid gives an *Error.
func Analyze(p *Problem) (*Analysis, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	a := &Analysis{Problem: p, PeakSection: -1}
	a.takeNeeds()
	a.orderTimes()
	a.findSections()
	a.findBound()
	return a, nil
}

// PeakEntry is the first entry of the greatest load, 0 if no buffer needs bytes.
func (a *Analysis) PeakEntry() int64 {
	if a.PeakSection < 0 {
		return 0
	}
	return a.Entries[a.PeakSection]
}

// Live is the buffers that need bytes and live at entry, the greatest need first, equal needs in order of index.
func (a *Analysis) Live(entry int64) []int {
	var live []int
	for i := range a.Problem.Buffers {
		if b := &a.Problem.Buffers[i]; a.Needs[i] > 0 && b.First <= entry && entry < b.End {
			live = append(live, i)
		}
	}
	slices.SortStableFunc(live, func(i, j int) int { return cmp.Compare(a.Needs[j], a.Needs[i]) })
	return live
}

func (a *Analysis) takeNeeds() {
	a.Needs = make([]int64, len(a.Problem.Buffers))
	for i := range a.Needs {
		need := a.Problem.Need(i)
		a.Needs[i] = need
		a.Total += need
		if b := &a.Problem.Buffers[i]; b.Fixed {
			a.HasFixed = a.HasFixed || need > 0
			a.FixedTop = max(a.FixedTop, b.Offset+need)
		}
	}
}

func (a *Analysis) orderTimes() {
	buffers := a.Problem.Buffers
	keys := make([]int64, len(buffers))
	a.ByFirst = make([]int32, 0, len(buffers))
	for i := range buffers {
		keys[i] = buffers[i].First
		if a.Needs[i] > 0 {
			a.ByFirst = append(a.ByFirst, int32(i))
		}
	}
	var sorter Sorter
	sorter.Sort(a.ByFirst, keys)
	for i := range buffers {
		keys[i] = buffers[i].End
	}
	a.ByEnd = slices.Clone(a.ByFirst)
	sorter.Sort(a.ByEnd, keys)
}

// findSections walks the starts and the ends in order of time. A section closes at the first end after a start: the
// buffers live there are a maximal set, since one that ends has left before the next start.
func (a *Analysis) findSections() {
	buffers := a.Problem.Buffers
	a.From, a.To = make([]int32, len(buffers)), make([]int32, len(buffers))
	a.Loads, a.Entries = make([]int64, 0, len(a.ByFirst)), make([]int64, 0, len(a.ByFirst))
	load, ended := int64(0), 0
	growing, latest := false, int64(0)
	end := func(i int32) {
		if growing {
			a.closeSection(load, latest)
			growing = false
		}
		a.To[i] = int32(len(a.Loads))
		load -= a.Needs[i]
		ended++
	}
	for _, i := range a.ByFirst {
		for buffers[a.ByEnd[ended]].End <= buffers[i].First {
			end(a.ByEnd[ended])
		}
		a.From[i] = int32(len(a.Loads))
		load += a.Needs[i]
		growing, latest = true, buffers[i].First
	}
	for _, i := range a.ByEnd[ended:] {
		end(i)
	}
}

func (a *Analysis) closeSection(load, entry int64) {
	if load > a.LowerBound {
		a.LowerBound = load
		a.PeakSection = len(a.Loads)
	}
	a.Loads = append(a.Loads, load)
	a.Entries = append(a.Entries, entry)
}
