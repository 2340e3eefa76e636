"""Has tinygrad plan its memory with this library, in one line.

    import tolk_memory.tinygrad
    tolk_memory.tinygrad.install(placer="best")

It replaces tinygrad.schedule.memory.memory_plan_rewrite wherever that was imported to, and uninstall() puts it back. What is planned,
and what is held, is tinygrad's to say; where it lies is decided here. With placer="tlsf" the plans are tinygrad's to the byte.

It was made for tinygrad 0.13.0 (commit a9069c177a9d) and looks, before it replaces anything, whether what it uses is there: an
UnknownTinygradError says what is not.
"""

import importlib
import inspect
import sys
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Tuple, Union

from ._convert import member
from ._errors import SizeOverflowError
from ._graph import Graph
from ._raw import Copies, Placer

__all__ = ["UnknownTinygradError", "install", "installed", "uninstall"]

_MADE_FOR = "tinygrad 0.13.0 (commit a9069c177a9d)"
_NAME = "memory_plan_rewrite"

Rewrite = Callable[..., Any]


class UnknownTinygradError(ImportError):
    """The installed tinygrad is not laid out as the one that this adapter was made for. Nothing was replaced."""


def install(placer: Union[Placer, str] = Placer.TLSF, copies: Union[Copies, str] = Copies.APART) -> None:
    """Replaces tinygrad's memory planner by this library's, with these options of tolk_memory.plan from now on.

    copies="apart" is what tinygrad does. What a TinyJit has captured stays as it was planned. A schedule that needs more than
    2^61 bytes, which no device has, is left to tinygrad's own planner. InvalidArgumentError, UnknownTinygradError, or
    ModuleNotFoundError where there is no tinygrad: then nothing was replaced.
    """
    options = {"placer": member(Placer, placer), "copies": member(Copies, copies)}
    tinygrad = _Tinygrad()
    planner = _planner(tinygrad, options)
    uninstall()
    _State.original, _State.ours = tinygrad.original, planner
    _replace(_State.original, planner)


def uninstall() -> None:
    """Gives tinygrad its own planner back; does nothing where it has it."""
    if _State.ours is not None:
        _replace(_State.ours, _State.original)
    _State.original = _State.ours = None


def installed() -> bool:
    """Whether tinygrad plans with this library."""
    return _State.ours is not None


class _State:
    original: Optional[Rewrite] = None
    ours: Optional[Rewrite] = None


def _replace(old: Optional[Rewrite], new: Optional[Rewrite]) -> None:
    """Puts new where a module has old: importing a function copies the reference to it."""
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get(_NAME) is old:
            setattr(module, _NAME, new)


