/* Deep and large schedules: nothing recurses, and sizes are held. */
#include "world.h"

static void plan_and_verify(tolk_graph *g, tolk_op schedule, int64_t size, size_t bind_count) {
  tolk_plan *plan;
  const tolk_arena *arenas;
  const tolk_bind *binds;
  size_t count = 0;
  OK(tolk_graph_error(g));
  REQUIRE(tolk_memory_plan_rewrite(g, schedule, NULL, 0, NULL, NULL, &plan) == TOLK_OK);
  OK(tolk_plan_arenas(plan, &arenas, &count));
  EQUAL(count, 1);
  EQUAL(arenas[0].size, size);
  OK(tolk_plan_binds(plan, &binds, &count));
  EQUAL(count, bind_count);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
}

/* Each view leaves out the first byte of the one before. */
TEST(a_million_nested_views) {
  enum { N = 1000000 };
  struct world w = new_world();
  tolk_storage s = storage(TOLK_INT8, N + 1, "GPU");
  tolk_op buffer = tolk_buffer(w.g, &s), *ops = malloc(N * sizeof *ops), *sources = malloc(N * sizeof *sources);
  tolk_op_desc *d = malloc(N * sizeof *d);
  for (int i = 0; i < N; i++) {
    sources[i] = i == 0 ? buffer : TOLK_REF(i - 1);
    d[i] = (tolk_op_desc)TOLK_OP_DESC_INIT;
    d[i].kind = TOLK_KIND_SHRINK, d[i].value = 1, d[i].limit = N - i, d[i].sources = &sources[i], d[i].source_count = 1;
  }
  OK(tolk_build(w.g, d, N, ops));
  tolk_op taken[2];
  size_t count;
  tolk_op call = CALL(w.g, w.k, ops[N - 1]);
  OK(tolk_taken(w.g, call, taken, 2, &count));
  CHECK(count == 1 && taken[0] == buffer && read_op(w.g, ops[N - 1]).base == buffer);
  plan_and_verify(w.g, LINEAR(w.g, call), 1000192, 1); /* 1000001 rounded up to 256 */
  char *text;
  OK(tolk_op_print(w.g, ops[N / 10], &text, &count));
  tolk_string_free(text);
  OK(tolk_schedule_write(w.g, LINEAR(w.g, call), NULL, NULL, 0, &text, &count));
  tolk_string_free(text);
  OK(tolk_graph_check(w.g));
  OK(tolk_graph_destroy(w.g));
  free(ops), free(sources), free(d);
}

TEST(loops_nested_10000_deep) {
  struct world w = new_world();
  tolk_op loop = w.c;
  for (int i = 0; i < 10000; i++) {
    tolk_op body = i % 3 == 2 ? loop : LINEAR(w.g, loop), range = tolk_range(w.g, w.n, i, 0);
    if (read_op(w.g, body).kind == TOLK_KIND_CALL || read_op(w.g, body).kind == TOLK_KIND_LINEAR)
      loop = tolk_end(w.g, body, &range, 1);
    else
      loop = tolk_backedge(w.g, LINEAR(w.g, body), range, w.flag);
  }
  tolk_op taken[4];
  size_t count;
  OK(tolk_taken(w.g, loop, taken, 4, &count));
  EQUAL(count, 3);
  char *text;
  OK(tolk_schedule_write(w.g, LINEAR(w.g, loop), NULL, NULL, 0, &text, &count));
  tolk_schedule again = TOLK_SCHEDULE_INIT;
  OK(tolk_schedule_read(w.g, text, count, &again));
  tolk_string_free(text);
  tolk_schedule_free(&again);
  plan_and_verify(w.g, LINEAR(w.g, loop), 3 * 256, 3333 + 2); /* a flag for each back edge, x and y */
  OK(tolk_graph_destroy(w.g));
}

TEST(a_call_with_a_million_arguments) {
  enum { N = 1000000, BUFFERS = 1000 };
  struct world w = new_world();
  tolk_op buffers[BUFFERS], *args = malloc(N * sizeof *args), *got = malloc((N + 1) * sizeof *got);
  for (int i = 0; i < BUFFERS; i++) buffers[i] = f32(w.g, 64);
  for (int i = 0; i < N; i++) args[i] = buffers[i % BUFFERS];
  tolk_op call = tolk_call(w.g, w.k, args, N);
  size_t count;
  OK(tolk_op_sources(w.g, call, got, N + 1, &count));
  CHECK(count == N + 1 && got[0] == w.k && memcmp(got + 1, args, N * sizeof *args) == 0);
  plan_and_verify(w.g, LINEAR(w.g, call), BUFFERS * 256, N);
  OK(tolk_graph_destroy(w.g));
  free(args), free(got);
}

TEST(a_chain_of_100000_entries) {
  enum { N = 100000 };
  struct world w = new_world();
  tolk_op last = f32(w.g, 64), *calls = malloc(N * sizeof *calls);
  for (int i = 0; i < N; i++) {
    tolk_op next = f32(w.g, 64);
    calls[i] = CALL(w.g, w.k, next, last);
    last = next;
  }
  plan_and_verify(w.g, tolk_linear(w.g, calls, N), 512, 2 * N); /* two live at a time */
  OK(tolk_graph_destroy(w.g));
  free(calls);
}

/* One call, repeated, of one view, repeated: 40 MB for each time that the call is written. */
TEST(a_text_past_256_MiB_is_refused) {
  enum { VIEWS = 1000, REPEATS = 1000 };
  struct world w = new_world();
  tolk_storage s = storage(TOLK_INT8, (int64_t)1 << 60, "GPU");
  tolk_op view = tolk_buffer(w.g, &s), calls[10], arguments[REPEATS];
  for (int i = 0; i < VIEWS; i++) view = tolk_shrink(w.g, view, 1, s.count - 1 - i);
  for (int i = 0; i < REPEATS; i++) arguments[i] = view;
  for (size_t i = 0; i < COUNT(calls); i++) calls[i] = tolk_call(w.g, w.k, arguments, REPEATS);
  char *text = (char *)9;
  size_t length = 77;
  FAILS(TOLK_ERR_LIMIT, "longer than 268435456 bytes",
        tolk_schedule_write(w.g, tolk_linear(w.g, calls, COUNT(calls)), NULL, NULL, 0, &text, &length));
  CHECK(text == (char *)9 && length == 77);
  OK(tolk_schedule_write(w.g, tolk_linear(w.g, calls, 1), NULL, NULL, 0, &text, &length));
  EQUAL(length / REPEATS, 40 * VIEWS + 2); /* a view has 40 characters, the buffer and a comma 2 */
  tolk_string_free(text);
  OK(tolk_graph_destroy(w.g));
}
