/*
 * What large schedules cost. A program of TESTs, of which each is run in a process of its own, since it looks at the memory of the
 * process: scale NAME.
 */
#include <malloc.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

/* Seconds of processor that this process has had, on all threads. */
static double spent(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double peak_gib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / (1 << 20);
}

/* Mebibytes of the process in memory now. */
static double resident(void) {
  long size = 0, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  REQUIRE(file != NULL && fscanf(file, "%ld %ld", &size, &pages) == 2);
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Sizes repeat, as layers do. */
static int64_t count_of(size_t i) { return 64 + (int64_t)(i * 37 % 24) * 1024; }

/* How many arguments the calls of `schedule_of` take together. */
static size_t arguments_of(size_t calls) { return 3 * calls - 1 - (calls + 1) / 2; }

/*
 * The schedule of a training step of 2 * calls ops: call i writes buffer i and reads buffer i-1. Those of the second half read,
 * in reverse order, what the first half wrote too.
 */
static tolk_op schedule_of(tolk_graph *g, size_t calls) {
  size_t count = 2 * calls + 2, half = (calls + 1) / 2;
  tolk_op_desc *descs = calloc(count, sizeof *descs);
  tolk_storage *storages = calloc(calls, sizeof *storages);
  tolk_op *sources = malloc(4 * calls * sizeof *sources), *entries = malloc(calls * sizeof *entries), *ops = malloc(count * sizeof *ops);
  REQUIRE(descs && storages && sources && entries && ops);
  descs[0] = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_PROGRAM, .name = "kernel"};
  for (size_t i = 0; i < calls; i++) {
    tolk_op *call = &sources[4 * i];
    size_t n = 0;
    call[n++] = TOLK_REF(0);
    call[n++] = TOLK_REF(1 + 2 * i);
    if (i > 0) call[n++] = TOLK_REF(1 + 2 * (i - 1));
    if (i >= half) call[n++] = TOLK_REF(1 + 2 * (calls - 1 - i));
    storages[i] = storage(TOLK_FLOAT32, count_of(i), "GPU");
    descs[1 + 2 * i] = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_BUFFER, .storage = &storages[i]};
    descs[2 + 2 * i] = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_CALL, .sources = call, .source_count = n};
    entries[i] = TOLK_REF(2 + 2 * i);
  }
  descs[count - 1] = (tolk_op_desc){.struct_size = sizeof *descs, .kind = TOLK_KIND_LINEAR, .sources = entries, .source_count = calls};
  OK(tolk_build(g, descs, count, ops));
  tolk_op schedule = ops[count - 1];
  free(descs), free(storages), free(sources), free(entries), free(ops);
  return schedule;
}

/* Reads every bind, and every entry of the rewritten schedule. */
static void walk(tolk_graph *g, tolk_plan *plan, tolk_op planned, size_t calls) {
  const tolk_arena *arenas;
  const tolk_bind *binds;
  size_t count, sources = 0;
  OK(tolk_plan_arenas(plan, &arenas, &count));
  REQUIRE(count == 1);
  CHECK(arenas[0].lower_bound > 0 && arenas[0].size >= arenas[0].lower_bound);
  OK(tolk_plan_binds(plan, &binds, &count));
  EQUAL(count, arguments_of(calls));
  for (size_t i = 0; i < count; i++)
    if (binds[i].storage != arenas[0].op || binds[i].offset < 0 || binds[i].offset + binds[i].bytes > arenas[0].size) REQUIRE(!"a bind leaves the arena");
  tolk_op *entries = malloc(calls * sizeof *entries);
  OK(tolk_op_sources(g, planned, entries, calls, &count));
  EQUAL(count, calls);
  for (size_t i = 0; i < count; i++) sources += read_op(g, entries[i]).source_count - 1;
  EQUAL(sources, arguments_of(calls));
  free(entries);
}

