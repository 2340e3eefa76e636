package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// readJSON is the schedules, requests and plans with their schedules that a text holds, one or many.
func readJSON(file string, data []byte) ([]*Work, error) {
	documents, err := split(file, data)
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, failure(file, "the file is empty")
	}
	var works []*Work
	line, counted := 1, 0
	for _, d := range documents {
		line, counted = line+bytes.Count(data[counted:d.from], []byte("\n")), d.from
		r := jsonReader{file: file, data: data, document: d}
		work, err := r.read()
		if err != nil {
			return nil, err
		}
		work.Name = file
		if len(documents) > 1 {
			work.Name = fmt.Sprintf("%s:%d", file, line)
		}
		works = append(works, work)
	}
	return works, nil
}

// jsonReader reads one of the values of a text.
type jsonReader struct {
	file string
	data []byte
	document
}

// beside are the keys that may stand beside a schedule or lifetimes. A capture tells how long another planner took, which does not matter here.
var beside = []string{"schedule", "lifetimes", "options", "plan", "plan_copies_apart", "peer_seconds"}

func (r *jsonReader) read() (*Work, error) {
	if _, bare := r.keys["tolk_schedule"]; bare {
		return r.schedule(r.span)
	}
	schedule, isSchedule := r.keys["schedule"]
	lifetimes, isLifetimes := r.keys["lifetimes"]
	if _, plan := r.keys["places"]; plan {
		return nil, r.fail(r.span, "this is a plan without its schedule: tolkplan verify checks it, with the schedule as --of")
	}
	if _, answer := r.keys["offsets"]; answer {
		return nil, r.fail(r.span, "this is an answer without its lifetimes: tolkplan verify checks it, with the lifetimes as --of")
	}
	if isSchedule == isLifetimes {
		return nil, r.fail(r.span, "this is no schedule (\"tolk_schedule\": 1), nor an object with either a \"schedule\" or \"lifetimes\"")
	}
	for _, key := range slices.Sorted(maps.Keys(r.keys)) {
		if !slices.Contains(beside, key) {
			return nil, r.fail(r.keys[key], "key %q is not known; beside a schedule or lifetimes stand %q", key, beside[2:5])
		}
	}
	if at, ok := r.keys["peer_seconds"]; ok && !json.Valid(r.data[at.from:at.to]) {
		return nil, r.fail(at, "peer_seconds is no JSON")
	}
	var work *Work
	var err error
	if isSchedule {
		work, err = r.schedule(schedule)
	} else {
		work, err = r.lifetimes(lifetimes)
	}
	if err == nil {
		err = r.options(work)
	}
	if err == nil && isSchedule {
		err = r.plans(work.Schedule)
	}
	return work, err
}

func (r *jsonReader) fail(at span, format string, args ...any) error {
	return atByte(r.file, r.data, at.from, format, args...)
}

func (r *jsonReader) schedule(at span) (*Work, error) {
	g := ir.NewGraph()
	read, err := text.ReadSchedule(g, r.data[at.from:at.to])
	if err != nil {
		return nil, inText(r.file, r.data, at.from, err)
	}
	op, err := g.Node(read.Op)
	if err != nil {
		return nil, failure(r.file, "%v", err)
	}
	s := &Schedule{Graph: g, Op: op, Storage: read.Storage, Held: read.Held, Text: r.data[at.from:at.to], Groups: make([]string, len(read.Storage))}
	for i, op := range read.Storage {
		n, err := g.Node(op)
		if err != nil {
			return nil, failure(r.file, "%v", err)
		}
		s.IDs = append(s.IDs, strconv.Itoa(i))
		s.Names = append(s.Names, fmt.Sprintf("%v[%d]", n.Dtype(), n.Len()))
	}
	for i := range op.NumSources() {
		s.Entries = append(s.Entries, entryLabel(op.Source(i)))
	}
	return &Work{Schedule: s}, nil
}

