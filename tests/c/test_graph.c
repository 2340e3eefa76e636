/* Versions, names of things, and graphs as such. */
#include <pthread.h>

#include "world.h"

TEST(the_library_is_of_its_header) {
  EQUAL(tolk_version(), TOLK_VERSION);
  EQUAL(tolk_abi_version(), TOLK_ABI_VERSION);
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", TOLK_VERSION_MAJOR, TOLK_VERSION_MINOR, TOLK_VERSION_PATCH);
  CHECK(strcmp(tolk_version_string(), text) == 0);
}

TEST(statuses_have_names) {
  CHECK(strcmp(tolk_status_string(TOLK_OK), "TOLK_OK") == 0);
  CHECK(strcmp(tolk_status_string(TOLK_NO_ROOM), "TOLK_NO_ROOM") == 0);
  CHECK(strcmp(tolk_status_string(TOLK_ERR_OVERFLOW), "TOLK_ERR_OVERFLOW") == 0);
  for (tolk_status s = TOLK_ERR_INTERNAL; s <= TOLK_NO_ROOM; s++) CHECK(strncmp(tolk_status_string(s), "TOLK_", 5) == 0);
  tolk_status none[] = {2, TOLK_ERR_INTERNAL - 1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < COUNT(none); i++) CHECK(strcmp(tolk_status_string(none[i]), "unknown status") == 0);
}

TEST(kinds_have_names) {
  for (uint32_t kind = TOLK_KIND_BUFFER; kind <= TOLK_KIND_BACKEDGE; kind++) CHECK(tolk_kind_string(kind) != NULL);
  CHECK(strcmp(tolk_kind_string(TOLK_KIND_BUFFER), "BUFFER") == 0);
  CHECK(strcmp(tolk_kind_string(TOLK_KIND_BACKEDGE), "BACKEDGE") == 0);
  CHECK(tolk_kind_string(0) == NULL);
  CHECK(tolk_kind_string(TOLK_KIND_BACKEDGE + 1) == NULL);
  CHECK(tolk_kind_string(UINT32_MAX) == NULL);
}

TEST(dtypes_have_names_and_sizes) {
  const struct {
    uint32_t dtype, size;
    const char *name;
  } rows[] = {{TOLK_VOID, 0, "void"},        {TOLK_WEAK_INT, 0, "weak_int"}, {TOLK_WEAK_FLOAT, 0, "weak_float"},
              {TOLK_BOOL, 1, "bool"},        {TOLK_INT8, 1, "int8"},         {TOLK_INT16, 2, "int16"},
              {TOLK_INT32, 4, "int32"},      {TOLK_INT64, 8, "int64"},       {TOLK_UINT8, 1, "uint8"},
              {TOLK_UINT16, 2, "uint16"},    {TOLK_UINT32, 4, "uint32"},     {TOLK_UINT64, 8, "uint64"},
              {TOLK_FLOAT8_E4M3, 1, "float8_e4m3"}, {TOLK_FLOAT8_E5M2, 1, "float8_e5m2"}, {TOLK_FLOAT16, 2, "float16"},
              {TOLK_BFLOAT16, 2, "bfloat16"}, {TOLK_FLOAT32, 4, "float32"},  {TOLK_FLOAT64, 8, "float64"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    EQUAL(rows[i].dtype, i);
    EQUAL(tolk_dtype_size(rows[i].dtype), rows[i].size);
    CHECK(strcmp(tolk_dtype_string(rows[i].dtype), rows[i].name) == 0);
  }
  CHECK(tolk_dtype_string(TOLK_FLOAT64 + 1) == NULL && tolk_dtype_string(UINT32_MAX) == NULL);
  EQUAL(tolk_dtype_size(TOLK_FLOAT64 + 1), 0);
  EQUAL(tolk_dtype_size(UINT32_MAX), 0);
}

TEST(equal_ops_are_one) {
  struct world w = new_world();
  uint64_t before = op_count(w.g);
  CHECK(tolk_const(w.g, 5) == tolk_const(w.g, 5));
  CHECK(tolk_const(w.g, 5) != tolk_const(w.g, 6));
  CHECK(tolk_variable(w.g, "n", 0, 8) == w.n);
  CHECK(tolk_variable(w.g, "n", 0, 9) != w.n);
  CHECK(CALL(w.g, w.k, w.x, w.y) == w.c);
  CHECK(CALL(w.g, w.k, w.y, w.x) != w.c);
  CHECK(tolk_program(w.g, "k", 1, NULL, 0) != w.k);
  CHECK(tolk_sink(w.g, "k", 0, NULL, 0) != w.k);
  EQUAL(op_count(w.g), before + 6);
  CHECK(f32(w.g, 16) != w.x); /* a fresh slot */
  tolk_storage s = storage(TOLK_FLOAT32, 16, "GPU");
  s.slot = read_op(w.g, w.x).slot;
  s.has_slot = 1;
  CHECK(tolk_buffer(w.g, &s) == w.x);
  CHECK(tolk_param(w.g, &s) != w.x);
  OK(tolk_graph_check(w.g));
  OK(tolk_graph_destroy(w.g));
}

TEST(a_graph_keeps_its_first_error) {
  struct world w = new_world();
  OK(tolk_graph_error(w.g));
  CHECK(tolk_shrink(w.g, w.x, -1, 2) == TOLK_NONE);
  CHECK(tolk_bitcast(w.g, TOLK_NONE, TOLK_INT8) == TOLK_NONE);
  CHECK(strstr(tolk_last_error(), "TOLK_NONE") != NULL);
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "SHRINK", tolk_graph_error(w.g));
  CHECK(tolk_const(w.g, 77) != TOLK_NONE); /* and goes on */
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "SHRINK", tolk_graph_error(w.g));
  OK(tolk_graph_check(w.g));
  OK(tolk_graph_destroy(w.g));
}

