package planner

import "libtolk_memory/ir"

// MaxUses is the most uses that the entries of a schedule may list, the bodies
// that loops share counted each time: past that a plan would not fit in memory.
const MaxUses = 1 << 26

// Bind is where the bytes of an argument of the rewritten schedule are.
type Bind struct {
	Call     ir.Op // the CALL, or the BACKEDGE whose flag it is
	Argument int   // of Call, counted from 0 behind the body; Flag for a back edge's flag
	Shard    int   // which source of an MSTACK; 0 otherwise
	Value    ir.Op // the argument itself
	Arena    int   // which arena, or -1
	Storage  ir.Op // the arena, or the BUFFER, ALLOC or PARAM
	Offset   int64 // bytes from the storage's first element; see Symbolic
	Bytes    int64 // length of the argument, of one shard of it
	// Symbolic reports that a start is known only when the schedule runs. Offset counts each such
	// start as 0: add, for each SHRINK on the way from Value to Storage whose start is symbolic, start times element size.
	Symbolic bool
}

// bind lists what the uses of the plan's schedule bind to.
func (p *Plan) bind(g *ir.Graph) error {
	schedule, err := g.Node(p.Schedule)
	if err != nil {
		return err
	}
	count, err := countBinds(schedule)
	if err != nil {
		return err
	}
	p.Binds = make([]Bind, 0, count)
	p.EntryBinds = make([]int, 0, schedule.NumSources()+1)
	var walk entryWalk
	for entry := range schedule.NumSources() {
		p.EntryBinds = append(p.EntryBinds, len(p.Binds))
		walk.each(schedule.Source(entry), func(u use) bool {
			p.bindUse(u)
			return true
		})
	}
	p.EntryBinds = append(p.EntryBinds, len(p.Binds))
	return nil
}

// countBinds is how many binds a schedule has, found without writing them down.
func countBinds(schedule ir.Node) (int, error) {
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

// shards is how many binds a value has.
func shards(value ir.Node) int {
	if b, _ := value.Binding(); b.Storage.Kind() == ir.MStack {
		return b.Storage.NumSources()
	}
	return 1
}

func (p *Plan) bindUse(u use) {
	b, _ := u.value.Binding()
	bind := Bind{Call: u.owner.Op(), Argument: u.argument, Value: u.value.Op(), Bytes: u.value.Nbytes(), Offset: b.Offset, Symbolic: b.Symbolic}
	if b.Storage.Kind() != ir.MStack {
		p.addBind(bind, b.Storage)
		return
	}
	for shard := range b.Storage.NumSources() {
		// A source is on one device, so that it binds to storage.
		part, _ := b.Storage.Source(shard).Binding()
		of := bind
		of.Shard = shard
		of.Offset += part.Offset
		of.Symbolic = of.Symbolic || part.Symbolic
		p.addBind(of, part.Storage)
	}
}

func (p *Plan) addBind(b Bind, storage ir.Node) {
	b.Storage, b.Arena = storage.Op(), -1
	// The arenas were built in a row.
	if len(p.Arenas) > 0 {
		if a := int64(b.Storage) - int64(p.Arenas[0].Op); a >= 0 && a < int64(len(p.Arenas)) {
			b.Arena = int(a)
		}
	}
	p.Binds = append(p.Binds, b)
}
