"""Exceptions: one a status, each also of the builtin kind that it resembles."""

from typing import Dict, Optional, Sequence, Type

from . import _raw
from ._raw import StatusCode


class Error(Exception):
    """What all failures of the library are. The text names the op, the entry and the argument and says what would be right."""

    status: StatusCode = StatusCode.ERR_INTERNAL


class InvalidArgumentError(Error, ValueError):
    """A value is out of its range."""

    status = StatusCode.ERR_INVALID_ARGUMENT


class InvalidHandleError(Error, ValueError):
    """A graph, a plan, an allocator or a cancel was used after it was closed."""

    status = StatusCode.ERR_INVALID_HANDLE


class InvalidOpError(Error, ValueError):
    """An op is 0, of another graph, or made up."""

    status = StatusCode.ERR_INVALID_OP


class WrongKindError(Error, TypeError):
    """An op is of a kind that does not belong there."""

    status = StatusCode.ERR_WRONG_KIND


class SizeOverflowError(Error, OverflowError):
    """A size or a sum does not fit in 63 bits."""

    status = StatusCode.ERR_OVERFLOW


class LimitError(Error):
    """A list or a graph is longer than the library can hold."""

    status = StatusCode.ERR_LIMIT


class ParseError(Error, ValueError):
    """A text is not of its form; the message has the line, column and byte."""

    status = StatusCode.ERR_PARSE


class NotAllocatedError(Error, ValueError):
    """No allocated block starts at the address that was to be freed."""

    status = StatusCode.ERR_NOT_ALLOCATED


class BufferTooSmallError(Error, BufferError):
    """An array for results is too short."""

    status = StatusCode.ERR_BUFFER_TOO_SMALL


class InfeasibleError(Error):
    """A capacity cannot be met: this is proven."""

    status = StatusCode.ERR_INFEASIBLE


class NotFoundError(Error):
    """A capacity was not met within the effort; there may be a plan."""

    status = StatusCode.ERR_NOT_FOUND


class InvalidPlanError(Error):
    """Verifying found faults. `faults` lists them where the caller had none; see tolk_memory.verify."""

    status = StatusCode.ERR_INVALID_PLAN
    faults: Sequence[object] = ()


class OutOfMemoryError(Error, MemoryError):
    """The C heap is exhausted."""

    status = StatusCode.ERR_OUT_OF_MEMORY


class ForkedError(Error, RuntimeError):
    """This process was forked from one that had loaded the library, which works in its parent only. Start children by "spawn"."""

    status = StatusCode.ERR_FORKED


class InternalError(Error, RuntimeError):
    """A fault of the library; please report its message."""

    status = StatusCode.ERR_INTERNAL


_BY_STATUS: Dict[int, Type[Error]] = {int(kind.status): kind for kind in Error.__subclasses__()}


def error_of(status: int, message: Optional[str] = None) -> Error:
    """The exception of a failure, with the message of this thread's last one unless another is given."""
    if message is None:
        message = (_raw.tolk_last_error() or b"").decode("utf-8", "replace")
    return _BY_STATUS.get(status, InternalError)(message)


def check(status: int) -> None:
    """Raises what a status says."""
    if status < 0:
        raise error_of(status)
