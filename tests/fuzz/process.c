/* Steps of what belongs to the process, and of what cannot fail. */
#include "fuzz.h"

static void log_line(void *user, const char *line) {
  int64_t value;
  if (user != shared || line[0] == 0 || tolk_setting_get(TOLK_DEBUG, &value) != TOLK_OK) abort();
}

static void log_set(fuzz *f) {
  passes(f, tolk_log_set(once_in(f, 2) ? log_line : NULL, shared));
  f->outcome = 1;
}

static void setting_get(fuzz *f) {
  OUT(int64_t, value);
  uint32_t setting = mostly_below(f, 4);
  done_out(f, tolk_setting_get(setting, MAYBE(value)), &value, sizeof value);
}

static void setting_set(fuzz *f) {
  uint32_t setting = mostly_below(f, 4);
  done(f, tolk_setting_set(setting, once_in(f, 4) ? any_number(f) : 0));
}

static void unique_num(fuzz *f) {
  int64_t number = tolk_unique_num();
  MUST(number > f->unique);
  f->unique = number;
  done(f, TOLK_OK);
}

static void what_cannot_fail(fuzz *f) {
  uint32_t n = mostly_below(f, 30);
  MUST(tolk_version() == TOLK_VERSION && tolk_abi_version() == TOLK_ABI_VERSION && tolk_version_string()[0] != 0);
  MUST(tolk_status_string((tolk_status)(n - 20))[0] != 0 && tolk_last_error() != NULL);
  MUST((tolk_kind_string(n) != NULL) == (n >= TOLK_KIND_BUFFER && n <= TOLK_KIND_BACKEDGE));
  MUST((tolk_dtype_string(n) != NULL) == (n <= TOLK_FLOAT64));
  MUST((tolk_dtype_size(n) > 0) == (n >= TOLK_BOOL && n <= TOLK_FLOAT64));
  tolk_schedule_free(NULL);
  tolk_string_free(NULL);
  done(f, TOLK_OK);
}

STEPS(process_steps, STEP(log_set, 1), STEP(setting_get, 4), STEP(setting_set, 3), STEP(unique_num, 10), STEP(what_cannot_fail, 10));
