package tests

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

var allocationLine = regexp.MustCompile(`(?m)^allocations (\d+) (.+)$`)

// allocationsFromC is how often the library allocates Go's memory for what C asks of it, by what that is.
func allocationsFromC(t *testing.T) map[string]int64 {
	cc, goTool, dir := compiler(t), need(t, "go"), t.TempDir()
	command(t, "..", goTool, "build", "-tags", "tolk_mallocs", "-buildmode=c-shared", "-o", filepath.Join(dir, "libtolk_memory.so"), "./capi")
	out := command(t, ".", compile(t, cc, "c/mallocs.c", dynamic(dir)...))
	require.Regexp(t, summary, out)
	counts := map[string]int64{}
	for _, line := range allocationLine.FindAllStringSubmatch(out, -1) {
		made, err := strconv.ParseInt(line[1], 10, 64)
		require.NoError(t, err)
		counts[line[2]] = made
	}
	require.NotEmpty(t, counts)
	return counts
}
