/*
 * The public functions. Each checks that this process is the one that the Go runtime
 * runs in, turns handles into numbers and structs of any age into today's, and goes on to the Go side, whose
 * names begin with gotolk_.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "_cgo_export.h"
#include "boundary.h"
#include "names.h"

_Static_assert(sizeof(void *) == 8, "handles are 64-bit numbers");

/*
 * A thread's state lies on the heap, and only its address in thread-local storage: Go's runtime asks for
 * static thread-local storage, of which a process has little for libraries that are loaded late.
 */
static _Thread_local tolk_thread *this_thread;
static tolk_thread spare_thread; /* shared by threads that come when the C heap is exhausted */
static pthread_key_t thread_key;

static void free_thread(void *state) {
  this_thread = NULL;
  free(state);
}

static tolk_thread *thread(void) {
  if (this_thread == NULL) {
    tolk_thread *state = calloc(1, sizeof *state);
    if (state == NULL) return &spare_thread;
    pthread_setspecific(thread_key, state);
    this_thread = state;
  }
  return this_thread;
}

/* ---- Loading ---- */

#define ADDRESS_SPACE ((size_t)896 << 20)

/*
 * Go's runtime takes address space as it starts, about 700 MiB with its threads, and ends a process that cannot give it, with a message
 * that tells its user little. Constructors with a priority run before it starts: so the cause is told first.
 */
__attribute__((constructor(101))) static void check_address_space(void) {
  static const char message[] =
      "libtolk_memory: this process can take less than 896 MiB of address space (not memory), for want of which its Go runtime may end "
      "it: let the limit (RLIMIT_AS, ulimit -v) be 1 GiB or more, and set MALLOC_ARENA_MAX=1 where it is tight\n";
  void *space = mmap(NULL, ADDRESS_SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space != MAP_FAILED)
    munmap(space, ADDRESS_SPACE);
  else if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
    return; /* there is nobody to tell */
}

/* ---- Forks: Go's threads do not exist in a child, so that a call into it would wait for ever. ---- */

static volatile int forked;

static void mark_forked(void) { forked = 1; }

__attribute__((constructor)) static void prepare(void) {
  pthread_key_create(&thread_key, free_thread);
  pthread_atfork(NULL, NULL, mark_forked);
}

__attribute__((format(printf, 2, 3))) static tolk_status fail(tolk_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(thread()->message, sizeof thread()->message, format, arguments);
  va_end(arguments);
  return thread()->status = status;
}

static tolk_status fail_forked(void) {
  return fail(TOLK_ERR_FORKED,
              "this process is a child made by fork(); the library works in its parent only: load it after the fork, or exec");
}

/* ---- Arguments ---- */

#define ENTER() \
  do {          \
    if (forked) return fail_forked(); \
  } while (0)

#define NUMBER(handle) ((uint64_t)(uintptr_t)(handle))

/* Where Go writes an address: as a number, since what stands there before is no pointer that Go may look at. */
#define ADDRESS(out) ((uintptr_t *)(out))

/* Go must not see the pointer of an empty array, which may be any number. */
#define LIST(type, pointer, count) ((count) > 0 ? (type *)(pointer) : NULL)

/* That a caller's struct, which may be older or newer than this library, has a size that makes sense and nothing set that is not
 * known here. NULL is right. */
static tolk_status check_struct(size_t size, const void *theirs, const char *name) {
  uint32_t given;
  if (theirs == NULL) return TOLK_OK;
  memcpy(&given, theirs, sizeof given);
  if (given < sizeof given || given % sizeof given != 0 || given > 4096)
    return fail(TOLK_ERR_INVALID_ARGUMENT, "%s: struct_size is %u; begin from its INIT macro", name, given);
  for (size_t i = size; i < given; i++)
    if (((const unsigned char *)theirs)[i] != 0)
      return fail(TOLK_ERR_INVALID_ARGUMENT, "%s: it uses fields that are newer than this library, %s", name, tolk_version_string());
  return TOLK_OK;
}

