package tests

import (
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/placement/verify"
	"libtolk_memory/planner"
)

const headerPath = "../include/tolk_memory.h"

// parsed is the header as cc reads it.
var parsed = sync.OnceValues(func() (*cc.AST, error) {
	config, err := cc.NewConfig("", "")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(headerPath)
	if err != nil {
		return nil, err
	}
	return cc.Translate(config, []cc.Source{
		{Name: "<predefined>", Value: config.Predefined}, {Name: "<builtin>", Value: cc.Builtin}, {Name: headerPath, Value: text},
	})
})

func header(t *testing.T) *cc.AST {
	t.Helper()
	compiler(t)
	ast, err := parsed()
	require.NoError(t, err)
	return ast
}

// headerText is the header with its code between comments as it stands.
func headerText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(headerPath)
	require.NoError(t, err)
	return string(text)
}

// functions is the names of the declared functions, sorted.
func functions(t *testing.T) (names []string) {
	for name, nodes := range header(t).Scope.Nodes {
		if d, ok := nodes[0].(*cc.Declarator); ok && strings.HasPrefix(name, "tolk_") && d.Type().Kind() == cc.Function {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	require.NotEmpty(t, names)
	return names
}

// structs is the structs that the header lays out, by name.
func structs(t *testing.T) map[string]*cc.StructType {
	found := map[string]*cc.StructType{}
	for s := range header(t).Structs {
		tag := s.Tag()
		if name := tag.SrcStr(); strings.HasPrefix(name, "tolk_") && s.NumFields() > 0 {
			found[name] = s
		}
	}
	require.NotEmpty(t, found)
	return found
}

func fields(s *cc.StructType) (list []*cc.Field) {
	for i := range s.NumFields() {
		list = append(list, s.FieldByIndex(i))
	}
	return list
}

// enumerators is the constants of the header's enums.
func enumerators(t *testing.T) map[string]int64 {
	found := map[string]int64{}
	for name, nodes := range header(t).Scope.Nodes {
		if e, ok := nodes[0].(*cc.Enumerator); ok && strings.HasPrefix(name, "TOLK_") {
			found[name] = int64(e.Value().(cc.Int64Value))
		}
	}
	return found
}

// The numbers that the header gives the Go side's constants, and those that are its own, which never change.
func wantedConstants() map[string]int64 {
	want := map[string]int64{
		"TOLK_OK": 0, "TOLK_NO_ROOM": 1, "TOLK_ERR_INVALID_ARGUMENT": -1, "TOLK_ERR_INVALID_HANDLE": -2, "TOLK_ERR_INVALID_OP": -3,
		"TOLK_ERR_WRONG_KIND": -4, "TOLK_ERR_OVERFLOW": -5, "TOLK_ERR_LIMIT": -6, "TOLK_ERR_PARSE": -7, "TOLK_ERR_NOT_ALLOCATED": -8,
		"TOLK_ERR_BUFFER_TOO_SMALL": -9, "TOLK_ERR_INFEASIBLE": -10, "TOLK_ERR_NOT_FOUND": -11, "TOLK_ERR_INVALID_PLAN": -12,
		"TOLK_ERR_OUT_OF_MEMORY": -13, "TOLK_ERR_FORKED": -14, "TOLK_ERR_INTERNAL": -15,
		"TOLK_OVERRIDE_NO_MEMORY_PLANNER": 1, "TOLK_OVERRIDE_DEBUG": 2,
		"TOLK_NO_MEMORY_PLANNER": int64(planner.NoMemoryPlanner), "TOLK_DEBUG": int64(planner.Debug),
		"TOLK_COPIES_SHARED": int64(planner.CopiesShared), "TOLK_COPIES_APART": int64(planner.CopiesApart),
		"TOLK_PLACER_TLSF": int64(placement.TLSF), "TOLK_PLACER_BEST": int64(placement.Best),
		"TOLK_PLACER_FIRST_FIT": int64(placement.FirstFit), "TOLK_PLACER_BEST_FIT": int64(placement.BestFit),
		"TOLK_PROOF_NONE": int64(placement.NoProof), "TOLK_PROOF_EQUALS_BOUND": int64(placement.EqualsBound),
		"TOLK_PROOF_EXHAUSTED": int64(placement.Exhausted),
		"TOLK_STOP_DONE":       int64(placement.Done), "TOLK_STOP_EFFORT": int64(placement.EffortSpent),
		"TOLK_STOP_TIME": int64(placement.TimedOut), "TOLK_STOP_CANCELLED": int64(placement.Cancelled),
		"TOLK_FAULT_MOVED": int64(verify.Moved), "TOLK_FAULT_MISALIGNED": int64(verify.Misaligned),
		"TOLK_FAULT_OUT_OF_ARENA": int64(verify.OutOfArena), "TOLK_FAULT_OVER_CAPACITY": int64(verify.OverCapacity),
		"TOLK_FAULT_OVERLAP": int64(verify.Overlap),
	}
	for _, k := range ir.Kinds() {
		want["TOLK_KIND_"+k.String()] = int64(k)
	}
	for d := ir.Void; d <= ir.Float64; d++ {
		want["TOLK_"+strings.ToUpper(d.String())] = int64(d)
	}
	return want
}

func TestConstantsEqualThoseOfGo(t *testing.T) {
	require.Equal(t, wantedConstants(), enumerators(t))
}

func TestLibraryExportsTheHeaderAndNothingElse(t *testing.T) {
	file, err := elf.Open(filepath.Join(libraryDir(t), "libtolk_memory.so"))
	require.NoError(t, err)
	defer file.Close()
	soname, err := file.DynString(elf.DT_SONAME)
	require.NoError(t, err)
	require.Equal(t, []string{"libtolk_memory.so.0"}, soname)
	symbols, err := file.DynamicSymbols()
	require.NoError(t, err)
	var exported []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) != elf.STB_LOCAL {
			exported = append(exported, s.Name)
		}
	}
	slices.Sort(exported)
	require.Equal(t, functions(t), exported)
}

