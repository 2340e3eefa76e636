// Generated from include/tolk_memory.h, do not edit: go run ./internal/bindgen
//
// The declarations of C, under their own names. What each promises and requires stands in the comments, which are the header's.

#![allow(non_camel_case_types)]
#![cfg_attr(rustfmt, rustfmt_skip)]

use std::marker::{PhantomData, PhantomPinned};
use std::mem::size_of;
use std::os::raw::{c_char, c_void};

// ---- Version ----

/// The version of this header. Since: 0.1
pub const TOLK_VERSION_MAJOR: u32 = 0;

pub const TOLK_VERSION_MINOR: u32 = 1;

pub const TOLK_VERSION_PATCH: u32 = 0;

pub const TOLK_VERSION: u32 = 1000;

/// The version of the binary interface: a library works with headers of the same number. Since: 0.1
pub const TOLK_ABI_VERSION: u32 = 0;

// ---- Status ----

/// What came of a call: 0, a positive answer, or a negative error. Since: 0.1
pub type tolk_status = i32;

/// The values of tolk_status; the message of a failure says more. Since: 0.1
pub type tolk_status_code = i32;
pub const TOLK_OK: tolk_status_code = 0;
/// tolk_tlsf_alloc: no block is sure to be large enough; an answer, not an error
pub const TOLK_NO_ROOM: tolk_status_code = 1;
/// a value is out of its range
pub const TOLK_ERR_INVALID_ARGUMENT: tolk_status_code = -1;
/// a handle is NULL, destroyed, of another type, or made up
pub const TOLK_ERR_INVALID_HANDLE: tolk_status_code = -2;
/// an op is TOLK_NONE, of another graph, or made up
pub const TOLK_ERR_INVALID_OP: tolk_status_code = -3;
/// an op is of a kind that does not belong there
pub const TOLK_ERR_WRONG_KIND: tolk_status_code = -4;
/// a size or a sum does not fit in 63 bits
pub const TOLK_ERR_OVERFLOW: tolk_status_code = -5;
/// a list or a graph is longer than the library can hold
pub const TOLK_ERR_LIMIT: tolk_status_code = -6;
/// a text is not of its form; the message has the line, column and byte
pub const TOLK_ERR_PARSE: tolk_status_code = -7;
/// tolk_tlsf_free: no allocated block starts there
pub const TOLK_ERR_NOT_ALLOCATED: tolk_status_code = -8;
/// the caller's array is too short; the count is written
pub const TOLK_ERR_BUFFER_TOO_SMALL: tolk_status_code = -9;
/// a capacity cannot be met: proven
pub const TOLK_ERR_INFEASIBLE: tolk_status_code = -10;
/// a capacity was not met within the effort: there may be a plan
pub const TOLK_ERR_NOT_FOUND: tolk_status_code = -11;
/// verifying found faults
pub const TOLK_ERR_INVALID_PLAN: tolk_status_code = -12;
/// the C heap is exhausted
pub const TOLK_ERR_OUT_OF_MEMORY: tolk_status_code = -13;
/// this process is a child made by fork(): the library works in its parent only
pub const TOLK_ERR_FORKED: tolk_status_code = -14;
/// a fault of the library; please report its message
pub const TOLK_ERR_INTERNAL: tolk_status_code = -15;

// ---- Settings ----

/// The process-wide settings. Each starts from an environment variable, read at
/// its first use; absent or no integer, it is 0. Since: 0.1
pub type tolk_setting = u32;
/// from NO_MEMORY_PLANNER; not 0: schedules are left as they are
pub const TOLK_NO_MEMORY_PLANNER: tolk_setting = 1;
/// from DEBUG; 1 or more: planning prints the memory saved on standard output. Set it to 0 in a host whose
/// standard output is data
pub const TOLK_DEBUG: tolk_setting = 2;

/// Takes a line that planning prints, without its newline. It may call the library, and must return. Since: 0.1
pub type tolk_log_callback = Option<unsafe extern "C" fn(user: *mut c_void, line: *const c_char)>;

// ---- Graphs and ops ----

