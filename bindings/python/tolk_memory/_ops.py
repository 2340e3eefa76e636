"""Ops as Python sees them."""

import ctypes
from array import array
from typing import TYPE_CHECKING, Iterable, List, Sequence, Tuple, Union, overload

from . import _raw
from ._convert import first_of
from ._errors import check, error_of
from ._handles import in_forks_too
from ._raw import Dtype, Kind

if TYPE_CHECKING:
    from ._graph import Graph

_REF = 1 << 63


class Op(int):
    """An op of a graph: its number, which keeps the graph and knows what it is.

    Graphs give equal ops the same number, so that ops are equal exactly if they are the same. Sequences of ops may be any
    iterable of them, or a buffer of their numbers, such as array("Q").
    """

    graph: "Graph"

    def __new__(cls, number: int, graph: "Graph") -> "Op":
        op = super().__new__(cls, number)
        op.graph = graph
        return op

    @property
    def info(self) -> _raw.tolk_op_info:
        """All that is known of it but its strings and sources; see tolk_op_info in the header."""
        info = _raw.tolk_op_info.init()
        check(_raw.tolk_op_read(self.graph._handle, self, ctypes.byref(info)))
        return info

    @property
    def kind(self) -> Kind:
        """What kind of op it is."""
        return Kind(self.info.kind)

    @property
    def dtype(self) -> Dtype:
        """The type of its elements; WEAK_INT for scalars and VOID for what is no value."""
        return Dtype(self.info.dtype)

    @property
    def count(self) -> int:
        """Its elements, on each device; 0 for what is no value."""
        return self.info.count

    @property
    def bytes(self) -> int:
        """The bytes of its elements."""
        return self.info.bytes

    @property
    def sources(self) -> Tuple["Op", ...]:
        """What it is built on, in order."""
        count = self.info.source_count
        numbers = array("Q", bytes(8 * count))
        written = ctypes.c_size_t()
        check(_raw.tolk_op_sources(self.graph._handle, self, first_of(numbers), count, ctypes.byref(written)))
        return tuple(OpArray(numbers, self.graph))

    @property
    def base(self) -> "Op":
        """The storage, or the MSTACK, at which a value's chain of views ends; an InvalidArgumentError for what is no value."""
        base = self.info.base
        if not base:
            raise error_of(_raw.StatusCode.ERR_INVALID_ARGUMENT, f"{self!r} is no value and has no storage under it")
        return Op(base, self.graph)

    @property
    def devices(self) -> Tuple[str, ...]:
        """The names of a value's devices."""
        return tuple(self._device(i) for i in range(self.info.device_count))

    def _device(self, i: int) -> str:
        name = ctypes.c_char_p()
        check(_raw.tolk_op_device(self.graph._handle, self, i, ctypes.byref(name)))
        return (name.value or b"").decode()

    @property
    def name(self) -> str:
        """The name of a VARIABLE or of a call's body."""
        name = ctypes.c_char_p()
        check(_raw.tolk_op_name(self.graph._handle, self, ctypes.byref(name)))
        return (name.value or b"").decode()

    def taken(self) -> Tuple["Op", ...]:
        """The storage that an entry of a schedule takes, each once, in the order of its first use."""
        return self.graph._taken(self)

    @in_forks_too
    def __repr__(self) -> str:
        number = f"#{self & 0xFFFFFFFF}"
        if self.graph.closed:
            return f"<Op {number} of a closed graph>"
        info = self.info
        text = f"<Op {number} {Kind(info.kind).name}"
        if info.dtype >= Dtype.BOOL:
            text += f" {Dtype(info.dtype).name.lower()}[{info.count}] on {', '.join(self.devices)}"
        elif info.kind in _NAMED:
            text += f" {self.name!r}"
        elif info.kind == Kind.CONST:
            text += f" {info.least}"
        elif info.source_count:
            text += f" of {info.source_count} sources"
        return text + ">"

    __str__ = __repr__

    def __copy__(self) -> "Op":
        return self

    def __deepcopy__(self, memo: object) -> "Op":
        return self

    def __reduce__(self) -> Tuple[object, ...]:
        raise TypeError("an op belongs to a graph of this process and cannot be pickled; graph.write() gives a schedule as text")


_NAMED = {Kind.VARIABLE, Kind.SINK, Kind.STORE, Kind.PROGRAM, Kind.CUSTOM_FUNCTION}


class OpArray(Sequence[Op]):
    """Many ops of a graph, eight bytes each. `numbers` is their numbers, an array of type code "Q"."""

    __slots__ = ("numbers", "graph")

    def __init__(self, numbers: "array[int]", graph: "Graph") -> None:
        self.numbers = numbers
        self.graph = graph

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> Op: ...

    @overload
    def __getitem__(self, index: slice) -> "OpArray": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Op, "OpArray"]:
        """An op, by its index or by what Batch gave for it; a slice is a copy."""
        if isinstance(index, slice):
            return OpArray(self.numbers[index], self.graph)
        return Op(self.numbers[index & ~_REF if index >= 0 else index], self.graph)

    def __repr__(self) -> str:
        return f"<OpArray of {len(self)} ops>"


def ops_of(numbers: Iterable[int], graph: "Graph") -> List[Op]:
    """Numbers as ops."""
    return [Op(number, graph) for number in numbers]
