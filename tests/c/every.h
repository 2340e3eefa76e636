/* Each function that can fail, called with good arguments: for what must hold of all of them. */
#ifndef EVERY_H
#define EVERY_H

#include "world.h"

struct subject {
  struct world w;
  tolk_plan *plan;
  tolk_cancel *cancel;
  tolk_tlsf *tlsf;
  int64_t address; /* allocated */
};

/* What a row gives for a constructor that gave TOLK_NONE: the status is not to be had, its message is. */
#define FAILED (-100)

static inline struct subject new_subject(void) {
  struct subject s = {.w = new_world()};
  REQUIRE(tolk_memory_plan_rewrite(s.w.g, s.w.l, NULL, 0, NULL, NULL, &s.plan) == TOLK_OK);
  REQUIRE(tolk_cancel_create(&s.cancel) == TOLK_OK);
  REQUIRE(tolk_tlsf_create(1024, 0, 16, 16, &s.tlsf) == TOLK_OK);
  REQUIRE(tolk_tlsf_alloc(s.tlsf, 16, 1, &s.address) == TOLK_OK);
  return s;
}

/* Destroys what the calls left. */
static inline void drop_subject(struct subject *s) {
  if (s->plan != NULL) OK(tolk_plan_destroy(s->plan));
  if (s->cancel != NULL) OK(tolk_cancel_destroy(s->cancel));
  if (s->tlsf != NULL) OK(tolk_tlsf_destroy(s->tlsf));
  if (s->w.g != NULL) OK(tolk_graph_destroy(s->w.g));
}

#define ROW(name) static tolk_status call_##name(struct subject *s __attribute__((unused)))
#define MADE(op) return (op) == TOLK_NONE ? FAILED : TOLK_OK
/* Calls, and checks that a failing call leaves an out parameter alone. */
#define OUT(type, out, call)                  \
  type out = (type)(uintptr_t)77;             \
  tolk_status status = (call);                \
  CHECK(status >= 0 || (uintptr_t)out == 77)
/* Destroys, and notes that it is gone. */
#define DESTROY(handle, function)            \
  tolk_status status = function(handle);     \
  if (status == TOLK_OK) handle = NULL;      \
  return status
/* Calls what gives a text, and frees it. */
#define TEXT(call)                           \
  size_t len = 77;                           \
  OUT(char *, text, call);                   \
  CHECK(status >= 0 || len == 77);           \
  if (status >= 0) tolk_string_free(text);   \
  return status

static const char every_text[] = "{\"tolk_schedule\": 1, \"name\": \"t\", \"storage\": [{\"device\": \"GPU\", \"dtype\": \"int8\", "
                                 "\"count\": 4}], \"entries\": [{\"call\": {\"body\": \"sink\", \"args\": [0]}}]}";

