package main

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/internal/generate"
	"libtolk_memory/ir"
	"libtolk_memory/placement/problem"
	"libtolk_memory/text"
)

// kinds are what lifetimes can be generated, by name.
var kinds = map[string]func(n int, seed uint64) *problem.Problem{
	"training": generate.Training, "random": generate.Random, "chain": generate.Chain, "spread": generate.Spread, "mixed": generate.Mixed,
	"tight": func(n int, seed uint64) *problem.Problem {
		p, _ := generate.Tight(n, seed)
		return p
	},
}

// generation is what to generate.
type generation struct {
	count  int
	seed   uint64
	depth  int
	output string
	as     string
}

// maxGenerated is the most buffers that are generated.
const maxGenerated = 10_000_000

func (a *app) genCommand() *cobra.Command {
	g := generation{count: 1000, seed: 1, depth: 2}
	c := &cobra.Command{
		Use:   "gen KIND",
		Short: "Generate lifetimes or a schedule to plan, the same for the same arguments everywhere",
		Long: `Gen generates what tests and benchmarks plan.

Lifetimes: training (a training step: what a layer keeps until its gradient, and short temporaries), random, chain (layers that take what the two before gave), spread (few long and large ones decide), mixed
(alignments and fixed offsets), tight (a packing without a gap). They are written as CSV, as JSON (with --json), or as a schedule that takes them so.

Schedules: any (whatever a schedule may hold: loops, views, several devices, disks, held buffers).`,
		Example: `  tolkplan gen training -n 10000 -o training.csv
  tolkplan gen any --seed 7 | tolkplan plan -`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || kinds[args[0]] == nil && args[0] != "any" {
				return usage("%s takes one of: training, random, chain, spread, mixed, tight, any", c.CommandPath())
			}
			return nil
		},
		ValidArgs: []string{"training", "random", "chain", "spread", "mixed", "tight", "any"},
		RunE:      func(_ *cobra.Command, args []string) error { return a.gen(&g, args[0]) },
	}
	f := c.Flags()
	f.IntVarP(&g.count, "count", "n", g.count, "how many buffers; of any, entries")
	f.Uint64Var(&g.seed, "seed", g.seed, "what the choices follow from")
	f.IntVar(&g.depth, "depth", g.depth, "of any: how deep loops stand in loops")
	f.StringVar(&g.as, "as", "", "csv, json or schedule: `FORM` of lifetimes (csv; json with --json)")
	f.StringVarP(&g.output, "output", "o", read.Stdin, "`FILE` to write to; - for standard output")
	complete(c, "as", "csv", "json", "schedule")
	return c
}

func (a *app) gen(g *generation, kind string) error {
	if g.count < 1 || g.count > maxGenerated || g.depth < 0 || g.depth > 100 {
		return usage("--count must be from 1 to %d and --depth from 0 to 100", maxGenerated)
	}
	if kind == "any" {
		return a.genAny(g)
	}
	as := g.as
	if as == "" {
		as = map[bool]string{false: "csv", true: "json"}[a.json]
	}
	if kind == "mixed" && (as == "json" || as == "schedule") {
		return usage("mixed has alignments and fixed offsets, which only csv holds; --as is %q", as)
	}
	p := kinds[kind](g.count, g.seed)
	switch as {
	case "csv":
		return a.toFile(g.output, func(w io.Writer) error { return read.WriteCSV(w, lifetimesOf(p)) })
	case "json":
		return a.toFile(g.output, func(w io.Writer) error { return writeRequest(w, p) })
	case "schedule":
		graph := ir.NewGraph()
		return a.writeSchedule(g.output, graph, generate.ScheduleOf(graph, p), kind, nil)
	}
	return usage("--as is %q; it must be csv, json or schedule", as)
}

// writeRequest writes lifetimes as docs/formats.md has them.
func writeRequest(w io.Writer, p *problem.Problem) error {
	list := make([][3]int64, len(p.Buffers))
	for i, b := range p.Buffers {
		list[i] = [3]int64{b.First, b.End, b.Bytes}
	}
	return json.NewEncoder(w).Encode(map[string]any{"lifetimes": list})
}

func lifetimesOf(p *problem.Problem) []read.Lifetime {
	list := make([]read.Lifetime, len(p.Buffers))
	for i, b := range p.Buffers {
		list[i] = read.Lifetime{Buffer: b, ID: strconv.Itoa(i)}
	}
	return list
}

func (a *app) genAny(g *generation) error {
	graph := ir.NewGraph()
	choices := rand.New(rand.NewPCG(g.seed, 0x746f6c6b))
	s := generate.Any(graph, choices, generate.Shape{Storage: max(1, g.count/2), Entries: g.count, Depth: g.depth, Count: 1 << 16})
	return a.writeSchedule(g.output, graph, s.Op, "any", s.Held)
}

func (a *app) writeSchedule(path string, g *ir.Graph, op ir.Op, name string, held []ir.Op) error {
	schedule, err := g.Node(op)
	if err != nil {
		return err
	}
	return a.toFile(path, func(w io.Writer) error {
		line, err := text.WriteSchedule(schedule, name, held)
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	})
}
