package tests

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
)

// The environment variables that ask the API fuzzer for more; `make fuzz` sets the first.
const (
	fuzzCalls = "FUZZ_CALLS"
	fuzzSeed  = "FUZZ_SEED"
)

// fuzzer is the API fuzzer, built with sanitizers.
func fuzzer(t *testing.T) string {
	t.Helper()
	cc, dir := compiler(t), libraryDir(t)
	needSanitizers(t, cc)
	sources, err := filepath.Glob("fuzz/*.c")
	require.NoError(t, err)
	return compile(t, cc, sources[0], append(append(sources[1:], "-O1"), append(dynamic(dir), sanitize...)...)...)
}

// textsToGarble is a file of real schedules, and of requests for plans, one a line.
func textsToGarble(t *testing.T) string {
	t.Helper()
	type line struct {
		Schedule json.RawMessage `json:"schedule"`
	}
	texts := []string{
		`{"lifetimes":[[0,2,10],[1,3,20],[2,4,30]],"options":{"placer":"first-fit","effort":9}}`,
		`{"lifetimes":[[0,4,100],[1,2,30],[2,9,30],[3,5,70]],"options":{"placer":"best","granule":16,"time_limit_ms":0}}`,
		`{}`, `[`, `"`,
	}
	for i, vector := range fixture.Lines[line](t, fixture.Path(t, "plans.jsonl")) {
		texts = append(texts, string(vector.Schedule))
		if i < 4 {
			texts = append(texts, fmt.Sprintf(`{"schedule":%s,"options":{"placer":"best","copies":"apart","effort":50,"debug":1}}`, vector.Schedule))
		}
	}
	models, err := filepath.Glob("data/models/*.gz")
	require.NoError(t, err)
	for _, model := range models {
		texts = append(texts, oneLine(t, model))
	}
	path := filepath.Join(t.TempDir(), "texts")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(texts, "\n")+"\n"), 0o600))
	return path
}

func oneLine(t *testing.T, path string) string {
	t.Helper()
	var line bytes.Buffer
	require.NoError(t, json.Compact(&line, fixture.Capture[json.RawMessage](t, path)))
	return line.String()
}

// fuzz is the report of a run of the fuzzer. Its failure says how to have it again.
func fuzz(t *testing.T, program, texts string, seed, calls uint64, threads int) string {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(program, fmt.Sprint(seed), fmt.Sprint(calls), fmt.Sprint(threads), trace, texts)
	cmd.Env = append(withoutSettings(os.Environ()), asanOptions)
	out, err := cmd.CombinedOutput()
	if err != nil {
		at, _ := os.ReadFile(trace)
		require.NoError(t, err, "%s\nseed %d of %d calls by %d threads, which were at\n%s", out, seed, calls, threads, strings.ReplaceAll(string(at), "\x00", ""))
	}
	return string(out)
}

func fromEnvironment(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, name)
	return value
}

// TestFuzzAPI calls every function at random, from one thread and from several.
func TestFuzzAPI(t *testing.T) {
	program, texts := fuzzer(t), textsToGarble(t)
	t.Run("every function", func(t *testing.T) { requireEveryFunction(t, program) })
	t.Run("the same again", func(t *testing.T) {
		// With one thread, the same calls have the same results in every process.
		require.Equal(t, fuzz(t, program, texts, 9, 60_000, 1), fuzz(t, program, texts, 9, 60_000, 1))
	})
	t.Run("at random", func(t *testing.T) {
		calls, seed := fromEnvironment(t, fuzzCalls, 300_000), fromEnvironment(t, fuzzSeed, 1)
		began := time.Now()
		// Short runs: one that fails is quickly had again.
		const most = 500_000
		for i := uint64(0); i*most < calls; i++ {
			now := min(most, calls-i*most)
			requireAllStepsWork(t, fuzz(t, program, texts, seed+i, now, []int{4, 1, 2, 8}[i%4]), now)
		}
		t.Logf("%d calls in %v", calls, time.Since(began).Round(time.Second))
	})
}

var stepLine = regexp.MustCompile(`(?m)^(\w+) (\d+) (\d+)$`)

// Steps that have no way to fail, or none to pass.
var (
	neverFails  = []string{"log_set", "unique_num", "what_cannot_fail", "tlsf_free", "plan_drop"}
	neverPasses = []string{"build_nothing"}
)

// requireAllStepsWork keeps the fuzzer from calls that all fail, which would show little.
func requireAllStepsWork(t *testing.T, report string, calls uint64) {
	t.Helper()
	if calls < 100_000 {
		return
	}
	steps := stepLine.FindAllStringSubmatch(report, -1)
	require.Greater(t, len(steps), 60, report)
	for _, s := range steps {
		require.Equal(t, slices.Contains(neverPasses, s[1]), s[2] == "0", "%s passed %s times", s[1], s[2])
		require.Equal(t, slices.Contains(neverFails, s[1]), s[3] == "0", "%s failed %s times", s[1], s[3])
	}
}

// requireEveryFunction finds functions that the fuzzer does not call.
func requireEveryFunction(t *testing.T, path string) {
	t.Helper()
	program, err := elf.Open(path)
	require.NoError(t, err)
	defer program.Close()
	imported, err := program.ImportedSymbols()
	require.NoError(t, err)
	var ours []string
	for _, s := range imported {
		if strings.HasPrefix(s.Name, "tolk_") {
			ours = append(ours, s.Name)
		}
	}
	slices.Sort(ours)
	require.Equal(t, functions(t), ours)
}