TEST(none_is_passed_on_through_a_whole_schedule) {
  struct world w = new_world();
  tolk_op bad = tolk_bitcast(w.g, w.x, TOLK_WEAK_INT);
  tolk_op call = CALL(w.g, w.k, bad, w.y), schedule = LINEAR(w.g, w.c, call);
  CHECK(bad == TOLK_NONE && call == TOLK_NONE && schedule == TOLK_NONE);
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "weak_int", tolk_graph_error(w.g));
  tolk_op planned = 9;
  FAILS(TOLK_ERR_INVALID_OP, "TOLK_NONE", tolk_memory_plan_rewrite(w.g, schedule, NULL, 0, NULL, &planned, NULL));
  EQUAL(planned, 9);
  OK(tolk_graph_destroy(w.g));
}

/* One way to fail for each place that finds a fault. */
TEST(every_failing_constructor_is_noted) {
  const char *many[40000];
  for (size_t i = 0; i < COUNT(many); i++) many[i] = "GPU";
  tolk_storage short_struct = storage(TOLK_INT8, 1, "GPU"), crowd = storage(TOLK_INT8, 1, NULL), null_names = crowd;
  short_struct.struct_size = 8;
  crowd.devices = many;
  crowd.device_count = COUNT(many);
  null_names.device_count = 2;
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "struct_size is 8", tolk_buffer(w.g, &short_struct));
  REFUSED(TOLK_ERR_LIMIT, "40000 devices", tolk_buffer(w.g, &crowd));
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "devices is NULL", tolk_buffer(w.g, &null_names));
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "storage is NULL", tolk_buffer(w.g, NULL));
  REFUSED(TOLK_ERR_LIMIT, "sources", tolk_linear(w.g, &w.c, SIZE_MAX));
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "sources is NULL", tolk_linear(w.g, NULL, 3));
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "sources is NULL", tolk_call(w.g, w.k, NULL, 3));
  REFUSED(TOLK_ERR_LIMIT, "sources", tolk_call(w.g, w.k, &w.x, SIZE_MAX));
  REFUSED(TOLK_ERR_LIMIT, "sources", tolk_after(w.g, w.x, &w.c, (size_t)1 << 62));
}

