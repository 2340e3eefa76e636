package placement_test

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// resetPeak frees what is no longer used and lets peakMegabytes count from here, where the system can (Linux).
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // elsewhere peakMegabytes tells that there is no peak
}

// peakMegabytes is the most memory that the process had at a time since resetPeak, in millions of bytes, the program itself included.
func peakMegabytes() (peak float64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	text, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, err := strconv.Atoi(text)
	return float64(kibibytes) * 1024 / 1e6, ok && err == nil
}
