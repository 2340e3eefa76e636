package text_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/text"
)

// Each text has a mark, «, where it is wrong. It is taken out before the text is read; its place is what the error must tell.
const mark = "«"

// scheduleWith is a schedule of a buffer, a flag and a buffer on two devices, with one entry.
func scheduleWith(entry string) string {
	return `{"tolk_schedule": 1, "storage": [{"device": "CPU", "dtype": "int8", "count": 10},
  {"device": "CPU", "dtype": "bool", "count": 1}, {"device": ["A", "B"], "dtype": "int8", "count": 10}],
 "entries": [` + entry + `]}`
}

func callWith(argument string) string {
	return scheduleWith(`{"call": {"body": "sink", "args": [` + argument + `]}}`)
}

func storageWith(storage string) string {
	return `{"tolk_schedule": 1, "storage": [` + storage + `], "entries": []}`
}

var wrongSchedules = []struct{ name, text, message string }{
	{"nothing", "«", "the text ends too early"},
	{"spaces", " \n \t«", "the text ends too early"},
	{"an open object", `{"tolk_schedule": 1,«`, "the text ends too early"},
	{"an open string", `{"tolk_sche«`, "the text ends too early"},
	{"an open list", `{"storage": [[[«`, "the text ends too early"},
	{"text behind", `{"tolk_schedule": 1, "storage": [], "entries": []} «x`, "there is more text behind the value"},
	{"a comma behind", "{\"tolk_schedule\": 1, \"storage\": [], \"entries\": []}\n«,", "there is more text behind the value"},
	{"no JSON", "{\n «nope}", "invalid character 'n'"},
	{"single quotes", `{«'a': 1}`, "invalid character"},
	{"a missing colon", `{"storage" «[]}`, "invalid character '[' after object key"},
	{"a comma too many", `{"storage": [1, «]}`, "invalid character ']' looking for beginning of value"},
	{"a comma too few", `{"storage": [1 «2]}`, "invalid character '2' after array element"},
	{"half a word", "{\"storage\": [],\n \"held\": «tru}", "invalid character '}' in literal true (expecting 'e')"},
	{"a line end in a string", "{\"name\": «\"a\nb\"}", "invalid character '\\n' in string literal"},
	{"a number that begins with 0", `{"tolk_schedule": 0«1}`, "invalid character '1' after object key:value pair"},
	{"a key that is a number", `{«1: 2}`, "invalid character '1'"},
	{"an end without a beginning", `«]`, "invalid character ']'"},
	{"bytes that are no text", "{\"name\": \"a\n«\xff\"}", "the text is not valid UTF-8"},
	{"a list", "«[]", "the schedule is an array; it must be an object"},
	{"null", "«null", "the schedule is null; it must be an object"},
	{"an unknown key", "{\"tolk_schedule\": 1,\n  «\"nmae\": \"x\"}", `key "nmae" is not known in the schedule; it has ["tolk_schedule" "name" "storage" "entries"]`},
	{"a key twice", `{"name": "a", «"name": "b"}`, `key "name" stands twice in the schedule`},
	{"no storage", `«{"tolk_schedule": 1, "entries": []}`, `the schedule has no "storage"`},
	{"no version", `«{"storage": [], "entries": []}`, `the schedule has no "tolk_schedule"`},
	{"another version", `{"tolk_schedule": «2, "storage": [], "entries": []}`, "tolk_schedule is 2; this library reads version 1"},
	{"a version with a point", `{"tolk_schedule": «1.0, "storage": [], "entries": []}`, "tolk_schedule is 1.0; it must be an integer of 64 bits"},
	{"a number as name", `{"tolk_schedule": 1, "name": «1, "storage": [], "entries": []}`, "name is a number; it must be a string"},
	{"an object as storage", `{"tolk_schedule": 1, "storage": «{}, "entries": []}`, "storage is an object; it must be an array"},
	{"true as entries", `{"tolk_schedule": 1, "storage": [], "entries": «true}`, "entries is true or false; it must be an array"},

	{"storage that is a number", storageWith(`«7`), "a storage is a number; it must be an object"},
	{"storage nowhere", storageWith(`«{"dtype": "int8", "count": 1}`), `the storage has no "device"`},
	{"half a surrogate pair", storageWith(`{"device": "«\ud800", "dtype": "int8", "count": 1}`), "half a surrogate pair stands alone"},
	{"halves in the wrong order", storageWith(`{"device": "\ud83d\ude00\\\"«\ude00\ud83d", "dtype": "int8", "count": 1}`), "half a surrogate pair stands alone"},
	{"half a surrogate pair at the end", storageWith(`{"device": "\ufffd«\ud800\n", "dtype": "int8", "count": 1}`), "half a surrogate pair stands alone"},
	{"storage of nothing", storageWith(`«{"device": "CPU", "count": 1}`), `the storage has no "dtype"`},
	{"storage without a count", storageWith(`«{"device": "CPU", "dtype": "int8"}`), `the storage has no "count"`},
	{"an op that is no storage", storageWith(`{"op": «"shrink", "device": "CPU", "dtype": "int8", "count": 1}`), `op is "shrink"; it must be one of ["buffer" "alloc" "param"]`},
	{"an unknown dtype", storageWith(`{"device": "CPU", "dtype": «"int4", "count": 1}`), `dtype "int4" is not one that can be stored, such as "float32"`},
	{"a weak dtype", storageWith(`{"device": "CPU", "dtype": «"weak_int", "count": 1}`), `dtype "weak_int" is not one that can be stored`},
	{"a device that is a number", storageWith(`{"device": «0, "dtype": "int8", "count": 1}`), "a device is a number; it must be a string"},
	{"one of the devices is none", storageWith(`{"device": ["CPU", «null], "dtype": "int8", "count": 1}`), "a device is null; it must be a string"},
	{"no device", storageWith(`{"device": «[], "dtype": "int8", "count": 1}`), "no device is given"},
	{"a device without a name", storageWith(`{"device": «"", "dtype": "int8", "count": 1}`), "the name of device 0 is empty"},
	{"a NUL in a device", storageWith(`{"device": «"a\u0000", "dtype": "int8", "count": 1}`), "has a NUL at byte 1"},
	{"a count with an exponent", storageWith(`{"device": "CPU", "dtype": "int8", "count": «1e3}`), "count is 1e3; it must be an integer of 64 bits"},
	{"a count with a point", storageWith(`{"device": "CPU", "dtype": "int8", "count": «1.5}`), "count is 1.5; it must be an integer of 64 bits"},
	{"a count past 64 bits", storageWith(`{"device": "CPU", "dtype": "int8", "count": «9223372036854775808}`), "count is 9223372036854775808; it must be an integer of 64 bits"},
	{"a count in quotes", storageWith(`{"device": "CPU", "dtype": "int8", "count": «"1"}`), "count is a string; it must be an integer"},
	{"a count below 0", storageWith(`«{"device": "CPU", "dtype": "int8", "count": -1}`), "element count -1 is negative"},
	{"bytes past 63 bits", storageWith(`«{"device": "CPU", "dtype": "int16", "count": 9223372036854775807}`), "do not fit in 63 bits of bytes"},
	{"align 0", storageWith(`{"device": "CPU", "dtype": "int8", "count": 1, "align": «0}`), "align is 0; it must be 1, 2, 4, 8 or 16"},
	{"align 3", storageWith(`«{"device": "CPU", "dtype": "int8", "count": 1, "align": 3}`), "align 3 is not 1, 2, 4, 8 or 16"},
	{"phase 16", storageWith(`«{"device": "CPU", "dtype": "int8", "count": 1, "phase": 16}`), "phase 16 is not in [0, 16), below align"},
	{"held 1", storageWith(`{"device": "CPU", "dtype": "int8", "count": 1, "held": «1}`), "held is a number; it must be true or false"},
	{"slots are not for the text", storageWith(`{"device": "CPU", «"slot": 1}`), `key "slot" is not known in a storage`},

	{"an entry that is a number", scheduleWith(`«0`), "an entry is a number; it must be an object"},
	{"an entry of nothing", scheduleWith(`«{}`), `an entry has either a "call" or a "loop"; this one has 0 of them`},
	{"an entry of both", scheduleWith(`«{"call": {}, "loop": {}}`), "this one has 2 of them"},
	{"a call without arguments", scheduleWith(`{"call": «{"body": "sink"}}`), `a call has a "body" and "args"`},
	{"a call without body", scheduleWith(`{"call": «{"args": []}}`), `a call has a "body" and "args"`},
	{"an unknown body", scheduleWith(`{"call": {"body": «"linear", "args": []}}`), `body is "linear"; it must be one of`},
	{"arguments that are a number", scheduleWith(`{"call": {"body": "sink", "args": «0}}`), "args is a number; it must be an array"},
	{"a loop without entries", scheduleWith(`{"loop": «{"kind": "end"}}`), `a loop has a "kind" and "entries"`},
	{"an unknown loop", scheduleWith(`{"loop": {"kind": «"while", "entries": []}}`), `kind is "while"; it must be one of ["end" "backedge"]`},
	{"an end with a flag", scheduleWith(`{"loop": «{"kind": "end", "entries": [], "flag": 1}}`), `one of kind "end" has none`},
	{"a back edge without a flag", scheduleWith(`{"loop": «{"kind": "backedge", "entries": []}}`), `a loop of kind "backedge" has a "flag"`},
	{"a flag of ten", scheduleWith(`{"loop": «{"kind": "backedge", "entries": [], "flag": 0}}`), "is 10 elements of int8; it must be one bool"},
	{"a deep entry", scheduleWith(`{"loop": {"kind": "end", "entries": [{"loop": {"kind": "end", "entries": [«7]}}]}}`), "an entry is a number"},

	{"an index past the last", callWith(`«3`), "storage index 3 is not in [0, 3)"},
	{"a negative index", callWith(`«-1`), "storage index -1 is not in [0, 3)"},
	{"an index with a point", callWith(`«0.0`), "an argument is 0.0; it must be an integer of 64 bits"},
	{"an argument that is a list", callWith(`«[0]`), "an argument is an array; it must be an integer"},
	{"an argument that is null", callWith(`«null`), "an argument is null; it must be an integer"},
	{"a view of nothing", callWith(`«{"shrink": [0, 1]}`), `with an "of", or "mstack" alone`},
	{"a view of two kinds", callWith(`«{"shrink": [0, 1], "bitcast": "int8", "of": 0}`), `a view is one of "shrink"`},
	{"only an of", callWith(`«{"of": 0}`), `a view is one of "shrink"`},
	{"a stack of something", callWith(`«{"mstack": [0], "of": 0}`), `"mstack" has no "of"`},
	{"an empty stack", callWith(`«{"mstack": []}`), "source 0 is missing"},
	{"an unknown view", callWith(`{«"reshape": [0, 1], "of": 0}`), `key "reshape" is not known in a view`},
	{"a shrink of one number", callWith(`{"shrink": «[0], "of": 0}`), "shrink has 1 numbers; it must be [start, length]"},
	{"a shrink by name", callWith(`{"shrink": [«"0", 1], "of": 0}`), "start is a string; it must be an integer"},
	{"a shrink past the end", callWith(`«{"shrink": [9, 2], "of": 0}`), "elements [9, +2) do not lie within the 10 elements"},
	{"a bitcast that does not divide", callWith(`«{"bitcast": "int32", "of": 0}`), "the 10 bytes of its source"},
	{"a bitcast to nothing", callWith(`{"bitcast": «"void", "of": 0}`), `dtype "void" is not one that can be stored`},
	{"a shard too many", callWith(`«{"mselect": 2, "of": 2}`), "shard 2 is not in [0, 2)"},
	{"a shard of one device", callWith(`«{"mselect": 0, "of": 0}`), "it must be on several"},
	{"effects that are a number", callWith(`{"after": «0, "of": 0}`), "after is a number; it must be an array"},
	{"an effect that is no argument", callWith(`{"after": [{«"call": {}}], "of": 0}`), `key "call" is not known in a view`},
	{"deep in views", callWith(`{"after": [0], "of": {"shrink": [0, 2], "of": «{"shrink": [9, 2], "of": 0}}}`), "elements [9, +2) do not lie within"},
}

