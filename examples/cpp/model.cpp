#include "model.hpp"

namespace {

constexpr std::int64_t rows = 8, width = 64;

tolk::storage floats(std::int64_t count) { return {tolk::dtype::float32, count, "CPU"}; }

// softmax of each row: a loop whose views start where its variable says.
tolk::op softmax_rows(model &m, tolk::op to, tolk::op from) {
  tolk::graph &g = m.graph;
  tolk::op row = g.range(g.constant(rows)), start = g.mul(row, g.constant(width));
  tolk::op body = g.call(add_kernel(g, m.kernels, "softmax", softmax), {g.shrink(to, start, width), g.shrink(from, start, width)});
  return g.end(body, {row});
}

// Moves `value` towards `goal` for as long as they differ, but 100 times at most.
tolk::op settle(model &m, tolk::op value, tolk::op goal, tolk::op flag, tolk::op check) {
  tolk::graph &g = m.graph;
  tolk::op step = g.call(add_kernel(g, m.kernels, "approach", approach), {value, goal});
  return g.backedge(g.linear({step, check}), g.range(g.constant(100), 1), flag);
}

}  // namespace

model make_model() {
  model m;
  tolk::graph &g = m.graph;
  m.input = g.param(floats(rows * width));
  m.weights = g.param(floats(width * width));
  m.bias = g.param(floats(rows * width));
  m.output = g.buffer(floats(rows * width));
  tolk::op hidden = g.buffer(floats(rows * width)), shifted = g.buffer(floats(rows * width)), scores = g.buffer(floats(rows * width));
  tolk::op mixed = g.buffer(floats(rows * width)), settled = g.buffer(floats(rows * width)), flag = g.buffer({tolk::dtype::bool_, 1, "CPU"});

  tolk::op multiply = add_kernel(g, m.kernels, "matmul", matmul(width)), plus = add_kernel(g, m.kernels, "add", add);
  tolk::op check = g.call(add_kernel(g, m.kernels, "differ", differ), {flag, settled, mixed});
  m.schedule = g.linear({
      g.call(multiply, {hidden, m.input, m.weights}),
      g.call(plus, {shifted, hidden, m.bias}),
      softmax_rows(m, scores, shifted),
      g.call(multiply, {mixed, scores, m.weights}),
      g.call(add_kernel(g, m.kernels, "clear", clear), {settled}),
      check,
      settle(m, settled, mixed, flag, check),
      g.call(plus, {m.output, settled, m.input}),
  });
  return m;
}