/// A graph owns ops, which are hash-consed and immutable: building an op equal to
/// one of the graph gives that one, so that ops are equal exactly if their numbers are. Since: 0.1
#[repr(C)]
pub struct tolk_graph {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An op's number, valid for as long as its graph. Since: 0.1
pub type tolk_op = u64;

/// No op: what a failing constructor gives. Since: 0.1
pub const TOLK_NONE: u64 = 0;

/// Kinds of ops. Scalars are integers; values are storage and views of storage. Since: 0.1
pub type tolk_kind = u32;
/// storage that the schedule allocates
pub const TOLK_KIND_BUFFER: tolk_kind = 1;
/// call-local storage
pub const TOLK_KIND_ALLOC: tolk_kind = 2;
/// storage that whoever runs the schedule binds
pub const TOLK_KIND_PARAM: tolk_kind = 3;
/// a scalar known when the schedule runs
pub const TOLK_KIND_VARIABLE: tolk_kind = 4;
/// a scalar
pub const TOLK_KIND_CONST: tolk_kind = 5;
/// a loop's variable, a scalar; source: its count
pub const TOLK_KIND_RANGE: tolk_kind = 6;
/// a scalar; sources: two scalars
pub const TOLK_KIND_ADD: tolk_kind = 7;
/// a scalar; sources: two scalars
pub const TOLK_KIND_MUL: tolk_kind = 8;
/// some elements of a value; sources: the value, start, length
pub const TOLK_KIND_SHRINK: tolk_kind = 9;
/// the bytes of a value at another type
pub const TOLK_KIND_BITCAST: tolk_kind = 10;
/// a value, ordered after effects; sources: the value, the effects
pub const TOLK_KIND_AFTER: tolk_kind = 11;
/// the part on one device of a value on several
pub const TOLK_KIND_MSELECT: tolk_kind = 12;
/// one value on several devices; sources: its parts
pub const TOLK_KIND_MSTACK: tolk_kind = 13;
/// the body of a call
pub const TOLK_KIND_SINK: tolk_kind = 14;
/// the body of a call that is a copy
pub const TOLK_KIND_STORE: tolk_kind = 15;
/// the body of a call
pub const TOLK_KIND_PROGRAM: tolk_kind = 16;
/// the body of a call
pub const TOLK_KIND_CUSTOM_FUNCTION: tolk_kind = 17;
/// one piece of work; sources: the body, the arguments
pub const TOLK_KIND_CALL: tolk_kind = 18;
/// a schedule, or what a loop repeats; sources: the entries
pub const TOLK_KIND_LINEAR: tolk_kind = 19;
/// a loop; sources: what it repeats, its ranges
pub const TOLK_KIND_END: tolk_kind = 20;
/// a loop; sources: what it repeats, its range, the flag
pub const TOLK_KIND_BACKEDGE: tolk_kind = 21;

/// Element types. Those before TOLK_BOOL cannot be stored. Since: 0.1
pub type tolk_dtype = u32;
pub const TOLK_VOID: tolk_dtype = 0;
pub const TOLK_WEAK_INT: tolk_dtype = 1;
pub const TOLK_WEAK_FLOAT: tolk_dtype = 2;
pub const TOLK_BOOL: tolk_dtype = 3;
pub const TOLK_INT8: tolk_dtype = 4;
pub const TOLK_INT16: tolk_dtype = 5;
pub const TOLK_INT32: tolk_dtype = 6;
pub const TOLK_INT64: tolk_dtype = 7;
pub const TOLK_UINT8: tolk_dtype = 8;
pub const TOLK_UINT16: tolk_dtype = 9;
pub const TOLK_UINT32: tolk_dtype = 10;
pub const TOLK_UINT64: tolk_dtype = 11;
pub const TOLK_FLOAT8_E4M3: tolk_dtype = 12;
pub const TOLK_FLOAT8_E5M2: tolk_dtype = 13;
pub const TOLK_FLOAT16: tolk_dtype = 14;
pub const TOLK_BFLOAT16: tolk_dtype = 15;
pub const TOLK_FLOAT32: tolk_dtype = 16;
pub const TOLK_FLOAT64: tolk_dtype = 17;

/// Storage: `count` elements of a type on a device, or on several, each of which then holds that many.
/// Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_storage {
    pub struct_size: u32,
    /// of known width: TOLK_BOOL and up
    pub dtype: u32,
    /// elements, at least 0
    pub count: i64,
    /// the name of the device, not empty; a name means nothing to planning, but that "DISK" or "DISK:..." in any
    /// case is a disk, whose storage is not planned
    pub device: *const c_char,
    /// where it is on several: their names, instead of device
    pub devices: *const *const c_char,
    /// of devices
    pub device_count: u64,
    /// what tells storage from other storage that is alike: from 0 to below 2^62, if has_slot is not 0;
    /// else a fresh one, which no caller has named and tolk_unique_num has not given
    pub slot: i64,
    pub has_slot: u32,
    /// 1, 2, 4, 8 or 16; 0 means 16
    pub align: u32,
    /// bytes by which the first element lies past a multiple of align: below align, and a multiple of the
    /// smaller of the element's size and align
    pub phase: u32,
    /// 0
    pub reserved: u32,
}

impl tolk_storage {
    /// All defaults, with `struct_size` set: what the macro TOLK_STORAGE_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            dtype: 0,
            count: 0,
            device: std::ptr::null(),
            devices: std::ptr::null(),
            device_count: 0,
            slot: 0,
            has_slot: 0,
            align: 0,
            phase: 0,
            reserved: 0,
        }
    }
}

impl Default for tolk_storage {
    fn default() -> Self {
        Self::init()
    }
}

/// A description of an op, for tolk_build. Each kind reads the fields its constructor takes. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_op_desc {
    pub struct_size: u32,
    /// a TOLK_KIND_
    pub kind: u32,
    /// BITCAST
    pub dtype: u32,
    /// RANGE
    pub axis_kind: u32,
    /// in the order of the constructor's parameters; SHRINK: the value, or the value and a scalar start
    pub sources: *const tolk_op,
    /// of sources
    pub source_count: u64,
    /// BUFFER, ALLOC, PARAM
    pub storage: *const tolk_storage,
    /// VARIABLE, SINK, STORE, PROGRAM, CUSTOM_FUNCTION
    pub name: *const c_char,
    /// SINK, STORE, PROGRAM, CUSTOM_FUNCTION
    pub tag: u64,
    /// CONST: its value; VARIABLE: least; RANGE: axis; SHRINK: start; MSELECT: shard
    pub value: i64,
    /// VARIABLE: greatest; SHRINK: length
    pub limit: i64,
}

impl tolk_op_desc {
    /// All defaults, with `struct_size` set: what the macro TOLK_OP_DESC_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            kind: 0,
            dtype: 0,
            axis_kind: 0,
            sources: std::ptr::null(),
            source_count: 0,
            storage: std::ptr::null(),
            name: std::ptr::null(),
            tag: 0,
            value: 0,
            limit: 0,
        }
    }
}

impl Default for tolk_op_desc {
    fn default() -> Self {
        Self::init()
    }
}

