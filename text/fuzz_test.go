package text_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"libtolk_memory/ir"
	"libtolk_memory/placement"
	"libtolk_memory/planner"
	"libtolk_memory/text"
)

// FuzzReadSchedule reads any text: it is refused and leaves nothing, or is a schedule that is written and read back.
func FuzzReadSchedule(f *testing.F) {
	f.Fuzz(func(t *testing.T, request []byte) {
		g := ir.NewGraph()
		s, err := text.ReadSchedule(g, request)
		require.NoError(t, g.Check())
		if err != nil {
			var fault *text.Error
			require.ErrorAs(t, err, &fault)
			require.LessOrEqual(t, fault.Offset, len(request))
			require.Positive(t, fault.Line)
			require.Positive(t, fault.Column)
			require.Zero(t, g.Len())
			return
		}
		schedule, err := g.Node(s.Op)
		require.NoError(t, err)
		if _, err := planner.MemoryPlanRewrite(context.Background(), schedule, planner.Options{Held: s.Held}); err != nil {
			requireTooLarge(t, err)
			return
		}
		written, err := text.WriteSchedule(schedule, s.Name, s.Held)
		require.NoError(t, err)
		again, other := read(t, written)
		require.Equal(t, s.Name, other.Name)
		requireSamePlan(t, plan(t, schedule, s.Held, planner.CopiesShared), plan(t, again, other.Held, planner.CopiesShared))
		requireSameTaken(t, schedule, again)
	})
}

func requireTooLarge(t *testing.T, err error) {
	var fault *planner.Error
	require.ErrorAs(t, err, &fault)
	require.Equal(t, planner.Overflow, fault.Kind)
}

// FuzzAnswer answers any request: with JSON, or with one of the errors that it may give.
func FuzzAnswer(f *testing.F) {
	f.Fuzz(func(t *testing.T, request []byte) {
		// A request may ask for any effort.
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		answer, err := text.Answer(ctx, request, func(string) {})
		if err == nil {
			require.True(t, json.Valid(answer), "%s", answer)
			return
		}
		require.Nil(t, answer)
		require.True(t, isKnown(err), "%T: %v", err, err)
	})
}

func isKnown(err error) bool {
	var wrongText *text.Error
	var wrongPlan *planner.Error
	var wrongProblem *placement.Error
	return errors.As(err, &wrongText) || errors.As(err, &wrongPlan) || errors.As(err, &wrongProblem)
}

// Reading takes memory in proportion to the text, whatever stands in it.
func TestReadingTakesMemoryLikeTheText(t *testing.T) {
	const many = 100000
	for name, request := range map[string]string{
		"nesting":   strings.Repeat("[", many),
		"objects":   strings.Repeat(`{"a":`, many),
		"a list":    "[" + strings.Repeat("1,", many) + "1]",
		"one key":   `{"a":1` + strings.Repeat(`,"a":1`, many) + "}",
		"one word":  `"` + strings.Repeat("a", many) + `"`,
		"arguments": callWith("0" + strings.Repeat(",0", many)),
		"views":     callWith(strings.Repeat(`{"after":[1],"of":`, many) + "0" + strings.Repeat("}", many)),
		"stacks":    callWith(strings.Repeat(`{"mstack":[`, many) + "0" + strings.Repeat("]}", many)),
		"entries":   scheduleWith(`{"call":{"body":"sink","args":[]}}` + strings.Repeat(`,{"call":{"body":"sink","args":[]}}`, many)),
		"loops":     scheduleWith(strings.Repeat(`{"loop":{"kind":"end","entries":[`, many) + strings.Repeat("]}}", many)),
		"lifetimes": `{"lifetimes":[[0,1,1]` + strings.Repeat(",[0,1,1]", many) + "]}",
	} {
		before := allocated()
		_, _ = text.Answer(context.Background(), []byte(request), nil)
		require.Less(t, allocated()-before, uint64(1<<20+400*len(request)), name)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
