/* Steps that place lifetimes, without ops. */
#include "fuzz.h"

#define MOST 20

static void spoil(fuzz *f, tolk_lifetime *l) {
  if (once_in(f, 6)) l->bytes = any_number(f);
  if (once_in(f, 6)) l->end = any_number(f);
  if (once_in(f, 6)) l->align = any_number(f);
  if (once_in(f, 6)) l->fixed = 1, l->offset = any_number(f);
  if (once_in(f, 40)) l->reserved = 1;
}

static tolk_lifetime *any_lifetimes(fuzz *f, size_t *count) {
  *count = below(f, MOST + 1);
  tolk_lifetime *list = at_edge(f, 5, *count * sizeof *list);
  int wild = once_in(f, 10);
  for (size_t i = 0; i < *count; i++) {
    tolk_lifetime *l = &list[i];
    *l = (tolk_lifetime){.first = (int64_t)below(f, 20), .bytes = (int64_t)below(f, 200)};
    l->end = l->first + 1 + (int64_t)below(f, 10);
    if (once_in(f, 5)) l->align = INT64_C(1) << below(f, 8);
    if (wild) spoil(f, l);
  }
  if (*count == 0) return once_in(f, 2) ? NULL : dangling(f);
  return list;
}

static void any_place_options(fuzz *f, tolk_place_options *o) {
  *o = (tolk_place_options)TOLK_PLACE_OPTIONS_INIT;
  o->struct_size = any_struct_size(f, sizeof *o);
  o->placer = mostly_below(f, 4);
  if (once_in(f, 2)) o->granule = any_granule(f);
  if (once_in(f, 6)) o->capacity = once_in(f, 4) ? any_number(f) : (int64_t)below(f, 3000);
  o->effort = any_effort(f);
  o->time_limit_ms = any_time_limit(f);
  if (o->struct_size < sizeof *o) return; /* it does not reach these */
  o->cancel = any_cancel(f);
  o->progress = any_progress(f);
  o->progress_user = f;
}

/* The checker takes what was placed, and finds a buffer that is then moved out of the arena. */
static void check_offsets(fuzz *f, const tolk_lifetime *list, size_t count, const tolk_place_options *o, int64_t *offsets, int64_t size) {
  tolk_fault faults[2];
  size_t found = 77, moved = below(f, count);
  passes(f, tolk_place_verify(list, count, o, offsets, size, faults, COUNT(faults), &found));
  MUST(found == 0);
  if (list[moved].bytes == 0 || list[moved].fixed) return;
  offsets[moved] = size - list[moved].bytes + 1;
  tolk_fault *to = once_in(f, 4) ? NULL : faults;
  fails(f, tolk_place_verify(list, count, o, offsets, size, to, COUNT(faults), &found), TOLK_ERR_INVALID_PLAN);
  MUST(found > 0);
}

static void place(fuzz *f) {
  union {
    tolk_place_options options;
    char bytes[4096];
  } room = {.bytes = {0}};
  size_t count;
  tolk_lifetime *list = any_lifetimes(f, &count);
  int64_t *offsets = memset(at_edge(f, 4, count * sizeof *offsets), FILL, count * sizeof *offsets);
  tolk_place_result result = TOLK_PLACE_RESULT_INIT;
  any_place_options(f, &room.options);
  if (!done(f, tolk_place(list, count, &room.options, offsets, &result))) {
    MUST(untouched(offsets, count * sizeof *offsets));
    return;
  }
  MUST(result.lower_bound <= result.proven_bound && result.proven_bound <= result.size);
  digest(f, offsets, count * sizeof *offsets);
  if (count > 0) check_offsets(f, list, count, &room.options, offsets, result.size);
}

static void place_verify(fuzz *f) {
  size_t count;
  OUT(size_t, found);
  tolk_lifetime *list = any_lifetimes(f, &count);
  int64_t *offsets = at_edge(f, 4, count * sizeof *offsets);
  tolk_fault faults[4];
  for (size_t i = 0; i < count; i++) offsets[i] = any_number(f);
  int64_t size = any_number(f);
  tolk_fault *to = once_in(f, 4) ? NULL : faults;
  size_t capacity = below(f, COUNT(faults) + 1);
  tolk_status status = tolk_place_verify(list, count, NULL, offsets, size, to, capacity, &found);
  done(f, status);
  MUST((found == FILLED) == (status != TOLK_OK && status != TOLK_ERR_INVALID_PLAN));
  MUST(found == FILLED || (found == 0) == (status == TOLK_OK));
}

STEPS(place_steps, STEP(place, 20), STEP(place_verify, 15));