/// What an op is. A field that its kind does not have is 0. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_op_info {
    pub struct_size: u32,
    /// a TOLK_KIND_
    pub kind: u32,
    /// of values; TOLK_WEAK_INT for scalars, TOLK_VOID for the rest
    pub dtype: u32,
    /// of values; see tolk_op_device
    pub device_count: u32,
    /// elements of values
    pub count: i64,
    /// count times the element's size
    pub bytes: i64,
    /// see tolk_op_source
    pub source_count: u64,
    /// storage
    pub slot: i64,
    /// storage
    pub phase: u32,
    /// storage
    pub align: u32,
    /// values: the storage or MSTACK that it is or, through any chain of views, ends at
    pub base: tolk_op,
    /// bodies
    pub tag: u64,
    /// SHRINK: the first element, a scalar
    pub start: tolk_op,
    /// SHRINK: the elements, a CONST
    pub length: tolk_op,
    /// RANGE: the count, a scalar
    pub range_count: tolk_op,
    /// RANGE
    pub axis: i64,
    /// RANGE
    pub axis_kind: u32,
    /// MSELECT
    pub shard: u32,
    /// scalars: the bounds of its value; both are the value of a CONST
    pub least: i64,
    /// scalars: the bounds of its value; both are the value of a CONST
    pub greatest: i64,
}

impl tolk_op_info {
    /// All defaults, with `struct_size` set: what the macro TOLK_OP_INFO_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            kind: 0,
            dtype: 0,
            device_count: 0,
            count: 0,
            bytes: 0,
            source_count: 0,
            slot: 0,
            phase: 0,
            align: 0,
            base: 0,
            tag: 0,
            start: 0,
            length: 0,
            range_count: 0,
            axis: 0,
            axis_kind: 0,
            shard: 0,
            least: 0,
            greatest: 0,
        }
    }
}

impl Default for tolk_op_info {
    fn default() -> Self {
        Self::init()
    }
}

// ---- Planning ----

/// A plan owns the arrays that its readers give. Since: 0.1
#[repr(C)]
pub struct tolk_plan {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Stops searches from another thread. Since: 0.1
#[repr(C)]
pub struct tolk_cancel {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Strategies of placing. docs/placement.md tells how to choose. Since: 0.1
pub type tolk_placer = u32;
/// in order of time, from a two-level segregated fit allocator: the rule, and the fastest
pub const TOLK_PLACER_TLSF: tolk_placer = 0;
/// the smallest arena it can find, with a proof where there is one; never worse than TLSF
pub const TOLK_PLACER_BEST: tolk_placer = 1;
/// largest first, each at the lowest offset free for its lifetime
pub const TOLK_PLACER_FIRST_FIT: tolk_placer = 2;
/// largest first, each in the smallest gap that holds it
pub const TOLK_PLACER_BEST_FIT: tolk_placer = 3;

/// Where the buffers of copies go. Since: 0.1
pub type tolk_copies = u32;
/// in the arena of their placement
pub const TOLK_COPIES_SHARED: tolk_copies = 0;
/// in a second arena of their placement, where each stays for as many entries again as it lived: for engines
/// whose copies run beside their kernels
pub const TOLK_COPIES_APART: tolk_copies = 1;

/// Which settings a plan overrides; to be joined by |. Since: 0.1
pub type tolk_override = u32;
pub const TOLK_OVERRIDE_NO_MEMORY_PLANNER: tolk_override = 1;
pub const TOLK_OVERRIDE_DEBUG: tolk_override = 2;

/// How far a search has come. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct tolk_progress {
    /// bytes of the best plan of the arena so far
    pub size: i64,
    /// no arena is smaller, bytes
    pub bound: i64,
    /// steps of work
    pub spent: i64,
}

/// Takes the progress of a search, on the thread that searches, with no lock held. It may call the library, and must return: neither an
/// exception nor a longjmp may leave it, as Go's frames lie below. Since: 0.1
pub type tolk_progress_callback = Option<unsafe extern "C" fn(user: *mut c_void, progress: *const tolk_progress)>;

/// The most bytes of each arena on a placement; one that the schedule has no arena on is no error. An arena on several devices
/// is on each of them beside the device's own. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_capacity {
    /// the placement's names, in order
    pub devices: *const *const c_char,
    pub device_count: u64,
    /// above 0
    pub bytes: i64,
}

/// How to plan; NULL or TOLK_PLAN_OPTIONS_INIT is the rule. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_plan_options {
    pub struct_size: u32,
    /// a TOLK_COPIES_
    pub copies: u32,
    /// a TOLK_PLACER_
    pub placer: u32,
    /// TOLK_OVERRIDE_s: which of the next two are used instead of the settings
    pub overrides: u32,
    pub no_memory_planner: i64,
    pub debug: i64,
    /// what needs are rounded up to, bytes: a power of two up to 1 GiB; 0 means 256
    pub granule: i64,
    /// steps of work, of about a microsecond, that TOLK_PLACER_BEST may spend on an arena; 0 means
    /// milliseconds for real models, about a second for hard problems, and several for hard ones of
    /// a million buffers
    pub effort: i64,
    /// milliseconds for the whole plan; 0 means none
    pub time_limit_ms: i64,
    /// of some placements; NULL for none
    pub capacities: *const tolk_capacity,
    pub capacity_count: u64,
    /// NULL for none
    pub progress: tolk_progress_callback,
    pub progress_user: *mut c_void,
    /// NULL for none
    pub cancel: *mut tolk_cancel,
}

impl tolk_plan_options {
    /// All defaults, with `struct_size` set: what the macro TOLK_PLAN_OPTIONS_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            copies: 0,
            placer: 0,
            overrides: 0,
            no_memory_planner: 0,
            debug: 0,
            granule: 0,
            effort: 0,
            time_limit_ms: 0,
            capacities: std::ptr::null(),
            capacity_count: 0,
            progress: None,
            progress_user: std::ptr::null_mut(),
            cancel: std::ptr::null_mut(),
        }
    }
}

impl Default for tolk_plan_options {
    fn default() -> Self {
        Self::init()
    }
}

// ---- Reading a plan ----

/// Why an arena is known to be as small as can be. Since: 0.1
pub type tolk_proof = u32;
/// it is not known
pub const TOLK_PROOF_NONE: tolk_proof = 0;
/// it equals its lower bound
pub const TOLK_PROOF_EQUALS_BOUND: tolk_proof = 1;
/// every smaller arena was searched in full
pub const TOLK_PROOF_EXHAUSTED: tolk_proof = 2;

