/*
 * A tiny test harness. A program is one file of TESTs; it runs all of them, or those that its arguments name:
 *
 *     TEST(two_is_even) { CHECK(2 % 2 == 0); }
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct {
  const char *name;
  void (*run)(void);
} check_tests[200];
static int check_count;
static atomic_int check_faults;

static void check_add(const char *name, void (*run)(void)) {
  check_tests[check_count].name = name;
  check_tests[check_count++].run = run;
}

#define TEST(name)                                                                            \
  static void name(void);                                                                     \
  __attribute__((constructor)) static void register_##name(void) { check_add(#name, name); } \
  static void name(void)

static inline void check(int holds, const char *file, int line, const char *what) {
  if (holds) return;
  check_faults++;
  fprintf(stderr, "%s:%d: %s\n    last error: %s\n", file, line, what, tolk_last_error());
}

/* The condition holds; the test goes on if not. */
#define CHECK(condition) check((condition) != 0, __FILE__, __LINE__, #condition)

/* The same, for what the rest of the program cannot do without. */
#define REQUIRE(condition)                \
  do {                                    \
    if (!(condition)) {                   \
      check(0, __FILE__, __LINE__, #condition); \
      exit(2);                            \
    }                                     \
  } while (0)

#define OK(call) CHECK((call) == TOLK_OK)

static inline void check_failure(tolk_status got, tolk_status want, const char *text, const char *file, int line, const char *what) {
  if (got == want && tolk_last_status() == want && strstr(tolk_last_error(), text) != NULL) return;
  check_faults++;
  fprintf(stderr, "%s:%d: %s\n    is %s, not %s\n    message: %s\n    want: ...%s...\n", file, line, what, tolk_status_string(got),
          tolk_status_string(want), tolk_last_error(), text);
}

/* The call gives this error, and a message that holds the text. */
#define FAILS(status, text, call) check_failure(call, status, text, __FILE__, __LINE__, #call)

static inline void check_number(long long got, long long want, const char *file, int line, const char *what) {
  if (got == want) return;
  check_faults++;
  fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, got, want);
}

/* Two integers are equal. */
#define EQUAL(got, want) check_number((long long)(got), (long long)(want), __FILE__, __LINE__, #got)

static int check_is_named(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return 1;
  return argc == 1;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  for (int i = 0; i < check_count; i++) {
    if (!check_is_named(check_tests[i].name, argc, argv)) continue;
    int before = check_faults;
    check_tests[i].run();
    if (check_faults == before) {
      passed++;
      continue;
    }
    failed++;
    fprintf(stderr, "FAIL %s\n", check_tests[i].name);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0 || passed == 0;
}

#endif
