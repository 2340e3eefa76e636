/* Settings, the environment they start from, and the line that TOLK_DEBUG prints. In order: the first test is the first use. */
#define _GNU_SOURCE
#include <unistd.h>

#include "world.h"

static int64_t setting(uint32_t number) {
  int64_t value = 77;
  OK(tolk_setting_get(number, &value));
  return value;
}

TEST(the_first_use_reads_the_environment) {
  setenv("DEBUG", "2", 1); /* long after the library was loaded */
  setenv("NO_MEMORY_PLANNER", "no integer", 1);
  EQUAL(setting(TOLK_DEBUG), 2);
  EQUAL(setting(TOLK_NO_MEMORY_PLANNER), 0);
  setenv("DEBUG", "3", 1);
  EQUAL(setting(TOLK_DEBUG), 2); /* and only that */
}

TEST(settings_are_set) {
  OK(tolk_setting_set(TOLK_DEBUG, INT64_MIN));
  EQUAL(setting(TOLK_DEBUG), INT64_MIN);
  OK(tolk_setting_set(TOLK_NO_MEMORY_PLANNER, 5));
  EQUAL(setting(TOLK_NO_MEMORY_PLANNER), 5);
  OK(tolk_setting_set(TOLK_DEBUG, 0));
  uint32_t none[] = {0, 3, 256 + TOLK_DEBUG, UINT32_MAX};
  for (size_t i = 0; i < COUNT(none); i++) {
    int64_t value = 77;
    FAILS(TOLK_ERR_INVALID_ARGUMENT, "setting", tolk_setting_get(none[i], &value));
    FAILS(TOLK_ERR_INVALID_ARGUMENT, "setting", tolk_setting_set(none[i], 1));
    EQUAL(value, 77);
  }
}

static tolk_op plan_chain(const tolk_plan_options *options, tolk_op *schedule) {
  struct world w = new_world();
  tolk_op a = f32(w.g, 1000000), b = f32(w.g, 1000000), planned = TOLK_NONE;
  *schedule = LINEAR(w.g, CALL(w.g, w.k, a), CALL(w.g, w.k, b));
  OK(tolk_memory_plan_rewrite(w.g, *schedule, NULL, 0, options, &planned, NULL));
  OK(tolk_graph_destroy(w.g));
  return planned;
}

TEST(switched_off_and_overridden) {
  tolk_op schedule;
  OK(tolk_setting_set(TOLK_NO_MEMORY_PLANNER, 1));
  CHECK(plan_chain(NULL, &schedule) == schedule);
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  CHECK(plan_chain(&options, &schedule) == schedule);
  options.overrides = TOLK_OVERRIDE_NO_MEMORY_PLANNER; /* to 0 */
  CHECK(plan_chain(&options, &schedule) != schedule);
  OK(tolk_setting_set(TOLK_NO_MEMORY_PLANNER, 0));
  CHECK(plan_chain(NULL, &schedule) != schedule);
}

struct lines {
  int count;
  char last[200];
};

static void note_line(void *user, const char *line) {
  struct lines *lines = user;
  lines->count++;
  snprintf(lines->last, sizeof lines->last, "%s", line);
  tolk_op schedule;
  if (lines->count == 1) plan_chain(NULL, &schedule); /* it may call the library, which then calls it */
}

/* Two buffers of 4 MB (15625 blocks of 256), one after the other: 4 MB. */
static const char saved[] = "memory reduced from 8.00 MB -> 4.00 MB, 2 -> 1 bufs";

/* What stands on standard output since the last call, of which count copies of a line are wanted. */
static void check_printed(FILE *file, int count) {
  char line[200];
  int found = 0;
  fflush(stdout);
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = 0;
    CHECK(strcmp(line, saved) == 0);
    found++;
  }
  clearerr(file);
  EQUAL(found, count);
}

TEST(the_line_that_debugging_prints) {
  FILE *file = tmpfile();
  int out = dup(1);
  fflush(stdout);
  dup2(fileno(file), 1);
  FILE *reader = fdopen(dup(fileno(file)), "r");
  struct lines lines = {0, ""};
  tolk_op schedule;
  OK(tolk_log_set(note_line, &lines));
  plan_chain(NULL, &schedule);
  EQUAL(lines.count, 0);
  OK(tolk_setting_set(TOLK_DEBUG, 1));
  plan_chain(NULL, &schedule);
  EQUAL(lines.count, 2); /* its own and the callback's */
  CHECK(strcmp(lines.last, saved) == 0);
  tolk_plan_options quiet = TOLK_PLAN_OPTIONS_INIT;
  quiet.overrides = TOLK_OVERRIDE_DEBUG;
  plan_chain(&quiet, &schedule);
  EQUAL(lines.count, 2);
  OK(tolk_setting_set(TOLK_DEBUG, 0));
  quiet.debug = 1;
  plan_chain(&quiet, &schedule);
  EQUAL(lines.count, 3);
  OK(tolk_log_set(NULL, NULL));
  plan_chain(&quiet, &schedule); /* printed all the same */
  EQUAL(lines.count, 3);
  fflush(stdout);
  rewind(reader);
  check_printed(reader, 4);
  dup2(out, 1);
  close(out);
  fclose(reader);
  fclose(file);
}

TEST(a_request_prints_its_line_too) {
  static const char request[] =
      "{\"schedule\": {\"tolk_schedule\": 1, \"name\": \"\", \"storage\": [{\"device\": \"GPU\", \"dtype\": \"int8\", \"count\": 4000000}, "
      "{\"device\": \"GPU\", \"dtype\": \"int8\", \"count\": 4000000}], \"entries\": [{\"call\": {\"body\": \"sink\", \"args\": [0]}}, "
      "{\"call\": {\"body\": \"sink\", \"args\": [1]}}]}, \"options\": {\"debug\": 1}}";
  struct lines lines = {1, ""};
  char *text;
  size_t len;
  OK(tolk_log_set(note_line, &lines));
  OK(tolk_plan_text(request, sizeof request - 1, &text, &len));
  tolk_string_free(text);
  EQUAL(lines.count, 2);
  CHECK(strcmp(lines.last, saved) == 0);
  OK(tolk_log_set(NULL, NULL));
}

TEST(no_line_where_nothing_is_saved) {
  struct lines lines = {0, ""};
  OK(tolk_log_set(note_line, &lines));
  OK(tolk_setting_set(TOLK_DEBUG, 1));
  struct world w = new_world();
  OK(tolk_memory_plan_rewrite(w.g, w.l, NULL, 0, NULL, NULL, NULL)); /* x and y live at once */
  EQUAL(lines.count, 0);
  OK(tolk_setting_set(TOLK_DEBUG, 0));
  OK(tolk_log_set(NULL, NULL));
  OK(tolk_graph_destroy(w.g));
}
