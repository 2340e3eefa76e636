/* Reading ops: what they are, and buffers and structs of all sizes. */
#include "world.h"

enum { BAD = TOLK_ERR_INVALID_ARGUMENT, KIND = TOLK_ERR_WRONG_KIND };

TEST(storage_is_read_back) {
  struct world w = new_world();
  tolk_storage s = storage(TOLK_INT16, 6, NULL);
  s.devices = both, s.device_count = 2;
  s.slot = 41, s.has_slot = 1, s.phase = 6, s.align = 8;
  tolk_op op = tolk_alloc(w.g, &s);
  tolk_op_info want = TOLK_OP_INFO_INIT, got = read_op(w.g, op);
  want.kind = TOLK_KIND_ALLOC, want.dtype = TOLK_INT16, want.device_count = 2, want.count = 6, want.bytes = 12;
  want.slot = 41, want.phase = 6, want.align = 8, want.base = op;
  CHECK(memcmp(&got, &want, sizeof got) == 0);
  const char *name;
  OK(tolk_op_device(w.g, op, 1, &name));
  CHECK(strcmp(name, "GPU:1") == 0);
  FAILS(BAD, "there is no device 2", tolk_op_device(w.g, op, 2, &name));
  FAILS(BAD, "there is no device 4294967295", tolk_op_device(w.g, op, UINT32_MAX, &name));
  OK(tolk_graph_destroy(w.g));
}

TEST(other_kinds_are_read_back) {
  struct world w = new_world();
  tolk_op part = tolk_shrink_at(w.g, w.x, w.n, 5);
  tolk_op_info info = read_op(w.g, part);
  CHECK(info.kind == TOLK_KIND_SHRINK && info.count == 5 && info.bytes == 20 && info.base == w.x && info.source_count == 3);
  CHECK(info.start == w.n && info.length == tolk_const(w.g, 5));
  info = read_op(w.g, tolk_mselect(w.g, w.two, 1));
  CHECK(info.kind == TOLK_KIND_MSELECT && info.shard == 1 && info.base == w.two);
  info = read_op(w.g, tolk_store(w.g, "copy", UINT64_MAX, &w.x, 1));
  CHECK(info.kind == TOLK_KIND_STORE && info.tag == UINT64_MAX && info.source_count == 1 && info.dtype == TOLK_VOID);
  info = read_op(w.g, w.c);
  CHECK(info.kind == TOLK_KIND_CALL && info.source_count == 3 && info.base == TOLK_NONE && info.device_count == 0);
  info = read_op(w.g, w.i);
  CHECK(info.kind == TOLK_KIND_RANGE && info.source_count == 1 && info.range_count == w.n && info.dtype == TOLK_WEAK_INT);
  const char *name;
  OK(tolk_op_name(w.g, w.n, &name));
  CHECK(strcmp(name, "n") == 0);
  OK(tolk_op_name(w.g, tolk_sink(w.g, NULL, 0, NULL, 0), &name));
  CHECK(strcmp(name, "") == 0);
  FAILS(KIND, "no name", tolk_op_name(w.g, w.x, &name));
  FAILS(KIND, "no placement", tolk_op_device(w.g, w.n, 0, &name));
  OK(tolk_graph_destroy(w.g));
}

TEST(sources_one_by_one_and_all) {
  struct world w = new_world();
  tolk_op ops[4] = {9, 9, 9, 9}, one;
  size_t count = 77;
  OK(tolk_op_sources(w.g, w.c, ops, 4, &count));
  EQUAL(count, 3);
  CHECK(ops[0] == w.k && ops[1] == w.x && ops[2] == w.y && ops[3] == 9);
  for (int i = 0; i < 3; i++) {
    OK(tolk_op_source(w.g, w.c, i, &one));
    CHECK(one == ops[i]);
  }
  FAILS(BAD, "there is no source 3", tolk_op_source(w.g, w.c, 3, &one));
  FAILS(BAD, "there is no source 18446744073709551615", tolk_op_source(w.g, w.c, UINT64_MAX, &one));
  OK(tolk_op_sources(w.g, w.x, NULL, 0, &count));
  EQUAL(count, 0);
  OK(tolk_op_sources(w.g, w.x, (tolk_op *)8, 0, &count));
  OK(tolk_op_sources(w.g, w.c, ops, SIZE_MAX, &count));
  OK(tolk_graph_destroy(w.g));
}

