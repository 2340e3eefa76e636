/*
 * What the C boundary costs: building, planning and reading a chain of kernels, from C. The medians of some runs, and the least.
 *
 *     bench [BUFFERS [RUNS]]       default 1000000 buffers, 3 runs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tolk_memory.h"

/* Nanoseconds of the processor that this process has had: on a shared machine they tell more than the clock on the wall. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(tolk_status status) {
  if (status >= 0) return;
  fprintf(stderr, "bench: %s\n", tolk_last_error());
  exit(1);
}

static double peak_megabytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1e3;
}

enum { CALL, SINGLY, DESCRIBE, BULK, PLAN, WALK, READ, TLSF, ROWS };

static const struct {
  const char *what, *item;
} rows[ROWS] = {
    [CALL] = {"a call into the library", "a call"},
    [SINGLY] = {"build, one call an op", "an op"},
    [DESCRIBE] = {"describe, for building in bulk", "an op"},
    [BULK] = {"build, in bulk", "an op"},
    [PLAN] = {"plan (tlsf), with all binds", "a buffer"},
    [WALK] = {"walk the binds", "a bind"},
    [READ] = {"tolk_op_read", "an op"},
    [TLSF] = {"tolk_tlsf_alloc and _free", "a pair"},
};

enum { MOST_RUNS = 100 };
static double samples[ROWS][MOST_RUNS]; /* nanoseconds an item */
static int run;

static void note(int row, double start, size_t items) { samples[row][run] = (now() - start) / (double)items; }

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(int runs) {
  printf("%-32s %9s %9s  ns, of %d runs\n", "", "median", "least", runs);
  for (int row = 0; row < ROWS; row++) {
    qsort(samples[row], (size_t)runs, sizeof(double), compare);
    printf("%-32s %9.1f %9.1f  %s\n", rows[row].what, samples[row][runs / 2], samples[row][0], rows[row].item);
  }
}

/* A chain: kernel i writes buffer i and reads buffer i-1. Sizes repeat, as layers do. */
static int64_t count_of(size_t i) { return 64 + (int64_t)(i * 37 % 24) * 1024; }

static void build_singly(tolk_graph *graph, size_t n) {
  tolk_storage storage = TOLK_STORAGE_INIT;
  storage.dtype = TOLK_FLOAT32;
  storage.device = "CUDA:0";
  tolk_op body = tolk_program(graph, "kernel", 0, NULL, 0), arguments[2] = {0, 0};
  tolk_op *calls = malloc(n * sizeof *calls);
  double start = now();
  for (size_t i = 0; i < n; i++) {
    storage.count = count_of(i);
    arguments[1] = arguments[0];
    arguments[0] = tolk_buffer(graph, &storage);
    calls[i] = tolk_call(graph, body, arguments, i == 0 ? 1 : 2);
  }
  tolk_linear(graph, calls, n);
  note(SINGLY, start, 2 * n);
  free(calls);
  check(tolk_graph_error(graph));
}

static tolk_op build_bulk(tolk_graph *graph, size_t n) {
  size_t count = 2 * n + 2;
  tolk_op_desc *descs = calloc(count, sizeof *descs);
  tolk_storage *storages = calloc(n, sizeof *storages);
  tolk_op *sources = malloc(3 * n * sizeof *sources), *calls = malloc(n * sizeof *calls), *ops = malloc(count * sizeof *ops);
  double start = now();
  tolk_op_desc *next = descs;
  *next++ = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_PROGRAM, .name = "kernel"};
  for (size_t i = 0; i < n; i++) {
    storages[i] = (tolk_storage){.struct_size = sizeof *storages, .dtype = TOLK_FLOAT32, .count = count_of(i), .device = "CUDA:0"};
    *next++ = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_BUFFER, .storage = &storages[i]};
    tolk_op *call = &sources[3 * i];
    call[0] = TOLK_REF(0);
    call[1] = TOLK_REF(1 + 2 * i);
    call[2] = TOLK_REF(1 + 2 * (i - 1));
    calls[i] = TOLK_REF(2 + 2 * i);
    *next++ = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_CALL, .sources = call, .source_count = i == 0 ? 2 : 3};
  }
  *next++ = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_LINEAR, .sources = calls, .source_count = n};
  note(DESCRIBE, start, count);
  start = now();
  check(tolk_build(graph, descs, count, ops));
  note(BULK, start, count);
  tolk_op schedule = ops[count - 1];
  free(descs), free(storages), free(sources), free(calls), free(ops);
  return schedule;
}

static void plan_and_walk(tolk_graph *graph, tolk_op schedule, size_t n) {
  tolk_plan *plan;
  const tolk_bind *binds;
  size_t count;
  int64_t sum = 0;
  double start = now();
  check(tolk_memory_plan_rewrite(graph, schedule, NULL, 0, NULL, NULL, &plan));
  note(PLAN, start, n);
  start = now();
  check(tolk_plan_binds(plan, &binds, &count));
  for (size_t i = 0; i < count; i++) sum += binds[i].offset + binds[i].arena;
  note(WALK, start, count);
  if (sum == 42) puts("");
  check(tolk_plan_destroy(plan));
}

static void read_ops(tolk_graph *graph, tolk_op schedule, size_t n) {
  size_t count;
  tolk_op *entries = malloc(n * sizeof *entries);
  check(tolk_op_sources(graph, schedule, entries, n, &count));
  tolk_op_info info = TOLK_OP_INFO_INIT;
  double start = now();
  for (size_t i = 0; i < count; i++) check(tolk_op_read(graph, entries[i], &info));
  note(READ, start, count);
  free(entries);
}

static void call(void) {
  enum { CALLS = 1000000 };
  double start = now();
  for (int i = 0; i < CALLS; i++) tolk_unique_num();
  note(CALL, start, CALLS);
}

/* A thousand blocks of mixed sizes, replaced one after the other. */
static void alloc_and_free(void) {
  enum { BLOCKS = 1000, PAIRS = 1000000 };
  int64_t addresses[BLOCKS];
  tolk_tlsf *tlsf;
  check(tolk_tlsf_create(INT64_C(1) << 40, 0, 256, 32, &tlsf));
  for (int i = 0; i < BLOCKS; i++) check(tolk_tlsf_alloc(tlsf, 256 * (1 + i * 37 % 1009), 256, &addresses[i]));
  double start = now();
  for (int i = 0; i < PAIRS; i++) {
    check(tolk_tlsf_free(tlsf, addresses[i % BLOCKS]));
    check(tolk_tlsf_alloc(tlsf, 256 * (1 + i % 1009 * 37 % 1009), 256, &addresses[i % BLOCKS]));
  }
  note(TLSF, start, PAIRS);
  check(tolk_tlsf_destroy(tlsf));
}

static void measure(size_t n) {
  tolk_graph *graph;
  call();
  alloc_and_free();
  check(tolk_graph_create(&graph));
  build_singly(graph, n);
  check(tolk_graph_destroy(graph));
  check(tolk_graph_create(&graph));
  tolk_op schedule = build_bulk(graph, n);
  plan_and_walk(graph, schedule, n);
  read_ops(graph, schedule, n);
  check(tolk_graph_destroy(graph));
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  int runs = argc > 2 ? atoi(argv[2]) : 3;
  if (n < 1 || runs < 1 || runs > MOST_RUNS) return fprintf(stderr, "usage: bench [BUFFERS [RUNS]], at most %d runs\n", MOST_RUNS), 1;
  for (run = 0; run < runs; run++) measure(n);
  report(runs);
  printf("peak memory of the process: %.0f MB\n", peak_megabytes());
  return 0;
}
