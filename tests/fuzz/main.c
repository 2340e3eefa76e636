/*
 * Calls the library at random.
 *
 *     api_fuzz SEED CALLS THREADS TRACE TEXTS
 *
 * The same numbers draw the same calls; with one thread they also have the same results, of which the last line of the output is a
 * digest. The lines before say how often each step succeeded and failed. A fault ends the program with the step and the line that has
 * it fail again. TRACE is a file where each thread's step stands, also after a crash. TEXTS is a file of schedules and requests.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_THREADS 16
#define MOST_STEPS 100
#define HANG_SECONDS 120

int alone;

static uint64_t seed, quota; /* of each thread */
static int thread_count;
static struct worker {
  pthread_t thread;
  fuzz fuzz;
  uint64_t passed[MOST_STEPS], failed[MOST_STEPS];
} workers[MOST_THREADS];
static atomic_int running;

static struct step steps[MOST_STEPS];
static size_t step_count;
static unsigned weights;

_Noreturn void fault(const fuzz *f, const char *what) {
  fprintf(stderr, "FAULT: %s\n  in %s  last error: %s (%s)\n  again: api_fuzz %" PRIu64 " %" PRIu64 " %d TRACE TEXTS\n", what, f->trace,
          tolk_last_error(), tolk_status_string(tolk_last_status()), seed, quota * (uint64_t)thread_count, thread_count);
  _Exit(1);
}

static void add_steps(const struct steps *s) {
  for (size_t i = 0; i < s->count; i++) {
    steps[step_count++] = s->list[i];
    weights += s->list[i].weight;
  }
}

static size_t any_step(fuzz *f) {
  uint64_t at = below(f, weights);
  size_t i = 0;
  for (; at >= steps[i].weight; i++) at -= steps[i].weight;
  return i;
}

static void note_step(fuzz *f, const char *name) {
  snprintf(f->trace, TRACE_BYTES, "thread %d, step %" PRIu64 ", call %" PRIu64 ": %s\n", f->number, f->steps, (uint64_t)f->calls, name);
}

static void step(struct worker *w) {
  fuzz *f = &w->fuzz;
  size_t i = any_step(f);
  f->steps++;
  f->trust = SURE;
  f->odd = f->outcome = 0;
  note_step(f, steps[i].name);
  steps[i].run(f);
  w->passed[i] += f->outcome > 0;
  w->failed[i] += f->outcome < 0;
}

static void *work(void *argument) {
  struct worker *w = argument;
  fuzz *f = &w->fuzz;
  note_step(f, "the beginning");
  new_edges(f);
  create_all(f, f->own);
  while (f->calls < quota) step(w);
  note_step(f, "the end");
  destroy_all(f, f->own);
  for (size_t i = 0; i < COUNT(f->texts); i++) tolk_string_free(f->texts[i]);
  drop_edges(f);
  running--;
  return NULL;
}

/* Waits for the threads, each of which must call again before long. */
static void watch(void) {
  uint64_t before[MOST_THREADS] = {0};
  int still[MOST_THREADS] = {0};
  while (running > 0) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    for (int i = 0; i < thread_count; i++) {
      uint64_t now = workers[i].fuzz.calls;
      still[i] = now == before[i] ? still[i] + 1 : 0;
      before[i] = now;
      if (still[i] > HANG_SECONDS * 100 && now < quota) fault(&workers[i].fuzz, "a call does not return");
    }
  }
}

static void start(char *trace) {
  running = thread_count;
  for (int i = 0; i < thread_count; i++) {
    fuzz *f = &workers[i].fuzz;
    f->number = i;
    f->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i * UINT64_C(0xd1342543de82ef95) + 1;
    f->unique = -1;
    f->trace = trace + i * TRACE_BYTES;
  }
  create_all(&workers[0].fuzz, shared);
  for (int i = 0; i < thread_count; i++)
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) fault(&workers[i].fuzz, "no thread");
}

static void report(FILE *to) {
  uint64_t calls = 0, all = 0;
  for (size_t i = 0; i < step_count; i++) {
    uint64_t passed = 0, failed = 0;
    for (int t = 0; t < thread_count; t++) passed += workers[t].passed[i], failed += workers[t].failed[i];
    fprintf(to, "%s %" PRIu64 " %" PRIu64 "\n", steps[i].name, passed, failed);
  }
  for (int t = 0; t < thread_count; t++) calls += workers[t].fuzz.calls, all ^= workers[t].fuzz.digest;
  fprintf(to, "calls %" PRIu64 ", digest %016" PRIx64 "\n", calls, all);
}

/* A file's memory, which outlives a crash. */
static char *open_trace(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, MOST_THREADS * TRACE_BYTES) != 0) return NULL;
  char *p = mmap(NULL, MOST_THREADS * TRACE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return p == MAP_FAILED ? NULL : p;
}

static void add_all_steps(void) {
  const struct steps *const all[] = {&build_steps, &describe_steps, &read_steps, &plan_steps, &place_steps, &text_steps, &tlsf_steps, &process_steps};
  for (size_t i = 0; i < COUNT(all); i++) add_steps(all[i]);
}

int main(int argc, char **argv) {
  char *trace;
  if (argc != 6 || (thread_count = atoi(argv[3])) < 1 || thread_count > MOST_THREADS || (trace = open_trace(argv[4])) == NULL) {
    fprintf(stderr, "usage: api_fuzz SEED CALLS THREADS TRACE TEXTS\n");
    return 2;
  }
  seed = strtoull(argv[1], NULL, 10);
  quota = strtoull(argv[2], NULL, 10) / (uint64_t)thread_count;
  alone = thread_count == 1;
  load_texts(argv[5]);
  add_all_steps();
  FILE *out = fdopen(dup(1), "w");
  if (out == NULL || freopen("/dev/null", "w", stdout) == NULL) return 2; /* the library prints what it saves */
  start(trace);
  watch();
  for (int i = 0; i < thread_count; i++) pthread_join(workers[i].thread, NULL);
  destroy_all(&workers[0].fuzz, shared);
  report(out);
  fclose(out);
  free_texts();
  return 0;
}
