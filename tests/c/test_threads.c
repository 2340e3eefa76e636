/* Many threads: on graphs of their own, on one graph, and on handles that others destroy. */
#include <pthread.h>

#include "world.h"

enum { THREADS = 8, ROUNDS = 40, STEPS = 60 };

/* Plans a chain with side branches, which depends on seed only; gives the bytes of the plan, folded. */
static uint64_t plan_branches(tolk_graph *g, uint64_t seed) {
  tolk_op calls[STEPS], last = f32(g, 100), k = tolk_program(g, "k", 0, NULL, 0);
  for (int i = 0; i < STEPS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    tolk_op next = f32(g, (int64_t)(seed >> 40 & 1023)), view = tolk_bitcast(g, tolk_shrink(g, last, 0, 0), TOLK_INT8);
    calls[i] = CALL(g, k, next, last, view);
    if (seed >> 63) last = next;
  }
  tolk_plan *plan;
  const tolk_placed *places;
  size_t count = 0;
  OK(tolk_memory_plan_rewrite(g, tolk_linear(g, calls, STEPS), NULL, 0, NULL, NULL, &plan));
  OK(tolk_plan_places(plan, &places, &count));
  OK(tolk_plan_verify(plan));
  uint64_t fold = 0;
  for (size_t i = 0; i < count; i++) fold = fold * 31 + (uint64_t)places[i].place + (uint64_t)places[i].need;
  OK(tolk_plan_destroy(plan));
  return fold;
}

static uint64_t expected[ROUNDS];
static tolk_graph *shared;

static void *on_own_graphs(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    tolk_graph *g;
    OK(tolk_graph_create(&g));
    CHECK(plan_branches(g, (uint64_t)i) == expected[i]);
    OK(tolk_graph_error(g));
    OK(tolk_graph_destroy(g));
  }
  return unused;
}

static void *on_one_graph(void *unused) {
  for (int i = 0; i < ROUNDS; i++) CHECK(plan_branches(shared, (uint64_t)i) == expected[i]);
  return unused;
}

static void in_threads(void *(*run)(void *), void *arguments[THREADS]) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, run, arguments ? arguments[i] : NULL) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

TEST(results_do_not_depend_on_threads) {
  OK(tolk_graph_create(&shared));
  for (int i = 0; i < ROUNDS; i++) expected[i] = plan_branches(shared, (uint64_t)i);
  in_threads(on_own_graphs, NULL);
  in_threads(on_one_graph, NULL);
  OK(tolk_graph_error(shared));
  OK(tolk_graph_check(shared));
  OK(tolk_graph_destroy(shared));
}

/* Threads that build the same ops get the same ops. */
static void *build_numbers(void *ops) {
  for (int i = 0; i < 5000; i++) ((tolk_op *)ops)[i] = tolk_const(shared, i);
  return NULL;
}

TEST(threads_share_equal_ops) {
  static tolk_op ops[THREADS][5000];
  void *arguments[THREADS];
  OK(tolk_graph_create(&shared));
  for (int i = 0; i < THREADS; i++) arguments[i] = ops[i];
  in_threads(build_numbers, arguments);
  EQUAL(op_count(shared), 5000);
  for (int i = 1; i < THREADS; i++) CHECK(memcmp(ops[i], ops[0], sizeof *ops) == 0);
  OK(tolk_graph_check(shared));
  OK(tolk_graph_destroy(shared));
}

static void *destroy_too(void *ok_count) {
  if (tolk_graph_destroy(shared) == TOLK_OK) atomic_fetch_add((atomic_int *)ok_count, 1);
  return NULL;
}

TEST(one_of_many_destroys) {
  for (int round = 0; round < 50; round++) {
    atomic_int ok_count = 0;
    void *arguments[THREADS];
    for (int i = 0; i < THREADS; i++) arguments[i] = &ok_count;
    OK(tolk_graph_create(&shared));
    in_threads(destroy_too, arguments);
    EQUAL(ok_count, 1);
  }
}

/* Readers of what another thread destroys get an error or an answer. */
static void *read_until_gone(void *unused) {
  for (;;) {
    uint64_t count;
    tolk_status status = tolk_graph_op_count(shared, &count);
    tolk_op op = tolk_const(shared, 3);
    if (status == TOLK_ERR_INVALID_HANDLE) return unused;
    CHECK(status == TOLK_OK && (op != TOLK_NONE || strstr(tolk_last_error(), "destroyed") != NULL));
  }
}

TEST(destroying_what_others_use) {
  pthread_t threads[THREADS];
  OK(tolk_graph_create(&shared));
  for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, read_until_gone, NULL) == 0);
  for (int i = 0; i < 1000; i++) CHECK(tolk_const(shared, i) != TOLK_NONE);
  OK(tolk_graph_destroy(shared));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static tolk_tlsf *tlsf;

static void *allocate(void *unused) {
  for (int i = 0; i < 500; i++) {
    int64_t at[4];
    for (int k = 0; k < 4; k++) OK(tolk_tlsf_alloc(tlsf, 100, 1, &at[k]));
    for (int k = 0; k < 4; k++) OK(tolk_tlsf_free(tlsf, at[k]));
  }
  return unused;
}

TEST(one_allocator_for_all) {
  int64_t at;
  OK(tolk_tlsf_create(1 << 20, 0, 16, 16, &tlsf));
  in_threads(allocate, NULL);
  OK(tolk_tlsf_alloc(tlsf, 1 << 20, 1, &at)); /* all is free again */
  OK(tolk_tlsf_destroy(tlsf));
}
