package ir

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// MaxDevices is the greatest number of devices of a placement.
const MaxDevices = 1<<15 - 1

// names keeps each name once. Numbers are given under the graph's lock and read without it.
type names struct {
	table  pages[string]
	number map[string]uint32
}

func (t *names) init() {
	t.table.grow(1)
	t.number = map[string]uint32{"": 0}
}

func (t *names) get(i uint32) string { return *t.table.at(i) }

func (t *names) intern(about Kind, name string) (uint32, *Error) {
	if i, ok := t.number[name]; ok {
		return i, nil
	}
	if err := checkName(about, name); err != nil {
		return 0, err
	}
	i := uint32(len(t.number))
	if uint64(i)>>pageBits == t.table.pageCount() {
		t.table.grow(1)
	}
	name = strings.Clone(name)
	*t.table.at(i) = name
	t.number[name] = i
	return i, nil
}

func checkName(about Kind, name string) *Error {
	if at := strings.IndexByte(name, 0); at >= 0 {
		return errorf(BadArgument, about, "name %q has a NUL at byte %d; names hold none", name, at)
	}
	if !utf8.ValidString(name) {
		return errorf(BadArgument, about, "name %q is not valid UTF-8", name)
	}
	return nil
}

// Placement is the number of the device, or devices, that storage is on, within a graph. 0 is none.
type Placement uint64

type placementRow struct {
	devices []string
	disk    bool
}

// placements keeps each list of devices once, like names.
type placements struct {
	table  pages[placementRow]
	number map[string]uint32
	key    []byte
	count  atomic.Uint32
	last   uint32 // the one found last: most storage is on the device of the storage before
}

func (t *placements) init() {
	t.table.grow(1)
	t.number = map[string]uint32{}
	t.count.Store(1)
}

func (t *placements) get(i uint32) *placementRow { return t.table.at(i) }

func (t *placements) intern(about Kind, devices []string) (uint32, *Error) {
	if t.last != 0 && slices.Equal(t.get(t.last).devices, devices) {
		return t.last, nil
	}
	t.key = t.key[:0]
	for _, d := range devices {
		t.key = binary.AppendUvarint(t.key, uint64(len(d)))
		t.key = append(t.key, d...)
	}
	if i, ok := t.number[string(t.key)]; ok {
		t.last = i
		return i, nil
	}
	if err := checkDevices(about, devices); err != nil {
		return 0, err
	}
	i := t.count.Load()
	if uint64(i)>>pageBits == t.table.pageCount() {
		t.table.grow(1)
	}
	*t.table.at(i) = newPlacement(devices)
	t.number[string(t.key)] = i
	t.count.Store(i + 1)
	return i, nil
}

func checkDevices(about Kind, devices []string) *Error {
	switch {
	case len(devices) == 0:
		return errorf(BadArgument, about, "no device is given; storage is on one device or several")
	case len(devices) > MaxDevices:
		return errorf(TooMany, about, "%d devices; a placement has at most %d", len(devices), MaxDevices)
	}
	for i, d := range devices {
		if d == "" {
			return errorf(BadArgument, about, "the name of device %d is empty", i)
		}
		if err := checkName(about, d); err != nil {
			err.Message = "device " + err.Message
			return err
		}
	}
	return nil
}

func newPlacement(devices []string) placementRow {
	row := placementRow{devices: make([]string, len(devices))}
	for i, d := range devices {
		row.devices[i] = strings.Clone(d)
		driver, _, _ := strings.Cut(d, ":")
		// Of as many bytes, so that no letter beyond ASCII that folds to one of these counts.
		row.disk = row.disk || len(driver) == len("DISK") && strings.EqualFold(driver, "DISK")
	}
	return row
}

// Placement is the placement on the given devices, in order. The same devices give the same placement.
func (g *Graph) Placement(devices ...string) (Placement, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tx.Placement(devices...)
}

// Placement is as [Graph.Placement].
func (tx *Tx) Placement(devices ...string) (Placement, error) {
	i, err := tx.g.places.intern(NoKind, devices)
	if err != nil {
		return 0, err
	}
	return Placement(tx.g.serial)<<32 | Placement(i), nil
}

// Devices is the device names of a placement of the graph, in order; nil for any
// other number. The caller must not write to it.
func (g *Graph) Devices(p Placement) []string {
	if i, ok := g.placementIndex(p); ok {
		return g.places.get(i).devices
	}
	return nil
}

// OnDisk reports whether a placement of the graph has a disk in it.
func (g *Graph) OnDisk(p Placement) bool {
	i, ok := g.placementIndex(p)
	return ok && g.places.get(i).disk
}

func (g *Graph) placementIndex(p Placement) (uint32, bool) {
	i := uint32(p)
	return i, uint32(p>>32) == g.serial && i != 0 && i < g.places.count.Load()
}