/* Copies a caller's struct over one that holds the defaults. */
static tolk_status take_struct(void *ours, size_t size, const void *theirs, const char *name) {
  uint32_t given;
  if (theirs == NULL) return TOLK_OK;
  if (check_struct(size, theirs, name) < 0) return TOLK_ERR_INVALID_ARGUMENT;
  memcpy(&given, theirs, sizeof given);
  memcpy(ours, theirs, given < size ? given : size);
  return TOLK_OK;
}

/* Copies a result to a caller's struct, as far as that goes. */
static void give_struct(void *theirs, const void *ours, size_t size) {
  uint32_t given;
  memcpy(&given, theirs, sizeof given);
  if (given > size) {
    memset((char *)theirs + size, 0, given - size);
    given = (uint32_t)size;
  }
  memcpy((char *)theirs + sizeof given, (const char *)ours + sizeof given, given - sizeof given);
}

static tolk_status need(const void *pointer, const char *what) {
  return pointer != NULL ? TOLK_OK : fail(TOLK_ERR_INVALID_ARGUMENT, "%s is NULL", what);
}

#define NEED(pointer) \
  do {                \
    if (need(pointer, #pointer) < 0) return TOLK_ERR_INVALID_ARGUMENT; \
  } while (0)

#define TAKE(ours, theirs, name) \
  do {                           \
    if (take_struct(&(ours), sizeof(ours), theirs, name) < 0) return TOLK_ERR_INVALID_ARGUMENT; \
  } while (0)

/* For structs that are filled: what they hold before does not count. */
#define CHECK_SIZE(ours, theirs, name) \
  do {                                 \
    if (check_struct(sizeof(ours), theirs, name) < 0) return TOLK_ERR_INVALID_ARGUMENT; \
  } while (0)

/* ---- The log ---- */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static tolk_log_callback log_callback;
static void *log_user;

tolk_status tolk_log_set(tolk_log_callback callback, void *user) {
  ENTER();
  pthread_mutex_lock(&log_lock);
  log_callback = callback;
  log_user = user;
  pthread_mutex_unlock(&log_lock);
  return TOLK_OK;
}

/* Prints the line that a plan left, through C's own stdout, so that it stands among the host's output in order. */
static void print_line(void) {
  if (thread()->line[0] == 0) return;
  char line[sizeof thread()->line];
  memcpy(line, thread()->line, sizeof line);
  thread()->line[0] = 0;
  puts(line);
  fflush(stdout);
  pthread_mutex_lock(&log_lock);
  tolk_log_callback callback = log_callback;
  void *user = log_user;
  pthread_mutex_unlock(&log_lock);
  if (callback != NULL) callback(user, line);
}

void tolk_call_progress(tolk_progress_callback callback, uintptr_t user, const tolk_progress *progress) {
  callback((void *)user, progress);
}

/* ---- Version and status ---- */

uint32_t tolk_version(void) { return TOLK_VERSION; }

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *tolk_version_string(void) {
  return TEXT(TOLK_VERSION_MAJOR) "." TEXT(TOLK_VERSION_MINOR) "." TEXT(TOLK_VERSION_PATCH);
}

uint32_t tolk_abi_version(void) { return TOLK_ABI_VERSION; }

const char *tolk_status_string(tolk_status status) {
#define NAME(status) \
  case status:       \
    return #status
  switch (status) {
    NAME(TOLK_OK);
    NAME(TOLK_NO_ROOM);
    NAME(TOLK_ERR_INVALID_ARGUMENT);
    NAME(TOLK_ERR_INVALID_HANDLE);
    NAME(TOLK_ERR_INVALID_OP);
    NAME(TOLK_ERR_WRONG_KIND);
    NAME(TOLK_ERR_OVERFLOW);
    NAME(TOLK_ERR_LIMIT);
    NAME(TOLK_ERR_PARSE);
    NAME(TOLK_ERR_NOT_ALLOCATED);
    NAME(TOLK_ERR_BUFFER_TOO_SMALL);
    NAME(TOLK_ERR_INFEASIBLE);
    NAME(TOLK_ERR_NOT_FOUND);
    NAME(TOLK_ERR_INVALID_PLAN);
    NAME(TOLK_ERR_OUT_OF_MEMORY);
    NAME(TOLK_ERR_FORKED);
    NAME(TOLK_ERR_INTERNAL);
  }
  return "unknown status";
#undef NAME
}

const char *tolk_last_error(void) { return thread()->message; }

tolk_status tolk_last_status(void) { return thread()->status; }

const char *tolk_kind_string(uint32_t kind) {
  return kind < sizeof kind_names / sizeof *kind_names ? kind_names[kind] : NULL;
}

const char *tolk_dtype_string(uint32_t dtype) { return dtype < sizeof dtypes / sizeof *dtypes ? dtypes[dtype].name : NULL; }

uint32_t tolk_dtype_size(uint32_t dtype) { return dtype < sizeof dtypes / sizeof *dtypes ? dtypes[dtype].size : 0; }

/* ---- Settings ---- */

tolk_status tolk_setting_get(uint32_t setting, int64_t *value) {
  ENTER();
  NEED(value);
  return gotolk_setting_get(thread(), setting, value);
}

tolk_status tolk_setting_set(uint32_t setting, int64_t value) {
  ENTER();
  return gotolk_setting_set(thread(), setting, value);
}

/* ---- Graphs and ops ---- */

tolk_status tolk_graph_create(tolk_graph **graph) {
  ENTER();
  NEED(graph);
  uint64_t number;
  tolk_status status = gotolk_graph_create(thread(), &number);
  if (status == TOLK_OK) *graph = (tolk_graph *)(uintptr_t)number;
  return status;
}

tolk_status tolk_graph_destroy(tolk_graph *graph) {
  ENTER();
  return gotolk_graph_destroy(thread(), NUMBER(graph));
}

tolk_status tolk_graph_op_count(const tolk_graph *graph, uint64_t *count) {
  ENTER();
  NEED(count);
  return gotolk_graph_op_count(thread(), NUMBER(graph), count);
}

tolk_status tolk_graph_error(const tolk_graph *graph) {
  ENTER();
  return gotolk_graph_error(thread(), NUMBER(graph));
}

tolk_status tolk_graph_check(const tolk_graph *graph) {
  ENTER();
  return gotolk_graph_check(thread(), NUMBER(graph));
}

static tolk_op build(tolk_graph *graph, const tolk_op_desc *desc) {
  if (forked) {
    fail_forked();
    return TOLK_NONE;
  }
  return gotolk_build_one(thread(), NUMBER(graph), (tolk_op_desc *)desc);
}

static tolk_op build_from(tolk_graph *graph, tolk_op_desc desc, const tolk_op *sources, size_t count) {
  desc.struct_size = sizeof desc;
  desc.sources = sources;
  desc.source_count = count;
  return build(graph, &desc);
}

/* Puts an op before a list: most lists are short. */
static tolk_op build_behind(tolk_graph *graph, uint32_t kind, tolk_op first, const tolk_op *rest, size_t count) {
  tolk_op few[16], *all = few;
  tolk_op_desc desc = {.kind = kind};
  if (count > 0 && rest == NULL) return build_from(graph, desc, NULL, count + 1);
  if (count > (size_t)INT32_MAX) return build_from(graph, desc, few, count);
  if (count + 1 > sizeof few / sizeof *few) all = malloc((count + 1) * sizeof *all);
  if (all == NULL) {
    gotolk_graph_exhausted(thread(), NUMBER(graph));
    return TOLK_NONE;
  }
  all[0] = first;
  if (count > 0) memcpy(all + 1, rest, count * sizeof *all);
  tolk_op op = build_from(graph, desc, all, count + 1);
  if (all != few) free(all);
  return op;
}

static tolk_op build_storage(tolk_graph *graph, uint32_t kind, const tolk_storage *storage) {
  return build_from(graph, (tolk_op_desc){.kind = kind, .storage = storage}, NULL, 0);
}

static tolk_op build_body(tolk_graph *graph, uint32_t kind, const char *name, uint64_t tag, const tolk_op *sources, size_t count) {
  return build_from(graph, (tolk_op_desc){.kind = kind, .name = name, .tag = tag}, sources, count);
}

tolk_op tolk_buffer(tolk_graph *graph, const tolk_storage *storage) { return build_storage(graph, TOLK_KIND_BUFFER, storage); }

tolk_op tolk_alloc(tolk_graph *graph, const tolk_storage *storage) { return build_storage(graph, TOLK_KIND_ALLOC, storage); }

tolk_op tolk_param(tolk_graph *graph, const tolk_storage *storage) { return build_storage(graph, TOLK_KIND_PARAM, storage); }

tolk_op tolk_variable(tolk_graph *graph, const char *name, int64_t least, int64_t greatest) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_VARIABLE, .name = name, .value = least, .limit = greatest}, NULL, 0);
}