/// Why a placer stopped. Since: 0.1
pub type tolk_stop = u32;
pub const TOLK_STOP_DONE: tolk_stop = 0;
pub const TOLK_STOP_EFFORT: tolk_stop = 1;
pub const TOLK_STOP_TIME: tolk_stop = 2;
pub const TOLK_STOP_CANCELLED: tolk_stop = 3;

/// One arena. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_arena {
    /// the new BUFFER, of int8
    pub op: tolk_op,
    /// the names of its placement
    pub devices: *const *const c_char,
    pub device_count: u64,
    /// bytes: what to allocate, on each device of its placement, aligned to the greater of 256 and the
    /// granule; a multiple of the granule
    pub size: i64,
    /// the greatest load: bytes of blocks live at one entry
    pub lower_bound: i64,
    /// no plan has fewer bytes; at least lower_bound
    pub proven_bound: i64,
    /// the first entry of the greatest load
    pub peak_entry: u64,
    /// the places (indices) of the buffers live there, largest block first
    pub live: *const u64,
    pub live_count: u64,
    /// steps of work of the placer
    pub spent: i64,
    /// a TOLK_PROOF_
    pub proof: u32,
    /// a TOLK_STOP_
    pub stopped: u32,
    /// 1 if it holds the buffers of copies, kept apart
    pub copies: u32,
    pub reserved: u32,
}

/// Where a buffer was placed, and when it lives. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct tolk_placed {
    /// the planned BUFFER
    pub buffer: tolk_op,
    /// bytes from the arena's start to its block
    pub place: i64,
    /// bytes from the arena's start to its first element: place + phase
    pub start: i64,
    /// of its elements
    pub bytes: i64,
    /// bytes of its block
    pub need: i64,
    /// the first entry that takes it
    pub first: u64,
    /// the entry from which on its bytes are free
    pub end: u64,
    /// index of the arena
    pub arena: u32,
    pub reserved: u32,
}

/// tolk_bind.arena where storage is no arena. Since: 0.1
pub const TOLK_NO_ARENA: u32 = 4294967295;

/// tolk_bind.argument where it is the flag of a back edge. Since: 0.1
pub const TOLK_FLAG: u32 = 4294967295;

/// tolk_bind.device where it is every device of the storage. Since: 0.1
pub const TOLK_ALL_DEVICES: u32 = 4294967295;

/// What one argument of the rewritten schedule binds to. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct tolk_bind {
    /// which entry of the schedule
    pub entry: u64,
    /// the CALL, in the entry or in loops of it; or the BACKEDGE whose flag it is
    pub call: tolk_op,
    /// the argument: storage or a view
    pub value: tolk_op,
    /// the arena, or the BUFFER, ALLOC or PARAM
    pub storage: tolk_op,
    /// bytes from the storage's first element; see symbolic
    pub offset: i64,
    /// length of the argument
    pub bytes: i64,
    /// its index, scalars counted too, or TOLK_FLAG
    pub argument: u32,
    /// which part of an MSTACK; 0 otherwise
    pub shard: u32,
    /// which device of the storage, an index; or TOLK_ALL_DEVICES where it is on several and none is picked
    pub device: u32,
    /// index of the arena, or TOLK_NO_ARENA
    pub arena: u32,
    /// 1 if a start is known only when the schedule runs: offset counts such a start as 0. For each SHRINK on the
    /// way from value to storage whose start has a least that differs from its greatest (tolk_op_read), add the
    /// start times the element size. Through an MSTACK the way goes by source `shard`, through one inside it by its
    /// first source, but that an MSELECT over it picks its own
    pub symbolic: u32,
    pub reserved: u32,
}

/// Bytes of a plan. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_totals {
    pub struct_size: u32,
    /// 1 if every arena is proven to be as small as can be
    pub optimal: u32,
    /// sum of the blocks of all planned buffers
    pub before: i64,
    /// sum of the arenas
    pub after: i64,
    /// sum of the arenas' lower bounds
    pub lower_bound: i64,
}

impl tolk_totals {
    /// All defaults, with `struct_size` set: what the macro TOLK_TOTALS_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            optimal: 0,
            before: 0,
            after: 0,
            lower_bound: 0,
        }
    }
}

impl Default for tolk_totals {
    fn default() -> Self {
        Self::init()
    }
}

// ---- Placing lifetimes, without ops ----

/// A buffer of one arena: when it lives, what it needs. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct tolk_lifetime {
    /// lifetime \[first, end): first \< end
    pub first: i64,
    pub end: i64,
    /// at least 0; a buffer of no bytes overlaps nothing
    pub bytes: i64,
    /// what its offset is a multiple of: a power of two up to 1 GiB; 0 means the granule
    pub align: i64,
    /// where it is, if fixed is not 0
    pub offset: i64,
    pub fixed: u32,
    /// 0
    pub reserved: u32,
}

/// How to place; NULL or TOLK_PLACE_OPTIONS_INIT means TLSF and a granule of 1. Fields as in tolk_plan_options. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_place_options {
    pub struct_size: u32,
    pub placer: u32,
    /// 0 means 1
    pub granule: i64,
    /// the most bytes of the arena; 0 means any
    pub capacity: i64,
    pub effort: i64,
    pub time_limit_ms: i64,
    pub progress: tolk_progress_callback,
    pub progress_user: *mut c_void,
    pub cancel: *mut tolk_cancel,
}

impl tolk_place_options {
    /// All defaults, with `struct_size` set: what the macro TOLK_PLACE_OPTIONS_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            placer: 0,
            granule: 0,
            capacity: 0,
            effort: 0,
            time_limit_ms: 0,
            progress: None,
            progress_user: std::ptr::null_mut(),
            cancel: std::ptr::null_mut(),
        }
    }
}

