"""Python's values as C takes them. ctypes cuts integers to size and strings at their first NUL, without a word; this does not."""

import ctypes
from array import array
from enum import IntEnum
from operator import index
from typing import Any, Iterable, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._errors import InvalidArgumentError, SizeOverflowError
from ._raw import Dtype, tolk_op

E = TypeVar("E", bound=IntEnum)

DtypeLike = Union[Dtype, str, int]
DeviceLike = Union[str, Sequence[str]]

_RANGES = {"I": (0, 1 << 32), "Q": (0, 1 << 64), "q": (-(1 << 63), 1 << 63)}


def integer(value: Any, what: str, code: str = "q") -> int:
    """An integer that fits what array's type code stands for."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
    low, high = _RANGES[code]
    if not low <= number < high:
        raise SizeOverflowError(f"{what} is {number}; it must be from {low} to {high - 1}")
    return number


def text(value: str, what: str) -> bytes:
    """UTF-8 without a NUL, at which C would take it to end."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise InvalidArgumentError(f"{what} is {value!r}; it must not hold a NUL")
    return value.encode()


def member(kind: Type[E], value: Any) -> E:
    """A member of an enum, given itself, its number, or its name in any case."""
    try:
        return kind[value.upper().replace("-", "_")] if isinstance(value, str) else kind(value)
    except (KeyError, ValueError):
        names = ", ".join(name.lower() for name in kind.__members__)
        raise InvalidArgumentError(f"{value!r} is no {kind.__name__.lower()}; there are {names}") from None


def device_names(device: DeviceLike) -> Tuple[str, ...]:
    """The names of a placement."""
    if isinstance(device, str):
        return (device,)
    if isinstance(device, bytes) or not _is_iterable(device):
        raise TypeError(f"device must be a name or a sequence of names, not {type(device).__name__}")
    return tuple(device)


def name_array(names: Sequence[str]) -> Any:
    """A C array of names, which keeps them alive."""
    return (ctypes.c_char_p * len(names))(*[text(name, "the name of a device") for name in names])


def column(values: Any, code: str, count: Optional[int] = None) -> "array[int]":
    """An array of a type code: of a buffer of such numbers, copied as it is, or of any iterable; or, of an integer, count times it."""
    if isinstance(values, int) and count is not None:
        return array(code, [integer(values, "a column's value", code)]) * count
    made: "array[int]" = array(code)
    if _holds(values, made):
        made.frombytes(memoryview(values).cast("B"))
    else:
        try:
            made.extend(values)
        except OverflowError as problem:
            raise SizeOverflowError(str(problem)) from None
    if count is not None and len(made) != count:
        raise InvalidArgumentError(f"a column has {len(made)} values; it must have {count}, as the others do")
    return made


def _holds(values: Any, like: "array[int]") -> bool:
    """Whether values is a buffer of numbers as like has them, one behind the other."""
    try:
        view = memoryview(values)
    except TypeError:
        return False
    signed = view.format.lstrip("@=<") in ("q", "l", "i")
    return view.c_contiguous and view.itemsize == like.itemsize and signed == like.typecode.islower() and view.format not in ("d", "f")


def first_of(numbers: "array[int]", kind: Any = tolk_op) -> Any:
    """What C takes as a pointer to the numbers. It keeps them alive and from being resized."""
    return ctypes.byref(kind.from_buffer(numbers)) if len(numbers) else None


def op_array(ops: Iterable[int]) -> "array[int]":
    """The numbers of ops."""
    _check_ops(ops)
    return column(ops, "Q")


def joined(first: int, rest: Iterable[int]) -> Sequence[int]:
    """An op and those behind it."""
    try:
        return (first, *rest)
    except TypeError:
        _check_ops(rest)
        raise


def _check_ops(ops: Any) -> None:
    if isinstance(ops, str) or not _is_iterable(ops):
        raise TypeError(f"a sequence of ops is wanted, not {type(ops).__name__}")


def _is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True