tolk_op tolk_const(tolk_graph *graph, int64_t value) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_CONST, .value = value}, NULL, 0);
}

tolk_op tolk_range(tolk_graph *graph, tolk_op count, int64_t axis, uint32_t axis_kind) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_RANGE, .value = axis, .axis_kind = axis_kind}, &count, 1);
}

tolk_op tolk_add(tolk_graph *graph, tolk_op x, tolk_op y) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_ADD}, (tolk_op[]){x, y}, 2);
}

tolk_op tolk_mul(tolk_graph *graph, tolk_op x, tolk_op y) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_MUL}, (tolk_op[]){x, y}, 2);
}

tolk_op tolk_shrink(tolk_graph *graph, tolk_op value, int64_t start, int64_t length) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_SHRINK, .value = start, .limit = length}, &value, 1);
}

tolk_op tolk_shrink_at(tolk_graph *graph, tolk_op value, tolk_op start, int64_t length) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_SHRINK, .limit = length}, (tolk_op[]){value, start}, 2);
}

tolk_op tolk_bitcast(tolk_graph *graph, tolk_op value, uint32_t dtype) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_BITCAST, .dtype = dtype}, &value, 1);
}

tolk_op tolk_after(tolk_graph *graph, tolk_op value, const tolk_op *effects, size_t effect_count) {
  return build_behind(graph, TOLK_KIND_AFTER, value, effects, effect_count);
}