TEST(ops_of_another_graph_are_refused) {
  struct world other = new_world();
  REFUSED(TOLK_ERR_INVALID_OP, "another graph", tolk_shrink(w.g, other.x, 0, 1));
  REFUSED(TOLK_ERR_INVALID_OP, "another graph", CALL(w.g, w.k, w.x, other.y));
  REFUSED(TOLK_ERR_INVALID_OP, "another graph", CALL(w.g, other.k, w.x));
  REFUSED(TOLK_ERR_INVALID_OP, "another graph", tolk_sink(w.g, "s", 0, &other.x, 1));
  REFUSED(TOLK_ERR_INVALID_OP, "source 0", tolk_mul(w.g, 12345, w.n));
  REFUSED(TOLK_ERR_INVALID_OP, "source 1", tolk_add(w.g, w.n, UINT64_MAX));
  REFUSED(TOLK_ERR_INVALID_OP, "description 0", tolk_shrink(w.g, TOLK_REF(0), 0, 1));
  REFUSED(TOLK_ERR_INVALID_OP, "the graph has", tolk_bitcast(w.g, w.x + 1000000, TOLK_INT8));
  size_t count;
  tolk_op_info info = TOLK_OP_INFO_INIT;
  struct world w = new_world();
  FAILS(TOLK_ERR_INVALID_OP, "another graph", tolk_op_read(w.g, other.x, &info));
  FAILS(TOLK_ERR_INVALID_OP, "entry: op (", tolk_taken(w.g, other.x, NULL, 0, &count));
  FAILS(TOLK_ERR_INVALID_OP, "schedule: op (", tolk_memory_plan_rewrite(w.g, other.l, NULL, 0, NULL, NULL, NULL));
  FAILS(TOLK_ERR_INVALID_OP, "held buffer 1", tolk_memory_plan_rewrite(w.g, w.l, LIST(w.x, other.x), NULL, NULL, NULL));
  OK(tolk_graph_destroy(w.g));
  OK(tolk_graph_destroy(other.g));
}

TEST(the_counter_counts) {
  int64_t first = tolk_unique_num();
  CHECK(first >= 0);
  EQUAL(tolk_unique_num(), first + 1);
  struct world w = new_world();
  CHECK(read_op(w.g, w.x).slot > first + 1);
  CHECK(read_op(w.g, w.y).slot > read_op(w.g, w.x).slot);
  OK(tolk_graph_destroy(w.g));
}

static void *no_error_yet(void *unused) {
  (void)unused;
  CHECK(tolk_last_error()[0] == 0);
  EQUAL(tolk_last_status(), TOLK_OK);
  CHECK(tolk_graph_create(NULL) < 0);
  CHECK(strcmp(tolk_last_error(), "graph is NULL") == 0);
  return NULL;
}

TEST(the_last_error_is_the_threads) {
  CHECK(tolk_cancel_create(NULL) < 0);
  pthread_t thread;
  REQUIRE(pthread_create(&thread, NULL, no_error_yet, NULL) == 0);
  pthread_join(thread, NULL);
  CHECK(strcmp(tolk_last_error(), "cancel is NULL") == 0);
  CHECK(tolk_unique_num() >= 0); /* stays after what does not fail */
  CHECK(strcmp(tolk_last_error(), "cancel is NULL") == 0);
}

TEST(a_long_message_is_cut_between_characters) {
  char name[4000];
  for (size_t shift = 0; shift < 3; shift++) { /* one of them would be cut inside a character */
    memset(name, 'a', sizeof name);
    for (size_t i = shift; i + 3 < sizeof name; i += 3) memcpy(name + i, "\xe2\x82\xac", 3);
    name[sizeof name - 1] = 0;
    struct world w = new_world();
    tolk_storage s = storage(TOLK_INT8, 1, name);
    tolk_op op = tolk_buffer(w.g, &s);
    CHECK(tolk_mselect(w.g, op, 0) == TOLK_NONE);
    const char *message = tolk_last_error(), *last = message + strlen(message) - 3;
    CHECK(strlen(message) > 500 && memcmp(last, "\xe2\x82\xac", 3) == 0);
    OK(tolk_graph_destroy(w.g));
  }
}

/* Fresh slots lie above all named ones, past the greatest that can be named. */
TEST(the_greatest_slot_leaves_fresh_ones) {
  struct world w = new_world();
  tolk_storage s = storage(TOLK_INT8, 4, "GPU");
  s.has_slot = 1;
  s.slot = INT64_MAX / 2;
  tolk_op named = tolk_alloc(w.g, &s);
  s.has_slot = 0;
  tolk_op fresh = tolk_alloc(w.g, &s), other = tolk_alloc(w.g, &s);
  CHECK(named != TOLK_NONE && fresh != TOLK_NONE && fresh != named && other != fresh);
  CHECK(read_op(w.g, fresh).slot > INT64_MAX / 2);
  OK(tolk_graph_check(w.g));
  OK(tolk_graph_destroy(w.g));
}
