/*
 * tolk_memory_types.hpp - the values of tolk_memory.hpp: enums, ops, spans, records, errors.
 *
 * Include tolk_memory.hpp. What stands here is the same with and without exceptions, so that
 * files compiled either way may hand these values to each other.
 *
 * Records mirror the structs of tolk_memory.h field by field, an op being an op, an enum an enum class and a
 * pointer with its count a span. So the library's arrays are read where they lie, without a copy.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TOLK_MEMORY_TYPES_HPP
#define TOLK_MEMORY_TYPES_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#if defined(__has_include) && __cplusplus >= 202002L
#if __has_include(<ranges>)
#include <ranges>
#endif
#endif

#include "tolk_memory.h"

namespace tolk {

/* ---- Enums: the constants of tolk_memory.h, which says what each means -------- */

enum class status : std::int32_t {
  ok = TOLK_OK,
  no_room = TOLK_NO_ROOM,
  invalid_argument = TOLK_ERR_INVALID_ARGUMENT,
  invalid_handle = TOLK_ERR_INVALID_HANDLE,
  invalid_op = TOLK_ERR_INVALID_OP,
  wrong_kind = TOLK_ERR_WRONG_KIND,
  overflow = TOLK_ERR_OVERFLOW,
  limit = TOLK_ERR_LIMIT,
  parse = TOLK_ERR_PARSE,
  not_allocated = TOLK_ERR_NOT_ALLOCATED,
  buffer_too_small = TOLK_ERR_BUFFER_TOO_SMALL,
  infeasible = TOLK_ERR_INFEASIBLE,
  not_found = TOLK_ERR_NOT_FOUND,
  invalid_plan = TOLK_ERR_INVALID_PLAN,
  out_of_memory = TOLK_ERR_OUT_OF_MEMORY,
  forked = TOLK_ERR_FORKED,
  internal = TOLK_ERR_INTERNAL
};

enum class setting : std::uint32_t { no_memory_planner = TOLK_NO_MEMORY_PLANNER, debug = TOLK_DEBUG };

enum class kind : std::uint32_t {
  buffer = TOLK_KIND_BUFFER,
  alloc = TOLK_KIND_ALLOC,
  param = TOLK_KIND_PARAM,
  variable = TOLK_KIND_VARIABLE,
  const_ = TOLK_KIND_CONST,
  range = TOLK_KIND_RANGE,
  add = TOLK_KIND_ADD,
  mul = TOLK_KIND_MUL,
  shrink = TOLK_KIND_SHRINK,
  bitcast = TOLK_KIND_BITCAST,
  after = TOLK_KIND_AFTER,
  mselect = TOLK_KIND_MSELECT,
  mstack = TOLK_KIND_MSTACK,
  sink = TOLK_KIND_SINK,
  store = TOLK_KIND_STORE,
  program = TOLK_KIND_PROGRAM,
  custom_function = TOLK_KIND_CUSTOM_FUNCTION,
  call = TOLK_KIND_CALL,
  linear = TOLK_KIND_LINEAR,
  end = TOLK_KIND_END,
  backedge = TOLK_KIND_BACKEDGE
};

enum class dtype : std::uint32_t {
  void_ = TOLK_VOID,
  weak_int = TOLK_WEAK_INT,
  weak_float = TOLK_WEAK_FLOAT,
  bool_ = TOLK_BOOL,
  int8 = TOLK_INT8,
  int16 = TOLK_INT16,
  int32 = TOLK_INT32,
  int64 = TOLK_INT64,
  uint8 = TOLK_UINT8,
  uint16 = TOLK_UINT16,
  uint32 = TOLK_UINT32,
  uint64 = TOLK_UINT64,
  float8_e4m3 = TOLK_FLOAT8_E4M3,
  float8_e5m2 = TOLK_FLOAT8_E5M2,
  float16 = TOLK_FLOAT16,
  bfloat16 = TOLK_BFLOAT16,
  float32 = TOLK_FLOAT32,
  float64 = TOLK_FLOAT64
};

enum class placer : std::uint32_t {
  tlsf = TOLK_PLACER_TLSF,
  best = TOLK_PLACER_BEST,
  first_fit = TOLK_PLACER_FIRST_FIT,
  best_fit = TOLK_PLACER_BEST_FIT
};

enum class copies : std::uint32_t { shared = TOLK_COPIES_SHARED, apart = TOLK_COPIES_APART };

