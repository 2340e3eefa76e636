package interpret

import (
	"hash/fnv"

	"libtolk_memory/ir"
)

// spans is the bytes of a value, on each device of its placement.
func (m *machine) spans(v ir.Node) [][]byte {
	switch v.Kind() {
	case ir.MStack:
		var spans [][]byte
		for i := range v.NumSources() {
			spans = append(spans, m.spans(v.Source(i))...)
		}
		return spans
	case ir.MSelect:
		return m.spans(v.Source(0))[v.Shard():][:1]
	case ir.Shrink:
		from := m.scalar(v.Source(1)) * v.Dtype().Size()
		spans := make([][]byte, 0, 1)
		for _, span := range m.spans(v.Source(0)) {
			spans = append(spans, span[from:from+v.Nbytes()])
		}
		return spans
	case ir.Bitcast, ir.After:
		return m.spans(v.Source(0))
	}
	return m.bytes(v)
}

// bytes is the memory of a storage, on each of its devices.
func (m *machine) bytes(storage ir.Node) [][]byte {
	if memory, ok := m.Memory[storage.Op()]; ok {
		return memory
	}
	memory := make([][]byte, len(storage.Graph().Devices(storage.Placement())))
	for device := range memory {
		memory[device] = make([]byte, storage.Nbytes())
		start(storage, device, memory[device])
	}
	m.Memory[storage.Op()] = memory
	return memory
}

// start gives a storage the bytes that it starts with on a device.
func start(storage ir.Node, device int, bytes []byte) {
	fill(bytes, uint64(storage.Op())<<8+uint64(device))
}

// fill writes bytes that all depend on the seed, by splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
func fill(bytes []byte, seed uint64) {
	for i := range bytes {
		seed += 0x9e3779b97f4a7c15
		z := (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		bytes[i] = byte(z ^ z>>31)
	}
}

func (m *machine) scalar(n ir.Node) int64 {
	switch n.Kind() {
	case ir.Range:
		return m.ranges[n.Op()]
	case ir.Add:
		return m.scalar(n.Source(0)) + m.scalar(n.Source(1))
	case ir.Mul:
		return m.scalar(n.Source(0)) * m.scalar(n.Source(1))
	}
	least, greatest := n.Bounds()
	digest := fnv.New64a()
	digest.Write([]byte(n.Name()))
	return least + int64(digest.Sum64()%uint64(greatest-least+1))
}

// lifetime is the entries that take a storage first and last.
type lifetime struct{ first, last int }

func lifetimesOf(schedule ir.Node) map[ir.Op]lifetime {
	uses := map[ir.Op]lifetime{}
	for entry := range schedule.NumSources() {
		touch(schedule.Source(entry), func(storage ir.Op) {
			l, ok := uses[storage]
			if !ok {
				l.first = entry
			}
			l.last = entry
			uses[storage] = l
		})
	}
	return uses
}

// touch calls f for each storage that an entry, or a value, takes.
func touch(n ir.Node, f func(ir.Op)) {
	from, to := 0, n.NumSources()
	switch kind := n.Kind(); {
	case kind.IsStorage():
		f(n.Op())
		return
	case kind.IsScalar():
		return
	case kind == ir.Call:
		from = 1
	case kind.IsValue() && kind != ir.MStack:
		to = 1
	}
	for i := from; i < to; i++ {
		touch(n.Source(i), f)
	}
}
