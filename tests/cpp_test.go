package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var cppFlags = []string{"-std=c++17", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-I../include", "-pthread"}

// compileCpp is the program of sources; flags stand behind them.
func compileCpp(t *testing.T, cxx string, sources []string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	command(t, ".", cxx, slices.Concat(cppFlags, []string{"-o", program}, sources, flags)...)
	return program
}

// cppTests is the programs of tests in C++, each with the flags it is tried with.
var cppTests = []struct {
	source string
	flags  []string
}{
	{"test_graph.cpp", nil},
	{"test_plan.cpp", nil},
	{"test_place.cpp", nil},
	{"test_threads.cpp", nil},
	{"test_returning.cpp", nil},
	{"test_returning.cpp", []string{"-fno-exceptions", "-fno-rtti"}},
}

func eachCppProgram(t *testing.T, flags []string, env ...string) {
	cxx, dir := need(t, "g++"), libraryDir(t)
	for _, test := range cppTests {
		t.Run(strings.Join(append([]string{test.source}, test.flags...), " "), func(t *testing.T) {
			t.Parallel()
			runChecks(t, compileCpp(t, cxx, []string{"cpp/" + test.source}, slices.Concat(test.flags, flags, dynamic(dir))...), env...)
		})
	}
}

func TestCppPrograms(t *testing.T) { eachCppProgram(t, nil) }

func TestCppWithSanitizers(t *testing.T) {
	needSanitizers(t, need(t, "g++"))
	eachCppProgram(t, sanitize, asanOptions)
}

// TestCppThreadsWithThreadSanitizer sees races of the header's own; it cannot look into Go.
func TestCppThreadsWithThreadSanitizer(t *testing.T) {
	t.Parallel()
	cxx, dir := need(t, "g++"), libraryDir(t)
	runChecks(t, compileCpp(t, cxx, []string{"cpp/test_threads.cpp"}, append(dynamic(dir), "-fsanitize=thread")...))
}

// TestEveryCppTestIsRun keeps a new file from being forgotten.
func TestEveryCppTestIsRun(t *testing.T) {
	sources, err := filepath.Glob("cpp/test_*.cpp")
	require.NoError(t, err)
	for _, source := range sources {
		require.True(t, slices.ContainsFunc(cppTests, func(test struct {
			source string
			flags  []string
		}) bool {
			return test.source == filepath.Base(source)
		}), source)
	}
}

// TestBothModesInOneProgram compiles one file with exceptions, one without, and links them.
func TestBothModesInOneProgram(t *testing.T) {
	cxx, dir := need(t, "g++"), libraryDir(t)
	for _, flags := range [][]string{nil, {"-O2", "-flto", "-Wodr"}, append(slices.Clone(sanitize), "-fno-inline")} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			program := compileCpp(t, cxx, []string{"cpp/modes/throwing.cpp", "cpp/modes/returning.cpp"}, slices.Concat(flags, dynamic(dir))...)
			runChecks(t, program, asanOptions)
		})
	}
}

const cppHeaders = "../include/tolk_memory*.hpp"

