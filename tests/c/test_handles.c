/* Bad handles, given to every function. */
#include "every.h"

static void **handle_in(struct subject *s, enum owner owner) {
  switch (owner) {
    case OF_GRAPH: return (void **)&s->w.g;
    case OF_PLAN: return (void **)&s->plan;
    case OF_CANCEL: return (void **)&s->cancel;
    case OF_TLSF: return (void **)&s->tlsf;
    case OF_NOTHING: break;
  }
  return NULL;
}

/* Calls each row of the table on a subject with its handle replaced. */
static void refuse_everywhere(void *bad, const char *reason) {
  struct subject s = new_subject();
  for (size_t i = 0; i < COUNT(every); i++) {
    void **handle = handle_in(&s, every[i].owner), *good;
    if (handle == NULL || (bad == NULL && every[i].null_does_nothing)) continue;
    good = *handle;
    *handle = bad;
    check_row(&every[i], &s, TOLK_ERR_INVALID_HANDLE, reason);
    *handle = good;
  }
  drop_subject(&s);
}

TEST(every_function_works_with_good_arguments) {
  for (size_t i = 0; i < COUNT(every); i++) {
    struct subject s = new_subject();
    EQUAL(every[i].call(&s), TOLK_OK);
    drop_subject(&s);
  }
}

TEST(null_handles) { refuse_everywhere(NULL, "is not valid: it is NULL"); }

TEST(made_up_handles) {
  int on_stack;
  uintptr_t made_up[] = {1, 2, 8, 4095, 4096, UINTPTR_MAX, UINTPTR_MAX - 1, (uintptr_t)1 << 63, (uintptr_t)0x7401 << 48,
                         ((uintptr_t)0x7401 << 48) + 0xffffffff};
  for (size_t i = 0; i < COUNT(made_up); i++) refuse_everywhere((void *)made_up[i], "made up");
  refuse_everywhere(&on_stack, "made up");
}

TEST(stale_handles) {
  struct subject s = new_subject(), gone = s;
  drop_subject(&s);
  refuse_everywhere(gone.w.g, "destroyed");
  refuse_everywhere(gone.plan, "destroyed");
  refuse_everywhere(gone.cancel, "destroyed");
  refuse_everywhere(gone.tlsf, "destroyed");
}

TEST(handles_of_another_type) {
  struct subject s = new_subject();
  for (size_t i = 0; i < COUNT(every); i++) {
    struct subject other = s;
    for (enum owner owner = OF_GRAPH; owner < OF_NOTHING; owner++) {
      void **handle = handle_in(&other, every[i].owner), *good;
      if (handle == NULL || owner == every[i].owner) continue;
      good = *handle;
      *handle = *handle_in(&s, owner);
      check_row(&every[i], &other, TOLK_ERR_INVALID_HANDLE, "of another type");
      *handle = good;
    }
  }
  drop_subject(&s);
}

TEST(destroying_twice) {
  struct subject s = new_subject(), gone = s;
  drop_subject(&s);
  FAILS(TOLK_ERR_INVALID_HANDLE, "graph is not valid: it was destroyed", tolk_graph_destroy(gone.w.g));
  FAILS(TOLK_ERR_INVALID_HANDLE, "plan is not valid: it was destroyed", tolk_plan_destroy(gone.plan));
  FAILS(TOLK_ERR_INVALID_HANDLE, "cancel is not valid: it was destroyed", tolk_cancel_destroy(gone.cancel));
  FAILS(TOLK_ERR_INVALID_HANDLE, "tlsf is not valid: it was destroyed", tolk_tlsf_destroy(gone.tlsf));
}

TEST(destroying_null_does_nothing) {
  OK(tolk_graph_destroy(NULL));
  OK(tolk_plan_destroy(NULL));
  OK(tolk_cancel_destroy(NULL));
  OK(tolk_tlsf_destroy(NULL));
  tolk_string_free(NULL);
  tolk_schedule_free(NULL);
}

