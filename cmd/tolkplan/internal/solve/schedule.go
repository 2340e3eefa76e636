package solve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/ir"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

func planSchedule(ctx context.Context, s *read.Schedule, o *Settings) (*Plan, error) {
	held, err := heldBy(s, o)
	if err != nil {
		return nil, err
	}
	facts, err := factsOf(s, held)
	if err != nil {
		return nil, err
	}
	options := planner.Options{Placer: o.placer(), Effort: o.Effort, TimeLimit: o.TimeLimit, Granule: o.Granule, Progress: o.progress("")}
	if options.Held, err = Held(s, o); err != nil {
		return nil, err
	}
	if o.Copies != nil {
		options.Copies = *o.Copies
	}
	if options.Capacities, err = capacities(s, o); err != nil {
		return nil, err
	}
	quiet := int64(0)
	options.NoMemoryPlanner, options.Debug = &quiet, &quiet
	plan, err := planner.MemoryPlanRewrite(ctx, s.Op, options)
	if err != nil {
		return nil, facts.explain(err)
	}
	return facts.arenas(plan, o), nil
}

// Held is the storage of a schedule that is held under some settings.
func Held(s *read.Schedule, o *Settings) ([]ir.Op, error) {
	held, err := heldBy(s, o)
	var ops []ir.Op
	for i := range held {
		if held[i] {
			ops = append(ops, s.Storage[i])
		}
	}
	return ops, err
}

// words are the words that stand for many storages in --hold and --release.
var words = map[string]string{"inputs": "input", "outputs": "output", "variables": "variable"}

// heldBy is, by storage, whether it is held: as the file says, but for what the settings hold or release.
func heldBy(s *read.Schedule, o *Settings) ([]bool, error) {
	held := make([]bool, len(s.Storage))
	number := map[ir.Op]int{}
	for i, op := range s.Storage {
		number[op] = i
	}
	for _, op := range s.Held {
		held[number[op]] = true
	}
	for _, change := range []struct {
		flag  string
		names []string
		to    bool
	}{{"--release", o.Release, false}, {"--hold", o.Hold, true}} {
		for _, name := range change.names {
			if err := set(held, s, name, change.to, change.flag); err != nil {
				return nil, err
			}
		}
	}
	return held, nil
}

func set(held []bool, s *read.Schedule, name string, to bool, flag string) error {
	found := name == "all"
	for i := range held {
		if name == "all" || s.IDs[i] == name || s.Names[i] == name || s.Groups[i] != "" && s.Groups[i] == words[name] {
			held[i], found = to, true
		}
	}
	if !found {
		return settingErrorf("%s names %q, which is no storage; give an id, a name, inputs, outputs, variables or all", flag, name)
	}
	return nil
}

// capacities are those of the settings, by placement of the schedule.
func capacities(s *read.Schedule, o *Settings) ([]planner.Capacity, error) {
	if len(o.Capacities) == 0 {
		return nil, nil
	}
	var all []planner.Capacity
	var arenas []Arena
	seen := map[ir.Placement]bool{}
	for _, op := range s.Storage {
		n, err := s.Graph.Node(op)
		if err != nil {
			return nil, err
		}
		if seen[n.Placement()] {
			continue
		}
		seen[n.Placement()] = true
		devices := s.Graph.Devices(n.Placement())
		arenas = append(arenas, Arena{Name: DeviceName(devices)})
		if bytes := o.capacity(DeviceName(devices)); bytes > 0 {
			all = append(all, planner.Capacity{Devices: devices, Bytes: bytes})
		}
	}
	return all, o.checkDevices(arenas)
}

// facts are what is true of a schedule's storage whatever the plan.
type facts struct {
	*read.Schedule
	held   []bool
	number map[ir.Op]int
	takers [][]int64 // by storage
}

func factsOf(s *read.Schedule, held []bool) (*facts, error) {
	f := &facts{Schedule: s, held: held, number: make(map[ir.Op]int, len(s.Storage)), takers: make([][]int64, len(s.Storage))}
	for i, op := range s.Storage {
		f.number[op] = i
	}
	for entry := range s.Op.NumSources() {
		taken, err := planner.Taken(s.Op.Source(entry))
		if err != nil {
			return nil, err
		}
		for _, storage := range taken {
			if i, ok := f.number[storage.Op()]; ok {
				f.takers[i] = append(f.takers[i], int64(entry))
			}
		}
	}
	return f, nil
}

