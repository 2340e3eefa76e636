"""Graphs of ops."""

import ctypes
from array import array
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw
from ._batch import Batch, Column, Rows, build_columns
from ._builder import Builder, Storage
from ._convert import first_of, integer, op_array, text
from ._errors import Error, check
from ._handles import Closable, Owner, in_forks_too
from ._ops import Op, OpArray, ops_of
from ._plan import Plan, plan
from ._raw import Kind
from ._strings import taken_string


class Schedule(NamedTuple):
    """A schedule that was read from a text."""

    schedule: Op
    #: by index in the text
    storage: List[Op]
    #: those that the text marks as held
    held: List[Op]
    name: str


class Graph(Closable, Builder[Op]):
    """Ops, which are hash-consed and immutable: building an op equal to one of the graph gives that one.

    Several threads may build in it at once. Closing it destroys its ops, but not the plans made in it.
    """

    def __init__(self) -> None:
        number = ctypes.c_void_p()
        check(_raw.tolk_graph_create(ctypes.byref(number)))
        self._owner = Owner(number.value, _raw.tolk_graph_destroy)

    def __len__(self) -> int:
        """How many ops it has."""
        count = ctypes.c_uint64()
        check(_raw.tolk_graph_op_count(self._handle, ctypes.byref(count)))
        return count.value

    def __bool__(self) -> bool:
        return True

    @in_forks_too
    def __repr__(self) -> str:
        return "<Graph, closed>" if self.closed else f"<Graph of {len(self)} ops>"

    def op(self, number: int) -> Op:
        """The op of a number, such as one that a plan lists."""
        return Op(number, self)

    def _build(self, kind: Kind, sources: Iterable[int] = (), *, dtype: int = 0, axis_kind: int = 0, storage: Optional[Storage] = None,
               name: Optional[str] = None, tag: int = 0, value: int = 0, limit: int = 0) -> Op:
        rows = Rows()
        rows.add(kind, sources, dtype, axis_kind, storage, name, tag, value, limit)
        try:
            return rows.build(self)[0]
        except Error as error:
            raise type(error)(str(error).replace("description 0: ", "", 1)) from None

    def batch(self) -> Batch:
        """A batch, to build many ops of any kinds at once."""
        return Batch(self)

    def build(
        self,
        count: int,
        kind: Column,
        *,
        sources: Iterable[int] = (),
        source_count: Column = 0,
        dtype: Column = 0,
        storage: Union[None, Storage, Sequence[Storage]] = None,
        name: Optional[str] = None,
        tag: Column = 0,
        value: Column = 0,
        limit: Column = 0,
    ) -> OpArray:
        """`count` ops at once, from columns: the quickest way, since no Python runs an op.

        A column is a number for all, or a sequence or buffer (array, memoryview, numpy) of one each. sources is the sources of
        all, one behind the other, and source_count how many each has. What value and limit are to a kind tells tolk_op_desc.
        """
        return build_columns(self, count, kind, sources, source_count, dtype, storage, name, tag, value, limit)

    def _taken(self, entry: Op) -> Tuple[Op, ...]:
        count = ctypes.c_size_t()
        status = _raw.tolk_taken(self._handle, entry, None, 0, ctypes.byref(count))
        if status != _raw.StatusCode.ERR_BUFFER_TOO_SMALL:
            check(status)
        numbers = array("Q", bytes(8 * count.value))
        check(_raw.tolk_taken(self._handle, entry, first_of(numbers), len(numbers), ctypes.byref(count)))
        return tuple(ops_of(numbers, self))

    def read(self, source: Union[str, bytes]) -> Schedule:
        """The schedule of a text (docs/formats.md), built in this graph. Each storage takes a fresh slot."""
        data = source.encode() if isinstance(source, str) else bytes(source)
        raw = _raw.tolk_schedule.init()
        check(_raw.tolk_schedule_read(self._handle, data, len(data), ctypes.byref(raw)))
        try:
            name = ctypes.string_at(raw.name).decode() if raw.name else ""
            storage, held = raw.storage[: raw.storage_count], raw.held[: raw.held_count]
            return Schedule(Op(raw.schedule, self), ops_of(storage, self), ops_of(held, self), name)
        finally:
            _raw.tolk_schedule_free(ctypes.byref(raw))

    def write(self, schedule: int, held: Iterable[int] = (), name: Optional[str] = None) -> str:
        """The text of a schedule, to be planned again with the same plan."""
        numbers = op_array(held)
        return taken_string(
            lambda at, length: _raw.tolk_schedule_write(
                self._handle, integer(schedule, "schedule", "Q"), None if name is None else text(name, "name"), first_of(numbers), len(numbers), at, length
            )
        )

    def describe(self, op: int) -> str:
        """An op and all that it is built on, a line each, by the numbers that messages use."""
        return taken_string(lambda at, length: _raw.tolk_op_print(self._handle, integer(op, "op", "Q"), at, length))

    def check(self) -> None:
        """An InternalError unless the graph's tables agree with each other. Costs about what building it did."""
        check(_raw.tolk_graph_check(self._handle))

    def plan(self, schedule: int, held: Iterable[int] = (), **options: Any) -> Plan:
        """The plan of a schedule; see tolk_memory.plan, whose options it takes."""
        return plan(self, schedule, held, **options)
