package planner_test

import (
	"testing"

	"pgregory.net/rapid"
)

// FuzzPlan draws schedules of every shape: by the rules each is planned as the naive planner does, and by any options no two
// buffers that live at once share a byte.
func FuzzPlan(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		schedule, held := drawSchedule(t)
		requirePlanOfTheRules(t, schedule, held)
		requireApart(t, plan(t, schedule, drawOptions(t, held)))
	}))
}
