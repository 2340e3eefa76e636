// Running steps: nothing here knows of plans.
#include "engine.hpp"

view engine::storage(tolk::op op) const { return storage_.at(op); }

void engine::run() { run(0, steps_.size()); }

void engine::run(std::size_t begin, std::size_t end) {
  std::vector<view> arguments;
  for (std::size_t i = begin; i < end; i++) {
    const step &s = steps_[i];
    if (s.run == nullptr) {
      run_loop(i);
      i = s.end - 1;
      continue;
    }
    arguments.clear();
    for (const argument &a : s.arguments) {
      view bytes = a.bytes;
      for (const moving_start &start : a.starts) bytes.data += value(start.scalar) * start.size;
      arguments.push_back(bytes);
    }
    (*s.run)(arguments);
  }
}

void engine::run_loop(std::size_t loop) {
  const step &s = steps_[loop];
  std::int64_t count = value(graph_.read(s.range).range_count);
  for (std::int64_t trip = 0; trip < count && (s.flag == nullptr || *s.flag); trip++) {
    trips_[s.range] = trip;
    run(loop + 1, s.end);
  }
}

// What a scalar is now. An engine with VARIABLEs would look those up as it does ranges.
std::int64_t engine::value(tolk::op scalar) const {
  tolk::op_info info = graph_.read(scalar);
  switch (info.kind) {
    case tolk::kind::range:
      return trips_.at(scalar);
    case tolk::kind::add:
      return value(graph_.source(scalar, 0)) + value(graph_.source(scalar, 1));
    case tolk::kind::mul:
      return value(graph_.source(scalar, 0)) * value(graph_.source(scalar, 1));
    default: // a CONST
      return info.least;
  }
}
