/*
 * tolk_memory.h - plan the memory of machine-learning schedules.
 *
 * A schedule is an ordered list of calls (kernels, copies, loops around them)
 * over buffers. Most buffers are needed by a few calls only. Planning places
 * buffers whose lifetimes do not overlap at shared bytes of one large buffer a
 * placement, the arena, and rewrites the schedule to views of the arenas. It
 * never touches device memory: it deals in sizes and offsets.
 *
 *     tolk_graph *g;
 *     tolk_graph_create(&g);
 *     tolk_storage f32 = TOLK_STORAGE_INIT;
 *     f32.dtype = TOLK_FLOAT32;
 *     f32.count = 1024;
 *     f32.device = "CUDA:0";
 *     tolk_op x = tolk_param(g, &f32), a = tolk_buffer(g, &f32), b = tolk_buffer(g, &f32);
 *     tolk_op c = tolk_buffer(g, &f32), y = tolk_buffer(g, &f32);
 *     tolk_op kernel = tolk_program(g, "relu", 0, NULL, 0);
 *     tolk_op xa[] = {a, x}, ab[] = {b, a}, bc[] = {c, b}, cy[] = {y, c};
 *     tolk_op calls[] = {tolk_call(g, kernel, xa, 2), tolk_call(g, kernel, ab, 2), tolk_call(g, kernel, bc, 2), tolk_call(g, kernel, cy, 2)};
 *     tolk_op schedule = tolk_linear(g, calls, 4), planned;   // c will lie where a was
 *     tolk_plan *plan;
 *     if (tolk_memory_plan_rewrite(g, schedule, &y, 1, NULL, &planned, &plan) < 0)   // y outlives the schedule: it is held
 *         return fprintf(stderr, "%s\n", tolk_last_error()), 1;
 *     const tolk_bind *binds;
 *     size_t count;
 *     tolk_plan_binds(plan, &binds, &count);
 *     for (size_t i = 0; i < count; i++)
 *         printf("entry %u argument %u: arena %d, byte %lld\n", (unsigned)binds[i].entry, binds[i].argument,
 *                (int)binds[i].arena, (long long)binds[i].offset);   // TOLK_NO_ARENA: storage of its own
 *     tolk_plan_destroy(plan);
 *     tolk_graph_destroy(g);
 *
 * Conventions
 *   - A function that can fail returns a tolk_status, negative for errors, or,
 *     where it builds an op, TOLK_NONE. The message of the last failure on this
 *     thread is tolk_last_error(). A failing call changes nothing, but that a
 *     failing constructor leaves its error as the graph's first error.
 *   - Messages write an op as # and the lower 32 bits of its number: its place in its graph, from 1.
 *   - Out parameters are written only on success, unless said otherwise. An out parameter may be NULL
 *     only where that is said.
 *   - Handles (tolk_graph, tolk_plan, tolk_tlsf, tolk_cancel) are checked: NULL, destroyed or
 *     made-up ones give TOLK_ERR_INVALID_HANDLE. Destroying NULL does nothing.
 *   - The library copies all inputs before it returns. Strings are UTF-8, end in NUL, and need not outlive the call.
 *   - Structs that begin with struct_size may grow: start from their INIT macro. Zero means the default,
 *     and reserved fields are 0. A larger struct, of a newer caller, is taken if what is unknown here is 0.
 *     Records that the library hands out in arrays never change their layout.
 *   - Any function may be called from any thread. A graph may be used by several threads at once;
 *     graphs do not wait for each other. Destroying what another thread still reads is the caller's fault:
 *     a handle used after that is an error, an array used after that is not checked.
 *   - In a child process made by fork() every function that can fail gives TOLK_ERR_FORKED;
 *     arrays obtained before may still be read.
 *   - The enums have names so that bindings and debuggers can tell them; parameters and fields are fixed-width integers.
 *   - Sizes, offsets and counts are 64-bit. Bytes are bytes; entries count from 0; lifetimes are half-open.
 *   - Results depend on the inputs and options only, not on the machine, its clock or addresses,
 *     unless a time limit or a cancel is given.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOLK_MEMORY_H
#define TOLK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TOLK_API
#else
#define TOLK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------- */

/* The version of this header. Since: 0.1 */
#define TOLK_VERSION_MAJOR 0
#define TOLK_VERSION_MINOR 1
#define TOLK_VERSION_PATCH 0
#define TOLK_VERSION (TOLK_VERSION_MAJOR * 1000000 + TOLK_VERSION_MINOR * 1000 + TOLK_VERSION_PATCH)

/* The version of the binary interface: a library works with headers of the same number. Since: 0.1 */
#define TOLK_ABI_VERSION 0

/* The version of the loaded library, in the form of TOLK_VERSION. Since: 0.1 */
TOLK_API uint32_t tolk_version(void);

/* The version of the loaded library as text, such as "0.1.0"; static. Since: 0.1 */
TOLK_API const char *tolk_version_string(void);

/* The ABI version of the loaded library, to compare with TOLK_ABI_VERSION. Since: 0.1 */
TOLK_API uint32_t tolk_abi_version(void);

/* ---- Status -------------------------------------------------------------- */

/* What came of a call: 0, a positive answer, or a negative error. Since: 0.1 */
typedef int32_t tolk_status;

