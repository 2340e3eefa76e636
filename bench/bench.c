/*
 * What the C boundary costs: building, planning and reading a chain of kernels, from C.
 *
 *     bench [BUFFERS]       default 1000000
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tolk_memory.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
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

static void report(const char *what, double ns, size_t items, const char *item) {
  printf("%-34s %9.1f ms %8.0f ns a %s\n", what, ns / 1e6, ns / (double)items, item);
}

/* A chain: kernel i writes buffer i and reads buffer i-1. Sizes repeat, as layers do. */
static int64_t count_of(size_t i) { return 64 + (int64_t)(i * 37 % 24) * 1024; }

static tolk_op build_single(tolk_graph *graph, size_t n) {
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
  tolk_op schedule = tolk_linear(graph, calls, n);
  report("build, one call an op", now() - start, 2 * n, "op");
  free(calls);
  check(tolk_graph_error(graph));
  return schedule;
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
  report("describe, for building in bulk", now() - start, count, "op");
  start = now();
  check(tolk_build(graph, descs, count, ops));
  report("build, in bulk", now() - start, count, "op");
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
  report("plan (tlsf), with all binds", now() - start, n, "buffer");
  start = now();
  check(tolk_plan_binds(plan, &binds, &count));
  for (size_t i = 0; i < count; i++) sum += binds[i].offset + binds[i].arena;
  report("walk the binds", now() - start, count, "bind");
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
  report("tolk_op_read", now() - start, count, "op");
  free(entries);
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  tolk_graph *graph;
  check(tolk_graph_create(&graph));
  double start = now();
  for (int i = 0; i < 1000000; i++) tolk_unique_num();
  report("a call into the library", now() - start, 1000000, "call");
  build_single(graph, n);
  check(tolk_graph_destroy(graph));
  check(tolk_graph_create(&graph));
  tolk_op schedule = build_bulk(graph, n);
  plan_and_walk(graph, schedule, n);
  read_ops(graph, schedule, n);
  check(tolk_graph_destroy(graph));
  printf("peak memory of the process: %.0f MB\n", peak_megabytes());
  return 0;
}
