// Planning, options, callbacks, and reading a plan.
#include <string>

#include "world.hpp"

template <class P, class = void>
constexpr bool gives_binds = false;
template <class P>
constexpr bool gives_binds<P, std::void_t<decltype(std::declval<P>().binds())>> = true;
static_assert(gives_binds<tolk::plan &> && gives_binds<const tolk::plan &> && !gives_binds<tolk::plan>, "binds of what ends at once would dangle");

TEST(a_plan_is_read_in_place) {
  chain c(3);
  tolk::plan plan = c.g.plan(c.schedule, {c.buffers[2]});
  plan.verify();
  tolk::span<const tolk::arena> arenas = plan.arenas();
  CHECK(arenas.size() == 1 && arenas[0].size == 512 && arenas[0].devices.size() == 1 && std::strcmp(arenas[0].devices[0], "GPU") == 0);
  CHECK(arenas[0].proof == tolk::proof::equals_bound && arenas[0].stopped == tolk::stop::done && arenas[0].live.size() == 2);
  CHECK(c.g.read(arenas[0].op).kind == tolk::kind::buffer);
  tolk::span<const tolk::placed> places = plan.places();
  CHECK(places.size() == 2 && places[0].buffer == c.buffers[0] && places[1].place == 256 && places[1].first == 1 && places[1].end == 3);
  CHECK(plan.binds().size() == 6 && plan.begins().size() == 4);

  tolk::entries entries = plan.entries();
  CHECK(entries.size() == 3 && entries[1].size() == 2);
  const tolk::bind &read = entries[1][1], &held = entries[2][0], &param = entries[0][1];
  CHECK(read.arena == 0 && read.offset == 0 && read.bytes == 256 && read.storage == arenas[0].op && read.argument == 1);
  CHECK(held.arena == tolk::no_arena && held.storage == c.buffers[2] && param.storage == c.x);

  tolk::totals totals = plan.totals();
  CHECK(totals.before == 512 && totals.after == 512 && totals.lower_bound == 512 && totals.optimal);
  CHECK(c.g.read(plan.schedule()).kind == tolk::kind::linear && plan.schedule() != c.schedule);
  CHECK(c.g.rewrite(c.schedule, {c.buffers[0], c.buffers[1], c.buffers[2]}) == c.schedule); // nothing is planned
}

TEST(a_plan_outlives_its_graph_and_is_gone_after_close) {
  tolk::plan plan;
  FAILS(invalid_handle, "plan", plan.arenas());
  {
    chain c(3);
    plan = c.g.plan(c.schedule);
  }
  const tolk::arena *arena = plan.arenas().begin();
  tolk::plan moved = std::move(plan);
  CHECK(moved.arenas().begin() == arena && arena->size == 512);
  FAILS(invalid_handle, "plan", plan.binds());
  moved.close();
  FAILS(invalid_handle, "plan", moved.entries());
  FAILS(invalid_handle, "plan", moved.verify());
}

TEST(options_reach_the_planner) {
  chain c(3);
  tolk::plan_options off;
  off.no_memory_planner = 1;
  CHECK(c.g.rewrite(c.schedule, {}, off) == c.schedule);
  tolk::plan_options coarse;
  coarse.granule = 4096;
  coarse.placer = tolk::placer::best;
  CHECK(c.g.plan(c.schedule, {}, coarse).totals().after == 8192);
  const char *gpu[] = {"GPU"};
  const tolk::capacity small[] = {{gpu, 511}};
  tolk::plan_options tight;
  tight.capacities = small;
  FAILS(infeasible, "511", c.g.plan(c.schedule, {}, tight));
  tolk::plan_options wrong;
  wrong.granule = 3;
  FAILS(invalid_argument, "granule", c.g.plan(c.schedule, {}, wrong));
}

// A schedule that is not placed at its bound at once, so that the search of `best` reports.
static tolk::op hard(tolk::graph &g) {
  std::uint64_t seed = 1;
  std::vector<tolk::op> buffers, calls;
  tolk::op kernel = g.program("k");
  for (int i = 0; i < 60; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    buffers.push_back(g.buffer({tolk::dtype::int8, 1000 + static_cast<std::int64_t>(seed >> 50), "GPU"}));
    std::size_t back = buffers.size() - 1;
    calls.push_back(g.call(kernel, {buffers[back], buffers[back - (seed >> 33) % (back < 12 ? back + 1 : 12)]}));
  }
  return g.linear(calls);
}

TEST(progress_is_a_callable) {
  tolk::graph g = tolk::graph::create();
  tolk::op schedule = hard(g);
  int calls = 0;
  tolk::plan_options options;
  options.placer = tolk::placer::best;
  options.progress = [&](const tolk::progress &p) { calls += p.size >= p.bound && p.bound > 0; };
  std::int64_t after = g.plan(schedule, {}, options).totals().after;
  CHECK(calls > 0 && after > 0);

  options.progress = [&](const tolk::progress &) { throw std::string("from within"); };
  try {
    static_cast<void>(g.plan(schedule, {}, options));
    CHECK(false);
  } catch (const std::string &thrown) {
    CHECK(thrown == "from within");
  }
  g.check();
}

TEST(a_cancel_ends_the_search) {
  tolk::graph g = tolk::graph::create();
  tolk::op schedule = hard(g);
  tolk::cancel cancel = tolk::cancel::create();
  cancel.request();
  tolk::plan_options options;
  options.placer = tolk::placer::best;
  options.cancel = &cancel;
  tolk::plan plan = g.plan(schedule, {}, options);
  CHECK(plan.arenas()[0].stopped == tolk::stop::cancelled);
  plan.verify();
  tolk::cancel moved = std::move(cancel);
  FAILS(invalid_handle, "cancel", g.plan(schedule, {}, options)); // not silently without one
  FAILS(invalid_handle, "cancel", cancel.request());
}

TEST(the_log_is_a_callable) {
  chain c(40);
  std::vector<std::string> lines;
  tolk::log_set([&](const char *line) {
    lines.emplace_back(line);
    tolk::log_set(nullptr); // from within: it stays alive until it is left
  });
  tolk::plan_options options;
  options.debug = 1;
  c.g.rewrite(c.schedule, {}, options);
  c.g.rewrite(c.schedule, {}, options);
  CHECK(lines.size() == 1 && lines[0] == "memory reduced from 0.01 MB -> 0.00 MB, 40 -> 1 bufs");
}

TEST(settings) {
  tolk::setting_set(tolk::setting::no_memory_planner, 1);
  CHECK(tolk::setting_get(tolk::setting::no_memory_planner) == 1);
  chain c(3);
  CHECK(c.g.rewrite(c.schedule) == c.schedule);
  tolk::setting_set(tolk::setting::no_memory_planner, 0);
  CHECK(c.g.rewrite(c.schedule) != c.schedule);
  FAILS(invalid_argument, "setting", tolk::setting_get(static_cast<tolk::setting>(9)));
  CHECK(tolk::unique_num() < tolk::unique_num());
}
