// Graphs, ops, spans, and what is wrong with them.
#include <array>
#include <set>
#include <unordered_set>

#include "world.hpp"

TEST(ops_are_values_and_no_numbers) {
  static_assert(!std::is_convertible_v<tolk_op, tolk::op> && !std::is_convertible_v<int, tolk::op>);
  static_assert(!std::is_convertible_v<tolk::op, tolk_op> && !std::is_arithmetic_v<tolk::op>);
  static_assert(std::is_trivially_copyable_v<tolk::op>);
  chain c(2);
  tolk::op same = c.g.param(f32), none;
  CHECK(same != c.x); // a fresh slot
  CHECK(c.g.constant(3) == c.g.constant(3));
  CHECK(!none && c.x && none == tolk::op(TOLK_NONE) && tolk::op(c.x.number()) == c.x);
  std::unordered_set<tolk::op> hashed{c.x, c.x, same};
  std::set<tolk::op> sorted{c.x, c.x, same};
  CHECK(hashed.size() == 2 && sorted.size() == 2);
}

TEST(spans_are_made_of_what_lies_in_a_row) {
  std::vector<int> vector{1, 2, 3};
  std::array<int, 3> array{1, 2, 3};
  int plain[] = {1, 2, 3};
  tolk::span<int> writable(vector);
  tolk::span<const int> all[] = {vector, array, plain, writable, {plain, 3}};
  for (tolk::span<const int> s : all) {
    int sum = 0;
    for (int i : s) sum += i;
    CHECK(sum == 6 && s.size() == 3 && s[2] == 3 && !s.empty());
  }
  CHECK(all[0].subspan(1, 2).size() == 2 && all[0].subspan(1, 2)[0] == 2);
  CHECK(tolk::span<int>().empty());
  static_assert(!std::is_constructible_v<tolk::span<int>, const std::vector<int> &>);
  static_assert(!std::is_constructible_v<tolk::span<const tolk::op>, std::vector<tolk_op> &>);
}

TEST(every_constructor_and_what_it_made) {
  tolk::graph g = tolk::graph::create();
  const char *both[] = {"GPU:0", "GPU:1"};
  tolk::storage two{tolk::dtype::float32, 64};
  two.devices = both;
  two.slot = 5;
  two.phase = 8;
  tolk::op wide = g.buffer(two), x = g.param(f32), flag = g.alloc({tolk::dtype::bool_, 1, "GPU"});
  tolk::op n = g.variable(std::string("n"), 0, 3), i = g.range(n, 1, 2), at = g.add(g.mul(i, g.constant(2)), n);
  tolk::op view = g.shrink(x, at, 8), bytes = g.bitcast(g.shrink(x, 8, 8), tolk::dtype::uint8);
  tolk::op part = g.mselect(wide, 1), stack = g.mstack({g.mselect(wide, 0), part});
  tolk::op body = g.custom_function("all", 7, {n, x}), call = g.call(body, {view, bytes, stack, n});
  tolk::op late = g.after(x, {call}), copy = g.call(g.store("copy"), {late, x}), sink = g.call(g.sink("sink"), {flag});
  tolk::op loop = g.end(g.linear({copy, sink}), {i}), back = g.backedge(call, i, flag), schedule = g.linear({loop, back});
  CHECK(g.status() == tolk::status::ok);
  g.check();

  tolk::op_info info = g.read(wide);
  CHECK(info.kind == tolk::kind::buffer && info.dtype == tolk::dtype::float32 && info.device_count == 2 && info.slot == 5 && info.phase == 8);
  CHECK(std::strcmp(g.device(wide, 1), "GPU:1") == 0 && std::strcmp(g.name_of(n), "n") == 0 && std::strcmp(g.name_of(body), "all") == 0);
  info = g.read(view);
  CHECK(info.kind == tolk::kind::shrink && info.base == x && info.start == at && info.count == 8);
  info = g.read(i);
  CHECK(info.axis == 1 && info.axis_kind == 2 && info.range_count == n && info.greatest == 2);
  CHECK(g.source(schedule, 1) == back);
  CHECK((g.sources(call) == std::vector<tolk::op>{body, view, bytes, stack, n}));
  CHECK((g.taken(back) == std::vector<tolk::op>{flag, x, wide}));
  CHECK(g.sources(flag).empty());
  tolk::op few[2];
  CHECK(g.sources(loop, few) == 2 && few[1] == i && g.taken(sink, few) == 1 && few[0] == flag);
  FAILS(buffer_too_small, "5", g.sources(call, few));
  FAILS(buffer_too_small, "3", g.taken(back, few));
  CHECK(g.print(n).view().find("VARIABLE") != std::string_view::npos);
  CHECK(g.op_count() >= 20);
}

