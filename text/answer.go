package text

import (
	"context"
	"fmt"
	"time"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// Answer is the answer to a request to plan: a bare schedule, a schedule with
// options, or lifetimes with options. When ctx ends, the answer is the best plan found.
//
// print takes the line on the memory saved, as in [planner.Options]. Errors are an
// *[Error] for the text, or those of planning and placing.
func Answer(ctx context.Context, request []byte, print func(line string)) ([]byte, error) {
	t, err := readTape(request)
	if err != nil {
		return nil, err
	}
	r := query{tape: t}
	if err := r.read(); err != nil {
		return nil, err
	}
	r.options.Print = print
	if r.hasLifetimes {
		return r.placeLifetimes(ctx)
	}
	return r.planSchedule(ctx)
}

// query is a request as it was read.
type query struct {
	*tape
	schedule, lifetimes value
	hasLifetimes        bool
	options             planner.Options
}

func (r *query) read() error {
	if !r.isObject(0) {
		return r.failAt(0, "the request is %s; it must be an object", r.kindOf(0))
	}
	if !r.has("schedule") && !r.has("lifetimes") && !r.has("options") {
		return nil
	}
	f, err := r.fields(0, "the request", "schedule", "lifetimes", "options")
	if err != nil {
		return err
	}
	schedule, hasSchedule := f["schedule"]
	r.lifetimes, r.hasLifetimes = f["lifetimes"]
	if hasSchedule == r.hasLifetimes {
		return r.failAt(0, "a request has either a \"schedule\" or \"lifetimes\"")
	}
	r.schedule = schedule
	if at, ok := f["options"]; ok {
		return r.readOptions(at)
	}
	return nil
}

// has reports whether the outermost object has a key.
func (r *query) has(key string) bool {
	for at := value(1); at < r.cells[0].end; at = r.cells[at+1].end {
		if r.cells[at].token == key {
			return true
		}
	}
	return false
}

func (r *query) readOptions(v value) error {
	f, err := r.fields(v, "the options", "placer", "copies", "granule", "effort", "time_limit_ms", "no_memory_planner", "debug")
	if err != nil {
		return err
	}
	if at, ok := f["placer"]; ok {
		name, err := r.str(at, "placer")
		if err != nil {
			return err
		}
		if r.options.Placer, err = placement.ParsePlacer(name); err != nil {
			return r.failAt(at, "%v", err)
		}
	}
	if at, ok := f["copies"]; ok {
		i, err := r.choice(at, "copies", "shared", "apart")
		if err != nil {
			return err
		}
		r.options.Copies = planner.Copies(i)
	}
	return r.readNumbers(f)
}

func (r *query) readNumbers(f map[string]value) (err error) {
	if at, ok := f["granule"]; ok {
		if r.options.Granule, err = r.integer(at, "granule"); err != nil {
			return err
		}
		if g := r.options.Granule; g <= 0 || g > problem.MaxAlign || g&(g-1) != 0 {
			return r.failAt(at, "granule is %d; it must be a power of two up to 1 GiB", g)
		}
	}
	if at, ok := f["effort"]; ok {
		if r.options.Effort, err = r.natural(at, "effort"); err != nil {
			return err
		}
	}
	if at, ok := f["time_limit_ms"]; ok {
		ms, err := r.natural(at, "time_limit_ms")
		if err != nil {
			return err
		}
		r.options.TimeLimit = time.Duration(min(ms, maxMilliseconds)) * time.Millisecond
	}
	return r.readOverrides(f)
}

const maxMilliseconds = int64(1<<63-1) / int64(time.Millisecond)

func (r *query) natural(v value, what string) (int64, error) {
	i, err := r.integer(v, what)
	if err == nil && i < 0 {
		err = r.failAt(v, "%s is %d; it must not be negative", what, i)
	}
	return i, err
}

func (r *query) readOverrides(f map[string]value) error {
	if at, ok := f["no_memory_planner"]; ok {
		off, err := r.boolean(at, "no_memory_planner")
		if err != nil {
			return err
		}
		number := int64(0)
		if off {
			number = 1
		}
		r.options.NoMemoryPlanner = &number
	}
	if at, ok := f["debug"]; ok {
		level, err := r.integer(at, "debug")
		if err != nil {
			return err
		}
		r.options.Debug = &level
	}
	return nil
}

func (r *query) planSchedule(ctx context.Context) ([]byte, error) {
	g := ir.NewGraph()
	s, err := readSchedule(g, r.tape, r.schedule)
	if err != nil {
		return nil, err
	}
	schedule, err := g.Node(s.Op)
	if err != nil {
		return nil, err
	}
	r.options.Held = s.Held
	plan, err := planner.MemoryPlanRewrite(ctx, schedule, r.options)
	if err != nil {
		return nil, err
	}
	number := make(map[ir.Op]int, len(s.Storage))
	for i, op := range s.Storage {
		number[op] = i
	}
	return planText(schedule, plan, number)
}

func (r *query) placeLifetimes(ctx context.Context) ([]byte, error) {
	list, err := r.items(r.lifetimes, "lifetimes")
	if err != nil {
		return nil, err
	}
	p := problem.Problem{Granule: r.options.Granule, Buffers: make([]problem.Buffer, len(list))}
	for i, v := range list {
		if err := r.readLifetime(v, &p.Buffers[i]); err != nil {
			return nil, err
		}
	}
	o := r.options
	answer, err := placement.Place(ctx, &p, placement.Options{Placer: o.Placer, Effort: o.Effort, TimeLimit: o.TimeLimit})
	if err != nil {
		return nil, err
	}
	return lifetimesText(answer), nil
}

func (r *query) readLifetime(v value, b *problem.Buffer) error {
	parts, err := r.items(v, "a lifetime")
	if err != nil {
		return err
	}
	if len(parts) != 3 {
		return r.failAt(v, "a lifetime has %d numbers; it must be [first, end, bytes]", len(parts))
	}
	for i, field := range []*int64{&b.First, &b.End, &b.Bytes} {
		if *field, err = r.integer(parts[i], []string{"first", "end", "bytes"}[i]); err != nil {
			return err
		}
	}
	switch {
	case b.First >= b.End:
		return r.failAt(v, "the lifetime [%d, %d) is empty; first must be below end", b.First, b.End)
	case b.Bytes < 0:
		return r.failAt(parts[2], "bytes is %d; it must not be negative", b.Bytes)
	}
	return nil
}

func lifetimesText(a *placement.Answer) []byte {
	text := fmt.Appendf(nil, `{"size":%d,"offsets":[`, a.Size)
	for i, offset := range a.Offsets {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Append(text, offset)
	}
	return fmt.Appendf(text, `],"lower_bound":%d,"optimal":%t}`, a.LowerBound, a.Optimal)
}