func (f *facts) node(i int) ir.Node {
	n, err := f.Graph.Node(f.Storage[i])
	if err != nil {
		panic(err) // the reader made it in this graph
	}
	return n
}

// buffer is what people call a storage.
func (f *facts) buffer(i int) Buffer {
	return Buffer{ID: f.IDs[i], Name: f.Names[i], Takers: f.takers[i]}
}

// why is why a storage is not planned, "" if it is. That it is never taken is no reason to name it.
func (f *facts) why(i int) string {
	n := f.node(i)
	switch {
	case n.Kind() != ir.Buffer:
		return strings.ToLower(n.Kind().String())
	case f.Graph.OnDisk(n.Placement()):
		return "disk"
	case f.held[i] && f.Groups[i] != "":
		return f.Groups[i]
	case f.held[i]:
		return "held"
	}
	return ""
}

func (f *facts) apart() []Apart {
	var list []Apart
	for i := range f.Storage {
		why := f.why(i)
		if why == "" || len(f.takers[i]) == 0 {
			continue
		}
		n := f.node(i)
		list = append(list, Apart{ID: f.IDs[i], Name: f.Names[i], Device: DeviceName(f.Graph.Devices(n.Placement())), Why: why,
			Bytes: n.Nbytes(), Takers: f.takers[i]})
	}
	return list
}

// arenas is a plan of the planner in the form of this package.
func (f *facts) arenas(plan *planner.Plan, o *Settings) *Plan {
	p := &Plan{Name: o.placer().String(), Apart: f.apart(), Entries: f.Entries}
	for i := range plan.Arenas {
		a := &plan.Arenas[i]
		granule := o.Granule
		if granule == 0 {
			granule = planner.DefaultGranule
		}
		p.Arenas = append(p.Arenas, Arena{Name: arenaName(a.Devices, a.Copies), Devices: a.Devices, Size: a.Size, LowerBound: a.LowerBound, ProvenBound: a.ProvenBound,
			Peak: int64(a.PeakEntry), Optimal: a.Size == a.ProvenBound, Proof: a.Proof.String(), Stopped: a.Stopped.String(), Spent: a.Spent,
			Problem: problem.Problem{Granule: granule, Capacity: o.capacity(DeviceName(a.Devices))}})
	}
	for i := range plan.Places {
		at := &plan.Places[i]
		storage := f.number[at.Buffer]
		p.Arenas[at.Arena].add(f.buffer(storage), problem.Buffer{First: int64(at.First), End: int64(at.End), Bytes: at.Need,
			Align: alignBeyond(f.node(storage).Align(), p.Arenas[at.Arena].Problem.Granule)}, at.Offset)
	}
	return p
}

func arenaName(devices []string, copies bool) string {
	if copies {
		return DeviceName(devices) + " copies"
	}
	return DeviceName(devices)
}

// alignBeyond is an alignment, 0 where the granule sees to it.
func alignBeyond(align, granule int64) int64 {
	if align <= granule {
		return 0
	}
	return align
}

func (a *Arena) add(b Buffer, p problem.Buffer, offset int64) {
	a.Buffers = append(a.Buffers, b)
	a.Problem.Buffers = append(a.Problem.Buffers, p)
	a.Offsets = append(a.Offsets, offset)
}

// explain is an error of planning in which buffers go by their ids.
func (f *facts) explain(err error) error {
	var fault *planner.ArenaError
	if !errors.As(err, &fault) {
		return err
	}
	a := Arena{Name: DeviceName(fault.Devices)}
	for _, op := range fault.Buffers {
		a.Buffers = append(a.Buffers, f.buffer(f.number[op]))
	}
	return a.explain(fault.Err)
}

// placeable is, in order of first use, the storage that is planned.
func (f *facts) placeable() []int {
	var list []int
	for i := range f.Storage {
		if f.why(i) == "" && len(f.takers[i]) > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(i, j int) int { return int(f.takers[i][0] - f.takers[j][0]) })
	return list
}
