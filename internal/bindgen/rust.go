package main

import (
	"fmt"
	"slices"
	"strings"
)

// rust is raw.rs: the header's declarations under their own names.
func rust(h header) string {
	w := &rustWriter{}
	w.line("// Generated from include/tolk_memory.h, do not edit: %s", command)
	w.line("//")
	w.line("// The declarations of C, under their own names. What each promises and requires stands in the comments, which are the header's.")
	w.line("")
	w.line("#![allow(non_camel_case_types)]")
	w.line("#![cfg_attr(rustfmt, rustfmt_skip)]")
	w.line("")
	w.line("use std::marker::{PhantomData, PhantomPinned};")
	w.line("use std::mem::size_of;")
	w.line("use std::os::raw::{c_char, c_void};")
	var functions []function
	for _, d := range h {
		if f, ok := d.(function); ok {
			functions = append(functions, f)
			continue
		}
		w.declaration(d)
	}
	w.line("")
	w.line(`extern "C" {`)
	for i, f := range functions {
		if i > 0 {
			w.line("")
		}
		w.function(f)
	}
	w.line("}")
	return w.text.String()
}

type rustWriter struct{ text strings.Builder }

func (w *rustWriter) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }

func (w *rustWriter) doc(indent string, lines []string) {
	for _, line := range lines {
		w.line("%s", strings.TrimRight(indent+"/// "+rustDoc.Replace(line), " "))
	}
}

