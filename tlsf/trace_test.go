package tlsf

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"libtolk_memory/internal/fixture"
)

// create is the arguments of New.
type create struct {
	Size      int64 `json:"size"`
	Base      int64 `json:"base"`
	BlockSize int64 `json:"block_size"`
	ListCount int64 `json:"lv2_cnt"`
}

// A trace is an allocator's life with the addresses that it must give.
type trace struct {
	Name   string `json:"name"`
	Create create `json:"create"`
	Steps  []step `json:"steps"`
}

type step struct {
	call     string
	n, align int64
	address  *int64 // nil for no room
}

// UnmarshalJSON reads ["alloc", n, align, address | null] or ["free", address].
func (s *step) UnmarshalJSON(text []byte) error {
	var fields []any
	if err := json.Unmarshal(text, &[]any{&s.call}); err != nil {
		return err
	}
	switch s.call {
	case "alloc":
		fields = []any{&s.call, &s.n, &s.align, &s.address}
	case "free":
		fields = []any{&s.call, &s.address}
	default:
		return fmt.Errorf("%s: no such call", text)
	}
	want := len(fields)
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if len(fields) != want {
		return fmt.Errorf("%s: want %d fields", text, want)
	}
	return nil
}

func TestTraces(t *testing.T) {
	replay(t, fixture.Path(t, "tlsf.jsonl"))
}

func TestSharedTraces(t *testing.T) {
	replay(t, fixture.Shared(t, "vectors", "tlsf.jsonl"))
}

func replay(t *testing.T, path string) {
	traces := fixture.Lines[trace](t, path)
	require.NotEmpty(t, traces)
	for _, trace := range traces {
		t.Run(trace.Name, trace.run)
	}
}

func (tr trace) run(t *testing.T) {
	require.NotEmpty(t, tr.Steps)
	p := newPair(t, tr.Create)
	for i, s := range tr.Steps {
		if s.call == "free" {
			require.NoError(t, p.allocator.Free(*s.address), "step %d", i)
			require.True(t, p.model.free(*s.address), "step %d", i)
			continue
		}
		address, ok := p.alloc(t, s.n, s.align)
		require.Equal(t, s.address != nil, ok, "step %d: Alloc(%d, %d)", i, s.n, s.align)
		if ok {
			require.Equal(t, *s.address, address, "step %d: Alloc(%d, %d)", i, s.n, s.align)
		}
	}
	p.compare(t)
}
