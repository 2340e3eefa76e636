package planner_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/planner"
)

// twoBuffers is the plan of a schedule in which two buffers share their bytes.
func twoBuffers(t testing.TB, o planner.Options) *planner.Plan {
	s := newSchedule(t)
	p, err := planner.MemoryPlanRewrite(context.Background(), s.linear(s.call(s.buffer(1<<20)), s.call(s.buffer(1<<19))), o)
	require.NoError(t, err)
	return p
}

// set sets a setting for the time of a test.
func set(t *testing.T, s planner.Setting, value int64) {
	before := s.Get()
	s.Set(value)
	t.Cleanup(func() { s.Set(before) })
}

func TestPlanningCanBeSwitchedOff(t *testing.T) {
	on, off := int64(0), int64(1)
	require.NotEmpty(t, twoBuffers(t, planner.Options{}).Places)
	require.Empty(t, twoBuffers(t, planner.Options{NoMemoryPlanner: &off}).Places)
	set(t, planner.NoMemoryPlanner, 1)
	require.Empty(t, twoBuffers(t, planner.Options{}).Places)
	require.NotEmpty(t, twoBuffers(t, planner.Options{NoMemoryPlanner: &on}).Places)
}

// 1048576 + 524288 bytes before, 1048576 after.
const saved = "memory reduced from 1.57 MB -> 1.05 MB, 2 -> 1 bufs"

func TestDebugTellsWhatIsSaved(t *testing.T) {
	level := int64(1)
	var lines []string
	o := planner.Options{Debug: &level, Print: func(line string) { lines = append(lines, line) }}
	twoBuffers(t, o)
	require.Equal(t, []string{saved}, lines)

	set(t, planner.Debug, 2)
	o.Debug = nil
	twoBuffers(t, o)
	require.Len(t, lines, 2)

	level = 0
	o.Debug = &level
	twoBuffers(t, o)
	require.Len(t, lines, 2)
}

func TestNothingSavedIsNotTold(t *testing.T) {
	level := int64(1)
	s := newSchedule(t)
	_, err := planner.MemoryPlanRewrite(context.Background(), s.linear(s.call(s.buffer(1))), planner.Options{
		Debug: &level, Print: func(line string) { t.Error(line) },
	})
	require.NoError(t, err)
}

func TestStandardOutputTellsWhatIsSaved(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	stdout := os.Stdout
	os.Stdout = write
	level := int64(1)
	twoBuffers(t, planner.Options{Debug: &level})
	os.Stdout = stdout
	require.NoError(t, write.Close())
	line, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Equal(t, saved+"\n", string(line))
}

func TestSettingsHaveNames(t *testing.T) {
	require.Equal(t, "NO_MEMORY_PLANNER", planner.NoMemoryPlanner.String())
	require.Equal(t, "DEBUG", planner.Debug.String())
	require.False(t, planner.Setting(0).Valid())
	require.False(t, planner.Setting(3).Valid())
	require.Equal(t, "setting 3", planner.Setting(3).String())
}

// The environment is read once a process, so each case is one of its own: this test binary, told to print the settings.
func TestSettingsStartFromTheEnvironment(t *testing.T) {
	const child = "PRINT_SETTINGS"
	if os.Getenv(child) != "" {
		fmt.Println(planner.NoMemoryPlanner.Get(), planner.Debug.Get())
		os.Setenv("DEBUG", "7")
		fmt.Println(planner.NoMemoryPlanner.Get(), planner.Debug.Get())
		return
	}
	for _, c := range []struct{ off, debug, want string }{
		{"", "", "0 0"},
		{"1", "2", "1 2"},
		{"yes", "1.5", "0 0"},
		{"-1", "99999999999999999999", "-1 0"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSettingsStartFromTheEnvironment$")
		cmd.Env = append(os.Environ(), child+"=1", "NO_MEMORY_PLANNER="+c.off, "DEBUG="+c.debug)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for range 2 {
			require.True(t, lines.Scan())
			require.Equal(t, c.want, lines.Text())
		}
		_, err = io.Copy(io.Discard, out)
		require.NoError(t, err)
		require.NoError(t, cmd.Wait())
	}
}
