/* Steps that create graphs and build ops one by one. */
#include "fuzz.h"

static void graph_create(fuzz *f) {
  struct object *o = any_place(f, GRAPH);
  OUT(tolk_graph *, graph);
  if (done_out(f, tolk_graph_create(MAYBE(graph)), &graph, sizeof graph)) replace(f, GRAPH, o, NUMBER(graph));
}

static void graph_destroy(fuzz *f) { destroy_nothing(f, GRAPH); }

/* CONSTRUCTOR(name) { ... } is a step that builds in graph g, whose pools are o's. */
#define CONSTRUCTOR(name)                                             \
  static void build_##name(fuzz *f, struct object *o, tolk_graph *g); \
  static void name(fuzz *f) {                                         \
    uint64_t handle;                                                  \
    struct object *o = any_object(f, GRAPH, &handle);                 \
    build_##name(f, o, AS(tolk_graph, handle));                       \
  }                                                                   \
  static void build_##name(fuzz *f, struct object *o, tolk_graph *g)
#define BUILT(class, op) made(f, o, op, class)

static const tolk_storage *any_storage(fuzz *f, tolk_storage *room) {
  fill_storage(f, room);
  if (once_in(f, 100)) return NULL;
  /* Enough is behind it for any size that it may claim. */
  char *at = memset(at_edge(f, 5, 4096), once_in(f, 8), 4096);
  return memcpy(at, room, sizeof *room);
}

static enum class class_of(const tolk_storage *s) {
  if (s->device_count > 1) return OPS_SPREAD;
  return s->dtype == TOLK_BOOL && s->count == 1 ? OPS_FLAG : OPS_STORAGE;
}

