package placement_test

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// resetPeak frees what is no longer used and lets peakMegabytes count from here. It is false where the system cannot (other than Linux).
func resetPeak() bool {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}

// peakMegabytes is the most memory that the process had at a time since resetPeak, in millions of bytes, the program itself included.
func peakMegabytes(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	text, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, err := strconv.Atoi(text)
	require.NoError(b, err)
	return float64(kibibytes) * 1024 / 1e6
}
