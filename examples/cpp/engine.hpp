// An executor: a plan is compiled once to a list of steps with addresses in them, and run as often as one likes.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "kernels.hpp"

// The start of a view that is known only when the schedule runs: its value times `size` bytes.
struct moving_start {
  tolk::op scalar;
  std::int64_t size;
};

// An argument of a step: where it lies, but for starts that move.
struct argument {
  view bytes;
  std::vector<moving_start> starts;
};

// A call, or a loop around the steps behind it up to `end`.
struct step {
  const kernel *run = nullptr; // of a call
  std::vector<argument> arguments;
  std::size_t end = 0;
  tolk::op range;              // of a loop
  const bool *flag = nullptr;  // of a back edge, tested before each trip
};

class engine {
 public:
  // Allocates each arena once, and what is in no arena on its own, and compiles. graph and kernels must outlive it.
  engine(const tolk::graph &graph, const tolk::plan &plan, const kernel_table &kernels);

  // The bytes of storage that is in no arena: PARAMs, to be filled before running, and what was held.
  view storage(tolk::op op) const;
  void run();

 private:
  void allocate(const tolk::plan &plan);
  std::byte *new_bytes(std::int64_t size);
  void compile(tolk::op entry, const tolk::bind *&next);
  void compile_call(tolk::op call, const tolk::bind *&next);
  void compile_loop(tolk::op body, tolk::span<const tolk::op> ranges, const bool *flag, const tolk::bind *&next);
  argument bound(const tolk::bind &bind) const;
  std::vector<moving_start> moving_starts(const tolk::bind &bind) const;

  void run(std::size_t begin, std::size_t end);
  void run_loop(std::size_t loop);
  std::int64_t value(tolk::op scalar) const;

  struct free_bytes {
    void operator()(std::byte *bytes) const;
  };

  const tolk::graph &graph_;
  const kernel_table &kernels_;
  std::vector<std::unique_ptr<std::byte, free_bytes>> allocations_;
  std::unordered_map<tolk::op, view> storage_; // arenas too
  std::vector<step> steps_;
  std::unordered_map<tolk::op, std::int64_t> trips_; // of each range, while its loop runs
};
