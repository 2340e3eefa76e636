/* Steps that plan, and read plans. */
#include "fuzz.h"

static void cancel_create(fuzz *f) {
  struct object *o = any_place(f, CANCEL);
  OUT(tolk_cancel *, cancel);
  if (done_out(f, tolk_cancel_create(MAYBE(cancel)), &cancel, sizeof cancel)) replace(f, CANCEL, o, NUMBER(cancel));
}

static void cancel_request(fuzz *f) {
  uint64_t handle;
  any_object(f, CANCEL, &handle);
  done(f, tolk_cancel_request(AS(tolk_cancel, handle)));
}

static void cancel_destroy(fuzz *f) { destroy_nothing(f, CANCEL); }

static void any_request(fuzz *f, struct request *r, tolk_plan_options *options) {
  uint64_t handle;
  struct object *o = any_object(f, GRAPH, &handle);
  r->graph = AS(tolk_graph, handle);
  r->certain = any_plan_options(f, options) && f->trust == SURE;
  r->options = options;
  r->schedule = any_op(f, o, OPS_LINEAR0 + below(f, 3));
  r->held = any_list(f, o, OPS_VALUE, OPS_STORAGE, 3, &r->held_count);
}

static void plan_rewrite(fuzz *f) {
  union {
    tolk_plan_options options;
    char bytes[4096];
  } room = {.bytes = {0}};
  struct request r;
  any_request(f, &r, &room.options);
  OUT(tolk_op, planned);
  OUT(tolk_plan *, plan);
  tolk_status status = tolk_memory_plan_rewrite(r.graph, r.schedule, r.held, r.held_count, r.options, &planned, &plan);
  if (!done_out(f, status, &plan, sizeof plan)) {
    MUST(planned == FILLED);
    return;
  }
  if (f->trust == SURE) check_plan(f, &r, plan, planned);
  replace(f, PLAN, any_place(f, PLAN), NUMBER(plan));
}

/* Without options, or results that nobody asked for. */
static void plan_rewrite_plainly(fuzz *f) {
  tolk_plan_options options;
  struct request r;
  int no_options = once_in(f, 2);
  any_request(f, &r, &options);
  options.struct_size = sizeof options;
  if (no_options && f->trust == WRONG) return;
  OUT(tolk_op, planned);
  tolk_op *to = once_in(f, 2) ? NULL : &planned;
  done(f, tolk_memory_plan_rewrite(r.graph, r.schedule, r.held, r.held_count, no_options ? NULL : &options, to, NULL));
}

static tolk_plan *any_plan(fuzz *f) {
  uint64_t handle;
  any_object(f, PLAN, &handle);
  return AS(tolk_plan, handle);
}

#define ARRAY_STEP(name, type)                               \
  static void plan_##name(fuzz *f) {                         \
    tolk_plan *plan = any_plan(f);                           \
    OUT(const type *, array);                                \
    OUT(size_t, count);                                      \
    tolk_status status = tolk_plan_##name(plan, MAYBE(array), &count); \
    done_out(f, status, &array, sizeof array);               \
    MUST((status < 0) == (count == FILLED));                 \
  }
ARRAY_STEP(arenas, tolk_arena)
ARRAY_STEP(places, tolk_placed)
ARRAY_STEP(binds, tolk_bind)
ARRAY_STEP(entries, uint64_t)

static void plan_totals(fuzz *f) {
  tolk_plan *plan = any_plan(f);
  SIZED(tolk_totals, out);
  if (!done(f, tolk_plan_totals(plan, once_in(f, 80) ? NULL : &out.is))) MUST(UNTOUCHED(out));
}

static void plan_schedule(fuzz *f) {
  tolk_plan *plan = any_plan(f);
  OUT(tolk_op, planned);
  done_out(f, tolk_plan_schedule(plan, MAYBE(planned)), &planned, sizeof planned);
}

static void plan_verify(fuzz *f) {
  tolk_status status = tolk_plan_verify(any_plan(f));
  done(f, status);
  MUST(status == TOLK_OK || status == TOLK_ERR_INVALID_HANDLE);
}

static void plan_write(fuzz *f) {
  uint64_t handle;
  any_object(f, GRAPH, &handle); /* seldom the one that it was made in */
  tolk_plan *plan = any_plan(f);
  OUT(char *, text);
  OUT(size_t, length);
  if (done_out(f, tolk_plan_write(AS(tolk_graph, handle), plan, MAYBE(text), &length), &text, sizeof text)) tolk_string_free(text);
}

static void plan_drop(fuzz *f) {
  replace(f, PLAN, any_place(f, PLAN), 0);
  f->outcome = 1;
}

static void plan_destroy(fuzz *f) { destroy_nothing(f, PLAN); }

STEPS(plan_steps, STEP(cancel_create, 6), STEP(cancel_request, 6), STEP(cancel_destroy, 6), STEP(plan_rewrite, 40),
      STEP(plan_rewrite_plainly, 10), STEP(plan_arenas, 12), STEP(plan_places, 12), STEP(plan_binds, 12), STEP(plan_entries, 12),
      STEP(plan_totals, 12), STEP(plan_schedule, 12), STEP(plan_verify, 8), STEP(plan_write, 8), STEP(plan_drop, 2), STEP(plan_destroy, 6));