// cppText is the headers for C++.
func cppText(t *testing.T) string {
	t.Helper()
	paths, err := filepath.Glob(cppHeaders)
	require.NoError(t, err)
	require.Len(t, paths, 3)
	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// TestCppReachesAllOfC finds functions of the C API that C++ forgot.
func TestCppReachesAllOfC(t *testing.T) {
	text := cppText(t)
	for _, name := range functions(t) {
		require.Regexp(t, `\b`+name+`\b`, text)
	}
}

var cEnum = regexp.MustCompile(`(?s)enum tolk_(\w+) \{(.*?)\};`)
var cEnumerator = regexp.MustCompile(`(?m)\b(TOLK_\w+) = -?[0-9]+`)

// The enums whose C++ name or prefix is not as the others'.
var cppEnumNames = map[string]string{"status_code": "status"}
var cPrefixes = map[string]string{"status_code": "TOLK_(?:ERR_)?", "setting": "TOLK_", "dtype": "TOLK_", "fault_kind": "TOLK_FAULT_"}
var cppKeywords = []string{"const", "void", "bool"}

// enumChecks is assertions that each constant of each enum is there in C++, and that the switch over them misses none.
func enumChecks(t *testing.T) string {
	var checks strings.Builder
	for _, m := range cEnum.FindAllStringSubmatch(headerText(t), -1) {
		tag := m[1]
		if tag == "override" { // C++ has std::optional fields instead
			continue
		}
		name, prefix := tag, "TOLK_"+strings.ToUpper(tag)+"_"
		if other, ok := cppEnumNames[tag]; ok {
			name = other
		}
		if other, ok := cPrefixes[tag]; ok {
			prefix = other
		}
		fmt.Fprintf(&checks, "int all(tolk::%s x) {\n  switch (x) {\n", name)
		for _, c := range cEnumerator.FindAllStringSubmatch(m[2], -1) {
			value := strings.ToLower(regexp.MustCompile("^"+prefix).ReplaceAllString(c[1], ""))
			if slices.Contains(cppKeywords, value) {
				value += "_"
			}
			fmt.Fprintf(&checks, "    case tolk::%s::%s: static_assert(static_cast<int>(tolk::%s::%s) == %s); return 1;\n", name, value, name, value, c[1])
		}
		checks.WriteString("  }\n  return 0;\n}\n")
	}
	return checks.String()
}

// The structs that C++ mirrors in place; of the others it makes the C struct.
var mirrored = map[string]string{
	"tolk_op_info": "op_info", "tolk_progress": "progress", "tolk_capacity": "capacity", "tolk_arena": "arena", "tolk_placed": "placed",
	"tolk_bind": "bind", "tolk_totals": "totals", "tolk_lifetime": "lifetime", "tolk_place_result": "place_result", "tolk_fault": "fault",
}

// layoutChecks is assertions that each field of a mirrored struct lies where C has it. A pointer and its count are one span.
func layoutChecks(t *testing.T) string {
	var checks strings.Builder
	all := structs(t)
	for c, cpp := range mirrored {
		fmt.Fprintf(&checks, "static_assert(sizeof(tolk::%s) == sizeof(%s) && alignof(tolk::%s) == alignof(%s));\n", cpp, c, cpp, c)
		for _, f := range fields(all[c]) {
			if f.Name() != "device_count" && f.Name() != "live_count" || cpp == "op_info" {
				fmt.Fprintf(&checks, "static_assert(offsetof(tolk::%s, %s) == offsetof(%s, %s));\n", cpp, f.Name(), c, f.Name())
			}
		}
	}
	return checks.String()
}

// spanChecks is that spans of C++20 and ours go into each other.
const spanChecks = `
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
std::size_t to_std(std::span<const tolk::bind> s) { return s.size(); }
std::size_t to_ours(tolk::span<const int> s) { return s.size(); }
std::size_t both(tolk::span<const tolk::bind> s, std::span<int> t) { return to_std(s) + to_std(tolk::span<const tolk::bind>()) + to_ours(t); }
#endif
`

// How the header is compiled by itself: each mode in the oldest standard, then the newer standards.
var headerModes = [][]string{
	{"-std=c++17", "-fexceptions"}, {"-std=c++17", "-fno-exceptions"}, {"-std=c++17", "-DTOLK_NO_EXCEPTIONS"},
	{"-std=c++20", "-fexceptions"}, {"-std=c++2b", "-fno-exceptions"},
}

// TestCppHeaderAlone compiles the header by itself, strictly, with all that C has checked.
func TestCppHeaderAlone(t *testing.T) {
	text := "#include \"tolk_memory.hpp\"\n" + spanChecks + enumChecks(t) + layoutChecks(t)
	source := filepath.Join(t.TempDir(), "alone.cpp")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	for _, compiler := range []string{"g++", "clang++"} {
		for _, mode := range headerModes {
			t.Run(compiler+" "+strings.Join(mode, " "), func(t *testing.T) {
				t.Parallel()
				command(t, ".", need(t, compiler), slices.Concat(cppFlags, mode, []string{"-fsyntax-only", source})...)
			})
		}
	}
}

var introduction = regexp.MustCompile(`(?m)^ \*     (.*)$`)

// TestCppIntroduction runs the example that the header begins with.
func TestCppIntroduction(t *testing.T) {
	t.Parallel()
	cxx, dir := need(t, "g++"), libraryDir(t)
	text, err := os.ReadFile("../include/tolk_memory.hpp")
	require.NoError(t, err)
	body := "#include <cstdio>\n#include \"tolk_memory.hpp\"\nint main() {\n"
	example, _, found := strings.Cut(string(text), "Conventions")
	require.True(t, found)
	for _, m := range introduction.FindAllStringSubmatch(example, -1) {
		body += m[1] + "\n"
	}
	source := filepath.Join(t.TempDir(), "introduction.cpp")
	require.NoError(t, os.WriteFile(source, []byte(body+"}\n"), 0o600))
	require.Equal(t, "CUDA:0: one allocation of 8192 bytes\nentry 0 argument 0: arena 0, byte 0\nentry 1 argument 0: arena 0, byte 4096\n"+
		"entry 1 argument 1: arena 0, byte 0\nentry 2 argument 0: arena 0, byte 0\nentry 2 argument 1: arena 0, byte 4096\nentry 3 argument 1: arena 0, byte 0\n", command(t, ".", compileCpp(t, cxx, []string{source}, dynamic(dir)...)))
}
