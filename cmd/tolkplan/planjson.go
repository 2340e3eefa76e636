package main

import "libtolk_memory/cmd/tolkplan/internal/solve"

// fileText is a planned file as JSON.
type fileText struct {
	File       string      `json:"file"`
	Placer     string      `json:"placer"`
	Buffers    int         `json:"buffers"`
	Before     int64       `json:"before"`
	After      int64       `json:"after"`
	LowerBound int64       `json:"lower_bound"`
	Above      float64     `json:"above"`
	Optimal    bool        `json:"optimal"`
	Seconds    float64     `json:"seconds"`
	Arenas     []arenaText `json:"arenas"`
	NotPlanned []apartText `json:"not_planned"`
	Notes      []string    `json:"notes"`
}

// arenaText is an arena as JSON.
type arenaText struct {
	Arena       string  `json:"arena"`
	Buffers     int     `json:"buffers"`
	Before      int64   `json:"before"`
	Size        int64   `json:"size"`
	LowerBound  int64   `json:"lower_bound"`
	ProvenBound int64   `json:"proven_bound"`
	Above       float64 `json:"above"`
	PeakEntry   int64   `json:"peak_entry"`
	Optimal     bool    `json:"optimal"`
	Proof       string  `json:"proof"`
	Stopped     string  `json:"stopped,omitempty"`
	Steps       int64   `json:"steps"`
}

type apartText struct {
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	Device string `json:"device"`
	Why    string `json:"why"`
	Bytes  int64  `json:"bytes"`
}

func arenaTextOf(a *solve.Arena) arenaText {
	return arenaText{Arena: a.Name, Buffers: len(a.Buffers), Before: a.Before(), Size: a.Size, LowerBound: a.LowerBound, ProvenBound: a.ProvenBound,
		Above: excess(a.Size, a.LowerBound), PeakEntry: a.Peak, Optimal: a.Optimal, Proof: a.Proof, Stopped: a.Stopped, Steps: a.Spent}
}

func apartTexts(p *solve.Plan) []apartText {
	list := []apartText{}
	for i := range p.Apart {
		at := &p.Apart[i]
		list = append(list, apartText{at.ID, at.Name, at.Device, at.Why, at.Bytes})
	}
	return list
}

func (a *app) planJSON(all []planned) error {
	texts := []fileText{}
	for i := range all {
		p := all[i].plan
		text := fileText{File: all[i].work.Name, Placer: p.Name, Buffers: buffers(p), Before: p.Before(), After: p.After(), LowerBound: p.LowerBound(),
			Above: excess(p.After(), p.LowerBound()), Optimal: p.Optimal(), Seconds: all[i].spent.Seconds(), Arenas: []arenaText{},
			NotPlanned: apartTexts(p), Notes: append([]string{}, all[i].work.Notes...)}
		for k := range p.Arenas {
			text.Arenas = append(text.Arenas, arenaTextOf(&p.Arenas[k]))
		}
		texts = append(texts, text)
	}
	return a.writeJSON(map[string]any{"files": texts})
}