TEST(a_buffer_too_small_gets_its_count_only) {
  struct world w = new_world();
  for (size_t capacity = 0; capacity < 3; capacity++) {
    tolk_op ops[] = {9, 9, 9};
    size_t count = 77;
    FAILS(TOLK_ERR_BUFFER_TOO_SMALL, "3 items", tolk_op_sources(w.g, w.c, ops, capacity, &count));
    EQUAL(count, 3);
    CHECK(ops[0] == 9 && ops[1] == 9 && ops[2] == 9);
  }
  tolk_op ops[] = {9, 9};
  size_t count = 77;
  FAILS(TOLK_ERR_BUFFER_TOO_SMALL, "2 items", tolk_taken(w.g, w.c, ops, 1, &count));
  CHECK(count == 2 && ops[0] == 9);
  OK(tolk_graph_destroy(w.g));
}

/* entry takes exactly these, in order. */
static void check_taken(tolk_graph *g, tolk_op entry, const tolk_op *want, size_t count) {
  tolk_op got[16];
  size_t n = 77;
  OK(tolk_taken(g, entry, got, COUNT(got), &n));
  EQUAL(n, count);
  for (size_t i = 0; i < count && i < n; i++) CHECK(got[i] == want[i]);
}

TEST(taken_follows_views_stacks_and_loops) {
  struct world w = new_world();
  tolk_storage s = storage(TOLK_FLOAT32, 16, "GPU");
  tolk_op p = tolk_param(w.g, &s), a = tolk_alloc(w.g, &s), in_body = tolk_sink(w.g, "b", 0, &p, 1);
  tolk_op view = tolk_bitcast(w.g, tolk_after(w.g, tolk_shrink(w.g, w.y, 2, 4), &a, 1), TOLK_INT8);
  tolk_op stack = tolk_mstack(w.g, LIST(w.x, p));
  check_taken(w.g, CALL(w.g, w.k, w.n), NULL, 0);
  check_taken(w.g, CALL(w.g, w.k, w.x, w.x, w.y, w.x), LIST(w.x, w.y));
  check_taken(w.g, CALL(w.g, in_body, view), LIST(w.y)); /* neither the body's nor AFTER's effects */
  check_taken(w.g, CALL(w.g, w.k, stack, a), LIST(w.x, p, a));
  check_taken(w.g, CALL(w.g, w.k, tolk_mselect(w.g, stack, 1)), LIST(w.x, p)); /* what is under it, whole */
  tolk_op loop = tolk_backedge(w.g, LINEAR(w.g, CALL(w.g, w.k, a), tolk_end(w.g, w.c, &w.i, 1)), w.i, w.flag);
  check_taken(w.g, loop, LIST(w.flag, a, w.x, w.y));
  size_t n;
  FAILS(KIND, "an entry is a CALL or a loop", tolk_taken(w.g, w.l, NULL, 0, &n));
  FAILS(KIND, "an entry is a CALL or a loop", tolk_taken(w.g, w.x, NULL, 0, &n));
  FAILS(TOLK_ERR_INVALID_OP, "TOLK_NONE", tolk_taken(w.g, TOLK_NONE, NULL, 0, &n));
  OK(tolk_graph_destroy(w.g));
}

