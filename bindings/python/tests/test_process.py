"""Threads, Ctrl-C, cancelling, forks, spawning and faulthandler."""

import concurrent.futures
import multiprocessing
import os
import signal
import threading
import unittest

import tolk_memory as tm

from .support import ENDLESS, chain, endless_lifetimes, run_python

HARD = endless_lifetimes()


def planned_size(calls: int) -> int:
    """What a spawned process works out."""
    with tm.Graph() as graph:
        schedule, _ = chain(graph, calls)
        return graph.plan(schedule).totals.after


class Threads(unittest.TestCase):
    def test_many_build_and_plan_in_one_graph(self) -> None:
        with tm.Graph() as graph, concurrent.futures.ThreadPoolExecutor(8) as pool:
            def work(calls: int) -> str:
                schedule, last = chain(graph, calls)
                with graph.plan(schedule, [last], placer="best") as plan:
                    plan.verify()
                    return plan.text()

            texts = list(pool.map(work, [20 + i % 4 for i in range(40)]))
            graph.check()
        for i, text in enumerate(texts):
            self.assertEqual(text, texts[i % 4])

    def test_the_interpreter_runs_while_the_library_works(self) -> None:
        cancel, placed, started = tm.Cancel(), [], threading.Event()

        def search() -> None:
            placed.append(tm.place(HARD, placer="best", effort=ENDLESS, time_limit_ms=60_000, cancel=cancel, progress=lambda at: started.set()))

        thread = threading.Thread(target=search)
        thread.start()
        started.wait()
        cancel.request()
        thread.join()
        self.assertEqual(placed[0].stopped, tm.Stop.CANCELLED, "this thread ran before the limit was reached")

    def test_messages_are_the_threads_own(self) -> None:
        with tm.Graph() as graph, concurrent.futures.ThreadPoolExecutor(8) as pool:
            a = graph.buffer("int8", 8, "CPU")

            def fail(start: int) -> str:
                try:
                    graph.shrink(a, start, 8)
                except tm.InvalidArgumentError as error:
                    return str(error)
                return ""

            for start, text in zip(range(1, 400), pool.map(fail, range(1, 400))):
                self.assertIn(f"[{start}, +8)", text)


class Stopping(unittest.TestCase):
    def test_progress_can_cancel(self) -> None:
        cancel, seen = tm.Cancel(), []

        def progress(at: tm.Progress) -> None:
            seen.append(at)
            cancel.request()

        placed = tm.place(HARD, placer="best", effort=ENDLESS, time_limit_ms=30_000, progress=progress, cancel=cancel)
        tm.verify(HARD, placed.offsets, placed.size)
        self.assertEqual(placed.stopped, tm.Stop.CANCELLED)
        self.assertGreaterEqual(seen[0].size, seen[0].bound)
        cancel.close()
        with self.assertRaisesRegex(tm.InvalidHandleError, "this Cancel is closed"):
            tm.place(HARD, cancel=cancel)

    def test_what_progress_raises_comes_out(self) -> None:
        def progress(at: tm.Progress) -> None:
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            tm.place(HARD, placer="best", effort=ENDLESS, time_limit_ms=30_000, progress=progress)

    def test_a_time_limit(self) -> None:
        placed = tm.place(HARD, placer="best", effort=ENDLESS, time_limit_ms=20)
        self.assertEqual(placed.stopped, tm.Stop.TIME)

    def test_errors_of_a_search_come_out(self) -> None:
        with self.assertRaises(tm.InfeasibleError):
            tm.place(HARD, placer="best", capacity=1)

    @unittest.skipUnless(hasattr(signal, "SIGINT") and os.name == "posix", "no POSIX signals")
    def test_ctrl_c(self) -> None:
        done = run_python(
            """
            import os, signal, threading, time
            import tolk_memory as tm
            from tests.support import ENDLESS, endless_lifetimes

            handler = signal.getsignal(signal.SIGINT)
            started = threading.Event()

            def kill():
                started.wait(60)
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=kill, daemon=True).start()
            try:
                tm.place(endless_lifetimes(), placer="best", effort=ENDLESS, time_limit_ms=60_000, progress=lambda at: started.set())
            except KeyboardInterrupt:
                print("interrupted")
            assert signal.getsignal(signal.SIGINT) is handler
            names = [t.name for t in threading.enumerate()]
            assert "tolk_memory search" not in names, names
            print(tm.place([(0, 1, 8)], placer="best").size)
            """
        )
        self.assertEqual((done.stdout, done.returncode), ("interrupted\n8\n", 0), done.stderr)

    def test_control_c_ends_fits_too(self) -> None:
        done = run_python(
            """
            import os, signal, threading
            import tolk_memory as tm
            for placer in "first_fit", "best_fit":
                threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
                try:
                    tm.place([(0, 1, 1 + i) for i in range(100_000)], placer=placer)
                except KeyboardInterrupt:
                    print("interrupted")
            """
        )
        self.assertEqual((done.stdout, done.returncode), ("interrupted\ninterrupted\n", 0), done.stderr)