impl Default for tolk_place_options {
    fn default() -> Self {
        Self::init()
    }
}

/// What came of placing. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_place_result {
    pub struct_size: u32,
    /// a TOLK_PROOF_
    pub proof: u32,
    /// 1 if size is proven_bound
    pub optimal: u32,
    /// a TOLK_STOP_
    pub stopped: u32,
    /// bytes of the arena
    pub size: i64,
    /// the greatest load
    pub lower_bound: i64,
    /// no plan has fewer bytes; at least lower_bound
    pub proven_bound: i64,
    /// the first entry of the greatest load
    pub peak_entry: i64,
    /// steps of work
    pub spent: i64,
}

impl tolk_place_result {
    /// All defaults, with `struct_size` set: what the macro TOLK_PLACE_RESULT_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            proof: 0,
            optimal: 0,
            stopped: 0,
            size: 0,
            lower_bound: 0,
            proven_bound: 0,
            peak_entry: 0,
            spent: 0,
        }
    }
}

impl Default for tolk_place_result {
    fn default() -> Self {
        Self::init()
    }
}

/// Kinds of faults of a plan. Since: 0.1
pub type tolk_fault_kind = u32;
/// `buffer` is fixed at `want` and was placed at `got`
pub const TOLK_FAULT_MOVED: tolk_fault_kind = 2;
/// the offset of `buffer`, `got`, is no multiple of `want`
pub const TOLK_FAULT_MISALIGNED: tolk_fault_kind = 3;
/// bytes \[from, to) of `buffer` leave the arena, whose size is `want`
pub const TOLK_FAULT_OUT_OF_ARENA: tolk_fault_kind = 4;
/// the size, `got`, is above the capacity, `want`
pub const TOLK_FAULT_OVER_CAPACITY: tolk_fault_kind = 6;
/// `buffer` and `other` both live at `entry` and share bytes \[from, to)
pub const TOLK_FAULT_OVERLAP: tolk_fault_kind = 7;

/// A fault of a plan. Fields that its kind does not name are 0. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct tolk_fault {
    /// a TOLK_FAULT_
    pub kind: u32,
    pub reserved: u32,
    /// indices
    pub buffer: u64,
    /// indices
    pub other: u64,
    pub entry: i64,
    /// bytes
    pub from: i64,
    /// bytes
    pub to: i64,
    pub got: i64,
    pub want: i64,
}

// ---- Text ----

/// A schedule that was read from a text. Since: 0.1
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct tolk_schedule {
    pub struct_size: u32,
    pub reserved: u32,
    /// the LINEAR
    pub schedule: tolk_op,
    /// by index in the text
    pub storage: *mut tolk_op,
    pub storage_count: u64,
    /// the storage marked as held
    pub held: *mut tolk_op,
    pub held_count: u64,
    pub name: *mut c_char,
}

impl tolk_schedule {
    /// All defaults, with `struct_size` set: what the macro TOLK_SCHEDULE_INIT is.
    pub const fn init() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            reserved: 0,
            schedule: 0,
            storage: std::ptr::null_mut(),
            storage_count: 0,
            held: std::ptr::null_mut(),
            held_count: 0,
            name: std::ptr::null_mut(),
        }
    }
}

impl Default for tolk_schedule {
    fn default() -> Self {
        Self::init()
    }
}

// ---- The allocator ----

