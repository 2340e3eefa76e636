"""Building ops, well and wrongly."""

import copy
import pickle
import unittest
from array import array

import tolk_memory as tm


class Building(unittest.TestCase):
    def setUp(self) -> None:
        self.graph = tm.Graph()
        self.addCleanup(self.graph.close)
        self.a = self.graph.buffer("float32", 64, "CPU")

    def test_equal_ops_are_the_same(self) -> None:
        g = self.graph
        self.assertEqual(g.shrink(self.a, 1, 2), g.shrink(self.a, 1, 2))
        self.assertEqual(g.const(5), g.const(5))
        self.assertNotEqual(g.buffer("float32", 64, "CPU"), self.a, "each takes a fresh slot")
        self.assertEqual(g.buffer("int8", 1, "CPU", slot=1 << 40), g.buffer("int8", 1, "CPU", slot=1 << 40))

    def test_every_constructor_says_what_it_made(self) -> None:
        g, a = self.graph, self.a
        n = g.variable("n", 0, 3)
        i = g.range(n, axis=1, axis_kind=2)
        call = g.call(g.sink("fuse", 1), [a, n])
        pair = g.mstack([g.buffer("int8", 4, "GPU:0"), g.buffer("int8", 4, "GPU:1")])
        flag = g.buffer("bool", 1, "CPU")
        rows = [
            (a, "BUFFER", "float32[64] on CPU"), (g.alloc("int8", 1, "CPU"), "ALLOC", "int8[1] on CPU"),
            (g.param("bool", 2, ["A", "B"]), "PARAM", "bool[2] on A, B"), (n, "VARIABLE", "'n'"), (g.const(-7), "CONST", "-7"),
            (i, "RANGE", ""), (g.add(n, i), "ADD", ""), (g.mul(n, i), "MUL", ""), (g.shrink(a, 8, 8), "SHRINK", "float32[8]"),
            (g.shrink_at(a, n, 8), "SHRINK", "float32[8]"), (g.bitcast(a, tm.Dtype.UINT8), "BITCAST", "uint8[256]"),
            (g.after(a, [call]), "AFTER", ""), (pair, "MSTACK", "GPU:0, GPU:1"), (g.mselect(pair, 1), "MSELECT", "int8[4] on GPU:1"),
            (g.sink("fuse", 1), "SINK", "'fuse'"), (g.store("copy"), "STORE", "'copy'"), (g.program("p", 3, [a]), "PROGRAM", "'p'"),
            (g.custom_function("f"), "CUSTOM_FUNCTION", "'f'"), (call, "CALL", "3 sources"), (g.linear([call]), "LINEAR", "1 sources"),
            (g.end(call, [i]), "END", ""), (g.backedge(call, i, flag), "BACKEDGE", ""),
        ]
        self.assertEqual({op.kind for op, _, _ in rows}, set(tm.Kind))
        for op, kind, more in rows:
            self.assertEqual(op.kind.name, kind)
            self.assertIn(kind, repr(op))
            self.assertIn(more, repr(op))
        g.check()

    def test_ops_tell_what_they_are(self) -> None:
        g = self.graph
        view = g.bitcast(g.shrink(self.a, 16, 8), "int16")
        self.assertEqual((view.dtype, view.count, view.bytes, view.base, view.devices), (tm.Dtype.INT16, 16, 32, self.a, ("CPU",)))
        body = g.program("relu", tag=9, sources=[g.const(1)])
        self.assertEqual((body.name, body.info.tag, body.sources), ("relu", 9, (g.const(1),)))
        call = g.call(body, [view, self.a])
        self.assertEqual(call.taken(), (self.a,))
        self.assertEqual(g.linear([]).sources, ())
        self.assertIn("SHRINK", g.describe(call))
        self.assertIs(call.graph, g)

    def test_errors_are_classes_with_the_message_of_the_library(self) -> None:
        g, a = self.graph, self.a
        other = tm.Graph()
        foreign = other.buffer("float32", 64, "CPU")
        rows = [
            (lambda: g.shrink(a, 60, 5), tm.InvalidArgumentError, ValueError, "SHRINK: elements [60, +5) do not lie within the 64 elements"),
            (lambda: g.buffer("float32", -1, "CPU"), tm.InvalidArgumentError, ValueError, "-1"),
            (lambda: g.buffer("void", 1, "CPU"), tm.InvalidArgumentError, ValueError, "void"),
            (lambda: g.buffer("float33", 1, "CPU"), tm.InvalidArgumentError, ValueError, "there are void"),
            (lambda: g.call(a, []), tm.WrongKindError, TypeError, "body"),
            (lambda: g.shrink(foreign, 0, 1), tm.InvalidOpError, ValueError, "graph"),
            (lambda: g.shrink(0, 0, 1), tm.InvalidOpError, ValueError, "TOLK_NONE"),
            (lambda: g.buffer("float64", 1 << 61, "CPU"), tm.SizeOverflowError, OverflowError, "BUFFER"),
            (lambda: g.buffer("float64", 1 << 63, "CPU"), tm.SizeOverflowError, OverflowError, "count is 9223372036854775808"),
            (lambda: g.shrink(a, 1 << 64, 1), tm.SizeOverflowError, OverflowError, "18446744073709551616"),
            (lambda: g.shrink(-1, 0, 1), tm.SizeOverflowError, OverflowError, "an op is -1"),
            (lambda: g.program("a\0b"), tm.InvalidArgumentError, ValueError, "NUL"),
            (lambda: g.buffer("int8", 1, "a\0b"), tm.InvalidArgumentError, ValueError, "NUL"),
            (lambda: a.name, tm.WrongKindError, TypeError, ""),
            (lambda: g.const(1).base, tm.InvalidArgumentError, ValueError, "CONST"),
            (lambda: g.call(g.sink(), [a]).devices and g.mselect(a, 0), tm.Error, Exception, ""),
        ]
        for fail, kind, builtin, message in rows[:-1]:
            with self.subTest(kind=kind.__name__, message=message), self.assertRaises(kind) as caught:
                fail()
            self.assertIsInstance(caught.exception, builtin)
            self.assertIn(message, str(caught.exception))
            self.assertNotIn("description", str(caught.exception))
            self.assertEqual(caught.exception.status, kind.status)
        other.close()

    def test_every_error_status_has_a_class(self) -> None:
        classes = {kind.status for kind in tm.Error.__subclasses__()}
        self.assertEqual(classes, {status for status in tm.StatusCode if status < 0})

    def test_wrong_types_say_what_is_wanted(self) -> None:
        g = self.graph
        for wrong, message in (
            (lambda: g.linear(self.a), "a sequence of ops is wanted, not Op"),
            (lambda: g.call(g.sink(), self.a), "a sequence of ops is wanted, not Op"),
            (lambda: g.after(self.a, None), "a sequence of ops is wanted, not NoneType"),
            (lambda: g.linear("ab"), "a sequence of ops is wanted, not str"),
            (lambda: g.plan(g.linear([]), held=self.a), "a sequence of ops is wanted, not Op"),
            (lambda: g.plan(g.linear([]), capacities=[1]), "capacities must be a mapping of devices to bytes, not list"),
            (lambda: g.buffer("int8"), "storage wants a dtype, a count and a device"),
            (lambda: g.program(5), "name must be a str, not int"),
            (lambda: g.buffer("int8", 1.5, "CPU"), "count must be an integer, not float"),
            (lambda: g.buffer("int8", 1, 5), "device must be a name or a sequence of names, not int"),
            (lambda: g.buffer("int8", 1, b"CPU"), "device must be a name or a sequence of names, not bytes"),
        ):
            with self.subTest(message), self.assertRaisesRegex(TypeError, message):
                wrong()
        for dtype in (None, 99):
            with self.assertRaisesRegex(tm.InvalidArgumentError, f"{dtype} is no dtype; there are void"):
                g.buffer(dtype, 1, "CPU")

    def test_what_is_copied_and_what_is_not(self) -> None:
        copied = copy.deepcopy({"ops": [self.a]})
        self.assertIs(copied["ops"][0], self.a)
        self.assertIs(copy.copy(self.a), self.a)
        plan = self.graph.plan(self.graph.linear([]))
        for refused in (lambda: pickle.dumps(self.a), lambda: pickle.dumps(plan), lambda: copy.deepcopy(plan), lambda: copy.deepcopy(self.graph)):
            with self.assertRaisesRegex(TypeError, "of this process"):
                refused()

    def test_use_after_close(self) -> None:
        graph = tm.Graph()
        op = graph.const(1)
        batch = graph.batch()
        batch.const(2)
        graph.close()
        graph.close()
        for use in (lambda: graph.const(2), lambda: len(graph), lambda: op.info, batch.build, graph.check, graph.__enter__):
            with self.assertRaisesRegex(tm.InvalidHandleError, "this Graph is closed"):
                use()
        self.assertEqual(repr(graph), "<Graph, closed>")
        self.assertIn("closed graph", repr(op))


