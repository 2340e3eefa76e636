# Generated from include/tolk_memory.h, do not edit: go run ./internal/bindgen
"""The declarations of C for ctypes, under their own names; the header's comments tell what each promises and requires.

A pointer parameter takes what ctypes takes there: byref(), an array, a pointer or None. A handle is its number. Enums lose the
prefix of their constants: TOLK_KIND_CALL is Kind.CALL.
"""

import ctypes
from enum import IntEnum
from typing import Any, Callable, Optional

from ._library import LIBRARY

Handle = Optional[int]
Pointer = Any


def _function(name: str, restype: Any, *argtypes: Any) -> Any:
    function = getattr(LIBRARY, name)
    function.restype = restype
    function.argtypes = argtypes
    return function


# ---- Version ----

#: The version of this header. Since: 0.1
TOLK_VERSION_MAJOR = 0

TOLK_VERSION_MINOR = 1

TOLK_VERSION_PATCH = 0

TOLK_VERSION = 1000

#: The version of the binary interface: a library works with headers of the same number. Since: 0.1
TOLK_ABI_VERSION = 0

tolk_version: Callable[[], int] = _function(
    "tolk_version", ctypes.c_uint32
)
"""The version of the loaded library, in the form of TOLK_VERSION. Since: 0.1"""

tolk_version_string: Callable[[], Optional[bytes]] = _function(
    "tolk_version_string", ctypes.c_char_p
)
"""The version of the loaded library as text, such as "0.1.0"; static. Since: 0.1"""

tolk_abi_version: Callable[[], int] = _function(
    "tolk_abi_version", ctypes.c_uint32
)
"""The ABI version of the loaded library, to compare with TOLK_ABI_VERSION. Since: 0.1"""


# ---- Status ----

#: What came of a call: 0, a positive answer, or a negative error. Since: 0.1
tolk_status = ctypes.c_int32


class StatusCode(IntEnum):
    """The values of tolk_status; the message of a failure says more. Since: 0.1"""
    OK = 0
    #: tolk_tlsf_alloc: no block is sure to be large enough; an answer, not an error
    NO_ROOM = 1
    #: a value is out of its range
    ERR_INVALID_ARGUMENT = -1
    #: a handle is NULL, destroyed, of another type, or made up
    ERR_INVALID_HANDLE = -2
    #: an op is TOLK_NONE, of another graph, or made up
    ERR_INVALID_OP = -3
    #: an op is of a kind that does not belong there
    ERR_WRONG_KIND = -4
    #: a size or a sum does not fit in 63 bits
    ERR_OVERFLOW = -5
    #: a list or a graph is longer than the library can hold
    ERR_LIMIT = -6
    #: a text is not of its form; the message has the line, column and byte
    ERR_PARSE = -7
    #: tolk_tlsf_free: no allocated block starts there
    ERR_NOT_ALLOCATED = -8
    #: the caller's array is too short; the count is written
    ERR_BUFFER_TOO_SMALL = -9
    #: a capacity cannot be met: proven
    ERR_INFEASIBLE = -10
    #: a capacity was not met within the effort: there may be a plan
    ERR_NOT_FOUND = -11
    #: verifying found faults
    ERR_INVALID_PLAN = -12
    #: the C heap is exhausted
    ERR_OUT_OF_MEMORY = -13
    #: this process is a child made by fork(): the library works in its parent only
    ERR_FORKED = -14
    #: a fault of the library; please report its message
    ERR_INTERNAL = -15


tolk_status_string: Callable[[int], Optional[bytes]] = _function(
    "tolk_status_string", ctypes.c_char_p, tolk_status
)
"""The name of a status, such as "TOLK_ERR_OVERFLOW"; static; "unknown status" for other numbers. Since: 0.1"""

tolk_last_error: Callable[[], Optional[bytes]] = _function(
    "tolk_last_error", ctypes.c_char_p
)
"""The message of the last failure on this thread: it names the op, the entry
and the argument and says what would be right. "" if none failed. The text is
the thread's and stays until its next failure. Since: 0.1"""

tolk_last_status: Callable[[], int] = _function(
    "tolk_last_status", tolk_status
)
"""The status of the last failure on this thread, such as that of a constructor that gave TOLK_NONE; TOLK_OK if none
failed. Since: 0.1"""


# ---- Settings ----


class Setting(IntEnum):
    """The process-wide settings. Each starts from an environment variable, read at
    its first use; absent or no integer, it is 0. Since: 0.1"""
    #: from NO_MEMORY_PLANNER; not 0: schedules are left as they are
    NO_MEMORY_PLANNER = 1
    #: from DEBUG; 1 or more: planning prints the memory saved on standard output. Set it to 0 in a host whose
    #: standard output is data
    DEBUG = 2


tolk_setting_get: Callable[[int, Pointer], int] = _function(
    "tolk_setting_get", tolk_status, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int64)
)
"""*value is the value of a setting. Since: 0.1"""

tolk_setting_set: Callable[[int, int], int] = _function(
    "tolk_setting_set", tolk_status, ctypes.c_uint32, ctypes.c_int64
)
"""Gives a setting a value for the whole process. Since: 0.1"""

#: Takes a line that planning prints, without its newline. It may call the library, and must return. Since: 0.1
tolk_log_callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)

tolk_log_set: Callable[[Pointer, Pointer], int] = _function(
    "tolk_log_set", tolk_status, tolk_log_callback, ctypes.c_void_p
)
"""Has callback called with each line that TOLK_DEBUG prints, beside printing it;
NULL ends that, but that a plan under way on another thread may still call the one before. It is called on the thread that plans, with
no lock held. Since: 0.1"""


# ---- Graphs and ops ----

#: A graph owns ops, which are hash-consed and immutable: building an op equal to
#: one of the graph gives that one, so that ops are equal exactly if their numbers are. Since: 0.1
tolk_graph = ctypes.c_void_p