func TestWrongSchedules(t *testing.T) {
	for _, c := range wrongSchedules {
		t.Run(c.name, func(t *testing.T) {
			wrong, at := unmark(t, c.text)
			g := ir.NewGraph()
			_, err := text.ReadSchedule(g, wrong)
			requireFault(t, err, wrong, at, c.message)
			require.Zero(t, g.Len())
			require.NoError(t, g.Check())
		})
	}
}

// unmark is a marked text without its mark, and where that was.
func unmark(t *testing.T, marked string) ([]byte, int) {
	at := strings.Index(marked, mark)
	require.GreaterOrEqual(t, at, 0, "no mark")
	return []byte(strings.Replace(marked, mark, "", 1)), at
}

func requireFault(t *testing.T, err error, wrong []byte, at int, message string) {
	t.Helper()
	var fault *text.Error
	require.ErrorAs(t, err, &fault)
	require.Contains(t, fault.Message, message)
	before := string(wrong[:at])
	line, column := 1+strings.Count(before, "\n"), at-strings.LastIndex(before, "\n")
	require.Equal(t, []int{at, line, column}, []int{fault.Offset, fault.Line, fault.Column}, "%v", err)
	require.Equal(t, fmt.Sprintf("line %d, column %d (byte %d): %s", line, column, at, fault.Message), err.Error())
}

