"""tinygrad's planner: from a schedule to the same on arenas. The schedule is that of internal/generate's ScheduleOf."""
from tinygrad.dtype import dtypes
from tinygrad.schedule.memory import memory_plan_rewrite
from tinygrad.uop.ops import Ops, UOp

import workload


def schedule_of(w):
    arguments = [[] for _ in range(max(w.ends))]
    for need, first, end in zip(w.needs, w.firsts, w.ends):
        buffer = UOp.new_buffer("CPU", need, dtypes.uint8)
        arguments[first].append(buffer)
        if end - 1 > first:
            arguments[end - 1].append(buffer)
    body = UOp(Ops.SINK)
    return UOp(Ops.LINEAR, dtypes.void, tuple(UOp(Ops.CALL, dtypes.void, (body, *a)) for a in arguments))


def arena_bytes(schedule):
    arenas = {u for u in schedule.toposort() if u.op is Ops.BUFFER}
    return sum(a.max_numel() * a.dtype.itemsize for a in arenas)


def report():
    w = workload.read()
    for _ in range(w.runs if w else 0):
        schedule = schedule_of(w)
        began = workload.time.process_time_ns()
        planned = memory_plan_rewrite(schedule, set())
        took = workload.time.process_time_ns() - began
        print(arena_bytes(planned), took)


report()
