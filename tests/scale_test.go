package tests

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// scaleAll is the environment variable that asks for the tests that take minutes; `make scale` sets it.
const scaleAll = "SCALE"

// TestScale runs the program of large schedules, a process for each test, since they look at the memory of it.
func TestScale(t *testing.T) {
	program := compile(t, compiler(t), "c/scale.c", append(dynamic(libraryDir(t)), "-O2")...)
	for _, c := range []struct {
		name string
		long bool
	}{{"six_hundred_gigabytes", false}, {"memory_comes_back", false}, {"a_million_ops", false}, {"ten_million_ops", true}} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && os.Getenv(scaleAll) == "" {
				t.Skipf("skipped: takes a minute; make scale runs it")
			}
			cmd := exec.Command(program, c.name)
			cmd.Env = withoutSettings(os.Environ())
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Regexp(t, summary, string(out))
			t.Log(string(out))
		})
	}
}