tolk_op tolk_mselect(tolk_graph *graph, tolk_op value, uint32_t shard) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_MSELECT, .value = shard}, &value, 1);
}

tolk_op tolk_mstack(tolk_graph *graph, const tolk_op *parts, size_t part_count) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_MSTACK}, parts, part_count);
}

tolk_op tolk_sink(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count) {
  return build_body(graph, TOLK_KIND_SINK, name, tag, sources, source_count);
}

tolk_op tolk_store(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count) {
  return build_body(graph, TOLK_KIND_STORE, name, tag, sources, source_count);
}

tolk_op tolk_program(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count) {
  return build_body(graph, TOLK_KIND_PROGRAM, name, tag, sources, source_count);
}

tolk_op tolk_custom_function(tolk_graph *graph, const char *name, uint64_t tag, const tolk_op *sources, size_t source_count) {
  return build_body(graph, TOLK_KIND_CUSTOM_FUNCTION, name, tag, sources, source_count);
}

tolk_op tolk_call(tolk_graph *graph, tolk_op body, const tolk_op *arguments, size_t argument_count) {
  return build_behind(graph, TOLK_KIND_CALL, body, arguments, argument_count);
}

tolk_op tolk_linear(tolk_graph *graph, const tolk_op *entries, size_t entry_count) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_LINEAR}, entries, entry_count);
}

tolk_op tolk_end(tolk_graph *graph, tolk_op body, const tolk_op *ranges, size_t range_count) {
  return build_behind(graph, TOLK_KIND_END, body, ranges, range_count);
}

