package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is rows of cells, the first of which names the columns.
type table struct {
	left int // how many columns from the left are aligned to it; the others are to the right
	rows [][]string
}

func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = visible(cells[i])
	}
	t.rows = append(t.rows, cells)
}

func (t *table) write(w io.Writer) {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		say(w, "%s\n", t.line(row, widths))
	}
}

func (t *table) line(row []string, widths []int) string {
	var line strings.Builder
	for i, cell := range row {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i > 0 {
			line.WriteString("  ")
		}
		if i < t.left {
			line.WriteString(cell + padding)
		} else {
			line.WriteString(padding + cell)
		}
	}
	return strings.TrimRight(line.String(), " ")
}

// size is bytes for people: in MB of 1e6 bytes, or smaller units where that says more.
func size(bytes int64) string {
	switch {
	case bytes < 10_000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1_000_000:
		return fmt.Sprintf("%.2f kB", float64(bytes)/1e3)
	case bytes < 10_000_000_000:
		return fmt.Sprintf("%.2f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
}

// above is by how much a size is above a bound.
func above(size, bound int64) string {
	if bound == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*excess(size, bound))
}

// excess is by which part of a bound a size is above it.
func excess(size, bound int64) float64 {
	if bound == 0 {
		return 0
	}
	return float64(size-bound) / float64(bound)
}

// counted is a number with what it counts.
func counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "ry") {
		return fmt.Sprintf("%d %sies", n, one[:len(one)-1])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