enum class proof : std::uint32_t { none = TOLK_PROOF_NONE, equals_bound = TOLK_PROOF_EQUALS_BOUND, exhausted = TOLK_PROOF_EXHAUSTED };

enum class stop : std::uint32_t {
  done = TOLK_STOP_DONE,
  effort = TOLK_STOP_EFFORT,
  time = TOLK_STOP_TIME,
  cancelled = TOLK_STOP_CANCELLED
};

enum class fault_kind : std::uint32_t {
  moved = TOLK_FAULT_MOVED,
  misaligned = TOLK_FAULT_MISALIGNED,
  out_of_arena = TOLK_FAULT_OUT_OF_ARENA,
  over_capacity = TOLK_FAULT_OVER_CAPACITY,
  overlap = TOLK_FAULT_OVERLAP
};

/* The name of a status, such as "TOLK_ERR_OVERFLOW"; static. */
inline const char *to_string(status s) noexcept { return tolk_status_string(static_cast<tolk_status>(s)); }
/* The name of a kind, such as "BUFFER"; static; NULL for other numbers. */
inline const char *to_string(kind k) noexcept { return tolk_kind_string(static_cast<std::uint32_t>(k)); }
/* The name of an element type, such as "float32"; static; NULL for other numbers. */
inline const char *to_string(dtype d) noexcept { return tolk_dtype_string(static_cast<std::uint32_t>(d)); }
/* The bytes of an element; 0 for types that cannot be stored. */
inline std::uint32_t size_of(dtype d) noexcept { return tolk_dtype_size(static_cast<std::uint32_t>(d)); }

/* ---- Version -------------------------------------------------------------- */

/* The version of the loaded library, in the form of TOLK_VERSION. */
inline std::uint32_t version() noexcept { return tolk_version(); }
/* The same as text, such as "0.1.0"; static. */
inline const char *version_string() noexcept { return tolk_version_string(); }
/* The ABI version of the loaded library, to compare with TOLK_ABI_VERSION. */
inline std::uint32_t abi_version() noexcept { return tolk_abi_version(); }

/* ---- Ops, spans, names ------------------------------------------------------ */

/* An op of a graph: a value of 8 bytes, no number. Ops of a graph are equal exactly if they are the same op. */
class op {
 public:
  /* No op, as TOLK_NONE. */
  constexpr op() noexcept = default;
  /* The op of a number that the C API gave. */
  constexpr explicit op(tolk_op number) noexcept : number_(number) {}

  /* Its number, for the C API. */
  constexpr tolk_op number() const noexcept { return number_; }
  constexpr explicit operator bool() const noexcept { return number_ != TOLK_NONE; }

  friend constexpr bool operator==(op a, op b) noexcept { return a.number_ == b.number_; }
  friend constexpr bool operator!=(op a, op b) noexcept { return a.number_ != b.number_; }
  friend constexpr bool operator<(op a, op b) noexcept { return a.number_ < b.number_; }

 private:
  tolk_op number_ = TOLK_NONE;
};

static_assert(sizeof(op) == sizeof(tolk_op) && std::is_trivially_copyable_v<op> && std::is_standard_layout_v<op>,
              "arrays of op are arrays of tolk_op");

/* Items that lie elsewhere, in a row: a pointer and a count. A std::span of C++20 takes one, and gives one. */
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using iterator = T *;

  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  /* Of whatever has data() and size(): a vector, an array, a string, a std::span, a span of what is not const. */
  template <class C, class P = decltype(std::declval<C &>().data()), class = decltype(std::declval<C &>().size()),
            class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]>>>
  constexpr span(C &&from) noexcept : data_(from.data()), size_(from.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  /* Requires index < size(). */
  constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }
  /* `count` items from `offset` on. Requires that they are there. */
  constexpr span subspan(std::size_t offset, std::size_t count) const noexcept { return span(data_ + offset, count); }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/* A span as a parameter, which may be written {a, b} where it is used. It is no longer good after the call: store a span. */
template <class T>
class list : public span<const T> {
 public:
  using span<const T>::span;
  constexpr list() noexcept = default;
  constexpr list(span<const T> items) noexcept : span<const T>(items) {}
  constexpr list(std::initializer_list<T> items) noexcept : span<const T>(items.begin(), items.size()) {}
};

/* A name as a parameter: text that ends in NUL. */
class name {
 public:
  constexpr name(const char *text) noexcept : text_(text) {}
  name(const std::string &text) noexcept : text_(text.c_str()) {}
  constexpr const char *c_str() const noexcept { return text_; }

