/*
 * Plans schedules of real models and shows where their memory goes.
 *
 *     demo MODEL.json...
 *
 * The files are in the text form of docs/formats.md. The program uses the public header alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) return NULL;
  long size = ftell(file);
  rewind(file);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  *length = text == NULL ? 0 : fread(text, 1, (size_t)size, file);
  fclose(file);
  return text;
}

static void fail(const char *what) {
  fprintf(stderr, "demo: %s: %s\n", what, tolk_last_error());
  exit(1);
}

static double megabytes(int64_t bytes) { return (double)bytes / 1e6; }

/* How far a size is above what is needed at least, in percent. */
static double above(int64_t size, int64_t bound) { return bound == 0 ? 0 : 100.0 * (double)(size - bound) / (double)bound; }

static tolk_plan *plan_with(tolk_graph *graph, const tolk_schedule *schedule, uint32_t placer) {
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.placer = placer;
  tolk_plan *plan;
  if (tolk_memory_plan_rewrite(graph, schedule->schedule, schedule->held, schedule->held_count, &options, NULL, &plan) < 0)
    fail(schedule->name);
  return plan;
}

static void print_row(const char *name, const tolk_plan *rule, const tolk_plan *best) {
  tolk_totals by_rule = TOLK_TOTALS_INIT, by_best = TOLK_TOTALS_INIT;
  const tolk_placed *places;
  const tolk_arena *arenas;
  size_t buffers, arena_count;
  if (tolk_plan_totals(rule, &by_rule) < 0 || tolk_plan_totals(best, &by_best) < 0 ||
      tolk_plan_places(rule, &places, &buffers) < 0 || tolk_plan_arenas(rule, &arenas, &arena_count) < 0)
    fail(name);
  printf("%-36s %7zu %6zu %11.2f %10.2f %10.2f %7.1f%% %10.2f %7.1f%%%s\n", name, buffers, arena_count, megabytes(by_rule.before),
         megabytes(by_rule.lower_bound), megabytes(by_rule.after), above(by_rule.after, by_rule.lower_bound), megabytes(by_best.after),
         above(by_best.after, by_best.lower_bound), by_best.optimal ? " proven" : "");
}

static void print_arenas(const tolk_plan *plan) {
  const tolk_arena *arenas;
  size_t count;
  if (tolk_plan_arenas(plan, &arenas, &count) < 0) fail("arenas");
  for (size_t i = 0; i < count; i++) {
    printf("  arena %zu on", i);
    for (uint64_t d = 0; d < arenas[i].device_count; d++) printf("%s device \"%s\"", d > 0 ? " and" : "", arenas[i].devices[d]);
    printf(": %" PRId64 " bytes, fullest at entry %" PRIu64 ", %" PRIu64 " buffers live there\n", arenas[i].size, arenas[i].peak_entry,
           arenas[i].live_count);
  }
}

static void print_bind(const tolk_bind *bind) {
  if (bind->argument == TOLK_FLAG)
    printf("    flag");
  else
    printf("    %u", bind->argument);
  if (bind->arena == TOLK_NO_ARENA)
    printf(": its own storage, %" PRId64 " bytes from byte %" PRId64 "\n", bind->bytes, bind->offset);
  else
    printf(": arena %u, %" PRId64 " bytes from byte %" PRId64 "%s\n", bind->arena, bind->bytes, bind->offset,
           bind->symbolic ? " and a start known when it runs" : "");
}

static void print_calls(const tolk_plan *plan, size_t most) {
  const tolk_bind *binds;
  const uint64_t *begins;
  size_t bind_count, begin_count;
  if (tolk_plan_binds(plan, &binds, &bind_count) < 0 || tolk_plan_entries(plan, &begins, &begin_count) < 0) fail("binds");
  for (size_t entry = 0; entry < most && entry + 1 < begin_count; entry++) {
    printf("  entry %zu binds its arguments to\n", entry);
    for (uint64_t i = begins[entry]; i < begins[entry + 1]; i++) print_bind(&binds[i]);
  }
}

static void show(const char *path, int details) {
  size_t length;
  char *text = read_file(path, &length);
  tolk_graph *graph;
  tolk_schedule schedule = TOLK_SCHEDULE_INIT;
  if (text == NULL) {
    fprintf(stderr, "demo: cannot read %s\n", path);
    exit(1);
  }
  if (tolk_graph_create(&graph) < 0 || tolk_schedule_read(graph, text, length, &schedule) < 0) fail(path);
  tolk_plan *rule = plan_with(graph, &schedule, TOLK_PLACER_TLSF);
  if (details) {
    printf("\n%s, by the rule (TLSF):\n", schedule.name);
    print_arenas(rule);
    print_calls(rule, 3);
  } else {
    tolk_plan *best = plan_with(graph, &schedule, TOLK_PLACER_BEST);
    print_row(schedule.name, rule, best);
    tolk_plan_destroy(best);
  }
  tolk_plan_destroy(rule);
  tolk_schedule_free(&schedule);
  tolk_graph_destroy(graph);
  free(text);
}

int main(int argc, char **argv) {
  printf("libtolk_memory %s; sizes in MB of 1e6 bytes\n\n", tolk_version_string());
  printf("%-36s %7s %6s %11s %10s %10s %8s %10s %8s\n", "model", "buffers", "arenas", "unplanned", "at least", "tlsf", "above", "best",
         "above");
  for (int i = 1; i < argc; i++) show(argv[i], 0);
  if (argc > 1) show(argv[argc - 1], 1);
  return 0;
}