/* The values of tolk_status; the message of a failure says more. Since: 0.1 */
enum tolk_status_code {
  TOLK_OK = 0,
  TOLK_NO_ROOM = 1,               /* tolk_tlsf_alloc: no block is sure to be large enough; an answer, not an error */
  TOLK_ERR_INVALID_ARGUMENT = -1, /* a value is out of its range */
  TOLK_ERR_INVALID_HANDLE = -2,   /* a handle is NULL, destroyed, of another type, or made up */
  TOLK_ERR_INVALID_OP = -3,       /* an op is TOLK_NONE, of another graph, or made up */
  TOLK_ERR_WRONG_KIND = -4,       /* an op is of a kind that does not belong there */
  TOLK_ERR_OVERFLOW = -5,         /* a size or a sum does not fit in 63 bits */
  TOLK_ERR_LIMIT = -6,            /* a list or a graph is longer than the library can hold */
  TOLK_ERR_PARSE = -7,            /* a text is not of its form; the message has the line, column and byte */
  TOLK_ERR_NOT_ALLOCATED = -8,    /* tolk_tlsf_free: no allocated block starts there */
  TOLK_ERR_BUFFER_TOO_SMALL = -9, /* the caller's array is too short; the count is written */
  TOLK_ERR_INFEASIBLE = -10,      /* a capacity cannot be met: proven */
  TOLK_ERR_NOT_FOUND = -11,       /* a capacity was not met within the effort: there may be a plan */
  TOLK_ERR_INVALID_PLAN = -12,    /* verifying found faults */
  TOLK_ERR_OUT_OF_MEMORY = -13,   /* the C heap is exhausted */
  TOLK_ERR_FORKED = -14,          /* this process is a child made by fork(): the library works in its parent only */
  TOLK_ERR_INTERNAL = -15         /* a fault of the library; please report its message */
};

/* The name of a status, such as "TOLK_ERR_OVERFLOW"; static; "unknown status" for other numbers. Since: 0.1 */
TOLK_API const char *tolk_status_string(tolk_status status);

/* The message of the last failure on this thread: it names the op, the entry
 * and the argument and says what would be right. "" if none failed. The text is
 * the thread's and stays until its next failure. Since: 0.1 */
TOLK_API const char *tolk_last_error(void);

/* The status of the last failure on this thread, such as that of a constructor that gave TOLK_NONE; TOLK_OK if none
 * failed. Since: 0.1 */
TOLK_API tolk_status tolk_last_status(void);

/* ---- Settings ------------------------------------------------------------ */

/* The process-wide settings. Each starts from an environment variable, read at
 * its first use; absent or no integer, it is 0. Since: 0.1 */
enum tolk_setting {
  TOLK_NO_MEMORY_PLANNER = 1, /* from NO_MEMORY_PLANNER; not 0: schedules are left as they are */
  TOLK_DEBUG = 2              /* from DEBUG; 1 or more: planning prints the memory saved on standard output. Set it to 0 in a host whose
                                 standard output is data */
};

/* *value is the value of a setting. Since: 0.1 */
TOLK_API tolk_status tolk_setting_get(uint32_t setting, int64_t *value);

/* Gives a setting a value for the whole process. Since: 0.1 */
TOLK_API tolk_status tolk_setting_set(uint32_t setting, int64_t value);

/* Takes a line that planning prints, without its newline. It may call the library, and must return. Since: 0.1 */
typedef void (*tolk_log_callback)(void *user, const char *line);

/* Has callback called with each line that TOLK_DEBUG prints, beside printing it;
 * NULL ends that, but that a plan under way on another thread may still call the one before. It is called on the thread that plans, with
 * no lock held. Since: 0.1 */
TOLK_API tolk_status tolk_log_set(tolk_log_callback callback, void *user);

/* ---- Graphs and ops ------------------------------------------------------ */

/* A graph owns ops, which are hash-consed and immutable: building an op equal to
 * one of the graph gives that one, so that ops are equal exactly if their numbers are. Since: 0.1 */
typedef struct tolk_graph tolk_graph;

/* An op's number, valid for as long as its graph. Since: 0.1 */
typedef uint64_t tolk_op;

/* No op: what a failing constructor gives. Since: 0.1 */
#define TOLK_NONE UINT64_C(0)

/* Kinds of ops. Scalars are integers; values are storage and views of storage. Since: 0.1 */
enum tolk_kind {
  TOLK_KIND_BUFFER = 1,           /* storage that the schedule allocates */
  TOLK_KIND_ALLOC = 2,            /* call-local storage */
  TOLK_KIND_PARAM = 3,            /* storage that whoever runs the schedule binds */
  TOLK_KIND_VARIABLE = 4,         /* a scalar known when the schedule runs */
  TOLK_KIND_CONST = 5,            /* a scalar */
  TOLK_KIND_RANGE = 6,            /* a loop's variable, a scalar; source: its count */
  TOLK_KIND_ADD = 7,              /* a scalar; sources: two scalars */
  TOLK_KIND_MUL = 8,              /* a scalar; sources: two scalars */
  TOLK_KIND_SHRINK = 9,           /* some elements of a value; sources: the value, start, length */
  TOLK_KIND_BITCAST = 10,         /* the bytes of a value at another type */
  TOLK_KIND_AFTER = 11,           /* a value, ordered after effects; sources: the value, the effects */
  TOLK_KIND_MSELECT = 12,         /* the part on one device of a value on several */
  TOLK_KIND_MSTACK = 13,          /* one value on several devices; sources: its parts */
  TOLK_KIND_SINK = 14,            /* the body of a call */
  TOLK_KIND_STORE = 15,           /* the body of a call that is a copy */
  TOLK_KIND_PROGRAM = 16,         /* the body of a call */
  TOLK_KIND_CUSTOM_FUNCTION = 17, /* the body of a call */
  TOLK_KIND_CALL = 18,            /* one piece of work; sources: the body, the arguments */
  TOLK_KIND_LINEAR = 19,          /* a schedule, or what a loop repeats; sources: the entries */
  TOLK_KIND_END = 20,             /* a loop; sources: what it repeats, its ranges */
  TOLK_KIND_BACKEDGE = 21         /* a loop; sources: what it repeats, its range, the flag */
};

