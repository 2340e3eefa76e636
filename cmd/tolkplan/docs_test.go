package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocumentedCommands runs, in their order, the commands that docs/tolkplan.md and the help texts show.
func TestDocumentedCommands(t *testing.T) {
	doc, err := os.ReadFile("../../docs/tolkplan.md")
	require.NoError(t, err)
	inData(t)
	for _, command := range (&app{}).command().Commands() {
		doc = append(doc, "\n"+command.Example...)
	}
	written(t, "before.csv", "plan", "lifetimes.csv")
	written(t, "after.csv", "plan", "lifetimes.csv", "--placer", "best")
	require.NoError(t, os.Rename("bare.json", "plan.json"))
	lines := regexp.MustCompile(`(?m)^ +tolkplan ([^|#\n]*?) *(#.*)?$`).FindAllSubmatch(doc, -1)
	require.Greater(t, len(lines), 15)
	for _, line := range lines {
		_, errText, code := call(strings.Fields(string(line[1]))...)
		require.Zero(t, code, "tolkplan %s: %s", line[1], errText)
	}
}