class Batches(unittest.TestCase):
    def setUp(self) -> None:
        self.graph = tm.Graph()
        self.addCleanup(self.graph.close)

    def test_a_batch_builds_what_calls_do(self) -> None:
        g = self.graph
        storage = tm.Storage("float32", 64, "CPU", slot=1 << 41)
        batch = g.batch()
        a = batch.buffer(storage)
        views = [batch.shrink(a, i, 1) for i in range(60)]
        call = batch.call(batch.program("sum", 1), views)
        n = batch.variable("n", 0, 3)
        moved = batch.shrink_at(a, n, 8)
        ops = batch.build()
        one = g.buffer(storage)
        self.assertEqual(ops[a], one)
        self.assertEqual(ops[call], g.call(g.program("sum", 1), [g.shrink(one, i, 1) for i in range(60)]))
        self.assertEqual(ops[moved], g.shrink_at(one, g.variable("n", 0, 3), 8))
        self.assertEqual(len(ops), len(batch))
        self.assertEqual(ops[-1], ops[moved])
        self.assertEqual(list(ops[1:61]), [ops[v] for v in views])
        self.assertIn(str(len(batch)), repr(batch))

    def test_long_lists_of_sources_stay_where_they_are(self) -> None:
        g = self.graph
        batch = g.batch()
        consts = [batch.const(i) for i in range(40_000)]
        bodies = [batch.program("p", k, consts[k : k + 20_000]) for k in range(3)]
        ops = batch.build()
        for k, body in enumerate(bodies):
            self.assertEqual(ops[body].sources, tuple(ops[k : k + 20_000]))

    def test_all_or_nothing(self) -> None:
        batch = self.graph.batch()
        a = batch.buffer("int8", 8, "CPU")
        batch.shrink(a, 7, 2)
        with self.assertRaisesRegex(tm.InvalidArgumentError, "description 1"):
            batch.build()
        self.assertEqual(len(self.graph), 0)

    def test_a_number_that_does_not_fit_is_named_at_once(self) -> None:
        batch = self.graph.batch()
        with self.assertRaisesRegex(tm.SizeOverflowError, "tag is"):
            batch.program("p", 1 << 64)
        with self.assertRaisesRegex(TypeError, "an op must be an integer"):
            batch.call(batch.program(), ["x"])
        self.assertEqual(len(batch), 1)

    def test_an_empty_batch(self) -> None:
        self.assertEqual(len(self.graph.batch().build()), 0)


