"""Searches that can be watched, cancelled, and interrupted by Ctrl-C."""

import ctypes
import threading
from typing import Any, Callable, List, NamedTuple, Optional, TypeVar

from . import _raw
from ._errors import check
from ._handles import Closable, Owner

T = TypeVar("T")


class Progress(NamedTuple):
    """How far a search has come."""

    #: bytes of the best plan of the arena so far
    size: int
    #: no arena is smaller, bytes
    bound: int
    #: steps of work
    spent: int


class Cancel(Closable):
    """Stops searches from another thread, or from a progress callback."""

    def __init__(self) -> None:
        number = ctypes.c_void_p()
        check(_raw.tolk_cancel_create(ctypes.byref(number)))
        self._owner = Owner(number.value, _raw.tolk_cancel_destroy)

    def request(self) -> None:
        """Has every search that was given this, now or later, stop at once with its best plan so far."""
        check(_raw.tolk_cancel_request(self._handle))

    def __repr__(self) -> str:
        return "<Cancel, closed>" if self.closed else "<Cancel>"


class Search:
    """One call that may search for long.

    The interpreter raises KeyboardInterrupt between bytecodes of the main thread, and so not while that is inside of the library.
    There a search runs on a thread of its own, while the main thread waits where it can be interrupted.
    """

    def __init__(self, long: bool, progress: Optional[Callable[[Progress], object]], cancel: Optional[Cancel]) -> None:
        self._long = long and threading.current_thread() is threading.main_thread()
        self._cancel = cancel or (Cancel() if self._long or progress else None)
        self._failures: List[BaseException] = []
        self._progress = progress
        self.callback = _raw.tolk_progress_callback(self._report) if progress else None

    @property
    def handle(self) -> Optional[int]:
        """What to give the library as the search's cancel."""
        return self._cancel._handle if self._cancel else None

    def _report(self, user: Any, progress: Any) -> None:
        at = progress.contents
        try:
            if self._progress and not self._failures:
                self._progress(Progress(at.size, at.bound, at.spent))
        except BaseException as failure:
            self._stop_for(failure)

    def _stop_for(self, failure: BaseException) -> None:
        self._failures.append(failure)
        if self._cancel:
            self._cancel.request()

    def run(self, call: Callable[[], T]) -> T:
        """What call gives. What a progress callback raised ends the search and is raised here."""
        result = self._run_interruptibly(call) if self._long else call()
        if self._failures:
            raise self._failures[0]
        return result

    def _run_interruptibly(self, call: Callable[[], T]) -> T:
        results: List[T] = []
        errors: List[BaseException] = []
        done = threading.Event()

        def work() -> None:
            try:
                results.append(call())
            except BaseException as error:
                errors.append(error)
            finally:
                done.set()

        thread = threading.Thread(target=work, name="tolk_memory search", daemon=True)
        try:
            thread.start()
            done.wait()
        except BaseException:
            if self._cancel:
                self._cancel.request()
            if thread.ident is not None:
                done.wait()
            raise
        if errors:
            raise errors[0]
        return results[0]