/* Of graphs. */
ROW(op_count) { OUT(uint64_t, n, tolk_graph_op_count(s->w.g, &n)); return status; }
ROW(graph_error) { return tolk_graph_error(s->w.g); }
ROW(graph_check) { return tolk_graph_check(s->w.g); }
ROW(graph_destroy) { DESTROY(s->w.g, tolk_graph_destroy); }
ROW(buffer) { tolk_storage a = storage(TOLK_INT8, 1, "GPU"); MADE(tolk_buffer(s->w.g, &a)); }
ROW(alloc) { tolk_storage a = storage(TOLK_INT8, 1, "GPU"); MADE(tolk_alloc(s->w.g, &a)); }
ROW(param) { tolk_storage a = storage(TOLK_INT8, 1, "GPU"); MADE(tolk_param(s->w.g, &a)); }
ROW(variable) { MADE(tolk_variable(s->w.g, "m", 0, 1)); }
ROW(const) { MADE(tolk_const(s->w.g, 3)); }
ROW(range) { MADE(tolk_range(s->w.g, s->w.n, 1, 0)); }
ROW(add) { MADE(tolk_add(s->w.g, s->w.n, s->w.n)); }
ROW(mul) { MADE(tolk_mul(s->w.g, s->w.n, s->w.n)); }
ROW(shrink) { MADE(tolk_shrink(s->w.g, s->w.x, 0, 1)); }
ROW(shrink_at) { MADE(tolk_shrink_at(s->w.g, s->w.x, s->w.n, 1)); }
ROW(bitcast) { MADE(tolk_bitcast(s->w.g, s->w.x, TOLK_INT8)); }
ROW(after) { MADE(tolk_after(s->w.g, s->w.x, &s->w.c, 1)); }
ROW(mselect) { MADE(tolk_mselect(s->w.g, s->w.two, 1)); }
ROW(mstack) { MADE(tolk_mstack(s->w.g, &s->w.x, 1)); }
ROW(sink) { MADE(tolk_sink(s->w.g, "b", 0, NULL, 0)); }
ROW(store) { MADE(tolk_store(s->w.g, "b", 0, NULL, 0)); }
ROW(program) { MADE(tolk_program(s->w.g, "b", 0, NULL, 0)); }
ROW(custom_function) { MADE(tolk_custom_function(s->w.g, "b", 0, NULL, 0)); }
ROW(call) { MADE(tolk_call(s->w.g, s->w.k, &s->w.y, 1)); }
ROW(linear) { MADE(tolk_linear(s->w.g, NULL, 0)); }
ROW(end) { MADE(tolk_end(s->w.g, s->w.c, &s->w.i, 1)); }
ROW(backedge) { MADE(tolk_backedge(s->w.g, s->w.c, s->w.i, s->w.flag)); }
ROW(build) {
  tolk_op_desc desc = TOLK_OP_DESC_INIT;
  desc.kind = TOLK_KIND_CONST;
  OUT(tolk_op, op, tolk_build(s->w.g, &desc, 1, &op));
  return status;
}
ROW(op_read) {
  tolk_op_info info = TOLK_OP_INFO_INIT, as_before = info;
  tolk_status status = tolk_op_read(s->w.g, s->w.x, &info);
  CHECK(status >= 0 || memcmp(&info, &as_before, sizeof info) == 0);
  return status;
}
ROW(op_source) { OUT(tolk_op, op, tolk_op_source(s->w.g, s->w.c, 0, &op)); return status; }
ROW(op_sources) {
  tolk_op ops[3] = {9, 9, 9};
  OUT(size_t, n, tolk_op_sources(s->w.g, s->w.c, ops, 3, &n));
  CHECK(status >= 0 || ops[0] == 9);
  return status;
}
ROW(op_device) { OUT(const char *, name, tolk_op_device(s->w.g, s->w.x, 0, &name)); return status; }
ROW(op_name) { OUT(const char *, name, tolk_op_name(s->w.g, s->w.k, &name)); return status; }
ROW(op_print) { TEXT(tolk_op_print(s->w.g, s->w.l, &text, &len)); }
ROW(taken) {
  tolk_op ops[2] = {9, 9};
  OUT(size_t, n, tolk_taken(s->w.g, s->w.c, ops, 2, &n));
  CHECK(status >= 0 || ops[0] == 9);
  return status;
}
ROW(plan_rewrite) {
  tolk_op planned = 9;
  OUT(tolk_plan *, plan, tolk_memory_plan_rewrite(s->w.g, s->w.l, NULL, 0, NULL, &planned, &plan));
  CHECK(status >= 0 || planned == 9);
  if (status >= 0) OK(tolk_plan_destroy(plan));
  return status;
}
ROW(schedule_read) {
  tolk_schedule read = TOLK_SCHEDULE_INIT, as_before = read;
  tolk_status status = tolk_schedule_read(s->w.g, every_text, sizeof every_text - 1, &read);
  CHECK(status >= 0 || memcmp(&read, &as_before, sizeof read) == 0);
  tolk_schedule_free(&read);
  return status;
}
ROW(schedule_write) { TEXT(tolk_schedule_write(s->w.g, s->w.l, "t", NULL, 0, &text, &len)); }

