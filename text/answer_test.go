package text_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/text"
)

// Buffers of 256, 512 and 100 bytes; the first and the last do not live together, and the last is copied:
//
//	entry    0  1  2
//	0        x
//	1        x  x
//	2           x  c
const three = `{"tolk_schedule": 1, "storage": [
 {"device": "CPU", "dtype": "int8", "count": 256}, {"device": "CPU", "dtype": "int8", "count": 512}, {"device": "CPU", "dtype": "int8", "count": 100}],
 "entries": [{"call": {"body": "sink", "args": [0, 1]}}, {"call": {"body": "sink", "args": [1, 2]}}, {"call": {"body": "store", "args": [2]}}]}`

func TestAnswers(t *testing.T) {
	const taken = `,"taken":[[0,1],[1,2],[2]]`
	const shared = `{"arenas":[{"device":"CPU","size":768}],"places":{"0":[0,0],"1":[0,256],"2":[0,0]},"before":1024,"after":768,"lower_bound":768` + taken + `,"optimal":true}`
	const lifetimes = `[[0, 2, 5], [1, 3, 6], [2, 3, 4]]`
	for _, c := range []struct{ name, request, answer string }{
		{"a bare schedule", three, shared},
		{"a schedule", `{"schedule": ` + three + `}`, shared},
		{"no options", `{"options": {}, "schedule": ` + three + `}`, shared},
		{"all options", `{"schedule": ` + three + `, "options": {"placer": "tlsf", "copies": "shared", "granule": 256, "effort": 9, "time_limit_ms": 100000, "no_memory_planner": false, "debug": 0}}`, shared},
		{"a time past all clocks", `{"schedule": ` + three + `, "options": {"time_limit_ms": 9223372036854775807}}`, shared},
		{"best", `{"schedule": ` + three + `, "options": {"placer": "best", "granule": 4}}`,
			`{"arenas":[{"device":"CPU","size":768}],"places":{"0":[0,512],"1":[0,0],"2":[0,512]},"before":868,"after":768,"lower_bound":768` + taken + `,"optimal":true}`},
		{"copies apart", `{"schedule": ` + three + `, "options": {"copies": "apart"}}`,
			`{"arenas":[{"device":"CPU","size":768},{"device":"CPU","size":256}],"places":{"0":[0,0],"1":[0,256],"2":[1,0]},"before":1024,"after":1024,"lower_bound":1024` + taken + `,"optimal":true}`},
		{"off", `{"schedule": ` + three + `, "options": {"no_memory_planner": true}}`,
			`{"arenas":[],"places":{},"before":0,"after":0,"lower_bound":0` + taken + `}`},
		{"an empty schedule", `{"tolk_schedule": 1, "storage": [], "entries": []}`,
			`{"arenas":[],"places":{},"before":0,"after":0,"lower_bound":0,"taken":[]}`},
		{"lifetimes", `{"lifetimes": ` + lifetimes + `}`, `{"size":11,"offsets":[0,5,0],"lower_bound":11,"optimal":true}`},
		{"lifetimes, best", `{"lifetimes": ` + lifetimes + `, "options": {"placer": "best"}}`, `{"size":11,"offsets":[6,0,6],"lower_bound":11,"optimal":true}`},
		{"lifetimes in steps of 8", `{"lifetimes": ` + lifetimes + `, "options": {"granule": 8}}`, `{"size":16,"offsets":[0,8,0],"lower_bound":16,"optimal":true}`},
		{"no lifetimes", `{"lifetimes": []}`, `{"size":0,"offsets":[],"lower_bound":0,"optimal":true}`},
		{"lifetimes far apart", `{"lifetimes": [[-9223372036854775808, 0, 1], [0, 9223372036854775807, 1]]}`, `{"size":1,"offsets":[0,0],"lower_bound":1,"optimal":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := text.Answer(context.Background(), []byte(c.request), func(line string) { t.Error(line) })
			require.NoError(t, err)
			require.Equal(t, c.answer, string(got))
		})
	}
}

func TestAnswersTellWhatIsSaved(t *testing.T) {
	var lines []string
	_, err := text.Answer(context.Background(), []byte(`{"schedule": `+three+`, "options": {"debug": 1}}`), func(line string) { lines = append(lines, line) })
	require.NoError(t, err)
	require.Equal(t, []string{"memory reduced from 0.00 MB -> 0.00 MB, 3 -> 1 bufs"}, lines)
}
