package main

import (
	"fmt"
	"strings"
)

// layout is a table of what all languages must agree on, a line a fact:
//
//	sizeof RECORD BYTES
//	field RECORD NAME OFFSET BYTES
//	constant NAME VALUE
func layout(h header) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Generated from include/tolk_memory.h, do not edit: %s\n", command)
	for _, d := range h {
		switch d := d.(type) {
		case constant:
			fmt.Fprintf(&b, "constant %s %s\n", d.name, d.text())
		case enum:
			for _, c := range d.constants {
				fmt.Fprintf(&b, "constant %s %s\n", c.name, c.text())
			}
		case record:
			fmt.Fprintf(&b, "sizeof %s %d\n", d.name, d.size)
			for _, f := range d.fields {
				fmt.Fprintf(&b, "field %s %s %d %d\n", d.name, f.name, f.offset, f.of.size)
			}
		}
	}
	return b.String()
}

// text is the value in decimal.
func (c constant) text() string {
	if c.wide {
		return fmt.Sprint(c.value)
	}
	return fmt.Sprint(int64(c.value))
}