TEST(bad_ops_are_not_read) {
  struct world w = new_world();
  tolk_op bad[] = {TOLK_NONE, 1, 2, UINT64_MAX, TOLK_REF(0), w.x + 100000, w.x ^ ((tolk_op)1 << 40), w.x & 0xffffffff};
  for (size_t i = 0; i < COUNT(bad); i++) {
    tolk_op_info info = TOLK_OP_INFO_INIT;
    tolk_op op;
    size_t n;
    const char *name;
    char *text;
    const tolk_status status = TOLK_ERR_INVALID_OP;
    FAILS(status, "", tolk_op_read(w.g, bad[i], &info));
    FAILS(status, "", tolk_op_source(w.g, bad[i], 0, &op));
    FAILS(status, "", tolk_op_sources(w.g, bad[i], NULL, 0, &n));
    FAILS(status, "", tolk_op_device(w.g, bad[i], 0, &name));
    FAILS(status, "", tolk_op_name(w.g, bad[i], &name));
    FAILS(status, "", tolk_op_print(w.g, bad[i], &text, &n));
    FAILS(status, "", tolk_taken(w.g, bad[i], NULL, 0, &n));
    FAILS(status, "", tolk_schedule_write(w.g, bad[i], NULL, NULL, 0, &text, &n));
    FAILS(status, "", tolk_memory_plan_rewrite(w.g, bad[i], NULL, 0, NULL, NULL, NULL));
  }
  OK(tolk_graph_error(w.g)); /* reading is not building */
  OK(tolk_graph_destroy(w.g));
}

TEST(an_op_is_printed_with_what_it_is_built_on) {
  struct world w = new_world();
  char *text;
  size_t len;
  OK(tolk_op_print(w.g, w.l, &text, &len));
  EQUAL(strlen(text), len);
  const char *parts[] = {"BUFFER", "PROGRAM", "CALL", "LINEAR", "float32", "GPU", "k"};
  for (size_t i = 0; i < COUNT(parts); i++) CHECK(strstr(text, parts[i]) != NULL);
  int lines = 0;
  for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
  EQUAL(lines, 5); /* x, y, k, c, l */
  tolk_string_free(text);
  OK(tolk_graph_destroy(w.g));
}

/* A struct of an older or newer caller, with bytes behind it that nobody may touch. */
union info_of_any_size {
  tolk_op_info info;
  unsigned char bytes[sizeof(tolk_op_info) + 64];
};

TEST(a_result_is_cut_to_an_older_callers_struct) {
  struct world w = new_world();
  tolk_op_info whole = read_op(w.g, w.x);
  for (uint32_t size = 4; size <= sizeof whole; size += 4) {
    union info_of_any_size u;
    memset(&u, 0xa5, sizeof u);
    u.info.struct_size = size;
    OK(tolk_op_read(w.g, w.x, &u.info));
    EQUAL(u.info.struct_size, size);
    CHECK(memcmp(u.bytes + 4, (unsigned char *)&whole + 4, size - 4) == 0);
    for (size_t i = size; i < sizeof u; i++) CHECK(u.bytes[i] == 0xa5);
  }
  OK(tolk_graph_destroy(w.g));
}

TEST(a_result_is_filled_up_in_a_newer_callers_struct) {
  struct world w = new_world();
  union info_of_any_size u;
  memset(&u, 0, sizeof u);
  u.info.struct_size = sizeof u.info + 32;
  memset(u.bytes + u.info.struct_size, 0xa5, 32);
  OK(tolk_op_read(w.g, w.x, &u.info));
  for (size_t i = sizeof u.info; i < sizeof u; i++) EQUAL(u.bytes[i], i < sizeof u.info + 32 ? 0 : 0xa5);
  u.bytes[sizeof u.info] = 1;
  FAILS(BAD, "newer than this library", tolk_op_read(w.g, w.x, &u.info));
  uint32_t bad[] = {0, 1, 3, 5, sizeof u.info + 1, 1u << 20, UINT32_MAX};
  for (size_t i = 0; i < COUNT(bad); i++) {
    u.info.struct_size = bad[i];
    FAILS(BAD, "struct_size", tolk_op_read(w.g, w.x, &u.info));
  }
  OK(tolk_graph_destroy(w.g));
}