TEST(errors_carry_their_message) {
  chain c(1);
  tolk::graph other = tolk::graph::create();
  tolk::op foreign = other.constant(1);
  FAILS(invalid_op, "source", c.g.add(foreign, foreign));
  FAILS(invalid_op, "", c.g.range(tolk::op()));
  FAILS(wrong_kind, "", c.g.linear({c.x}));
  FAILS(invalid_argument, "device", c.g.buffer({tolk::dtype::float32, 1}));
  FAILS(overflow, "", c.g.buffer({tolk::dtype::float64, INT64_MAX, "GPU"}));
  FAILS(invalid_argument, "[60, +5)", c.g.shrink(c.x, 60, 5));
  FAILS(invalid_op, "", c.g.plan(foreign));
  CHECK(c.g.status() == tolk::status::invalid_op); // of the first
  CHECK(std::strcmp(tolk::to_string(c.g.status()), "TOLK_ERR_INVALID_OP") == 0);
  try {
    other.mselect(foreign, 0);
    CHECK(false);
  } catch (const std::runtime_error &e) { // as others catch it
    CHECK(std::strlen(e.what()) > 0);
  }
}

template <class T>
static void check_moves(T &&first) {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> && !std::is_copy_constructible_v<T>);
  auto *c = first.get();
  T second(std::move(first)), third;
  CHECK(!first && second.get() == c && !third);
  third = std::move(second);
  CHECK(third && !second && third.get() == c);
  third = T();
  CHECK(!third);
}

TEST(handles_move) {
  check_moves(tolk::graph::create());
  check_moves(tolk::cancel::create());
  check_moves(tolk::tlsf::create(1024));
}

TEST(use_after_move_and_close) {
  chain c(2);
  tolk::graph g = std::move(c.g);
  FAILS(invalid_handle, "graph", c.g.constant(1));
  FAILS(invalid_handle, "graph", c.g.op_count());
  FAILS(invalid_handle, "graph", c.g.plan(c.schedule));
  CHECK(c.g.status() == tolk::status::invalid_handle);
  CHECK(g.read(c.x).count == 64);
  g.close();
  FAILS(invalid_handle, "graph", g.read(c.x));
  g.close(); // empty: nothing
  tolk_graph *raw = tolk::graph(tolk::graph::create()).release();
  tolk::graph taken(raw);
  CHECK(tolk_graph_destroy(raw) == TOLK_OK);
  FAILS(invalid_handle, "destroyed", taken.close()); // behind its back: an error, no crash
}

TEST(a_batch_builds_what_calls_build) {
  tolk::graph g = tolk::graph::create();
  tolk::op x = g.param(f32);
  tolk::batch b;
  b.reserve(8, 8);
  std::vector<tolk::op> calls;
  for (int i = 0; i < 1000; i++) {
    tolk::op kernel = b.program("kernel " + std::to_string(i % 3)), to = b.buffer(f32);
    calls.push_back(b.call(kernel, {to, x}));
  }
  tolk::op schedule = b.linear(calls);
  CHECK(b.size() == 3001 && tolk::index(schedule) == 3000);
  std::vector<tolk::op> built = g.build(b);
  CHECK(built.size() == b.size());
  CHECK(g.source(built[tolk::index(schedule)], 999) == built[tolk::index(calls[999])]);
  CHECK(std::strcmp(g.name_of(g.source(built[tolk::index(calls[4])], 0)), "kernel 1") == 0);
  CHECK(g.plan(built[3000]).totals().after == 256);
  std::vector<tolk::op> again(b.size());
  g.build(b.descs(), again);
  CHECK(again[3] == built[3] && again[4] != built[4]); // the same program; storage takes fresh slots
  FAILS(invalid_argument, "room for 1", g.build(b.descs(), tolk::span<tolk::op>(again.data(), 1)));
}

TEST(a_wrong_batch_builds_nothing) {
  tolk::graph g = tolk::graph::create();
  tolk::batch b;
  tolk::op n = b.constant(3);
  b.linear({n});
  FAILS(wrong_kind, "1", g.build(b));
  CHECK(g.op_count() == 0);
}
