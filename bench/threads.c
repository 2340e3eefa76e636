/*
 * How planning grows with threads: plans a second on 1 thread and on 2 and more, each thread on graphs of its own. The processor's time
 * a plan tells on a shared machine too what threads cost each other, but not whether they waited for each other.
 *
 *     threads [THREADS [SECONDS]]       default 2 threads, 1 second each
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tolk_memory.h"

enum { CALLS = 1000 };

static atomic_int stop;

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(tolk_status status) {
  if (status >= 0) return;
  fprintf(stderr, "threads: %s\n", tolk_last_error());
  exit(1);
}

/* A chain: kernel i writes buffer i and reads buffer i-1, and each tenth buffer lives on for a hundred kernels. */
static tolk_op build(tolk_graph *graph) {
  tolk_storage storage = TOLK_STORAGE_INIT;
  storage.dtype = TOLK_FLOAT32;
  storage.device = "CUDA:0";
  tolk_op body = tolk_program(graph, "kernel", 0, NULL, 0), buffers[CALLS], calls[CALLS];
  for (int i = 0; i < CALLS; i++) {
    storage.count = 64 + i * 37 % 24 * 1024;
    buffers[i] = tolk_buffer(graph, &storage);
    tolk_op arguments[] = {buffers[i], buffers[i > 0 ? i - 1 : 0], buffers[i >= 100 ? (i - 100) / 10 * 10 : 0]};
    calls[i] = tolk_call(graph, body, arguments, 3);
  }
  return tolk_linear(graph, calls, CALLS);
}

/* Builds and plans until told to stop; *plans is how many times. */
static void *work(void *plans) {
  while (!stop) {
    tolk_graph *graph;
    tolk_plan *plan;
    check(tolk_graph_create(&graph));
    check(tolk_memory_plan_rewrite(graph, build(graph), NULL, 0, NULL, NULL, &plan));
    check(tolk_plan_destroy(plan));
    check(tolk_graph_destroy(graph));
    ++*(long *)plans;
  }
  return NULL;
}

typedef struct speed {
  double plans_a_second, microseconds_a_plan; /* the latter the processor's */
} speed;

static speed measure(int count, double seconds) {
  pthread_t *threads = malloc((size_t)count * sizeof *threads);
  long *plans = calloc((size_t)count, sizeof *plans), sum = 0;
  stop = 0;
  double start = seconds_of(CLOCK_MONOTONIC), spent = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, work, &plans[i]) != 0) abort();
  struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&pause, NULL);
  stop = 1;
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  double took = seconds_of(CLOCK_MONOTONIC) - start;
  spent = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - spent;
  for (int i = 0; i < count; i++) sum += plans[i];
  free(threads), free(plans);
  return (speed){(double)sum / took, spent * 1e6 / (double)sum};
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 2;
  double seconds = argc > 2 ? atof(argv[2]) : 1;
  speed one = {0, 0};
  printf("schedules of %d calls, built, planned and destroyed, each thread in graphs of its own\n", CALLS);
  for (int count = 1; count <= most; count++) {
    speed many = measure(count, seconds);
    if (count == 1) one = many;
    printf("%2d thread%s %7.0f plans/s, %.2f times one; %5.0f us of the processor a plan\n", count, count == 1 ? " " : "s",
           many.plans_a_second, many.plans_a_second / one.plans_a_second, many.microseconds_a_plan);
  }
  return 0;
}
