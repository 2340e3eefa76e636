/*
 * tolk_memory.hpp - tolk_memory.h for C++17 and newer: header only, without dependencies.
 *
 *     auto g = tolk::graph::create();
 *     tolk::storage f32{tolk::dtype::float32, 1024, "CUDA:0"};
 *     tolk::op x = g.param(f32), a = g.buffer(f32), b = g.buffer(f32), c = g.buffer(f32), y = g.buffer(f32);
 *     tolk::op relu = g.program("relu");
 *     tolk::op schedule = g.linear({g.call(relu, {a, x}), g.call(relu, {b, a}), g.call(relu, {c, b}), g.call(relu, {y, c})});
 *     try {
 *       auto plan = g.plan(schedule, {y});   // y outlives the schedule: it is held
 *       for (const tolk::arena &arena : plan.arenas())
 *         std::printf("%s: one allocation of %lld bytes\n", arena.devices[0], (long long)arena.size);
 *       auto calls = plan.entries();
 *       for (std::size_t e = 0; e < calls.size(); e++)
 *         for (const tolk::bind &bind : calls[e])
 *           if (bind.arena != tolk::no_arena)   // else storage of its own: bind.storage
 *             std::printf("entry %zu argument %u: arena %u, byte %lld\n", e, bind.argument, bind.arena, (long long)bind.offset);
 *     } catch (const tolk::error &e) {
 *       std::fprintf(stderr, "%s: %s\n", tolk::to_string(e.status()), e.message());
 *     }
 *
 * Conventions
 *   - What a function means is what the function of the C API means that it calls; tolk_memory.h has the ranges, the
 *     errors and the costs. Nothing is kept here that the library does not know, and nothing is allocated but
 *     what a std::vector, a std::string or a std::function of the signature holds.
 *   - Handles (graph, plan, cancel, tlsf, schedule) own, move, and destroy at their end; close() does it sooner.
 *     One that is empty, moved from or closed gives status::invalid_handle, as NULL does in C. get() is the C handle.
 *   - Failures throw tolk::error. Without exceptions (-fno-exceptions, or TOLK_NO_EXCEPTIONS defined before
 *     the include) each function that can fail gives a tolk::result of what it gives otherwise: `maybe<T>` below. A result of an op
 *     goes into further calls as it is, so that a schedule may be built whole and graph::status() looked at once.
 *   - Files of both kinds may be linked into one program: handles and functions are in an inline namespace of each kind.
 *   - Spans over a plan's arrays are good until the plan is destroyed. Parameters of type list and name are written {a, b} and "text" and
 *     need not outlive the call.
 *   - Threads: as in C. A const member is safe to call at the same time from several threads; so is all of graph but moves and close.
 *
 * All of it is since 0.1.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOLK_MEMORY_HPP
#define TOLK_MEMORY_HPP

#include <exception>
#include <mutex>
#include <vector>

#include "tolk_memory_batch.hpp"
#include "tolk_memory_types.hpp"

#if !defined(TOLK_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define TOLK_NO_EXCEPTIONS
#endif

namespace tolk {

/* ---- Failures, either way ---------------------------------------------------- */

