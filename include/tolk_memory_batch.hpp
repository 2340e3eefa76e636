/*
 * tolk_memory_batch.hpp - many ops of tolk_memory.hpp, described first and built in one call.
 *
 *     tolk::batch b;
 *     tolk::op x = b.buffer(f32), y = b.buffer(f32), c = b.call(b.program("relu"), {y, x});
 *     std::vector<tolk::op> built = g.build(b);
 *     tolk::op call = built[tolk::index(c)];
 *
 * Include tolk_memory.hpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOLK_MEMORY_BATCH_HPP
#define TOLK_MEMORY_BATCH_HPP

#include <deque>
#include <unordered_set>
#include <vector>

#include "tolk_memory_types.hpp"

namespace tolk {

/* The index in its batch of an op that a batch gave. */
inline std::size_t index(op of_batch) noexcept { return static_cast<std::size_t>(of_batch.number() & ~TOLK_REF(0)); }

/* Ops to build. It has the constructors of graph. What they give is good within the batch, beside ops that the graph has; graph::build
 * gives the ops of the graph in its place, and finds what is wrong. Names are copied. */
class batch {
 public:
  op buffer(const storage &s) { return stored(kind::buffer, s); }
  op alloc(const storage &s) { return stored(kind::alloc, s); }
  op param(const storage &s) { return stored(kind::param, s); }

  op variable(name n, std::int64_t least, std::int64_t greatest) {
    tolk_op_desc &d = add(kind::variable);
    d.name = keep(n.c_str());
    d.value = least;
    d.limit = greatest;
    return last();
  }
  op constant(std::int64_t value) { return valued(kind::const_, {}, value); }
  op range(op count, std::int64_t axis = 0, std::uint32_t axis_kind = 0) {
    op o = valued(kind::range, {count}, axis);
    descs_.back().axis_kind = axis_kind;
    return o;
  }
  op add(op x, op y) { return valued(kind::add, {x, y}); }
  op mul(op x, op y) { return valued(kind::mul, {x, y}); }

  op shrink(op value, std::int64_t start, std::int64_t length) { return valued(kind::shrink, {value}, start, length); }
  op shrink(op value, op start, std::int64_t length) { return valued(kind::shrink, {value, start}, 0, length); }
  op bitcast(op value, dtype to) {
    op o = valued(kind::bitcast, {value});
    descs_.back().dtype = static_cast<std::uint32_t>(to);
    return o;
  }
  op after(op value, list<op> effects) { return joined(kind::after, value, effects); }
  op mselect(op value, std::uint32_t shard) { return valued(kind::mselect, {value}, shard); }
  op mstack(list<op> parts) { return valued(kind::mstack, parts); }

  op sink(name n, std::uint64_t tag = 0, list<op> sources = {}) { return body(kind::sink, n, tag, sources); }
  op store(name n, std::uint64_t tag = 0, list<op> sources = {}) { return body(kind::store, n, tag, sources); }
  op program(name n, std::uint64_t tag = 0, list<op> sources = {}) { return body(kind::program, n, tag, sources); }
  op custom_function(name n, std::uint64_t tag = 0, list<op> sources = {}) { return body(kind::custom_function, n, tag, sources); }

  op call(op body, list<op> arguments) { return joined(kind::call, body, arguments); }
  op linear(list<op> entries) { return valued(kind::linear, entries); }
  op end(op body, list<op> ranges) { return joined(kind::end, body, ranges); }
  op backedge(op body, op loop, op flag) { return valued(kind::backedge, {body, loop, flag}); }

  std::size_t size() const noexcept { return descs_.size(); }
  /* Has it hold `ops` ops of `sources` sources altogether without growing. */
  void reserve(std::size_t ops, std::size_t sources) {
    descs_.reserve(ops);
    sources_.reserve(sources);
  }
  /* The descriptions for tolk_build; they point into the batch, and are good until it changes. */
  span<const tolk_op_desc> descs() {
    const tolk_op *next = detail::numbers(sources_);
    for (tolk_op_desc &d : descs_) {
      d.sources = next;
      next += d.source_count;
    }
    return descs_;
  }

 private:
  tolk_op_desc &add(kind k) {
    tolk_op_desc d = TOLK_OP_DESC_INIT;
    d.kind = static_cast<std::uint32_t>(k);
    descs_.push_back(d);
    return descs_.back();
  }
  op last() const noexcept { return op(TOLK_REF(descs_.size() - 1)); }

  void source(span<const op> sources) {
    sources_.insert(sources_.end(), sources.begin(), sources.end());
    descs_.back().source_count += sources.size();
  }
  op valued(kind k, list<op> sources, std::int64_t value = 0, std::int64_t limit = 0) {
    tolk_op_desc &d = add(k);
    d.value = value;
    d.limit = limit;
    source(sources);
    return last();
  }
  op joined(kind k, op first, span<const op> rest) {
    op o = valued(k, {first});
    source(rest);
    return o;
  }
  op body(kind k, name n, std::uint64_t tag, list<op> sources) {
    op o = valued(k, sources);
    descs_.back().name = keep(n.c_str());
    descs_.back().tag = tag;
    return o;
  }
  op stored(kind k, const storage &s) {
    storage_.push_back(s.c());
    tolk_storage &kept = storage_.back();
    kept.device = keep(kept.device);
    if (!s.devices.empty()) {
      auto &devices = devices_.emplace_back(s.devices.begin(), s.devices.end());
      for (const char *&device : devices) device = keep(device);
      kept.devices = devices.data();
    }
    add(k).storage = &kept;
    return last();
  }

  const char *keep(const char *text) { return text == nullptr ? nullptr : names_.emplace(text).first->c_str(); }

  std::vector<tolk_op_desc> descs_;
  std::vector<op> sources_;                      // of all descriptions in a row, so that a description needs its count only
  std::deque<tolk_storage> storage_;             // these three stay where they are
  std::deque<std::vector<const char *>> devices_;
  std::unordered_set<std::string> names_;
};

}  // namespace tolk

#endif /* TOLK_MEMORY_BATCH_HPP */
