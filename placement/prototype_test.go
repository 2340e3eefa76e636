package placement_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
	"libtolk_memory/placement/problem"
)

// prototype is the program of ../shared/prototype, which benchmarks are run beside. It knows needs and lifetimes only.
type prototype struct{ program string }

// prototypeSeconds is how long it looks for a plan that meets the load.
const prototypeSeconds = "10"

// newPrototype builds it. It is nil, and the benchmark says so, where the prototype is absent or does not build.
func newPrototype(b *testing.B) *prototype {
	folder := fixture.SharedPath(b, "prototype")
	program := filepath.Join(b.TempDir(), "prototype")
	if out, err := exec.Command("go", "build", "-C", folder, "-o", program, ".").CombinedOutput(); err != nil {
		b.Logf("left out: the prototype of %s: %v: %s", folder, err, bytes.TrimSpace(out))
		return nil
	}
	return &prototype{program}
}

// report tells, beside what was measured of ours, the milliseconds to the prototype's best plans, how many times ours that is, and the
// sum of its arenas over that of the loads. It tells nothing where there are alignments or fixed buffers.
func (p *prototype) report(b *testing.B, problems ...*problem.Problem) {
	if p == nil {
		return
	}
	folder := b.TempDir()
	arguments := []string{"plan2", prototypeSeconds}
	size, bound, seconds := int64(0), int64(0), 0.0
	for at, q := range problems {
		if slices.ContainsFunc(q.Buffers, func(x problem.Buffer) bool { return x.Fixed || x.Align > q.GranuleBytes() }) {
			return
		}
		a, err := problem.Analyze(q)
		require.NoError(b, err)
		bound += a.LowerBound
		file := filepath.Join(folder, fmt.Sprintf("%d.csv", at))
		writeInstance(b, file, a)
		arguments = append(arguments, file)
	}
	command := exec.Command(p.program, arguments...)
	command.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := command.Output()
	require.NoError(b, err)
	for line := range strings.Lines(string(out)) {
		best, took := field(b, line, " best="), field(b, line, " t=")
		size, seconds = size+int64(best), seconds+took
	}
	b.ReportMetric(1000*seconds, "prototype-ms")
	b.ReportMetric(seconds/(b.Elapsed().Seconds()/float64(b.N)), "prototype/ours")
	b.ReportMetric(float64(size)/float64(bound), "prototype-arena/bound")
}

// writeInstance writes the needs and lifetimes of a problem as instance reads them.
func writeInstance(b *testing.B, path string, a *problem.Analysis) {
	file, err := os.Create(path)
	require.NoError(b, err)
	defer file.Close()
	records := csv.NewWriter(file)
	require.NoError(b, records.Write([]string{"id", "lower", "upper", "size"}))
	for _, i := range a.ByFirst {
		x := &a.Problem.Buffers[i]
		var record []string
		for _, number := range []int64{int64(i), x.First, x.End, a.Needs[i]} {
			record = append(record, strconv.FormatInt(number, 10))
		}
		require.NoError(b, records.Write(record))
	}
	records.Flush()
	require.NoError(b, records.Error())
}

// field is the number behind a name in what the prototype prints.
func field(b *testing.B, line, name string) float64 {
	_, rest, ok := strings.Cut(line, name)
	require.True(b, ok, "the prototype printed %q, without %q", line, name)
	text, _, _ := strings.Cut(rest, " ")
	number, err := strconv.ParseFloat(text, 64)
	require.NoError(b, err)
	return number
}
