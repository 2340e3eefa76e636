package solve

import (
	"errors"
	"fmt"
	"strings"

	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
)

// Unmet is that a capacity was not met.
type Unmet struct {
	Arena      string   `json:"arena"`
	Capacity   int64    `json:"capacity"`
	Impossible bool     `json:"impossible"` // proven; otherwise more effort may help
	Bound      int64    `json:"bound"`      // no arena is smaller
	Smallest   int64    `json:"smallest,omitempty"`
	Entry      int64    `json:"entry"` // of the greatest load
	Load       int64    `json:"load"`
	Largest    []string `json:"largest"` // the largest buffers there
}

func (u *Unmet) Error() string {
	s := fmt.Sprintf("arena %s: no arena of %d bytes was found within the effort: the smallest has %d, none has less than %d", u.Arena, u.Capacity, u.Smallest, u.Bound)
	if u.Impossible {
		s = fmt.Sprintf("arena %s: nothing fits in %d bytes: no arena has less than %d", u.Arena, u.Capacity, u.Bound)
	}
	return fmt.Sprintf("%s; at entry %d %d bytes are live, the largest %s", s, u.Entry, u.Load, strings.Join(u.Largest, ", "))
}

// SettingError is that a setting does not fit the work.
type SettingError struct{ Message string }

func (e *SettingError) Error() string { return e.Message }

func settingErrorf(format string, args ...any) error {
	return &SettingError{fmt.Sprintf(format, args...)}
}

// explain is an error of placing in which buffers go by their ids.
func (a *Arena) explain(err error) error {
	var fault *placement.Error
	if !errors.As(err, &fault) {
		var wrong *problem.Error
		if !errors.As(err, &wrong) {
			return err
		}
		fault = &placement.Error{Kind: placement.BadArgument, Buffer: wrong.Buffer, Field: wrong.Field, Value: wrong.Value, Want: wrong.Want}
	}
	switch fault.Kind {
	case placement.Infeasible, placement.NotFound:
		u := &Unmet{Arena: a.Name, Capacity: fault.Capacity, Impossible: fault.Kind == placement.Infeasible, Bound: fault.ProvenBound,
			Smallest: fault.Size, Entry: fault.Entry, Load: fault.Load}
		for k, i := range fault.Largest {
			u.Largest = append(u.Largest, fmt.Sprintf("%s of %d", a.Buffers[i].label(), fault.Needs[k]))
		}
		return u
	}
	if fault.Buffer >= 0 {
		return fmt.Errorf("arena %s: buffer %s: %s is %d: %s", a.Name, a.Buffers[fault.Buffer].label(), fault.Field, fault.Value, fault.Want)
	}
	return fmt.Errorf("arena %s: %w", a.Name, err)
}

// label is what messages call a buffer.
func (b *Buffer) label() string {
	if b.Name == "" || b.Name == b.ID {
		return b.ID
	}
	return fmt.Sprintf("%s (%s)", b.ID, b.Name)
}

// Label is what messages call a buffer of the arena.
func (a *Arena) Label(i int) string { return a.Buffers[i].label() }