class Processes(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_forked_child_is_told(self) -> None:
        done = run_python(
            """
            import os, sys
            import tolk_memory as tm
            graph = tm.Graph()
            plan = graph.plan(graph.linear([]))
            child = os.fork()
            if child == 0:
                for use in (tm.Graph, lambda: tm.place([(0, 1, 8)]), lambda: graph.const(1), lambda: plan.totals, tm.unique_num, plan.verify):
                    try:
                        use()
                    except tm.ForkedError as error:
                        assert isinstance(error, RuntimeError) and "fork" in str(error), error
                    else:
                        os._exit(1)
                for told in (graph, plan, plan.graph.op(1)):
                    assert "forked" in repr(told), told
                plan.close(); graph.close()
                del plan, graph, told
                print("told", flush=True)
                os._exit(0)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        )
        self.assertEqual((done.stdout, done.returncode), ("told\n", 0), done.stderr)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_first_import_in_a_forked_child_says_so(self) -> None:
        done = run_python(
            """
            import ctypes, os, sys
            library = ctypes.CDLL(os.environ["LIBRARY"])   # a host that has the library, but not the package
            library.tolk_version()
            child = os.fork()
            if child == 0:
                try:
                    import tolk_memory
                except ImportError as error:
                    print(error, flush=True)
                    os._exit(0)
                os._exit(1)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """,
            LIBRARY=tm._library.LIBRARY._name,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("forked from one that had loaded the library", done.stdout)
        self.assertIn("spawn", done.stdout)

    def test_spawned_processes_work(self) -> None:
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(planned_size, [5, 6]), [2 * 4096, 2 * 4096])

    def test_faulthandler(self) -> None:
        for order in ("import faulthandler; faulthandler.enable(); import tolk_memory as tm", "import tolk_memory as tm, faulthandler; faulthandler.enable()"):
            done = run_python(
                f"""
                {order}
                with tm.Graph() as g:
                    try:
                        g.shrink(1 << 40, 0, 1)
                    except tm.InvalidOpError:
                        pass
                assert tm.place([(0, 1, 8)], placer="best").size == 8
                print("works", flush=True)
                faulthandler._sigsegv()
                """
            )
            with self.subTest(order):
                self.assertEqual(done.stdout, "works\n")
                self.assertIn("Segmentation fault", done.stderr)
                self.assertIn('File "<string>"', done.stderr, "the handler shows where Python was")
                self.assertEqual(done.returncode, -signal.SIGSEGV)

    def test_no_library_says_what_to_do(self) -> None:
        done = run_python("import tolk_memory", TOLK_MEMORY_LIBRARY="/nonexistent/libtolk_memory.so")
        self.assertIn("ImportError: tolk_memory found no", done.stderr)
        self.assertIn("set TOLK_MEMORY_LIBRARY", done.stderr)


if __name__ == "__main__":
    unittest.main()
