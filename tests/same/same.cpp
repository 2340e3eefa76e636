// The schedule of README.md, built with the C++ API: op by op, or described in a batch.
#include <cstring>

#include "tolk_memory.hpp"

using tolk::dtype;

// The storage of the schedule, by the names of README.md.
struct values {
  tolk::op weights, disk, staged, a, b, c, d, scratch, flag, left, right, wide, empty, out;
};

template <class Builder>
static values make_storage(Builder &g) {
  static const char *const both[] = {"GPU:0", "GPU:1"};
  tolk::storage a{dtype::float32, 256, "GPU:0"}, b{dtype::float16, 300, "GPU:0"}, d{dtype::bfloat16, 256, "GPU:0"}, wide{dtype::float32, 512};
  a.slot = 7;
  b.align = 8, b.phase = 6;
  d.phase = 2;
  wide.devices = both;
  values v;
  v.weights = g.param({dtype::float32, 1024, "GPU:0"});
  v.disk = g.buffer({dtype::uint8, 4096, "DISK:weights"});
  v.staged = g.buffer({dtype::uint8, 4096, "GPU:0"});
  v.a = g.buffer(a);
  v.b = g.buffer(b);
  v.c = g.buffer({dtype::float32, 640, "GPU:0"});
  v.d = g.buffer(d);
  v.scratch = g.alloc({dtype::int8, 64, "GPU:0"});
  v.flag = g.buffer({dtype::bool_, 1, "GPU:0"});
  v.left = g.buffer({dtype::float32, 128, "GPU:0"});
  v.right = g.buffer({dtype::float32, 128, "GPU:1"});
  v.wide = g.buffer(wide);
  v.empty = g.buffer({dtype::float64, 0, "GPU:1"});
  v.out = g.buffer({dtype::float32, 256, "GPU:0"});
  return v;
}

template <class Builder>
static tolk::op make_schedule(Builder &g, const values &v) {
  tolk::op n = g.variable("n", 0, 3), sixty_four = g.constant(64);
  tolk::op i = g.range(g.constant(4), 0, 0), j = g.range(n, 1, 2), at = g.add(g.mul(i, sixty_four), n);

  tolk::op fuse = g.sink("fuse", 1), copy = g.store("copy", 2), matmul = g.program("matmul", 3, {sixty_four});
  tolk::op reduce = g.custom_function("all_reduce", 4), inner = g.linear({g.call(matmul, {v.weights})});

  tolk::op head = g.bitcast(g.shrink(v.a, 0, 128), dtype::uint8), chunk = g.shrink(v.weights, at, 64);
  tolk::op pair = g.mstack({v.left, v.right});
  tolk::op second = g.call(fuse, {v.b, head, v.scratch}), late = g.after(v.c, {second, v.weights});

  tolk::op trips = g.linear({g.call(matmul, {v.c, chunk, i}), g.call(fuse, {v.d, v.c})});
  tolk::op swaps = g.linear({g.call(copy, {g.shrink(v.d, 8, 8), v.b})});
  tolk::op nested = g.linear({g.end(g.call(fuse, {v.flag, g.mselect(pair, 1)}), {j}), g.backedge(swaps, i, v.flag)});

  return g.linear({
      g.call(copy, {v.staged, v.disk}),                               // 0
      g.call(matmul, {v.a, g.bitcast(v.staged, dtype::float32), n}),  // 1
      second,                                                         // 2
      g.end(trips, {i}),                                              // 3
      g.backedge(g.call(fuse, {v.d, late}), j, v.flag),               // 4
      g.call(reduce, {v.wide, pair}),                                 // 5
      g.call(copy, {v.right, g.mselect(v.wide, 1)}),                  // 6
      g.call(inner, {v.left, v.empty}),                               // 7
      g.end(nested, {i}),                                             // 8
      g.call(matmul, {v.out, late, g.shrink(v.left, 64, 64)}),        // 9
  });
}

static void print(tolk::graph &g, tolk::op schedule, tolk::op held) {
  tolk::plan_options options;
  options.placer = tolk::placer::best;
  options.copies = tolk::copies::apart;
  options.granule = 64;
  tolk::plan usual = g.plan(schedule, {held}), other = g.plan(schedule, {held}, options);
  usual.verify();
  other.verify();
  std::puts(g.write(schedule, "same", {held}).c_str());
  std::puts(g.write(usual).c_str());
  std::puts(g.write(other).c_str());
}

int main(int argc, char **argv) try {
  tolk::graph g = tolk::graph::create();
  if (argc > 1 && std::strcmp(argv[1], "batch") == 0) {
    tolk::batch b;
    values v = make_storage(b);
    tolk::op schedule = make_schedule(b, v), held = b.shrink(v.out, 0, 16);
    std::vector<tolk::op> built = g.build(b);
    print(g, built[tolk::index(schedule)], built[tolk::index(held)]);
  } else {
    values v = make_storage(g);
    tolk::op schedule = make_schedule(g, v);
    print(g, schedule, g.shrink(v.out, 0, 16));
  }
  return 0;
} catch (const tolk::error &e) {
  std::fprintf(stderr, "%s: %s\n", tolk::to_string(e.status()), e.message());
  return 1;
}
