// Placing lifetimes, the allocator, and texts.
#include "world.hpp"

TEST(lifetimes_are_placed) {
  const tolk::lifetime buffers[] = {{0, 2, 4096}, {2, 4, 4096}, {1, 3, 100, 64}};
  std::int64_t offsets[3];
  tolk::place_options options;
  options.placer = tolk::placer::best;
  options.granule = 16;
  tolk::place_result result = tolk::place(buffers, offsets, options);
  CHECK(result.size == 4208 && result.optimal && result.proof == tolk::proof::equals_bound && result.stopped == tolk::stop::done);
  tolk::place_verify(buffers, offsets, result.size, options);
  CHECK(tolk::place_faults(buffers, offsets, result.size) == 0);
  CHECK(tolk::place({}, {}).size == 0);
}

TEST(faults_are_counted_and_named) {
  const tolk::lifetime buffers[] = {{0, 2, 16}, {1, 2, 16}, {1, 2, 16}};
  const std::int64_t offsets[] = {0, 0, 8};
  tolk::fault faults[2];
  CHECK(tolk::place_faults(buffers, offsets, 32, faults) == 3);
  CHECK(faults[0].kind == tolk::fault_kind::overlap && faults[0].buffer == 0 && faults[0].other == 1 && faults[0].to == 16);
  FAILS(invalid_plan, "share bytes [0, 16)", tolk::place_verify(buffers, offsets, 32));
}

TEST(wrong_lifetimes) {
  const tolk::lifetime buffers[] = {{0, 2, 16}, {2, 2, 16}};
  std::int64_t offsets[2];
  FAILS(invalid_argument, "buffer 1", tolk::place(buffers, offsets));
  FAILS(invalid_argument, "offsets has room for 1 items, and 2 are wanted", tolk::place(buffers, {offsets, 1}));
  FAILS(invalid_argument, "offsets", tolk::place_faults(buffers, {offsets, 1}, 8));
  FAILS(invalid_argument, "offsets", tolk::place_verify(buffers, {offsets, 1}, 8));
  tolk::place_options tight;
  tight.capacity = 15;
  FAILS(infeasible, "15", tolk::place({buffers, 1}, offsets, tight));
}

TEST(progress_of_placing) {
  std::vector<tolk::lifetime> buffers;
  for (int i = 0; i < 50; i++) buffers.push_back({i * 7 % 31, i * 7 % 31 + 1 + i % 9, 100 + i * 37 % 89});
  std::vector<std::int64_t> offsets(buffers.size());
  tolk::place_options options;
  options.placer = tolk::placer::best;
  int calls = 0;
  options.progress = [&](const tolk::progress &) { calls++; };
  tolk::place_result result = tolk::place(buffers, offsets, options);
  tolk::place_verify(buffers, offsets, result.size);
  options.progress = [&](const tolk::progress &) { throw 7; };
  try {
    static_cast<void>(tolk::place(buffers, offsets, options));
    CHECK(calls == 0);
  } catch (int thrown) {
    CHECK(thrown == 7 && calls > 0);
  }
}

TEST(the_allocator) {
  tolk::tlsf t = tolk::tlsf::create(64, 1000);
  std::optional<std::int64_t> a = t.alloc(16), b = t.alloc(32, 16);
  CHECK(a == 1000 && b == 1016 && !t.alloc(1000));
  t.free(*a);
  FAILS(not_allocated, "1000", t.free(*a));
  FAILS(invalid_argument, "align", t.alloc(16, 0));
  FAILS(invalid_argument, "", tolk::tlsf::create(-1));
  t.close();
  FAILS(invalid_handle, "", t.alloc(1));
}

TEST(texts_go_there_and_back) {
  chain c(3);
  tolk::text written = c.g.write(c.schedule, "chain", {c.buffers[2]});
  tolk::graph g = tolk::graph::create();
  tolk::schedule read = g.read_schedule(written);
  CHECK(std::strcmp(read.name(), "chain") == 0 && read.storage().size() == 4 && read.held().size() == 1);
  CHECK(g.write(read.linear(), read.name(), read.held()).view() == written.view());
  CHECK(g.write(g.plan(read.linear(), read.held())).view() == c.g.write(c.g.plan(c.schedule, {c.buffers[2]})).view());

  tolk::schedule moved = std::move(read);
  CHECK(!read.linear() && read.storage().empty() && std::strcmp(read.name(), "") == 0 && moved.storage().size() == 4);
  read = std::move(moved);
  CHECK(read.storage().size() == 4);
  tolk::text first = c.g.print(c.x), second = std::move(first);
  CHECK(first.size() == 0 && first.view().empty() && second.size() > 0 && second.c_str()[second.size()] == 0);

  CHECK(tolk::plan_text("{\"lifetimes\": [[0, 1, 8]]}").view() == "{\"size\":8,\"offsets\":[0],\"lower_bound\":8,\"optimal\":true}");
  FAILS(parse, "line 1, column 2", tolk::plan_text("{"));
  FAILS(parse, "line 1", g.read_schedule("[]"));
  FAILS(invalid_handle, "plan", g.write(tolk::plan()));
}

TEST(versions_and_names) {
  CHECK(tolk::version() == TOLK_VERSION && tolk::abi_version() == TOLK_ABI_VERSION && std::strcmp(tolk::version_string(), "0.1.0") == 0);
  CHECK(std::strcmp(tolk::to_string(tolk::kind::mstack), "MSTACK") == 0 && std::strcmp(tolk::to_string(tolk::dtype::bfloat16), "bfloat16") == 0);
  CHECK(tolk::size_of(tolk::dtype::bfloat16) == 2 && tolk::size_of(tolk::dtype::weak_int) == 0);
}
