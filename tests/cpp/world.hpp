// A small graph for tests to start from.
#ifndef WORLD_HPP
#define WORLD_HPP

#include "check.hpp"

inline const tolk::storage f32{tolk::dtype::float32, 64, "GPU"}; // one block of 256 bytes

// A chain: call i writes buffer i and reads buffer i-1, or the parameter.
struct chain {
  tolk::graph g = tolk::graph::create();
  tolk::op x = g.param(f32), kernel = g.program("kernel", 9);
  std::vector<tolk::op> buffers, calls;
  tolk::op schedule;

  explicit chain(int length) {
    for (int i = 0; i < length; i++) {
      tolk::op last = buffers.empty() ? x : buffers.back();
      buffers.push_back(g.buffer(f32));
      calls.push_back(g.call(kernel, {buffers.back(), last}));
    }
    schedule = g.linear(calls);
  }
};

#endif
