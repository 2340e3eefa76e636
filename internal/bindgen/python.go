package main

import (
	"fmt"
	"slices"
	"strings"
)

const pythonHead = `# Generated from include/tolk_memory.h, do not edit: %s
"""The declarations of C for ctypes, under their own names; the header's comments tell what each promises and requires.

A pointer parameter takes what ctypes takes there: byref(), an array, a pointer or None. A handle is its number. Enums lose the
prefix of their constants: TOLK_KIND_CALL is Kind.CALL.
"""

import ctypes
from enum import IntEnum
from typing import Any, Callable, Optional

from ._library import LIBRARY

Handle = Optional[int]
Pointer = Any


def _function(name: str, restype: Any, *argtypes: Any) -> Any:
    function = getattr(LIBRARY, name)
    function.restype = restype
    function.argtypes = argtypes
    return function
`

// python is _raw.py.
func python(h header) string {
	w := &pythonWriter{handles: map[string]bool{}}
	fmt.Fprintf(&w.text, pythonHead, command)
	for _, d := range h {
		w.declaration(d)
	}
	return w.text.String()
}

type pythonWriter struct {
	text    strings.Builder
	handles map[string]bool // those declared so far
}

func (w *pythonWriter) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }

// comment writes what documentation tools take for the text of the name below.
func (w *pythonWriter) comment(indent string, lines []string) {
	for _, line := range lines {
		w.line("%s", strings.TrimRight(indent+"#: "+line, " "))
	}
}

// docstring writes the text of the name above.
func (w *pythonWriter) docstring(indent string, lines []string) {
	if len(lines) > 0 {
		text := strings.ReplaceAll(strings.Join(lines, "\n"+indent), `"""`, `'''`)
		if strings.HasSuffix(text, `"`) {
			text += " "
		}
		w.line(`%s"""%s"""`, indent, text)
	}
}

func (w *pythonWriter) declaration(d declaration) {
	w.line("")
	switch d := d.(type) {
	case section:
		w.line("\n# ---- %s ----", d.name)
	case constant:
		w.comment("", d.doc)
		w.line("%s = %s", d.name, d.text())
	case enum:
		w.enum(d)
	case alias:
		w.comment("", d.doc)
		w.line("%s = %s", d.name, pythonNames[d.of.name])
	case handle:
		w.handles[d.name] = true
		w.comment("", d.doc)
		w.line("%s = ctypes.c_void_p", d.name)
	case callback:
		w.comment("", d.doc)
		w.line("%s = ctypes.CFUNCTYPE(%s)", d.name, w.types(d.function))
	case record:
		w.record(d)
	case function:
		w.line("%s: Callable[%s] = _function(", d.name, w.annotations(d))
		w.line("    \"%s\", %s\n)", d.name, w.types(d))
		w.docstring("", d.doc)
	}
}

func (w *pythonWriter) enum(e enum) {
	w.line("\nclass %s(IntEnum):", pythonClass(e.name))
	w.docstring("    ", e.doc)
	prefix := commonPrefix(e.constants)
	for _, c := range e.constants {
		w.comment("    ", c.doc)
		w.line("    %s = %s", strings.TrimPrefix(c.name, prefix), c.text())
	}
	w.line("")
}

// pythonClass is the name of an enum as classes are named: FaultKind for tolk_fault_kind.
func pythonClass(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(strings.TrimPrefix(name, "tolk_"), "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// commonPrefix is the longest that all have and that ends in an underscore.
func commonPrefix(constants []constant) string {
	prefix := constants[0].name
	for _, c := range constants {
		for !strings.HasPrefix(c.name, prefix) {
			prefix = prefix[:strings.LastIndexByte(prefix[:len(prefix)-1], '_')+1]
		}
	}
	return prefix
}

func (w *pythonWriter) record(r record) {
	w.line("\nclass %s(ctypes.Structure):", r.name)
	w.docstring("    ", r.doc)
	w.line("")
	for _, f := range r.fields {
		w.comment("    ", f.doc)
		w.line("    %s: %s", pythonName(f.name), w.annotation(f.of))
	}
	w.line("    _fields_ = [")
	for _, f := range r.fields {
		w.line("        (\"%s\", %s),", pythonName(f.name), w.typeOf(f.of))
	}
	w.line("    ]")
	if r.versioned() {
		w.line("\n    @classmethod\n    def init(cls, **fields: Any) -> \"%s\":", r.name)
		w.line("        \"\"\"What %s_INIT is, but for the fields given.\"\"\"", strings.ToUpper(r.name))
		w.line("        return cls(struct_size=ctypes.sizeof(cls), **fields)")
	}
	w.line("")
}

// types is the type of what a function returns, then those of its parameters.
func (w *pythonWriter) types(f function) string {
	list := []string{w.typeOf(f.result)}
	for _, p := range f.parameters {
		list = append(list, w.typeOf(p.of))
	}
	return strings.Join(list, ", ")
}

var pythonNames = map[string]string{
	"int32_t": "ctypes.c_int32", "int64_t": "ctypes.c_int64", "uint32_t": "ctypes.c_uint32", "uint64_t": "ctypes.c_uint64",
	"size_t": "ctypes.c_size_t", "char": "ctypes.c_char", "void": "None",
}

func (w *pythonWriter) typeOf(t ctype) string {
	name, known := pythonNames[t.name]
	if !known {
		name = t.name
	}
	levels := t.levels
	switch {
	case len(levels) == 0:
	case t.name == "char" && levels[0]:
		name, levels = "ctypes.c_char_p", levels[1:]
	case t.name == "char" || t.name == "void":
		name, levels = "ctypes.c_void_p", levels[1:]
	case w.handles[t.name]:
		levels = levels[1:] // the name stands for the pointer
	}
	for range levels {
		name = "ctypes.POINTER(" + name + ")"
	}
	return name
}

// annotations is what type checkers are told of a function.
func (w *pythonWriter) annotations(f function) string {
	var list []string
	for _, p := range f.parameters {
		list = append(list, w.annotation(p.of))
	}
	return "[" + strings.Join(list, ", ") + "], " + w.annotation(f.result)
}

func (w *pythonWriter) annotation(t ctype) string {
	switch {
	case t.name == "char" && len(t.levels) == 1 && t.levels[0]:
		return "Optional[bytes]"
	case w.handles[t.name] && len(t.levels) == 1:
		return "Handle"
	case len(t.levels) > 0 || strings.HasSuffix(t.name, "_callback"):
		return "Pointer"
	case t.name == "void":
		return "None"
	default:
		return "int"
	}
}

// pythonName is a name that is no keyword.
func pythonName(name string) string {
	if slices.Contains([]string{"from", "in", "is", "not", "or", "and", "as", "def", "global", "lambda", "pass", "raise", "with", "yield"}, name) {
		return name + "_"
	}
	return name
}
