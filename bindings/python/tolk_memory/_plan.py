"""Planning schedules, and reading plans."""

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _raw
from ._convert import DeviceLike, device_names, first_of, integer, member, name_array, op_array
from ._errors import InvalidArgumentError, check
from ._handles import Closable, Owner, in_forks_too
from ._ops import Op
from ._raw import Copies, Override, Placer, Proof, Stop
from ._search import Cancel, Progress, Search
from ._strings import taken_string
from ._table import Table, c_array, numbers

if TYPE_CHECKING:
    from ._graph import Graph


class Arena(NamedTuple):
    """One arena: a buffer to allocate, which holds planned ones."""

    #: the new BUFFER, of int8
    op: Op
    #: the names of its placement
    devices: Tuple[str, ...]
    #: bytes: what to allocate, on each device of its placement, aligned to the greater of 256 and the granule
    size: int
    #: the greatest load: bytes of blocks live at one entry
    lower_bound: int
    #: no plan has fewer bytes; at least lower_bound
    proven_bound: int
    #: the first entry of the greatest load
    peak_entry: int
    #: the places (indices) of the buffers live there, largest block first
    live: "memoryview"
    #: steps of work of the placer
    spent: int
    #: why it is known to be as small as can be
    proof: Proof
    #: why the placer stopped
    stopped: Stop
    #: whether it holds the buffers of copies, kept apart
    copies: bool


class Placed(NamedTuple):
    """Where a buffer was placed, and when it lives."""

    #: the planned BUFFER
    buffer: int
    #: bytes from the arena's start to its block
    place: int
    #: bytes from the arena's start to its first element: place + phase
    start: int
    #: of its elements
    bytes: int
    #: bytes of its block
    need: int
    #: the first entry that takes it
    first: int
    #: the entry from which on its bytes are free
    end: int
    #: index of the arena
    arena: int


class Bind(NamedTuple):
    """What one argument of the rewritten schedule binds to. The header tells more, at tolk_bind."""

    #: which entry of the schedule
    entry: int
    #: the CALL, in the entry or in loops of it; or the BACKEDGE whose flag it is
    call: int
    #: the argument: storage or a view
    value: int
    #: the arena, or the BUFFER, ALLOC or PARAM
    storage: int
    #: bytes from the storage's first element
    offset: int
    #: length of the argument
    bytes: int
    #: its index, scalars counted too, or FLAG
    argument: int
    #: which part of an MSTACK; 0 otherwise
    shard: int
    #: which device of the storage, an index; or ALL_DEVICES
    device: int
    #: index of the arena, or NO_ARENA
    arena: int
    #: 1 if a start is known only when the schedule runs: offset counts such a start as 0
    symbolic: int


class Totals(NamedTuple):
    """Bytes of a plan."""

    #: sum of the blocks of all planned buffers
    before: int
    #: sum of the arenas
    after: int
    #: sum of the arenas' lower bounds
    lower_bound: int
    #: whether every arena is proven to be as small as can be
    optimal: bool


class Plan(Closable):
    """Where each buffer of a schedule is. It outlives its graph's closing, and what it lists outlives its own."""

    def __init__(self, graph: "Graph", number: Optional[int]) -> None:
        self._graph = graph
        self._owner = Owner(number, _raw.tolk_plan_destroy)

    @property
    def graph(self) -> "Graph":
        """The graph it was planned in."""
        return self._graph

    @property
    def schedule(self) -> Op:
        """The rewritten schedule."""
        planned = _raw.tolk_op()
        check(_raw.tolk_plan_schedule(self._handle, ctypes.byref(planned)))
        return Op(planned.value, self._graph)

    @property
    def arenas(self) -> List[Arena]:
        """The arenas, in order of the first buffer placed in each."""
        owner = self._held()
        return [_arena(raw, self._graph, owner) for raw in self._list(_raw.tolk_plan_arenas, _raw.tolk_arena)]

    @property
    def places(self) -> "Table[Placed]":
        """The planned buffers, in order of first use."""
        return Table(Placed, _raw.tolk_placed, self._list(_raw.tolk_plan_places, _raw.tolk_placed))

    @property
    def binds(self) -> "Table[Bind]":
        """What every argument that is a value binds to: in order of entry, of call in the entry (a back edge's flag before the
        calls inside), of argument, of shard."""
        return Table(Bind, _raw.tolk_bind, self._list(_raw.tolk_plan_binds, _raw.tolk_bind))

    @property
    def entries(self) -> "memoryview":
        """Where the binds of each entry begin, and, behind the last, the number of binds: entry e has binds[entries[e]:entries[e + 1]]."""
        pointer, count = self._pointer(_raw.tolk_plan_entries, ctypes.c_uint64)
        return numbers(ctypes.c_uint64, pointer, count, self._held())

    @property
    def totals(self) -> Totals:
        """Bytes of the plan."""
        raw = _raw.tolk_totals.init()
        check(_raw.tolk_plan_totals(self._handle, ctypes.byref(raw)))
        return Totals(raw.before, raw.after, raw.lower_bound, bool(raw.optimal))

    def _pointer(self, read: Callable[[Optional[int], Any, Any], int], kind: Any) -> Tuple[Any, int]:
        pointer, count = ctypes.POINTER(kind)(), ctypes.c_size_t()
        check(read(self._handle, ctypes.byref(pointer), ctypes.byref(count)))
        return pointer, count.value

    def _list(self, read: Callable[[Optional[int], Any, Any], int], kind: Any) -> Any:
        owner = self._held()
        pointer, count = self._pointer(read, kind)
        return c_array(kind, pointer, count, owner)

    def verify(self) -> None:
        """An InvalidPlanError unless its places are right, by a checker that shares no code with the placers."""
        check(_raw.tolk_plan_verify(self._handle))

    def text(self) -> str:
        """The plan as JSON (docs/formats.md)."""
        return taken_string(lambda at, length: _raw.tolk_plan_write(self._graph._handle, self._handle, at, length))

    @in_forks_too
    def __repr__(self) -> str:
        if self.closed:
            return "<Plan, closed>"
        totals = self.totals
        buffers, arenas = (f"{n} {what}{'s' * (n != 1)}" for n, what in ((len(self.places), "buffer"), (len(self.arenas), "arena")))
        optimal = ", proven optimal" if totals.optimal else ""
        return f"<Plan: {buffers} of {totals.before} bytes in {arenas} of {totals.after} bytes{optimal}>"


