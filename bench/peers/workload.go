package main

import (
	"libtolk_memory/placement/problem"
)

// workload is a problem, and the same as allocations and frees in order of time.
type workload struct {
	problem *problem.Problem
	needs   []int64 // bytes, by buffer
	bound   int64   // the greatest load, bytes
	span    int64   // bytes of address range to allocate in: twice the sum of the needs
	events  []int64 // i allocates buffer i, -1 - i frees it
}

func newWorkload(p *problem.Problem) (*workload, error) {
	a, err := problem.Analyze(p)
	if err != nil {
		return nil, err
	}
	w := &workload{problem: p, needs: a.Needs, bound: a.LowerBound, span: 2 * a.Total}
	ended := 0
	for _, i := range a.ByFirst {
		for ; p.Buffers[a.ByEnd[ended]].End <= p.Buffers[i].First; ended++ {
			w.events = append(w.events, -1-int64(a.ByEnd[ended]))
		}
		w.events = append(w.events, int64(i))
	}
	for _, i := range a.ByEnd[ended:] {
		w.events = append(w.events, -1-int64(i))
	}
	return w, nil
}