// entryLabel is what to call an entry of a schedule whose text gives none a name.
func entryLabel(entry ir.Node) string {
	body := entry.Source(0)
	if entry.Kind() == ir.Call {
		return strings.ToLower(body.Kind().String())
	}
	if body.Kind() == ir.Linear {
		return fmt.Sprintf("loop of %d entries", body.NumSources())
	}
	return "loop of " + strings.ToLower(body.Source(0).Kind().String())
}

// lifetimes reads [[first, end, bytes], ...].
func (r *jsonReader) lifetimes(at span) (*Work, error) {
	decoder := json.NewDecoder(bytes.NewReader(r.data[at.from:at.to]))
	here := func() span { return span{from: at.from + int(decoder.InputOffset())} }
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return nil, r.fail(at, "lifetimes must be an array of [first, end, bytes]")
	}
	work := &Work{Lifetimes: &Lifetimes{}}
	for decoder.More() {
		var three []int64
		if err := decoder.Decode(&three); err != nil || len(three) != 3 {
			return nil, r.fail(here(), "lifetime %d must be three integers of 64 bits, [first, end, bytes]", len(work.Lifetimes.Buffers))
		}
		b := problem.Buffer{First: three[0], End: three[1], Bytes: three[2]}
		one := problem.Problem{Buffers: []problem.Buffer{b}}
		var fault *problem.Error
		if errors.As(one.Validate(), &fault) {
			return nil, r.fail(here(), "lifetime %d: %s is %d: %s", len(work.Lifetimes.Buffers), fault.Field, fault.Value, fault.Want)
		}
		id := strconv.Itoa(len(work.Lifetimes.Buffers))
		work.Lifetimes.Buffers = append(work.Lifetimes.Buffers, Lifetime{Buffer: b, ID: id})
	}
	if _, err := decoder.Token(); err != nil {
		return nil, r.wrong(at, "the lifetimes", err)
	}
	return work, nil
}

// options reads what a request says of how to plan it.
func (r *jsonReader) options(work *Work) error {
	at, ok := r.keys["options"]
	if !ok {
		return nil
	}
	var o struct {
		Placer          *string `json:"placer"`
		Copies          *string `json:"copies"`
		Granule         *int64  `json:"granule"`
		Effort          *int64  `json:"effort"`
		TimeLimitMS     *int64  `json:"time_limit_ms"`
		NoMemoryPlanner *bool   `json:"no_memory_planner"`
		Debug           *int64  `json:"debug"`
	}
	if err := r.decode(at, &o); err != nil {
		return r.wrong(at, "the options", err)
	}
	work.Options = Options{Granule: o.Granule, Effort: o.Effort, TimeLimitMS: o.TimeLimitMS}
	if o.Placer != nil {
		placer, err := placement.ParsePlacer(*o.Placer)
		if err != nil {
			return r.fail(at, "the options: %v", err)
		}
		work.Options.Placer = &placer
	}
	if o.Copies != nil {
		copies := planner.Copies(slices.Index([]string{"shared", "apart"}, *o.Copies))
		if *o.Copies != "shared" && *o.Copies != "apart" {
			return r.fail(at, "the options: copies is %q; it must be \"shared\" or \"apart\"", *o.Copies)
		}
		work.Options.Copies = &copies
	}
	return nil
}

// wrong is an error of a value, at the byte that package json names, if it names one.
func (r *jsonReader) wrong(at span, what string, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at.from += int(max(0, syntax.Offset-1))
	case errors.As(err, &kind):
		at.from += int(max(0, kind.Offset-1))
	}
	return r.fail(at, "%s: %v", what, err)
}

// decode reads a value into v, in whose type all keys must be.
func (r *jsonReader) decode(at span, v any) error {
	decoder := json.NewDecoder(io.NewSectionReader(bytes.NewReader(r.data), int64(at.from), int64(at.to-at.from)))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v)
}