TEST(a_handle_is_never_given_again) {
  tolk_graph *first, *second;
  OK(tolk_graph_create(&first));
  OK(tolk_graph_destroy(first));
  OK(tolk_graph_create(&second));
  CHECK(first != second);
  OK(tolk_graph_destroy(second));
}

TEST(null_out_parameters) {
  struct subject s = new_subject();
  size_t n;
  char *text;
  const tolk_arena *arenas;
  const tolk_placed *places;
  const tolk_bind *binds;
  const uint64_t *begins;
  const tolk_status bad = TOLK_ERR_INVALID_ARGUMENT;
  FAILS(bad, "graph is NULL", tolk_graph_create(NULL));
  FAILS(bad, "count is NULL", tolk_graph_op_count(s.w.g, NULL));
  FAILS(bad, "value is NULL", tolk_setting_get(TOLK_DEBUG, NULL));
  FAILS(bad, "info is NULL", tolk_op_read(s.w.g, s.w.x, NULL));
  FAILS(bad, "source is NULL", tolk_op_source(s.w.g, s.w.c, 0, NULL));
  FAILS(bad, "count is NULL", tolk_op_sources(s.w.g, s.w.c, NULL, 0, NULL));
  FAILS(bad, "sources is NULL", tolk_op_sources(s.w.g, s.w.c, NULL, 3, &n));
  FAILS(bad, "device is NULL", tolk_op_device(s.w.g, s.w.x, 0, NULL));
  FAILS(bad, "name is NULL", tolk_op_name(s.w.g, s.w.k, NULL));
  FAILS(bad, "text is NULL", tolk_op_print(s.w.g, s.w.x, NULL, &n));
  FAILS(bad, "text_len is NULL", tolk_op_print(s.w.g, s.w.x, &text, NULL));
  FAILS(bad, "count is NULL", tolk_taken(s.w.g, s.w.c, NULL, 0, NULL));
  FAILS(bad, "storage is NULL", tolk_taken(s.w.g, s.w.c, NULL, 2, &n));
  FAILS(bad, "cancel is NULL", tolk_cancel_create(NULL));
  FAILS(bad, "arenas is NULL", tolk_plan_arenas(s.plan, NULL, &n));
  FAILS(bad, "count is NULL", tolk_plan_arenas(s.plan, &arenas, NULL));
  FAILS(bad, "places is NULL", tolk_plan_places(s.plan, NULL, &n));
  FAILS(bad, "count is NULL", tolk_plan_places(s.plan, &places, NULL));
  FAILS(bad, "binds is NULL", tolk_plan_binds(s.plan, NULL, &n));
  FAILS(bad, "count is NULL", tolk_plan_binds(s.plan, &binds, NULL));
  FAILS(bad, "begins is NULL", tolk_plan_entries(s.plan, NULL, &n));
  FAILS(bad, "count is NULL", tolk_plan_entries(s.plan, &begins, NULL));
  FAILS(bad, "totals is NULL", tolk_plan_totals(s.plan, NULL));
  FAILS(bad, "planned is NULL", tolk_plan_schedule(s.plan, NULL));
  FAILS(bad, "schedule is NULL", tolk_schedule_read(s.w.g, "", 0, NULL));
  FAILS(bad, "answer is NULL", tolk_plan_text("", 0, NULL, &n));
  FAILS(bad, "answer_len is NULL", tolk_plan_text("", 0, &text, NULL));
  FAILS(bad, "text is NULL", tolk_schedule_write(s.w.g, s.w.l, NULL, NULL, 0, NULL, &n));
  FAILS(bad, "text is NULL", tolk_plan_write(s.w.g, s.plan, NULL, &n));
  FAILS(bad, "tlsf is NULL", tolk_tlsf_create(64, 0, 16, 16, NULL));
  FAILS(bad, "address is NULL", tolk_tlsf_alloc(s.tlsf, 16, 1, NULL));
  OK(tolk_memory_plan_rewrite(s.w.g, s.w.l, NULL, 0, NULL, NULL, NULL));
  drop_subject(&s);
}