tolk_op tolk_backedge(tolk_graph *graph, tolk_op body, tolk_op loop, tolk_op flag) {
  return build_from(graph, (tolk_op_desc){.kind = TOLK_KIND_BACKEDGE}, (tolk_op[]){body, loop, flag}, 3);
}

tolk_status tolk_build(tolk_graph *graph, const tolk_op_desc *descs, size_t count, tolk_op *ops) {
  ENTER();
  return gotolk_build(thread(), NUMBER(graph), LIST(tolk_op_desc, descs, count), count, LIST(tolk_op, ops, count));
}

tolk_status tolk_op_read(const tolk_graph *graph, tolk_op op, tolk_op_info *info) {
  ENTER();
  NEED(info);
  CHECK_SIZE(*info, info, "tolk_op_info");
  if (info->struct_size == sizeof *info) return gotolk_op_read(thread(), NUMBER(graph), op, info);
  tolk_op_info ours = TOLK_OP_INFO_INIT; /* of an older or a newer caller */
  tolk_status status = gotolk_op_read(thread(), NUMBER(graph), op, &ours);
  if (status == TOLK_OK) give_struct(info, &ours, sizeof ours);
  return status;
}

tolk_status tolk_op_source(const tolk_graph *graph, tolk_op op, uint64_t index, tolk_op *source) {
  ENTER();
  NEED(source);
  return gotolk_op_source(thread(), NUMBER(graph), op, index, source);
}

tolk_status tolk_op_sources(const tolk_graph *graph, tolk_op op, tolk_op *sources, size_t capacity, size_t *count) {
  ENTER();
  NEED(count);
  if (capacity > 0) NEED(sources);
  return gotolk_op_sources(thread(), NUMBER(graph), op, LIST(tolk_op, sources, capacity), capacity, count);
}

tolk_status tolk_op_device(const tolk_graph *graph, tolk_op op, uint32_t index, const char **device) {
  ENTER();
  NEED(device);
  return gotolk_op_device(thread(), NUMBER(graph), op, index, ADDRESS(device));
}

tolk_status tolk_op_name(const tolk_graph *graph, tolk_op op, const char **name) {
  ENTER();
  NEED(name);
  return gotolk_op_name(thread(), NUMBER(graph), op, ADDRESS(name));
}

tolk_status tolk_op_print(const tolk_graph *graph, tolk_op op, char **text, size_t *text_len) {
  ENTER();
  NEED(text);
  NEED(text_len);
  return gotolk_op_print(thread(), NUMBER(graph), op, ADDRESS(text), text_len);
}

int64_t tolk_unique_num(void) {
  if (forked) {
    fail_forked();
    return -1;
  }
  return gotolk_unique_num(thread());
}

/* ---- Planning ---- */

tolk_status tolk_cancel_create(tolk_cancel **cancel) {
  ENTER();
  NEED(cancel);
  uint64_t number;
  tolk_status status = gotolk_cancel_create(thread(), &number);
  if (status == TOLK_OK) *cancel = (tolk_cancel *)(uintptr_t)number;
  return status;
}

tolk_status tolk_cancel_request(tolk_cancel *cancel) {
  ENTER();
  return gotolk_cancel_request(thread(), NUMBER(cancel));
}

tolk_status tolk_cancel_destroy(tolk_cancel *cancel) {
  ENTER();
  return gotolk_cancel_destroy(thread(), NUMBER(cancel));
}

tolk_status tolk_memory_plan_rewrite(tolk_graph *graph, tolk_op schedule, const tolk_op *held, size_t held_count,
                                     const tolk_plan_options *options, tolk_op *planned, tolk_plan **plan) {
  ENTER();
  if (held_count > 0) NEED(held);
  tolk_plan_options ours = TOLK_PLAN_OPTIONS_INIT;
  TAKE(ours, options, "tolk_plan_options");
  uint64_t number = 0;
  thread()->line[0] = 0;
  tolk_status status = gotolk_memory_plan_rewrite(thread(), NUMBER(graph), schedule, LIST(tolk_op, held, held_count), held_count,
                                                  &ours, planned, plan != NULL ? &number : NULL);
  if (status < 0) return status;
  if (plan != NULL) *plan = (tolk_plan *)(uintptr_t)number;
  print_line();
  return status;
}

