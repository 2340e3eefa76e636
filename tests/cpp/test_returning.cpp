// Without exceptions: results of what there is, or why there is not.
#define TOLK_NO_EXCEPTIONS
#include "check.hpp"

static const tolk::storage f32{tolk::dtype::float32, 64, "GPU"};

// Builds a whole schedule and looks once.
static tolk::op build(tolk::graph &g, tolk::op kernel, tolk::op *held) {
  auto x = g.param(f32), a = g.buffer(f32), b = g.buffer(f32), y = g.buffer(f32);
  *held = y;
  return g.linear({g.call(kernel, {a, x}), g.call(kernel, {b, a}), g.call(kernel, {y, b})});
}

TEST(ops_go_into_calls_as_they_are) {
  tolk::graph g = tolk::graph::create().value();
  tolk::op held, schedule = build(g, g.program("k"), &held);
  CHECK(schedule && g.status() == tolk::status::ok);
  tolk::result<tolk::plan> plan = g.plan(schedule, {held});
  CHECK(plan && plan->arenas()->size() == 1 && (*plan->arenas())[0].size == 512);
  CHECK(plan->entries().value().size() == 3 && plan->verify() && plan->totals()->after == 512);
  CHECK(g.rewrite(schedule).value() != schedule);
}

TEST(the_first_failure_is_kept) {
  tolk::graph g = tolk::graph::create().value();
  tolk::op held, schedule = build(g, g.constant(3), &held);
  CHECK(!schedule && g.status() == tolk::status::wrong_kind);
  FAILS(invalid_op, "", g.plan(schedule));
  FAILS(overflow, "", g.buffer({tolk::dtype::float64, INT64_MAX, "GPU"}));
}

TEST(results_hold_one_or_the_other) {
  tolk::graph g = tolk::graph::create().value();
  auto good = g.op_count(), bad = tolk::graph().op_count();
  CHECK(good.has_value() && *good == 0 && !bad.has_value() && std::move(bad).value_or(7) == 7);
  CHECK(std::move(good).value_or(7) == 0);
  const auto text = g.print(g.constant(1));
  CHECK(text->size() > 0 && (*text).size() == text.value().size());
  tolk::text taken = g.print(g.constant(2)).value();
  CHECK(taken.size() > 0);
  FAILS(invalid_handle, "graph", tolk::graph().check());
  FAILS(parse, "line 1", tolk::plan_text("{"));
}

TEST(moves_and_closes) {
  tolk::graph g = tolk::graph::create().value(), h = std::move(g);
  FAILS(invalid_handle, "graph", g.constant(1));
  CHECK(h.close());
  FAILS(invalid_handle, "graph", h.constant(1));
}

TEST(placing_and_allocating) {
  const tolk::lifetime buffers[] = {{0, 1, 8}, {0, 1, 8}};
  std::int64_t offsets[2];
  int calls = 0;
  tolk::place_options options;
  options.placer = tolk::placer::best;
  options.progress = [&](const tolk::progress &) { calls++; };
  CHECK(tolk::place(buffers, offsets, options)->size == 16 && tolk::place_verify(buffers, offsets, 16) && *tolk::place_faults(buffers, offsets, 16) == 0);
  FAILS(invalid_argument, "offsets", tolk::place(buffers, {offsets, 1}));
  FAILS(invalid_argument, "offsets", tolk::place_verify(buffers, {offsets, 1}, 16));
  tolk::tlsf t = tolk::tlsf::create(64).value();
  CHECK(t.alloc(32).value() == 0 && !t.alloc(128).value() && t.free(0));
  FAILS(not_allocated, "0", t.free(0));
}

TEST(batches_settings_and_logs) {
  tolk::graph g = tolk::graph::create().value();
  tolk::batch b;
  b.constant(1);
  b.linear({});
  CHECK(g.build(b)->size() == 2);
  FAILS(invalid_argument, "ops", g.build(b.descs(), {}));
  CHECK(tolk::setting_set(tolk::setting::debug, 0) && *tolk::setting_get(tolk::setting::debug) == 0);
  CHECK(tolk::log_set([](const char *) {}) && tolk::log_set(nullptr) && tolk::unique_num());
  tolk::cancel cancel = tolk::cancel::create().value();
  CHECK(cancel.request());
}