/* Element types. Those before TOLK_BOOL cannot be stored. Since: 0.1 */
enum tolk_dtype {
  TOLK_VOID = 0,
  TOLK_WEAK_INT = 1,
  TOLK_WEAK_FLOAT = 2,
  TOLK_BOOL = 3,
  TOLK_INT8 = 4,
  TOLK_INT16 = 5,
  TOLK_INT32 = 6,
  TOLK_INT64 = 7,
  TOLK_UINT8 = 8,
  TOLK_UINT16 = 9,
  TOLK_UINT32 = 10,
  TOLK_UINT64 = 11,
  TOLK_FLOAT8_E4M3 = 12,
  TOLK_FLOAT8_E5M2 = 13,
  TOLK_FLOAT16 = 14,
  TOLK_BFLOAT16 = 15,
  TOLK_FLOAT32 = 16,
  TOLK_FLOAT64 = 17
};

/* The name of a kind, such as "BUFFER"; static; NULL for other numbers. Since: 0.1 */
TOLK_API const char *tolk_kind_string(uint32_t kind);

/* The name of an element type, such as "float32"; static; NULL for other numbers. Since: 0.1 */
TOLK_API const char *tolk_dtype_string(uint32_t dtype);

/* The bytes of an element; 0 for types that cannot be stored and other numbers. Since: 0.1 */
TOLK_API uint32_t tolk_dtype_size(uint32_t dtype);

/* *graph is a new empty graph, which the caller destroys. Since: 0.1 */
TOLK_API tolk_status tolk_graph_create(tolk_graph **graph);

/* Destroys a graph and its ops. Plans made in it stay readable. Since: 0.1 */
TOLK_API tolk_status tolk_graph_destroy(tolk_graph *graph);

/* *count is the number of ops in the graph. Since: 0.1 */
TOLK_API tolk_status tolk_graph_op_count(const tolk_graph *graph, uint64_t *count);

/* The status of the graph's first constructor, tolk_build included, that failed, its message being
 * tolk_last_error() then; TOLK_OK if none did. So a caller may build a whole schedule and check once. Since: 0.1 */
TOLK_API tolk_status tolk_graph_error(const tolk_graph *graph);

/* Storage: `count` elements of a type on a device, or on several, each of which then holds that many.
 * Since: 0.1 */
typedef struct tolk_storage {
  uint32_t struct_size;
  uint32_t dtype;             /* of known width: TOLK_BOOL and up */
  int64_t count;              /* elements, at least 0 */
  const char *device;         /* the name of the device, not empty; a name means nothing to planning, but that "DISK" or "DISK:..." in any
                                 case is a disk, whose storage is not planned */
  const char *const *devices; /* where it is on several: their names, instead of device */
  uint64_t device_count;      /* of devices */
  int64_t slot;               /* what tells storage from other storage that is alike: from 0 to below 2^62, if has_slot is not 0;
                                 else a fresh one, which no caller has named and tolk_unique_num has not given */
  uint32_t has_slot;
  uint32_t align;             /* 1, 2, 4, 8 or 16; 0 means 16 */
  uint32_t phase;             /* bytes by which the first element lies past a multiple of align: below align, and a multiple of the
                                 smaller of the element's size and align */
  uint32_t reserved;          /* 0 */
} tolk_storage;
#define TOLK_STORAGE_INIT {sizeof(tolk_storage), 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0}

/* Constructors. Each gives the op, or TOLK_NONE if an argument is wrong; an
 * argument that is TOLK_NONE is wrong. They fail for a TOLK_ERR_ of the list above: a value out of range
 * INVALID_ARGUMENT, a source of a wrong kind WRONG_KIND, of another graph INVALID_OP, a size past 63 bits OVERFLOW. Each
 * costs about a call into Go and a hash look-up; tolk_build pays the first once for many. */

/* Storage that the schedule allocates: what planning places. Before its first use and after its last a planned buffer holds
 * anything: what comes in from outside is a PARAM, or held. Since: 0.1 */
TOLK_API tolk_op tolk_buffer(tolk_graph *graph, const tolk_storage *storage);
/* Call-local storage; never planned. Since: 0.1 */
TOLK_API tolk_op tolk_alloc(tolk_graph *graph, const tolk_storage *storage);
/* Storage that whoever runs the schedule binds; never planned. Since: 0.1 */
TOLK_API tolk_op tolk_param(tolk_graph *graph, const tolk_storage *storage);
/* A scalar in [least, greatest] that is known when the schedule runs; name is not empty. Since: 0.1 */
TOLK_API tolk_op tolk_variable(tolk_graph *graph, const char *name, int64_t least, int64_t greatest);
/* The scalar value. Since: 0.1 */
TOLK_API tolk_op tolk_const(tolk_graph *graph, int64_t value);
/* A loop's variable in [0, count), count being a scalar that is never negative. What axis and axis_kind mean is the
 * caller's; ranges alike in all three are one op, so that nested loops want different axes. Since: 0.1 */