#: An op's number, valid for as long as its graph. Since: 0.1
tolk_op = ctypes.c_uint64

#: No op: what a failing constructor gives. Since: 0.1
TOLK_NONE = 0


class Kind(IntEnum):
    """Kinds of ops. Scalars are integers; values are storage and views of storage. Since: 0.1"""
    #: storage that the schedule allocates
    BUFFER = 1
    #: call-local storage
    ALLOC = 2
    #: storage that whoever runs the schedule binds
    PARAM = 3
    #: a scalar known when the schedule runs
    VARIABLE = 4
    #: a scalar
    CONST = 5
    #: a loop's variable, a scalar; source: its count
    RANGE = 6
    #: a scalar; sources: two scalars
    ADD = 7
    #: a scalar; sources: two scalars
    MUL = 8
    #: some elements of a value; sources: the value, start, length
    SHRINK = 9
    #: the bytes of a value at another type
    BITCAST = 10
    #: a value, ordered after effects; sources: the value, the effects
    AFTER = 11
    #: the part on one device of a value on several
    MSELECT = 12
    #: one value on several devices; sources: its parts
    MSTACK = 13
    #: the body of a call
    SINK = 14
    #: the body of a call that is a copy
    STORE = 15
    #: the body of a call
    PROGRAM = 16
    #: the body of a call
    CUSTOM_FUNCTION = 17
    #: one piece of work; sources: the body, the arguments
    CALL = 18
    #: a schedule, or what a loop repeats; sources: the entries
    LINEAR = 19
    #: a loop; sources: what it repeats, its ranges
    END = 20
    #: a loop; sources: what it repeats, its range, the flag
    BACKEDGE = 21



class Dtype(IntEnum):
    """Element types. Those before TOLK_BOOL cannot be stored. Since: 0.1"""
    VOID = 0
    WEAK_INT = 1
    WEAK_FLOAT = 2
    BOOL = 3
    INT8 = 4
    INT16 = 5
    INT32 = 6
    INT64 = 7
    UINT8 = 8
    UINT16 = 9
    UINT32 = 10
    UINT64 = 11
    FLOAT8_E4M3 = 12
    FLOAT8_E5M2 = 13
    FLOAT16 = 14
    BFLOAT16 = 15
    FLOAT32 = 16
    FLOAT64 = 17


tolk_kind_string: Callable[[int], Optional[bytes]] = _function(
    "tolk_kind_string", ctypes.c_char_p, ctypes.c_uint32
)
"""The name of a kind, such as "BUFFER"; static; NULL for other numbers. Since: 0.1"""

tolk_dtype_string: Callable[[int], Optional[bytes]] = _function(
    "tolk_dtype_string", ctypes.c_char_p, ctypes.c_uint32
)
"""The name of an element type, such as "float32"; static; NULL for other numbers. Since: 0.1"""

tolk_dtype_size: Callable[[int], int] = _function(
    "tolk_dtype_size", ctypes.c_uint32, ctypes.c_uint32
)
"""The bytes of an element; 0 for types that cannot be stored and other numbers. Since: 0.1"""

tolk_graph_create: Callable[[Pointer], int] = _function(
    "tolk_graph_create", tolk_status, ctypes.POINTER(tolk_graph)
)
"""*graph is a new empty graph, which the caller destroys. Since: 0.1"""

tolk_graph_destroy: Callable[[Handle], int] = _function(
    "tolk_graph_destroy", tolk_status, tolk_graph
)
"""Destroys a graph and its ops. Plans made in it stay readable. Since: 0.1"""

tolk_graph_op_count: Callable[[Handle, Pointer], int] = _function(
    "tolk_graph_op_count", tolk_status, tolk_graph, ctypes.POINTER(ctypes.c_uint64)
)
"""*count is the number of ops in the graph. Since: 0.1"""

tolk_graph_error: Callable[[Handle], int] = _function(
    "tolk_graph_error", tolk_status, tolk_graph
)
"""The status of the graph's first constructor, tolk_build included, that failed, its message being
tolk_last_error() then; TOLK_OK if none did. So a caller may build a whole schedule and check once. Since: 0.1"""


