package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestVisible holds what is written in the place of what could steer a terminal.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		`C:\plain "name", größer …`: `C:\plain "name", größer …`,
		"\x1b[31mred\a\r\n\t\x7f":   `\x1b[31mred\a\r\n\t\x7f`,
		"\xff\xfe\u009b\u202e�":     `\xff\xfe\u009b\u202e�`,
	} {
		require.Equal(t, want, visible(text))
	}
}

// TestLaw_NothingSteersATerminal: whatever a text holds, all of it is seen and none of it is obeyed.
func TestLaw_NothingSteersATerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))
		requireSafe(t, visible(text))
		require.GreaterOrEqual(t, len(visible(text)), len(text))
	})
}

// requireSafe requires that nothing but ends of lines steers a terminal.
func requireSafe(t require.TestingT, text string) {
	require.True(t, utf8.ValidString(text), "%q", text)
	for _, r := range text {
		require.True(t, r == '\n' || unicode.IsPrint(r), "%q", text)
	}
}

// hostile is a name that colours, titles and clears a terminal, in fields of files.
const hostile = "\x1b[31mred\x1b]0;title\a\b\u009b2J\xff\xfe"

// TestNamesOfFilesSteerNothing: every command that tells a person of a file.
func TestNamesOfFilesSteerNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "a" + hostile + ".csv"
	require.NoError(t, os.WriteFile(file, []byte("id,lower,upper,size,offset,arena,name\n1"+hostile+",0,3,10,0,"+hostile+","+hostile+"\n2,0,4,10,5,"+hostile+",\n"), 0o600))
	bad := "b" + hostile + ".csv"
	require.NoError(t, os.WriteFile(bad, []byte("id,lower,upper,size\n1,"+hostile+",3,10\n"), 0o600))
	json := "c" + hostile + ".json"
	require.NoError(t, os.WriteFile(json, []byte(`{"lifetimes": [], "options": {"placer": "`+strings.ReplaceAll(hostile, "\x1b", `\u001b`)+`"}}`), 0o600))
	for _, line := range [][]string{{"plan", "--anew", file}, {"plan", file}, {"explain", file}, {"explain", "--anew", file}, {"compare", file}, {"verify", file}, {"map", file},
		{"demo", file}, {"plan", bad}, {"plan", json}, {"plan", "no" + hostile}, {"plan", file, "--dim", hostile + "=1"}, {"plan", file, "--capacity", hostile + "=1"},
		{"plan", "--anew", file, "--capacity", "1"}, {"plan", file, "-o", hostile}, {hostile}, {"plan", "--" + hostile}, {"help", hostile}} {
		out, errText, _ := call(line...)
		requireSafe(t, out)
		requireSafe(t, errText)
		require.NotEmpty(t, out+errText)
	}
}

// full is an output that takes nothing.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullOutput: whatever is written to standard output, the exit code tells that it was not.
func TestFullOutput(t *testing.T) {
	inData(t)
	for _, line := range []string{"", "--help", "--version", "help plan", "completion bash", "completion zsh", "completion fish", "completion powershell", "plan lifetimes.csv",
		"plan --json lifetimes.csv", "plan lifetimes.csv -o -", "plan lifetimes.csv -o " + filepath.Join(t.TempDir(), "out.csv"), "map lifetimes.csv", "explain lifetimes.csv",
		"compare lifetimes.csv", "verify overlapping.csv", "gen random -n 5", "gen any -n 5", "demo", "demo --json"} {
		var errText bytes.Buffer
		a := &app{out: full{}, err: &errText, now: func() time.Time { return time.Time{} }, width: 90}
		require.Equal(t, exitOutput, a.run(context.Background(), strings.Fields(line)), "tolkplan %s: %s", line, &errText)
		require.Equal(t, 1, strings.Count(errText.String(), "no space left"), "tolkplan %s: %s", line, &errText)
	}
}
