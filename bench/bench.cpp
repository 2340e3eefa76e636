/*
 * What the C++ header costs beside the library: a chain of kernels, built one by one and in a batch, and its binds walked. Times are the
 * processor's, of one run.
 *
 *     bench_cpp [BUFFERS]    default 1000000
 */
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "tolk_memory.hpp"

namespace {

/* Prints the time of one of count, since it was made. */
class timer {
 public:
  timer(const char *what, std::size_t count, const char *item) : what_(what), count_(count), item_(item), start_(std::clock()) {}
  ~timer() {
    double ns = 1e9 * static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
    std::printf("%-32s %9.1f  ns %s\n", what_, ns / static_cast<double>(count_), item_);
  }
  timer(const timer &) = delete;
  timer &operator=(const timer &) = delete;

 private:
  const char *what_;
  std::size_t count_;
  const char *item_;
  std::clock_t start_;
};

/* Kernel i writes buffer i and reads buffer i-1. Sizes repeat, as layers do. A builder is a graph or a batch. */
template <class Builder>
tolk::op chain(Builder &to, std::size_t n) {
  tolk::op kernel = to.program("kernel"), last;
  std::vector<tolk::op> calls;
  for (std::size_t i = 0; i < n; i++) {
    tolk::op next = to.buffer(tolk::storage{tolk::dtype::float32, 64 + static_cast<std::int64_t>(i * 37 % 24) * 1024, "CUDA:0"});
    calls.push_back(i == 0 ? to.call(kernel, {next}) : to.call(kernel, {next, last}));
    last = next;
  }
  return to.linear(calls);
}

}  // namespace

int main(int argc, char **argv) {
  std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  {
    auto g = tolk::graph::create();
    timer time("build, one call an op", 2 * n, "an op");
    chain(g, n);
  }
  auto g = tolk::graph::create();
  tolk::batch batch;
  tolk::op schedule;
  {
    timer time("describe, for building in bulk", 2 * n, "an op");
    schedule = chain(batch, n);
  }
  {
    timer time("build, in bulk", 2 * n, "an op");
    schedule = g.build(batch)[tolk::index(schedule)];
  }
  auto plan = [&] {
    timer time("plan (tlsf), with all binds", n, "a buffer");
    return g.plan(schedule);
  }();
  std::int64_t sum = 0;
  {
    timer time("walk the binds", plan.binds().size(), "a bind");
    for (const tolk::bind &bind : plan.binds()) sum += bind.offset;
  }
  return sum < 0;
}
