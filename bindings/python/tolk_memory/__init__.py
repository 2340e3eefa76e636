"""Plans the memory of machine-learning schedules.

Most buffers of a schedule are needed by a few of its calls only. Planning places those whose lifetimes do not overlap at shared
bytes of one large buffer a device, the arena. It touches no device memory: it deals in sizes and offsets.

    import tolk_memory as tm

    with tm.Graph() as g:
        x = g.param("float32", 1024, "CUDA:0")
        a, b, c, y = (g.buffer("float32", 1024, "CUDA:0") for _ in range(4))
        relu = g.program("relu")
        schedule = g.linear([g.call(relu, [a, x]), g.call(relu, [b, a]), g.call(relu, [c, b]), g.call(relu, [y, c])])
        plan = g.plan(schedule, held=[y])       # y outlives the schedule: it keeps storage of its own
        for arena in plan.arenas:
            print(arena.devices, arena.size)
        for bind in plan.binds:
            print(bind.entry, bind.argument, bind.arena, bind.offset)

Without ops, place() gives offsets for bare lifetimes. All failures are Errors, one class a status. Any function may be called from
any thread; the interpreter's lock is free while the library works.
"""

from ._allocator import Allocator
from ._batch import Batch
from ._builder import Storage
from ._convert import DeviceLike, DtypeLike
from ._errors import (
    BufferTooSmallError,
    Error,
    ForkedError,
    InfeasibleError,
    InternalError,
    InvalidArgumentError,
    InvalidHandleError,
    InvalidOpError,
    InvalidPlanError,
    LimitError,
    NotAllocatedError,
    NotFoundError,
    OutOfMemoryError,
    ParseError,
    SizeOverflowError,
    WrongKindError,
)
from ._graph import Graph, Schedule
from ._ops import Op, OpArray
from ._place import Fault, Lifetime, Placement, place, verify
from ._plan import Arena, Bind, Placed, Plan, Totals, plan
from ._raw import TOLK_ALL_DEVICES as ALL_DEVICES
from ._raw import TOLK_FLAG as FLAG
from ._raw import TOLK_NO_ARENA as NO_ARENA
from ._raw import Copies, Dtype, FaultKind, Kind, Placer, Proof, Setting, StatusCode, Stop, tolk_version_string
from ._search import Cancel, Progress
from ._settings import get_setting, set_log, set_setting, unique_num
from ._strings import plan_text
from ._table import Table

__version__ = (tolk_version_string() or b"").decode()

__all__ = [
    "ALL_DEVICES", "Allocator", "Arena", "Batch", "Bind", "BufferTooSmallError", "Cancel", "Copies", "DeviceLike", "Dtype",
    "DtypeLike", "Error", "FLAG", "Fault", "FaultKind", "ForkedError", "Graph", "InfeasibleError", "InternalError",
    "InvalidArgumentError", "InvalidHandleError", "InvalidOpError", "InvalidPlanError", "Kind", "Lifetime", "LimitError",
    "NO_ARENA", "NotAllocatedError", "NotFoundError", "Op", "OpArray", "OutOfMemoryError", "ParseError", "Placed", "Placement",
    "Placer", "Plan", "Progress", "Proof", "Schedule", "Setting", "SizeOverflowError", "StatusCode", "Stop", "Storage", "Table",
    "Totals", "WrongKindError", "get_setting", "place", "plan", "plan_text", "set_log", "set_setting", "unique_num", "verify",
]
