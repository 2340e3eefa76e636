package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"libtolk_memory/cmd/tolkplan/internal/read"
	"libtolk_memory/cmd/tolkplan/internal/solve"
	"libtolk_memory/placement"
	"libtolk_memory/placement/problem"
	"libtolk_memory/planner"
)

// reading are the flags of all commands that read files.
type reading struct {
	inclusive bool
	dims      []string
}

func (r *reading) add(f *pflag.FlagSet) {
	f.BoolVar(&r.inclusive, "inclusive", false, "the upper entry of CSV lifetimes is the last that a buffer lives in, whatever its column is called")
	f.StringSliceVar(&r.dims, "dim", nil, "`NAME=N`: the size of a model's dynamic dimension, or the value of an input that is one integer")
}

func (r *reading) settings() (read.Settings, error) {
	s := read.Settings{Inclusive: r.inclusive, Dims: map[string]int64{}}
	for _, d := range r.dims {
		at := strings.LastIndexByte(d, '=')
		n, err := strconv.ParseInt(d[at+1:], 10, 64)
		if at < 1 || err != nil || n < 0 {
			return s, usage("--dim is %q; it must be NAME=N with N at least 0, such as batch=1", d)
		}
		s.Dims[d[:at]] = n
	}
	return s, nil
}

// files is what the given files hold. It warns of dimensions that no model has.
func (a *app) files(r *reading, paths []string) ([]*read.Work, error) {
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	var works []*read.Work
	used := map[string]bool{}
	for _, path := range paths {
		more, err := read.File(path, s)
		if err != nil {
			return nil, err
		}
		for _, w := range more {
			for _, name := range w.Dims {
				used[name] = true
			}
		}
		works = append(works, more...)
	}
	for _, d := range r.dims {
		if name := d[:strings.LastIndexByte(d, '=')]; !used[name] {
			say(a.err, "tolkplan: no model has a dynamic dimension \"%s\"\n", name)
		}
	}
	return works, nil
}

// planning are the flags of all commands that plan.
type planning struct {
	reading
	placer, copies string
	effort         int64
	timeLimit      time.Duration
	capacities     []string
	granule        string
	hold, release  []string
	anew           bool
}

func (p *planning) add(c *cobra.Command) {
	f := c.Flags()
	p.reading.add(f)
	f.StringVar(&p.placer, "placer", "", "`NAME` of the placer: tlsf (the default), best, first-fit, best-fit")
	p.addBounds(c)
}

// addBounds adds the flags that do not choose a placer.
func (p *planning) addBounds(c *cobra.Command) {
	f := c.Flags()
	f.Int64Var(&p.effort, "effort", 0, "`STEPS` of about a microsecond after which best stops (what real models need)")
	f.DurationVar(&p.timeLimit, "time-limit", 0, "`DURATION` after which the best plan so far is taken, such as 10s; the plan then depends on the machine")
	f.StringSliceVar(&p.capacities, "capacity", nil, "`[DEVICE=]BYTES` that an arena may have at most, such as CUDA:0=8GiB; of every arena without a device")
	f.StringVar(&p.granule, "granule", "", "`BYTES` that sizes are rounded up to, a power of two (256; 1 for lifetimes)")
	f.StringVar(&p.copies, "copies", "", "shared or apart: `WHERE` buffers of copies are placed")
	f.StringSliceVar(&p.hold, "hold", nil, "`STORAGE` to hold: an id, a name, inputs, outputs, variables or all")
	f.StringSliceVar(&p.release, "release", nil, "`STORAGE` not to hold but to plan")
	f.BoolVar(&p.anew, "anew", false, "place buffers anew that a CSV gives an offset; without it they stay there")
	complete(c, "placer", "tlsf", "best", "first-fit", "best-fit")
	complete(c, "copies", "shared", "apart")
}

// complete lets a shell complete a flag's values, if the command has the flag.
func complete(c *cobra.Command, flag string, values ...string) {
	if c.Flags().Lookup(flag) == nil {
		return
	}
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was registered twice
	}
}

func (p *planning) settings() (solve.Settings, error) {
	s := solve.Settings{Effort: p.effort, TimeLimit: p.timeLimit, Hold: p.hold, Release: p.release, Anew: p.anew}
	if p.effort < 0 || p.timeLimit < 0 {
		return s, usage("--effort and --time-limit must not be negative")
	}
	if p.placer != "" {
		placer, err := parsePlacer(p.placer)
		if err != nil {
			return s, err
		}
		s.Placer = &placer
	}
	switch p.copies {
	case "shared", "apart":
		copies := planner.CopiesShared
		if p.copies == "apart" {
			copies = planner.CopiesApart
		}
		s.Copies = &copies
	case "":
	default:
		return s, usage("--copies is %q; it must be shared or apart", p.copies)
	}
	return s, p.sizes(&s)
}

func parsePlacer(name string) (placement.Placer, error) {
	placer, err := placement.ParsePlacer(name)
	if err != nil {
		return 0, usage("%v", err)
	}
	return placer, nil
}

func (p *planning) sizes(s *solve.Settings) error {
	if p.granule != "" {
		granule, err := parseBytes(p.granule)
		if err != nil || granule < 1 || granule > problem.MaxAlign || granule&(granule-1) != 0 {
			return usage("--granule is %q; it must be a power of two of bytes up to 1GiB", p.granule)
		}
		s.Granule = granule
	}
	for _, text := range p.capacities {
		at := strings.LastIndexByte(text, '=')
		bytes, err := parseBytes(text[at+1:])
		if err != nil || bytes < 1 {
			return usage("--capacity is %q; it must be [DEVICE=]BYTES, such as CUDA:0=8GiB or 512kB", text)
		}
		s.Capacities = append(s.Capacities, solve.Capacity{Device: text[:max(at, 0)], Bytes: bytes})
	}
	return nil
}

var units = map[string]int64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}

// parseBytes reads a size such as 8GiB, 1.5MB or 4096.
func parseBytes(text string) (int64, error) {
	end := strings.LastIndexAny(text, "0123456789") + 1
	unit, ok := units[strings.ToLower(strings.TrimSpace(text[end:]))]
	number, isNumber := new(big.Rat).SetString(text[:end])
	if !ok || !isNumber || len(text) > 40 || strings.ContainsAny(text[:end], "/eExXpP_") {
		return 0, fmt.Errorf("%q is no size", text)
	}
	number.Mul(number, new(big.Rat).SetInt64(unit))
	if !number.IsInt() || number.Cmp(new(big.Rat).SetInt64(math.MaxInt64)) > 0 || number.Sign() < 0 {
		return 0, fmt.Errorf("%q is no whole number of bytes", text)
	}
	return number.Num().Int64(), nil
}
