/* Steps that build ops by description. */
#include "fuzz.h"

#define MOST 8

/* What is kept of what is built: ops whose class their kind tells. */
static const enum class kinds[] = {
    [TOLK_KIND_VARIABLE] = OPS_SCALAR, [TOLK_KIND_CONST] = OPS_SCALAR, [TOLK_KIND_RANGE] = OPS_RANGE,   [TOLK_KIND_ADD] = OPS_SCALAR,
    [TOLK_KIND_MUL] = OPS_SCALAR,      [TOLK_KIND_SHRINK] = OPS_VALUE, [TOLK_KIND_BITCAST] = OPS_VALUE, [TOLK_KIND_SINK] = OPS_BODY,
    [TOLK_KIND_STORE] = OPS_BODY,      [TOLK_KIND_PROGRAM] = OPS_BODY, [TOLK_KIND_CUSTOM_FUNCTION] = OPS_BODY,
};

/* Descriptions that lie as far apart as they claim to be large. */
struct list {
  size_t count, size;
  char *first;
  uint32_t kinds[MOST];
  tolk_op sources[MOST][2];
  tolk_storage storage;
};

/* Describes any kind of op on few sources, at times the ones described before. */
static tolk_op_desc any_desc(fuzz *f, struct object *o, struct list *l, size_t index) {
  tolk_op_desc d = TOLK_OP_DESC_INIT;
  d.struct_size = once_in(f, 200) ? any_struct_size(f, l->size) : (uint32_t)l->size;
  d.kind = once_in(f, 3) ? TOLK_KIND_CONST + (uint32_t)below(f, 4) : mostly_below(f, 22);
  for (int i = 0; i < 2; i++)
    l->sources[index][i] = index > 0 && once_in(f, 2) ? TOLK_REF(below(f, index)) : any_op(f, o, once_in(f, 2) ? OPS_SCALAR : OPS_STORAGE);
  d.sources = l->sources[index];
  d.source_count = d.kind == TOLK_KIND_CONST || d.kind == TOLK_KIND_VARIABLE ? 0 : below(f, 3);
  d.dtype = mostly_below(f, 20);
  d.storage = &l->storage;
  d.name = any_name(f);
  d.value = once_in(f, 8) ? any_number(f) : (int64_t)below(f, 4);
  d.limit = once_in(f, 8) ? any_number(f) : (int64_t)(4 + below(f, 4));
  if (d.source_count == 0 && once_in(f, 4)) d.sources = dangling(f);
  return d;
}

static void fill_list(fuzz *f, struct object *o, struct list *l) {
  l->count = below(f, MOST + 1);
  l->size = once_in(f, 40) ? any_number32(f) : sizeof(tolk_op_desc) + (once_in(f, 8) ? 8 * below(f, 40) : 0);
  size_t apart = l->size >= sizeof(tolk_op_desc) && l->size <= 4096 ? l->size : 4096;
  l->first = memset(at_edge(f, 5, l->count * apart), 0, l->count * apart);
  fill_storage(f, &l->storage);
  for (size_t i = 0; i < l->count; i++) {
    tolk_op_desc d = any_desc(f, o, l, i);
    l->kinds[i] = d.kind;
    memcpy(l->first + i * apart, &d, sizeof d);
  }
}

static void keep_built(const struct list *l, struct object *o, const tolk_op *ops) {
  for (size_t i = 0; i < l->count; i++)
    if (l->kinds[i] < COUNT(kinds) && kinds[l->kinds[i]] != OPS_STORAGE) keep_op(o, kinds[l->kinds[i]], ops[i]);
}

static void build(fuzz *f) {
  uint64_t handle;
  struct list l;
  tolk_op ops[MOST];
  struct object *o = any_object(f, GRAPH, &handle);
  fill_list(f, o, &l);
  memset(ops, FILL, sizeof ops);
  const void *descs = l.count == 0 && once_in(f, 2) ? dangling(f) : l.first;
  tolk_status status = tolk_build(AS(tolk_graph, handle), descs, l.count, ops);
  int good = done(f, status);
  digest(f, ops, l.count * sizeof *ops);
  for (size_t i = 0; i < l.count; i++) MUST(good ? ops[i] != TOLK_NONE : ops[i] == TOLK_NONE || status == TOLK_ERR_INVALID_HANDLE);
  if (!good)
    note_error(f, o, status);
  else if (!f->odd)
    keep_built(&l, o, ops);
}

/* An array of ops that is missing, or too long to be one. */
static void build_nothing(fuzz *f) {
  uint64_t handle;
  tolk_op ops[1];
  tolk_op_desc desc = TOLK_OP_DESC_INIT;
  struct object *o = any_object(f, GRAPH, &handle);
  uint64_t which = below(f, 3);
  size_t count = which == 0 ? (UINT64_C(1) << 31) + draw(f) / 2 : 1;
  tolk_status status = tolk_build(AS(tolk_graph, handle), which == 1 ? NULL : &desc, count, which == 2 ? NULL : ops);
  MUST(!done(f, status));
  note_error(f, o, status);
}

STEPS(describe_steps, STEP(build, 30), STEP(build_nothing, 3));