TOLK_API tolk_op tolk_range(tolk_graph *graph, tolk_op count, int64_t axis, uint32_t axis_kind);
/* x + y, which must fit in 64 bits for all values that x and y may have. Since: 0.1 */
TOLK_API tolk_op tolk_add(tolk_graph *graph, tolk_op x, tolk_op y);
/* x * y, which must fit in 64 bits for all values that x and y may have. Since: 0.1 */
TOLK_API tolk_op tolk_mul(tolk_graph *graph, tolk_op x, tolk_op y);
/* Elements [start, start+length) of a value; the value itself if that is all of it. Since: 0.1 */
TOLK_API tolk_op tolk_shrink(tolk_graph *graph, tolk_op value, int64_t start, int64_t length);
/* The same with a start that is a scalar, of which every value must fit. Since: 0.1 */
TOLK_API tolk_op tolk_shrink_at(tolk_graph *graph, tolk_op value, tolk_op start, int64_t length);
/* The bytes of a value at another type, whose size must divide them; the value itself if the type is the same. Since: 0.1 */
TOLK_API tolk_op tolk_bitcast(tolk_graph *graph, tolk_op value, uint32_t dtype);
/* A value, ordered after the effects, which may be any ops; the value itself if there are none. Since: 0.1 */
TOLK_API tolk_op tolk_after(tolk_graph *graph, tolk_op value, const tolk_op *effects, size_t effect_count);
/* The part of a value on several devices that is on the device at index shard. Since: 0.1 */
TOLK_API tolk_op tolk_mselect(tolk_graph *graph, tolk_op value, uint32_t shard);
/* One value on several devices, of parts on one device each, alike in type and count. Since: 0.1 */
TOLK_API tolk_op tolk_mstack(tolk_graph *graph, const tolk_op *parts, size_t part_count);
/* The body of a call, opaque to planning: a name (NULL means ""), a number of the caller's own, and any ops. Since: 0.1 */
TOLK_API tolk_op tolk_sink(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count);
/* The same; a call of it is a copy. Since: 0.1 */
TOLK_API tolk_op tolk_store(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count);
/* The same as tolk_sink. Since: 0.1 */
TOLK_API tolk_op tolk_program(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count);
/* The same as tolk_sink. Since: 0.1 */
TOLK_API tolk_op tolk_custom_function(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count);
/* One piece of work: a body (one of the four above, or a LINEAR) on arguments, which are values or scalars. Planning does not
 * rewrite bodies: let a LINEAR body name PARAMs, not buffers of the schedule. Since: 0.1 */
TOLK_API tolk_op tolk_call(tolk_graph *graph, tolk_op body, const tolk_op *arguments, size_t argument_count);
/* A schedule, or what a loop repeats: entries in order, each a CALL, END or BACKEDGE. There may be none. Since: 0.1 */
TOLK_API tolk_op tolk_linear(tolk_graph *graph, const tolk_op *entries, size_t entry_count);
/* body, a CALL or a LINEAR, once per value of the ranges; body itself if there are none. Since: 0.1 */
TOLK_API tolk_op tolk_end(tolk_graph *graph, tolk_op body, const tolk_op *ranges, size_t range_count);
/* body, a CALL or a LINEAR, for as long as flag, a value of one bool, holds before a trip of loop, a RANGE. Since: 0.1 */
TOLK_API tolk_op tolk_backedge(tolk_graph *graph, tolk_op body, tolk_op loop, tolk_op flag);

/* A description of an op, for tolk_build. Each kind reads the fields its constructor takes. Since: 0.1 */
typedef struct tolk_op_desc {
  uint32_t struct_size;
  uint32_t kind;               /* a TOLK_KIND_ */
  uint32_t dtype;              /* BITCAST */
  uint32_t axis_kind;          /* RANGE */
  const tolk_op *sources;      /* in the order of the constructor's parameters; SHRINK: the value, or the value and a scalar start */
  uint64_t source_count;       /* of sources */
  const tolk_storage *storage; /* BUFFER, ALLOC, PARAM */
  const char *name;            /* VARIABLE, SINK, STORE, PROGRAM, CUSTOM_FUNCTION */
  uint64_t tag;                /* SINK, STORE, PROGRAM, CUSTOM_FUNCTION */
  int64_t value;               /* CONST: its value; VARIABLE: least; RANGE: axis; SHRINK: start; MSELECT: shard */
  int64_t limit;               /* VARIABLE: greatest; SHRINK: length */
} tolk_op_desc;
#define TOLK_OP_DESC_INIT {sizeof(tolk_op_desc), 0, 0, 0, NULL, 0, NULL, NULL, 0, 0, 0}

/* Among the sources of a description: what the description at index i, an earlier one of the same array, gives. Since: 0.1 */
#define TOLK_REF(i) (UINT64_C(0x8000000000000000) | (tolk_op)(i))

/* Builds `count` described ops in one call, and writes them to ops. All or
 * nothing: when one fails, no op is built, ops is all TOLK_NONE, the message names
 * the description's index, and the result is the error. The descriptions all have the struct_size of the first. Since: 0.1 */
TOLK_API tolk_status tolk_build(tolk_graph *graph, const tolk_op_desc *descs, size_t count, tolk_op *ops);

/* What an op is. A field that its kind does not have is 0. Since: 0.1 */
typedef struct tolk_op_info {
  uint32_t struct_size;
  uint32_t kind;           /* a TOLK_KIND_ */
  uint32_t dtype;          /* of values; TOLK_WEAK_INT for scalars, TOLK_VOID for the rest */
  uint32_t device_count;   /* of values; see tolk_op_device */
  int64_t count;           /* elements of values */
  int64_t bytes;           /* count times the element's size */
  uint64_t source_count;   /* see tolk_op_source */
  int64_t slot;            /* storage */
  uint32_t phase;          /* storage */
  uint32_t align;          /* storage */
  tolk_op base;            /* values: the storage or MSTACK that it is or, through any chain of views, ends at */
  uint64_t tag;            /* bodies */
  tolk_op start;           /* SHRINK: the first element, a scalar */
  tolk_op length;          /* SHRINK: the elements, a CONST */
  tolk_op range_count;     /* RANGE: the count, a scalar */
  int64_t axis;            /* RANGE */
  uint32_t axis_kind;      /* RANGE */
  uint32_t shard;          /* MSELECT */
  int64_t least, greatest; /* scalars: the bounds of its value; both are the value of a CONST */
} tolk_op_info;
#define TOLK_OP_INFO_INIT {sizeof(tolk_op_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Fills *info, up to its struct_size, with all that is known of an op but its strings and sources. Since: 0.1 */
TOLK_API tolk_status tolk_op_read(const tolk_graph *graph, tolk_op op, tolk_op_info *info);

