package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A header is what a C header declares, in its order.
type header []declaration

// A declaration is one of the types below.
type declaration any

// A note is what stands before each declaration.
type note struct {
	name string
	doc  []string // lines of the comment above, or behind; empty for none
	line int      // where it is
}

type (
	// A section is a headline between declarations.
	section struct{ note }

	// A constant is a macro that stands for an integer, or an enumerator.
	constant struct {
		note
		value uint64 // in two's complement
		wide  bool   // unsigned, of 64 bits
	}

	// An enum is named constants that belong together.
	enum struct {
		note
		constants []constant
	}

	// An alias is another name of an integer type.
	alias struct {
		note
		of ctype
	}

	// A handle is a struct of which only pointers are known.
	handle struct{ note }

	// A record is a struct that is laid out.
	record struct {
		note
		fields []field
		size   int64
	}

	// A field is one of a record, or a parameter, which has no offset.
	field struct {
		note
		of     ctype
		offset int64
	}

	// A function is declared, or, as a callback, the type of a pointer to one.
	function struct {
		note
		parameters []field
		result     ctype
	}

	// A callback is a name for pointers to functions.
	callback struct{ function }
)

// A ctype is a type as the header names it, with pointers to it.
type ctype struct {
	name   string // such as "int64_t", "char", "void", "tolk_bind"
	levels []bool // a pointer each, from the name outward: is what it points at const?
	size   int64
}

// versioned tells whether a record begins with its size, so that it may grow.
func (r record) versioned() bool { return r.fields[0].name == "struct_size" }

// negative tells whether a constant of the enum is below 0.
func (e enum) negative() bool {
	return slices.ContainsFunc(e.constants, func(c constant) bool { return int64(c.value) < 0 })
}

// reader makes a header of what cc read and of the comments, which cc does not keep.
type reader struct {
	path     string
	lines    []string
	comments comments
	header   header
}

// readHeader is what the header at path declares.
func readHeader(path string) (header, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	config, err := cc.NewConfig("", "")
	if err != nil {
		return nil, fmt.Errorf("a C compiler is needed, to know its types: %w", err)
	}
	config.EvalAllMacros = true
	ast, err := cc.Translate(config, []cc.Source{
		{Name: "<predefined>", Value: config.Predefined}, {Name: "<builtin>", Value: cc.Builtin}, {Name: path, Value: text},
	})
	if err != nil {
		return nil, err
	}
	r := &reader{path: path, lines: strings.Split(string(text), "\n"), comments: readComments(string(text))}
	r.macros(ast)
	r.declarations(ast)
	r.sections()
	slices.SortStableFunc(r.header, func(a, b declaration) int { return cmp.Compare(noteOf(a).line, noteOf(b).line) })
	return r.header, nil
}

func noteOf(d declaration) note { return d.(interface{ itself() note }).itself() }

func (n note) itself() note { return n }

// macros takes those that are integers.
func (r *reader) macros(ast *cc.AST) {
	for name, m := range ast.Macros {
		at := m.Position()
		if at.Filename != r.path || !strings.HasPrefix(name, "TOLK_") || m.IsFnLike {
			continue
		}
		c := constant{note: r.above(name, at.Line)}
		switch v := m.Value().(type) {
		case cc.Int64Value:
			c.value = uint64(v)
		case cc.UInt64Value:
			c.value = uint64(v)
		default:
			continue
		}
		c.wide = m.Type().Size() == 8
		r.header = append(r.header, c)
	}
}

// above is the note of what is declared on a line, under its comment.
func (r *reader) above(name string, line int) note { return note{name, r.comments.above(line), line} }

func (r *reader) sections() {
	for _, c := range r.comments {
		if title, ok := c.headline(); ok {
			r.header = append(r.header, section{note{name: title, line: c.first}})
		}
	}
}

func (r *reader) declarations(ast *cc.AST) {
	for unit := ast.TranslationUnit; unit != nil; unit = unit.TranslationUnit {
		d := unit.ExternalDeclaration.Declaration
		if d == nil || d.Position().Filename != r.path {
			continue
		}
		line := d.Position().Line
		if e, ok := d.DeclarationSpecifiers.Type().(*cc.EnumType); ok {
			r.header = append(r.header, r.enum(e, line))
		}
		for list := d.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
			r.header = append(r.header, r.declared(list.InitDeclarator.Declarator, line))
		}
	}
}

func (r *reader) enum(e *cc.EnumType, line int) enum {
	tag := e.Tag()
	made := enum{note: r.above(tag.SrcStr(), line)}
	for _, x := range e.Enumerators() {
		at := x.Token.Position()
		n := note{x.Token.SrcStr(), r.comments.behind(at.Line, at.Column), at.Line}
		made.constants = append(made.constants, constant{note: n, value: uint64(x.Value().(cc.Int64Value))})
	}
	return made
}

// declared is what a declarator at file scope declares: a type or a function.
func (r *reader) declared(d *cc.Declarator, line int) declaration {
	n := r.above(d.Name(), line)
	if f, ok := d.Type().(*cc.FunctionType); ok {
		return r.function(n, d, f)
	}
	switch t := d.Type().(type) {
	case *cc.StructType:
		if t.NumFields() == 0 {
			return handle{n}
		}
		return r.record(n, t)
	case *cc.PointerType:
		return callback{r.function(n, d, t.Elem().(*cc.FunctionType))}
	default:
		return alias{n, ctype{name: under(t), size: t.Size()}}
	}
}

// under is the name that stdint.h gives the type under a name of ours.
func under(t cc.Type) string {
	sign := "u"
	if cc.IsSignedInteger(t) {
		sign = ""
	}
	return fmt.Sprintf("%sint%d_t", sign, 8*t.Size())
}

func (r *reader) record(n note, t *cc.StructType) record {
	made := record{note: n, size: t.Size()}
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		at := f.Declarator().NameTok().Position()
		own := note{f.Name(), r.comments.behind(at.Line, at.Column), at.Line}
		made.fields = append(made.fields, field{own, r.typeOf(f.Type(), f.Declarator().NameTok()), f.Offset()})
	}
	return made
}

func (r *reader) function(n note, d *cc.Declarator, f *cc.FunctionType) function {
	made := function{note: n, result: r.typeOf(f.Result(), d.NameTok())}
	for _, p := range f.Parameters() {
		if p.Type().Kind() != cc.Void {
			made.parameters = append(made.parameters, field{note: note{name: p.Name()}, of: r.typeOf(p.Type(), p.Declarator.NameTok())})
		}
	}
	return made
}

// typeOf is the type of what a token names, a function's being its result's, by the names that the header uses. cc forgets some of the consts of fields: they are read
// from the text before the name.
func (r *reader) typeOf(t cc.Type, name cc.Token) ctype {
	at := name.Position()
	made := ctype{levels: constsOf(r.lines[at.Line-1][:at.Column-1]), size: t.Size()}
	for range made.levels {
		t = t.(*cc.PointerType).Elem()
	}
	made.name = strings.TrimPrefix(t.String(), "const ")
	if d := t.Typedef(); d != nil {
		made.name = d.Name()
	}
	return made
}

// constsOf is, for each star of a declaration up to its name, whether const stands before it.
func constsOf(before string) (levels []bool) {
	before = strings.TrimSuffix(before, "(*") // of a pointer to a function: it is the function's result that matters
	before = before[strings.LastIndexAny(before, ";{(,")+1:]
	parts := strings.Split(before, "*")
	for _, part := range parts[:len(parts)-1] {
		levels = append(levels, slices.Contains(strings.Fields(part), "const"))
	}
	return levels
}
