package solve

import (
	"fmt"

	"libtolk_memory/placement/verify"
)

// Fault is one thing that is wrong with a plan, by the ids of its buffers.
type Fault struct {
	Kind    string `json:"kind"`
	Arena   string `json:"arena,omitempty"`
	Buffer  string `json:"buffer,omitempty"`
	Other   string `json:"other,omitempty"`
	Entry   *int64 `json:"entry,omitempty"` // the first entry at which it is there
	From    *int64 `json:"from,omitempty"`  // bytes [from, to)
	To      *int64 `json:"to,omitempty"`
	Message string `json:"message"`
}

// Check is what is wrong with where a plan's buffers lie; none if it is right.
func Check(p *Plan) []Fault {
	var faults []Fault
	for i := range p.Arenas {
		a := &p.Arenas[i]
		for _, f := range verify.Check(&a.Problem, a.Offsets, a.Size) {
			faults = append(faults, a.fault(f))
		}
	}
	return faults
}

func (a *Arena) fault(f verify.Fault) Fault {
	out := Fault{Kind: f.Kind.String(), Arena: a.Name, Message: f.Error()}
	if f.Buffer >= 0 {
		out.Buffer = a.Buffers[f.Buffer].ID
	}
	if f.Kind == verify.Overlap || f.Kind == verify.OutOfArena {
		out.From, out.To = &f.From, &f.To
	}
	label := func(i int) string { return a.Buffers[i].label() }
	switch f.Kind {
	case verify.Overlap:
		out.Other, out.Entry = a.Buffers[f.Other].ID, &f.Entry
		out.Message = fmt.Sprintf("buffers %s and %s both live at entry %d and share the bytes [%d, %d)", label(f.Buffer), label(f.Other), f.Entry, f.From, f.To)
	case verify.OutOfArena:
		out.Message = fmt.Sprintf("buffer %s has the bytes [%d, %d); the arena has %d", label(f.Buffer), f.From, f.To, f.Want)
	case verify.Misaligned:
		out.Message = fmt.Sprintf("buffer %s is at %d, which is no multiple of %d", label(f.Buffer), f.Got, f.Want)
	case verify.Moved:
		out.Message = fmt.Sprintf("buffer %s is at %d; it is fixed at %d", label(f.Buffer), f.Got, f.Want)
	case verify.WrongSize:
		out.Message = fmt.Sprintf("the arena has %d bytes; its buffers reach up to %d", f.Got, f.Want)
	case verify.OverCapacity:
		out.Message = fmt.Sprintf("the arena has %d bytes; its capacity is %d", f.Got, f.Want)
	}
	return out
}

// Limit gives the arenas of a plan the capacities of the settings.
func Limit(p *Plan, s *Settings) error {
	if err := s.checkDevices(p.Arenas); err != nil {
		return err
	}
	for i := range p.Arenas {
		p.Arenas[i].Problem.Capacity = s.capacity(p.Arenas[i].Name)
	}
	return nil
}