/* *source is source `index` of an op, below its source_count. Since: 0.1 */
TOLK_API tolk_status tolk_op_source(const tolk_graph *graph, tolk_op op, uint64_t index, tolk_op *source);

/* Writes all sources to an array of `capacity` ops and their number to *count.
 * BUFFER_TOO_SMALL if they do not fit: then *count is written and the array is not. Since: 0.1 */
TOLK_API tolk_status tolk_op_sources(const tolk_graph *graph, tolk_op op, tolk_op *sources, size_t capacity, size_t *count);

/* *device is the name of device `index`, below its device_count, of a value; the graph's, until it is destroyed. Since: 0.1 */
TOLK_API tolk_status tolk_op_device(const tolk_graph *graph, tolk_op op, uint32_t index, const char **device);

/* *name is the name of a VARIABLE or a body; the graph's, until it is destroyed. Since: 0.1 */
TOLK_API tolk_status tolk_op_name(const tolk_graph *graph, tolk_op op, const char **name);

/* The next number of the process-wide counter that slots come from; -1 in a child made by fork(). Since: 0.1 */
TOLK_API int64_t tolk_unique_num(void);

/* ---- Planning ------------------------------------------------------------ */

/* A plan owns the arrays that its readers give. Since: 0.1 */
typedef struct tolk_plan tolk_plan;

/* Stops searches from another thread. Since: 0.1 */
typedef struct tolk_cancel tolk_cancel;

/* *cancel is a new one, which the caller destroys. Since: 0.1 */
TOLK_API tolk_status tolk_cancel_create(tolk_cancel **cancel);

/* Has every search that was given cancel, now or later, stop at once with its best plan so far. Since: 0.1 */
TOLK_API tolk_status tolk_cancel_request(tolk_cancel *cancel);

/* Destroys it; searches that were given it go on. Since: 0.1 */
TOLK_API tolk_status tolk_cancel_destroy(tolk_cancel *cancel);

/* Strategies of placing. docs/placement.md tells how to choose. Since: 0.1 */
enum tolk_placer {
  TOLK_PLACER_TLSF = 0,      /* in order of time, from a two-level segregated fit allocator: the rule, and the fastest */
  TOLK_PLACER_BEST = 1,      /* the smallest arena it can find, with a proof where there is one; never worse than TLSF */
  TOLK_PLACER_FIRST_FIT = 2, /* largest first, each at the lowest offset free for its lifetime */
  TOLK_PLACER_BEST_FIT = 3   /* largest first, each in the smallest gap that holds it */
};

/* Where the buffers of copies go. Since: 0.1 */
enum tolk_copies {
  TOLK_COPIES_SHARED = 0, /* in the arena of their placement */
  TOLK_COPIES_APART = 1   /* in a second arena of their placement, where each stays for as many entries again as it lived: for engines
                             whose copies run beside their kernels */
};

/* Which settings a plan overrides; to be joined by |. Since: 0.1 */
enum tolk_override { TOLK_OVERRIDE_NO_MEMORY_PLANNER = 1, TOLK_OVERRIDE_DEBUG = 2 };

/* How far a search has come. Since: 0.1 */
typedef struct tolk_progress {
  int64_t size;  /* bytes of the best plan of the arena so far */
  int64_t bound; /* no arena is smaller, bytes */
  int64_t spent; /* steps of work */
} tolk_progress;

/* Takes the progress of a search, on the thread that searches, with no lock held. It may call the library, and must return: neither an
 * exception nor a longjmp may leave it, as Go's frames lie below. Since: 0.1 */
typedef void (*tolk_progress_callback)(void *user, const tolk_progress *progress);

/* The most bytes of each arena on a placement; one that the schedule has no arena on is no error. An arena on several devices
 * is on each of them beside the device's own. Since: 0.1 */
typedef struct tolk_capacity {
  const char *const *devices; /* the placement's names, in order */
  uint64_t device_count;
  int64_t bytes; /* above 0 */
} tolk_capacity;

/* How to plan; NULL or TOLK_PLAN_OPTIONS_INIT is the rule. Since: 0.1 */
typedef struct tolk_plan_options {
  uint32_t struct_size;
  uint32_t copies;                 /* a TOLK_COPIES_ */
  uint32_t placer;                 /* a TOLK_PLACER_ */
  uint32_t overrides;              /* TOLK_OVERRIDE_s: which of the next two are used instead of the settings */
  int64_t no_memory_planner;
  int64_t debug;
  int64_t granule;                 /* what needs are rounded up to, bytes: a power of two up to 1 GiB; 0 means 256 */
  int64_t effort;                  /* steps of work, of about a microsecond, that TOLK_PLACER_BEST may spend on an arena; 0 means
                                      milliseconds for real models, about a second for hard problems, and several for hard ones of
                                      a million buffers */
  int64_t time_limit_ms;           /* milliseconds for the whole plan; 0 means none */
  const tolk_capacity *capacities; /* of some placements; NULL for none */
  uint64_t capacity_count;
  tolk_progress_callback progress; /* NULL for none */
  void *progress_user;
  tolk_cancel *cancel;             /* NULL for none */
} tolk_plan_options;
#define TOLK_PLAN_OPTIONS_INIT {sizeof(tolk_plan_options), 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0, NULL, NULL, NULL}

