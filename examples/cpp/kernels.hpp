// Kernels: plain functions on the bytes that their arguments are bound to. The first argument is what they write.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tolk_memory.hpp"

// The bytes of one argument.
struct view {
  std::byte *data;
  std::int64_t bytes;

  // The same bytes as elements.
  template <class T>
  tolk::span<T> of() const {
    return {reinterpret_cast<T *>(data), static_cast<std::size_t>(bytes) / sizeof(T)};
  }
};

using kernel = std::function<void(tolk::span<const view> arguments)>;

// The kernels of a model. The tag of a PROGRAM is the index of its kernel here.
using kernel_table = std::vector<kernel>;

// The body of calls of k, which joins the table.
tolk::op add_kernel(tolk::graph &graph, kernel_table &table, const char *name, kernel k);

// c = a b, a having `inner` columns and b as many rows.
kernel matmul(std::size_t inner);
// c = a + b
void add(tolk::span<const view> arguments);
// c = softmax of the row a
void softmax(tolk::span<const view> arguments);
// c = (c + a) / 2
void approach(tolk::span<const view> arguments);
// flag = whether a and b differ by more than a thousandth somewhere
void differ(tolk::span<const view> arguments);
// c = 0
void clear(tolk::span<const view> arguments);
