package read

import (
	flatbuffers "github.com/google/flatbuffers/go"
)

// maxListed is how many items the lists of a flatbuffer may have together, each counted as often as it is read: lists may share bytes, so
// that a small file can list without end.
const maxListed = 1 << 25

// flat is a flatbuffer whose every offset is checked before it is followed.
type flat struct {
	file   string
	data   []byte
	listed int
}

// table is a table of a flatbuffer, and where the offsets of its fields are.
type table struct {
	*flat
	at, vtable int
	fields     int // how many the vtable has
	size       int // bytes
}

func (f *flat) fail(at int, format string, args ...any) error {
	return failureAt(f.file, int64(at), format, args...)
}

// holds is nil if the bytes [at, at+size) are there.
func (f *flat) holds(at, size int, what string) error {
	if at < 0 || size < 0 || at > len(f.data)-size {
		return f.fail(max(at, 0), "%s: that leaves the file, which has %d bytes", what, len(f.data))
	}
	return nil
}

// follow is where the offset that stands at a place leads.
func (f *flat) follow(at int, what string) (int, error) {
	if err := f.holds(at, flatbuffers.SizeUOffsetT, what); err != nil {
		return 0, err
	}
	to := at + int(flatbuffers.GetUOffsetT(f.data[at:]))
	return to, f.holds(to, 4, what)
}

// table is the table that the offset at a place leads to.
func (f *flat) table(at int, what string) (table, error) {
	to, err := f.follow(at, what)
	if err != nil {
		return table{}, err
	}
	t := table{flat: f, at: to}
	t.vtable = to - int(flatbuffers.GetSOffsetT(f.data[to:]))
	if err := f.holds(t.vtable, 4, what); err != nil {
		return table{}, err
	}
	size := int(flatbuffers.GetVOffsetT(f.data[t.vtable:]))
	t.size = int(flatbuffers.GetVOffsetT(f.data[t.vtable+2:]))
	if size < 4 || size%2 != 0 || t.size < 4 {
		return table{}, f.fail(t.vtable, "%s has a vtable of %d bytes for a table of %d", what, size, t.size)
	}
	t.fields = (size - 4) / 2
	if err := f.holds(t.vtable, size, what); err != nil {
		return table{}, err
	}
	return t, f.holds(to, t.size, what)
}

// field is where a field of some bytes is; 0 where the table has none.
func (t table) field(i, size int, what string) (int, error) {
	if i >= t.fields {
		return 0, nil
	}
	offset := int(flatbuffers.GetVOffsetT(t.data[t.vtable+4+2*i:]))
	if offset == 0 {
		return 0, nil
	}
	if offset < 4 || offset > t.size-size {
		return 0, t.fail(t.vtable+4+2*i, "%s lies outside of its table", what)
	}
	return t.at + offset, nil
}

// integer is a number of some bytes, a default where there is none.
func (t table) integer(i, size int, standard int64, what string) (int64, error) {
	at, err := t.field(i, size, what)
	if at == 0 || err != nil {
		return standard, err
	}
	switch size {
	case 1:
		return int64(int8(t.data[at])), nil
	case 4:
		return int64(flatbuffers.GetInt32(t.data[at:])), nil
	}
	return flatbuffers.GetInt64(t.data[at:]), nil
}

// list is where the items of a vector begin, and how many there are.
func (t table) list(i, itemSize int, what string) (at, n int, err error) {
	at, err = t.field(i, flatbuffers.SizeUOffsetT, what)
	if at == 0 || err != nil {
		return 0, 0, err
	}
	if at, err = t.follow(at, what); err != nil {
		return 0, 0, err
	}
	n = int(flatbuffers.GetUOffsetT(t.data[at:]))
	if n > len(t.data)/itemSize {
		return 0, 0, t.fail(at, "%s: it has %d items, more than the file holds", what, n)
	}
	if itemSize > 1 {
		if t.listed += n; t.listed > maxListed {
			return 0, 0, t.fail(at, "the lists of the file have more than %d items together", maxListed)
		}
	}
	return at + 4, n, t.holds(at+4, n*itemSize, what)
}

func (t table) text(i int, what string) (string, error) {
	at, n, err := t.list(i, 1, what)
	if err != nil || n == 0 {
		return "", err
	}
	const longest = 1 << 12 // a longer name helps nobody
	return string(t.data[at : at+min(n, longest)]), nil
}

func (t table) integers(i int, what string) ([]int32, error) {
	at, n, err := t.list(i, 4, what)
	if err != nil {
		return nil, err
	}
	list := make([]int32, n)
	for k := range list {
		list[k] = flatbuffers.GetInt32(t.data[at+4*k:])
	}
	return list, nil
}

func (t table) tables(i int, what string) ([]table, error) {
	at, n, err := t.list(i, flatbuffers.SizeUOffsetT, what)
	if err != nil {
		return nil, err
	}
	list := make([]table, n)
	for k := range list {
		if list[k], err = t.table(at+4*k, what); err != nil {
			return nil, err
		}
	}
	return list, nil
}