tolk_status tolk_taken(const tolk_graph *graph, tolk_op entry, tolk_op *storage, size_t capacity, size_t *count) {
  ENTER();
  NEED(count);
  if (capacity > 0) NEED(storage);
  return gotolk_taken(thread(), NUMBER(graph), entry, LIST(tolk_op, storage, capacity), capacity, count);
}

/* ---- Reading a plan ---- */

tolk_status tolk_plan_arenas(const tolk_plan *plan, const tolk_arena **arenas, size_t *count) {
  ENTER();
  NEED(arenas);
  NEED(count);
  return gotolk_plan_arenas(thread(), NUMBER(plan), ADDRESS(arenas), count);
}

tolk_status tolk_plan_places(const tolk_plan *plan, const tolk_placed **places, size_t *count) {
  ENTER();
  NEED(places);
  NEED(count);
  return gotolk_plan_places(thread(), NUMBER(plan), ADDRESS(places), count);
}

tolk_status tolk_plan_binds(const tolk_plan *plan, const tolk_bind **binds, size_t *count) {
  ENTER();
  NEED(binds);
  NEED(count);
  return gotolk_plan_binds(thread(), NUMBER(plan), ADDRESS(binds), count);
}

tolk_status tolk_plan_entries(const tolk_plan *plan, const uint64_t **begins, size_t *count) {
  ENTER();
  NEED(begins);
  NEED(count);
  return gotolk_plan_entries(thread(), NUMBER(plan), ADDRESS(begins), count);
}

tolk_status tolk_plan_totals(const tolk_plan *plan, tolk_totals *totals) {
  ENTER();
  NEED(totals);
  tolk_totals ours = TOLK_TOTALS_INIT;
  CHECK_SIZE(ours, totals, "tolk_totals");
  tolk_status status = gotolk_plan_totals(thread(), NUMBER(plan), &ours);
  if (status == TOLK_OK) give_struct(totals, &ours, sizeof ours);
  return status;
}

tolk_status tolk_plan_schedule(const tolk_plan *plan, tolk_op *planned) {
  ENTER();
  NEED(planned);
  return gotolk_plan_schedule(thread(), NUMBER(plan), planned);
}

tolk_status tolk_plan_verify(const tolk_plan *plan) {
  ENTER();
  return gotolk_plan_verify(thread(), NUMBER(plan));
}

tolk_status tolk_plan_destroy(tolk_plan *plan) {
  ENTER();
  return gotolk_plan_destroy(thread(), NUMBER(plan));
}

/* ---- Placing lifetimes ---- */

tolk_status tolk_place(const tolk_lifetime *buffers, size_t count, const tolk_place_options *options, int64_t *offsets,
                       tolk_place_result *result) {
  ENTER();
  if (count > 0) {
    NEED(buffers);
    NEED(offsets);
  }
  tolk_place_options ours = TOLK_PLACE_OPTIONS_INIT;
  TAKE(ours, options, "tolk_place_options");
  tolk_place_result answer = TOLK_PLACE_RESULT_INIT;
  CHECK_SIZE(answer, result, "tolk_place_result");
  tolk_status status =
      gotolk_place(thread(), LIST(tolk_lifetime, buffers, count), count, &ours, LIST(int64_t, offsets, count), &answer);
  if (status == TOLK_OK && result != NULL) give_struct(result, &answer, sizeof answer);
  return status;
}

