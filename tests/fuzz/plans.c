/* What must hold of a plan of a thread's own. */
#include "fuzz.h"

static void check_arena(fuzz *f, const tolk_arena *a, uint32_t index, const tolk_placed *places, size_t place_count) {
  MUST(a->device_count > 0 && a->devices[a->device_count - 1][0] != 0);
  MUST(a->lower_bound <= a->proven_bound && a->proven_bound <= a->size);
  for (uint64_t l = 0; l < a->live_count; l++) MUST(a->live[l] < place_count && places[a->live[l]].arena == index);
}

static void check_place(fuzz *f, const tolk_placed *p, const tolk_arena *arenas, size_t arena_count) {
  MUST(p->arena < arena_count && p->first < p->end && p->place <= p->start);
  MUST(p->start + p->bytes <= p->place + p->need && p->place + p->need <= arenas[p->arena].size);
}

/* The places of an arena, as anybody's plan of lifetimes, pass the checker. */
static void verify_arena(fuzz *f, const tolk_arena *a, uint32_t index, const tolk_placed *places, size_t place_count) {
  tolk_lifetime *list = calloc(place_count + 1, sizeof *list);
  int64_t *offsets = calloc(place_count + 1, sizeof *offsets);
  size_t n = 0, found = 77;
  MUST(list != NULL && offsets != NULL);
  for (size_t i = 0; i < place_count; i++) {
    if (places[i].arena != index) continue;
    list[n] = (tolk_lifetime){.first = (int64_t)places[i].first, .end = (int64_t)places[i].end, .bytes = places[i].need};
    offsets[n++] = places[i].place;
  }
  passes(f, tolk_place_verify(list, n, NULL, offsets, a->size, NULL, 0, &found));
  MUST(found == 0);
  free(list);
  free(offsets);
}

static void check_arenas(fuzz *f, tolk_plan *plan) {
  const tolk_arena *arenas;
  const tolk_placed *places;
  size_t count, place_count;
  tolk_totals totals = TOLK_TOTALS_INIT;
  passes(f, tolk_plan_arenas(plan, &arenas, &count));
  passes(f, tolk_plan_places(plan, &places, &place_count));
  passes(f, tolk_plan_totals(plan, &totals));
  for (uint32_t i = 0; i < count; i++) {
    check_arena(f, &arenas[i], i, places, place_count);
    verify_arena(f, &arenas[i], i, places, place_count);
    totals.after -= arenas[i].size;
    totals.lower_bound -= arenas[i].lower_bound;
  }
  for (size_t i = 0; i < place_count; i++) {
    check_place(f, &places[i], arenas, count);
    totals.before -= places[i].need;
  }
  MUST(totals.before == 0 && totals.after == 0 && totals.lower_bound == 0);
}

static void check_binds(fuzz *f, tolk_plan *plan) {
  const tolk_arena *arenas;
  const tolk_bind *binds;
  const uint64_t *begins;
  size_t arena_count, count, entries;
  passes(f, tolk_plan_arenas(plan, &arenas, &arena_count));
  passes(f, tolk_plan_binds(plan, &binds, &count));
  passes(f, tolk_plan_entries(plan, &begins, &entries));
  MUST(entries >= 1 && begins[0] == 0 && begins[entries - 1] == count);
  for (size_t e = 0; e + 1 < entries; e++)
    for (uint64_t i = begins[e]; i < begins[e + 1]; i++) MUST(binds[i].entry == e);
  for (size_t i = 0; i < count; i++) {
    if (binds[i].arena == TOLK_NO_ARENA) continue;
    MUST(binds[i].arena < arena_count && binds[i].offset >= 0);
    MUST(binds[i].offset + binds[i].bytes <= arenas[binds[i].arena].size);
  }
}

static char *text_of(fuzz *f, tolk_graph *graph, tolk_plan *plan) {
  char *text;
  size_t length;
  passes(f, tolk_plan_write(graph, plan, &text, &length));
  MUST(strlen(text) == length);
  return text;
}

/* Planned from these ops, the schedule has this plan. */
static void check_same(fuzz *f, const struct request *r, const char *want) {
  tolk_plan *plan;
  passes(f, tolk_memory_plan_rewrite(r->graph, r->schedule, r->held, r->held_count, r->options, NULL, &plan));
  char *got = text_of(f, r->graph, plan);
  MUST(strcmp(got, want) == 0);
  tolk_string_free(got);
  passes(f, tolk_plan_destroy(plan));
}

/* The schedule's text, read in another graph, has the same plan. */
static void check_text(fuzz *f, const struct request *r, const char *want) {
  char *text;
  size_t length;
  tolk_graph *other;
  tolk_schedule read = TOLK_SCHEDULE_INIT;
  passes(f, tolk_schedule_write(r->graph, r->schedule, "s", r->held, r->held_count, &text, &length));
  passes(f, tolk_graph_create(&other));
  passes(f, tolk_schedule_read(other, text, length, &read));
  check_same(f, &(struct request){other, read.schedule, read.held, read.held_count, r->options, 1}, want);
  passes(f, tolk_graph_check(other));
  passes(f, tolk_graph_destroy(other));
  tolk_schedule_free(&read);
  keep_text(f, text);
}

void check_plan(fuzz *f, const struct request *r, tolk_plan *plan, tolk_op planned) {
  tolk_op op;
  passes(f, tolk_plan_schedule(plan, &op));
  MUST(op == planned);
  passes(f, tolk_plan_verify(plan));
  check_arenas(f, plan);
  check_binds(f, plan);
  char *text = text_of(f, r->graph, plan);
  digest(f, text, strlen(text));
  if (r->certain && once_in(f, 16)) {
    check_same(f, r, text);
    check_text(f, r, text);
  }
  tolk_string_free(text);
}
