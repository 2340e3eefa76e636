/* How to plan: placers, capacities, cancels, progress, and options out of range. */
#include "world.h"

enum { BAD = TOLK_ERR_INVALID_ARGUMENT };

/* Blocks of 256, 256 and 512 bytes:
 *   entry  0    1
 *   a      ====        TLSF: at 0
 *   b      ==== ====         at 256
 *   d           ====         at 512, since a left only 256: an arena of 1024, where 768 would do with b at 0 or 512 */
struct hole {
  tolk_graph *g;
  tolk_op schedule;
};

static struct hole new_hole(void) {
  struct hole h;
  REQUIRE(tolk_graph_create(&h.g) == TOLK_OK);
  tolk_op a = f32(h.g, 64), b = f32(h.g, 64), d = f32(h.g, 128), k = tolk_program(h.g, "k", 0, NULL, 0);
  h.schedule = LINEAR(h.g, CALL(h.g, k, a, b), CALL(h.g, k, b, d));
  return h;
}

static tolk_status plan_with(struct hole *h, const tolk_plan_options *options, tolk_plan **plan) {
  return tolk_memory_plan_rewrite(h->g, h->schedule, NULL, 0, options, NULL, plan);
}

static tolk_arena arena_with(struct hole *h, const tolk_plan_options *options) {
  tolk_plan *plan;
  const tolk_arena *arenas;
  size_t count = 0;
  REQUIRE(plan_with(h, options, &plan) == TOLK_OK);
  OK(tolk_plan_arenas(plan, &arenas, &count));
  tolk_arena arena = arenas[0];
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  return arena;
}

static const char *const gpu[] = {"GPU"};

TEST(each_placer) {
  struct hole h = new_hole();
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  EQUAL(arena_with(&h, NULL).size, 1024);
  EQUAL(arena_with(&h, &options).size, 1024);
  EQUAL(arena_with(&h, &options).proof, TOLK_PROOF_NONE);
  uint32_t placers[] = {TOLK_PLACER_BEST, TOLK_PLACER_FIRST_FIT, TOLK_PLACER_BEST_FIT};
  for (size_t i = 0; i < COUNT(placers); i++) { /* the largest first leaves no hole */
    options.placer = placers[i];
    tolk_arena arena = arena_with(&h, &options);
    EQUAL(arena.size, 768);
    EQUAL(arena.lower_bound, 768);
    EQUAL(arena.proof, TOLK_PROOF_EQUALS_BOUND);
  }
  OK(tolk_graph_destroy(h.g));
}

TEST(the_granule) {
  struct hole h = new_hole();
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.granule = 4096;
  EQUAL(arena_with(&h, &options).size, 2 * 4096); /* each block is 4096, so that a's does for d */
  OK(tolk_graph_destroy(h.g));
}

TEST(capacities) {
  struct hole h = new_hole();
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  const char *const cpu[] = {"CPU"};
  tolk_capacity capacity[] = {{cpu, 1, 1}, {gpu, 1, 1024}};
  options.capacities = capacity;
  options.capacity_count = 2;
  tolk_plan *plan = (tolk_plan *)9;
  EQUAL(arena_with(&h, &options).size, 1024);
  capacity[1].bytes = 768;
  FAILS(TOLK_ERR_NOT_FOUND, "capacity 768 was not met within the effort: the smallest arena found is 1024", plan_with(&h, &options, &plan));
  options.placer = TOLK_PLACER_BEST;
  EQUAL(arena_with(&h, &options).size, 768);
  capacity[1].bytes = 767;
  uint64_t before = op_count(h.g);
  FAILS(TOLK_ERR_INFEASIBLE, "[\"GPU\"]", plan_with(&h, &options, &plan));
  CHECK(strstr(tolk_last_error(), "capacity 767") && strstr(tolk_last_error(), "entry 1"));
  CHECK(plan == (tolk_plan *)9);
  EQUAL(op_count(h.g), before);
  OK(tolk_graph_error(h.g));
  OK(tolk_graph_destroy(h.g));
}

/* What each option refuses, also where there is nothing to plan. */
static void check_refused(const tolk_plan_options *options, const char *text) {
  struct hole h = new_hole();
  uint64_t before = op_count(h.g);
  FAILS(BAD, text, plan_with(&h, options, NULL));
  EQUAL(op_count(h.g), before);
  h.schedule = tolk_linear(h.g, NULL, 0);
  FAILS(BAD, text, plan_with(&h, options, NULL));
  OK(tolk_graph_destroy(h.g));
}

#define REFUSE(text, ...)                               \
  do {                                                  \
    tolk_plan_options o = TOLK_PLAN_OPTIONS_INIT;       \
    __VA_ARGS__;                                        \
    check_refused(&o, text);                            \
  } while (0)

