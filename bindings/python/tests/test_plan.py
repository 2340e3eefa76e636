"""Planning, and reading plans."""

import gc
import unittest

import tolk_memory as tm

from .support import chain

try:
    import numpy
except ImportError:
    numpy = None


class Planning(unittest.TestCase):
    def setUp(self) -> None:
        self.graph = tm.Graph()
        self.addCleanup(self.graph.close)

    def test_a_chain_takes_two_buffers(self) -> None:
        schedule, last = chain(self.graph, 10)
        for placer in tm.Placer:
            plan = self.graph.plan(schedule, [last], placer=placer)
            plan.verify()
            (arena,) = plan.arenas
            self.assertEqual((arena.size, arena.lower_bound, arena.devices, arena.copies), (2 * 4096, 2 * 4096, ("CPU",), False))
            self.assertEqual((arena.op.kind, arena.op.bytes), (tm.Kind.BUFFER, arena.size))
            self.assertEqual(plan.totals, (10 * 4096, 2 * 4096, 2 * 4096, True))
            self.assertEqual(arena.proof, tm.Proof.EQUALS_BOUND)

    def test_what_a_plan_lists(self) -> None:
        schedule, last = chain(self.graph, 3)
        plan = self.graph.plan(schedule, [last])
        places = list(plan.places)
        self.assertEqual([(p.first, p.end, p.place, p.bytes, p.need) for p in places],
                         [(0, 2, 0, 4096, 4096), (0, 1, 4096, 4096, 4096), (1, 3, 4096, 4096, 4096)])
        self.assertEqual(plan.entries.tolist(), [0, 2, 4, 6])
        self.assertEqual([b.entry for b in plan.binds], [0, 0, 1, 1, 2, 2])
        self.assertEqual(plan.binds[-2].arena, tm.NO_ARENA)
        self.assertEqual(plan.binds[-2].storage, last)
        self.assertEqual(plan.arenas[0].live.tolist(), [0, 1])
        self.assertEqual(len(plan.schedule.sources), 3)
        self.assertIn("3 buffers of 12288 bytes in 1 arena of 8192 bytes", repr(plan))

    def test_tables_are_sequences(self) -> None:
        schedule, _ = chain(self.graph, 6)
        binds = self.graph.plan(schedule).binds
        everything = list(binds)
        self.assertEqual(everything, [binds[i] for i in range(len(binds))])
        self.assertEqual(binds[-1], everything[-1])
        self.assertEqual(list(binds[3:7]), everything[3:7])
        self.assertEqual(list(binds[3:7][1:]), everything[4:7])
        self.assertEqual(list(binds[9:2]), [])
        self.assertEqual(binds.index(everything[4]), 4)
        for wrong in (12, -13):
            with self.assertRaises(IndexError):
                binds[wrong]
        with self.assertRaises(ValueError):
            binds[::2]
        self.assertIn("12 Bind", repr(binds))
        empty = self.graph.plan(self.graph.linear([]))
        self.assertEqual((list(empty.binds), list(empty.places), empty.arenas, empty.entries.tolist()), ([], [], [], [0]))

    def test_views_outlive_all(self) -> None:
        graph = tm.Graph()
        schedule, _ = chain(graph, 50)
        plan = graph.plan(schedule)
        binds, view, entries, live = plan.binds, plan.places.view, plan.entries, plan.arenas[0].live
        part, text = binds[10:20], plan.binds.view.tobytes()
        want = list(part)
        plan.close()
        graph.close()
        del plan, graph
        gc.collect()
        self.assertEqual(list(part), want)
        self.assertEqual(binds.view.tobytes(), text)
        self.assertEqual((len(entries), len(view), view.itemsize, live[0] < 51), (51, 51, 64, True))
        self.assertTrue(view.readonly and entries.readonly and binds.view.readonly)

    @unittest.skipIf(numpy is None, "numpy is not installed")
    def test_numpy_reads_without_a_copy(self) -> None:
        schedule, _ = chain(self.graph, 20)
        plan = self.graph.plan(schedule)
        want = [bind.offset for bind in plan.binds]
        for array in (numpy.asarray(plan.binds), numpy.asarray(plan.binds.view), numpy.frombuffer(plan.binds.view, numpy.asarray(plan.binds).dtype)):
            self.assertEqual(array["offset"].tolist(), want)
            self.assertFalse(array.flags.writeable)
        kept = numpy.asarray(plan.binds)
        self.assertEqual(numpy.asarray(plan.entries).tolist(), plan.entries.tolist())
        plan.close()
        del plan
        gc.collect()
        self.assertEqual(kept["offset"].tolist(), want)

    def test_options(self) -> None:
        g = self.graph
        copy, compute = g.store("copy"), g.program("run")
        a, b, c = (g.buffer("int8", 100, "CPU") for _ in range(3))
        schedule = g.linear([g.call(copy, [a]), g.call(compute, [b]), g.call(compute, [c, a])])
        self.assertEqual(g.plan(schedule, granule=64).totals.before, 3 * 128)
        apart = g.plan(schedule, copies="apart")
        self.assertEqual([arena.copies for arena in apart.arenas], [True, False])
        self.assertEqual(g.plan(schedule, no_memory_planner=True).schedule, schedule)
        self.assertEqual(g.plan(schedule, capacities={"CPU": 1024}).totals.after, 512)
        with self.assertRaisesRegex(tm.InfeasibleError, "CPU"):
            g.plan(schedule, capacities={"CPU": 256})
        self.assertEqual(g.plan(schedule, placer="first-fit", effort=10, time_limit_ms=1000, debug=0).totals.after, 512)

    def test_wrong_use(self) -> None:
        g = self.graph
        schedule, last = chain(g)
        other = tm.Graph()
        rows = [
            (lambda: g.plan(last), tm.WrongKindError, "LINEAR"),
            (lambda: g.plan(0), tm.InvalidOpError, ""),
            (lambda: other.plan(schedule), tm.InvalidOpError, ""),
            (lambda: g.plan(schedule, [0]), tm.InvalidOpError, "held"),
            (lambda: g.plan(schedule, placer="worst"), tm.InvalidArgumentError, "there are tlsf"),
            (lambda: g.plan(schedule, placer=9), ValueError, "9"),
            (lambda: g.plan(schedule, granule=3), tm.InvalidArgumentError, "granule"),
            (lambda: g.plan(schedule, granule=1 << 80), tm.SizeOverflowError, "granule"),
            (lambda: g.plan(schedule, capacities={"CPU": 0}), tm.InvalidArgumentError, "capacit"),
            (lambda: g.plan(1 << 70), tm.SizeOverflowError, "schedule"),
        ]
        for fail, kind, message in rows:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                fail()
        other.close()

    def test_use_after_close(self) -> None:
        schedule, _ = chain(self.graph)
        with self.graph.plan(schedule) as plan:
            self.assertFalse(plan.closed)
        plan.close()
        for use in (lambda: plan.binds, lambda: plan.totals, lambda: plan.entries, plan.verify, plan.text, lambda: plan.arenas):
            with self.assertRaisesRegex(tm.InvalidHandleError, "this Plan is closed"):
                use()
        self.assertEqual(repr(plan), "<Plan, closed>")

    def test_a_plan_outlives_its_graph(self) -> None:
        graph = tm.Graph()
        schedule, _ = chain(graph)
        plan = graph.plan(schedule)
        graph.close()
        self.assertEqual(len(plan.binds), 6)
        self.assertIn("closed graph", repr(plan.arenas[0].op))
        with self.assertRaises(tm.InvalidHandleError):
            plan.text()


if __name__ == "__main__":
    unittest.main()
