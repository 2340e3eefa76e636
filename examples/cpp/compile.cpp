// From a plan to steps: this is where an engine meets libtolk_memory.
#include <cstring>
#include <new>

#include "engine.hpp"

namespace {
constexpr std::align_val_t arena_alignment{256}; // what tolk_arena.size asks for
}

void engine::free_bytes::operator()(std::byte *bytes) const { ::operator delete(bytes, arena_alignment); }

engine::engine(const tolk::graph &graph, const tolk::plan &plan, const kernel_table &kernels) : graph_(graph), kernels_(kernels) {
  allocate(plan);
  tolk::entries binds = plan.entries();
  std::vector<tolk::op> entries = graph.sources(plan.schedule());
  for (std::size_t e = 0; e < entries.size(); e++) {
    const tolk::bind *next = binds[e].begin(); // the binds of an entry come in the order in which it is walked
    compile(entries[e], next);
  }
}

// Fills what it gives with ones, which are no numbers as floats: who reads what was never written will see it.
std::byte *engine::new_bytes(std::int64_t size) {
  auto bytes = static_cast<std::size_t>(size);
  allocations_.emplace_back(static_cast<std::byte *>(::operator new(bytes, arena_alignment)));
  std::memset(allocations_.back().get(), 0xff, bytes);
  return allocations_.back().get();
}

void engine::allocate(const tolk::plan &plan) {
  for (const tolk::arena &arena : plan.arenas()) storage_[arena.op] = {new_bytes(arena.size), arena.size};
  for (const tolk::bind &bind : plan.binds()) {
    if (storage_.count(bind.storage) > 0) continue;
    std::int64_t size = graph_.read(bind.storage).bytes;
    storage_[bind.storage] = {new_bytes(size), size};
  }
}

void engine::compile(tolk::op entry, const tolk::bind *&next) {
  std::vector<tolk::op> sources = graph_.sources(entry);
  switch (graph_.read(entry).kind) {
    case tolk::kind::call:
      return compile_call(entry, next);
    case tolk::kind::linear:
      for (tolk::op part : sources) compile(part, next);
      return;
    case tolk::kind::end: // the body, then ranges
      return compile_loop(sources[0], {&sources[1], sources.size() - 1}, nullptr, next);
    case tolk::kind::backedge: { // the body, its range, the flag, which is bound first
      const bool *flag = bound(*next++).bytes.of<bool>().data();
      return compile_loop(sources[0], {&sources[1], 1}, flag, next);
    }
    default:
      throw std::logic_error("an entry that is none");
  }
}

void engine::compile_call(tolk::op call, const tolk::bind *&next) {
  step s;
  tolk::op_info body = graph_.read(graph_.source(call, 0));
  s.run = &kernels_.at(body.tag);
  std::uint64_t values = 0;
  for (tolk::op source : graph_.sources(call)) values += graph_.read(source).base != tolk::op(); // bodies and scalars have none
  for (; values > 0; values--) s.arguments.push_back(bound(*next++));
  steps_.push_back(std::move(s));
}

// Loops of several ranges are loops in loops.
void engine::compile_loop(tolk::op body, tolk::span<const tolk::op> ranges, const bool *flag, const tolk::bind *&next) {
  if (ranges.empty()) return compile(body, next);
  std::size_t loop = steps_.size();
  steps_.emplace_back();
  steps_[loop].range = ranges[0];
  steps_[loop].flag = flag;
  compile_loop(body, ranges.subspan(1, ranges.size() - 1), nullptr, next);
  steps_[loop].end = steps_.size();
}

// One addition an argument: the arena's address and the plan's offset.
argument engine::bound(const tolk::bind &bind) const {
  argument a{{storage_.at(bind.storage).data + bind.offset, bind.bytes}, {}};
  if (bind.symbolic) a.starts = moving_starts(bind);
  return a;
}

// Of the SHRINKs on the way from the argument to its storage, those whose start moves. This engine has one device, so no MSTACKs.
std::vector<moving_start> engine::moving_starts(const tolk::bind &bind) const {
  std::vector<moving_start> starts;
  for (tolk::op o = bind.value; o != bind.storage; o = graph_.source(o, 0)) {
    tolk::op_info info = graph_.read(o);
    if (info.kind != tolk::kind::shrink) continue;
    tolk::op_info start = graph_.read(info.start);
    if (start.least != start.greatest) starts.push_back({info.start, tolk::size_of(info.dtype)});
  }
  return starts;
}