tolk_status tolk_place_verify(const tolk_lifetime *buffers, size_t count, const tolk_place_options *options, const int64_t *offsets,
                              int64_t size, tolk_fault *faults, size_t capacity, size_t *fault_count) {
  ENTER();
  if (count > 0) {
    NEED(buffers);
    NEED(offsets);
  }
  tolk_place_options ours = TOLK_PLACE_OPTIONS_INIT;
  TAKE(ours, options, "tolk_place_options");
  if (faults == NULL) capacity = 0;
  return gotolk_place_verify(thread(), LIST(tolk_lifetime, buffers, count), count, &ours, LIST(int64_t, offsets, count), size,
                             LIST(tolk_fault, faults, capacity), capacity, fault_count);
}

/* ---- Text ---- */

tolk_status tolk_plan_text(const char *request, size_t request_len, char **answer, size_t *answer_len) {
  ENTER();
  NEED(answer);
  NEED(answer_len);
  if (request_len > 0) NEED(request);
  thread()->line[0] = 0;
  tolk_status status = gotolk_plan_text(thread(), LIST(char, request, request_len), request_len, ADDRESS(answer), answer_len);
  if (status == TOLK_OK) print_line();
  return status;
}

tolk_status tolk_schedule_read(tolk_graph *graph, const char *text, size_t text_len, tolk_schedule *schedule) {
  ENTER();
  NEED(schedule);
  if (text_len > 0) NEED(text);
  tolk_schedule ours = TOLK_SCHEDULE_INIT;
  CHECK_SIZE(ours, schedule, "tolk_schedule");
  if (schedule->struct_size < sizeof ours) return fail(TOLK_ERR_INVALID_ARGUMENT, "tolk_schedule: struct_size is too small; begin from its INIT macro");
  tolk_status status = gotolk_schedule_read(thread(), NUMBER(graph), LIST(char, text, text_len), text_len, &ours);
  if (status == TOLK_OK) give_struct(schedule, &ours, sizeof ours);
  return status;
}

void tolk_schedule_free(tolk_schedule *schedule) {
  if (schedule == NULL) return;
  free(schedule->storage);
  free(schedule->held);
  free(schedule->name);
  schedule->schedule = TOLK_NONE;
  schedule->storage = schedule->held = NULL;
  schedule->storage_count = schedule->held_count = 0;
  schedule->name = NULL;
}

tolk_status tolk_schedule_write(const tolk_graph *graph, tolk_op schedule, const char *name, const tolk_op *held, size_t held_count,
                                char **text, size_t *text_len) {
  ENTER();
  NEED(text);
  NEED(text_len);
  if (held_count > 0) NEED(held);
  return gotolk_schedule_write(thread(), NUMBER(graph), schedule, (char *)name, LIST(tolk_op, held, held_count), held_count, ADDRESS(text),
                               text_len);
}

tolk_status tolk_plan_write(const tolk_graph *graph, const tolk_plan *plan, char **text, size_t *text_len) {
  ENTER();
  NEED(text);
  NEED(text_len);
  return gotolk_plan_write(thread(), NUMBER(graph), NUMBER(plan), ADDRESS(text), text_len);
}

void tolk_string_free(char *string) { free(string); }

/* ---- The allocator ---- */

tolk_status tolk_tlsf_create(int64_t size, int64_t base, int64_t block_size, int64_t list_count, tolk_tlsf **tlsf) {
  ENTER();
  NEED(tlsf);
  uint64_t number;
  tolk_status status = gotolk_tlsf_create(thread(), size, base, block_size, list_count, &number);
  if (status == TOLK_OK) *tlsf = (tolk_tlsf *)(uintptr_t)number;
  return status;
}

tolk_status tolk_tlsf_alloc(tolk_tlsf *tlsf, int64_t size, int64_t align, int64_t *address) {
  ENTER();
  NEED(address);
  return gotolk_tlsf_alloc(thread(), NUMBER(tlsf), size, align, address);
}

tolk_status tolk_tlsf_free(tolk_tlsf *tlsf, int64_t address) {
  ENTER();
  return gotolk_tlsf_free(thread(), NUMBER(tlsf), address);
}

tolk_status tolk_tlsf_destroy(tolk_tlsf *tlsf) {
  ENTER();
  return gotolk_tlsf_destroy(thread(), NUMBER(tlsf));
}