 private:
  const char *text_;
};

/* ---- Errors ----------------------------------------------------------------- */

/* What went wrong: a status, and a message that names the op, the entry and the argument and says what would be right. */
class error : public std::runtime_error {
 public:
  error(tolk::status status, const std::string &message) : std::runtime_error(message), status_(status) {}
  /* The last failure on this thread, whose status is known. */
  static error last(tolk_status status) { return error(static_cast<tolk::status>(status), tolk_last_error()); }

  tolk::status status() const noexcept { return status_; }
  const char *message() const noexcept { return what(); }

 private:
  tolk::status status_;
};

/* A value or the error for which there is none, in the manner of std::expected: what calls give where there are no exceptions. */
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(tolk::error e) : state_(std::in_place_index<1>, std::move(e)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /* The value; without one it prints the error and aborts, for there is nothing to throw. */
  T &value() & { return need(), *std::get_if<0>(&state_); }
  const T &value() const & { return need(), *std::get_if<0>(&state_); }
  T &&value() && { return need(), std::move(*std::get_if<0>(&state_)); }
  T value_or(T other) && { return has_value() ? std::move(*std::get_if<0>(&state_)) : std::move(other); }
  /* These require a value, and check it as value() does. */
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(*this).value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }
  /* Requires that there is no value. */
  const tolk::error &error() const noexcept { return *std::get_if<1>(&state_); }

  /* An op, or none: so that ops go into calls at once, where none is an error too, and one look at the graph's status is enough. */
  template <class U, class = std::enable_if_t<std::is_same_v<U, op> && std::is_same_v<T, op>>>
  operator U() const noexcept {
    return has_value() ? *std::get_if<0>(&state_) : op();
  }

 private:
  void need() const {
    if (has_value()) return;
    std::fprintf(stderr, "tolk::result without a value: %s\n", error().message());
    std::abort();
  }

  std::variant<T, tolk::error> state_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept = default;
  result(tolk::error e) : error_(std::move(e)) {}

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  /* Requires that it failed. */
  const tolk::error &error() const noexcept { return *error_; }

 private:
  std::optional<tolk::error> error_;
};

/* ---- Records, as in tolk_memory.h ---------------------------------------------- */

/* Names of devices. */
using device_names = span<const char *const>;

/* A slot that no other storage has. */
inline constexpr std::int64_t fresh_slot = -1;

/* Storage to make. A name must lie where it is until the call. */
struct storage {
  tolk::dtype dtype;
  std::int64_t count;                /* elements, at least 0 */
  const char *device = nullptr;      /* the name of its device */
  device_names devices = {};         /* where it is on several: their names, instead of device */
  std::int64_t slot = fresh_slot;    /* what tells it from other storage that is alike */
  std::uint32_t align = 0;           /* 1, 2, 4, 8 or 16; 0 means 16 */
  std::uint32_t phase = 0;           /* bytes by which the first element lies past a multiple of align */

  /* The same for the C API. */
  tolk_storage c() const noexcept {
    tolk_storage s = TOLK_STORAGE_INIT;
    s.dtype = static_cast<std::uint32_t>(dtype);
    s.count = count;
    s.device = device;
    s.devices = devices.data();
    s.device_count = devices.size();
    if (slot != fresh_slot) s.slot = slot, s.has_slot = 1;
    s.align = align;
    s.phase = phase;
    return s;
  }
};

/* What an op is: tolk_op_info. A field that its kind does not have is 0. */
struct op_info {
  std::uint32_t struct_size = sizeof(op_info);
  tolk::kind kind = {};
  tolk::dtype dtype = {};
  std::uint32_t device_count = 0;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::uint64_t source_count = 0;
  std::int64_t slot = 0;
  std::uint32_t phase = 0;
  std::uint32_t align = 0;
  op base;
  std::uint64_t tag = 0;
  op start;
  op length;
  op range_count;
  std::int64_t axis = 0;
  std::uint32_t axis_kind = 0;
  std::uint32_t shard = 0;
  std::int64_t least = 0, greatest = 0;
};

/* How far a search has come: tolk_progress. */
struct progress {
  std::int64_t size, bound, spent;
};

/* Takes progress. It runs on the thread that searches and may call the library. */
using progress_callback = std::function<void(const progress &)>;

/* The most bytes of each arena on a placement: tolk_capacity. */
struct capacity {
  device_names devices;
  std::int64_t bytes;
};

