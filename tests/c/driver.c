/*
 * Does through the C API what its input asks for, a line a request, and answers each with a line:
 *
 *     text REQUEST                    the answer of tolk_plan_text
 *     ops COPIES SCHEDULE             the plan of a schedule, read into ops, from the plan's arrays: before, after and lower
 *                                     bound; the arenas' sizes; storage index, arena and place of each buffer; what each entry takes
 *     create SIZE BASE BLOCK LISTS    an allocator, in place of the one before
 *     alloc SIZE ALIGN                the address, or null
 *     free ADDRESS
 *
 * A failure is answered by "error" and the message.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

static void answer(tolk_status status, char *text) {
  if (status < 0)
    printf("error %s\n", tolk_last_error());
  else
    puts(text);
  tolk_string_free(text);
}

static size_t index_of(const tolk_schedule *schedule, tolk_op op) {
  size_t i = 0;
  while (i < schedule->storage_count && schedule->storage[i] != op) i++;
  return i;
}

static tolk_status print_taken(tolk_graph *graph, const tolk_schedule *schedule) {
  tolk_op_info info = TOLK_OP_INFO_INIT;
  tolk_status status = tolk_op_read(graph, schedule->schedule, &info);
  for (uint64_t e = 0; status == TOLK_OK && e < info.source_count; e++) {
    tolk_op entry, taken[4096];
    size_t count = 0;
    status = tolk_op_source(graph, schedule->schedule, e, &entry);
    if (status == TOLK_OK) status = tolk_taken(graph, entry, taken, 4096, &count);
    printf(" |");
    for (size_t i = 0; status == TOLK_OK && i < count; i++) printf(" %zu", index_of(schedule, taken[i]));
  }
  return status;
}

static tolk_status print_plan(const tolk_plan *plan, const tolk_schedule *schedule) {
  tolk_totals totals = TOLK_TOTALS_INIT;
  const tolk_arena *arenas;
  const tolk_placed *places;
  size_t arena_count, place_count;
  tolk_status status = tolk_plan_totals(plan, &totals);
  if (status == TOLK_OK) status = tolk_plan_arenas(plan, &arenas, &arena_count);
  if (status == TOLK_OK) status = tolk_plan_places(plan, &places, &place_count);
  if (status != TOLK_OK) return status;
  printf("%" PRId64 " %" PRId64 " %" PRId64 " arenas", totals.before, totals.after, totals.lower_bound);
  for (size_t i = 0; i < arena_count; i++) printf(" %" PRId64, arenas[i].size);
  printf(" places");
  for (size_t i = 0; i < place_count; i++)
    printf(" %zu:%" PRIu32 ":%" PRId64, index_of(schedule, places[i].buffer), places[i].arena, places[i].place);
  return status;
}

static void plan_ops(uint32_t copies, const char *text) {
  tolk_graph *graph = NULL;
  tolk_schedule schedule = TOLK_SCHEDULE_INIT;
  tolk_plan *plan = NULL;
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.copies = copies;
  tolk_status status = tolk_graph_create(&graph);
  if (status == TOLK_OK) status = tolk_schedule_read(graph, text, strlen(text), &schedule);
  if (status == TOLK_OK)
    status = tolk_memory_plan_rewrite(graph, schedule.schedule, schedule.held, schedule.held_count, &options, NULL, &plan);
  if (status == TOLK_OK) status = tolk_plan_verify(plan);
  if (status == TOLK_OK) status = print_plan(plan, &schedule);
  if (status == TOLK_OK) status = print_taken(graph, &schedule);
  puts(status < 0 ? tolk_last_error() : "");
  tolk_plan_destroy(plan);
  tolk_schedule_free(&schedule);
  tolk_graph_destroy(graph);
}

int main(void) {
  char *line = NULL, *out = NULL;
  size_t capacity = 0, length;
  ssize_t n;
  int64_t a, b, c, d, address;
  tolk_tlsf *tlsf = NULL;
  while ((n = getline(&line, &capacity, stdin)) > 0) {
    line[n - 1] = 0;
    out = NULL;
    if (strncmp(line, "text ", 5) == 0) {
      tolk_status status = tolk_plan_text(line + 5, strlen(line + 5), &out, &length);
      answer(status, out);
    } else if (strncmp(line, "ops ", 4) == 0) {
      plan_ops((uint32_t)(line[4] - '0'), line + 6);
    } else if (sscanf(line, "create %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &a, &b, &c, &d) == 4) {
      tolk_tlsf_destroy(tlsf);
      puts(tolk_tlsf_create(a, b, c, d, &tlsf) == TOLK_OK ? "ok" : tolk_last_error());
    } else if (sscanf(line, "alloc %" SCNd64 " %" SCNd64, &a, &b) == 2) {
      tolk_status status = tolk_tlsf_alloc(tlsf, a, b, &address);
      if (status == TOLK_OK)
        printf("%" PRId64 "\n", address);
      else
        puts(status == TOLK_NO_ROOM ? "null" : tolk_last_error());
    } else if (sscanf(line, "free %" SCNd64, &a) == 1) {
      puts(tolk_tlsf_free(tlsf, a) == TOLK_OK ? "ok" : tolk_last_error());
    }
  }
  tolk_tlsf_destroy(tlsf);
  free(line);
  return 0;
}
