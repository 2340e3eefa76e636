/*
 * How often the Go side allocates memory, by what C does: a line "allocations NUMBER WHAT" each. For a library built with
 * -tags tolk_mallocs.
 */
#include "world.h"

uint64_t tolk_mallocs(void);

enum { MANY = 10000, RUNS = 3 };

static tolk_op buffers[MANY], calls[MANY + 1];

static void build_singly(tolk_graph *g) {
  for (int i = 0; i < MANY; i++) {
    tolk_storage s = storage(TOLK_FLOAT32, 64 + i, "GPU");
    s.has_slot = 1;
    s.slot = i;
    buffers[i] = tolk_buffer(g, &s);
  }
}

static void build_in_bulk(tolk_graph *g) {
  static tolk_op_desc descs[MANY];
  static tolk_storage storages[MANY];
  for (int i = 0; i < MANY; i++) {
    storages[i] = storage(TOLK_FLOAT32, 64 + i, "GPU");
    descs[i] = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_BUFFER, .storage = &storages[i]};
  }
  REQUIRE(tolk_build(g, descs, MANY, buffers) == TOLK_OK);
}

static void build_schedule(tolk_graph *g) {
  build_singly(g);
  tolk_op body = tolk_program(g, "k", 0, NULL, 0);
  for (int i = 0; i < MANY; i++) calls[i] = CALL(g, body, buffers[i], buffers[i > 0 ? i - 1 : 0]);
  calls[MANY] = tolk_linear(g, calls, MANY);
}

static void plan_and_walk(tolk_graph *g) {
  tolk_plan *plan;
  const tolk_bind *binds;
  size_t count;
  REQUIRE(tolk_memory_plan_rewrite(g, calls[MANY], NULL, 0, NULL, NULL, &plan) == TOLK_OK);
  REQUIRE(tolk_plan_binds(plan, &binds, &count) == TOLK_OK && count == 2 * MANY);
  REQUIRE(tolk_plan_destroy(plan) == TOLK_OK);
}

static void read_ops(tolk_graph *g) {
  tolk_op_info info = TOLK_OP_INFO_INIT;
  tolk_op sources[3];
  size_t count;
  for (int i = 0; i < MANY; i++)
    REQUIRE(tolk_op_read(g, calls[i], &info) == TOLK_OK && tolk_op_sources(g, calls[i], sources, 3, &count) == TOLK_OK);
}

static void alloc_and_free(tolk_graph *g) {
  (void)g;
  tolk_tlsf *tlsf;
  int64_t address;
  REQUIRE(tolk_tlsf_create(1 << 20, 0, 256, 32, &tlsf) == TOLK_OK);
  for (int i = 0; i < MANY; i++) REQUIRE(tolk_tlsf_alloc(tlsf, 512, 256, &address) == TOLK_OK && tolk_tlsf_free(tlsf, address) == TOLK_OK);
  REQUIRE(tolk_tlsf_destroy(tlsf) == TOLK_OK);
}

/* What run allocates in a graph that before has filled: the least of some runs, since the runtime allocates now and then. */
static void count(const char *what, void (*before)(tolk_graph *), void (*run)(tolk_graph *)) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < RUNS; i++) {
    tolk_graph *g;
    REQUIRE(tolk_graph_create(&g) == TOLK_OK);
    if (before != NULL) before(g);
    uint64_t start = tolk_mallocs();
    run(g);
    uint64_t made = tolk_mallocs() - start;
    if (made < least) least = made;
    REQUIRE(tolk_graph_destroy(g) == TOLK_OK);
  }
  printf("allocations %llu %s\n", (unsigned long long)least, what);
}

TEST(allocations) {
  count("from C: build 10000 new buffers, each a call", NULL, build_singly);
  count("from C: build 10000 buffers that are there, each a call", build_singly, build_singly);
  count("from C: build 10000 new buffers in bulk", NULL, build_in_bulk);
  count("from C: plan a schedule of 10000 buffers, with its binds", build_schedule, plan_and_walk);
  count("from C: read 10000 ops and their sources", build_schedule, read_ops);
  count("from C: 10000 allocs and frees of tlsf", NULL, alloc_and_free);
}
