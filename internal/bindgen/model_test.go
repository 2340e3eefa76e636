package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompilersReadTheSame declares all again in C, from what was read, and has the compiler compare.
func TestCompilersReadTheSame(t *testing.T) {
	needCompiler(t)
	h, err := readHeader(filepath.Join(root, "include", "tolk_memory.h"))
	require.NoError(t, err)
	source := filepath.Join(t.TempDir(), "again.c")
	require.NoError(t, os.WriteFile(source, []byte(again(h)), 0o600))
	out, err := exec.Command("cc", "-std=c11", "-Wall", "-Werror", "-fsyntax-only", "-I"+filepath.Join(root, "include"), source).CombinedOutput()
	require.NoError(t, err, string(out))
}

func again(h header) string {
	var b strings.Builder
	b.WriteString("#include \"tolk_memory.h\"\n")
	for _, d := range h {
		switch d := d.(type) {
		case function:
			fmt.Fprintf(&b, "%s %s(%s);\n", inC(d.result), d.name, parametersInC(d))
		case callback:
			fmt.Fprintf(&b, "typedef %s (*%s)(%s);\n", inC(d.result), d.name, parametersInC(d.function))
		case alias:
			fmt.Fprintf(&b, "typedef %s %s;\n", inC(d.of), d.name)
		case constant:
			fmt.Fprintf(&b, "_Static_assert(%s == %s, \"value\");\n", d.name, d.text())
		case enum:
			for _, c := range d.constants {
				fmt.Fprintf(&b, "_Static_assert(%s == %s, \"value\");\n", c.name, c.text())
			}
		case record:
			fmt.Fprintf(&b, "_Static_assert(sizeof(%s) == %d, \"size\");\n", d.name, d.size)
			for _, f := range d.fields {
				fmt.Fprintf(&b, "_Static_assert(offsetof(%s, %s) == %d, \"offset\");\n", d.name, f.name, f.offset)
				fmt.Fprintf(&b, "_Static_assert(_Generic(((%s *)0)->%s, %s: 1, default: 0), \"type of %s.%s\");\n",
					d.name, f.name, inC(f.of), d.name, f.name)
			}
		}
	}
	return b.String()
}

func parametersInC(f function) string {
	list := []string{"void"}
	for i, p := range f.parameters {
		list = append(list[:i], inC(p.of))
	}
	return strings.Join(list, ", ")
}

func inC(t ctype) string {
	text := t.name
	for _, isConst := range t.levels {
		if isConst {
			text += " const"
		}
		text += " *"
	}
	return text
}

func TestConstsOf(t *testing.T) {
	rows := []struct {
		before string
		want   []bool
	}{
		{"  int64_t ", nil},
		{"  const char *const *", []bool{true, true}},
		{"TOLK_API tolk_op f(const tolk_graph *g, char **", []bool{false, false}},
		{"  uint64_t a, ", nil},
		{"typedef void (*", nil},
	}
	for _, row := range rows {
		require.Equal(t, row.want, constsOf(row.before), row.before)
	}
}

func TestComments(t *testing.T) {
	all := readComments("/* one\n * two\n *   - three\n */\nint a; /* behind,\n          more */\n\n/* ---- Title ---- */\nint b;\n")
	require.Equal(t, []string{"one", "two", "  - three"}, all.above(5))
	require.Equal(t, []string{"behind,", "more"}, all.behind(5, 5))
	require.Empty(t, all.behind(5, 8))
	require.Empty(t, all.above(9), "a headline is no comment of what follows")
	title, ok := all[2].headline()
	require.True(t, ok)
	require.Equal(t, "Title", title)
}

func TestNamesOfPython(t *testing.T) {
	require.Equal(t, "from_", pythonName("from"))
	require.Equal(t, "FaultKind", pythonClass("tolk_fault_kind"))
	named := func(names ...string) (list []constant) {
		for _, name := range names {
			list = append(list, constant{note: note{name: name}})
		}
		return list
	}
	require.Equal(t, "TOLK_STOP_", commonPrefix(named("TOLK_STOP_DONE", "TOLK_STOP_DAY")))
	require.Equal(t, "TOLK_", commonPrefix(named("TOLK_VOID", "TOLK_INT8")))
}

func TestEmittersWriteFields(t *testing.T) {
	h := header{record{note: note{name: "tolk_x"}, size: 8, fields: []field{{note: note{name: "loop"}, of: ctype{name: "int64_t", size: 8}}}}}
	require.Contains(t, layout(h), "sizeof tolk_x 8\nfield tolk_x loop 0 8\n")
	require.Contains(t, rust(h), "pub r#loop: i64,")
}