class Columns(unittest.TestCase):
    def setUp(self) -> None:
        self.graph = tm.Graph()
        self.addCleanup(self.graph.close)
        self.a = self.graph.buffer("float32", 64, "CPU")

    def test_columns_build_what_calls_do(self) -> None:
        g, a = self.graph, self.a
        want = [g.shrink(a, i, 1) for i in range(50)]
        for starts in (range(50), list(range(50)), array("q", range(50)), memoryview(array("q", range(50)))):
            got = g.build(50, tm.Kind.SHRINK, sources=array("Q", [a]) * 50, source_count=1, value=starts, limit=1)
            self.assertEqual(list(got), want)
        casts = g.build(2, tm.Kind.BITCAST, sources=want[:2], source_count=1, dtype=[tm.Dtype.INT8, tm.Dtype.UINT8])
        self.assertEqual(list(casts), [g.bitcast(want[0], "int8"), g.bitcast(want[1], "uint8")])
        mixed = g.build(3, [tm.Kind.CONST, tm.Kind.ADD, tm.Kind.ADD], value=[5, 0, 0], source_count=[0, 2, 2],
                        sources=[g.const(1), g.const(2), g.const(3), g.const(4)])
        self.assertEqual(list(mixed), [g.const(5), g.add(g.const(1), g.const(2)), g.add(g.const(3), g.const(4))])
        bodies = g.build(2, tm.Kind.PROGRAM, name="p", tag=[1, 2])
        self.assertEqual(list(bodies), [g.program("p", 1), g.program("p", 2)])
        named = [tm.Storage("int8", 1, "CPU", slot=(1 << 42) + i) for i in range(3)]
        self.assertEqual(list(g.build(3, tm.Kind.PARAM, storage=named)), [g.param(one) for one in named])
        self.assertEqual(len(g.build(0, tm.Kind.CONST)), 0)

    def test_wrong_columns_are_named(self) -> None:
        g = self.graph
        with self.assertRaisesRegex(tm.InvalidArgumentError, "it must have 2"):
            g.build(2, tm.Kind.CONST, value=[1, 2, 3])
        with self.assertRaisesRegex(tm.InvalidArgumentError, "source_count of all is 2; sources has 1"):
            g.build(2, tm.Kind.BITCAST, sources=[self.a], source_count=1)
        with self.assertRaises(tm.SizeOverflowError):
            g.build(1, tm.Kind.CONST, value=[1 << 63])
        with self.assertRaisesRegex(tm.Error, "description 1"):
            g.build(2, [tm.Kind.CONST, 99])


if __name__ == "__main__":
    unittest.main()