func TestWrongRequests(t *testing.T) {
	const empty = `{"tolk_schedule": 1, "storage": [], "entries": []}`
	options := func(o string) string { return `{"schedule": ` + empty + `, "options": ` + o + `}` }
	for _, c := range []struct{ name, text, message string }{
		{"a list", `«[]`, "the request is an array; it must be an object"},
		{"an object of nothing", `«{}`, `the schedule has no "tolk_schedule"`},
		{"both", `«{"schedule": ` + empty + `, "lifetimes": []}`, `a request has either a "schedule" or "lifetimes"`},
		{"neither", `«{"options": {}}`, `a request has either a "schedule" or "lifetimes"`},
		{"options in a schedule", `{«"tolk_schedule": 1, "storage": [], "entries": [], "options": {}}`, `key "tolk_schedule" is not known in the request`},
		{"options that are a list", options(`«[]`), "the options is an array; it must be an object"},
		{"an unknown option", options(`{«"held": []}`), `key "held" is not known in the options`},
		{"an unknown placer", options(`{"placer": «"worst"}`), `placer is "worst"; it must be tlsf, best, first-fit or best-fit`},
		{"a placer by number", options(`{"placer": «1}`), "placer is a number; it must be a string"},
		{"unknown copies", options(`{"copies": «"none"}`), `copies is "none"; it must be one of ["shared" "apart"]`},
		{"granule 0", options(`{"granule": «0}`), "granule is 0; it must be a power of two up to 1 GiB"},
		{"granule 3", options(`{"granule": «3}`), "granule is 3; it must be a power of two up to 1 GiB"},
		{"granule past 1 GiB", options(`{"granule": «2147483648}`), "it must be a power of two up to 1 GiB"},
		{"negative effort", options(`{"effort": «-1}`), "effort is -1; it must not be negative"},
		{"negative time", options(`{"time_limit_ms": «-1}`), "time_limit_ms is -1; it must not be negative"},
		{"off by number", options(`{"no_memory_planner": «1}`), "no_memory_planner is a number; it must be true or false"},
		{"debug by name", options(`{"debug": «"1"}`), "debug is a string; it must be an integer"},
		{"lifetimes that are none", `{"lifetimes": «{}}`, "lifetimes is an object; it must be an array"},
		{"a lifetime of two", `{"lifetimes": [[0, 1, 5], «[0, 1]]}`, "a lifetime has 2 numbers; it must be [first, end, bytes]"},
		{"a lifetime of names", `{"lifetimes": [[0, «"1", 5]]}`, "end is a string; it must be an integer"},
		{"a lifetime of nothing", `{"lifetimes": [«[1, 1, 5]]}`, "the lifetime [1, 1) is empty; first must be below end"},
		{"fewer bytes than none", `{"lifetimes": [[0, 1, «-5]]}`, "bytes is -5; it must not be negative"},
		{"a schedule inside that is wrong", "{\"schedule\":\n {\"tolk_schedule\": «7, \"storage\": [], \"entries\": []}}", "tolk_schedule is 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong, at := unmark(t, c.text)
			_, err := text.Answer(context.Background(), wrong, nil)
			requireFault(t, err, wrong, at, c.message)
		})
	}
}

func TestDeepNestingIsRefusedWithoutRecursion(t *testing.T) {
	const deep = 100000
	for _, wrong := range []string{
		strings.Repeat("[", deep), strings.Repeat(`{"a":`, deep), strings.Repeat("[", deep) + strings.Repeat("]", deep),
		`{"storage":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`,
		callWith(strings.Repeat(`{"mstack": [`, deep) + `7` + strings.Repeat(`]}`, deep)),
	} {
		_, err := text.Answer(context.Background(), []byte(wrong), nil)
		var fault *text.Error
		require.ErrorAs(t, err, &fault)
	}
}

// TestReplacementCharactersAreNoSurrogates reads names that the decoder could have made of halves of pairs.
func TestReplacementCharactersAreNoSurrogates(t *testing.T) {
	for _, name := range []string{`�`, `\ufffd`, `\uFFFD\ud83d\ude00`, `�\\ud800`} {
		_, err := text.ReadSchedule(ir.NewGraph(), []byte(`{"tolk_schedule": 1, "storage": [{"device": "`+name+`", "dtype": "int8", "count": 1}], "entries": []}`))
		require.NoError(t, err, name)
	}
}