TEST(options_out_of_range) {
  tolk_capacity capacity = {gpu, 1, 0}, nowhere = {gpu, 0, 5}, null_devices = {NULL, 1, 5};
  REFUSE("placer", o.placer = TOLK_PLACER_BEST_FIT + 1);
  REFUSE("placer", o.placer = 256);
  REFUSE("placer", o.placer = UINT32_MAX);
  REFUSE("copies", o.copies = 2);
  REFUSE("copies", o.copies = 256);
  REFUSE("overrides", o.overrides = 4);
  REFUSE("granule", o.granule = -256);
  REFUSE("granule", o.granule = 3);
  REFUSE("granule", o.granule = (int64_t)1 << 31);
  REFUSE("effort", o.effort = -1);
  REFUSE("time_limit_ms", o.time_limit_ms = -1);
  REFUSE("capacities is NULL", o.capacity_count = 1);
  REFUSE("capacity 0 is 0 bytes", o.capacities = &capacity; o.capacity_count = 1);
  REFUSE("names no device", o.capacities = &nowhere; o.capacity_count = 1);
  REFUSE("devices is NULL", o.capacities = &null_devices; o.capacity_count = 1);
  REFUSE("struct_size", o.struct_size = 0);
  REFUSE("struct_size", o.struct_size = 3);
  REFUSE("struct_size", o.struct_size = UINT32_MAX);
}

TEST(options_of_older_and_newer_callers) {
  struct hole h = new_hole();
  struct {
    tolk_plan_options old;
    uint64_t more;
  } o = {TOLK_PLAN_OPTIONS_INIT, 0};
  o.old.placer = TOLK_PLACER_BEST;
  o.old.struct_size = sizeof o;
  EQUAL(arena_with(&h, &o.old).size, 768);
  o.more = 1;
  FAILS(BAD, "newer than this library", plan_with(&h, &o.old, NULL));
  o.old.struct_size = 12; /* up to placer: what lies behind is not looked at */
  o.old.overrides = 255;
  EQUAL(arena_with(&h, &o.old).size, 768);
  OK(tolk_graph_destroy(h.g));
}

TEST(dangling_pointers_with_a_count_of_0) {
  struct hole h = new_hole();
  tolk_plan_options o = TOLK_PLAN_OPTIONS_INIT;
  o.capacities = (const tolk_capacity *)8;
  for (int i = 0; i < 200; i++) {
    OK(tolk_memory_plan_rewrite(h.g, h.schedule, (const tolk_op *)8, 0, &o, NULL, NULL));
    OK(tolk_place((const tolk_lifetime *)8, 0, NULL, (int64_t *)8, NULL));
  }
  size_t faults;
  OK(tolk_place_verify((const tolk_lifetime *)8, 0, NULL, (const int64_t *)8, 0, (tolk_fault *)8, 0, &faults));
  OK(tolk_graph_destroy(h.g));
}

TEST(schedules_that_are_none) {
  struct world w = new_world();
  const tolk_status kind = TOLK_ERR_WRONG_KIND;
  FAILS(kind, "must be a LINEAR", tolk_memory_plan_rewrite(w.g, w.c, NULL, 0, NULL, NULL, NULL));
  FAILS(kind, "must be a LINEAR", tolk_memory_plan_rewrite(w.g, w.x, NULL, 0, NULL, NULL, NULL));
  FAILS(kind, "held buffer 1", tolk_memory_plan_rewrite(w.g, w.l, LIST(w.x, w.n), NULL, NULL, NULL));
  FAILS(TOLK_ERR_INVALID_OP, "held buffer 0", tolk_memory_plan_rewrite(w.g, w.l, LIST(TOLK_NONE), NULL, NULL, NULL));
  FAILS(BAD, "held is NULL", tolk_memory_plan_rewrite(w.g, w.l, NULL, 2, NULL, NULL, NULL));
  FAILS(TOLK_ERR_LIMIT, "held", tolk_memory_plan_rewrite(w.g, w.l, &w.x, SIZE_MAX, NULL, NULL, NULL));
  OK(tolk_graph_destroy(w.g));
}

static tolk_op bytes_on(tolk_graph *g, int64_t bytes) {
  tolk_storage s = storage(TOLK_INT8, bytes, "GPU");
  return tolk_buffer(g, &s);
}

