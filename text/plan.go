package text

import (
	"fmt"
	"strconv"

	"libtolk_memory/ir"
	"libtolk_memory/planner"
)

// WritePlan is the text of the plan of a schedule, the given one and not the
// rewritten. Storage is numbered as in [WriteSchedule] of it.
func WritePlan(schedule ir.Node, plan *planner.Plan) ([]byte, error) {
	number, err := numberStorage(schedule)
	if err != nil {
		return nil, err
	}
	return planText(schedule, plan, number)
}

func planText(schedule ir.Node, plan *planner.Plan, number map[ir.Op]int) ([]byte, error) {
	text := []byte(`{"arenas":[`)
	for i, a := range plan.Arenas {
		text = append(text, comma(i)...)
		text = fmt.Appendf(text, `{"device":%s,"size":%d}`, devicesText(a.Devices), a.Size)
	}
	text = append(text, `],"places":{`...)
	for i, p := range plan.Places {
		text = append(text, comma(i)...)
		text = fmt.Appendf(text, `"%d":[%d,%d]`, number[p.Buffer], p.Arena, p.Offset)
	}
	text = fmt.Appendf(text, `},"before":%d,"after":%d,"lower_bound":%d,"taken":[`, plan.Before, plan.After, plan.LowerBound)
	text, err := appendTaken(text, schedule, number)
	if err != nil {
		return nil, err
	}
	text = append(text, ']')
	if len(plan.Arenas) > 0 && plan.Optimal() {
		text = append(text, `,"optimal":true`...)
	}
	return append(text, '}'), nil
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func appendTaken(text []byte, schedule ir.Node, number map[ir.Op]int) ([]byte, error) {
	for entry := range schedule.NumSources() {
		taken, err := planner.Taken(schedule.Source(entry))
		if err != nil {
			return nil, err
		}
		text = append(append(text, comma(entry)...), '[')
		for i, s := range taken {
			text = append(text, comma(i)...)
			text = strconv.AppendInt(text, int64(number[s.Op()]), 10)
		}
		text = append(text, ']')
	}
	return text, nil
}
