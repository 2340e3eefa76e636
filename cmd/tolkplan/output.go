package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/ir"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// planWriter writes the plan of a work.
type planWriter func(w io.Writer, one *planned, s *solve.Settings) error

// writerFor is what writes plans of works to a file of some name; nil if nothing is to be written.
func writerFor(path string, works []*read.Work) (planWriter, error) {
	if path == "" {
		return nil, nil
	}
	extension := strings.ToLower(filepath.Ext(path))
	if path == read.Stdin {
		extension = ".json"
		if len(works) == 1 && works[0].Lifetimes != nil {
			extension = ".csv"
		}
	}
	switch {
	case extension == ".csv" && len(works) == 1:
		return writeCSV, nil
	case extension == ".json" && len(works) == 1, extension == ".jsonl":
		return writePlan, nil
	case extension == ".json" || extension == ".csv":
		return nil, usage("-o %s holds one plan; there are %d: write them to a .jsonl", path, len(works))
	}
	return nil, usage("-o %s: a plan is written as .csv, .json or .jsonl", path)
}

func (a *app) writePlans(path string, write planWriter, all []planned, s *solve.Settings) error {
	return a.toFile(path, func(w io.Writer) error {
		for i := range all {
			if err := write(w, &all[i], s); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeCSV writes a plan as lifetimes with offsets.
func writeCSV(w io.Writer, one *planned, _ *solve.Settings) error {
	var list []read.Lifetime
	for i := range one.plan.Arenas {
		a := &one.plan.Arenas[i]
		name := a.Name
		if one.work.Lifetimes != nil && !one.work.Lifetimes.HasArenas {
			name = ""
		}
		for k := range a.Buffers {
			b := a.Problem.Buffers[k]
			b.Fixed, b.Offset = true, a.Offsets[k]
			list = append(list, read.Lifetime{Buffer: b, ID: a.Buffers[k].ID, Name: a.Buffers[k].Name, Arena: name})
		}
	}
	return read.WriteCSV(w, list)
}

// writePlan writes a plan as docs/formats.md has it, with the schedule beside it; of lifetimes the answer to them.
func writePlan(w io.Writer, one *planned, s *solve.Settings) error {
	if one.work.Lifetimes != nil {
		return writeAnswer(w, one.plan)
	}
	schedule, err := scheduleText(one.work, s)
	if err != nil {
		return err
	}
	plan, err := json.Marshal(planTextOf(one))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "{\"schedule\":%s,\"plan\":%s%s}\n", schedule, plan, optionsText(one.plan))
	return err
}

// optionsText is what else it takes to check a plan: the granule, where it is not the usual one.
func optionsText(p *solve.Plan) string {
	if len(p.Arenas) == 0 || p.Arenas[0].Problem.Granule == planner.DefaultGranule {
		return ""
	}
	return fmt.Sprintf(`,"options":{"granule":%d}`, p.Arenas[0].Problem.Granule)
}

// writeAnswer writes the offsets of the only arena of lifetimes, or of none.
func writeAnswer(w io.Writer, p *solve.Plan) error {
	if len(p.Arenas) > 1 {
		return usage("lifetimes in %d arenas are written as .csv", len(p.Arenas))
	}
	a := &solve.Arena{Offsets: []int64{}, Optimal: true} // of no lifetimes
	if len(p.Arenas) == 1 {
		a = &p.Arenas[0]
	}
	return json.NewEncoder(w).Encode(read.Answer{Size: a.Size, Offsets: a.Offsets, LowerBound: a.LowerBound, Optimal: a.Optimal})
}

// scheduleText is the text of a schedule, in one line, with what the settings hold and release.
func scheduleText(w *read.Work, s *solve.Settings) ([]byte, error) {
	held, err := solve.Held(w.Schedule, s)
	if err != nil {
		return nil, err
	}
	if w.Schedule.Text == nil {
		name := strings.TrimSuffix(filepath.Base(w.Name), filepath.Ext(w.Name))
		return text.WriteSchedule(w.Schedule.Op, name, held)
	}
	original := w.Schedule.Text
	if len(s.Hold)+len(s.Release) > 0 {
		if original, err = withHeld(original, w.Schedule, held); err != nil {
			return nil, err
		}
	}
	var line bytes.Buffer
	err = json.Compact(&line, original)
	return line.Bytes(), err
}

// planText is a plan as docs/formats.md has it.
type planText struct {
	Arenas     []givenArenaText    `json:"arenas"`
	Places     map[string][2]int64 `json:"places"`
	Before     int64               `json:"before"`
	After      int64               `json:"after"`
	LowerBound int64               `json:"lower_bound"`
	Taken      [][]int             `json:"taken"`
	Optimal    bool                `json:"optimal,omitempty"`
}

type givenArenaText struct {
	Device any   `json:"device"`
	Size   int64 `json:"size"`
}

func planTextOf(one *planned) planText {
	p := one.plan
	t := planText{Arenas: []givenArenaText{}, Places: map[string][2]int64{}, Before: p.Before(), After: p.After(), LowerBound: p.LowerBound(),
		Taken: takenBy(one.work.Schedule), Optimal: len(p.Arenas) > 0 && p.Optimal()}
	for i := range p.Arenas {
		a := &p.Arenas[i]
		var device any = a.Devices
		if len(a.Devices) == 1 {
			device = a.Devices[0]
		}
		t.Arenas = append(t.Arenas, givenArenaText{device, a.Size})
		for k := range a.Buffers {
			t.Places[a.Buffers[k].ID] = [2]int64{int64(i), a.Offsets[k]}
		}
	}
	return t
}

func takenBy(s *read.Schedule) [][]int {
	number := map[ir.Op]int{}
	for i, op := range s.Storage {
		number[op] = i
	}
	all := make([][]int, s.Op.NumSources())
	for entry := range all {
		all[entry] = []int{}
		storages, err := planner.Taken(s.Op.Source(entry))
		if err != nil {
			panic(err) // what a schedule lists are entries
		}
		for _, storage := range storages {
			all[entry] = append(all[entry], number[storage.Op()])
		}
	}
	return all
}

// withHeld is the text of a schedule with other storage held.
func withHeld(original []byte, s *read.Schedule, held []ir.Op) ([]byte, error) {
	var schedule map[string]json.RawMessage
	var storage []map[string]any
	if err := json.Unmarshal(original, &schedule); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(schedule["storage"]))
	decoder.UseNumber()
	if err := decoder.Decode(&storage); err != nil {
		return nil, err
	}
	isHeld := map[ir.Op]bool{}
	for _, op := range held {
		isHeld[op] = true
	}
	for i := range storage {
		delete(storage[i], "held")
		if isHeld[s.Storage[i]] {
			storage[i]["held"] = true
		}
	}
	changed, err := json.Marshal(storage)
	if err != nil {
		return nil, err
	}
	schedule["storage"] = changed
	return json.Marshal(schedule)
}