// TestEveryFunctionIsCalledByTheTestsInC finds functions that were declared and forgotten.
func TestEveryFunctionIsCalledByTheTestsInC(t *testing.T) {
	sources, err := filepath.Glob("c/*.[ch]")
	require.NoError(t, err)
	var all strings.Builder
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		all.Write(text)
	}
	for _, name := range functions(t) {
		require.Regexp(t, `\b`+name+`\b`, all.String(), "%s is called by no test", name)
	}
}

var fallible = regexp.MustCompile(`(?m)^TOLK_API (?:tolk_status|tolk_op) (tolk_\w+)\(`)

// TestEveryFallibleFunctionIsInTheTable keeps the table by which bad handles, forks and panics are tried complete.
func TestEveryFallibleFunctionIsInTheTable(t *testing.T) {
	table, err := os.ReadFile("c/every.h")
	require.NoError(t, err)
	for _, m := range fallible.FindAllStringSubmatch(headerText(t), -1) {
		// Neither of these enters Go; test_fork.c calls the first.
		if name := m[1]; name != "tolk_log_set" && name != "tolk_last_status" {
			require.Regexp(t, `\b`+name+`\b`, string(table))
		}
	}
}

// The bytes of each struct on 64-bit machines. Those with a struct_size may grow; the others never change.
var structBytes = map[string]int64{
	"tolk_storage": 64, "tolk_op_desc": 72, "tolk_op_info": 128, "tolk_progress": 24, "tolk_capacity": 24, "tolk_plan_options": 96,
	"tolk_arena": 96, "tolk_placed": 64, "tolk_bind": 72, "tolk_totals": 32, "tolk_lifetime": 48, "tolk_place_options": 64,
	"tolk_place_result": 56, "tolk_fault": 64, "tolk_schedule": 56,
}

func TestStructsAreLaidOutAsCompilersDo(t *testing.T) {
	gcc := compiler(t)
	var program, want strings.Builder
	program.WriteString("#include <stdio.h>\n#include \"tolk_memory.h\"\nint main(void) {\n")
	sizes := map[string]int64{}
	all := structs(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		sizes[name] = s.Size()
		fmt.Fprintf(&want, "%s %d\n", name, s.Size())
		fmt.Fprintf(&program, "printf(\"%s %%zu\\n\", sizeof(%s));\n", name, name)
		for _, f := range fields(s) {
			fmt.Fprintf(&want, "%s.%s %d\n", name, f.Name(), f.Offset())
			fmt.Fprintf(&program, "printf(\"%s.%s %%zu\\n\", offsetof(%s, %s));\n", name, f.Name(), name, f.Name())
		}
	}
	program.WriteString("return 0; }\n")
	source := filepath.Join(t.TempDir(), "layout.c")
	require.NoError(t, os.WriteFile(source, []byte(program.String()), 0o600))
	require.Equal(t, want.String(), command(t, ".", compile(t, gcc, source)))
	require.Equal(t, structBytes, sizes)
}