class _Tinygrad:
    """What the adapter uses of tinygrad."""

    def __init__(self) -> None:
        self.memory = self._module("tinygrad.schedule.memory")
        self.ops = self._module("tinygrad.uop.ops")
        self.int8 = self._of(self._module("tinygrad.dtype"), "dtypes.int8")
        self.copy = self._of(self.ops, "Ops.COPY")
        for name in ("_collect_bufs", "_can_plan", "NO_MEMORY_PLANNER", "DEBUG"):
            self._of(self.memory, name)
        self.original: Rewrite = _State.original or self._of(self.memory, _NAME)
        self._takes(self.original, ["linear", "held_bufs"])
        self._takes(self._of(self.memory, "_can_plan"), ["b", "held_bufs"])
        self._takes(self._of(self.ops, "UOp.substitute"), ["name", "walk"])
        for name in ("new_buffer", "nbytes", "max_numel", "bitcast", "device", "dtype"):
            self._of(self.ops, "UOp." + name)

    def _module(self, name: str) -> Any:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name == "tinygrad":
                raise
            raise self._unknown(f"there is no module {name}") from missing

    def _of(self, holder: Any, path: str) -> Any:
        for name in path.split("."):
            if not hasattr(holder, name):
                raise self._unknown(f"{getattr(holder, '__name__', holder)} has no {name}")
            holder = getattr(holder, name)
        return holder

    def _takes(self, function: Any, names: List[str]) -> None:
        there = inspect.signature(function).parameters
        for name in names:
            if name not in there:
                raise self._unknown(f"{function.__qualname__} takes no {name}")

    def _unknown(self, what: str) -> UnknownTinygradError:
        where = getattr(sys.modules.get("tinygrad"), "__file__", None)
        return UnknownTinygradError(f"tolk_memory.tinygrad was made for {_MADE_FOR}; in the one at {where} {what}")

    def entries(self, linear: Any, held: Any) -> "List[_Entry]":
        """What each entry of a schedule takes, as tinygrad sees it."""
        collect, can_plan = self.memory._collect_bufs, self.memory._can_plan
        return [
            _Entry(entry.src[0].op is self.copy, [b for source in entry.src[1:] for b in collect(source) if can_plan(b, held)])
            for entry in linear.src
        ]

    def view(self, arena: Any, at: int, buffer: Any) -> Any:
        """A buffer's bytes of its arena."""
        return arena[at : at + buffer.nbytes()].bitcast(buffer.dtype)

    def say(self, before: int, after: int, buffers: int, arenas: int) -> None:
        """Prints what tinygrad's planner does."""
        if self.memory.DEBUG >= 1 and before != after:
            print(f"memory reduced from {before / 1e6:.2f} MB -> {after / 1e6:.2f} MB, {buffers} -> {arenas} bufs")


class _Entry(NamedTuple):
    is_copy: bool
    buffers: List[Any]


def _planner(tinygrad: _Tinygrad, options: Any) -> Rewrite:
    def memory_plan_rewrite(linear: Any, held_bufs: Any = None) -> Any:
        if tinygrad.memory.NO_MEMORY_PLANNER:
            return linear
        try:
            return _rewrite(tinygrad, linear, held_bufs or set(), options)
        except SizeOverflowError:
            return tinygrad.original(linear, held_bufs)

    return memory_plan_rewrite


def _rewrite(tinygrad: _Tinygrad, linear: Any, held: Any, options: Any) -> Any:
    entries = tinygrad.entries(linear, held)
    buffers = list(dict.fromkeys(b for entry in entries for b in entry.buffers))
    if not buffers:
        return linear
    layout = _layout(entries, buffers, options)
    devices = {index: buffer.device for buffer, (index, _) in zip(buffers, layout.places)}
    arenas = [tinygrad.ops.UOp.new_buffer(devices[index], size, tinygrad.int8) for index, size in enumerate(layout.sizes)]
    tinygrad.say(layout.before, sum(layout.sizes), len(buffers), len(arenas))
    views = {buffer: tinygrad.view(arenas[index], at, buffer) for buffer, (index, at) in zip(buffers, layout.places)}
    return linear.substitute(views, name="memory plan", walk=True)


def _bytes(buffer: Any) -> int:
    """The most bytes that a buffer may have."""
    count: int = buffer.max_numel() * buffer.dtype.itemsize
    return count


class _Layout(NamedTuple):
    #: for each buffer, in order of first use: the index of its arena, and its offset there
    places: List[Tuple[int, int]]
    #: bytes of the arenas
    sizes: List[int]
    #: bytes of the buffers' blocks
    before: int


def _layout(entries: Iterable[_Entry], buffers: List[Any], options: Any) -> _Layout:
    with Graph() as graph:
        batch = graph.batch()
        ops = {buffer: batch.buffer("int8", _bytes(buffer), buffer.device) for buffer in buffers}
        kernel, copy = batch.sink(), batch.store()
        calls = [batch.call(copy if entry.is_copy else kernel, [ops[b] for b in entry.buffers]) for entry in entries]
        schedule = batch.linear(calls)
        built = batch.build()
        with graph.plan(built[schedule], no_memory_planner=False, debug=0, **options) as made:
            places = [(placed.arena, placed.place) for placed in made.places]
            return _Layout(places, [arena.size for arena in made.arenas], made.totals.before)
