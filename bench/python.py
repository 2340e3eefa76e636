"""Measures the Python binding: what an op costs, singly and in bulk, and what reading a plan does.

    PYTHONPATH=bindings/python TOLK_MEMORY_LIBRARY=build/libtolk_memory.so python3 bench/python.py
"""

import sys
import time
from array import array
from typing import Callable

import tolk_memory as tm

MANY = 1_000_000


def measure(what: str, count: int, work: Callable[[], object]) -> None:
    """Prints the time of one of count, the best of three runs, since the machine has other things to do."""
    best = min(timed(work) for _ in range(3))
    print(f"{what:<52} {1e9 * best / count:8.0f} ns")


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def singly(count: int) -> None:
    with tm.Graph() as graph:
        value = graph.buffer("float32", 2 * count, "CPU")
        for start in range(count):
            graph.shrink(value, start, 1)


def batched(count: int) -> None:
    with tm.Graph() as graph:
        value = graph.buffer("float32", 2 * count, "CPU")
        batch = graph.batch()
        for start in range(count):
            batch.shrink(value, start, 1)
        batch.build()


def columns(count: int) -> None:
    with tm.Graph() as graph:
        value = graph.buffer("float32", 2 * count, "CPU")
        graph.build(count, tm.Kind.SHRINK, sources=array("Q", [value]) * count, source_count=1, value=range(count), limit=1)


def chain(graph: tm.Graph, count: int) -> tm.Op:
    """A schedule of count calls, each of the buffer before and its own."""
    body = graph.program("step")
    buffers = graph.build(count + 1, tm.Kind.BUFFER, storage=tm.Storage("float32", 1024, "CPU")).numbers
    sources = array("Q", bytes(24 * count))
    rows = memoryview(sources)
    rows[0::3], rows[1::3], rows[2::3] = (memoryview(x) for x in (array("Q", [body]) * count, buffers[1:], buffers[:-1]))
    rows.release()
    return graph.linear(graph.build(count, tm.Kind.CALL, sources=sources, source_count=3).numbers)


def reading(plan: tm.Plan) -> int:
    return sum(bind.offset for bind in plan.binds)


def main() -> None:
    print(f"tolk_memory {tm.__version__}, Python {sys.version.split()[0]}")
    measure("build an op, one call each", MANY // 10, lambda: singly(MANY // 10))
    measure(f"build an op, {MANY} in a batch", MANY, lambda: batched(MANY))
    measure(f"build an op, {MANY} from columns", MANY, lambda: columns(MANY))
    with tm.Graph() as graph:
        schedule = chain(graph, MANY // 10)
        measure("plan a call of two arguments", MANY // 10, lambda: graph.plan(schedule).close())
        plan = graph.plan(schedule)
        measure("read a bind as a named tuple", len(plan.binds), lambda: reading(plan))
        measure("see all binds as a memoryview", 1, lambda: plan.binds.view)


if __name__ == "__main__":
    main()
