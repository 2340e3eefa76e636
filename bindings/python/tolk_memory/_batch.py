"""Building many ops in one crossing into the library."""

import ctypes
import struct
from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Union

from . import _raw
from ._builder import Builder, Storage
from ._convert import column, integer, op_array, text
from ._errors import InvalidArgumentError, SizeOverflowError, check
from ._ops import OpArray
from ._raw import Kind

if TYPE_CHECKING:
    from ._graph import Graph

_ROW = struct.Struct("=IIIIQQQQQqq")  # a tolk_op_desc
_REF = 1 << 63


class Rows:
    """Descriptions of ops, packed as C has them, and what they point to."""

    def __init__(self) -> None:
        self.rows = bytearray()
        self._sources = Pages()
        self._storages: List[Storage] = []
        self._names: Dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.rows) // _ROW.size

    def add(self, kind: int, sources: Iterable[int], dtype: int, axis_kind: int, storage: Optional[Storage], name: Optional[str],
            tag: int, value: int, limit: int) -> None:
        """One more."""
        list_of = sources if isinstance(sources, (tuple, list)) else op_array(sources)
        try:
            at = self._sources.address(list_of) if list_of else 0
            self.rows += _ROW.pack(_ROW.size, kind, dtype, axis_kind, at, len(list_of), self.storage(storage) if storage else 0,
                                   self.name(name) if name else 0, tag, value, limit)
        except (struct.error, OverflowError, TypeError):
            _check_each(list_of, axis_kind, tag, value, limit)
            raise

    def storage(self, storage: Storage) -> int:
        """Where a storage is."""
        self._storages.append(storage)
        return ctypes.addressof(storage.raw)

    def name(self, name: str) -> int:
        """Where a name is."""
        kept = self._names.get(name)
        if kept is None:
            kept = self._names[name] = ctypes.create_string_buffer(text(name, "name"))
        return ctypes.addressof(kept)

    def build(self, graph: "Graph") -> OpArray:
        """The ops, all built or none."""
        return build_rows(self.rows, graph)


def build_rows(rows: bytearray, graph: "Graph") -> OpArray:
    """The ops of packed descriptions."""
    count = len(rows) // _ROW.size
    numbers = array("Q", bytes(8 * count))
    if count:
        descs, ops = _raw.tolk_op_desc.from_buffer(rows), _raw.tolk_op.from_buffer(numbers)
        check(_raw.tolk_build(graph._handle, ctypes.byref(descs), count, ctypes.byref(ops)))
    return OpArray(numbers, graph)


def _check_each(sources: Iterable[int], axis_kind: int, tag: int, value: int, limit: int) -> None:
    """Raises for the number that does not fit, by its name."""
    for source in sources:
        integer(source, "an op", "Q")
    integer(axis_kind, "axis_kind", "I")
    integer(tag, "tag", "Q")
    integer(value, "a number of an op")
    integer(limit, "a number of an op")


class Pages:
    """Numbers at addresses that stay. The first page is what one op needs, and each holds twice the last."""

    _MOST = 1 << 14

    def __init__(self) -> None:
        self._pages: List["array[int]"] = []
        self._room = 0

    def address(self, numbers: Sequence[int]) -> int:
        """Where the numbers are from now on."""
        count = len(numbers)
        if count > self._room:
            self._room = max(count, min(2 * len(self._pages[-1]), self._MOST) if self._pages else 0)
            self._pages.append(array("Q", bytes(8 * self._room)))
            self._end = self._pages[-1].buffer_info()[0] + 8 * self._room
        page, room = self._pages[-1], self._room
        begin = len(page) - room
        page[begin : begin + count] = array("Q", numbers)
        self._room = room - count
        return self._end - 8 * room


class Batch(Builder[int]):
    """Descriptions of ops that are built at once: the constructors of Graph, which here give references for later ones to use.

        batch = graph.batch()
        a = batch.buffer("float32", 1024, "CUDA:0")
        half = batch.shrink(a, 0, 512)
        ops = batch.build()
        ops[half]                   # the op

    References and ops of the graph may be mixed among sources. It crosses into the library once, however many ops there are.
    """

    def __init__(self, graph: "Graph") -> None:
        self._graph = graph
        self._rows = Rows()

    def __len__(self) -> int:
        return len(self._rows)

    def _build(self, kind: Kind, sources: Iterable[int] = (), *, dtype: int = 0, axis_kind: int = 0, storage: Optional[Storage] = None,
               name: Optional[str] = None, tag: int = 0, value: int = 0, limit: int = 0) -> int:
        rows = self._rows
        rows.add(kind, sources, dtype, axis_kind, storage, name, tag, value, limit)
        return _REF | (len(rows) - 1)

    def build(self) -> OpArray:
        """The ops, in the order of their descriptions, by index or by reference. All or nothing: an error names the description's
        index, and then no op was built. The batch stays as it is."""
        return self._rows.build(self._graph)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} descriptions>"


Column = Union[int, Sequence[int]]


def build_columns(graph: "Graph", count: int, kind: Column, sources: Iterable[int], source_count: Column, dtype: Column,
                  storage: Union[None, Storage, Sequence[Storage]], name: Optional[str], tag: Column, value: Column,
                  limit: Column) -> OpArray:
    """See Graph.build."""
    kept = Rows()
    rows = bytearray(_ROW.size * count)
    halves, words, signed = (memoryview(rows).cast("B").cast(code) for code in "IQq")
    flat = column(sources, "Q")
    counts = column(source_count, "Q", count)
    if sum(counts) != len(flat):
        raise InvalidArgumentError(f"the source_count of all is {sum(counts)}; sources has {len(flat)}")
    for at, values in ((0, _ROW.size), (1, kind), (2, dtype)):
        halves[at::18] = memoryview(column(values, "I", count))
    words[2::9] = memoryview(_addresses(flat, counts))
    words[3::9] = memoryview(counts)
    if storage is not None:
        each = [storage] * count if isinstance(storage, Storage) else storage
        words[4::9] = memoryview(column([kept.storage(one) for one in each], "Q", count))
    words[5::9] = memoryview(column(kept.name(name) if name else 0, "Q", count))
    words[6::9] = memoryview(column(tag, "Q", count))
    signed[7::9] = memoryview(column(value, "q", count))
    signed[8::9] = memoryview(column(limit, "q", count))
    for view in (halves, words, signed):
        view.release()
    return build_rows(rows, graph)


def _addresses(flat: "array[int]", counts: "array[int]") -> "array[int]":
    """Where the sources of each row begin, row after row."""
    base = flat.buffer_info()[0]
    begins = array("Q", accumulate(counts, lambda at, n: at + 8 * n, initial=base))
    begins.pop()
    return begins