// TestStructsHoldWhatAllLanguagesKnow refuses what other languages cannot lay out: bitfields, enums, bool, and gaps.
func TestStructsHoldWhatAllLanguagesKnow(t *testing.T) {
	for name, s := range structs(t) {
		end := int64(0)
		for _, f := range fields(s) {
			require.False(t, f.IsBitfield(), "%s.%s is a bitfield", name, f.Name())
			require.NotContains(t, []cc.Kind{cc.Enum, cc.Bool}, f.Type().Kind(), "%s.%s", name, f.Name())
			require.Equal(t, end, f.Offset(), "%s has a gap before %s", name, f.Name())
			end += f.Type().Size()
		}
		require.Equal(t, end, s.Size(), "%s has a gap at its end", name)
	}
}

var initMacro = regexp.MustCompile(`(?m)^#define (TOLK_\w+)_INIT \{(.*)\}$`)

func TestInitMacrosNameEveryField(t *testing.T) {
	all := structs(t)
	found := map[string]bool{}
	for _, m := range initMacro.FindAllStringSubmatch(headerText(t), -1) {
		name := strings.ToLower(m[1])
		found[name] = true
		require.Contains(t, all, name)
		require.Len(t, strings.Split(m[2], ","), all[name].NumFields(), name)
		require.True(t, strings.HasPrefix(m[2], "sizeof("+name+")"), name)
	}
	for name, s := range all {
		require.Equal(t, s.FieldByIndex(0).Name() == "struct_size", found[name], "%s: an INIT macro goes with a struct_size", name)
	}
}

var documented = regexp.MustCompile(`(?m)^(TOLK_API .*?(tolk_\w+)\(|typedef struct (tolk_\w+)|typedef \w+ \(?\*?(tolk_\w+))`)

func TestEverythingHasACommentWithSince(t *testing.T) {
	text := headerText(t)
	seen := 0
	for _, at := range documented.FindAllStringSubmatchIndex(text, -1) {
		before, name := text[:at[0]], text[at[0]:at[1]]
		end := strings.LastIndex(before, "*/")
		comment := before[strings.LastIndex(before, "/*"):]
		require.Empty(t, strings.TrimSpace(before[end+2:]), "%s has no comment", name)
		require.Regexp(t, `Since: [0-9]+\.[0-9]+\b`, comment, name)
		seen++
	}
	require.GreaterOrEqual(t, seen, len(functions(t))+len(structs(t)))
}

// TestHeaderAlone compiles the header by itself, strictly, in every language it promises.
func TestHeaderAlone(t *testing.T) {
	rows := []struct {
		compiler, extension string
		standards           []string
	}{
		{"gcc", "c", []string{"c99", "c11", "c17", "c2x"}},
		{"clang", "c", []string{"c99", "c11", "c17"}},
		{"g++", "cpp", []string{"c++98", "c++11", "c++14", "c++17", "c++20"}},
		{"clang++", "cpp", []string{"c++11", "c++14", "c++17", "c++20"}},
	}
	text := "#include \"tolk_memory.h\"\n"
	for _, m := range initMacro.FindAllStringSubmatch(headerText(t), -1) {
		name := strings.ToLower(m[1])
		text += fmt.Sprintf("extern %s a_%s;\n%s a_%s = %s_INIT;\n", name, name, name, name, m[1])
	}
	for _, row := range rows {
		t.Run(row.compiler, func(t *testing.T) {
			program := need(t, row.compiler)
			source := filepath.Join(t.TempDir(), "alone."+row.extension)
			require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
			for _, standard := range row.standards {
				cmd := exec.Command(program, "-std="+standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I../include", source)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s: %s", standard, out)
			}
		})
	}
}