#define STORAGE_CONSTRUCTOR(name)                        \
  CONSTRUCTOR(name) {                                    \
    tolk_storage room;                                   \
    const tolk_storage *storage = any_storage(f, &room); \
    BUILT(class_of(&room), tolk_##name(g, storage));     \
  }
STORAGE_CONSTRUCTOR(buffer)
STORAGE_CONSTRUCTOR(alloc)
STORAGE_CONSTRUCTOR(param)

CONSTRUCTOR(flag) {
  tolk_storage s = TOLK_STORAGE_INIT;
  s.dtype = TOLK_BOOL;
  s.count = 1;
  s.device = "GPU";
  BUILT(OPS_FLAG, tolk_buffer(g, &s));
}

CONSTRUCTOR(variable) {
  int64_t least = any_number(f), greatest = once_in(f, 4) ? any_number(f) : least + (least < 64 ? 8 : 0);
  BUILT(OPS_SCALAR, tolk_variable(g, any_name(f), least, greatest));
}

CONSTRUCTOR(constant) { BUILT(OPS_SCALAR, tolk_const(g, any_number(f))); }

CONSTRUCTOR(range) {
  tolk_op count = any_op(f, o, OPS_SCALAR);
  int64_t axis = any_number(f);
  BUILT(OPS_RANGE, tolk_range(g, count, axis, any_number32(f)));
}

CONSTRUCTOR(add) {
  tolk_op x = any_op(f, o, OPS_SCALAR), y = any_op(f, o, OPS_SCALAR);
  BUILT(OPS_SCALAR, tolk_add(g, x, y));
}

CONSTRUCTOR(mul) {
  tolk_op x = any_op(f, o, OPS_SCALAR), y = any_op(f, o, OPS_RANGE);
  BUILT(OPS_SCALAR, tolk_mul(g, x, y));
}

/* Views are kept apart by whether what they are of is on several devices. */
static tolk_op any_value(fuzz *f, struct object *o, enum class *class) {
  *class = once_in(f, 5) ? OPS_SPREAD : OPS_VALUE;
  return any_op(f, o, *class == OPS_VALUE && once_in(f, 2) ? OPS_STORAGE : *class);
}

CONSTRUCTOR(shrink) {
  enum class class;
  tolk_op value = any_value(f, o, &class);
  int64_t start = any_number(f), length = any_number(f);
  BUILT(class, tolk_shrink(g, value, start, length));
}

CONSTRUCTOR(shrink_at) {
  enum class class;
  tolk_op value = any_value(f, o, &class), start = any_op(f, o, OPS_SCALAR);
  BUILT(class, tolk_shrink_at(g, value, start, any_number(f)));
}

CONSTRUCTOR(bitcast) {
  enum class class;
  tolk_op value = any_value(f, o, &class);
  BUILT(class, tolk_bitcast(g, value, mostly_below(f, 20)));
}

CONSTRUCTOR(after) {
  enum class class;
  size_t count;
  tolk_op value = any_value(f, o, &class);
  const tolk_op *effects = any_list(f, o, OPS_CALL, OPS_VALUE, 4, &count);
  BUILT(class, tolk_after(g, value, effects, count));
}

CONSTRUCTOR(mselect) {
  tolk_op value = any_op(f, o, OPS_SPREAD);
  BUILT(OPS_VALUE, tolk_mselect(g, value, mostly_below(f, 4)));
}

CONSTRUCTOR(mstack) {
  size_t count;
  const tolk_op *parts = any_list(f, o, OPS_STORAGE, OPS_VALUE, 3, &count);
  BUILT(OPS_SPREAD, tolk_mstack(g, parts, count));
}

#define BODY_CONSTRUCTOR(name)                                                 \
  CONSTRUCTOR(name) {                                                          \
    size_t count;                                                              \
    const tolk_op *sources = any_list(f, o, OPS_VALUE, OPS_SCALAR, 2, &count); \
    uint64_t tag = below(f, 4);                                                \
    BUILT(OPS_BODY, tolk_##name(g, any_name(f), tag, sources, count));         \
  }
BODY_CONSTRUCTOR(sink)
BODY_CONSTRUCTOR(store)
BODY_CONSTRUCTOR(program)
BODY_CONSTRUCTOR(custom_function)

CONSTRUCTOR(call) {
  static const enum class others[] = {OPS_VALUE, OPS_VALUE, OPS_SPREAD, OPS_SCALAR};
  size_t count;
  tolk_op body = any_op(f, o, once_in(f, 8) ? OPS_LINEAR0 : OPS_BODY);
  const tolk_op *arguments = any_list(f, o, OPS_STORAGE, others[below(f, COUNT(others))], 6, &count);
  BUILT(OPS_CALL, tolk_call(g, body, arguments, count));
}

CONSTRUCTOR(linear) {
  size_t count;
  int depth = (int)below(f, 3);
  enum class seldom = depth == 0 ? OPS_CALL : OPS_LOOP1 + below(f, (uint64_t)depth);
  const tolk_op *entries = any_list(f, o, OPS_CALL, seldom, 12, &count);
  BUILT(OPS_LINEAR0 + depth, tolk_linear(g, entries, count));
}

CONSTRUCTOR(end) {
  size_t count;
  int depth = (int)below(f, 2);
  tolk_op body = any_op(f, o, once_in(f, 3) ? OPS_CALL : OPS_LINEAR0 + depth);
  const tolk_op *ranges = any_list(f, o, OPS_RANGE, OPS_RANGE, 2, &count);
  BUILT(count == 0 ? OPS_LINEAR0 + depth : OPS_LOOP1 + depth, tolk_end(g, body, ranges, count));
}

CONSTRUCTOR(backedge) {
  int depth = (int)below(f, 2);
  tolk_op body = any_op(f, o, once_in(f, 3) ? OPS_CALL : OPS_LINEAR0 + depth);
  tolk_op loop = any_op(f, o, OPS_RANGE), flag = any_op(f, o, OPS_FLAG);
  BUILT(OPS_LOOP1 + depth, tolk_backedge(g, body, loop, flag));
}

STEPS(build_steps, STEP(graph_create, 3), STEP(graph_destroy, 4), STEP(buffer, 60), STEP(alloc, 10), STEP(param, 15), STEP(flag, 6),
      STEP(variable, 20), STEP(constant, 30), STEP(range, 20), STEP(add, 15), STEP(mul, 15), STEP(shrink, 40), STEP(shrink_at, 20),
      STEP(bitcast, 25), STEP(after, 20), STEP(mselect, 20), STEP(mstack, 15), STEP(sink, 12), STEP(store, 12), STEP(program, 12),
      STEP(custom_function, 8), STEP(call, 60), STEP(linear, 30), STEP(end, 20), STEP(backedge, 15));
