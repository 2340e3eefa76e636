// A tiny test harness, as tests/c/check.h is for C: a program is one file of TESTs and runs all of them.
//
//     TEST(two_is_even) { CHECK(2 % 2 == 0); }
#ifndef CHECK_HPP
#define CHECK_HPP

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

#include "tolk_memory.hpp"

struct check_test {
  const char *name;
  void (*run)();
};

inline std::vector<check_test> check_tests;
inline std::atomic<int> check_faults{0};

struct check_add {
  check_add(const char *name, void (*run)()) { check_tests.push_back({name, run}); }
};

#define TEST(name)                                   \
  static void name();                                \
  static const check_add register_##name(#name, name); \
  static void name()

inline void check(bool holds, const char *file, int line, const char *what) {
  if (holds) return;
  check_faults++;
  std::fprintf(stderr, "%s:%d: %s\n    last error: %s\n", file, line, what, tolk_last_error());
}

// The condition holds; the test goes on if not.
#define CHECK(condition) check(static_cast<bool>(condition), __FILE__, __LINE__, #condition)

inline bool check_is(const tolk::error &e, tolk::status status, const char *text, const char *file, int line) {
  if (e.status() == status && std::strstr(e.message(), text) != nullptr) return true;
  std::fprintf(stderr, "%s:%d: failed with %s: %s\n    want %s: ...%s...\n", file, line, tolk::to_string(e.status()), e.message(),
               tolk::to_string(status), text);
  check_faults++;
  return false;
}

#ifdef TOLK_NO_EXCEPTIONS
template <class F>
void check_fails(tolk::status status, const char *text, F call, const char *file, int line) {
  auto got = call();
  if (!got.has_value()) return static_cast<void>(check_is(got.error(), status, text, file, line));
  check(false, file, line, "did not fail");
}
#else
template <class F>
void check_fails(tolk::status status, const char *text, F call, const char *file, int line) {
  try {
    static_cast<void>(call());
  } catch (const tolk::error &e) {
    check_is(e, status, text, file, line);
    return;
  }
  check(false, file, line, "did not fail");
}
#endif

// The call fails with this status and a message that holds the text.
#define FAILS(which, text, ...) check_fails(tolk::status::which, text, [&] { return __VA_ARGS__; }, __FILE__, __LINE__)

int main() {
  int passed = 0, failed = 0;
  for (const check_test &test : check_tests) {
    int before = check_faults;
    test.run();
    bool good = check_faults == before;
    ++(good ? passed : failed);
    if (!good) std::fprintf(stderr, "FAIL %s\n", test.name);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}

#endif
