"""Schedules and plans as text, settings and the log."""

import json
import unittest

import tolk_memory as tm

from .support import ROOT, chain


class Texts(unittest.TestCase):
    def test_a_schedule_comes_back(self) -> None:
        with tm.Graph() as g:
            schedule, last = chain(g)
            text = g.write(schedule, [last], "chain")
            read = g.read(text)
            self.assertEqual((read.name, len(read.storage), [op.count for op in read.held]), ("chain", 4, [1024]))
            self.assertEqual(g.write(read.schedule, read.held, read.name), text)
            self.assertEqual(g.plan(read.schedule, read.held).text(), g.plan(schedule, [last]).text())
            self.assertEqual(json.loads(tm.plan_text(text)), json.loads(g.plan(schedule, [last]).text()))
            self.assertEqual(g.read(text.encode()).name, "chain")

    def test_wrong_texts_say_where(self) -> None:
        with tm.Graph() as g:
            for wrong in (lambda: g.read("{"), lambda: tm.plan_text(b'{"x": 1}'), lambda: tm.plan_text("\0"), lambda: g.read(b"\xff")):
                with self.assertRaisesRegex(tm.ParseError, "line 1"):
                    wrong()

    def test_the_vectors(self) -> None:
        for line in (ROOT / "tests/data/plans.jsonl").read_text().splitlines():
            vector = json.loads(line)
            with tm.Graph() as g:
                read = g.read(json.dumps(vector["schedule"]))
                with g.plan(read.schedule, read.held) as plan:
                    self.assertEqual([(a.size, list(a.devices)) for a in plan.arenas], [(a["size"], names(a["device"])) for a in vector["plan"]["arenas"]])
                    index = {op: i for i, op in enumerate(read.storage)}
                    self.assertEqual({str(index[p.buffer]): [p.arena, p.place] for p in plan.places}, vector["plan"]["places"])
                    self.assertEqual([[index[op] for op in entry.taken()] for entry in read.schedule.sources], vector["plan"]["taken"])


def names(device: object) -> object:
    return [device] if isinstance(device, str) else device


class Settings(unittest.TestCase):
    def tearDown(self) -> None:
        tm.set_setting(tm.Setting.DEBUG, 0)
        tm.set_setting(tm.Setting.NO_MEMORY_PLANNER, 0)
        tm.set_log(None)

    def test_settings(self) -> None:
        with tm.Graph() as g:
            schedule, _ = chain(g)
            tm.set_setting(tm.Setting.NO_MEMORY_PLANNER, 1)
            self.assertEqual(tm.get_setting(tm.Setting.NO_MEMORY_PLANNER), 1)
            self.assertEqual(g.plan(schedule).schedule, schedule)
            self.assertNotEqual(g.plan(schedule, no_memory_planner=False).schedule, schedule)
        with self.assertRaises(tm.InvalidArgumentError):
            tm.set_setting(99, 1)
        tm.set_setting("no_memory_planner", 0)
        self.assertEqual(tm.get_setting("no_memory_planner"), 0)
        with self.assertRaisesRegex(tm.InvalidArgumentError, "'debugging' is no setting; there are no_memory_planner, debug"):
            tm.get_setting("debugging")

    def test_the_log_has_the_lines(self) -> None:
        lines = []
        tm.set_log(lines.append)
        with tm.Graph() as g:
            schedule, _ = chain(g, 10, 1 << 20)
            g.plan(schedule, debug=1)
            self.assertEqual(lines, ["memory reduced from 46.14 MB -> 8.39 MB, 11 -> 1 bufs"])
            tm.set_log(None)
            g.plan(schedule, debug=1)
            self.assertEqual(len(lines), 1)

    def test_numbers_are_given_once(self) -> None:
        self.assertLess(tm.unique_num(), tm.unique_num())


if __name__ == "__main__":
    unittest.main()
