/*
 * What an out parameter holds before a call does not count, even where it looks like an address of Go's: a stack is full of those, and
 * Go's collector ends the process for one that is stale, if it is let to see it.
 */
#define _GNU_SOURCE
#include <pthread.h>

#include "world.h"

#define GO_ARENA ((uintptr_t)64 << 20) /* bytes that Go takes from the system at once */

static uintptr_t go_memory;

static void look(void *user, const tolk_progress *progress) {
  (void)user;
  go_memory = (uintptr_t)progress;
}

/* Finds where Go's memory is: a report of progress lies there. */
static void find_go_memory(struct world *w) {
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.placer = TOLK_PLACER_BEST;
  options.progress = look;
  OK(tolk_memory_plan_rewrite(w->g, w->l, NULL, 0, &options, NULL, NULL));
  REQUIRE(go_memory != 0);
}

/* An address in Go's memory, mostly of a part that is not in use. */
static void *stale(unsigned i) { return (void *)((go_memory & ~(GO_ARENA - 1)) + (uintptr_t)(i % 8192) * 8192); }

static atomic_int over;

/* Keeps the collector at work. */
static void *litter(void *user) {
  struct world *w = user;
  while (!over) OK(tolk_memory_plan_rewrite(w->g, w->l, NULL, 0, NULL, NULL, NULL));
  return NULL;
}

#define READ(type, call)        \
  do {                          \
    type *out = stale(i);       \
    size_t count;               \
    OK(call);                   \
    CHECK((void *)out != stale(i)); \
  } while (0)

static void read_all(struct world *w, const tolk_plan *plan, unsigned i) {
  char *text = stale(i);
  size_t length;
  const char *name = stale(i);
  OK(tolk_op_print(w->g, w->x, &text, &length));
  tolk_string_free(text);
  OK(tolk_op_device(w->g, w->x, 0, &name));
  OK(tolk_op_name(w->g, w->k, &name));
  READ(const tolk_arena, tolk_plan_arenas(plan, &out, &count));
  READ(const tolk_placed, tolk_plan_places(plan, &out, &count));
  READ(const tolk_bind, tolk_plan_binds(plan, &out, &count));
  READ(const uint64_t, tolk_plan_entries(plan, &out, &count));
}

TEST(what_out_parameters_held_does_not_count) {
  struct world w = new_world();
  tolk_plan *plan;
  pthread_t thread;
  find_go_memory(&w);
  OK(tolk_memory_plan_rewrite(w.g, w.l, NULL, 0, NULL, NULL, &plan));
  REQUIRE(pthread_create(&thread, NULL, litter, &w) == 0);
  for (unsigned i = 0; i < 20000; i++) read_all(&w, plan, i);
  over = 1;
  pthread_join(thread, NULL);
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}
