// Peers gives the same lifetimes to this module and to allocators and planners of others, and prints tables of the bytes that
// they need over the lower bound and of the processor's time: one thread, medians of a few runs.
//
//	go run ./bench/peers [-max N] [-runs N]
//
// A peer is a program in the folder replay, in C++ or Python, that this one builds and starts. A peer that cannot be built is left out, and
// standard error tells what it needs.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"

	"libtolk_memory/internal/generate"
	"libtolk_memory/placement/problem"
)

var families = []struct {
	name string
	make func(n int, seed uint64) *problem.Problem
}{
	{"Training", generate.Training},
	{"Random", generate.Random},
	{"Spread", generate.Spread},
}

// result is what a contestant made of a workload: the arena in bytes and the processor's nanoseconds of each run.
type result struct {
	size  int64
	times []float64
}

func (r result) median() float64 {
	sorted := slices.Sorted(slices.Values(r.times))
	return sorted[len(sorted)/2]
}

// A contestant takes workloads of up to most buffers.
type contestant struct {
	name string
	most int
	run  func(w *workload, runs int) (result, error)
}

// A group is contestants that are given the same and do the same. The first is ours.
type group struct {
	what        string
	contestants []contestant
}

func main() {
	most := flag.Int("max", 1_000_000, "the most buffers of a workload")
	runs := flag.Int("runs", 3, "the runs of which the median counts; ten times as many of less than 10,000 buffers")
	flag.Parse()
	if err := compare(*most, max(*runs, 1)); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func compare(most, runs int) error {
	folder, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := copySources(folder); err != nil {
		return err
	}
	groups := allGroups(folder)
	for _, family := range families {
		t := newTable(family.name, groups)
		for n := 100; n <= most; n *= 10 {
			w, err := newWorkload(family.make(n, 1))
			if err != nil {
				return err
			}
			if err := measure(w, groups, runs, t); err != nil {
				return fmt.Errorf("%s of %d buffers: %w", family.name, n, err)
			}
		}
		t.print(os.Stdout)
	}
	return nil
}

// measure adds a column to t.
func measure(w *workload, groups []group, runs int, t *table) error {
	if len(w.needs) < 10_000 {
		runs *= 10
	}
	t.addColumn(w)
	for _, g := range groups {
		for _, c := range g.contestants {
			if len(w.needs) > c.most {
				continue
			}
			runtime.GC()
			r, err := c.run(w, runs)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			t.add(g.what, c.name, r)
		}
	}
	return nil
}
