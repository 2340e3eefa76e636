"""What the library gave and takes back."""

from functools import wraps
from types import TracebackType
from typing import Any, Callable, Optional, Type, TypeVar

from ._errors import ForkedError, InvalidHandleError

S = TypeVar("S", bound="Closable")


def in_forks_too(tell: Callable[[Any], str]) -> Callable[[Any], str]:
    """A __repr__ that asks the library, for logs and debuggers of forked children, where the library answers nothing."""

    @wraps(tell)
    def told(self: object) -> str:
        try:
            return tell(self)
        except ForkedError:
            return f"<{type(self).__name__} of the process that this was forked from>"

    return told


class Owner:
    """A handle of the library, destroyed when nothing refers to this any more."""

    __slots__ = ("number", "_destroy")

    def __init__(self, number: Optional[int], destroy: Callable[[Optional[int]], int]) -> None:
        self.number = number
        self._destroy = destroy

    def __del__(self) -> None:
        self._destroy(self.number)  # in a forked child this does nothing

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError("what the library holds is of this process: it can be neither copied nor pickled")


class Closable:
    """A context manager that lets go of its handle at the end, or when close() is called. Whatever still reads from it keeps it."""

    _owner: Optional[Owner]

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._owner is None

    def _held(self) -> Owner:
        owner = self._owner
        if owner is None:
            raise InvalidHandleError(f"this {type(self).__name__} is closed")
        return owner

    @property
    def _handle(self) -> Optional[int]:
        return self._held().number

    def close(self) -> None:
        """Lets go. To close twice is no error; to use it afterwards is an InvalidHandleError."""
        self._owner = None

    def __enter__(self: S) -> S:
        self._held()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()
