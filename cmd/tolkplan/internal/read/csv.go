package read

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"libtolk_memory/placement/problem"
)

// columns are the columns of a CSV of lifetimes by the names they go by. minimalloc's converter takes "begin", "start" and "lower" for
// one, and "end" for an "upper" that is the last entry and not the one behind it.
var columns = map[string]string{
	"id": "id", "buffer": "id", "buffer_id": "id",
	"lower": "lower", "begin": "lower", "start": "lower",
	"upper": "upper", "end": "upper",
	"size": "size", "alignment": "alignment", "offset": "offset", "hint": "hint", "gaps": "gaps",
	"arena": "arena", "name": "name",
}

// csvReader reads lifetimes, a line a buffer.
type csvReader struct {
	file      string
	records   *csv.Reader
	at        map[string]int // column by its first name
	inclusive bool           // whether upper is the last entry
	seen      map[[2]string]int
	work      *Lifetimes
	notes     []string
}

// readCSV is the lifetimes of a CSV. Its first line names the columns, in any order. inclusive says that "upper" is the last entry too.
func readCSV(file string, data []byte, inclusive bool) (*Work, error) {
	r := csvReader{file: file, records: csv.NewReader(bytes.NewReader(withoutMark(data))),
		inclusive: inclusive, seen: map[[2]string]int{}, work: &Lifetimes{}}
	r.records.ReuseRecord = true
	r.records.TrimLeadingSpace = true
	if err := r.header(); err != nil {
		return nil, err
	}
	for {
		record, err := r.records.Read()
		if errors.Is(err, io.EOF) {
			return &Work{Name: file, Lifetimes: r.work, Notes: r.notes}, nil
		}
		if err != nil {
			return nil, r.syntax(err)
		}
		if err := r.lifetime(record); err != nil {
			return nil, err
		}
	}
}

func (r *csvReader) syntax(err error) error {
	var fault *csv.ParseError
	if !errors.As(err, &fault) {
		return failure(r.file, "%v", err)
	}
	message := fault.Err.Error()
	if errors.Is(err, csv.ErrFieldCount) {
		message = fmt.Sprintf("the line does not have the %d fields that the first line names", r.records.FieldsPerRecord)
	}
	return &Error{File: r.file, Line: fault.Line, Column: fault.Column, Byte: -1, Message: message}
}

func (r *csvReader) header() error {
	record, err := r.records.Read()
	if errors.Is(err, io.EOF) {
		return failure(r.file, "the file is empty; its first line must name the columns, such as id,lower,upper,size")
	}
	if err != nil {
		return r.syntax(err)
	}
	r.at = map[string]int{}
	for i, name := range record {
		name = strings.ToLower(strings.TrimSpace(name))
		column, known := columns[name]
		if !known {
			return r.fail(i, "column %q is not known; the columns are id, lower and upper (or begin and end), size, and perhaps alignment, offset, hint, gaps, arena, name", name)
		}
		if _, twice := r.at[column]; twice {
			return r.fail(i, "column %q stands twice", column)
		}
		r.at[column] = i
		if name == "end" {
			r.inclusive = true
			r.notes = append(r.notes, "\"end\" is read as the last entry that a buffer lives at, as minimalloc's converter reads it; \"upper\" is the one behind it")
		}
	}
	for _, column := range []string{"id", "lower", "upper", "size"} {
		if _, ok := r.at[column]; !ok {
			return r.fail(0, "there is no column %q", column)
		}
	}
	_, r.work.HasArenas = r.at["arena"]
	if _, ok := r.at["gaps"]; ok {
		r.notes = append(r.notes, "gaps are not used: each buffer is taken to live from its lower to its upper entry")
	}
	return nil
}

func (r *csvReader) fail(field int, format string, args ...any) error {
	line, column := r.records.FieldPos(field)
	return &Error{File: r.file, Line: line, Column: column, Byte: -1, Message: fmt.Sprintf(format, args...)}
}

