// A small model as a schedule: what a compiler hands to an engine.
#pragma once

#include "kernels.hpp"

struct model {
  tolk::graph graph = tolk::graph::create();
  kernel_table kernels;
  tolk::op input, weights, bias, output; // the first three are bound from outside; the last is held
  tolk::op schedule;
};

// Two layers with a softmax by rows, a loop of a fixed count, and one that runs until its flag is false.
model make_model();
