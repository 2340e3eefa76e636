/* Random options. */
#include "fuzz.h"

/* A search reports from inside a call; calls from there are right. */
static void progress(void *user, const tolk_progress *p) {
  fuzz *f = user;
  uint64_t count;
  MUST(p->bound >= 0 && p->spent >= 0 && (p->size < 0 || p->size >= p->bound));
  passes(f, tolk_graph_op_count(AS(tolk_graph, f->own[GRAPH][0].handle), &count));
  if (once_in(f, 8)) passes(f, tolk_cancel_request(AS(tolk_cancel, f->own[CANCEL][0].handle)));
}

tolk_progress_callback any_progress(fuzz *f) { return once_in(f, 8) ? progress : NULL; }

int64_t any_effort(fuzz *f) { return once_in(f, 100) ? -(int64_t)below(f, 2) : 1 + (int64_t)below(f, 2000); }

/* Results hang on the clock only where other threads make them uncertain anyway. */
int64_t any_time_limit(fuzz *f) {
  if (!once_in(f, 20)) return 0;
  if (once_in(f, 2)) return once_in(f, 2) ? INT64_MAX : -1;
  return alone ? 0 : 1 + (int64_t)below(f, 3);
}

int64_t any_granule(fuzz *f) { return once_in(f, 30) ? any_number(f) : INT64_C(1) << below(f, 10); }

/* No cancel is as right as one that is there. */
tolk_cancel *any_cancel(fuzz *f) {
  uint64_t handle;
  if (!once_in(f, 8)) return NULL;
  enum trust before = f->trust;
  any_object(f, CANCEL, &handle);
  if (handle == 0) f->trust = before;
  return AS(tolk_cancel, handle);
}

static void fill_capacities(fuzz *f, tolk_plan_options *o) {
  static const char *const placements[] = {"GPU", "CPU", "GPU:0"};
  size_t count = 1 + below(f, 2);
  tolk_capacity *list = at_edge(f, 2, count * sizeof *list);
  for (size_t i = 0; i < count; i++)
    list[i] = (tolk_capacity){&placements[i], 1, once_in(f, 30) ? any_number(f) : (int64_t)(draw(f) >> 50) + 1};
  o->capacities = list;
  o->capacity_count = count;
  if (!once_in(f, 20)) return;
  o->capacities = once_in(f, 2) ? NULL : dangling(f);
  o->capacity_count = o->capacities == NULL ? 1 + draw(f) / 2 : 0;
}

int any_plan_options(fuzz *f, tolk_plan_options *o) {
  *o = (tolk_plan_options)TOLK_PLAN_OPTIONS_INIT;
  o->struct_size = any_struct_size(f, sizeof *o);
  o->overrides = once_in(f, 20) ? mostly_below(f, 4) : TOLK_OVERRIDE_NO_MEMORY_PLANNER;
  o->no_memory_planner = once_in(f, 20);
  o->debug = (int64_t)below(f, 2);
  o->copies = mostly_below(f, 2);
  o->placer = mostly_below(f, 4);
  if (once_in(f, 2)) o->granule = any_granule(f);
  o->effort = any_effort(f);
  o->time_limit_ms = any_time_limit(f);
  if (once_in(f, 8)) fill_capacities(f, o);
  if (o->struct_size < sizeof *o) return 0; /* it does not reach what follows */
  o->cancel = any_cancel(f);
  o->progress = any_progress(f);
  o->progress_user = f;
  return o->progress == NULL && o->cancel == NULL && o->time_limit_ms == 0 && (o->overrides & TOLK_OVERRIDE_NO_MEMORY_PLANNER) != 0;
}
