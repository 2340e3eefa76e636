package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

var byteUnits = []string{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}

// bytesText is a count of bytes as people read it: "512 B", "79.10 MB". Units are of powers of 1000.
func bytesText(n float64) string {
	if math.Abs(n) < 1000 {
		return strconv.FormatFloat(n, 'f', -1, 64) + " B"
	}
	units := byteUnits
	n /= 1000
	// 999.995 would be printed as 1000.00.
	for len(units) > 1 && math.Abs(n) >= 999.995 {
		n, units = n/1000, units[1:]
	}
	return strconv.FormatFloat(n, 'f', 2, 64) + " " + units[0]
}

// tickText is a tick of an axis of bytes whose ticks are step apart: all in the unit of the greatest, with no more decimals than they need.
func tickText(n, step, greatest float64) string {
	unit, scale := "B", 1.0
	for _, larger := range byteUnits {
		if greatest/scale < 1000 {
			break
		}
		unit, scale = larger, scale*1000
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step/scale)-1e-9)))
	return strconv.FormatFloat(n/scale, 'f', decimals, 64) + " " + unit
}

// above says how far an arena is above its lower bound.
func (a *Arena) above() string {
	switch {
	case a.Optimal:
		return "proven to be the least possible"
	case a.Size < a.Bound:
		return fmt.Sprintf("below the lower bound of %s: the plan has faults", bytesText(float64(a.Bound)))
	case a.Size == a.Bound:
		return "at the lower bound"
	case a.Bound <= 0:
		return "lower bound 0 B"
	}
	percent := 100 * (float64(a.Size) - float64(a.Bound)) / float64(a.Bound)
	return fmt.Sprintf("%.1f %% above the lower bound of %s", percent, bytesText(float64(a.Bound)))
}

// caption is the names of a plan and its arena, as far as they have names.
func caption(plan *Plan, a *Arena) string {
	names := make([]string, 0, 2)
	for _, name := range []string{plan.Name, a.Name} {
		if name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, " · ")
}

// label is what people call a buffer.
func (b *Buffer) label() string {
	if b.Name != "" {
		return b.Name
	}
	return b.ID
}

// printable is text of at most limit runes on one line, without what could steer a terminal or turn the text around it.
func printable(text string, limit int) string {
	var out strings.Builder
	count := 0
	for _, r := range text {
		if count == limit-1 && len(text) > out.Len()+len(string(r)) {
			out.WriteRune('…')
			break
		}
		if !unicode.IsPrint(r) {
			r = '\uFFFD'
		}
		out.WriteRune(r)
		count++
	}
	return out.String()
}

func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