class tolk_storage(ctypes.Structure):
    """Storage: `count` elements of a type on a device, or on several, each of which then holds that many.
    Since: 0.1"""

    struct_size: int
    #: of known width: TOLK_BOOL and up
    dtype: int
    #: elements, at least 0
    count: int
    #: the name of the device, not empty; a name means nothing to planning, but that "DISK" or "DISK:..." in any
    #: case is a disk, whose storage is not planned
    device: Optional[bytes]
    #: where it is on several: their names, instead of device
    devices: Pointer
    #: of devices
    device_count: int
    #: what tells storage from other storage that is alike: from 0 to below 2^62, if has_slot is not 0;
    #: else a fresh one, which no caller has named and tolk_unique_num has not given
    slot: int
    has_slot: int
    #: 1, 2, 4, 8 or 16; 0 means 16
    align: int
    #: bytes by which the first element lies past a multiple of align: below align, and a multiple of the
    #: smaller of the element's size and align
    phase: int
    #: 0
    reserved: int
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("dtype", ctypes.c_uint32),
        ("count", ctypes.c_int64),
        ("device", ctypes.c_char_p),
        ("devices", ctypes.POINTER(ctypes.c_char_p)),
        ("device_count", ctypes.c_uint64),
        ("slot", ctypes.c_int64),
        ("has_slot", ctypes.c_uint32),
        ("align", ctypes.c_uint32),
        ("phase", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_storage":
        """What TOLK_STORAGE_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_buffer: Callable[[Handle, Pointer], int] = _function(
    "tolk_buffer", tolk_op, tolk_graph, ctypes.POINTER(tolk_storage)
)
"""Storage that the schedule allocates: what planning places. Before its first use and after its last a planned buffer holds
anything: what comes in from outside is a PARAM, or held. Since: 0.1"""

tolk_alloc: Callable[[Handle, Pointer], int] = _function(
    "tolk_alloc", tolk_op, tolk_graph, ctypes.POINTER(tolk_storage)
)
"""Call-local storage; never planned. Since: 0.1"""

tolk_param: Callable[[Handle, Pointer], int] = _function(
    "tolk_param", tolk_op, tolk_graph, ctypes.POINTER(tolk_storage)
)
"""Storage that whoever runs the schedule binds; never planned. Since: 0.1"""

tolk_variable: Callable[[Handle, Optional[bytes], int, int], int] = _function(
    "tolk_variable", tolk_op, tolk_graph, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64
)
"""A scalar in [least, greatest] that is known when the schedule runs; name is not empty. Since: 0.1"""

tolk_const: Callable[[Handle, int], int] = _function(
    "tolk_const", tolk_op, tolk_graph, ctypes.c_int64
)
"""The scalar value. Since: 0.1"""

tolk_range: Callable[[Handle, int, int, int], int] = _function(
    "tolk_range", tolk_op, tolk_graph, tolk_op, ctypes.c_int64, ctypes.c_uint32
)
"""A loop's variable in [0, count), count being a scalar that is never negative. What axis and axis_kind mean is the
caller's; ranges alike in all three are one op, so that nested loops want different axes. Since: 0.1"""

tolk_add: Callable[[Handle, int, int], int] = _function(
    "tolk_add", tolk_op, tolk_graph, tolk_op, tolk_op
)
"""x + y, which must fit in 64 bits for all values that x and y may have. Since: 0.1"""

tolk_mul: Callable[[Handle, int, int], int] = _function(
    "tolk_mul", tolk_op, tolk_graph, tolk_op, tolk_op
)
"""x * y, which must fit in 64 bits for all values that x and y may have. Since: 0.1"""

tolk_shrink: Callable[[Handle, int, int, int], int] = _function(
    "tolk_shrink", tolk_op, tolk_graph, tolk_op, ctypes.c_int64, ctypes.c_int64
)
"""Elements [start, start+length) of a value; the value itself if that is all of it. Since: 0.1"""

tolk_shrink_at: Callable[[Handle, int, int, int], int] = _function(
    "tolk_shrink_at", tolk_op, tolk_graph, tolk_op, tolk_op, ctypes.c_int64
)
"""The same with a start that is a scalar, of which every value must fit. Since: 0.1"""

tolk_bitcast: Callable[[Handle, int, int], int] = _function(
    "tolk_bitcast", tolk_op, tolk_graph, tolk_op, ctypes.c_uint32
)
"""The bytes of a value at another type, whose size must divide them; the value itself if the type is the same. Since: 0.1"""

tolk_after: Callable[[Handle, int, Pointer, int], int] = _function(
    "tolk_after", tolk_op, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""A value, ordered after the effects, which may be any ops; the value itself if there are none. Since: 0.1"""

tolk_mselect: Callable[[Handle, int, int], int] = _function(
    "tolk_mselect", tolk_op, tolk_graph, tolk_op, ctypes.c_uint32
)
"""The part of a value on several devices that is on the device at index shard. Since: 0.1"""

tolk_mstack: Callable[[Handle, Pointer, int], int] = _function(
    "tolk_mstack", tolk_op, tolk_graph, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""One value on several devices, of parts on one device each, alike in type and count. Since: 0.1"""

tolk_sink: Callable[[Handle, Optional[bytes], int, Pointer, int], int] = _function(
    "tolk_sink", tolk_op, tolk_graph, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""The body of a call, opaque to planning: a name (NULL means ""), a number of the caller's own, and any ops. Since: 0.1"""

tolk_store: Callable[[Handle, Optional[bytes], int, Pointer, int], int] = _function(
    "tolk_store", tolk_op, tolk_graph, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""The same; a call of it is a copy. Since: 0.1"""

tolk_program: Callable[[Handle, Optional[bytes], int, Pointer, int], int] = _function(
    "tolk_program", tolk_op, tolk_graph, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""The same as tolk_sink. Since: 0.1"""

tolk_custom_function: Callable[[Handle, Optional[bytes], int, Pointer, int], int] = _function(
    "tolk_custom_function", tolk_op, tolk_graph, ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""The same as tolk_sink. Since: 0.1"""

tolk_call: Callable[[Handle, int, Pointer, int], int] = _function(
    "tolk_call", tolk_op, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""One piece of work: a body (one of the four above, or a LINEAR) on arguments, which are values or scalars. Planning does not
rewrite bodies: let a LINEAR body name PARAMs, not buffers of the schedule. Since: 0.1"""

tolk_linear: Callable[[Handle, Pointer, int], int] = _function(
    "tolk_linear", tolk_op, tolk_graph, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""A schedule, or what a loop repeats: entries in order, each a CALL, END or BACKEDGE. There may be none. Since: 0.1"""

tolk_end: Callable[[Handle, int, Pointer, int], int] = _function(
    "tolk_end", tolk_op, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t
)
"""body, a CALL or a LINEAR, once per value of the ranges; body itself if there are none. Since: 0.1"""

tolk_backedge: Callable[[Handle, int, int, int], int] = _function(
    "tolk_backedge", tolk_op, tolk_graph, tolk_op, tolk_op, tolk_op
)
"""body, a CALL or a LINEAR, for as long as flag, a value of one bool, holds before a trip of loop, a RANGE. Since: 0.1"""


class tolk_op_desc(ctypes.Structure):
    """A description of an op, for tolk_build. Each kind reads the fields its constructor takes. Since: 0.1"""

    struct_size: int
    #: a TOLK_KIND_
    kind: int
    #: BITCAST
    dtype: int
    #: RANGE
    axis_kind: int
    #: in the order of the constructor's parameters; SHRINK: the value, or the value and a scalar start
    sources: Pointer
    #: of sources
    source_count: int
    #: BUFFER, ALLOC, PARAM
    storage: Pointer
    #: VARIABLE, SINK, STORE, PROGRAM, CUSTOM_FUNCTION
    name: Optional[bytes]
    #: SINK, STORE, PROGRAM, CUSTOM_FUNCTION
    tag: int
    #: CONST: its value; VARIABLE: least; RANGE: axis; SHRINK: start; MSELECT: shard
    value: int
    #: VARIABLE: greatest; SHRINK: length
    limit: int
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("dtype", ctypes.c_uint32),
        ("axis_kind", ctypes.c_uint32),
        ("sources", ctypes.POINTER(tolk_op)),
        ("source_count", ctypes.c_uint64),
        ("storage", ctypes.POINTER(tolk_storage)),
        ("name", ctypes.c_char_p),
        ("tag", ctypes.c_uint64),
        ("value", ctypes.c_int64),
        ("limit", ctypes.c_int64),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_op_desc":
        """What TOLK_OP_DESC_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_build: Callable[[Handle, Pointer, int, Pointer], int] = _function(
    "tolk_build", tolk_status, tolk_graph, ctypes.POINTER(tolk_op_desc), ctypes.c_size_t, ctypes.POINTER(tolk_op)
)
"""Builds `count` described ops in one call, and writes them to ops. All or
nothing: when one fails, no op is built, ops is all TOLK_NONE, the message names
the description's index, and the result is the error. The descriptions all have the struct_size of the first. Since: 0.1"""


class tolk_op_info(ctypes.Structure):
    """What an op is. A field that its kind does not have is 0. Since: 0.1"""

    struct_size: int
    #: a TOLK_KIND_
    kind: int
    #: of values; TOLK_WEAK_INT for scalars, TOLK_VOID for the rest
    dtype: int
    #: of values; see tolk_op_device
    device_count: int
    #: elements of values
    count: int
    #: count times the element's size
    bytes: int
    #: see tolk_op_source
    source_count: int
    #: storage
    slot: int
    #: storage
    phase: int
    #: storage
    align: int
    #: values: the storage or MSTACK that it is or, through any chain of views, ends at
    base: int
    #: bodies
    tag: int
    #: SHRINK: the first element, a scalar
    start: int
    #: SHRINK: the elements, a CONST
    length: int
    #: RANGE: the count, a scalar
    range_count: int
    #: RANGE
    axis: int
    #: RANGE
    axis_kind: int
    #: MSELECT
    shard: int
    #: scalars: the bounds of its value; both are the value of a CONST
    least: int
    #: scalars: the bounds of its value; both are the value of a CONST
    greatest: int
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("dtype", ctypes.c_uint32),
        ("device_count", ctypes.c_uint32),
        ("count", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("source_count", ctypes.c_uint64),
        ("slot", ctypes.c_int64),
        ("phase", ctypes.c_uint32),
        ("align", ctypes.c_uint32),
        ("base", tolk_op),
        ("tag", ctypes.c_uint64),
        ("start", tolk_op),
        ("length", tolk_op),
        ("range_count", tolk_op),
        ("axis", ctypes.c_int64),
        ("axis_kind", ctypes.c_uint32),
        ("shard", ctypes.c_uint32),
        ("least", ctypes.c_int64),
        ("greatest", ctypes.c_int64),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_op_info":
        """What TOLK_OP_INFO_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_op_read: Callable[[Handle, int, Pointer], int] = _function(
    "tolk_op_read", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(tolk_op_info)
)
"""Fills *info, up to its struct_size, with all that is known of an op but its strings and sources. Since: 0.1"""

tolk_op_source: Callable[[Handle, int, int, Pointer], int] = _function(
    "tolk_op_source", tolk_status, tolk_graph, tolk_op, ctypes.c_uint64, ctypes.POINTER(tolk_op)
)
"""*source is source `index` of an op, below its source_count. Since: 0.1"""

tolk_op_sources: Callable[[Handle, int, Pointer, int, Pointer], int] = _function(
    "tolk_op_sources", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)
)
"""Writes all sources to an array of `capacity` ops and their number to *count.
BUFFER_TOO_SMALL if they do not fit: then *count is written and the array is not. Since: 0.1"""

tolk_op_device: Callable[[Handle, int, int, Pointer], int] = _function(
    "tolk_op_device", tolk_status, tolk_graph, tolk_op, ctypes.c_uint32, ctypes.POINTER(ctypes.c_char_p)
)
"""*device is the name of device `index`, below its device_count, of a value; the graph's, until it is destroyed. Since: 0.1"""

tolk_op_name: Callable[[Handle, int, Pointer], int] = _function(
    "tolk_op_name", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(ctypes.c_char_p)
)
"""*name is the name of a VARIABLE or a body; the graph's, until it is destroyed. Since: 0.1"""

tolk_unique_num: Callable[[], int] = _function(
    "tolk_unique_num", ctypes.c_int64
)
"""The next number of the process-wide counter that slots come from; -1 in a child made by fork(). Since: 0.1"""


# ---- Planning ----

#: A plan owns the arrays that its readers give. Since: 0.1
tolk_plan = ctypes.c_void_p

#: Stops searches from another thread. Since: 0.1
tolk_cancel = ctypes.c_void_p

tolk_cancel_create: Callable[[Pointer], int] = _function(
    "tolk_cancel_create", tolk_status, ctypes.POINTER(tolk_cancel)
)
"""*cancel is a new one, which the caller destroys. Since: 0.1"""

tolk_cancel_request: Callable[[Handle], int] = _function(
    "tolk_cancel_request", tolk_status, tolk_cancel
)
"""Has every search that was given cancel, now or later, stop at once with its best plan so far. Since: 0.1"""

tolk_cancel_destroy: Callable[[Handle], int] = _function(
    "tolk_cancel_destroy", tolk_status, tolk_cancel
)
"""Destroys it; searches that were given it go on. Since: 0.1"""


class Placer(IntEnum):
    """Strategies of placing. docs/placement.md tells how to choose. Since: 0.1"""
    #: in order of time, from a two-level segregated fit allocator: the rule, and the fastest
    TLSF = 0
    #: the smallest arena it can find, with a proof where there is one; never worse than TLSF
    BEST = 1
    #: largest first, each at the lowest offset free for its lifetime
    FIRST_FIT = 2
    #: largest first, each in the smallest gap that holds it
    BEST_FIT = 3



class Copies(IntEnum):
    """Where the buffers of copies go. Since: 0.1"""
    #: in the arena of their placement
    SHARED = 0
    #: in a second arena of their placement, where each stays for as many entries again as it lived: for engines
    #: whose copies run beside their kernels
    APART = 1



class Override(IntEnum):
    """Which settings a plan overrides; to be joined by |. Since: 0.1"""
    NO_MEMORY_PLANNER = 1
    DEBUG = 2



class tolk_progress(ctypes.Structure):
    """How far a search has come. Since: 0.1"""

    #: bytes of the best plan of the arena so far
    size: int
    #: no arena is smaller, bytes
    bound: int
    #: steps of work
    spent: int
    _fields_ = [
        ("size", ctypes.c_int64),
        ("bound", ctypes.c_int64),
        ("spent", ctypes.c_int64),
    ]


#: Takes the progress of a search, on the thread that searches, with no lock held. It may call the library, and must return: neither an
#: exception nor a longjmp may leave it, as Go's frames lie below. Since: 0.1
tolk_progress_callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(tolk_progress))


class tolk_capacity(ctypes.Structure):
    """The most bytes of each arena on a placement; one that the schedule has no arena on is no error. An arena on several devices
    is on each of them beside the device's own. Since: 0.1"""

    #: the placement's names, in order
    devices: Pointer
    device_count: int
    #: above 0
    bytes: int
    _fields_ = [
        ("devices", ctypes.POINTER(ctypes.c_char_p)),
        ("device_count", ctypes.c_uint64),
        ("bytes", ctypes.c_int64),
    ]



class tolk_plan_options(ctypes.Structure):
    """How to plan; NULL or TOLK_PLAN_OPTIONS_INIT is the rule. Since: 0.1"""

    struct_size: int
    #: a TOLK_COPIES_
    copies: int
    #: a TOLK_PLACER_
    placer: int
    #: TOLK_OVERRIDE_s: which of the next two are used instead of the settings
    overrides: int
    no_memory_planner: int
    debug: int
    #: what needs are rounded up to, bytes: a power of two up to 1 GiB; 0 means 256
    granule: int
    #: steps of work, of about a microsecond, that TOLK_PLACER_BEST may spend on an arena; 0 means
    #: milliseconds for real models, about a second for hard problems, and several for hard ones of
    #: a million buffers
    effort: int
    #: milliseconds for the whole plan; 0 means none
    time_limit_ms: int
    #: of some placements; NULL for none
    capacities: Pointer
    capacity_count: int
    #: NULL for none
    progress: Pointer
    progress_user: Pointer
    #: NULL for none
    cancel: Handle
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("copies", ctypes.c_uint32),
        ("placer", ctypes.c_uint32),
        ("overrides", ctypes.c_uint32),
        ("no_memory_planner", ctypes.c_int64),
        ("debug", ctypes.c_int64),
        ("granule", ctypes.c_int64),
        ("effort", ctypes.c_int64),
        ("time_limit_ms", ctypes.c_int64),
        ("capacities", ctypes.POINTER(tolk_capacity)),
        ("capacity_count", ctypes.c_uint64),
        ("progress", tolk_progress_callback),
        ("progress_user", ctypes.c_void_p),
        ("cancel", tolk_cancel),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_plan_options":
        """What TOLK_PLAN_OPTIONS_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_memory_plan_rewrite: Callable[[Handle, int, Pointer, int, Pointer, Pointer, Pointer], int] = _function(
    "tolk_memory_plan_rewrite", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t, ctypes.POINTER(tolk_plan_options), ctypes.POINTER(tolk_op), ctypes.POINTER(tolk_plan)
)
"""*planned is the schedule, a LINEAR of calls and loops run in order, with its buffers placed in arenas; *plan, which the
caller destroys, says where. Either may be NULL.

A buffer is planned unless it is held, which says that its contents outlive the schedule, or on a disk. It lives from the
first entry that takes it to the last, a loop being one entry. Sharing bytes is right where entries run in order: an
engine that overlaps them, on several streams or devices, orders those that share bytes. *planned has the same entries in
the same order, and in place of each planned buffer, wherever the schedule reaches it outside the bodies of calls, the
bytes of its arena. It is the schedule itself if planning is switched off or nothing is planned.

held may hold views, which stand for the storage under them. Errors: WRONG_KIND if schedule is no LINEAR, INVALID_OP,
INVALID_ARGUMENT for an option, OVERFLOW if the needs sum to more than 2^61 bytes, LIMIT if its loops, written out, have
more than 2^26 arguments, INFEASIBLE and NOT_FOUND for a capacity. The time is linear in the arguments with the default
placer. Since: 0.1"""

tolk_taken: Callable[[Handle, int, Pointer, int, Pointer], int] = _function(
    "tolk_taken", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(tolk_op), ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)
)
"""Writes the storage (BUFFER, ALLOC, PARAM) that an entry of a schedule takes, each once in the order of its first use, to
an array of `capacity` ops, and its number to *count; as tolk_op_sources if it does not fit. An MSTACK takes all of its
parts, under an MSELECT too, though that binds to one of them. An entry is a CALL, END or BACKEDGE; a loop takes a back
edge's flag first, then what each call inside takes. Since: 0.1"""


# ---- Reading a plan ----


class Proof(IntEnum):
    """Why an arena is known to be as small as can be. Since: 0.1"""
    #: it is not known
    NONE = 0
    #: it equals its lower bound
    EQUALS_BOUND = 1
    #: every smaller arena was searched in full
    EXHAUSTED = 2



class Stop(IntEnum):
    """Why a placer stopped. Since: 0.1"""
    DONE = 0
    EFFORT = 1
    TIME = 2
    CANCELLED = 3



class tolk_arena(ctypes.Structure):
    """One arena. Since: 0.1"""

    #: the new BUFFER, of int8
    op: int
    #: the names of its placement
    devices: Pointer
    device_count: int
    #: bytes: what to allocate, on each device of its placement, aligned to the greater of 256 and the
    #: granule; a multiple of the granule
    size: int
    #: the greatest load: bytes of blocks live at one entry
    lower_bound: int
    #: no plan has fewer bytes; at least lower_bound
    proven_bound: int
    #: the first entry of the greatest load
    peak_entry: int
    #: the places (indices) of the buffers live there, largest block first
    live: Pointer
    live_count: int
    #: steps of work of the placer
    spent: int
    #: a TOLK_PROOF_
    proof: int
    #: a TOLK_STOP_
    stopped: int
    #: 1 if it holds the buffers of copies, kept apart
    copies: int
    reserved: int
    _fields_ = [
        ("op", tolk_op),
        ("devices", ctypes.POINTER(ctypes.c_char_p)),
        ("device_count", ctypes.c_uint64),
        ("size", ctypes.c_int64),
        ("lower_bound", ctypes.c_int64),
        ("proven_bound", ctypes.c_int64),
        ("peak_entry", ctypes.c_uint64),
        ("live", ctypes.POINTER(ctypes.c_uint64)),
        ("live_count", ctypes.c_uint64),
        ("spent", ctypes.c_int64),
        ("proof", ctypes.c_uint32),
        ("stopped", ctypes.c_uint32),
        ("copies", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]



class tolk_placed(ctypes.Structure):
    """Where a buffer was placed, and when it lives. Since: 0.1"""

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
    reserved: int
    _fields_ = [
        ("buffer", tolk_op),
        ("place", ctypes.c_int64),
        ("start", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("need", ctypes.c_int64),
        ("first", ctypes.c_uint64),
        ("end", ctypes.c_uint64),
        ("arena", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


#: tolk_bind.arena where storage is no arena. Since: 0.1
TOLK_NO_ARENA = 4294967295

#: tolk_bind.argument where it is the flag of a back edge. Since: 0.1
TOLK_FLAG = 4294967295

#: tolk_bind.device where it is every device of the storage. Since: 0.1
TOLK_ALL_DEVICES = 4294967295


class tolk_bind(ctypes.Structure):
    """What one argument of the rewritten schedule binds to. Since: 0.1"""

    #: which entry of the schedule
    entry: int
    #: the CALL, in the entry or in loops of it; or the BACKEDGE whose flag it is
    call: int
    #: the argument: storage or a view
    value: int
    #: the arena, or the BUFFER, ALLOC or PARAM
    storage: int
    #: bytes from the storage's first element; see symbolic
    offset: int
    #: length of the argument
    bytes: int
    #: its index, scalars counted too, or TOLK_FLAG
    argument: int
    #: which part of an MSTACK; 0 otherwise
    shard: int
    #: which device of the storage, an index; or TOLK_ALL_DEVICES where it is on several and none is picked
    device: int
    #: index of the arena, or TOLK_NO_ARENA
    arena: int
    #: 1 if a start is known only when the schedule runs: offset counts such a start as 0. For each SHRINK on the
    #: way from value to storage whose start has a least that differs from its greatest (tolk_op_read), add the
    #: start times the element size. Through an MSTACK the way goes by source `shard`, through one inside it by its
    #: first source, but that an MSELECT over it picks its own
    symbolic: int
    reserved: int
    _fields_ = [
        ("entry", ctypes.c_uint64),
        ("call", tolk_op),
        ("value", tolk_op),
        ("storage", tolk_op),
        ("offset", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("argument", ctypes.c_uint32),
        ("shard", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("arena", ctypes.c_uint32),
        ("symbolic", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]



class tolk_totals(ctypes.Structure):
    """Bytes of a plan. Since: 0.1"""

    struct_size: int
    #: 1 if every arena is proven to be as small as can be
    optimal: int
    #: sum of the blocks of all planned buffers
    before: int
    #: sum of the arenas
    after: int
    #: sum of the arenas' lower bounds
    lower_bound: int
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("optimal", ctypes.c_uint32),
        ("before", ctypes.c_int64),
        ("after", ctypes.c_int64),
        ("lower_bound", ctypes.c_int64),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_totals":
        """What TOLK_TOTALS_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_plan_arenas: Callable[[Handle, Pointer, Pointer], int] = _function(
    "tolk_plan_arenas", tolk_status, tolk_plan, ctypes.POINTER(ctypes.POINTER(tolk_arena)), ctypes.POINTER(ctypes.c_size_t)
)
"""*arenas is the arenas, in order of the first buffer placed in each. The arrays
that these functions give are the plan's, until it is destroyed. Since: 0.1"""

tolk_plan_places: Callable[[Handle, Pointer, Pointer], int] = _function(
    "tolk_plan_places", tolk_status, tolk_plan, ctypes.POINTER(ctypes.POINTER(tolk_placed)), ctypes.POINTER(ctypes.c_size_t)
)
"""*places is the planned buffers, in order of first use. Since: 0.1"""

tolk_plan_binds: Callable[[Handle, Pointer, Pointer], int] = _function(
    "tolk_plan_binds", tolk_status, tolk_plan, ctypes.POINTER(ctypes.POINTER(tolk_bind)), ctypes.POINTER(ctypes.c_size_t)
)
"""*binds is what every argument that is a value binds to: in order of entry, of
call in the entry (a back edge's flag before the calls inside), of argument, of shard. Scalars bind to nothing. Since: 0.1"""

tolk_plan_entries: Callable[[Handle, Pointer, Pointer], int] = _function(
    "tolk_plan_entries", tolk_status, tolk_plan, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)), ctypes.POINTER(ctypes.c_size_t)
)
"""*begins[e] is where the binds of entry e begin; *count is one more than the
entries, the last of begins being the number of binds. Since: 0.1"""

tolk_plan_totals: Callable[[Handle, Pointer], int] = _function(
    "tolk_plan_totals", tolk_status, tolk_plan, ctypes.POINTER(tolk_totals)
)
"""Fills *totals. Since: 0.1"""

tolk_plan_schedule: Callable[[Handle, Pointer], int] = _function(
    "tolk_plan_schedule", tolk_status, tolk_plan, ctypes.POINTER(tolk_op)
)
"""*planned is the rewritten schedule. Since: 0.1"""

tolk_plan_verify: Callable[[Handle], int] = _function(
    "tolk_plan_verify", tolk_status, tolk_plan
)
"""TOLK_OK if a plan's places are right by a checker that shares no code with the placers, else INVALID_PLAN, the message
naming the first fault. Since: 0.1"""

tolk_plan_destroy: Callable[[Handle], int] = _function(
    "tolk_plan_destroy", tolk_status, tolk_plan
)
"""Destroys a plan and its arrays. Since: 0.1"""


# ---- Placing lifetimes, without ops ----


class tolk_lifetime(ctypes.Structure):
    """A buffer of one arena: when it lives, what it needs. Since: 0.1"""

    #: lifetime [first, end): first < end
    first: int
    end: int
    #: at least 0; a buffer of no bytes overlaps nothing
    bytes: int
    #: what its offset is a multiple of: a power of two up to 1 GiB; 0 means the granule
    align: int
    #: where it is, if fixed is not 0
    offset: int
    fixed: int
    #: 0
    reserved: int
    _fields_ = [
        ("first", ctypes.c_int64),
        ("end", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("align", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("fixed", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]



class tolk_place_options(ctypes.Structure):
    """How to place; NULL or TOLK_PLACE_OPTIONS_INIT means TLSF and a granule of 1. Fields as in tolk_plan_options. Since: 0.1"""

    struct_size: int
    placer: int
    #: 0 means 1
    granule: int
    #: the most bytes of the arena; 0 means any
    capacity: int
    effort: int
    time_limit_ms: int
    progress: Pointer
    progress_user: Pointer
    cancel: Handle
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("placer", ctypes.c_uint32),
        ("granule", ctypes.c_int64),
        ("capacity", ctypes.c_int64),
        ("effort", ctypes.c_int64),
        ("time_limit_ms", ctypes.c_int64),
        ("progress", tolk_progress_callback),
        ("progress_user", ctypes.c_void_p),
        ("cancel", tolk_cancel),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_place_options":
        """What TOLK_PLACE_OPTIONS_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)



class tolk_place_result(ctypes.Structure):
    """What came of placing. Since: 0.1"""

    struct_size: int
    #: a TOLK_PROOF_
    proof: int
    #: 1 if size is proven_bound
    optimal: int
    #: a TOLK_STOP_
    stopped: int
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
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("proof", ctypes.c_uint32),
        ("optimal", ctypes.c_uint32),
        ("stopped", ctypes.c_uint32),
        ("size", ctypes.c_int64),
        ("lower_bound", ctypes.c_int64),
        ("proven_bound", ctypes.c_int64),
        ("peak_entry", ctypes.c_int64),
        ("spent", ctypes.c_int64),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_place_result":
        """What TOLK_PLACE_RESULT_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_place: Callable[[Pointer, int, Pointer, Pointer, Pointer], int] = _function(
    "tolk_place", tolk_status, ctypes.POINTER(tolk_lifetime), ctypes.c_size_t, ctypes.POINTER(tolk_place_options), ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(tolk_place_result)
)
"""Writes an offset for each of `count` buffers to offsets, so that buffers that live at once share no byte, and fills
*result, which may be NULL. Errors: INVALID_ARGUMENT names the buffer and field, OVERFLOW, INFEASIBLE, NOT_FOUND.
Since: 0.1"""


class FaultKind(IntEnum):
    """Kinds of faults of a plan. Since: 0.1"""
    #: `buffer` is fixed at `want` and was placed at `got`
    MOVED = 2
    #: the offset of `buffer`, `got`, is no multiple of `want`
    MISALIGNED = 3
    #: bytes [from, to) of `buffer` leave the arena, whose size is `want`
    OUT_OF_ARENA = 4
    #: the size, `got`, is above the capacity, `want`
    OVER_CAPACITY = 6
    #: `buffer` and `other` both live at `entry` and share bytes [from, to)
    OVERLAP = 7



class tolk_fault(ctypes.Structure):
    """A fault of a plan. Fields that its kind does not name are 0. Since: 0.1"""

    #: a TOLK_FAULT_
    kind: int
    reserved: int
    #: indices
    buffer: int
    #: indices
    other: int
    entry: int
    #: bytes
    from_: int
    #: bytes
    to: int
    got: int
    want: int
    _fields_ = [
        ("kind", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("buffer", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
        ("entry", ctypes.c_int64),
        ("from_", ctypes.c_int64),
        ("to", ctypes.c_int64),
        ("got", ctypes.c_int64),
        ("want", ctypes.c_int64),
    ]


tolk_place_verify: Callable[[Pointer, int, Pointer, Pointer, int, Pointer, int, Pointer], int] = _function(
    "tolk_place_verify", tolk_status, ctypes.POINTER(tolk_lifetime), ctypes.c_size_t, ctypes.POINTER(tolk_place_options), ctypes.POINTER(ctypes.c_int64), ctypes.c_int64, ctypes.POINTER(tolk_fault), ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)
)
"""TOLK_OK if offsets, by whomever, are a plan for the buffers in an arena of `size` bytes; INVALID_PLAN with up to
`capacity` faults in faults and their number in *fault_count, both of which may be NULL, and a message that names the
first. Of options granule and capacity count. Takes about n log n. Since: 0.1"""


# ---- Text ----

tolk_plan_text: Callable[[Optional[bytes], int, Pointer, Pointer], int] = _function(
    "tolk_plan_text", tolk_status, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
)
"""*answer, of *answer_len bytes and a NUL behind them, is the answer to a request to plan, both JSON as docs/formats.md
has it. The caller frees it with tolk_string_free. PARSE says where the request is wrong. Since: 0.1"""


class tolk_schedule(ctypes.Structure):
    """A schedule that was read from a text. Since: 0.1"""

    struct_size: int
    reserved: int
    #: the LINEAR
    schedule: int
    #: by index in the text
    storage: Pointer
    storage_count: int
    #: the storage marked as held
    held: Pointer
    held_count: int
    name: Pointer
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
        ("schedule", tolk_op),
        ("storage", ctypes.POINTER(tolk_op)),
        ("storage_count", ctypes.c_uint64),
        ("held", ctypes.POINTER(tolk_op)),
        ("held_count", ctypes.c_uint64),
        ("name", ctypes.c_void_p),
    ]

    @classmethod
    def init(cls, **fields: Any) -> "tolk_schedule":
        """What TOLK_SCHEDULE_INIT is, but for the fields given."""
        return cls(struct_size=ctypes.sizeof(cls), **fields)


tolk_schedule_read: Callable[[Handle, Optional[bytes], int, Pointer], int] = _function(
    "tolk_schedule_read", tolk_status, tolk_graph, ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(tolk_schedule)
)
"""Builds the schedule of a text in a graph, and fills *schedule, which the caller frees with tolk_schedule_free. Each
storage takes a fresh slot. Since: 0.1"""

tolk_schedule_free: Callable[[Pointer], None] = _function(
    "tolk_schedule_free", None, ctypes.POINTER(tolk_schedule)
)
"""Frees the arrays of a schedule that was read, not its ops; NULL does nothing. Since: 0.1"""

tolk_schedule_write: Callable[[Handle, int, Optional[bytes], Pointer, int, Pointer, Pointer], int] = _function(
    "tolk_schedule_write", tolk_status, tolk_graph, tolk_op, ctypes.c_char_p, ctypes.POINTER(tolk_op), ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
)
"""*text is the text of a schedule, to be planned again with the same plan; the caller frees it with tolk_string_free. It
holds what planning looks at: not slots, ranges, names, tags, scalar arguments, or effects that are no values. A start
that is no CONST is written as its least value. Storage is numbered in order of first use. name may be NULL. Since: 0.1"""

tolk_plan_write: Callable[[Handle, Handle, Pointer, Pointer], int] = _function(
    "tolk_plan_write", tolk_status, tolk_graph, tolk_plan, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
)
"""*text is the text of a plan, storage numbered as tolk_schedule_write numbers it in the schedule that was planned; the
caller frees it with tolk_string_free. graph is the one it was planned in. Since: 0.1"""

tolk_string_free: Callable[[Pointer], None] = _function(
    "tolk_string_free", None, ctypes.c_void_p
)
"""Frees a string that the library gave; NULL does nothing. Since: 0.1"""


# ---- The allocator ----

#: A two-level segregated fit allocator over offsets; it touches no memory. One may be used by several threads, one at a
#: time. Since: 0.1
tolk_tlsf = ctypes.c_void_p

#: What an allocator usually is made with. Since: 0.1
TOLK_TLSF_BLOCK_SIZE = 16

TOLK_TLSF_LIST_COUNT = 16

tolk_tlsf_create: Callable[[int, int, int, int, Pointer], int] = _function(
    "tolk_tlsf_create", tolk_status, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(tolk_tlsf)
)
"""*tlsf is an allocator of addresses [base, base + size), which the caller destroys. block_size is the least size of a block
and list_count the second-level lists of each power of two; both are positive, list_count at most 4096, and block_size,
written in binary, has at least as many digits as list_count. Since: 0.1"""

tolk_tlsf_alloc: Callable[[Handle, int, int, Pointer], int] = _function(
    "tolk_tlsf_alloc", tolk_status, tolk_tlsf, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)
)
"""*address is the start of a free block whose distance from base is a multiple of align, 1 or more; TOLK_NO_ROOM if there is
none. The block has `size` bytes, 0 or more, and at least block_size. It is sought among blocks that are larger by up to one part
in list_count, so that a free block of just that size may be passed over. Constant time. Since: 0.1"""

tolk_tlsf_free: Callable[[Handle, int], int] = _function(
    "tolk_tlsf_free", tolk_status, tolk_tlsf, ctypes.c_int64
)
"""Frees the block that starts at address; NOT_ALLOCATED if none does. Constant time. Since: 0.1"""

tolk_tlsf_destroy: Callable[[Handle], int] = _function(
    "tolk_tlsf_destroy", tolk_status, tolk_tlsf
)
"""Destroys an allocator. Since: 0.1"""


# ---- Debugging ----

tolk_op_print: Callable[[Handle, int, Pointer, Pointer], int] = _function(
    "tolk_op_print", tolk_status, tolk_graph, tolk_op, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)
)
"""*text is an op and all that it is built on, a line each, by the numbers that messages use; the caller frees it with
tolk_string_free. Since: 0.1"""

tolk_graph_check: Callable[[Handle], int] = _function(
    "tolk_graph_check", tolk_status, tolk_graph
)
"""TOLK_OK if the graph's tables agree with each other; INTERNAL otherwise. Costs about what building it did. Since: 0.1"""
