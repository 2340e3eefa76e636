/*
 * What the parts of the fuzzer share: a thread's state, random arguments, and what must hold of every call.
 *
 * A thread has objects of its own, which no other touches, so that more can be said of calls on them; and takes part in shared ones,
 * which any thread replaces while others use them. Handles and ops beside these are stale, foreign or made up.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AS(type, handle) ((type *)(uintptr_t)(handle))
#define NUMBER(handle) ((uint64_t)(uintptr_t)(handle))

/* ---- Ops by what they can be used for. The digit is the depth of loops, which bounds what a schedule is when written out. ---- */

enum class {
  OPS_STORAGE,
  OPS_VALUE,
  OPS_SPREAD, /* on several devices */
  OPS_FLAG,
  OPS_SCALAR,
  OPS_RANGE,
  OPS_BODY,
  OPS_CALL,
  OPS_LINEAR0,
  OPS_LINEAR1,
  OPS_LINEAR2,
  OPS_LOOP1,
  OPS_LOOP2,
  OPS_CLASSES
};

struct pool {
  _Atomic tolk_op ops[16];
  _Atomic unsigned count; /* that were ever put in */
};

/* ---- Objects ---- */

enum type { GRAPH, PLAN, CANCEL, TLSF, TYPES };

/* What an allocator has given. */
struct blocks {
  int64_t base, size;
  int64_t at[32], bytes[32];
  int count;
};

struct object {
  _Atomic uint64_t handle; /* 0 while there is none */
  struct pool pools[OPS_CLASSES];
  tolk_status error;    /* GRAPH of a thread's own: of its first constructor that failed */
  struct blocks blocks; /* TLSF of a thread's own */
};

#define OBJECTS 3

/* ---- A thread ---- */

/* What is known of the handles of a step. */
enum trust {
  SURE,   /* they are there */
  SHARED, /* another thread may have destroyed one */
  WRONG   /* one is no handle of its type: the call fails */
};

#define EDGES 6
#define EDGE_BYTES ((size_t)1 << 17)
#define TRACE_BYTES 96

typedef struct fuzz {
  uint64_t random;
  int number;
  _Atomic uint64_t calls; /* into the library */
  uint64_t steps;
  char *trace;     /* where the step under way is noted, for whoever looks after a crash */
  uint64_t digest; /* of every status, op and text */
  enum trust trust;
  int odd;     /* an op of this step may be not what its place asks for */
  int outcome; /* of the first call of this step: 1 succeeded, -1 failed */
  int64_t unique;
  char *edges[EDGES]; /* the ends of memory behind which there is none */
  struct object own[TYPES][OBJECTS];
  uint64_t stale[TYPES][4];
  char *texts[4]; /* that the library wrote */
} fuzz;

extern struct object shared[TYPES][OBJECTS];
extern int alone; /* one thread: all is to come out the same again */