/* Of plans. */
ROW(plan_write) { TEXT(tolk_plan_write(s->w.g, s->plan, &text, &len)); }
ROW(plan_arenas) {
  size_t n = 77;
  OUT(const tolk_arena *, to, tolk_plan_arenas(s->plan, &to, &n));
  CHECK(status >= 0 || n == 77);
  return status;
}
ROW(plan_places) {
  size_t n = 77;
  OUT(const tolk_placed *, to, tolk_plan_places(s->plan, &to, &n));
  CHECK(status >= 0 || n == 77);
  return status;
}
ROW(plan_binds) {
  size_t n = 77;
  OUT(const tolk_bind *, to, tolk_plan_binds(s->plan, &to, &n));
  CHECK(status >= 0 || n == 77);
  return status;
}
ROW(plan_entries) {
  size_t n = 77;
  OUT(const uint64_t *, to, tolk_plan_entries(s->plan, &to, &n));
  CHECK(status >= 0 || n == 77);
  return status;
}
ROW(plan_totals) {
  tolk_totals totals = TOLK_TOTALS_INIT, as_before = totals;
  tolk_status status = tolk_plan_totals(s->plan, &totals);
  CHECK(status >= 0 || memcmp(&totals, &as_before, sizeof totals) == 0);
  return status;
}
ROW(plan_schedule) { OUT(tolk_op, op, tolk_plan_schedule(s->plan, &op)); return status; }
ROW(plan_verify) { return tolk_plan_verify(s->plan); }
ROW(plan_destroy) { DESTROY(s->plan, tolk_plan_destroy); }

/* Of cancels and allocators. */
ROW(cancel_request) { return tolk_cancel_request(s->cancel); }
ROW(cancel_destroy) { DESTROY(s->cancel, tolk_cancel_destroy); }
ROW(cancelled_plan) {
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.cancel = s->cancel;
  return tolk_memory_plan_rewrite(s->w.g, s->w.l, NULL, 0, &options, NULL, NULL);
}
ROW(cancelled_place) {
  tolk_place_options options = TOLK_PLACE_OPTIONS_INIT;
  options.cancel = s->cancel;
  return tolk_place(NULL, 0, &options, NULL, NULL);
}
ROW(tlsf_alloc) { OUT(int64_t, at, tolk_tlsf_alloc(s->tlsf, 16, 1, &at)); return status; }
ROW(tlsf_free) { return tolk_tlsf_free(s->tlsf, s->address); }
ROW(tlsf_destroy) { DESTROY(s->tlsf, tolk_tlsf_destroy); }

/* Of nothing. */
ROW(graph_create) {
  OUT(tolk_graph *, g, tolk_graph_create(&g));
  if (status >= 0) OK(tolk_graph_destroy(g));
  return status;
}
ROW(cancel_create) {
  OUT(tolk_cancel *, cancel, tolk_cancel_create(&cancel));
  if (status >= 0) OK(tolk_cancel_destroy(cancel));
  return status;
}
ROW(tlsf_create) {
  OUT(tolk_tlsf *, tlsf, tolk_tlsf_create(64, 0, 16, 16, &tlsf));
  if (status >= 0) OK(tolk_tlsf_destroy(tlsf));
  return status;
}
ROW(setting_get) { OUT(int64_t, value, tolk_setting_get(TOLK_DEBUG, &value)); return status; }
ROW(setting_set) { return tolk_setting_set(TOLK_DEBUG, 0); }
ROW(unique_num) { return tolk_unique_num() < 0 ? FAILED : TOLK_OK; }
ROW(place) {
  tolk_lifetime buffer = {0, 1, 16, 0, 0, 0, 0};
  tolk_place_result result = TOLK_PLACE_RESULT_INIT, as_before = result;
  OUT(int64_t, offset, tolk_place(&buffer, 1, NULL, &offset, &result));
  CHECK(status >= 0 || memcmp(&result, &as_before, sizeof result) == 0);
  return status;
}
ROW(place_verify) {
  tolk_lifetime buffer = {0, 1, 16, 0, 0, 0, 0};
  int64_t offset = 0;
  OUT(size_t, n, tolk_place_verify(&buffer, 1, NULL, &offset, 16, NULL, 0, &n));
  return status;
}
ROW(plan_text) { TEXT(tolk_plan_text(every_text, sizeof every_text - 1, &text, &len)); }

enum owner { OF_GRAPH, OF_PLAN, OF_CANCEL, OF_TLSF, OF_NOTHING };

