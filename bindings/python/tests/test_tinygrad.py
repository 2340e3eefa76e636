"""tinygrad with its memory planner replaced. Runs where tinygrad can be imported."""

import contextlib
import gzip
import importlib
import io
import json
import random
import sys
import unittest
from pathlib import Path
from unittest import mock

from .support import ROOT

try:
    from tinygrad import Tensor, TinyJit, dtypes
    from tinygrad.helpers import Context
    from tinygrad.schedule import memory
    from tinygrad.uop.ops import Ops, UOp
except ImportError as missing:
    raise unittest.SkipTest(f"tinygrad cannot be imported: {missing}")

import tolk_memory as tm
import tolk_memory.tinygrad as adapter

original = memory.memory_plan_rewrite


def call(buffers, is_copy=False):
    return UOp(Ops.CALL, src=(buffers[0].copy_to_device(buffers[-1].device) if is_copy else UOp(Ops.SINK), *buffers))


def random_linear(seed):
    """A schedule with copies, held buffers, several devices, parts of them, and buffers that are not planned."""
    draw = random.Random(seed)
    devices = ["NULL", "NULL:1", ("NULL", "NULL:1"), "DISK:file"]
    buffers = [UOp.new_buffer(draw.choice(devices), draw.randrange(1, 3000), draw.choice([dtypes.int8, dtypes.float32, dtypes.half])) for _ in range(40)]
    entries = []
    for at in range(60):
        near = buffers[max(0, at * 40 // 60 - 6) : at * 40 // 60 + 6]
        arguments = draw.sample(near, draw.randrange(1, 5))
        arguments = [a.mselect(draw.randrange(2)) if isinstance(a.device, tuple) and draw.random() < 0.5 else a for a in arguments]
        entries.append(call(arguments, draw.random() < 0.2))
    return UOp(Ops.LINEAR, src=tuple(entries)), set(draw.sample(buffers, 4))


def linear_of(schedule):
    """A captured schedule as tinygrad has it."""
    storage = [UOp.new_buffer(named(s["device"]), s["count"], getattr(dtypes, DTYPES.get(s["dtype"], s["dtype"]))) for s in schedule["storage"]]
    held = {op for op, s in zip(storage, schedule["storage"]) if s.get("held") or s.get("op", "buffer") != "buffer"}

    def argument(a):
        if isinstance(a, int):
            return storage[a]
        if "mstack" in a:
            parts = [argument(x) for x in a["mstack"]]
            return parts[0].mstack(*parts[1:])
        return argument(a["of"]).mselect(a["mselect"]) if "mselect" in a else argument(a["of"])

    entries = [call([argument(a) for a in entry["call"]["args"]], entry["call"]["body"] == "store") for entry in schedule["entries"]]
    return UOp(Ops.LINEAR, src=tuple(entries)), held, storage


DTYPES = {"float8_e4m3": "fp8e4m3", "float8_e5m2": "fp8e5m2"}


def named(device):
    return device if isinstance(device, str) else tuple(device)


def is_plain(schedule):
    """Whether tinygrad of today collects what the schedule takes: it looks through no views, and has no loops."""
    return all("call" in entry and not any(views(a) for a in entry["call"]["args"]) for entry in schedule["entries"])


def views(a):
    return isinstance(a, dict) and ("mselect" not in a and "mstack" not in a or any(views(x) for x in a.get("mstack", [a.get("of")])))


def arenas_of(linear, planned):
    """The arenas of a plan, in order of their slots."""
    new = planned.toposort().keys() - linear.toposort().keys()
    return sorted((op for op in new if op.op is Ops.BUFFER), key=lambda op: op.arg.slot)


def size_of(linear, planned):
    return sum(arena.nbytes() for arena in arenas_of(linear, planned))


class Installed(unittest.TestCase):
    def setUp(self):
        self.addCleanup(adapter.uninstall)

    def assert_same(self, linear, held):
        """That both planners give the same op, once the arenas, whose slots are fresh, are taken for each other."""
        theirs, ours = original(linear, held), memory.memory_plan_rewrite(linear, held)
        pairs = list(zip(arenas_of(linear, ours), arenas_of(linear, theirs), strict=True))
        self.assertEqual([(a.device, a.nbytes()) for a, _ in pairs], [(b.device, b.nbytes()) for _, b in pairs])
        self.assertIs(ours.substitute(dict(pairs), walk=True), theirs)

    def test_plans_are_tinygrads_to_the_byte(self):
        adapter.install(placer="tlsf")
        for seed in range(60):
            with self.subTest(seed=seed):
                self.assert_same(*random_linear(seed))

    def test_planning_what_was_planned_is_the_same_too(self):
        adapter.install()
        linear, held = random_linear(1)
        self.assert_same(original(linear, held), held)
        self.assert_same(UOp(Ops.LINEAR, src=()), set())

    def test_captures_are_planned_as_tinygrad_does_and_best_takes_less(self):
        tried, sizes = 0, [0, 0]
        for path in sorted((ROOT / "tests/data/captures").glob("*.json.gz")):
            capture = json.loads(gzip.decompress(path.read_bytes()))
            if not is_plain(capture["schedule"]):
                continue
            with self.subTest(path.name):
                linear, held, _ = linear_of(capture["schedule"])
                adapter.install(placer="tlsf")
                self.assert_same(linear, held)
                rule = size_of(linear, memory.memory_plan_rewrite(linear, held))
                adapter.install(placer="best")
                best = size_of(linear, memory.memory_plan_rewrite(linear, held))
                self.assertLessEqual(best, rule)
                if "plan_copies_apart" in capture:
                    self.assertEqual(rule, capture["plan_copies_apart"]["after"])
                sizes = [sizes[0] + rule, sizes[1] + best]
            tried += 1
        self.assertGreater(tried, 0)
        self.assertLess(sizes[1], sizes[0], f"over {tried} captures")

    def test_a_model_runs_and_gives_the_same_numbers(self):
        def model():
            weights = [Tensor([[(8 * r + c - 31.5) * 0.01 * (i + 1) for c in range(8)] for r in range(8)], device="PYTHON") for i in range(4)]

            @TinyJit
            def forward(x):
                for w in weights:
                    x = (x @ w + x).relu().contiguous()
                return x.realize()

            return [forward(Tensor([[float(i + c) for c in range(8)]], device="PYTHON").realize()).tolist() for i in range(4)]

        want = model()
        for placer in ("tlsf", "best"):
            adapter.install(placer=placer)
            with mock.patch.object(adapter, "_rewrite", side_effect=adapter._rewrite) as rewrite:
                self.assertEqual(model(), want)
            self.assertTrue(rewrite.called)

    def test_the_line_that_tinygrad_prints(self):
        linear, held = random_linear(2)
        lines = []
        adapter.install()
        for rewrite in (original, memory.memory_plan_rewrite):
            with Context(DEBUG=1), contextlib.redirect_stdout(io.StringIO()) as out:
                rewrite(linear, held)
            lines.append(out.getvalue())
        self.assertRegex(lines[0], r"^memory reduced from .*\n$")
        self.assertEqual(lines[0], lines[1])

    def test_tinygrads_switch(self):
        adapter.install()
        linear, held = random_linear(3)
        with Context(NO_MEMORY_PLANNER=1):
            self.assertIs(memory.memory_plan_rewrite(linear, held), linear)

    def test_what_no_device_has_is_left_to_tinygrad(self):
        adapter.install()
        big = UOp.new_buffer("NULL", 1 << 128, dtypes.int8)
        self.assert_same(UOp(Ops.LINEAR, src=(call([big]),)), set())

    def test_options_reach_the_planner(self):
        linear, held = random_linear(4)
        adapter.install(copies="shared")
        shared = len(arenas_of(linear, memory.memory_plan_rewrite(linear, held)))
        adapter.install(copies="apart")
        self.assertLess(shared, len(arenas_of(linear, memory.memory_plan_rewrite(linear, held))))

    def test_it_is_replaced_wherever_it_was_imported_to(self):
        holders = [importlib.import_module(name) for name in ("tinygrad.schedule", "tinygrad.schedule.memory", "tinygrad.engine.jit")]
        for options in ({}, {"placer": "best"}):
            adapter.install(**options)
            self.assertTrue(adapter.installed())
            self.assertEqual(len({holder.memory_plan_rewrite for holder in holders} | {original}), 2)
        adapter.uninstall()
        adapter.uninstall()
        self.assertFalse(adapter.installed())
        self.assertEqual({holder.memory_plan_rewrite for holder in holders}, {original})

    def test_wrong_options_replace_nothing(self):
        for options, kind in (({"placer": "worst"}, tm.InvalidArgumentError), ({"copies": "none"}, tm.InvalidArgumentError), ({"speed": 9}, TypeError)):
            with self.assertRaises(kind):
                adapter.install(**options)
            self.assertIs(memory.memory_plan_rewrite, original)

    def test_an_unknown_tinygrad_is_refused_by_name(self):
        def other(linear, held):
            raise AssertionError

        rows = [(memory, "_can_plan", None, "has no _can_plan"), (memory, "_can_plan", lambda b: True, "takes no held_bufs"),
                (memory, "memory_plan_rewrite", other, "takes no held_bufs"), (UOp, "substitute", lambda self, dvars: self, "takes no name")]
        for holder, name, there, message in rows:
            kept = getattr(holder, name)
            with self.subTest(message), mock.patch.object(holder, name):
                delattr(holder, name) if there is None else setattr(holder, name, there)
                with self.assertRaisesRegex(adapter.UnknownTinygradError, rf"made for tinygrad 0\.13\.0.*{message}"):
                    adapter.install()
            self.assertIs(getattr(holder, name), kept)
            self.assertFalse(adapter.installed())

    def test_tinygrads_own_tests(self):
        checkout = Path(sys.modules["tinygrad"].__file__).parents[1]
        if not (checkout / "test/null/test_memory_planner.py").exists():
            self.skipTest("this tinygrad came without its tests")
        for placer in tm.Placer:
            adapter.install(placer=placer)
            with self.subTest(placer), mock.patch.object(sys, "path", [str(checkout), *sys.path]):
                sys.modules.pop("test", None)
                theirs = importlib.import_module("test.null.test_memory_planner")
                self.assertIs(theirs.memory_plan_rewrite, memory.memory_plan_rewrite)
                result = unittest.TestResult()
                unittest.defaultTestLoader.loadTestsFromModule(theirs).run(result)
                self.assertGreater(result.testsRun, 10)
                self.assertEqual((result.errors, result.failures), ([], []))


if __name__ == "__main__":
    unittest.main()