/* Ends the program and says how to have it fail again. */
_Noreturn void fault(const fuzz *f, const char *what);
#define MUST(condition) \
  do {                  \
    if (!(condition)) fault(f, #condition); \
  } while (0)

/* ---- random.c ---- */

uint64_t draw(fuzz *f);
/* Below n. */
uint64_t below(fuzz *f, uint64_t n);
/* Once in n. */
int once_in(fuzz *f, uint64_t n);
/* Any number; numbers at the ends of ranges, and small ones, are drawn more often. */
int64_t any_number(fuzz *f);
uint32_t any_number32(fuzz *f);
/* Mostly below n. */
uint32_t mostly_below(fuzz *f, uint32_t n);

/* ---- edges.c ---- */

void new_edges(fuzz *f);
void drop_edges(fuzz *f);
/* Memory for size bytes that end at the edge. */
void *at_edge(fuzz *f, int edge, size_t size);
/* A copy of a string there; NULL if it is. */
const char *string_at_edge(fuzz *f, int edge, const char *s);
/* A pointer that must not be followed. */
void *dangling(fuzz *f);

/* ---- arguments.c ---- */

/* Mostly size, which the struct begins with; else another, the memory behind it being there. */
uint32_t any_struct_size(fuzz *f, size_t size);
const char *any_name(fuzz *f);
void fill_storage(fuzz *f, tolk_storage *s);

/* ---- objects.c ---- */

/* An object to call on and its handle: of the thread's own, shared, or a wrong one with an object of the thread's own whose pools may
 * be used all the same. Notes the trust. */
struct object *any_object(fuzz *f, enum type type, uint64_t *handle);
/* One of the thread's own, or a shared one. */
struct object *any_place(fuzz *f, enum type type);
int is_own(const fuzz *f, enum type type, const struct object *o);
/* A handle that is stale, of another type, or made up. */
uint64_t wrong_handle(fuzz *f, enum type type);
/* Puts a new handle in place of an object's, which is then destroyed. */
void replace(fuzz *f, enum type type, struct object *o, uint64_t handle);
/* Destroys what is not there: NULL, which does nothing, or a wrong handle, which fails. */
void destroy_nothing(fuzz *f, enum type type);
void create_all(fuzz *f, struct object objects[TYPES][OBJECTS]);
void destroy_all(fuzz *f, struct object objects[TYPES][OBJECTS]);

/* ---- ops.c ---- */

/* Mostly an op of the class. */
tolk_op any_op(fuzz *f, struct object *graph, enum class class);
void keep_op(struct object *graph, enum class class, tolk_op op);
/* Mostly up to `most` ops of the classes, each of the first three times in four. */
const tolk_op *any_list(fuzz *f, struct object *graph, enum class often, enum class seldom, size_t most, size_t *count);

/* ---- judge.c: what must hold after a call ---- */

/* Of any call. Gives whether it succeeded. */
int done(fuzz *f, tolk_status status);
/* The same of a call with an out parameter, which held only FILL before. */
int done_out(fuzz *f, tolk_status status, const void *out, size_t size);
/* Of a call whose arguments are right. */
void passes(fuzz *f, tolk_status status);
/* Of a call that fails in this way. */
void fails(fuzz *f, tolk_status status, tolk_status want);
/* Of a constructor, whose op is kept. */
void made(fuzz *f, struct object *graph, tolk_op op, enum class class);
/* Of a failed constructor, tolk_build included. */
void note_error(fuzz *f, struct object *graph, tolk_status status);
int untouched(const void *out, size_t size);
void digest(fuzz *f, const void *bytes, size_t size);

#define FILL 0x77
#define FILLED UINT64_C(0x7777777777777777)
/* An out parameter. */
#define OUT(type, name) \
  type name;            \
  memset(&name, FILL, sizeof name)
/* Its address, or NULL, which is refused. */
#define MAYBE(out) (once_in(f, 80) ? NULL : &(out))
/* A struct whose size may be claimed to be anything, and how it was before the call. */
#define SIZED(type, out)    \
  union {                   \
    type is;                \
    char bytes[4096];       \
  } out, before_##out;      \
  memset(&out, 0, sizeof out); \
  out.is.struct_size = any_struct_size(f, sizeof out.is); \
  before_##out = out
#define UNTOUCHED(out) (memcmp(&(out), &before_##out, sizeof(out)) == 0)

/* ---- options.c ---- */

tolk_progress_callback any_progress(fuzz *f);
int64_t any_effort(fuzz *f);
int64_t any_time_limit(fuzz *f);
int64_t any_granule(fuzz *f);
tolk_cancel *any_cancel(fuzz *f);
/* Fills options; gives whether the same ones have the same result. */
int any_plan_options(fuzz *f, tolk_plan_options *o);

/* ---- plans.c ---- */

struct request {
  tolk_graph *graph;
  tolk_op schedule;
  const tolk_op *held;
  size_t held_count;
  const tolk_plan_options *options;
  int certain; /* the same request has the same plan */
};

/* What must hold of a plan of a thread's own. */
void check_plan(fuzz *f, const struct request *r, tolk_plan *plan, tolk_op planned);

/* ---- texts.c ---- */

/* Reads a file of texts, one a line, to be garbled. */
void load_texts(const char *path);
void free_texts(void);
/* A real text or one that the library wrote, garbled or not. */
const char *any_text(fuzz *f, size_t *length);
/* Keeps a text of the library's to be read and garbled later. */
void keep_text(fuzz *f, char *text);

/* ---- The calls. A step is one function called on random arguments, and others to check on it. ---- */

struct step {
  const char *name;
  void (*run)(fuzz *);
  unsigned weight;
};
#define STEP(name, weight) {#name, name, weight}
struct steps {
  const struct step *list;
  size_t count;
};
#define STEPS(name, ...)                                  \
  static const struct step name##_list[] = {__VA_ARGS__}; \
  const struct steps name = {name##_list, COUNT(name##_list)}
extern const struct steps build_steps, describe_steps, read_steps, plan_steps, place_steps, text_steps, tlsf_steps, process_steps;

#endif
