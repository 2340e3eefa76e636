/* What becomes of a panic: for a library built with -tags tolk_panic, where TOLK_PANIC in the environment makes every call panic. */
#define _GNU_SOURCE
#include "every.h"

TEST(every_panic_is_an_error) {
  for (size_t i = 0; i < COUNT(every); i++) {
    struct subject s = new_subject();
    setenv("TOLK_PANIC", "1", 1);
    check_row(&every[i], &s, TOLK_ERR_INTERNAL, "internal error: on purpose");
    unsetenv("TOLK_PANIC");
    EQUAL(every[i].call(&s), TOLK_OK);
    drop_subject(&s);
  }
}