#define ENTRY(name, owner, null_does_nothing) {#name, call_##name, owner, null_does_nothing}

static const struct row {
  const char *name;
  tolk_status (*call)(struct subject *);
  enum owner owner; /* whose handle it takes */
  int null_does_nothing;
} every[] = {
    ENTRY(op_count, OF_GRAPH, 0), ENTRY(graph_error, OF_GRAPH, 0), ENTRY(graph_check, OF_GRAPH, 0), ENTRY(graph_destroy, OF_GRAPH, 1),
    ENTRY(buffer, OF_GRAPH, 0), ENTRY(alloc, OF_GRAPH, 0), ENTRY(param, OF_GRAPH, 0), ENTRY(variable, OF_GRAPH, 0),
    ENTRY(const, OF_GRAPH, 0), ENTRY(range, OF_GRAPH, 0), ENTRY(add, OF_GRAPH, 0), ENTRY(mul, OF_GRAPH, 0),
    ENTRY(shrink, OF_GRAPH, 0), ENTRY(shrink_at, OF_GRAPH, 0), ENTRY(bitcast, OF_GRAPH, 0), ENTRY(after, OF_GRAPH, 0),
    ENTRY(mselect, OF_GRAPH, 0), ENTRY(mstack, OF_GRAPH, 0), ENTRY(sink, OF_GRAPH, 0), ENTRY(store, OF_GRAPH, 0),
    ENTRY(program, OF_GRAPH, 0), ENTRY(custom_function, OF_GRAPH, 0), ENTRY(call, OF_GRAPH, 0), ENTRY(linear, OF_GRAPH, 0),
    ENTRY(end, OF_GRAPH, 0), ENTRY(backedge, OF_GRAPH, 0), ENTRY(build, OF_GRAPH, 0), ENTRY(op_read, OF_GRAPH, 0),
    ENTRY(op_source, OF_GRAPH, 0), ENTRY(op_sources, OF_GRAPH, 0), ENTRY(op_device, OF_GRAPH, 0), ENTRY(op_name, OF_GRAPH, 0),
    ENTRY(op_print, OF_GRAPH, 0), ENTRY(taken, OF_GRAPH, 0), ENTRY(plan_rewrite, OF_GRAPH, 0), ENTRY(schedule_read, OF_GRAPH, 0),
    ENTRY(schedule_write, OF_GRAPH, 0), ENTRY(plan_write, OF_PLAN, 0), ENTRY(plan_arenas, OF_PLAN, 0), ENTRY(plan_places, OF_PLAN, 0),
    ENTRY(plan_binds, OF_PLAN, 0), ENTRY(plan_entries, OF_PLAN, 0), ENTRY(plan_totals, OF_PLAN, 0), ENTRY(plan_schedule, OF_PLAN, 0),
    ENTRY(plan_verify, OF_PLAN, 0), ENTRY(plan_destroy, OF_PLAN, 1), ENTRY(cancel_request, OF_CANCEL, 0),
    ENTRY(cancel_destroy, OF_CANCEL, 1), ENTRY(cancelled_plan, OF_CANCEL, 1), ENTRY(cancelled_place, OF_CANCEL, 1),
    ENTRY(tlsf_alloc, OF_TLSF, 0), ENTRY(tlsf_free, OF_TLSF, 0), ENTRY(tlsf_destroy, OF_TLSF, 1), ENTRY(graph_create, OF_NOTHING, 0),
    ENTRY(cancel_create, OF_NOTHING, 0), ENTRY(tlsf_create, OF_NOTHING, 0), ENTRY(setting_get, OF_NOTHING, 0),
    ENTRY(setting_set, OF_NOTHING, 0), ENTRY(unique_num, OF_NOTHING, 0), ENTRY(place, OF_NOTHING, 0),
    ENTRY(place_verify, OF_NOTHING, 0), ENTRY(plan_text, OF_NOTHING, 0),
};

/* The row fails with the status, or is a constructor that fails, and its message holds the text. */
static inline void check_row(const struct row *row, struct subject *s, tolk_status want, const char *text) {
  tolk_status got = row->call(s);
  check_failure(got == FAILED ? want : got, want, text, row->name, 0, "called");
}

#endif
