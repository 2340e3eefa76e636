package main

import (
	"fmt"
	"io"
	"strings"
)

// table is the results of a family of workloads: a row a contestant, a column a number of buffers.
type table struct {
	family  string
	groups  []group
	columns []*workload
	cells   map[cell]result
}

type cell struct {
	group, contestant string
	column            int
}

func newTable(family string, groups []group) *table {
	return &table{family: family, groups: groups, cells: map[cell]result{}}
}

func (t *table) addColumn(w *workload) { t.columns = append(t.columns, w) }

// add puts a result in the last column.
func (t *table) add(group, contestant string, r result) {
	t.cells[cell{group, contestant, len(t.columns) - 1}] = r
}

func (t *table) print(to io.Writer) {
	fmt.Fprintf(to, "\n### %s\n\nBytes over the lower bound:\n\n", t.family)
	t.printRows(to, func(w *workload, r, _ result) string {
		return fmt.Sprintf("%.3f", float64(r.size)/float64(w.bound))
	})
	fmt.Fprintf(to, "\nNanoseconds a buffer (over those of the group's first row):\n\n")
	t.printRows(to, func(w *workload, r, ours result) string {
		return fmt.Sprintf("%.0f (%.2f)", r.median()/float64(len(w.needs)), r.median()/ours.median())
	})
}

func (t *table) printRows(to io.Writer, text func(w *workload, r, ours result) string) {
	fmt.Fprint(to, "| buffers")
	for _, w := range t.columns {
		fmt.Fprintf(to, " | %d", len(w.needs))
	}
	fmt.Fprintf(to, " |\n| ---%s |\n", strings.Repeat(" | ---", len(t.columns)))
	for _, g := range t.groups {
		fmt.Fprintf(to, "| *%s*%s |\n", g.what, strings.Repeat(" | ", len(t.columns)))
		for _, c := range g.contestants {
			fmt.Fprintf(to, "| %s", c.name)
			for column, w := range t.columns {
				t.printCell(to, cell{g.what, c.name, column}, w, g.contestants[0].name, text)
			}
			fmt.Fprintln(to, " |")
		}
	}
}

func (t *table) printCell(to io.Writer, at cell, w *workload, ours string, text func(w *workload, r, ours result) string) {
	shown := ""
	if r, ok := t.cells[at]; ok {
		shown = text(w, r, t.cells[cell{at.group, ours, at.column}])
	}
	fmt.Fprintf(to, " | %s", shown)
}
