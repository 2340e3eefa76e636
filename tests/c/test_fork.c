/* In a child made by fork() all functions fail at once, and what was given before can be read. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "every.h"

/* Runs f in a child that has 20 seconds; gives how many checks failed there. */
static int faults_in_child(void (*f)(struct subject *), struct subject *s) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    check_faults = 0;
    f(s);
    fflush(NULL);
    _exit(check_faults > 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static void call_everything(struct subject *s) {
  for (size_t i = 0; i < COUNT(every); i++) check_row(&every[i], s, TOLK_ERR_FORKED, "made by fork()");
  FAILS(TOLK_ERR_FORKED, "made by fork()", tolk_log_set(NULL, NULL));
  EQUAL(tolk_unique_num(), -1);
  CHECK(tolk_graph_destroy(NULL) == TOLK_ERR_FORKED);
}

static void call_what_cannot_fail(struct subject *s) {
  EQUAL(tolk_version(), TOLK_VERSION);
  EQUAL(tolk_abi_version(), TOLK_ABI_VERSION);
  CHECK(strcmp(tolk_status_string(TOLK_ERR_FORKED), "TOLK_ERR_FORKED") == 0);
  CHECK(strcmp(tolk_kind_string(TOLK_KIND_CALL), "CALL") == 0);
  EQUAL(tolk_dtype_size(TOLK_FLOAT32), 4);
  tolk_string_free(NULL);
  (void)s;
}

static const tolk_bind *binds;
static tolk_schedule from_text;
static const char *device;

static void read_arrays(struct subject *s) {
  EQUAL(binds[1].bytes, 64);
  EQUAL(binds[1].offset, 256);
  CHECK(strcmp(device, "GPU") == 0);
  tolk_schedule_free(&from_text); /* memory of the C heap */
  (void)s;
}

static void fork_again(struct subject *s) { EQUAL(faults_in_child(call_everything, s), 0); }

TEST(children_get_an_error_at_once) {
  struct subject s = new_subject();
  EQUAL(faults_in_child(call_everything, &s), 0);
  EQUAL(faults_in_child(call_what_cannot_fail, &s), 0);
  EQUAL(faults_in_child(fork_again, &s), 0);
  drop_subject(&s);
}

TEST(children_read_what_was_given_before) {
  struct subject s = new_subject();
  size_t count;
  OK(tolk_plan_binds(s.plan, &binds, &count));
  OK(tolk_op_device(s.w.g, s.w.x, 0, &device));
  from_text = (tolk_schedule)TOLK_SCHEDULE_INIT;
  OK(tolk_schedule_read(s.w.g, every_text, sizeof every_text - 1, &from_text));
  EQUAL(faults_in_child(read_arrays, &s), 0);
  tolk_schedule_free(&from_text);
  drop_subject(&s);
}

TEST(the_parent_goes_on) {
  struct subject s = new_subject();
  EQUAL(faults_in_child(call_everything, &s), 0);
  for (size_t i = 0; i < COUNT(every); i++) {
    struct subject t = new_subject();
    EQUAL(every[i].call(&t), TOLK_OK);
    drop_subject(&t);
  }
  drop_subject(&s);
}
