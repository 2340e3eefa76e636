// Runs a model with its memory planned and not, compares the numbers, and prints what planning saved.
#include <cstdio>
#include <cstring>

#include "engine.hpp"
#include "model.hpp"

// Numbers that are alike on every machine, in [-1, 1).
static void fill(view to, std::uint32_t seed) {
  for (float &x : to.of<float>()) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(seed >> 8) / (1 << 23) - 1;
  }
}

static std::vector<float> run(model &m, const tolk::plan &plan) {
  engine e(m.graph, plan, m.kernels);
  fill(e.storage(m.input), 1);
  fill(e.storage(m.weights), 2);
  fill(e.storage(m.bias), 3);
  e.run();
  tolk::span<float> output = e.storage(m.output).of<float>();
  return {output.begin(), output.end()};
}

static bool same(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

int main() try {
  model m = make_model();
  tolk::plan_options off, best;
  off.no_memory_planner = 1;
  best.placer = tolk::placer::best;
  std::vector<float> want = run(m, m.graph.plan(m.schedule, {m.output}, off));

  tolk::plan plan = m.graph.plan(m.schedule, {m.output}, best);
  tolk::totals totals = plan.totals();
  bool good = same(run(m, plan), want);
  std::printf("%zu buffers of %lld bytes in %zu arena of %lld%s\n", plan.places().size(), static_cast<long long>(totals.before),
              plan.arenas().size(), static_cast<long long>(totals.after), totals.optimal ? ", the least there can be" : "");
  std::printf("numbers with and without planning: %s, output[0] = %.4f\n", good ? "the same" : "DIFFERENT", static_cast<double>(want[0]));
  return good ? 0 : 1;
} catch (const tolk::error &e) {
  std::fprintf(stderr, "%s: %s\n", tolk::to_string(e.status()), e.message());
  return 1;
}