// rustDoc keeps brackets and angles of C from being read as links and as HTML.
var rustDoc = strings.NewReplacer("*", `\*`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`)

func (w *rustWriter) declaration(d declaration) {
	w.line("")
	switch d := d.(type) {
	case section:
		w.line("// ---- %s ----", d.name)
	case constant:
		w.doc("", d.doc)
		w.line("pub const %s: %s = %s;", d.name, rustConstantType(d), d.text())
	case enum:
		w.enum(d)
	case alias:
		w.doc("", d.doc)
		w.line("pub type %s = %s;", d.name, rustNames[d.of.name])
	case handle:
		w.doc("", d.doc)
		w.line("#[repr(C)]\npub struct %s {\n    _opaque: [u8; 0],\n    _marker: PhantomData<(*mut u8, PhantomPinned)>,\n}", d.name)
	case callback:
		w.doc("", d.doc)
		w.line(`pub type %s = Option<unsafe extern "C" fn(%s)%s>;`, d.name, rustParameters(d.parameters), rustResult(d.result))
	case record:
		w.record(d)
	}
}

// rustConstantType is how wide the header's fields are that take such constants.
func rustConstantType(c constant) string {
	if c.wide {
		return "u64"
	}
	return "u32"
}

func (w *rustWriter) enum(e enum) {
	of := "u32"
	if e.negative() {
		of = "i32"
	}
	w.doc("", e.doc)
	w.line("pub type %s = %s;", e.name, of)
	for _, c := range e.constants {
		w.doc("", c.doc)
		w.line("pub const %s: %s = %s;", c.name, e.name, c.text())
	}
}

func (w *rustWriter) record(r record) {
	w.doc("", r.doc)
	w.line("#[repr(C)]")
	w.line("#[derive(%s)]", strings.Join(rustDerives(r), ", "))
	w.line("pub struct %s {", r.name)
	for _, f := range r.fields {
		w.doc("    ", f.doc)
		w.line("    pub %s: %s,", rustName(f.name), rustType(f.of))
	}
	w.line("}")
	if r.versioned() {
		w.init(r)
	}
}

// rustDerives leaves Default to init where there is one, and out where a pointer has none.
func rustDerives(r record) []string {
	derives := []string{"Clone", "Copy", "Debug"}
	pointer := func(f field) bool { return len(f.of.levels) > 0 }
	if !r.versioned() && !slices.ContainsFunc(r.fields, pointer) {
		derives = append(derives, "Default")
	}
	return derives
}

// init writes what the INIT macro does.
func (w *rustWriter) init(r record) {
	w.line("\nimpl %s {", r.name)
	w.line("    /// All defaults, with `struct_size` set: what the macro %s_INIT is.", strings.ToUpper(r.name))
	w.line("    pub const fn init() -> Self {\n        Self {")
	for i, f := range r.fields {
		zero := rustZero(f.of)
		if i == 0 {
			zero = "size_of::<Self>() as u32"
		}
		w.line("            %s: %s,", rustName(f.name), zero)
	}
	w.line("        }\n    }\n}")
	w.line("\nimpl Default for %s {\n    fn default() -> Self {\n        Self::init()\n    }\n}", r.name)
}

func (w *rustWriter) function(f function) {
	w.doc("    ", f.doc)
	w.line("    pub fn %s(%s)%s;", f.name, rustParameters(f.parameters), rustResult(f.result))
}

func rustParameters(fields []field) string {
	var list []string
	for _, f := range fields {
		list = append(list, rustName(f.name)+": "+rustType(f.of))
	}
	return strings.Join(list, ", ")
}

func rustResult(t ctype) string {
	if t.name == "void" && len(t.levels) == 0 {
		return ""
	}
	return " -> " + rustType(t)
}

var rustNames = map[string]string{
	"int32_t": "i32", "int64_t": "i64", "uint32_t": "u32", "uint64_t": "u64", "size_t": "usize", "char": "c_char", "void": "c_void",
}

func rustType(t ctype) string {
	name, known := rustNames[t.name]
	if !known {
		name = t.name
	}
	for _, isConst := range t.levels {
		if isConst {
			name = "*const " + name
		} else {
			name = "*mut " + name
		}
	}
	return name
}

func rustZero(t ctype) string {
	switch {
	case len(t.levels) == 0 && strings.HasSuffix(t.name, "_callback"):
		return "None"
	case len(t.levels) == 0:
		return "0"
	case t.levels[len(t.levels)-1]:
		return "std::ptr::null()"
	default:
		return "std::ptr::null_mut()"
	}
}

// rustName is a name that is no keyword.
func rustName(name string) string {
	if slices.Contains([]string{"loop", "type", "move", "ref", "match", "in", "where"}, name) {
		return "r#" + name
	}
	return name
}

// rustFieldMacro finds where a field is without offset_of!, which is newer than the compilers that the crates allow.
const rustFieldMacro = `fn size_of_target<T>(_: *const T) -> usize {
    size_of::<T>()
}

macro_rules! field {
    ($t:ident, $name:literal, $record:ident, $field:ident) => {{
        let record = MaybeUninit::<$record>::uninit();
        // SAFETY: no reference is made, and nothing is read.
        let field = unsafe { addr_of!((*record.as_ptr()).$field) };
        let offset = field as usize - record.as_ptr() as usize;
        writeln!($t, "field {} {} {}", $name, offset, size_of_target(field))?;
    }};
}
`

// rustLayout is a test that makes the lines of layout.txt by what Rust's compiler says and compares.
func rustLayout(h header) string {
	w := &rustWriter{}
	w.line("// Generated from include/tolk_memory.h, do not edit: %s", command)
	w.line("//\n// Rust lays out the records, and numbers the constants, as C does.\n")
	w.line("#![cfg_attr(rustfmt, rustfmt_skip)]\n")
	w.line("use std::fmt::Write;\nuse std::mem::{size_of, MaybeUninit};\nuse std::ptr::addr_of;\n\nuse tolk_memory_sys::*;\n")
	w.line("%s", rustFieldMacro)
	w.line("fn table() -> Result<String, std::fmt::Error> {\n    let mut t = String::new();")
	for _, d := range h {
		switch d := d.(type) {
		case constant:
			w.constantLine(d)
		case enum:
			for _, c := range d.constants {
				w.constantLine(c)
			}
		case record:
			w.line("    writeln!(t, \"sizeof %s {}\", size_of::<%s>())?;", d.name, d.name)
			for _, f := range d.fields {
				w.line("    field!(t, %q, %s, %s);", d.name+" "+f.name, d.name, rustName(f.name))
			}
		}
	}
	w.line("    Ok(t)\n}\n")
	w.line("#[test]\nfn rust_and_c_agree() {")
	w.line("    let path = concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../../layout.txt\");")
	w.line("    let text = match std::fs::read_to_string(path) {\n        Ok(text) => text,")
	w.line("        Err(_) => return eprintln!(\"skipped: {} is not here\", path),\n    };")
	w.line("    let (_, want) = text.split_once('\\n').unwrap();")
	w.line("    assert_eq!(table().unwrap(), want);\n}")
	return w.text.String()
}

func (w *rustWriter) constantLine(c constant) {
	w.line("    writeln!(t, \"constant %s {}\", %s)?;", c.name, c.name)
}