/* A schedule of 40 entries over 120 buffers that no placer is quick to prove. */
static struct hole new_puzzle(void) {
  struct hole h;
  tolk_op calls[40], args[120];
  uint64_t seed = 99, first[120], end[120];
  REQUIRE(tolk_graph_create(&h.g) == TOLK_OK);
  tolk_op buffers[120], k = tolk_program(h.g, "k", 0, NULL, 0);
  for (int i = 0; i < 120; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    first[i] = (seed >> 33) % 40, end[i] = first[i] + 1 + (seed >> 45) % 20;
    buffers[i] = f32(h.g, (int64_t)(64 + (seed >> 52)));
  }
  for (uint64_t e = 0; e < 40; e++) {
    size_t n = 0;
    for (int i = 0; i < 120; i++)
      if (first[i] <= e && e < end[i]) args[n++] = buffers[i];
    calls[e] = tolk_call(h.g, k, args, n);
  }
  h.schedule = tolk_linear(h.g, calls, 40);
  return h;
}

static void count_call(void *user, const tolk_progress *p) {
  CHECK(p->size >= p->bound);
  ++*(int *)user;
}

TEST(a_plans_search_tells_its_progress_and_is_cancelled) {
  struct hole h = new_puzzle();
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  int calls = 0;
  int64_t tlsf = arena_with(&h, &options).size;
  options.placer = TOLK_PLACER_BEST;
  options.effort = 200000;
  options.progress = count_call;
  options.progress_user = &calls;
  tolk_arena whole = arena_with(&h, &options);
  CHECK(calls > 0 && whole.size <= tlsf && whole.size >= whole.proven_bound && whole.proven_bound >= whole.lower_bound);
  OK(tolk_cancel_create(&options.cancel));
  OK(tolk_cancel_request(options.cancel));
  tolk_arena cut = arena_with(&h, &options);
  CHECK(cut.stopped == TOLK_STOP_CANCELLED && cut.size <= tlsf);
  OK(tolk_cancel_destroy(options.cancel));
  FAILS(TOLK_ERR_INVALID_HANDLE, "destroyed", plan_with(&h, &options, NULL));
  options.cancel = NULL;
  options.effort = (int64_t)1 << 40;
  options.time_limit_ms = 1;
  tolk_arena timed = arena_with(&h, &options);
  CHECK(timed.stopped == TOLK_STOP_TIME || timed.proof != TOLK_PROOF_NONE);
  OK(tolk_graph_destroy(h.g));
}

/* Needs may sum to 2^61 bytes. */
TEST(sums_that_overflow) {
  struct world w = new_world();
  const tolk_status over = TOLK_ERR_OVERFLOW;
  int64_t half = (int64_t)1 << 60;
  tolk_op a = bytes_on(w.g, half), b = bytes_on(w.g, half - 512), c = bytes_on(w.g, half + 512), d = bytes_on(w.g, 4 * half);
  tolk_op planned = 9;
  OK(tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, a, b)), NULL, 0, NULL, NULL, NULL));
  uint64_t before = op_count(w.g) + 2;
  FAILS(over, "bytes", tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, a, c)), NULL, 0, NULL, &planned, NULL));
  EQUAL(op_count(w.g), before);
  EQUAL(planned, 9);
  FAILS(over, "bytes", tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, d)), NULL, 0, NULL, NULL, NULL));
  FAILS(over, "bytes", tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, bytes_on(w.g, INT64_MAX))), NULL, 0, NULL, NULL, NULL));
  /* Held storage counts for nothing. */
  OK(tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, d)), &d, 1, NULL, &planned, NULL));
  OK(tolk_graph_destroy(w.g));
}

/* A loop of two loops of two loops ... of a call: 2^40 calls, written out. */
TEST(loops_that_are_too_much_to_write_out) {
  struct world w = new_world();
  tolk_op body = w.l;
  for (int i = 0; i < 40; i++) {
    tolk_op i1 = tolk_range(w.g, w.n, 2 * i, 0), i2 = tolk_range(w.g, w.n, 2 * i + 1, 0);
    body = LINEAR(w.g, tolk_end(w.g, body, &i1, 1), tolk_end(w.g, body, &i2, 1));
  }
  tolk_op storage[2];
  uint64_t before = op_count(w.g);
  tolk_plan *plan = (tolk_plan *)9;
  FAILS(TOLK_ERR_LIMIT, "arguments", tolk_memory_plan_rewrite(w.g, body, NULL, 0, NULL, NULL, &plan));
  CHECK(plan == (tolk_plan *)9);
  EQUAL(op_count(w.g), before);
  tolk_op entry;
  size_t count;
  OK(tolk_op_source(w.g, body, 0, &entry));
  OK(tolk_taken(w.g, entry, storage, 2, &count));
  CHECK(count == 2 && storage[0] == w.x);
  OK(tolk_graph_destroy(w.g));
}