/* *planned is the schedule, a LINEAR of calls and loops run in order, with its buffers placed in arenas; *plan, which the
 * caller destroys, says where. Either may be NULL.
 *
 * A buffer is planned unless it is held, which says that its contents outlive the schedule, or on a disk. It lives from the
 * first entry that takes it to the last, a loop being one entry. Sharing bytes is right where entries run in order: an
 * engine that overlaps them, on several streams or devices, orders those that share bytes. *planned has the same entries in
 * the same order, and in place of each planned buffer, wherever the schedule reaches it outside the bodies of calls, the
 * bytes of its arena. It is the schedule itself if planning is switched off or nothing is planned.
 *
 * held may hold views, which stand for the storage under them. Errors: WRONG_KIND if schedule is no LINEAR, INVALID_OP,
 * INVALID_ARGUMENT for an option, OVERFLOW if the needs sum to more than 2^61 bytes, LIMIT if its loops, written out, have
 * more than 2^26 arguments, INFEASIBLE and NOT_FOUND for a capacity. The time is linear in the arguments with the default
 * placer. Since: 0.1 */
TOLK_API tolk_status tolk_memory_plan_rewrite(tolk_graph *graph, tolk_op schedule, const tolk_op *held, size_t held_count,
                                              const tolk_plan_options *options, tolk_op *planned, tolk_plan **plan);

/* Writes the storage (BUFFER, ALLOC, PARAM) that an entry of a schedule takes, each once in the order of its first use, to
 * an array of `capacity` ops, and its number to *count; as tolk_op_sources if it does not fit. An MSTACK takes all of its
 * parts, under an MSELECT too, though that binds to one of them. An entry is a CALL, END or BACKEDGE; a loop takes a back
 * edge's flag first, then what each call inside takes. Since: 0.1 */
TOLK_API tolk_status tolk_taken(const tolk_graph *graph, tolk_op entry, tolk_op *storage, size_t capacity, size_t *count);

/* ---- Reading a plan ------------------------------------------------------ */

/* Why an arena is known to be as small as can be. Since: 0.1 */
enum tolk_proof {
  TOLK_PROOF_NONE = 0,         /* it is not known */
  TOLK_PROOF_EQUALS_BOUND = 1, /* it equals its lower bound */
  TOLK_PROOF_EXHAUSTED = 2     /* every smaller arena was searched in full */
};

/* Why a placer stopped. Since: 0.1 */
enum tolk_stop { TOLK_STOP_DONE = 0, TOLK_STOP_EFFORT = 1, TOLK_STOP_TIME = 2, TOLK_STOP_CANCELLED = 3 };

/* One arena. Since: 0.1 */
typedef struct tolk_arena {
  tolk_op op;                 /* the new BUFFER, of int8 */
  const char *const *devices; /* the names of its placement */
  uint64_t device_count;
  int64_t size;               /* bytes: what to allocate, on each device of its placement, aligned to the greater of 256 and the
                                 granule; a multiple of the granule */
  int64_t lower_bound;        /* the greatest load: bytes of blocks live at one entry */
  int64_t proven_bound;       /* no plan has fewer bytes; at least lower_bound */
  uint64_t peak_entry;        /* the first entry of the greatest load */
  const uint64_t *live;       /* the places (indices) of the buffers live there, largest block first */
  uint64_t live_count;
  int64_t spent;              /* steps of work of the placer */
  uint32_t proof;             /* a TOLK_PROOF_ */
  uint32_t stopped;           /* a TOLK_STOP_ */
  uint32_t copies;            /* 1 if it holds the buffers of copies, kept apart */
  uint32_t reserved;
} tolk_arena;

/* Where a buffer was placed, and when it lives. Since: 0.1 */
typedef struct tolk_placed {
  tolk_op buffer;  /* the planned BUFFER */
  int64_t place;   /* bytes from the arena's start to its block */
  int64_t start;   /* bytes from the arena's start to its first element: place + phase */
  int64_t bytes;   /* of its elements */
  int64_t need;    /* bytes of its block */
  uint64_t first;  /* the first entry that takes it */
  uint64_t end;    /* the entry from which on its bytes are free */
  uint32_t arena;  /* index of the arena */
  uint32_t reserved;
} tolk_placed;

/* tolk_bind.arena where storage is no arena. Since: 0.1 */
#define TOLK_NO_ARENA UINT32_C(0xffffffff)
/* tolk_bind.argument where it is the flag of a back edge. Since: 0.1 */
#define TOLK_FLAG UINT32_C(0xffffffff)
/* tolk_bind.device where it is every device of the storage. Since: 0.1 */
#define TOLK_ALL_DEVICES UINT32_C(0xffffffff)

/* What one argument of the rewritten schedule binds to. Since: 0.1 */
typedef struct tolk_bind {
  uint64_t entry;    /* which entry of the schedule */
  tolk_op call;      /* the CALL, in the entry or in loops of it; or the BACKEDGE whose flag it is */
  tolk_op value;     /* the argument: storage or a view */
  tolk_op storage;   /* the arena, or the BUFFER, ALLOC or PARAM */
  int64_t offset;    /* bytes from the storage's first element; see symbolic */
  int64_t bytes;     /* length of the argument */
  uint32_t argument; /* its index, scalars counted too, or TOLK_FLAG */
  uint32_t shard;    /* which part of an MSTACK; 0 otherwise */
  uint32_t device;   /* which device of the storage, an index; or TOLK_ALL_DEVICES where it is on several and none is picked */
  uint32_t arena;    /* index of the arena, or TOLK_NO_ARENA */
  uint32_t symbolic; /* 1 if a start is known only when the schedule runs: offset counts such a start as 0. For each SHRINK on the
                        way from value to storage whose start has a least that differs from its greatest (tolk_op_read), add the
                        start times the element size. Through an MSTACK the way goes by source `shard`, through one inside it by its
                        first source, but that an MSELECT over it picks its own */
  uint32_t reserved;
} tolk_bind;

