/* Steps that read and write texts. */
#include "fuzz.h"

static void plan_text(fuzz *f) {
  size_t length;
  const char *text = any_text(f, &length);
  OUT(char *, answer);
  OUT(size_t, answer_length);
  if (!done_out(f, tolk_plan_text(text, length, MAYBE(answer), &answer_length), &answer, sizeof answer)) return;
  MUST(strlen(answer) == answer_length);
  digest(f, answer, answer_length);
  tolk_string_free(answer);
}

static void schedule_read(fuzz *f) {
  uint64_t handle;
  size_t length;
  struct object *o = any_object(f, GRAPH, &handle);
  const char *text = any_text(f, &length);
  SIZED(tolk_schedule, out);
  if (!done(f, tolk_schedule_read(AS(tolk_graph, handle), text, length, &out.is))) {
    MUST(UNTOUCHED(out));
    return;
  }
  keep_op(o, OPS_LINEAR2, out.is.schedule);
  for (uint64_t i = 0; i < out.is.held_count; i++) keep_op(o, OPS_VALUE, out.is.held[i]);
  tolk_schedule_free(&out.is);
  tolk_schedule_free(&out.is); /* of what was freed, nothing */
}

static void schedule_write(fuzz *f) {
  uint64_t handle;
  size_t count;
  struct object *o = any_object(f, GRAPH, &handle);
  tolk_op schedule = any_op(f, o, OPS_LINEAR0 + below(f, 3));
  const tolk_op *held = any_list(f, o, OPS_VALUE, OPS_STORAGE, 3, &count);
  const char *name = any_name(f);
  OUT(char *, text);
  OUT(size_t, length);
  tolk_status status = tolk_schedule_write(AS(tolk_graph, handle), schedule, name, held, count, MAYBE(text), &length);
  if (!done_out(f, status, &text, sizeof text)) return;
  MUST(strlen(text) == length);
  digest(f, text, length);
  keep_text(f, text);
}

STEPS(text_steps, STEP(plan_text, 3), STEP(schedule_read, 3), STEP(schedule_write, 8));