def _arena(raw: _raw.tolk_arena, graph: "Graph", owner: Owner) -> Arena:
    names = tuple(raw.devices[i].decode() for i in range(raw.device_count))
    live = numbers(ctypes.c_uint64, raw.live, raw.live_count, owner)
    return Arena(Op(raw.op, graph), names, raw.size, raw.lower_bound, raw.proven_bound, raw.peak_entry, live, raw.spent,
                 Proof(raw.proof), Stop(raw.stopped), bool(raw.copies))


def plan(
    graph: "Graph",
    schedule: int,
    held: Iterable[int] = (),
    *,
    placer: Union[Placer, str] = Placer.TLSF,
    copies: Union[Copies, str] = Copies.SHARED,
    granule: int = 0,
    effort: int = 0,
    time_limit_ms: int = 0,
    capacities: Optional[Mapping[DeviceLike, int]] = None,
    progress: Optional[Callable[[Progress], object]] = None,
    cancel: Optional[Cancel] = None,
    no_memory_planner: Optional[bool] = None,
    debug: Optional[int] = None,
) -> Plan:
    """The plan of a schedule, a LINEAR of the graph whose entries run in order.

    held is storage whose contents outlive the schedule, or views of it: it keeps storage of its own.
    placer is "tlsf", the rule and the fastest, "best", the smallest arenas, "first_fit" or "best_fit".
    copies is "shared", or "apart" for engines whose copies run beside their kernels.
    granule is what needs are rounded up to, in bytes; 0 means 256. effort is steps of work of "best" for an arena; 0 means
    milliseconds for real models, about a second for hard problems, several for hard ones of a million buffers. time_limit_ms is milliseconds for the whole plan; 0 means none.
    capacities is the most bytes of each arena, by device or tuple of devices: InfeasibleError or NotFoundError if they are not met.
    progress is called on the thread that searches; what it raises ends the search and is raised here. cancel ends the search
    with its best plan so far. Ctrl-C cancels it and raises KeyboardInterrupt. no_memory_planner and debug override the settings.
    """
    how = member(Placer, placer)
    search = Search(how != Placer.TLSF, progress, cancel)
    options = _raw.tolk_plan_options.init(
        copies=member(Copies, copies), placer=how, granule=integer(granule, "granule"), effort=integer(effort, "effort"),
        time_limit_ms=integer(time_limit_ms, "time_limit_ms"), cancel=search.handle,
    )
    if search.callback:
        options.progress = search.callback
    _override(options, no_memory_planner, debug)
    _limit(options, capacities or {})
    holding, root = op_array(held), integer(schedule, "schedule", "Q")

    def call() -> Plan:
        number = ctypes.c_void_p()
        check(_raw.tolk_memory_plan_rewrite(graph._handle, root, first_of(holding), len(holding), ctypes.byref(options), None,
                                            ctypes.byref(number)))
        return Plan(graph, number.value)

    return search.run(call)


def _override(options: _raw.tolk_plan_options, no_memory_planner: Optional[bool], debug: Optional[int]) -> None:
    if no_memory_planner is not None:
        options.overrides |= Override.NO_MEMORY_PLANNER
        options.no_memory_planner = bool(no_memory_planner)
    if debug is not None:
        options.overrides |= Override.DEBUG
        options.debug = integer(debug, "debug")


def _limit(options: _raw.tolk_plan_options, capacities: Mapping[DeviceLike, int]) -> None:
    if not isinstance(capacities, Mapping):
        raise TypeError(f"capacities must be a mapping of devices to bytes, not {type(capacities).__name__}")
    rows = (_raw.tolk_capacity * len(capacities))()
    for row, (device, most) in zip(rows, capacities.items()):
        names = device_names(device)
        row.devices, row.device_count, row.bytes = name_array(names), len(names), integer(most, f"the capacity of {device}")
    options.capacities, options.capacity_count = rows, len(rows)