/// A two-level segregated fit allocator over offsets; it touches no memory. One may be used by several threads, one at a
/// time. Since: 0.1
#[repr(C)]
pub struct tolk_tlsf {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// What an allocator usually is made with. Since: 0.1
pub const TOLK_TLSF_BLOCK_SIZE: u32 = 16;

pub const TOLK_TLSF_LIST_COUNT: u32 = 16;

// ---- Debugging ----

extern "C" {
    /// The version of the loaded library, in the form of TOLK_VERSION. Since: 0.1
    pub fn tolk_version() -> u32;

    /// The version of the loaded library as text, such as "0.1.0"; static. Since: 0.1
    pub fn tolk_version_string() -> *const c_char;

    /// The ABI version of the loaded library, to compare with TOLK_ABI_VERSION. Since: 0.1
    pub fn tolk_abi_version() -> u32;

    /// The name of a status, such as "TOLK_ERR_OVERFLOW"; static; "unknown status" for other numbers. Since: 0.1
    pub fn tolk_status_string(status: tolk_status) -> *const c_char;

    /// The message of the last failure on this thread: it names the op, the entry
    /// and the argument and says what would be right. "" if none failed. The text is
    /// the thread's and stays until its next failure. Since: 0.1
    pub fn tolk_last_error() -> *const c_char;

    /// The status of the last failure on this thread, such as that of a constructor that gave TOLK_NONE; TOLK_OK if none
    /// failed. Since: 0.1
    pub fn tolk_last_status() -> tolk_status;

    /// \*value is the value of a setting. Since: 0.1
    pub fn tolk_setting_get(setting: u32, value: *mut i64) -> tolk_status;

    /// Gives a setting a value for the whole process. Since: 0.1
    pub fn tolk_setting_set(setting: u32, value: i64) -> tolk_status;

    /// Has callback called with each line that TOLK_DEBUG prints, beside printing it;
    /// NULL ends that, but that a plan under way on another thread may still call the one before. It is called on the thread that plans, with
    /// no lock held. Since: 0.1
    pub fn tolk_log_set(callback: tolk_log_callback, user: *mut c_void) -> tolk_status;

    /// The name of a kind, such as "BUFFER"; static; NULL for other numbers. Since: 0.1
    pub fn tolk_kind_string(kind: u32) -> *const c_char;

    /// The name of an element type, such as "float32"; static; NULL for other numbers. Since: 0.1
    pub fn tolk_dtype_string(dtype: u32) -> *const c_char;

    /// The bytes of an element; 0 for types that cannot be stored and other numbers. Since: 0.1
    pub fn tolk_dtype_size(dtype: u32) -> u32;

    /// \*graph is a new empty graph, which the caller destroys. Since: 0.1
    pub fn tolk_graph_create(graph: *mut *mut tolk_graph) -> tolk_status;

    /// Destroys a graph and its ops. Plans made in it stay readable. Since: 0.1
    pub fn tolk_graph_destroy(graph: *mut tolk_graph) -> tolk_status;

    /// \*count is the number of ops in the graph. Since: 0.1
    pub fn tolk_graph_op_count(graph: *const tolk_graph, count: *mut u64) -> tolk_status;

    /// The status of the graph's first constructor, tolk_build included, that failed, its message being
    /// tolk_last_error() then; TOLK_OK if none did. So a caller may build a whole schedule and check once. Since: 0.1
    pub fn tolk_graph_error(graph: *const tolk_graph) -> tolk_status;

    /// Storage that the schedule allocates: what planning places. Before its first use and after its last a planned buffer holds
    /// anything: what comes in from outside is a PARAM, or held. Since: 0.1
    pub fn tolk_buffer(graph: *mut tolk_graph, storage: *const tolk_storage) -> tolk_op;

    /// Call-local storage; never planned. Since: 0.1
    pub fn tolk_alloc(graph: *mut tolk_graph, storage: *const tolk_storage) -> tolk_op;

    /// Storage that whoever runs the schedule binds; never planned. Since: 0.1
    pub fn tolk_param(graph: *mut tolk_graph, storage: *const tolk_storage) -> tolk_op;

    /// A scalar in \[least, greatest\] that is known when the schedule runs; name is not empty. Since: 0.1
    pub fn tolk_variable(graph: *mut tolk_graph, name: *const c_char, least: i64, greatest: i64) -> tolk_op;

    /// The scalar value. Since: 0.1
    pub fn tolk_const(graph: *mut tolk_graph, value: i64) -> tolk_op;

    /// A loop's variable in \[0, count), count being a scalar that is never negative. What axis and axis_kind mean is the
    /// caller's; ranges alike in all three are one op, so that nested loops want different axes. Since: 0.1
    pub fn tolk_range(graph: *mut tolk_graph, count: tolk_op, axis: i64, axis_kind: u32) -> tolk_op;

    /// x + y, which must fit in 64 bits for all values that x and y may have. Since: 0.1
    pub fn tolk_add(graph: *mut tolk_graph, x: tolk_op, y: tolk_op) -> tolk_op;

    /// x \* y, which must fit in 64 bits for all values that x and y may have. Since: 0.1
    pub fn tolk_mul(graph: *mut tolk_graph, x: tolk_op, y: tolk_op) -> tolk_op;

    /// Elements \[start, start+length) of a value; the value itself if that is all of it. Since: 0.1
    pub fn tolk_shrink(graph: *mut tolk_graph, value: tolk_op, start: i64, length: i64) -> tolk_op;

    /// The same with a start that is a scalar, of which every value must fit. Since: 0.1
    pub fn tolk_shrink_at(graph: *mut tolk_graph, value: tolk_op, start: tolk_op, length: i64) -> tolk_op;

    /// The bytes of a value at another type, whose size must divide them; the value itself if the type is the same. Since: 0.1
    pub fn tolk_bitcast(graph: *mut tolk_graph, value: tolk_op, dtype: u32) -> tolk_op;

    /// A value, ordered after the effects, which may be any ops; the value itself if there are none. Since: 0.1
    pub fn tolk_after(graph: *mut tolk_graph, value: tolk_op, effects: *const tolk_op, effect_count: usize) -> tolk_op;

    /// The part of a value on several devices that is on the device at index shard. Since: 0.1
    pub fn tolk_mselect(graph: *mut tolk_graph, value: tolk_op, shard: u32) -> tolk_op;

    /// One value on several devices, of parts on one device each, alike in type and count. Since: 0.1
    pub fn tolk_mstack(graph: *mut tolk_graph, parts: *const tolk_op, part_count: usize) -> tolk_op;

    /// The body of a call, opaque to planning: a name (NULL means ""), a number of the caller's own, and any ops. Since: 0.1
    pub fn tolk_sink(graph: *mut tolk_graph, name: *const c_char, tag: u64, sources: *const tolk_op, source_count: usize) -> tolk_op;

    /// The same; a call of it is a copy. Since: 0.1
    pub fn tolk_store(graph: *mut tolk_graph, name: *const c_char, tag: u64, sources: *const tolk_op, source_count: usize) -> tolk_op;

    /// The same as tolk_sink. Since: 0.1
    pub fn tolk_program(graph: *mut tolk_graph, name: *const c_char, tag: u64, sources: *const tolk_op, source_count: usize) -> tolk_op;

    /// The same as tolk_sink. Since: 0.1
    pub fn tolk_custom_function(graph: *mut tolk_graph, name: *const c_char, tag: u64, sources: *const tolk_op, source_count: usize) -> tolk_op;

    /// One piece of work: a body (one of the four above, or a LINEAR) on arguments, which are values or scalars. Planning does not
    /// rewrite bodies: let a LINEAR body name PARAMs, not buffers of the schedule. Since: 0.1
    pub fn tolk_call(graph: *mut tolk_graph, body: tolk_op, arguments: *const tolk_op, argument_count: usize) -> tolk_op;

    /// A schedule, or what a loop repeats: entries in order, each a CALL, END or BACKEDGE. There may be none. Since: 0.1
    pub fn tolk_linear(graph: *mut tolk_graph, entries: *const tolk_op, entry_count: usize) -> tolk_op;

    /// body, a CALL or a LINEAR, once per value of the ranges; body itself if there are none. Since: 0.1
    pub fn tolk_end(graph: *mut tolk_graph, body: tolk_op, ranges: *const tolk_op, range_count: usize) -> tolk_op;

    /// body, a CALL or a LINEAR, for as long as flag, a value of one bool, holds before a trip of loop, a RANGE. Since: 0.1
    pub fn tolk_backedge(graph: *mut tolk_graph, body: tolk_op, r#loop: tolk_op, flag: tolk_op) -> tolk_op;

    /// Builds `count` described ops in one call, and writes them to ops. All or
    /// nothing: when one fails, no op is built, ops is all TOLK_NONE, the message names
    /// the description's index, and the result is the error. The descriptions all have the struct_size of the first. Since: 0.1
    pub fn tolk_build(graph: *mut tolk_graph, descs: *const tolk_op_desc, count: usize, ops: *mut tolk_op) -> tolk_status;

    /// Fills \*info, up to its struct_size, with all that is known of an op but its strings and sources. Since: 0.1
    pub fn tolk_op_read(graph: *const tolk_graph, op: tolk_op, info: *mut tolk_op_info) -> tolk_status;

    /// \*source is source `index` of an op, below its source_count. Since: 0.1
    pub fn tolk_op_source(graph: *const tolk_graph, op: tolk_op, index: u64, source: *mut tolk_op) -> tolk_status;

    /// Writes all sources to an array of `capacity` ops and their number to \*count.
    /// BUFFER_TOO_SMALL if they do not fit: then \*count is written and the array is not. Since: 0.1
    pub fn tolk_op_sources(graph: *const tolk_graph, op: tolk_op, sources: *mut tolk_op, capacity: usize, count: *mut usize) -> tolk_status;

    /// \*device is the name of device `index`, below its device_count, of a value; the graph's, until it is destroyed. Since: 0.1
    pub fn tolk_op_device(graph: *const tolk_graph, op: tolk_op, index: u32, device: *mut *const c_char) -> tolk_status;

    /// \*name is the name of a VARIABLE or a body; the graph's, until it is destroyed. Since: 0.1
    pub fn tolk_op_name(graph: *const tolk_graph, op: tolk_op, name: *mut *const c_char) -> tolk_status;

    /// The next number of the process-wide counter that slots come from; -1 in a child made by fork(). Since: 0.1
    pub fn tolk_unique_num() -> i64;

    /// \*cancel is a new one, which the caller destroys. Since: 0.1
    pub fn tolk_cancel_create(cancel: *mut *mut tolk_cancel) -> tolk_status;

    /// Has every search that was given cancel, now or later, stop at once with its best plan so far. Since: 0.1
    pub fn tolk_cancel_request(cancel: *mut tolk_cancel) -> tolk_status;

    /// Destroys it; searches that were given it go on. Since: 0.1
    pub fn tolk_cancel_destroy(cancel: *mut tolk_cancel) -> tolk_status;

    /// \*planned is the schedule, a LINEAR of calls and loops run in order, with its buffers placed in arenas; \*plan, which the
    /// caller destroys, says where. Either may be NULL.
    ///
    /// A buffer is planned unless it is held, which says that its contents outlive the schedule, or on a disk. It lives from the
    /// first entry that takes it to the last, a loop being one entry. Sharing bytes is right where entries run in order: an
    /// engine that overlaps them, on several streams or devices, orders those that share bytes. \*planned has the same entries in
    /// the same order, and in place of each planned buffer, wherever the schedule reaches it outside the bodies of calls, the
    /// bytes of its arena. It is the schedule itself if planning is switched off or nothing is planned.
    ///
    /// held may hold views, which stand for the storage under them. Errors: WRONG_KIND if schedule is no LINEAR, INVALID_OP,
    /// INVALID_ARGUMENT for an option, OVERFLOW if the needs sum to more than 2^61 bytes, LIMIT if its loops, written out, have
    /// more than 2^26 arguments, INFEASIBLE and NOT_FOUND for a capacity. The time is linear in the arguments with the default
    /// placer. Since: 0.1
    pub fn tolk_memory_plan_rewrite(graph: *mut tolk_graph, schedule: tolk_op, held: *const tolk_op, held_count: usize, options: *const tolk_plan_options, planned: *mut tolk_op, plan: *mut *mut tolk_plan) -> tolk_status;

    /// Writes the storage (BUFFER, ALLOC, PARAM) that an entry of a schedule takes, each once in the order of its first use, to
    /// an array of `capacity` ops, and its number to \*count; as tolk_op_sources if it does not fit. An MSTACK takes all of its
    /// parts, under an MSELECT too, though that binds to one of them. An entry is a CALL, END or BACKEDGE; a loop takes a back
    /// edge's flag first, then what each call inside takes. Since: 0.1
    pub fn tolk_taken(graph: *const tolk_graph, entry: tolk_op, storage: *mut tolk_op, capacity: usize, count: *mut usize) -> tolk_status;

    /// \*arenas is the arenas, in order of the first buffer placed in each. The arrays
    /// that these functions give are the plan's, until it is destroyed. Since: 0.1
    pub fn tolk_plan_arenas(plan: *const tolk_plan, arenas: *mut *const tolk_arena, count: *mut usize) -> tolk_status;

    /// \*places is the planned buffers, in order of first use. Since: 0.1
    pub fn tolk_plan_places(plan: *const tolk_plan, places: *mut *const tolk_placed, count: *mut usize) -> tolk_status;

    /// \*binds is what every argument that is a value binds to: in order of entry, of
    /// call in the entry (a back edge's flag before the calls inside), of argument, of shard. Scalars bind to nothing. Since: 0.1
    pub fn tolk_plan_binds(plan: *const tolk_plan, binds: *mut *const tolk_bind, count: *mut usize) -> tolk_status;

    /// \*begins\[e\] is where the binds of entry e begin; \*count is one more than the
    /// entries, the last of begins being the number of binds. Since: 0.1
    pub fn tolk_plan_entries(plan: *const tolk_plan, begins: *mut *const u64, count: *mut usize) -> tolk_status;

    /// Fills \*totals. Since: 0.1
    pub fn tolk_plan_totals(plan: *const tolk_plan, totals: *mut tolk_totals) -> tolk_status;

    /// \*planned is the rewritten schedule. Since: 0.1
    pub fn tolk_plan_schedule(plan: *const tolk_plan, planned: *mut tolk_op) -> tolk_status;

    /// TOLK_OK if a plan's places are right by a checker that shares no code with the placers, else INVALID_PLAN, the message
    /// naming the first fault. Since: 0.1
    pub fn tolk_plan_verify(plan: *const tolk_plan) -> tolk_status;

    /// Destroys a plan and its arrays. Since: 0.1
    pub fn tolk_plan_destroy(plan: *mut tolk_plan) -> tolk_status;

    /// Writes an offset for each of `count` buffers to offsets, so that buffers that live at once share no byte, and fills
    /// \*result, which may be NULL. Errors: INVALID_ARGUMENT names the buffer and field, OVERFLOW, INFEASIBLE, NOT_FOUND.
    /// Since: 0.1
    pub fn tolk_place(buffers: *const tolk_lifetime, count: usize, options: *const tolk_place_options, offsets: *mut i64, result: *mut tolk_place_result) -> tolk_status;

    /// TOLK_OK if offsets, by whomever, are a plan for the buffers in an arena of `size` bytes; INVALID_PLAN with up to
    /// `capacity` faults in faults and their number in \*fault_count, both of which may be NULL, and a message that names the
    /// first. Of options granule and capacity count. Takes about n log n. Since: 0.1
    pub fn tolk_place_verify(buffers: *const tolk_lifetime, count: usize, options: *const tolk_place_options, offsets: *const i64, size: i64, faults: *mut tolk_fault, capacity: usize, fault_count: *mut usize) -> tolk_status;

    /// \*answer, of \*answer_len bytes and a NUL behind them, is the answer to a request to plan, both JSON as docs/formats.md
    /// has it. The caller frees it with tolk_string_free. PARSE says where the request is wrong. Since: 0.1
    pub fn tolk_plan_text(request: *const c_char, request_len: usize, answer: *mut *mut c_char, answer_len: *mut usize) -> tolk_status;

    /// Builds the schedule of a text in a graph, and fills \*schedule, which the caller frees with tolk_schedule_free. Each
    /// storage takes a fresh slot. Since: 0.1
    pub fn tolk_schedule_read(graph: *mut tolk_graph, text: *const c_char, text_len: usize, schedule: *mut tolk_schedule) -> tolk_status;

    /// Frees the arrays of a schedule that was read, not its ops; NULL does nothing. Since: 0.1
    pub fn tolk_schedule_free(schedule: *mut tolk_schedule);

    /// \*text is the text of a schedule, to be planned again with the same plan; the caller frees it with tolk_string_free. It
    /// holds what planning looks at: not slots, ranges, names, tags, scalar arguments, or effects that are no values. A start
    /// that is no CONST is written as its least value. Storage is numbered in order of first use. name may be NULL. Since: 0.1
    pub fn tolk_schedule_write(graph: *const tolk_graph, schedule: tolk_op, name: *const c_char, held: *const tolk_op, held_count: usize, text: *mut *mut c_char, text_len: *mut usize) -> tolk_status;

    /// \*text is the text of a plan, storage numbered as tolk_schedule_write numbers it in the schedule that was planned; the
    /// caller frees it with tolk_string_free. graph is the one it was planned in. Since: 0.1
    pub fn tolk_plan_write(graph: *const tolk_graph, plan: *const tolk_plan, text: *mut *mut c_char, text_len: *mut usize) -> tolk_status;

    /// Frees a string that the library gave; NULL does nothing. Since: 0.1
    pub fn tolk_string_free(string: *mut c_char);

    /// \*tlsf is an allocator of addresses \[base, base + size), which the caller destroys. block_size is the least size of a block
    /// and list_count the second-level lists of each power of two; both are positive, list_count at most 4096, and block_size,
    /// written in binary, has at least as many digits as list_count. Since: 0.1
    pub fn tolk_tlsf_create(size: i64, base: i64, block_size: i64, list_count: i64, tlsf: *mut *mut tolk_tlsf) -> tolk_status;

    /// \*address is the start of a free block whose distance from base is a multiple of align, 1 or more; TOLK_NO_ROOM if there is
    /// none. The block has `size` bytes, 0 or more, and at least block_size. It is sought among blocks that are larger by up to one part
    /// in list_count, so that a free block of just that size may be passed over. Constant time. Since: 0.1
    pub fn tolk_tlsf_alloc(tlsf: *mut tolk_tlsf, size: i64, align: i64, address: *mut i64) -> tolk_status;

    /// Frees the block that starts at address; NOT_ALLOCATED if none does. Constant time. Since: 0.1
    pub fn tolk_tlsf_free(tlsf: *mut tolk_tlsf, address: i64) -> tolk_status;

    /// Destroys an allocator. Since: 0.1
    pub fn tolk_tlsf_destroy(tlsf: *mut tolk_tlsf) -> tolk_status;

    /// \*text is an op and all that it is built on, a line each, by the numbers that messages use; the caller frees it with
    /// tolk_string_free. Since: 0.1
    pub fn tolk_op_print(graph: *const tolk_graph, op: tolk_op, text: *mut *mut c_char, text_len: *mut usize) -> tolk_status;

    /// TOLK_OK if the graph's tables agree with each other; INTERNAL otherwise. Costs about what building it did. Since: 0.1
    pub fn tolk_graph_check(graph: *const tolk_graph) -> tolk_status;
}