/* One arena: tolk_arena. */
struct arena {
  tolk::op op;
  device_names devices;
  std::int64_t size;
  std::int64_t lower_bound;
  std::int64_t proven_bound;
  std::uint64_t peak_entry;
  span<const std::uint64_t> live;
  std::int64_t spent;
  tolk::proof proof;
  stop stopped;
  std::uint32_t copies;
  std::uint32_t reserved;
};

/* Where a buffer was placed, and when it lives: tolk_placed. */
struct placed {
  op buffer;
  std::int64_t place;
  std::int64_t start;
  std::int64_t bytes;
  std::int64_t need;
  std::uint64_t first;
  std::uint64_t end;
  std::uint32_t arena;
  std::uint32_t reserved;
};

/* bind.arena where storage is no arena. */
inline constexpr std::uint32_t no_arena = TOLK_NO_ARENA;
/* bind.argument where it is the flag of a back edge. */
inline constexpr std::uint32_t flag_argument = TOLK_FLAG;
/* bind.device where it is every device of the storage. */
inline constexpr std::uint32_t all_devices = TOLK_ALL_DEVICES;

/* What one argument of the rewritten schedule binds to: tolk_bind. */
struct bind {
  std::uint64_t entry;
  op call;
  op value;
  op storage;
  std::int64_t offset;
  std::int64_t bytes;
  std::uint32_t argument;
  std::uint32_t shard;
  std::uint32_t device;
  std::uint32_t arena;
  std::uint32_t symbolic;
  std::uint32_t reserved;
};

/* Bytes of a plan: tolk_totals. */
struct totals {
  std::uint32_t struct_size = sizeof(totals);
  std::uint32_t optimal = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t lower_bound = 0;
};

/* A buffer of one arena: tolk_lifetime. {first, end, bytes} is one that may go anywhere. */
struct lifetime {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t bytes = 0;
  std::int64_t align = 0;
  std::int64_t offset = 0;
  std::uint32_t fixed = 0;
  std::uint32_t reserved = 0;
};

/* What came of placing: tolk_place_result. */
struct place_result {
  std::uint32_t struct_size = sizeof(place_result);
  tolk::proof proof = {};
  std::uint32_t optimal = 0;
  stop stopped = {};
  std::int64_t size = 0;
  std::int64_t lower_bound = 0;
  std::int64_t proven_bound = 0;
  std::int64_t peak_entry = 0;
  std::int64_t spent = 0;
};

/* A fault of a plan: tolk_fault. */
struct fault {
  fault_kind kind;
  std::uint32_t reserved;
  std::uint64_t buffer, other;
  std::int64_t entry;
  std::int64_t from, to;
  std::int64_t got, want;
};

namespace detail {

/* The same place as another type of the same layout. */
template <class To, class From>
To *same(From *from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && std::is_standard_layout_v<From>);
  return reinterpret_cast<To *>(from);
}

inline const tolk_op *numbers(span<const op> ops) noexcept { return same<const tolk_op>(ops.data()); }

template <class Handle, auto destroy>
struct destroyer {
  void operator()(Handle *handle) const noexcept { destroy(handle); }
};

}  // namespace detail

/* ---- Text ---------------------------------------------------------------------- */

/* A text that the library gave. */
class text {
 public:
  text() noexcept = default;
  /* Takes over what the C API gave. */
  text(char *characters, std::size_t size) noexcept : characters_(characters), size_(size) {}
  text(text &&other) noexcept : characters_(std::move(other.characters_)), size_(std::exchange(other.size_, 0)) {}
  text &operator=(text &&other) noexcept {
    characters_ = std::move(other.characters_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  /* Its bytes, until it is destroyed; "" if it is empty. */
  const char *c_str() const noexcept { return characters_ ? characters_.get() : ""; }
  std::size_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {c_str(), size_}; }
  operator std::string_view() const noexcept { return view(); }

 private:
  std::unique_ptr<char, detail::destroyer<char, tolk_string_free>> characters_;
  std::size_t size_ = 0;
};

}  // namespace tolk

template <>
struct std::hash<tolk::op> {
  std::size_t operator()(tolk::op o) const noexcept { return std::hash<tolk_op>()(o.number()); }
};

#if defined(__cpp_lib_ranges)
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<tolk::span<T>> = true;
#endif

#endif /* TOLK_MEMORY_TYPES_HPP */