func (r *csvReader) lifetime(record []string) (err error) {
	var l Lifetime
	l.ID, l.Name, l.Arena = r.text(record, "id"), r.text(record, "name"), r.text(record, "arena")
	key := [2]string{l.Arena, l.ID}
	if line, twice := r.seen[key]; twice {
		return r.fail(r.at["id"], "id %q stands in line %d already", l.ID, line)
	}
	r.seen[key], _ = r.records.FieldPos(0)
	for _, c := range []struct {
		column string
		to     *int64
	}{{"lower", &l.First}, {"upper", &l.End}, {"size", &l.Bytes}, {"alignment", &l.Align}, {"offset", &l.Offset}} {
		if *c.to, err = r.number(record, c.column); err != nil {
			return err
		}
	}
	l.Fixed = r.text(record, "offset") != ""
	if _, err := r.number(record, "hint"); err != nil {
		return err
	}
	if err := r.check(&l); err != nil {
		return err
	}
	r.work.Buffers = append(r.work.Buffers, l)
	return nil
}

func (r *csvReader) text(record []string, column string) string {
	i, ok := r.at[column]
	if !ok {
		return ""
	}
	return strings.Clone(strings.TrimSpace(record[i]))
}

// optional are the columns whose fields may be empty.
var optional = []string{"alignment", "offset", "hint"}

func (r *csvReader) number(record []string, column string) (int64, error) {
	i, ok := r.at[column]
	if !ok {
		return 0, nil
	}
	field := strings.TrimSpace(record[i])
	if field == "" && slices.Contains(optional, column) {
		return 0, nil
	}
	n, err := strconv.ParseInt(field, 10, 64)
	if err != nil {
		return 0, r.fail(i, "%s is %q; it must be an integer of 64 bits", column, field)
	}
	return n, nil
}

func (r *csvReader) check(l *Lifetime) error {
	if r.inclusive {
		if l.End == math.MaxInt64 {
			return r.fail(r.at["upper"], "the last entry is %d; it must be less", l.End)
		}
		l.End++
	}
	one := problem.Problem{Buffers: []problem.Buffer{l.Buffer}}
	var fault *problem.Error
	if !errors.As(one.Validate(), &fault) {
		return nil
	}
	column := map[string]string{"end": "upper", "bytes": "size", "align": "alignment", "offset": "offset"}[fault.Field]
	switch {
	case column == "upper" && r.inclusive:
		return r.fail(r.at[column], "the last entry, %d, is before the first, %d", l.End-1, l.First)
	case column == "upper":
		return r.fail(r.at[column], "upper is %d; it must be greater than lower, %d, since a lifetime is half-open (--inclusive reads upper as the last entry)", l.End, l.First)
	}
	return r.fail(r.at[column], "%s is %d: %s", column, fault.Value, fault.Want)
}

// WriteCSV writes lifetimes with offsets, a line a buffer, in the columns that minimalloc reads; where there are
// names or arenas, in two columns more.
func WriteCSV(w io.Writer, buffers []Lifetime) error {
	has := func(f func(*Lifetime) bool) bool {
		return slices.ContainsFunc(buffers, func(l Lifetime) bool { return f(&l) })
	}
	aligned := has(func(l *Lifetime) bool { return l.Align > 1 })
	arenas := has(func(l *Lifetime) bool { return l.Arena != "" })
	named := has(func(l *Lifetime) bool { return l.Name != "" })
	placed := has(func(l *Lifetime) bool { return l.Fixed })
	out := csv.NewWriter(w)
	line := func(l *Lifetime) []string {
		fields := []string{l.ID, number(l.First), number(l.End), number(l.Bytes)}
		fields = appendIf(fields, aligned, number(max(l.Align, 1)))
		fields = appendIf(fields, arenas, l.Arena)
		fields = appendIf(fields, named, l.Name)
		if l.Fixed {
			return append(fields, number(l.Offset))
		}
		return appendIf(fields, placed, "")
	}
	header := appendIf(appendIf(appendIf([]string{"id", "lower", "upper", "size"}, aligned, "alignment"), arenas, "arena"), named, "name")
	if err := out.Write(appendIf(header, placed, "offset")); err != nil {
		return err
	}
	for i := range buffers {
		if err := out.Write(line(&buffers[i])); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func appendIf(fields []string, wanted bool, field string) []string {
	if wanted {
		return append(fields, field)
	}
	return fields
}