/* The seconds that an op costs when `ops` ops are built, planned and walked. */
static double seconds_an_op(size_t ops) {
  size_t calls = ops / 2;
  tolk_graph *g;
  tolk_plan *plan;
  tolk_op planned;
  double start = spent();
  OK(tolk_graph_create(&g));
  tolk_op schedule = schedule_of(g, calls);
  double built = spent();
  REQUIRE(tolk_memory_plan_rewrite(g, schedule, NULL, 0, NULL, &planned, &plan) == TOLK_OK);
  double made = spent();
  walk(g, plan, planned, calls);
  double end = spent();
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(g));
  printf("%8zu ops: build %4.0f, plan %4.0f, walk %4.0f, together %4.0f ns an op; peak %.2f GiB\n", ops,
         (built - start) / (double)ops * 1e9, (made - built) / (double)ops * 1e9, (end - made) / (double)ops * 1e9,
         (end - start) / (double)ops * 1e9, peak_gib());
  return (end - start) / (double)ops;
}

TEST(a_million_ops) {
  seconds_an_op(1000000);
  CHECK(peak_gib() < 0.8);
}

/* Linear: an op of ten times as many costs less than three times as much. Caches that no longer hold the graph are most of that. */
TEST(ten_million_ops) {
  double of_a_million = seconds_an_op(1000000), of_ten = seconds_an_op(10000000);
  printf("an op of ten million costs %.2f times one of a million\n", of_ten / of_a_million);
  CHECK(of_ten < 3 * of_a_million);
  CHECK(peak_gib() < 8);
}

TEST(six_hundred_gigabytes) {
  enum { N = 600 };
  const int64_t bytes = 1000000000; /* a multiple of 256 */
  struct world w = new_world();
  tolk_storage s = storage(TOLK_UINT8, bytes, "GPU");
  tolk_op buffers[N];
  tolk_plan *plan;
  const tolk_arena *arenas;
  const tolk_bind *binds;
  size_t count;
  for (int i = 0; i < N; i++) buffers[i] = tolk_buffer(w.g, &s);
  tolk_op all = tolk_call(w.g, w.k, buffers, N), last = tolk_buffer(w.g, &s);
  REQUIRE(tolk_memory_plan_rewrite(w.g, LINEAR(w.g, all, CALL(w.g, w.k, last)), NULL, 0, NULL, NULL, &plan) == TOLK_OK);
  OK(tolk_plan_arenas(plan, &arenas, &count));
  EQUAL(arenas[0].size, N * bytes);
  OK(tolk_plan_binds(plan, &binds, &count));
  for (int i = 0; i < N; i++) EQUAL(binds[i].offset, i * bytes);
  CHECK(binds[N].offset < N * bytes);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

static void build_plan_destroy(void) {
  enum { CALLS = 10000 };
  tolk_graph *g;
  tolk_plan *plan;
  OK(tolk_graph_create(&g));
  REQUIRE(tolk_memory_plan_rewrite(g, schedule_of(g, CALLS), NULL, 0, NULL, NULL, &plan) == TOLK_OK);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(g));
}

/* Bytes that the C heap has given out. */
static size_t c_heap(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static int thread_count(void) {
  char line[200];
  int count = 0;
  FILE *file = fopen("/proc/self/status", "r");
  REQUIRE(file != NULL);
  while (count == 0 && fgets(line, sizeof line, file) != NULL) sscanf(line, "Threads: %d", &count);
  fclose(file);
  return count;
}

/*
 * What is destroyed is given back: to the last byte where it was C memory, but for what libc has of a thread that Go's runtime
 * starts now and then; to where the collector is at rest where it was Go's.
 */
TEST(memory_comes_back) {
  double before = resident();
  for (int i = 0; i < 10; i++) build_plan_destroy();
  double after_ten = resident();
  int threads = thread_count();
  size_t allocated = c_heap();
  for (int i = 10; i < 100; i++) {
    build_plan_destroy();
    if (thread_count() == threads) {
      EQUAL(c_heap(), allocated);
      continue;
    }
    threads = thread_count();
    allocated = c_heap();
  }
  double after_all = resident();
  printf("resident: %.0f MiB before, %.0f after 10 schedules of 20,000 ops, %.0f after 100\n", before, after_ten, after_all);
  CHECK(after_all < 1.25 * after_ten + 16);
}
