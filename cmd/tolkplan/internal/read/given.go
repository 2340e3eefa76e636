package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// planText is a plan as docs/formats.md has it.
type planText struct {
	Arenas []struct {
		Device json.RawMessage `json:"device"`
		Size   int64           `json:"size"`
	} `json:"arenas"`
	Places     map[string][]int64 `json:"places"`
	Before     int64              `json:"before"`
	After      int64              `json:"after"`
	LowerBound int64              `json:"lower_bound"`
	Taken      [][]int            `json:"taken"`
	Optimal    bool               `json:"optimal"`
}

// plans reads the plans that stand beside a schedule.
func (r *jsonReader) plans(s *Schedule) error {
	for _, of := range []struct{ key, name string }{{"plan", "given"}, {"plan_copies_apart", "given, copies apart"}} {
		at, ok := r.keys[of.key]
		if !ok {
			continue
		}
		plan, err := r.plan(at)
		if err != nil {
			return r.wrong(at, "the plan", err)
		}
		plan.Name = of.name
		s.Plans = append(s.Plans, *plan)
	}
	return nil
}

func (r *jsonReader) plan(at span) (*GivenPlan, error) {
	var t planText
	if err := r.decode(at, &t); err != nil {
		return nil, err
	}
	plan := &GivenPlan{Before: t.Before, After: t.After, LowerBound: t.LowerBound, Taken: t.Taken, Places: map[int][2]int64{}}
	for i, a := range t.Arenas {
		devices, err := readDevices(a.Device)
		if err != nil {
			return nil, fmt.Errorf("arena %d: %v", i, err)
		}
		plan.Arenas = append(plan.Arenas, GivenArena{Devices: devices, Size: a.Size})
	}
	for key, place := range t.Places {
		i, err := strconv.Atoi(key)
		if err != nil || len(place) != 2 {
			return nil, fmt.Errorf("place %q is %v; it must be \"storage index\": [arena, byte]", key, place)
		}
		plan.Places[i] = [2]int64{place[0], place[1]}
	}
	return plan, nil
}

func readDevices(text json.RawMessage) ([]string, error) {
	var name string
	if json.Unmarshal(text, &name) == nil {
		return []string{name}, nil
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, fmt.Errorf("device is %s; it must be a name or an array of names", text)
	}
	return names, nil
}

// Bare is what a file holds of plans without their schedules or lifetimes, one behind the other.
type Bare struct {
	readers []jsonReader
}

// BarePlans is the plans of a file, which [Bare.Plan] and [Bare.Answer] read.
func BarePlans(path string) (*Bare, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte(gzipMark)) {
		if data, err = unpack(path, data); err != nil {
			return nil, err
		}
	}
	documents, err := split(path, data)
	if err != nil {
		return nil, err
	}
	b := &Bare{}
	for _, d := range documents {
		b.readers = append(b.readers, jsonReader{file: path, data: data, document: d})
	}
	return b, nil
}

// Len is how many there are.
func (b *Bare) Len() int { return len(b.readers) }

// Plan is number i, of a schedule.
func (b *Bare) Plan(i int) (*GivenPlan, error) {
	r := &b.readers[i]
	if _, ok := r.keys["places"]; !ok {
		return nil, r.fail(r.span, "this is no plan of a schedule: it has no \"places\"")
	}
	plan, err := r.plan(r.span)
	if err != nil {
		return nil, r.wrong(r.span, "the plan", err)
	}
	plan.Name = "given"
	return plan, nil
}

// Answer is a plan of lifetimes: offsets in their order.
type Answer struct {
	Size       int64   `json:"size"`
	Offsets    []int64 `json:"offsets"`
	LowerBound int64   `json:"lower_bound"`
	Optimal    bool    `json:"optimal"`
}

// Answer is number i, of lifetimes.
func (b *Bare) Answer(i int) (*Answer, error) {
	r := &b.readers[i]
	if _, ok := r.keys["offsets"]; !ok {
		return nil, r.fail(r.span, "this is no answer to lifetimes: it has no \"offsets\"")
	}
	var answer Answer
	if err := r.decode(r.span, &answer); err != nil {
		return nil, r.wrong(r.span, "the answer to lifetimes", err)
	}
	return &answer, nil
}
