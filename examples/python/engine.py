"""A small engine: it runs a schedule on the CPU with and without planning, and compares the numbers.

It allocates each arena once and binds the arguments of each call by the plan's binds alone; it knows nothing of how they were planned.
"""

from array import array
from typing import Callable, Dict, List

import tolk_memory as tm

SIZE = 64


def matmul(out: memoryview, x: memoryview, weights: memoryview) -> None:
    columns = [weights[c::SIZE].tolist() for c in range(SIZE)]
    row = x.tolist()
    for c, column in enumerate(columns):
        out[c] = sum(a * b for a, b in zip(row, column))


def add(out: memoryview, x: memoryview, y: memoryview) -> None:
    out[:] = memoryview(array("f", map(float.__add__, x.tolist(), y.tolist())))


def relu(out: memoryview, x: memoryview) -> None:
    out[:] = memoryview(array("f", (max(0.0, value) for value in x.tolist())))


KERNELS: Dict[str, Callable[..., None]] = {"matmul": matmul, "add": add, "relu": relu}


class Model:
    """Layers of y = relu(x @ weights + x), as a schedule."""

    def __init__(self, graph: tm.Graph, layers: int) -> None:
        self.graph = graph
        self.input = graph.param("float32", SIZE, "CPU")
        self.weights = graph.param("float32", SIZE * SIZE, "CPU")
        self._entries: List[tm.Op] = []
        x = self.input
        for _ in range(layers):
            x = self._call("relu", self._call("add", self._call("matmul", x, self.weights), x))
        self.output = x
        self.schedule = graph.linear(self._entries)

    def _call(self, kernel: str, *inputs: tm.Op) -> tm.Op:
        out = self.graph.buffer("float32", SIZE, "CPU")
        self._entries.append(self.graph.call(self.graph.program(kernel), [out, *inputs]))
        return out


def run(plan: tm.Plan, inputs: "Dict[tm.Op, array[float]]") -> Dict[int, bytearray]:
    """The storage of a schedule once its calls have run."""
    graph = plan.graph
    storage: Dict[int, bytearray] = {op: bytearray(values.tobytes()) for op, values in inputs.items()}
    storage.update({arena.op: bytearray(arena.size) for arena in plan.arenas})
    for begin, end in zip(plan.entries, plan.entries[1:]):
        binds = plan.binds[begin:end]
        arguments = []
        for bind in binds:
            if bind.storage not in storage:
                storage[bind.storage] = bytearray(graph.op(bind.storage).bytes)
            arguments.append(memoryview(storage[bind.storage])[bind.offset : bind.offset + bind.bytes].cast("f"))
        KERNELS[graph.op(binds[0].call).sources[0].name](*arguments)
    return storage


def main() -> None:
    with tm.Graph() as graph:
        model = Model(graph, layers=8)
        inputs = {
            model.input: array("f", (0.5 - i % 3 for i in range(SIZE))),
            model.weights: array("f", ((i * 37 % 101 - 50) / 800 for i in range(SIZE * SIZE))),
        }
        numbers, plans = [], []
        for planned in (False, True):
            with graph.plan(model.schedule, [model.output], placer="best", no_memory_planner=not planned) as plan:
                numbers.append(run(plan, inputs)[model.output])
                plans.append(plan.totals)
        assert numbers[0] == numbers[1], "planning changed the numbers"
        assert any(numbers[0]), "the numbers say nothing"
        print(f"the same {SIZE} numbers, in {plans[1].after} bytes for {plans[1].before}")


if __name__ == "__main__":
    main()
