package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// say writes text for people. Texts among its arguments are made visible, whatever file they come from. Nothing is left to do about an error: [lasting]
// keeps that of the output, and none can be told where messages go.
func say(w io.Writer, format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = visible(arg)
		case error:
			args[i] = visibleLines(arg.Error())
		}
	}
	_, _ = fmt.Fprintf(w, format, args...)
}

// visible is a text with what could steer a terminal, and bytes that are no text, as Go writes them between quotation marks: \x1b.
func visible(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			quoted := strconv.Quote(text[:n])
			out.WriteString(quoted[1 : len(quoted)-1])
		} else {
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}

// visibleLines is a text of some lines, each made visible.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// lasting is an output that goes on after its first error, and keeps it: who writes need not ask, and cobra's help does not.
type lasting struct {
	to  io.Writer
	err error
}

func (l *lasting) Write(data []byte) (int, error) {
	if l.err == nil {
		_, l.err = l.to.Write(data)
	}
	return len(data), nil
}
