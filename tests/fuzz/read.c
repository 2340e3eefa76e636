/* Steps that read graphs and ops. */
#include "fuzz.h"

static tolk_graph *any_graph(fuzz *f, struct object **o) {
  uint64_t handle;
  *o = any_object(f, GRAPH, &handle);
  return AS(tolk_graph, handle);
}

static void graph_op_count(fuzz *f) {
  struct object *o;
  OUT(uint64_t, count);
  done_out(f, tolk_graph_op_count(any_graph(f, &o), MAYBE(count)), &count, sizeof count);
}

static void graph_error(fuzz *f) {
  struct object *o;
  tolk_status status = tolk_graph_error(any_graph(f, &o));
  done(f, status);
  MUST(f->trust != SURE || status == o->error);
}

static void graph_check(fuzz *f) {
  struct object *o;
  tolk_status status = tolk_graph_check(any_graph(f, &o));
  done(f, status);
  MUST(status == TOLK_OK || status == TOLK_ERR_INVALID_HANDLE);
}

static tolk_op any_op_of(fuzz *f, enum class class, tolk_graph **graph) {
  struct object *o;
  *graph = any_graph(f, &o);
  return any_op(f, o, class);
}

/* What is read of an op agrees with itself. */
static void check_info(fuzz *f, tolk_graph *graph, tolk_op op, const tolk_op_info *info) {
  tolk_op sources[64];
  size_t count = 77;
  tolk_status status = tolk_op_sources(graph, op, sources, COUNT(sources), &count);
  MUST(done(f, status) || status == TOLK_ERR_BUFFER_TOO_SMALL);
  MUST(count == info->source_count);
  MUST(tolk_kind_string(info->kind) != NULL && tolk_dtype_string(info->dtype) != NULL);
  MUST(info->bytes == info->count * (int64_t)tolk_dtype_size(info->dtype));
  MUST(info->least <= info->greatest);
}

static void op_read(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, below(f, OPS_CLASSES), &graph);
  SIZED(tolk_op_info, out);
  int good = done(f, tolk_op_read(graph, op, once_in(f, 80) ? NULL : &out.is));
  if (!good) MUST(UNTOUCHED(out));
  digest(f, &out.is, sizeof out.is);
  if (good && f->trust == SURE && out.is.struct_size == sizeof out.is) check_info(f, graph, op, &out.is);
}

static void op_source(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, below(f, OPS_CLASSES), &graph);
  OUT(tolk_op, source);
  uint64_t index = (uint64_t)any_number(f) >> 4;
  done_out(f, tolk_op_source(graph, op, index, MAYBE(source)), &source, sizeof source);
}

typedef tolk_status read_ops(const tolk_graph *, tolk_op, tolk_op *, size_t, size_t *);

/* Has an array filled that is too short, missing, or as it should be. */
static void ops_of(fuzz *f, read_ops *read, tolk_graph *graph, tolk_op op) {
  size_t capacity = below(f, 10), bytes = capacity * sizeof(tolk_op);
  tolk_op *room = memset(at_edge(f, 5, bytes), FILL, bytes);
  if (capacity == 0) room = dangling(f);
  if (capacity > 0 && once_in(f, 80)) room = NULL;
  OUT(size_t, count);
  tolk_status status = read(graph, op, room, capacity, MAYBE(count));
  if (done(f, status)) {
    MUST(count <= capacity);
    digest(f, room, count * sizeof *room);
    return;
  }
  MUST(status == TOLK_ERR_BUFFER_TOO_SMALL ? count > capacity && count != FILLED : count == FILLED);
  if (capacity > 0 && room != NULL) MUST(untouched(room, bytes));
}

static void op_sources(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, below(f, OPS_CLASSES), &graph);
  ops_of(f, tolk_op_sources, graph, op);
}

static void taken(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, once_in(f, 3) ? OPS_LOOP1 + below(f, 2) : OPS_CALL, &graph);
  ops_of(f, tolk_taken, graph, op);
}

/* A string of the graph's may be read if no other thread may destroy the graph. */
static void read_string(fuzz *f, tolk_status status, const char *const *string) {
  if (done_out(f, status, string, sizeof *string) && f->trust == SURE) digest(f, *string, strlen(*string));
}

static void op_device(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, below(f, 4), &graph);
  OUT(const char *, device);
  uint32_t index = mostly_below(f, 2);
  read_string(f, tolk_op_device(graph, op, index, MAYBE(device)), &device);
}

static void op_name(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, once_in(f, 4) ? OPS_SCALAR : OPS_BODY, &graph);
  OUT(const char *, name);
  read_string(f, tolk_op_name(graph, op, MAYBE(name)), &name);
}

static void op_print(fuzz *f) {
  tolk_graph *graph;
  tolk_op op = any_op_of(f, below(f, OPS_CLASSES), &graph);
  OUT(char *, text);
  OUT(size_t, length);
  int good = done_out(f, tolk_op_print(graph, op, MAYBE(text), &length), &text, sizeof text);
  MUST(good || length == FILLED);
  if (!good) return;
  MUST(strlen(text) == length);
  digest(f, text, length);
  tolk_string_free(text);
}

STEPS(read_steps, STEP(graph_op_count, 10), STEP(graph_error, 10), STEP(graph_check, 1), STEP(op_read, 40), STEP(op_source, 25),
      STEP(op_sources, 25), STEP(taken, 25), STEP(op_device, 20), STEP(op_name, 20), STEP(op_print, 4));