#ifdef TOLK_NO_EXCEPTIONS
inline namespace returning {

/* What a function gives that can fail. */
template <class T>
using maybe = result<T>;

namespace calls {

template <class T>
maybe<T> refuse(error e) {
  return e;
}

/* What a call gives that came to a status: value(), or the failure. */
template <class F>
auto give(tolk_status status, F value) -> maybe<decltype(value())> {
  if (status < 0) return error::last(status);
  return value();
}

inline maybe<void> done(tolk_status status) {
  if (status < 0) return error::last(status);
  return {};
}
#else
inline namespace throwing {

/* What a function gives that can fail: it throws an error then. */
template <class T>
using maybe = T;

namespace calls {

template <class T>
[[noreturn]] T refuse(const error &e) {
  throw e;
}

inline void done(tolk_status status) {
  if (status < 0) throw error::last(status);
}

/* What a call gives that came to a status: value(), or the failure. */
template <class F>
auto give(tolk_status status, F value) -> decltype(value()) {
  done(status);
  return value();
}
#endif

inline maybe<op> made(tolk_op number) {
  return give(number == TOLK_NONE ? tolk_last_status() : TOLK_OK, [&] { return op(number); });
}

/* All items of a list whose length the first call tells. */
template <class F>
maybe<std::vector<op>> all(F fill) {
  std::size_t count = 0;
  tolk_status status = fill(nullptr, 0, &count);
  std::vector<op> ops(status == TOLK_ERR_BUFFER_TOO_SMALL ? count : 0);
  if (!ops.empty()) status = fill(detail::same<tolk_op>(ops.data()), ops.size(), &count);
  return give(status, [&] { return std::move(ops); });
}

/* The array that a function of a plan gives. */
template <class T, class C>
maybe<span<const T>> array(const tolk_plan *plan, tolk_status (*read)(const tolk_plan *, const C **, std::size_t *)) {
  const C *items = nullptr;
  std::size_t count = 0;
  tolk_status status = read(plan, &items, &count);
  return give(status, [&] { return span<const T>(detail::same<const T>(items), count); });
}

template <class F>
maybe<text> written(F write) {
  char *characters = nullptr;
  std::size_t size = 0;
  tolk_status status = write(&characters, &size);
  return give(status, [&] { return text(characters, size); });
}

/* What is wrong with an array of the caller that is too short. */
inline error short_array(const char *array, std::size_t size, std::size_t want) {
  return error(status::invalid_argument, std::string(array) + " has room for " + std::to_string(size) + " items, and " + std::to_string(want) + " are wanted");
}

/* A handle that owns. */
template <class C, tolk_status (*destroy)(C *)>
class handle {
 public:
  handle() noexcept = default;
  /* Takes over a handle of the C API. */
  explicit handle(C *c) noexcept : c_(c) {}

  /* The handle of the C API; NULL when empty. */
  C *get() const noexcept { return c_.get(); }
  explicit operator bool() const noexcept { return c_ != nullptr; }
  /* The handle of the C API, which the caller destroys from now on. */
  C *release() noexcept { return c_.release(); }
  /* Destroys it now. Empty does nothing. */
  maybe<void> close() { return done(destroy(c_.release())); }

 private:
  std::unique_ptr<C, detail::destroyer<C, destroy>> c_;
};

/* A callable that C calls with progress. What it throws is kept, and thrown when the search has ended. */
class reporter {
 public:
  explicit reporter(const progress_callback &report) noexcept : report_(report) {}

  tolk_progress_callback callback() const noexcept { return report_ ? &reporter::call : nullptr; }

#ifdef TOLK_NO_EXCEPTIONS
  void rethrow() const noexcept {}

 private:
  static void call(void *self, const tolk_progress *progress) {
    static_cast<reporter *>(self)->report_(*detail::same<const tolk::progress>(progress));
  }
#else
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static void call(void *user, const tolk_progress *progress) noexcept {
    auto *self = static_cast<reporter *>(user);
    if (self->thrown_) return;
    try {
      self->report_(*detail::same<const tolk::progress>(progress));
    } catch (...) {
      self->thrown_ = std::current_exception();
    }
  }

  std::exception_ptr thrown_;
#endif

  const progress_callback &report_;
};

}  // namespace calls

/* ---- Settings ------------------------------------------------------------------ */

/* The value of a process-wide setting. */
inline maybe<std::int64_t> setting_get(setting which) {
  std::int64_t value = 0;
  tolk_status status = tolk_setting_get(static_cast<std::uint32_t>(which), &value);
  return calls::give(status, [&] { return value; });
}

/* Gives a setting a value for the whole process. */
inline maybe<void> setting_set(setting which, std::int64_t value) {
  return calls::done(tolk_setting_set(static_cast<std::uint32_t>(which), value));
}

/* The next number of the process-wide counter that slots come from. */
inline maybe<std::int64_t> unique_num() {
  std::int64_t number = tolk_unique_num();
  return calls::give(number < 0 ? tolk_last_status() : TOLK_OK, [&] { return number; });
}

/* Has `take` called with each line that planning prints with the setting debug, on the thread that plans; none ends that. It must not throw. It
 * stays alive while another thread is in it. */
inline maybe<void> log_set(std::function<void(const char *line)> take) {
  using callable = std::function<void(const char *)>;
  static std::mutex lock;
  static auto *current = new std::shared_ptr<callable>;  // never destroyed: threads may plan until the very end
  auto next = take ? std::make_shared<callable>(std::move(take)) : nullptr;
  tolk_log_callback call = [](void *, const char *line) {
    lock.lock();
    std::shared_ptr<callable> held = *current;
    lock.unlock();
    if (held) (*held)(line);
  };
  std::lock_guard<std::mutex> guard(lock);
  tolk_status status = tolk_log_set(next ? call : nullptr, nullptr);
  if (status >= 0) current->swap(next);
  return calls::done(status);
}

/* ---- Options --------------------------------------------------------------------- */

/* Stops searches from another thread. */
class cancel : public calls::handle<tolk_cancel, tolk_cancel_destroy> {
 public:
  using handle::handle;

  /* A new one. */
  static maybe<cancel> create() {
    tolk_cancel *c = nullptr;
    tolk_status status = tolk_cancel_create(&c);
    return calls::give(status, [&] { return cancel(c); });
  }

  /* Has every search that was given it, now or later, stop at once with its best plan so far. */
  maybe<void> request() const { return calls::done(tolk_cancel_request(get())); }
};

namespace calls {

/* An empty cancel is a mistake of the caller, which NULL would hide; this is the handle of nothing. */
inline tolk_cancel *given(const cancel *c) noexcept {
  if (c == nullptr) return nullptr;
  return *c ? c->get() : reinterpret_cast<tolk_cancel *>(UINTPTR_MAX);
}

}  // namespace calls

/* How to plan: tolk_plan_options. */
struct plan_options {
  tolk::copies copies = tolk::copies::shared;
  tolk::placer placer = tolk::placer::tlsf;
  std::optional<std::int64_t> no_memory_planner = {}; /* instead of the setting, if given */
  std::optional<std::int64_t> debug = {};             /* the same */
  std::int64_t granule = 0;                           /* bytes that needs are rounded up to; 0 means 256 */
  std::int64_t effort = 0;                            /* steps that placer::best may spend on an arena; 0 means the default */
  std::int64_t time_limit_ms = 0;                     /* 0 means none */
  span<const capacity> capacities = {};               /* the most bytes of arenas on some placements */
  progress_callback progress = {};                    /* what it throws, plan() throws when the search has ended */
  const tolk::cancel *cancel = nullptr;

  /* The same for the C API, but for progress. */
  tolk_plan_options c() const noexcept {
    tolk_plan_options o = TOLK_PLAN_OPTIONS_INIT;
    o.copies = static_cast<std::uint32_t>(copies);
    o.placer = static_cast<std::uint32_t>(placer);
    o.overrides = (no_memory_planner ? std::uint32_t{TOLK_OVERRIDE_NO_MEMORY_PLANNER} : 0) | (debug ? std::uint32_t{TOLK_OVERRIDE_DEBUG} : 0);
    o.no_memory_planner = no_memory_planner.value_or(0);
    o.debug = debug.value_or(0);
    o.granule = granule;
    o.effort = effort;
    o.time_limit_ms = time_limit_ms;
    o.capacities = detail::same<const tolk_capacity>(capacities.data());
    o.capacity_count = capacities.size();
    o.cancel = calls::given(cancel);
    return o;
  }
};

/* How to place lifetimes: tolk_place_options. */
struct place_options {
  tolk::placer placer = tolk::placer::tlsf;
  std::int64_t granule = 0;  /* 0 means 1 */
  std::int64_t capacity = 0; /* the most bytes of the arena; 0 means any */
  std::int64_t effort = 0;
  std::int64_t time_limit_ms = 0;
  progress_callback progress = {}; /* what it throws, place() throws when the search has ended */
  const tolk::cancel *cancel = nullptr;

  /* The same for the C API, but for progress. */
  tolk_place_options c() const noexcept {
    tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;
    o.placer = static_cast<std::uint32_t>(placer);
    o.granule = granule;
    o.capacity = capacity;
    o.effort = effort;
    o.time_limit_ms = time_limit_ms;
    o.cancel = calls::given(cancel);
    return o;
  }
};

/* ---- Plans ---------------------------------------------------------------------------- */

/* The binds of a plan, entry by entry: begins has one item more than there are entries. */
class entries {
 public:
  entries(span<const bind> binds, span<const std::uint64_t> begins) noexcept : binds_(binds), begins_(begins) {}

  std::size_t size() const noexcept { return begins_.size() - 1; }
  /* The binds of entry e. Requires e < size(). */
  span<const bind> operator[](std::size_t e) const noexcept {
    return binds_.subspan(static_cast<std::size_t>(begins_[e]), static_cast<std::size_t>(begins_[e + 1] - begins_[e]));
  }

 private:
  span<const bind> binds_;
  span<const std::uint64_t> begins_;
};

/* A plan. Its arrays lie in C memory and stay where they are when it is moved; asking for one costs a call into Go, reading it none.
 * A plan that is about to end gives none: for (auto &b : g.plan(s).binds()) would read what is gone. */
class plan : public calls::handle<tolk_plan, tolk_plan_destroy> {
 public:
  using handle::handle;

  /* The arenas, in order of the first buffer placed in each: what to allocate. */
  maybe<span<const arena>> arenas() const & { return calls::array<arena>(get(), tolk_plan_arenas); }
  /* The planned buffers, in order of first use. */
  maybe<span<const placed>> places() const & { return calls::array<placed>(get(), tolk_plan_places); }
  /* What every argument that is a value binds to, in order of entry, call, argument, shard. */
  maybe<span<const bind>> binds() const & { return calls::array<bind>(get(), tolk_plan_binds); }
  /* Where the binds of each entry begin, and behind the last. */
  maybe<span<const std::uint64_t>> begins() const & { return calls::array<std::uint64_t>(get(), tolk_plan_entries); }
  /* The binds by entry. */
  maybe<tolk::entries> entries() const & {
    const tolk_bind *binds = nullptr;
    const std::uint64_t *begins = nullptr;
    std::size_t bind_count = 0, begin_count = 0;
    tolk_status status = tolk_plan_binds(get(), &binds, &bind_count);
    if (status >= 0) status = tolk_plan_entries(get(), &begins, &begin_count);
    return calls::give(status, [&] { return tolk::entries({detail::same<const bind>(binds), bind_count}, {begins, begin_count}); });
  }
  maybe<span<const arena>> arenas() const && = delete;
  maybe<span<const placed>> places() const && = delete;
  maybe<span<const bind>> binds() const && = delete;
  maybe<span<const std::uint64_t>> begins() const && = delete;
  maybe<tolk::entries> entries() const && = delete;

  maybe<tolk::totals> totals() const {
    tolk::totals t;
    tolk_status status = tolk_plan_totals(get(), detail::same<tolk_totals>(&t));
    return calls::give(status, [&] { return t; });
  }
  /* The rewritten schedule. */
  maybe<op> schedule() const {
    tolk_op planned = TOLK_NONE;
    tolk_status status = tolk_plan_schedule(get(), &planned);
    return calls::give(status, [&] { return op(planned); });
  }
  /* Fails with status::invalid_plan unless its places are right by a checker that shares no code with the placers. */
  maybe<void> verify() const { return calls::done(tolk_plan_verify(get())); }
};

/* A schedule that was read from a text. Its ops are the graph's. As a plan, it gives no array when it is about to end. */
class schedule {
 public:
  schedule() noexcept = default;
  /* Takes over what tolk_schedule_read filled. */
  explicit schedule(const tolk_schedule &read) noexcept : read_(read) {}
  schedule(schedule &&other) noexcept : read_(std::exchange(other.read_, none())) {}
  schedule &operator=(schedule &&other) noexcept {
    std::swap(read_, other.read_);
    return *this;
  }
  ~schedule() { tolk_schedule_free(&read_); }

  /* The LINEAR; no op if this is empty. */
  op linear() const noexcept { return op(read_.schedule); }
  /* By index in the text. */
  span<const op> storage() const & noexcept { return {detail::same<const op>(read_.storage), static_cast<std::size_t>(read_.storage_count)}; }
  /* The storage marked as held. */
  span<const op> held() const & noexcept { return {detail::same<const op>(read_.held), static_cast<std::size_t>(read_.held_count)}; }
  const char *name() const & noexcept { return read_.name != nullptr ? read_.name : ""; }
  span<const op> storage() const && = delete;
  span<const op> held() const && = delete;
  const char *name() const && = delete;

 private:
  static tolk_schedule none() noexcept { return TOLK_SCHEDULE_INIT; }

  tolk_schedule read_ = none();
};

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* A graph owns ops: building one that is equal to one of the graph gives that one. */
class graph : public calls::handle<tolk_graph, tolk_graph_destroy> {
 public:
  using handle::handle;

  /* A new empty graph. */
  static maybe<graph> create() {
    tolk_graph *g = nullptr;
    tolk_status status = tolk_graph_create(&g);
    return calls::give(status, [&] { return graph(g); });
  }

  /* Storage that the schedule allocates: what planning places. */
  maybe<op> buffer(const storage &s) { return made(tolk_buffer, s); }
  /* Call-local storage; never planned. */
  maybe<op> alloc(const storage &s) { return made(tolk_alloc, s); }
  /* Storage that whoever runs the schedule binds; never planned. */
  maybe<op> param(const storage &s) { return made(tolk_param, s); }

  /* A scalar in [least, greatest] that is known when the schedule runs. */
  maybe<op> variable(name n, std::int64_t least, std::int64_t greatest) { return calls::made(tolk_variable(get(), n.c_str(), least, greatest)); }
  /* The scalar value. */
  maybe<op> constant(std::int64_t value) { return calls::made(tolk_const(get(), value)); }
  /* A loop's variable in [0, count). */
  maybe<op> range(op count, std::int64_t axis = 0, std::uint32_t axis_kind = 0) {
    return calls::made(tolk_range(get(), count.number(), axis, axis_kind));
  }
  maybe<op> add(op x, op y) { return calls::made(tolk_add(get(), x.number(), y.number())); }
  maybe<op> mul(op x, op y) { return calls::made(tolk_mul(get(), x.number(), y.number())); }

  /* Elements [start, start+length) of a value. */
  maybe<op> shrink(op value, std::int64_t start, std::int64_t length) { return calls::made(tolk_shrink(get(), value.number(), start, length)); }
  /* The same with a start that is a scalar. */
  maybe<op> shrink(op value, op start, std::int64_t length) {
    return calls::made(tolk_shrink_at(get(), value.number(), start.number(), length));
  }
  /* The bytes of a value at another type. */
  maybe<op> bitcast(op value, dtype to) { return calls::made(tolk_bitcast(get(), value.number(), static_cast<std::uint32_t>(to))); }
  /* A value, ordered after the effects. */
  maybe<op> after(op value, list<op> effects) { return calls::made(tolk_after(get(), value.number(), detail::numbers(effects), effects.size())); }
  /* The part of a value on several devices that is on the device at index shard. */
  maybe<op> mselect(op value, std::uint32_t shard) { return calls::made(tolk_mselect(get(), value.number(), shard)); }
  /* One value on several devices, of parts on one device each. */
  maybe<op> mstack(list<op> parts) { return calls::made(tolk_mstack(get(), detail::numbers(parts), parts.size())); }

  /* Bodies of calls, opaque to planning: a name, a number of the caller's own, and any ops. A call of a store is a copy. */
  maybe<op> sink(name n, std::uint64_t tag = 0, list<op> sources = {}) { return made(tolk_sink, n, tag, sources); }
  maybe<op> store(name n, std::uint64_t tag = 0, list<op> sources = {}) { return made(tolk_store, n, tag, sources); }
  maybe<op> program(name n, std::uint64_t tag = 0, list<op> sources = {}) { return made(tolk_program, n, tag, sources); }
  maybe<op> custom_function(name n, std::uint64_t tag = 0, list<op> sources = {}) { return made(tolk_custom_function, n, tag, sources); }

  /* One piece of work: a body on arguments. */
  maybe<op> call(op body, list<op> arguments) { return made(tolk_call, body, arguments); }
  /* A schedule, or what a loop repeats: entries in order. */
  maybe<op> linear(list<op> entries) { return calls::made(tolk_linear(get(), detail::numbers(entries), entries.size())); }
  /* body once per value of the ranges. */
  maybe<op> end(op body, list<op> ranges) { return made(tolk_end, body, ranges); }
  /* body for as long as flag, a value of one bool, holds before a trip of loop, a RANGE. */
  maybe<op> backedge(op body, op loop, op flag) { return calls::made(tolk_backedge(get(), body.number(), loop.number(), flag.number())); }

  /* The ops of a batch, by index, built in one call: all or none. */
  maybe<std::vector<op>> build(batch &b) {
    span<const tolk_op_desc> descs = b.descs();
    std::vector<op> ops(descs.size());
    tolk_status status = tolk_build(get(), descs.data(), descs.size(), detail::same<tolk_op>(ops.data()));
    return calls::give(status, [&] { return std::move(ops); });
  }
  /* Builds described ops in one call and writes them to ops, which has room for as many. */
  maybe<void> build(span<const tolk_op_desc> descs, span<op> ops) {
    if (ops.size() < descs.size()) return calls::refuse<void>(calls::short_array("ops", ops.size(), descs.size()));
    return calls::done(tolk_build(get(), descs.data(), descs.size(), detail::same<tolk_op>(ops.data())));
  }

  /* The status of the first constructor that failed, ok if none did; invalid_handle for an empty graph. */
  tolk::status status() const noexcept { return static_cast<tolk::status>(tolk_graph_error(get())); }
  maybe<std::uint64_t> op_count() const {
    std::uint64_t count = 0;
    tolk_status status = tolk_graph_op_count(get(), &count);
    return calls::give(status, [&] { return count; });
  }

  /* All that is known of an op but its strings and sources. */
  maybe<op_info> read(op o) const {
    op_info info;
    tolk_status status = tolk_op_read(get(), o.number(), detail::same<tolk_op_info>(&info));
    return calls::give(status, [&] { return info; });
  }
  /* Source `index` of an op, below its source_count. */
  maybe<op> source(op o, std::uint64_t index) const {
    tolk_op source = TOLK_NONE;
    tolk_status status = tolk_op_source(get(), o.number(), index, &source);
    return calls::give(status, [&] { return op(source); });
  }
  maybe<std::vector<op>> sources(op o) const {
    return calls::all([&](tolk_op *to, std::size_t capacity, std::size_t *count) { return tolk_op_sources(get(), o.number(), to, capacity, count); });
  }
  /* Writes all sources to `to` and gives their number; status::buffer_too_small if they do not fit. */
  maybe<std::size_t> sources(op o, span<op> to) const {
    std::size_t count = 0;
    tolk_status status = tolk_op_sources(get(), o.number(), detail::same<tolk_op>(to.data()), to.size(), &count);
    return calls::give(status, [&] { return count; });
  }
  /* The storage that an entry of a schedule takes, each once in the order of its first use. */
  maybe<std::vector<op>> taken(op entry) const {
    return calls::all([&](tolk_op *to, std::size_t capacity, std::size_t *count) { return tolk_taken(get(), entry.number(), to, capacity, count); });
  }
  /* The same to `to`, and its number; status::buffer_too_small if it does not fit. */
  maybe<std::size_t> taken(op entry, span<op> to) const {
    std::size_t count = 0;
    tolk_status status = tolk_taken(get(), entry.number(), detail::same<tolk_op>(to.data()), to.size(), &count);
    return calls::give(status, [&] { return count; });
  }
  /* The name of device `index` of a value; the graph's, until it is destroyed. */
  maybe<const char *> device(op value, std::uint32_t index = 0) const {
    const char *device = nullptr;
    tolk_status status = tolk_op_device(get(), value.number(), index, &device);
    return calls::give(status, [&] { return device; });
  }
  /* The name of a VARIABLE or a body; the graph's, until it is destroyed. */
  maybe<const char *> name_of(op o) const {
    const char *name = nullptr;
    tolk_status status = tolk_op_name(get(), o.number(), &name);
    return calls::give(status, [&] { return name; });
  }

  /* Where the buffers of a schedule go. Those in held keep storage of their own, as their contents outlive it. plan::schedule() is the
   * schedule with the bytes of arenas in their place. */
  maybe<tolk::plan> plan(op schedule, list<op> held = {}, const plan_options &options = {}) {
    calls::reporter reporter(options.progress);
    tolk_plan *c = nullptr;
    tolk_status status = rewrite(schedule, held, options, reporter, nullptr, &c);
    tolk::plan owned(c);
    reporter.rethrow();
    return calls::give(status, [&] { return std::move(owned); });
  }
  /* The rewritten schedule alone, for callers that need no plan. */
  maybe<op> rewrite(op schedule, list<op> held = {}, const plan_options &options = {}) {
    calls::reporter reporter(options.progress);
    tolk_op planned = TOLK_NONE;
    tolk_status status = rewrite(schedule, held, options, reporter, &planned, nullptr);
    reporter.rethrow();
    return calls::give(status, [&] { return op(planned); });
  }

  /* The schedule of a text, built in this graph. */
  maybe<tolk::schedule> read_schedule(std::string_view text) {
    tolk_schedule read = TOLK_SCHEDULE_INIT;
    tolk_status status = tolk_schedule_read(get(), text.data(), text.size(), &read);
    return calls::give(status, [&] { return tolk::schedule(read); });
  }
  /* The text of a schedule, to be planned again with the same plan. */
  maybe<text> write(op schedule, name n = "", list<op> held = {}) const {
    return calls::written([&](char **text, std::size_t *size) {
      return tolk_schedule_write(get(), schedule.number(), n.c_str(), detail::numbers(held), held.size(), text, size);
    });
  }
  /* The text of a plan that was made in this graph. */
  maybe<text> write(const tolk::plan &p) const {
    return calls::written([&](char **text, std::size_t *size) { return tolk_plan_write(get(), p.get(), text, size); });
  }
  /* An op and all that it is built on, a line each, by the numbers that messages use. */
  maybe<text> print(op o) const {
    return calls::written([&](char **text, std::size_t *size) { return tolk_op_print(get(), o.number(), text, size); });
  }
  /* Fails with status::internal unless the graph's tables agree with each other. */
  maybe<void> check() const { return calls::done(tolk_graph_check(get())); }

 private:
  maybe<op> made(tolk_op (*make)(tolk_graph *, const tolk_storage *), const storage &s) {
    tolk_storage c = s.c();
    return calls::made(make(get(), &c));
  }
  maybe<op> made(tolk_op (*make)(tolk_graph *, const char *, std::uint64_t, const tolk_op *, std::size_t), name n, std::uint64_t tag,
                 list<op> sources) {
    return calls::made(make(get(), n.c_str(), tag, detail::numbers(sources), sources.size()));
  }
  maybe<op> made(tolk_op (*make)(tolk_graph *, tolk_op, const tolk_op *, std::size_t), op body, list<op> sources) {
    return calls::made(make(get(), body.number(), detail::numbers(sources), sources.size()));
  }
  tolk_status rewrite(op schedule, span<const op> held, const plan_options &options, calls::reporter &reporter, tolk_op *planned, tolk_plan **plan) {
    tolk_plan_options c = options.c();
    c.progress = reporter.callback();
    c.progress_user = &reporter;
    return tolk_memory_plan_rewrite(get(), schedule.number(), detail::numbers(held), held.size(), &c, planned, plan);
  }
};

/* ---- Placing lifetimes, without ops ------------------------------------------------ */

/* Writes an offset for each buffer to offsets, which has room for as many, so that buffers that live at once share no byte. */
inline maybe<place_result> place(span<const lifetime> buffers, span<std::int64_t> offsets, const place_options &options = {}) {
  if (offsets.size() < buffers.size()) return calls::refuse<place_result>(calls::short_array("offsets", offsets.size(), buffers.size()));
  calls::reporter reporter(options.progress);
  tolk_place_options c = options.c();
  c.progress = reporter.callback();
  c.progress_user = &reporter;
  place_result result;
  tolk_status status = tolk_place(detail::same<const tolk_lifetime>(buffers.data()), buffers.size(), &c, offsets.data(),
                                  detail::same<tolk_place_result>(&result));
  reporter.rethrow();
  return calls::give(status, [&] { return result; });
}

/* The number of faults of offsets, by whomever, as a plan for the buffers in an arena of `size` bytes, of which the first go to faults; 0 if
 * they are right. Of options granule and capacity count. */
inline maybe<std::size_t> place_faults(span<const lifetime> buffers, span<const std::int64_t> offsets, std::int64_t size, span<fault> faults = {},
                                       const place_options &options = {}) {
  if (offsets.size() < buffers.size()) return calls::refuse<std::size_t>(calls::short_array("offsets", offsets.size(), buffers.size()));
  tolk_place_options c = options.c();
  std::size_t count = 0;
  tolk_status status = tolk_place_verify(detail::same<const tolk_lifetime>(buffers.data()), buffers.size(), &c, offsets.data(), size,
                                         detail::same<tolk_fault>(faults.data()), faults.size(), &count);
  return calls::give(status == TOLK_ERR_INVALID_PLAN ? TOLK_OK : status, [&] { return count; });
}

/* The same, but that a fault is a failure of status::invalid_plan, whose message names the first. */
inline maybe<void> place_verify(span<const lifetime> buffers, span<const std::int64_t> offsets, std::int64_t size, const place_options &options = {}) {
  if (offsets.size() < buffers.size()) return calls::refuse<void>(calls::short_array("offsets", offsets.size(), buffers.size()));
  tolk_place_options c = options.c();
  return calls::done(tolk_place_verify(detail::same<const tolk_lifetime>(buffers.data()), buffers.size(), &c, offsets.data(), size, nullptr, 0, nullptr));
}

/* ---- Text ---------------------------------------------------------------------------- */

/* The answer to a request to plan, both JSON as docs/formats.md has it. */
inline maybe<text> plan_text(std::string_view request) {
  return calls::written([&](char **answer, std::size_t *size) { return tolk_plan_text(request.data(), request.size(), answer, size); });
}

/* ---- The allocator --------------------------------------------------------------------- */

/* A two-level segregated fit allocator over offsets; it touches no memory. */
class tlsf : public calls::handle<tolk_tlsf, tolk_tlsf_destroy> {
 public:
  using handle::handle;

  /* One of addresses [base, base + size). */
  static maybe<tlsf> create(std::int64_t size, std::int64_t base = 0, std::int64_t block_size = TOLK_TLSF_BLOCK_SIZE,
                            std::int64_t list_count = TOLK_TLSF_LIST_COUNT) {
    tolk_tlsf *t = nullptr;
    tolk_status status = tolk_tlsf_create(size, base, block_size, list_count, &t);
    return calls::give(status, [&] { return tlsf(t); });
  }

  /* The start of a free block of `size` bytes whose distance from base is a multiple of align; none if there is no room. */
  maybe<std::optional<std::int64_t>> alloc(std::int64_t size, std::int64_t align = 1) {
    std::int64_t address = 0;
    tolk_status status = tolk_tlsf_alloc(get(), size, align, &address);
    return calls::give(status, [&] { return status == TOLK_NO_ROOM ? std::nullopt : std::optional(address); });
  }
  /* Frees the block that starts at address. */
  maybe<void> free(std::int64_t address) { return calls::done(tolk_tlsf_free(get(), address)); }
};

}  // namespace throwing or returning
}  // namespace tolk

#endif /* TOLK_MEMORY_HPP */
