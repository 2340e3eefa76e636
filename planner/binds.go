package planner

import (
	"iter"
	"slices"

	"libtolk_memory/ir"
)

// MaxUses is the most uses that the entries of a schedule may list, the bodies
// that loops share counted each time: past that a list would not fit in memory.
const MaxUses = 1 << 26

// AllDevices is the Device of a bind to storage on several devices of which no MSELECT picks one.
const AllDevices = -1

// Bind is where the bytes of an argument of the rewritten schedule are.
type Bind struct {
	Call     ir.Op // the CALL, or the BACKEDGE whose flag it is
	Value    ir.Op // the argument itself
	Storage  ir.Op // the arena, or the BUFFER, ALLOC or PARAM
	Offset   int64 // bytes from the storage's first element; see Symbolic
	Bytes    int64 // length of the argument, of one shard of it
	Argument int   // of Call, counted from 0 behind the body; Flag for a back edge's flag
	Shard    int   // which source of an MSTACK; 0 otherwise
	Device   int   // which device of Storage, or AllDevices
	Arena    int   // which arena, or -1
	// Symbolic reports that a start is known only when the schedule runs. Offset counts each such
	// start as 0: add, for each SHRINK on the way from Value to Storage whose start has bounds that differ, start times element
	// size. The way goes through source Shard of an MSTACK, but that an MSELECT picks its own.
	Symbolic bool
}

// CountBinds is how many binds the plan has, at most [MaxUses]. The time is linear in the uses.
func (p *Plan) CountBinds() (int, error) { return CountBinds(p.schedule()) }

// CountBinds is how many binds a plan of a schedule, a LINEAR, has: as many as the schedule has itself.
func CountBinds(schedule ir.Node) (int, error) {
	count := 0
	walk := entryWalk{budget: MaxUses}
	for entry := range schedule.NumSources() {
		fits := walk.each(schedule.Source(entry), func(u use) bool {
			count += shards(u.value)
			return count <= MaxUses
		})
		if !fits {
			return 0, errorf(TooMany, schedule.Op(), "entry %d: written out, the schedule takes more than %d arguments; loops that share bodies count each time", entry, MaxUses)
		}
	}
	return count, nil
}

// Binds is what each argument of the rewritten schedule binds to, with its
// entry: in order of entry, use and shard.
func (p *Plan) Binds() iter.Seq2[int, Bind] {
	return func(yield func(int, Bind) bool) {
		schedule := p.schedule()
		var walk entryWalk
		for entry := range schedule.NumSources() {
			if !walk.each(schedule.Source(entry), func(u use) bool { return p.bindUse(entry, u, yield) }) {
				return
			}
		}
	}
}

// Entries is how many entries the schedule has.
func (p *Plan) Entries() int { return p.schedule().NumSources() }

func (p *Plan) schedule() ir.Node { return p.graph.At(uint32(p.Schedule)) }

// shards is how many binds a value has.
func shards(value ir.Node) int {
	if b, _ := value.Binding(); b.Storage.Kind() == ir.MStack {
		return b.Storage.NumSources()
	}
	return 1
}

func (p *Plan) bindUse(entry int, u use, yield func(int, Bind) bool) bool {
	b, _ := u.value.Binding()
	bind := Bind{Call: u.owner.Op(), Argument: u.argument, Value: u.value.Op(), Bytes: u.value.Nbytes(), Offset: b.Offset, Symbolic: b.Symbolic}
	if b.Storage.Kind() != ir.MStack {
		bind.to(p, b.Storage, u.value)
		return yield(entry, bind)
	}
	for shard := range b.Storage.NumSources() {
		// A source is on one device, so that it binds to storage.
		part, _ := b.Storage.Source(shard).Binding()
		of := bind
		of.Shard = shard
		of.Offset += part.Offset
		of.Symbolic = of.Symbolic || part.Symbolic
		of.to(p, part.Storage, b.Storage.Source(shard))
		if !yield(entry, of) {
			return false
		}
	}
	return true
}

// to fills in the storage under a value.
func (b *Bind) to(p *Plan, storage, value ir.Node) {
	b.Storage, b.Arena, b.Device = storage.Op(), p.arenaOf(storage), deviceOf(storage, value)
}

// deviceOf is which device of storage a value over it is on.
func deviceOf(storage, value ir.Node) int {
	g := storage.Graph()
	devices, on := g.Devices(storage.Placement()), g.Devices(value.Placement())
	switch {
	case len(devices) == 1:
		return 0
	case len(on) > 1:
		return AllDevices
	}
	first := slices.Index(devices, on[0])
	if !slices.Contains(devices[first+1:], on[0]) {
		return first
	}
	return shardOf(value)
}

// shardOf is the index that the MSELECT under a value picks, for placements that name a device twice.
func shardOf(value ir.Node) int {
	for {
		source := value.Source(0)
		if value.Kind() != ir.MSelect {
			value = source
			continue
		}
		b, _ := source.Binding()
		if b.Storage.Kind() != ir.MStack {
			return int(value.Shard())
		}
		value = b.Storage.Source(int(value.Shard()))
	}
}

// arenaOf is which arena storage is, or -1. The arenas were built in a row.
func (p *Plan) arenaOf(storage ir.Node) int {
	if len(p.Arenas) > 0 {
		if a := int64(storage.Op()) - int64(p.Arenas[0].Op); a >= 0 && a < int64(len(p.Arenas)) {
			return int(a)
		}
	}
	return -1
}