/* Bytes of a plan. Since: 0.1 */
typedef struct tolk_totals {
  uint32_t struct_size;
  uint32_t optimal;    /* 1 if every arena is proven to be as small as can be */
  int64_t before;      /* sum of the blocks of all planned buffers */
  int64_t after;       /* sum of the arenas */
  int64_t lower_bound; /* sum of the arenas' lower bounds */
} tolk_totals;
#define TOLK_TOTALS_INIT {sizeof(tolk_totals), 0, 0, 0, 0}

/* *arenas is the arenas, in order of the first buffer placed in each. The arrays
 * that these functions give are the plan's, until it is destroyed. Since: 0.1 */
TOLK_API tolk_status tolk_plan_arenas(const tolk_plan *plan, const tolk_arena **arenas, size_t *count);

/* *places is the planned buffers, in order of first use. Since: 0.1 */
TOLK_API tolk_status tolk_plan_places(const tolk_plan *plan, const tolk_placed **places, size_t *count);

/* *binds is what every argument that is a value binds to: in order of entry, of
 * call in the entry (a back edge's flag before the calls inside), of argument, of shard. Scalars bind to nothing. Since: 0.1 */
TOLK_API tolk_status tolk_plan_binds(const tolk_plan *plan, const tolk_bind **binds, size_t *count);

/* *begins[e] is where the binds of entry e begin; *count is one more than the
 * entries, the last of begins being the number of binds. Since: 0.1 */
TOLK_API tolk_status tolk_plan_entries(const tolk_plan *plan, const uint64_t **begins, size_t *count);

/* Fills *totals. Since: 0.1 */
TOLK_API tolk_status tolk_plan_totals(const tolk_plan *plan, tolk_totals *totals);

/* *planned is the rewritten schedule. Since: 0.1 */
TOLK_API tolk_status tolk_plan_schedule(const tolk_plan *plan, tolk_op *planned);

/* TOLK_OK if a plan's places are right by a checker that shares no code with the placers, else INVALID_PLAN, the message
 * naming the first fault. Since: 0.1 */
TOLK_API tolk_status tolk_plan_verify(const tolk_plan *plan);

/* Destroys a plan and its arrays. Since: 0.1 */
TOLK_API tolk_status tolk_plan_destroy(tolk_plan *plan);

/* ---- Placing lifetimes, without ops ---------------------------------------- */

/* A buffer of one arena: when it lives, what it needs. Since: 0.1 */
typedef struct tolk_lifetime {
  int64_t first;     /* lifetime [first, end): first < end */
  int64_t end;
  int64_t bytes;     /* at least 0; a buffer of no bytes overlaps nothing */
  int64_t align;     /* what its offset is a multiple of: a power of two up to 1 GiB; 0 means the granule */
  int64_t offset;    /* where it is, if fixed is not 0 */
  uint32_t fixed;
  uint32_t reserved; /* 0 */
} tolk_lifetime;

/* How to place; NULL or TOLK_PLACE_OPTIONS_INIT means TLSF and a granule of 1. Fields as in tolk_plan_options. Since: 0.1 */
typedef struct tolk_place_options {
  uint32_t struct_size;
  uint32_t placer;
  int64_t granule;                 /* 0 means 1 */
  int64_t capacity;                /* the most bytes of the arena; 0 means any */
  int64_t effort;
  int64_t time_limit_ms;
  tolk_progress_callback progress;
  void *progress_user;
  tolk_cancel *cancel;
} tolk_place_options;
#define TOLK_PLACE_OPTIONS_INIT {sizeof(tolk_place_options), 0, 0, 0, 0, 0, NULL, NULL, NULL}

/* What came of placing. Since: 0.1 */
typedef struct tolk_place_result {
  uint32_t struct_size;
  uint32_t proof;       /* a TOLK_PROOF_ */
  uint32_t optimal;     /* 1 if size is proven_bound */
  uint32_t stopped;     /* a TOLK_STOP_ */
  int64_t size;         /* bytes of the arena */
  int64_t lower_bound;  /* the greatest load */
  int64_t proven_bound; /* no plan has fewer bytes; at least lower_bound */
  int64_t peak_entry;   /* the first entry of the greatest load */
  int64_t spent;        /* steps of work */
} tolk_place_result;
#define TOLK_PLACE_RESULT_INIT {sizeof(tolk_place_result), 0, 0, 0, 0, 0, 0, 0, 0}

/* Writes an offset for each of `count` buffers to offsets, so that buffers that live at once share no byte, and fills
 * *result, which may be NULL. Errors: INVALID_ARGUMENT names the buffer and field, OVERFLOW, INFEASIBLE, NOT_FOUND.
 * Since: 0.1 */
TOLK_API tolk_status tolk_place(const tolk_lifetime *buffers, size_t count, const tolk_place_options *options, int64_t *offsets,
                                tolk_place_result *result);

/* Kinds of faults of a plan. Since: 0.1 */
enum tolk_fault_kind {
  TOLK_FAULT_MOVED = 2,         /* `buffer` is fixed at `want` and was placed at `got` */
  TOLK_FAULT_MISALIGNED = 3,    /* the offset of `buffer`, `got`, is no multiple of `want` */
  TOLK_FAULT_OUT_OF_ARENA = 4,  /* bytes [from, to) of `buffer` leave the arena, whose size is `want` */
  TOLK_FAULT_OVER_CAPACITY = 6, /* the size, `got`, is above the capacity, `want` */
  TOLK_FAULT_OVERLAP = 7        /* `buffer` and `other` both live at `entry` and share bytes [from, to) */
};

