/* Handles, right and wrong. */
#include "fuzz.h"

struct object shared[TYPES][OBJECTS];

/* The library's handles are (0x7401 << 48) + 1, 2, ... */
static uint64_t made_up(fuzz *f) {
  switch (below(f, 4)) {
    case 0:
      return draw(f) >> 16 | 1;
    case 1:
      return (UINT64_C(0x7401) << 48) + (UINT64_C(1) << 40) + below(f, 1000); /* one that would come much later */
    case 2:
      return NUMBER(dangling(f)) | 1;
    default:
      return 1 + below(f, 1000);
  }
}

uint64_t wrong_handle(fuzz *f, enum type type) {
  enum type other = (type + 1 + below(f, TYPES - 1)) % TYPES;
  uint64_t handle = 0;
  f->trust = WRONG;
  if (once_in(f, 3)) handle = f->stale[type][below(f, COUNT(f->stale[type]))];
  if (handle == 0 && once_in(f, 2)) handle = f->own[other][below(f, OBJECTS)].handle;
  return handle != 0 ? handle : made_up(f);
}

struct object *any_place(fuzz *f, enum type type) {
  return once_in(f, 4) ? &shared[type][below(f, OBJECTS)] : &f->own[type][below(f, OBJECTS)];
}

int is_own(const fuzz *f, enum type type, const struct object *o) { return o >= f->own[type] && o < f->own[type] + OBJECTS; }

struct object *any_object(fuzz *f, enum type type, uint64_t *handle) {
  struct object *o = any_place(f, type);
  if (once_in(f, 24)) {
    *handle = once_in(f, 4) ? 0 : wrong_handle(f, type);
    f->trust = WRONG;
    return &f->own[type][below(f, OBJECTS)];
  }
  *handle = o->handle;
  if (*handle == 0) f->trust = WRONG;
  if (!is_own(f, type, o) && f->trust == SURE) f->trust = SHARED;
  return o;
}

static tolk_status destroy(enum type type, uint64_t handle) {
  switch (type) {
    case GRAPH:
      return tolk_graph_destroy(AS(tolk_graph, handle));
    case PLAN:
      return tolk_plan_destroy(AS(tolk_plan, handle));
    case CANCEL:
      return tolk_cancel_destroy(AS(tolk_cancel, handle));
    default:
      return tolk_tlsf_destroy(AS(tolk_tlsf, handle));
  }
}

void destroy_nothing(fuzz *f, enum type type) { done(f, destroy(type, once_in(f, 4) ? 0 : wrong_handle(f, type))); }

/* Whoever takes a handle out of an object destroys it, so that it is there to be destroyed. */
void replace(fuzz *f, enum type type, struct object *o, uint64_t handle) {
  uint64_t old = atomic_exchange(&o->handle, handle);
  for (int c = 0; c < OPS_CLASSES; c++) o->pools[c].count = 0;
  if (is_own(f, type, o)) o->error = TOLK_OK;
  if (old == 0) return;
  f->stale[type][below(f, COUNT(f->stale[type]))] = old;
  passes(f, destroy(type, old));
}

void create_all(fuzz *f, struct object objects[TYPES][OBJECTS]) {
  for (int i = 0; i < OBJECTS; i++) {
    tolk_graph *graph;
    tolk_cancel *cancel;
    tolk_tlsf *tlsf;
    passes(f, tolk_graph_create(&graph));
    passes(f, tolk_cancel_create(&cancel));
    passes(f, tolk_tlsf_create(1 << 16, 0, TOLK_TLSF_BLOCK_SIZE, TOLK_TLSF_LIST_COUNT, &tlsf));
    objects[GRAPH][i].handle = NUMBER(graph);
    objects[CANCEL][i].handle = NUMBER(cancel);
    objects[TLSF][i].handle = NUMBER(tlsf);
    objects[TLSF][i].blocks = (struct blocks){.base = 0, .size = 1 << 16};
  }
}

void destroy_all(fuzz *f, struct object objects[TYPES][OBJECTS]) {
  for (int type = 0; type < TYPES; type++)
    for (int i = 0; i < OBJECTS; i++) replace(f, type, &objects[type][i], 0);
}
