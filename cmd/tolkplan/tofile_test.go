package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOutputIsWholeOrAsItWas: where there is room for half a file, the old one stays and nothing lies beside it, whichever command writes.
func TestOutputIsWholeOrAsItWas(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: there is no sh, whose ulimit bounds the size of files")
	}
	binary := binary(t)
	t.Chdir(t.TempDir())
	written(t, "in.csv", "gen", "training", "-n", "5000")
	for _, line := range []string{"plan in.csv -o out.csv", "map in.csv -o out.html", "gen random -n 5000 -o out.csv", "demo in.csv -o out.svg", "plan in.csv -o new.csv"} {
		t.Run(line, func(t *testing.T) {
			require.NoError(t, os.WriteFile("out.csv", []byte("old\n"), 0o600))
			before := names(t)
			c := exec.Command(shell, "-c", `ulimit -f 16; exec "$0" "$@"`, binary)
			c.Args = append(c.Args, strings.Fields(line)...)
			out, err := c.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			require.Equal(t, exitOutput, exit.ExitCode(), "%s", out)
			require.Contains(t, string(out), "file too large")
			require.NotContains(t, string(out), ".tolkplan-")
			data, err := os.ReadFile("out.csv")
			require.NoError(t, err)
			require.Equal(t, "old\n", string(data))
			require.Equal(t, before, names(t))
		})
	}
}

// names are those of all files here.
func names(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestOutputKeepsWhatItReplaces: links lead where they did, and permissions stay.
func TestOutputKeepsWhatItReplaces(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("there", 0o755))
	require.NoError(t, os.WriteFile("there/kept.csv", []byte("a longer text than the new one\n"), 0o600))
	require.NoError(t, os.Chmod("there/kept.csv", 0o640))
	require.NoError(t, os.Symlink("there/kept.csv", "link.csv"))
	require.NoError(t, os.Symlink("there/new.csv", "dangling.csv"))
	for link, target := range map[string]string{"link.csv": "there/kept.csv", "dangling.csv": "there/new.csv"} {
		require.NoError(t, writeFile(link, []byte("text")))
		data, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, "text", string(data))
		to, err := os.Readlink(link)
		require.NoError(t, err)
		require.Equal(t, target, to)
	}
	info, err := os.Stat("there/kept.csv")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode())
	require.Equal(t, []string{"dangling.csv", "link.csv", "there"}, names(t))
}

// TestOutputHasUsualPermissions: a new file is as open as any other that a program makes.
func TestOutputHasUsualPermissions(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, writeFile("ours.csv", nil))
	require.NoError(t, os.WriteFile("usual.csv", nil, 0o666))
	ours, err := os.Stat("ours.csv")
	require.NoError(t, err)
	usual, err := os.Stat("usual.csv")
	require.NoError(t, err)
	require.Equal(t, usual.Mode(), ours.Mode())
}

// TestOutputToOpenFiles: a pipe, and a standard output that is a file, get what is written, and the file stays the one it was.
func TestOutputToOpenFiles(t *testing.T) {
	if _, err := os.Stat("/dev/stdout"); err != nil {
		t.Skip("skipped: there is no /dev/stdout")
	}
	binary := binary(t)
	t.Chdir(t.TempDir())
	want := done(t, "gen", "training", "-n", "10")
	line := []string{"gen", "training", "-n", "10", "-o", "/dev/stdout"}

	piped, err := exec.Command(binary, line...).Output()
	require.NoError(t, err)
	require.Equal(t, want, string(piped))

	file, err := os.Create("out.csv")
	require.NoError(t, err)
	defer file.Close()
	c := exec.Command(binary, line...)
	c.Stdout = file
	require.NoError(t, c.Run())
	data := make([]byte, len(want))
	_, err = file.ReadAt(data, 0)
	require.NoError(t, err)
	require.Equal(t, want, string(data))
}
