"""Arrays in C memory as Python reads them: nothing is copied until it is looked at."""

import ctypes
import struct
from typing import Any, Dict, Generic, Iterator, Sequence, Type, TypeVar, Union, overload

R = TypeVar("R")

_CODES: Dict[Any, str] = {ctypes.c_uint32: "I", ctypes.c_uint64: "Q", ctypes.c_int64: "q"}


def c_array(kind: Any, pointer: Any, count: int, owner: object) -> Any:
    """The array at a pointer, which keeps its owner for as long as anything looks at it."""
    array = (kind * count).from_address(ctypes.cast(pointer, ctypes.c_void_p).value) if count else (kind * 0)()
    array.owner = owner
    return array


def numbers(kind: Any, pointer: Any, count: int, owner: object) -> "memoryview":
    """A read-only view of numbers in C memory."""
    return memoryview(c_array(kind, pointer, count, owner)).toreadonly().cast("B").cast(_CODES[kind])


class Table(Sequence[R], Generic[R]):
    """Records of one kind in C memory, which is there for as long as this or a view of it is.

    An index gives a named tuple, a slice another Table of the same memory. `view` is a read-only memoryview of all, whose format
    names the fields; numpy.asarray(table) and numpy.asarray(table.view) are structured arrays of the same memory.
    """

    def __init__(self, record: Type[R], raw: Any, array: Any) -> None:
        self._record = record
        self._raw = raw
        self._array = array
        self._bytes = memoryview(array).cast("B")
        self._format = struct.Struct("=" + "".join(self._code(name, kind) for name, kind in raw._fields_))

    @staticmethod
    def _code(name: str, kind: Any) -> str:
        return f"{ctypes.sizeof(kind)}x" if name == "reserved" else _CODES[kind]

    @property
    def view(self) -> "memoryview":
        """All records, read-only."""
        return memoryview(self._array).toreadonly()

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        fields = [(name, "<" + ("i" if _CODES[kind] == "q" else "u") + str(ctypes.sizeof(kind))) for name, kind in self._raw._fields_]
        address = ctypes.addressof(self._array)
        return {"version": 3, "shape": (len(self),), "typestr": f"|V{self._format.size}", "descr": fields, "data": (address, True)}

    def __len__(self) -> int:
        return len(self._array)

    @overload
    def __getitem__(self, index: int) -> R: ...

    @overload
    def __getitem__(self, index: slice) -> "Table[R]": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[R, "Table[R]"]:
        if isinstance(index, slice):
            return self._part(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} of a table of {len(self)} records")
        return self._record(*self._format.unpack_from(self._bytes, index % len(self) * self._format.size))

    def _part(self, index: slice) -> "Table[R]":
        begin, end, step = index.indices(len(self))
        if step != 1:
            raise ValueError("a slice of a table has a step of 1")
        count = max(0, end - begin)
        address = ctypes.addressof(self._array) + begin * self._format.size
        return Table(self._record, self._raw, c_array(self._raw, address, count, self._array))

    def __iter__(self) -> Iterator[R]:
        record = self._record
        return (record(*values) for values in self._format.iter_unpack(self._bytes))

    def __repr__(self) -> str:
        return f"<Table of {len(self)} {self._record.__name__} records>"
