"""Nothing is left behind."""

import gc
import resource
import sys
import unittest
from array import array
from collections import Counter

import tolk_memory as tm
from tolk_memory._handles import Owner

from .support import chain


def living() -> "Counter[str]":
    gc.collect()
    ours = (kind for kind in map(type, gc.get_objects()) if kind.__module__.startswith("tolk_memory"))
    return Counter(kind.__name__ for kind in ours)


def session() -> None:
    with tm.Graph() as graph:
        schedule, last = chain(graph)
        with graph.plan(schedule, [last], placer="best", progress=lambda at: None) as plan:
            plan.verify(), list(plan.binds), plan.arenas, plan.text(), plan.binds.view, graph.read(graph.write(schedule))
        batch = graph.batch()
        batch.const(1)
        batch.build()
        for wrong in (lambda: graph.shrink(last, -1, 5), lambda: graph.plan(last), lambda: graph.read("{")):
            try:
                wrong()
            except tm.Error:
                pass
    with tm.Allocator(4096) as allocator:
        allocator.alloc(5)


class Leaks(unittest.TestCase):
    def test_objects_are_let_go(self) -> None:
        session()
        before = living()
        for _ in range(50):
            session()
        self.assertEqual(living(), before)

    def test_nothing_needs_the_collector(self) -> None:
        session()
        gc.collect()
        gc.disable()
        try:
            destroyed = []
            graph = tm.Graph()
            schedule, _ = chain(graph)
            plan = graph.plan(schedule)
            first = plan._owner
            plan._owner = Owner(first.number, destroyed.append)
            binds = plan.binds
            plan.close()
            self.assertEqual(destroyed, [], "the table still reads it")
            del binds
            self.assertEqual(len(destroyed), 1)
        finally:
            gc.enable()

    @unittest.skipUnless(sys.platform.startswith("linux"), "ru_maxrss is in kilobytes on Linux")
    def test_plans_leave_memory_flat(self) -> None:
        def plans(count: int) -> int:
            for _ in range(count):
                with tm.Graph() as graph:
                    schedule, _ = chain(graph, 100)
                    graph.plan(schedule).close()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = plans(100)
        self.assertLess(plans(400) - before, 20_000, "kilobytes more after 400 plans of 100 calls")


class Many(unittest.TestCase):
    def test_a_million_ops(self) -> None:
        count = 1_000_000
        with tm.Graph() as graph:
            value = graph.buffer("float32", 2 * count, "CPU")
            ops = graph.build(count, tm.Kind.SHRINK, sources=array("Q", [value]) * count, source_count=1, value=range(count), limit=1)
            self.assertEqual(len(set(ops.numbers)), count)
            self.assertEqual(ops[-1], graph.shrink(value, count - 1, 1))
            self.assertGreater(len(graph), count)


if __name__ == "__main__":
    unittest.main()
