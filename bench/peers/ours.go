package main

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
	"libtolk_memory/tlsf"
)

const (
	anySize = 1 << 30
	fitUpTo = 100_000 // buffers: with more, first fit and best fit can take minutes
)

func ourAllocator() contestant { return contestant{"tlsf", anySize, timed(replay)} }

func ourPlacers() (all []contestant) {
	for _, p := range []struct {
		placer placement.Placer
		most   int
	}{{placement.TLSF, anySize}, {placement.Best, anySize}, {placement.FirstFit, fitUpTo}, {placement.BestFit, fitUpTo}} {
		all = append(all, contestant{p.placer.String(), p.most, timed(func(w *workload) (int64, error) { return place(w, p.placer) })})
	}
	return all
}

func ourPlanner(p placement.Placer) contestant {
	return contestant{"this planner, " + p.String(), anySize, func(w *workload, runs int) (result, error) { return plan(w, p, runs) }}
}

// spent is the processor's time that this process has had, on all of its threads: the collector's work counts.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only for arguments that are wrong
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timed repeats what gives a size.
func timed(once func(w *workload) (int64, error)) func(w *workload, runs int) (result, error) {
	return func(w *workload, runs int) (r result, err error) {
		for range runs {
			start := spent()
			if r.size, err = once(w); err != nil {
				return r, err
			}
			r.times = append(r.times, float64(spent()-start))
		}
		return r, nil
	}
}

// replay is the greatest end of an allocation.
func replay(w *workload) (end int64, err error) {
	allocator, err := tlsf.New(w.span, 0, 256, 32)
	if err != nil {
		return 0, err
	}
	offsets := make([]int64, len(w.needs))
	for _, event := range w.events {
		if event < 0 {
			if err := allocator.Free(offsets[-1-event]); err != nil {
				return 0, err
			}
			continue
		}
		offset, ok, err := allocator.Alloc(w.needs[event], 1)
		if err != nil || !ok {
			return 0, fmt.Errorf("allocating buffer %d: room %v, %w", event, ok, err)
		}
		offsets[event] = offset
		end = max(end, offset+w.needs[event])
	}
	return end, nil
}

func place(w *workload, p placement.Placer) (int64, error) {
	answer, err := placement.Place(context.Background(), w.problem, placement.Options{Placer: p})
	if err != nil {
		return 0, err
	}
	return answer.Size, nil
}

// plan builds the schedule anew for each run, outside of what is timed: a graph that has the rewritten schedule gives it sooner.
func plan(w *workload, p placement.Placer, runs int) (r result, err error) {
	var off int64
	options := planner.Options{Placer: p, NoMemoryPlanner: &off, Debug: &off}
	for range runs {
		g := ir.NewGraph()
		schedule, err := g.Node(generate.ScheduleOf(g, w.problem))
		if err != nil {
			return r, err
		}
		start := spent()
		made, err := planner.MemoryPlanRewrite(context.Background(), schedule, options)
		if err != nil {
			return r, err
		}
		r.times = append(r.times, float64(spent()-start))
		r.size = made.After
	}
	return r, nil
}
