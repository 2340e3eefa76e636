"""Placing lifetimes, verifying, and the allocator."""

import unittest
from array import array

import tolk_memory as tm

from .support import random_lifetimes


class Placing(unittest.TestCase):
    def test_every_placer_gives_plans(self) -> None:
        lifetimes = random_lifetimes(200, 1)
        sizes = {}
        for placer in tm.Placer:
            placed = tm.place(lifetimes, placer=placer)
            tm.verify(lifetimes, placed.offsets, placed.size)
            self.assertLessEqual(placed.lower_bound, placed.proven_bound)
            self.assertLessEqual(placed.proven_bound, placed.size)
            sizes[placer] = placed.size
        self.assertEqual(min(sizes.values()), sizes[tm.Placer.BEST])

    def test_results_say_what_came_of_it(self) -> None:
        placed = tm.place([(0, 2, 512), (1, 3, 256), (2, 4, 512)], placer="best")
        self.assertEqual(list(placed.offsets), [0, 512, 0])
        self.assertEqual((placed.size, placed.lower_bound, placed.peak_entry, placed.optimal), (768, 768, 1, True))
        self.assertEqual(repr(placed), "<Placement: 3 buffers in 768 bytes, proven optimal>")
        self.assertEqual(tm.place([]).size, 0)

    def test_lifetimes_in_every_form(self) -> None:
        rows = [tm.Lifetime(0, 2, 100, align=64), tm.Lifetime(1, 3, 100, offset=128), (2, 3, 7)]
        placed = tm.place(rows, granule=64)
        self.assertEqual(placed.offsets[1], 128)
        self.assertEqual(list(tm.place(iter(rows), granule=64).offsets), list(placed.offsets))
        flat = array("q", [0, 2, 100, 64, 0, 0, 1, 3, 100, 0, 128, 1, 2, 3, 7, 0, 0, 0])
        records = memoryview(flat).cast("B").cast("B", [3, 48])
        with self.assertRaisesRegex(tm.InvalidArgumentError, "records of 48 bytes"):
            tm.place(records, granule=64)

    def test_wrong_lifetimes_are_named(self) -> None:
        rows = [
            (lambda: tm.place([(0, 1, 8), (3, 3, 8)]), tm.InvalidArgumentError, "1"),
            (lambda: tm.place([(0, 1, -8)]), tm.InvalidArgumentError, "0"),
            (lambda: tm.place([(0, 1, 8), (1,)]), tm.InvalidArgumentError, r"buffer 1 is \(1,\)"),
            (lambda: tm.place([(0, 1, 1 << 70)]), tm.InvalidArgumentError, "buffer 0"),
            (lambda: tm.place([(0, 1, 8, 3)]), tm.InvalidArgumentError, "align"),
            (lambda: tm.place([(0, 1, (1 << 63) - 1)] * 3), tm.SizeOverflowError, ""),
            (lambda: tm.place([(0, 2, 8), (1, 3, 8)], capacity=15), tm.InfeasibleError, "16"),
        ]
        for fail, kind, message in rows:
            with self.subTest(message=message), self.assertRaisesRegex(kind, message):
                fail()

    def test_verifying_finds_faults(self) -> None:
        lifetimes = [(0, 2, 512), (1, 3, 256)]
        tm.verify(lifetimes, [0, 512], 768)
        with self.assertRaisesRegex(tm.InvalidPlanError, "share bytes") as caught:
            tm.verify(lifetimes, array("q", [0, 511]), 767)
        (fault,) = caught.exception.faults
        self.assertEqual(fault, (tm.FaultKind.OVERLAP, 0, 1, 1, 511, 512, 0, 0))
        with self.assertRaises(tm.InvalidPlanError) as caught:
            tm.verify([(0, 1, 8)] * 50, [0] * 50, 8, most_faults=3)
        self.assertEqual(len(caught.exception.faults), 3)
        with self.assertRaisesRegex(tm.InvalidArgumentError, "1 offsets for 2 buffers"):
            tm.verify(lifetimes, [0], 768)


class Allocating(unittest.TestCase):
    def test_an_allocator(self) -> None:
        with tm.Allocator(4096, base=1024, block_size=256, list_count=32) as allocator:
            first, second = allocator.alloc(100), allocator.alloc(300, 512)
            self.assertEqual(first, 1024)
            self.assertEqual((second - 1024) % 512, 0)
            self.assertIsNone(allocator.alloc(4096))
            allocator.free(first)
            with self.assertRaises(tm.NotAllocatedError):
                allocator.free(first)
            self.assertEqual(repr(allocator), "<Allocator of [1024, 5120)>")
        with self.assertRaisesRegex(tm.InvalidHandleError, "this Allocator is closed"):
            allocator.alloc(1)

    def test_wrong_use(self) -> None:
        for wrong in (lambda: tm.Allocator(-1), lambda: tm.Allocator(64, block_size=0), lambda: tm.Allocator(64, list_count=4097)):
            with self.assertRaises(tm.InvalidArgumentError):
                wrong()
        with self.assertRaises(tm.SizeOverflowError):
            tm.Allocator(1 << 63)


if __name__ == "__main__":
    unittest.main()
