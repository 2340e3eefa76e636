// The header is C++ too, and links.
#include <cstdio>
#include <cstring>

#include "tolk_memory.h"

int main() {
  tolk_graph *graph = nullptr;
  if (tolk_graph_create(&graph) != TOLK_OK) return 1;
  tolk_storage storage = TOLK_STORAGE_INIT;
  storage.dtype = TOLK_FLOAT32;
  storage.count = 64;
  storage.device = "GPU";
  tolk_op a = tolk_buffer(graph, &storage), b = tolk_buffer(graph, &storage), kernel = tolk_program(graph, "k", 0, nullptr, 0);
  tolk_op arguments[] = {a, b}, call = tolk_call(graph, kernel, arguments, 2), planned = TOLK_NONE;
  tolk_plan *plan = nullptr;
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  if (tolk_memory_plan_rewrite(graph, tolk_linear(graph, &call, 1), nullptr, 0, &options, &planned, &plan) < 0) {
    std::fprintf(stderr, "%s\n", tolk_last_error());
    return 1;
  }
  tolk_totals totals = TOLK_TOTALS_INIT;
  tolk_op_desc desc = TOLK_OP_DESC_INIT;
  tolk_op_info info = TOLK_OP_INFO_INIT;
  tolk_place_options place = TOLK_PLACE_OPTIONS_INIT;
  tolk_place_result result = TOLK_PLACE_RESULT_INIT;
  tolk_schedule schedule = TOLK_SCHEDULE_INIT;
  desc.kind = TOLK_KIND_CONST;
  tolk_op three = TOLK_NONE, source = TOLK_REF(0);
  bool good = tolk_plan_totals(plan, &totals) == TOLK_OK && totals.after == 512 && tolk_build(graph, &desc, 1, &three) == TOLK_OK &&
              tolk_op_read(graph, planned, &info) == TOLK_OK && info.kind == TOLK_KIND_LINEAR &&
              tolk_place(nullptr, 0, &place, nullptr, &result) == TOLK_OK && source != TOLK_NONE && schedule.name == nullptr;
  good = tolk_plan_destroy(plan) == TOLK_OK && tolk_graph_destroy(graph) == TOLK_OK && good;
  std::printf("%d passed, %d failed\n", good ? 1 : 0, good ? 0 : 1);
  return good ? 0 : 1;
}
