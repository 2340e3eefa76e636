// Threads that build and plan at once, on graphs of their own and on one, with callables about them.
#include <thread>

#include "world.hpp"

constexpr int thread_count = 6, rounds = 20;

// The same on every thread: bytes of the plan of a chain of `length`, in g.
static std::int64_t plan_chain(tolk::graph &g, int length, std::int64_t debug = 0) {
  tolk::op last = g.param(f32), kernel = g.program("k");
  std::vector<tolk::op> calls;
  for (int i = 0; i < length; i++) {
    tolk::op next = g.buffer({tolk::dtype::int8, 100 * (i + 1), "GPU"});
    calls.push_back(g.call(kernel, {next, last}));
    last = next;
  }
  tolk::plan_options options;
  options.debug = debug;
  tolk::plan plan = g.plan(g.linear(calls), {}, options);
  plan.verify();
  return plan.totals().after;
}

template <class F>
static void in_threads(F run) {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; i++) threads.emplace_back(run, i);
  for (std::thread &t : threads) t.join();
}

TEST(graphs_of_their_own_and_one) {
  tolk::graph shared = tolk::graph::create();
  std::vector<std::int64_t> want;
  for (int length = 1; length <= rounds; length++) want.push_back(plan_chain(shared, length));
  in_threads([&](int) {
    tolk::graph own = tolk::graph::create();
    for (int length = 1; length <= rounds; length++) {
      CHECK(plan_chain(own, length) == want[static_cast<std::size_t>(length - 1)]);
      CHECK(plan_chain(shared, length) == want[static_cast<std::size_t>(length - 1)]);
    }
  });
  shared.check();
}

TEST(errors_are_of_their_thread) {
  tolk::graph g = tolk::graph::create();
  in_threads([&](int i) {
    for (int round = 0; round < 200; round++) FAILS(invalid_argument, std::to_string(-1 - i).c_str(), g.shrink(g.param(f32), -1 - i, 1));
  });
}

TEST(a_log_that_others_change) {
  std::atomic<int> lines{0};
  in_threads([&](int i) {
    tolk::graph g = tolk::graph::create();
    for (int round = 0; round < rounds; round++) {
      if (i == 0) tolk::log_set([&lines, held = std::make_shared<int>(round)](const char *) { lines += *held >= 0; });
      plan_chain(g, 5, 1);
    }
  });
  tolk::log_set(nullptr);
  CHECK(lines > 0);
}

TEST(a_cancel_from_another_thread) {
  tolk::cancel cancel = tolk::cancel::create();
  tolk::graph g = tolk::graph::create();
  tolk::plan_options options;
  options.placer = tolk::placer::best;
  options.cancel = &cancel;
  in_threads([&](int i) {
    if (i == 0) return cancel.request();
    tolk::op a = g.buffer(f32), b = g.buffer(f32), k = g.program("k");
    CHECK(g.plan(g.linear({g.call(k, {a}), g.call(k, {b})}), {}, options).totals().after == 256);
  });
}
