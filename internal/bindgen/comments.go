package main

import (
	"regexp"
	"slices"
	"strings"
)

// A comment is one between /* and */.
type comment struct {
	lines       []string // without the stars
	first, last int      // lines of the file, from 1
	column      int      // of its first line, from 1
	alone       bool     // no code stands before it on its first line
}

type comments []comment

var (
	commentText = regexp.MustCompile(`(?s)/\*(.*?)\*/`)
	starBefore  = regexp.MustCompile(`^\s*\* ?`)
)

func readComments(text string) (all comments) {
	for _, at := range commentText.FindAllStringSubmatchIndex(text, -1) {
		start := strings.LastIndexByte(text[:at[0]], '\n') + 1
		c := comment{lines: textOf(text[at[2]:at[3]]), column: at[0] - start + 1, alone: strings.TrimSpace(text[start:at[0]]) == ""}
		c.first = 1 + strings.Count(text[:at[0]], "\n")
		c.last = c.first + strings.Count(text[at[0]:at[1]], "\n")
		all = append(all, c)
	}
	return all
}

// textOf is the lines of a comment without the stars that begin them, and without empty ones at its ends.
func textOf(inside string) []string {
	lines := strings.Split(inside, "\n")
	for i, line := range lines {
		if loc := starBefore.FindStringIndex(line); i > 0 && loc != nil {
			line = line[loc[1]:]
		} else {
			line = strings.TrimSpace(line)
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	empty := func(s string) bool { return s == "" }
	for len(lines) > 0 && empty(lines[0]) {
		lines = lines[1:]
	}
	return slices.Clip(lines[:len(lines)-trailing(lines, empty)])
}

func trailing(lines []string, is func(string) bool) (n int) {
	for n < len(lines) && is(lines[len(lines)-1-n]) {
		n++
	}
	return n
}

// above is the text of the comment that ends on the line before, or nil.
func (all comments) above(line int) []string {
	for _, c := range all {
		if _, title := c.headline(); c.last == line-1 && c.alone && !title {
			return c.lines
		}
	}
	return nil
}

// behind is the text of the first comment behind a column of a line, or nil.
func (all comments) behind(line, column int) []string {
	for _, c := range all {
		if c.first == line && c.column > column {
			return c.lines
		}
	}
	return nil
}

// headline is the title between dashes, of a comment that is one.
func (c comment) headline() (string, bool) {
	rest, ok := strings.CutPrefix(c.lines[0], "---- ")
	return strings.TrimRight(rest, " -"), ok
}
