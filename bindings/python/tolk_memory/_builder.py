"""The constructors of ops, which Graph and Batch share."""

import ctypes
from typing import Any, Generic, Iterable, Optional, Tuple, TypeVar, Union

from . import _raw
from ._convert import DeviceLike, DtypeLike, device_names, integer, joined, member, name_array, text
from ._raw import Dtype, Kind

R = TypeVar("R")


class Storage:
    """`count` elements of a type on a device, or that many on each of several.

    slot tells it from other storage that is alike; without one, each op that is built of this takes a fresh one. phase is the
    bytes by which its first element lies past a multiple of align, which is 1, 2, 4, 8 or 16.
    """

    __slots__ = ("raw",)

    def __init__(
        self, dtype: DtypeLike, count: int, device: DeviceLike, *, slot: Optional[int] = None, align: int = 16, phase: int = 0
    ) -> None:
        self.raw = raw = _raw.tolk_storage.init(
            dtype=member(Dtype, dtype), count=integer(count, "count"), align=integer(align, "align", "I"), phase=integer(phase, "phase", "I")
        )
        if slot is not None:
            raw.has_slot, raw.slot = 1, integer(slot, "slot")
        if isinstance(device, str):
            raw.device = text(device, "device")
        else:
            names = device_names(device)
            raw.devices, raw.device_count = name_array(names), len(names)

    def __repr__(self) -> str:
        names = self._devices()
        return f"Storage({Dtype(self.raw.dtype).name.lower()!r}, {self.raw.count}, {names[0] if len(names) == 1 else names!r})"

    def _devices(self) -> Tuple[str, ...]:
        if self.raw.device is not None:
            return (self.raw.device.decode(),)
        return tuple(self.raw.devices[i].decode() for i in range(self.raw.device_count))


class Builder(Generic[R]):
    """Constructors of ops. Each gives an op, or, in a Batch, what stands for it until the batch is built.

    A source that is wrong is a WrongKindError or an InvalidOpError, a size past 63 bits a SizeOverflowError, and any other
    value out of its range an InvalidArgumentError.
    """

    def _build(
        self,
        kind: Kind,
        sources: Iterable[int] = (),
        *,
        dtype: int = 0,
        axis_kind: int = 0,
        storage: Optional[Storage] = None,
        name: Optional[str] = None,
        tag: int = 0,
        value: int = 0,
        limit: int = 0,
    ) -> R:
        raise NotImplementedError

    def _storage(self, kind: Kind, dtype: Union[Storage, DtypeLike], count: Optional[int], device: Optional[DeviceLike], more: Any) -> R:
        if isinstance(dtype, Storage):
            return self._build(kind, storage=dtype)
        if count is None or device is None:
            raise TypeError("storage wants a dtype, a count and a device, or a Storage")
        return self._build(kind, storage=Storage(dtype, count, device, **more))

    def buffer(self, dtype: Union[Storage, DtypeLike], count: Optional[int] = None, device: Optional[DeviceLike] = None, **more: int) -> R:
        """Storage that the schedule allocates: what planning places. Takes what Storage takes, or a Storage.

        Before its first use and after its last a planned buffer holds anything: what comes in from outside is a param, or held.
        """
        return self._storage(Kind.BUFFER, dtype, count, device, more)

    def alloc(self, dtype: Union[Storage, DtypeLike], count: Optional[int] = None, device: Optional[DeviceLike] = None, **more: int) -> R:
        """Call-local storage; never planned."""
        return self._storage(Kind.ALLOC, dtype, count, device, more)

    def param(self, dtype: Union[Storage, DtypeLike], count: Optional[int] = None, device: Optional[DeviceLike] = None, **more: int) -> R:
        """Storage that whoever runs the schedule binds; never planned."""
        return self._storage(Kind.PARAM, dtype, count, device, more)

    def variable(self, name: str, least: int, greatest: int) -> R:
        """A scalar in [least, greatest] that is known when the schedule runs."""
        return self._build(Kind.VARIABLE, name=name, value=least, limit=greatest)

    def const(self, value: int) -> R:
        """A scalar."""
        return self._build(Kind.CONST, value=value)

    def range(self, count: int, axis: int = 0, axis_kind: int = 0) -> R:
        """A loop's variable in [0, count), count being a scalar op. Ranges alike in all three are one op."""
        return self._build(Kind.RANGE, (count,), value=axis, axis_kind=axis_kind)

    def add(self, x: int, y: int) -> R:
        """The sum of two scalars."""
        return self._build(Kind.ADD, (x, y))

    def mul(self, x: int, y: int) -> R:
        """The product of two scalars."""
        return self._build(Kind.MUL, (x, y))

    def shrink(self, value: int, start: int, length: int) -> R:
        """Elements [start, start + length) of a value; the value itself if that is all of it."""
        return self._build(Kind.SHRINK, (value,), value=start, limit=length)

    def shrink_at(self, value: int, start: int, length: int) -> R:
        """The same with a start that is a scalar op, of which every value must fit."""
        return self._build(Kind.SHRINK, (value, start), limit=length)

    def bitcast(self, value: int, dtype: DtypeLike) -> R:
        """The bytes of a value at another type, whose size must divide them."""
        return self._build(Kind.BITCAST, (value,), dtype=member(Dtype, dtype))

    def after(self, value: int, effects: Iterable[int]) -> R:
        """A value, ordered after effects, which may be any ops."""
        return self._build(Kind.AFTER, joined(value, effects))

    def mselect(self, value: int, shard: int) -> R:
        """The part of a value on several devices that is on the device at index shard."""
        return self._build(Kind.MSELECT, (value,), value=shard)

    def mstack(self, parts: Iterable[int]) -> R:
        """One value on several devices, of parts on one device each."""
        return self._build(Kind.MSTACK, parts)

    def sink(self, name: str = "", tag: int = 0, sources: Iterable[int] = ()) -> R:
        """The body of a call, opaque to planning: a name, a number of your own, and any ops."""
        return self._build(Kind.SINK, sources, name=name, tag=tag)

    def store(self, name: str = "", tag: int = 0, sources: Iterable[int] = ()) -> R:
        """The same; a call of it is a copy."""
        return self._build(Kind.STORE, sources, name=name, tag=tag)

    def program(self, name: str = "", tag: int = 0, sources: Iterable[int] = ()) -> R:
        """The same as sink."""
        return self._build(Kind.PROGRAM, sources, name=name, tag=tag)

    def custom_function(self, name: str = "", tag: int = 0, sources: Iterable[int] = ()) -> R:
        """The same as sink."""
        return self._build(Kind.CUSTOM_FUNCTION, sources, name=name, tag=tag)

    def call(self, body: int, arguments: Iterable[int]) -> R:
        """One piece of work: a body (one of the four above, or a linear) on arguments, which are values or scalars."""
        return self._build(Kind.CALL, joined(body, arguments))

    def linear(self, entries: Iterable[int]) -> R:
        """A schedule, or what a loop repeats: calls and loops in order."""
        return self._build(Kind.LINEAR, entries)

    def end(self, body: int, ranges: Iterable[int]) -> R:
        """body, a call or a linear, once per value of the ranges; body itself if there are none."""
        return self._build(Kind.END, joined(body, ranges))

    def backedge(self, body: int, loop: int, flag: int) -> R:
        """body, a call or a linear, for as long as flag, a value of one bool, holds before a trip of loop, a range."""
        return self._build(Kind.BACKEDGE, (body, loop, flag))
