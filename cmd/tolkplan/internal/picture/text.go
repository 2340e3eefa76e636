package picture

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
)

// The least size of a sketch, in cells.
const (
	MinWidth  = 30
	MinHeight = 8
)

const (
	gutter  = 12 // cells left of the bytes: "1000.00 MB ┤"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// Text writes a sketch of each arena for a terminal, each of width times height cells. A buffer is an area of one letter,
// with its name in it where there is room; a dot is buffers too small for a letter.
//
// It is an error if width is less than MinWidth or height less than MinHeight, or that of w.
func Text(w io.Writer, p Picture, width, height int) error {
	if width < MinWidth || height < MinHeight {
		return fmt.Errorf("a sketch of %d×%d cells is too small; it must have at least %d×%d", width, height, MinWidth, MinHeight)
	}
	out := bufio.NewWriter(w)
	if p.Title != "" {
		fmt.Fprintln(out, printable(p.Title, width))
	}
	for i := range p.Plans {
		for j := range p.Plans[i].Arenas {
			fmt.Fprintln(out)
			newSketch(&p, &p.Plans[i].Arenas[j], width-gutter, height-5).write(out, &p.Plans[i])
		}
	}
	if len(p.Plans) == 0 {
		fmt.Fprintln(out, "Nothing was planned.")
	}
	return out.Flush()
}

// sketch is an arena as cells.
type sketch struct {
	extent
	arena       *Arena
	cells       [][]rune // rows from the bottom; 0 where it is free
	cols, rows  int
	bound, peak int // the row of the bound, the column of the peak
}

func newSketch(p *Picture, a *Arena, cols, rows int) *sketch {
	s := &sketch{extent: a.extent(len(p.Entries)), arena: a, cols: cols, rows: rows, cells: make([][]rune, rows)}
	for row := range s.cells {
		s.cells[row] = make([]rune, cols)
	}
	s.peak = min(max(int(s.column(float64(a.Peak)+0.5)), 0), cols-1)
	s.bound = min(max(int(math.Ceil(s.row(float64(a.Bound))))-1, 0), rows-1)
	for i := range a.Buffers {
		s.paint(&a.Buffers[i], rune(letters[i%len(letters)]))
	}
	for i := range a.Buffers {
		s.dot(&a.Buffers[i])
		s.name(&a.Buffers[i])
	}
	return s
}

func (s *sketch) column(entry float64) float64 {
	return (entry - s.from) / (s.to - s.from) * float64(s.cols)
}
func (s *sketch) row(bytes float64) float64 { return bytes / s.top * float64(s.rows) }

// box is the cells whose middle a buffer covers: columns [left, right), rows [low, high).
func (s *sketch) box(b *Buffer) (left, right, low, high int) {
	cell := func(at float64, count int) int { return min(max(int(math.Round(at)), 0), count) }
	return cell(s.column(float64(b.First)), s.cols), cell(s.column(float64(b.End)), s.cols),
		cell(s.row(float64(b.Offset)), s.rows), cell(s.row(b.top()), s.rows)
}

func (s *sketch) paint(b *Buffer, letter rune) {
	left, right, low, high := s.box(b)
	for row := low; row < high; row++ {
		for col := left; col < right; col++ {
			s.cells[row][col] = letter
		}
	}
}

// dot marks a buffer that covers the middle of no cell, where nothing else does.
func (s *sketch) dot(b *Buffer) {
	left, right, low, high := s.box(b)
	if b.Need == 0 || left < right && low < high {
		return
	}
	row, col := min(low, s.rows-1), min(left, s.cols-1)
	if s.cells[row][col] == 0 {
		s.cells[row][col] = '·'
	}
}

// name writes a buffer's name in the middle of its area, if it fits. Names beyond ASCII may be of two cells a letter, or of none.
func (s *sketch) name(b *Buffer) {
	left, right, low, high := s.box(b)
	name := b.label()
	if high == low || len(name)+4 > right-left || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return
	}
	name = " " + name + " "
	at := left + (right-left-len(name))/2
	for i, letter := range name {
		s.cells[(low+high-1)/2][at+i] = letter
	}
}

func (s *sketch) write(out *bufio.Writer, plan *Plan) {
	head := bytesText(float64(s.arena.Size)) + ", " + s.arena.above()
	if names := caption(plan, s.arena); names != "" {
		head = names + ": " + head
	}
	fmt.Fprintln(out, printable(head, s.cols+gutter))
	if len(s.arena.Buffers) == 0 {
		fmt.Fprintln(out, "No buffers.")
		return
	}
	s.line(out, "load", ' ', s.loadBars())
	for row := s.rows - 1; row >= 0; row-- {
		s.line(out, s.mark(row), '│', s.rowText(row))
	}
	s.writeAxis(out)
}

func (s *sketch) line(out *bufio.Writer, mark string, edge rune, cells []rune) {
	fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%*s %c%s", gutter-2, mark, edge, string(cells)), " "))
}

// mark is what stands left of a row: the top's bytes, or where the bound is.
func (s *sketch) mark(row int) string {
	switch row {
	case s.rows - 1:
		return bytesText(s.top)
	case s.bound:
		return "bound"
	}
	return ""
}

func (s *sketch) rowText(row int) []rune {
	text := make([]rune, s.cols)
	for col, cell := range s.cells[row] {
		switch {
		case cell != 0:
			text[col] = cell
		case row == s.bound:
			text[col] = '┄'
		case col == s.peak:
			text[col] = '┊'
		default:
			text[col] = ' '
		}
	}
	return text
}

// loadBars is the greatest load of each column, in eighths of the greatest of all.
func (s *sketch) loadBars() []rune {
	loads, greatest := make([]float64, s.cols), 1.0
	steps := s.arena.loadSteps()
	for i, at := range steps {
		end := s.to
		if i+1 < len(steps) {
			end = steps[i+1].entry
		}
		for col := max(int(s.column(at.entry)), 0); col < s.cols && float64(col) < s.column(end); col++ {
			loads[col] = max(loads[col], at.load)
		}
		greatest = max(greatest, at.load)
	}
	bars := make([]rune, s.cols)
	for col, load := range loads {
		bars[col] = []rune(" ▁▂▃▄▅▆▇█")[int(math.Ceil(load/greatest*8))]
	}
	return bars
}

func (s *sketch) writeAxis(out *bufio.Writer) {
	axis := []rune(strings.Repeat("─", s.cols))
	axis[s.peak] = '┴'
	s.line(out, "0", '└', axis)
	first, last := fmt.Sprint(int64(s.from)), fmt.Sprint(int64(s.to))
	peak := fmt.Sprintf("▲ peak %d", s.arena.Peak)
	under := []rune(strings.Repeat(" ", s.cols))
	put := func(at int, text string) {
		for i, r := range []rune(text) {
			if at+i >= 0 && at+i < len(under) {
				under[at+i] = r
			}
		}
	}
	put(0, first)
	put(s.cols-len(last), last)
	width := len([]rune(peak))
	if s.peak+width > s.cols {
		peak = fmt.Sprintf("peak %d ▲", s.arena.Peak)
		put(s.peak-width+1, peak)
	} else {
		put(s.peak, peak)
	}
	s.line(out, "", ' ', under)
}
