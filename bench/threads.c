/*
 * How planning grows with threads: plans a second on 1 thread and on 2 and more, each thread on graphs of its own.
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

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
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

static double plans_a_second(int count, double seconds) {
  pthread_t *threads = malloc((size_t)count * sizeof *threads);
  long *plans = calloc((size_t)count, sizeof *plans), sum = 0;
  stop = 0;
  double start = now();
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, work, &plans[i]) != 0) abort();
  struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&pause, NULL);
  stop = 1;
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  double took = now() - start;
  for (int i = 0; i < count; i++) sum += plans[i];
  free(threads), free(plans);
  return (double)sum / took;
}

int main(int argc, char **argv) {
  int most = argc > 1 ? atoi(argv[1]) : 2;
  double seconds = argc > 2 ? atof(argv[2]) : 1, one = plans_a_second(1, seconds);
  printf("schedules of %d calls, built, planned and destroyed, each thread in graphs of its own\n", CALLS);
  printf("%2d thread  %7.0f plans/s\n", 1, one);
  for (int count = 2; count <= most; count++) {
    double many = plans_a_second(count, seconds);
    printf("%2d threads %7.0f plans/s, %.2f times one\n", count, many, many / one);
  }
  return 0;
}