/* A fault of a plan. Fields that its kind does not name are 0. Since: 0.1 */
typedef struct tolk_fault {
  uint32_t kind; /* a TOLK_FAULT_ */
  uint32_t reserved;
  uint64_t buffer, other; /* indices */
  int64_t entry;
  int64_t from, to; /* bytes */
  int64_t got, want;
} tolk_fault;

/* TOLK_OK if offsets, by whomever, are a plan for the buffers in an arena of `size` bytes; INVALID_PLAN with up to
 * `capacity` faults in faults and their number in *fault_count, both of which may be NULL, and a message that names the
 * first. Of options granule and capacity count. Takes about n log n. Since: 0.1 */
TOLK_API tolk_status tolk_place_verify(const tolk_lifetime *buffers, size_t count, const tolk_place_options *options,
                                       const int64_t *offsets, int64_t size, tolk_fault *faults, size_t capacity, size_t *fault_count);

/* ---- Text ---------------------------------------------------------------- */

/* *answer, of *answer_len bytes and a NUL behind them, is the answer to a request to plan, both JSON as docs/formats.md
 * has it. The caller frees it with tolk_string_free. PARSE says where the request is wrong. Since: 0.1 */
TOLK_API tolk_status tolk_plan_text(const char *request, size_t request_len, char **answer, size_t *answer_len);

/* A schedule that was read from a text. Since: 0.1 */
typedef struct tolk_schedule {
  uint32_t struct_size;
  uint32_t reserved;
  tolk_op schedule;       /* the LINEAR */
  tolk_op *storage;       /* by index in the text */
  uint64_t storage_count;
  tolk_op *held;          /* the storage marked as held */
  uint64_t held_count;
  char *name;
} tolk_schedule;
#define TOLK_SCHEDULE_INIT {sizeof(tolk_schedule), 0, 0, NULL, 0, NULL, 0, NULL}

/* Builds the schedule of a text in a graph, and fills *schedule, which the caller frees with tolk_schedule_free. Each
 * storage takes a fresh slot. Since: 0.1 */
TOLK_API tolk_status tolk_schedule_read(tolk_graph *graph, const char *text, size_t text_len, tolk_schedule *schedule);

/* Frees the arrays of a schedule that was read, not its ops; NULL does nothing. Since: 0.1 */
TOLK_API void tolk_schedule_free(tolk_schedule *schedule);

/* *text is the text of a schedule, to be planned again with the same plan; the caller frees it with tolk_string_free. It
 * holds what planning looks at: not slots, ranges, names, tags, scalar arguments, or effects that are no values. A start
 * that is no CONST is written as its least value. Storage is numbered in order of first use. name may be NULL. Since: 0.1 */
TOLK_API tolk_status tolk_schedule_write(const tolk_graph *graph, tolk_op schedule, const char *name, const tolk_op *held,
                                         size_t held_count, char **text, size_t *text_len);

/* *text is the text of a plan, storage numbered as tolk_schedule_write numbers it in the schedule that was planned; the
 * caller frees it with tolk_string_free. graph is the one it was planned in. Since: 0.1 */
TOLK_API tolk_status tolk_plan_write(const tolk_graph *graph, const tolk_plan *plan, char **text, size_t *text_len);

/* Frees a string that the library gave; NULL does nothing. Since: 0.1 */
TOLK_API void tolk_string_free(char *string);

/* ---- The allocator ------------------------------------------------------- */

/* A two-level segregated fit allocator over offsets; it touches no memory. One may be used by several threads, one at a
 * time. Since: 0.1 */
typedef struct tolk_tlsf tolk_tlsf;

/* What an allocator usually is made with. Since: 0.1 */
#define TOLK_TLSF_BLOCK_SIZE 16
#define TOLK_TLSF_LIST_COUNT 16

/* *tlsf is an allocator of addresses [base, base + size), which the caller destroys. block_size is the least size of a block
 * and list_count the second-level lists of each power of two; both are positive, list_count at most 4096, and block_size,
 * written in binary, has at least as many digits as list_count. Since: 0.1 */
TOLK_API tolk_status tolk_tlsf_create(int64_t size, int64_t base, int64_t block_size, int64_t list_count, tolk_tlsf **tlsf);

/* *address is the start of a free block whose distance from base is a multiple of align, 1 or more; TOLK_NO_ROOM if there is
 * none. The block has `size` bytes, 0 or more, and at least block_size. It is sought among blocks that are larger by up to one part
 * in list_count, so that a free block of just that size may be passed over. Constant time. Since: 0.1 */
TOLK_API tolk_status tolk_tlsf_alloc(tolk_tlsf *tlsf, int64_t size, int64_t align, int64_t *address);

/* Frees the block that starts at address; NOT_ALLOCATED if none does. Constant time. Since: 0.1 */
TOLK_API tolk_status tolk_tlsf_free(tolk_tlsf *tlsf, int64_t address);

/* Destroys an allocator. Since: 0.1 */
TOLK_API tolk_status tolk_tlsf_destroy(tolk_tlsf *tlsf);

/* ---- Debugging ----------------------------------------------------------- */

/* *text is an op and all that it is built on, a line each, by the numbers that messages use; the caller frees it with
 * tolk_string_free. Since: 0.1 */
TOLK_API tolk_status tolk_op_print(const tolk_graph *graph, tolk_op op, char **text, size_t *text_len);

/* TOLK_OK if the graph's tables agree with each other; INTERNAL otherwise. Costs about what building it did. Since: 0.1 */
TOLK_API tolk_status tolk_graph_check(const tolk_graph *graph);

#ifdef __cplusplus
}
#endif

#endif /* TOLK_MEMORY_H */
