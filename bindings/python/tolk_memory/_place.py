"""Placing lifetimes, without ops."""

import ctypes
from array import array
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw
from ._convert import column, first_of, integer, member
from ._errors import InvalidArgumentError, InvalidPlanError, check
from ._raw import FaultKind, Placer, Proof, StatusCode, Stop
from ._search import Cancel, Progress, Search


class Lifetime(NamedTuple):
    """A buffer of one arena: when it lives, what it needs."""

    #: it lives from this entry
    first: int
    #: to before this one
    end: int
    #: at least 0; a buffer of no bytes overlaps nothing
    bytes: int
    #: what its offset is a multiple of: a power of two up to 1 GiB; 0 means the granule
    align: int = 0
    #: where it is, if that is fixed
    offset: Optional[int] = None


#: Lifetimes, tuples of their first fields, or a buffer of tolk_lifetime records of 48 bytes.
Lifetimes = Any


class Placement(NamedTuple):
    """What came of placing."""

    #: an offset for each buffer, of type code "q"
    offsets: "array[int]"
    #: bytes of the arena
    size: int
    #: the greatest load
    lower_bound: int
    #: no plan has fewer bytes; at least lower_bound
    proven_bound: int
    #: the first entry of the greatest load
    peak_entry: int
    #: steps of work
    spent: int
    #: why size is known to be as small as can be
    proof: Proof
    #: why the placer stopped
    stopped: Stop
    #: whether size is proven_bound
    optimal: bool

    def __repr__(self) -> str:
        optimal = ", proven optimal" if self.optimal else f", at least {self.proven_bound} needed"
        return f"<Placement: {len(self.offsets)} buffers in {self.size} bytes{optimal}>"


class Fault(NamedTuple):
    """A fault of a plan. Fields that its kind does not name are 0."""

    kind: FaultKind
    #: index of a buffer
    buffer: int
    #: index of the other one
    other: int
    entry: int
    #: bytes
    begin: int
    #: bytes
    end: int
    got: int
    want: int


def place(
    lifetimes: Lifetimes,
    *,
    placer: Union[Placer, str] = Placer.TLSF,
    granule: int = 0,
    capacity: int = 0,
    effort: int = 0,
    time_limit_ms: int = 0,
    progress: Optional[Callable[[Progress], object]] = None,
    cancel: Optional[Cancel] = None,
) -> Placement:
    """Offsets for buffers so that those that live at once share no byte.

    place([(0, 2, 512), (1, 3, 256)]) has an offset for each. granule is what sizes are rounded up to, in bytes, 0 meaning 1, and
    capacity the most bytes of the arena, 0 meaning any; the rest is as in plan.
    """
    rows, count = _records(lifetimes)
    how = member(Placer, placer)
    search = Search(how != Placer.TLSF, progress, cancel)
    options = _options(granule, capacity)
    options.placer, options.cancel = how, search.handle
    options.effort, options.time_limit_ms = integer(effort, "effort"), integer(time_limit_ms, "time_limit_ms")
    if search.callback:
        options.progress = search.callback
    offsets = array("q", bytes(8 * count))
    raw = _raw.tolk_place_result.init()
    search.run(lambda: check(_raw.tolk_place(_first(rows), count, ctypes.byref(options), first_of(offsets, ctypes.c_int64),
                                             ctypes.byref(raw))))
    return Placement(offsets, raw.size, raw.lower_bound, raw.proven_bound, raw.peak_entry, raw.spent, Proof(raw.proof),
                     Stop(raw.stopped), bool(raw.optimal))


def verify(lifetimes: Lifetimes, offsets: Sequence[int], size: int, *, granule: int = 0, capacity: int = 0, most_faults: int = 100) -> None:
    """An InvalidPlanError unless offsets, by whomever, are a plan for the buffers in an arena of `size` bytes.

    Its `faults` are up to most_faults of them, each a Fault. Takes about n log n.
    """
    rows, count = _records(lifetimes)
    at = column(offsets, "q")
    if len(at) != count:
        raise InvalidArgumentError(f"there are {len(at)} offsets for {count} buffers")
    found = (_raw.tolk_fault * most_faults)()
    number = ctypes.c_size_t()
    status = _raw.tolk_place_verify(_first(rows), count, ctypes.byref(_options(granule, capacity)), first_of(at, ctypes.c_int64),
                                    integer(size, "size"), found, most_faults, ctypes.byref(number))
    try:
        check(status)
    except InvalidPlanError as error:
        error.faults = [_fault(raw) for raw in found[: min(number.value, most_faults)]]
        raise


def _options(granule: int, capacity: int) -> _raw.tolk_place_options:
    return _raw.tolk_place_options.init(granule=integer(granule, "granule"), capacity=integer(capacity, "capacity"))


def _first(rows: "array[int]") -> Any:
    return first_of(rows, _raw.tolk_lifetime)


def _records(lifetimes: Lifetimes) -> "Tuple[array[int], int]":
    """The lifetimes as C has them, six numbers each, and how many they are."""
    try:
        view = memoryview(lifetimes)
    except TypeError:
        return _packed(lifetimes)
    size = ctypes.sizeof(_raw.tolk_lifetime)
    if view.itemsize != size:
        raise InvalidArgumentError(f"a buffer of lifetimes has records of {size} bytes, as tolk_lifetime; this one has {view.itemsize}")
    rows = array("q")
    rows.frombytes(view.tobytes())
    return rows, len(rows) // 6


def _packed(lifetimes: Iterable[Any]) -> "Tuple[array[int], int]":
    rows = array("q")
    count = 0
    for count, row in enumerate(lifetimes, 1):
        try:
            first, end, length, align, offset = Lifetime(*row)
            rows.extend((first, end, length, align, offset or 0, offset is not None))
        except (TypeError, OverflowError) as problem:
            wanted = "it must be (first, end, bytes), and may have align and offset behind, of 64 bits each"
            raise InvalidArgumentError(f"buffer {count - 1} is {row!r}; {wanted}") from problem
    return rows, count


def _fault(raw: _raw.tolk_fault) -> Fault:
    return Fault(FaultKind(raw.kind), raw.buffer, raw.other, raw.entry, raw.from_, raw.to, raw.got, raw.want)
