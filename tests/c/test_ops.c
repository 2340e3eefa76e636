/* The constructors: what each gives, and what it refuses. */
#include "world.h"

enum { BAD = TOLK_ERR_INVALID_ARGUMENT, KIND = TOLK_ERR_WRONG_KIND, OVER = TOLK_ERR_OVERFLOW };

static tolk_op laid(tolk_graph *g, uint32_t dtype, uint32_t phase, uint32_t align) {
  tolk_storage s = storage(dtype, 4, "GPU");
  s.phase = phase;
  s.align = align;
  return tolk_buffer(g, &s);
}

static tolk_op on(tolk_graph *g, const char *device) {
  tolk_storage s = storage(TOLK_INT8, 4, device);
  return tolk_buffer(g, &s);
}

static tolk_op sized(tolk_graph *g, uint32_t dtype, int64_t count) {
  tolk_storage s = storage(dtype, count, "GPU");
  return tolk_param(g, &s);
}

static tolk_op on_devices(tolk_graph *g, const char *const *devices, uint64_t count) {
  tolk_storage s = storage(TOLK_INT8, 4, NULL);
  s.devices = devices;
  s.device_count = count;
  return tolk_alloc(g, &s);
}

static tolk_op slotted(tolk_graph *g, int64_t slot) {
  tolk_storage s = storage(TOLK_INT8, 4, "GPU");
  s.slot = slot;
  s.has_slot = 1;
  return tolk_buffer(g, &s);
}

TEST(storage_of_each_type) {
  struct world w = new_world();
  for (uint32_t dtype = TOLK_BOOL; dtype <= TOLK_FLOAT64; dtype++) {
    tolk_op_info info = read_op(w.g, sized(w.g, dtype, 3));
    EQUAL(info.dtype, dtype);
    EQUAL(info.bytes, 3 * tolk_dtype_size(dtype));
  }
  EQUAL(read_op(w.g, sized(w.g, TOLK_INT8, 0)).bytes, 0);
  EQUAL(read_op(w.g, sized(w.g, TOLK_INT8, INT64_MAX)).bytes, INT64_MAX);
  EQUAL(read_op(w.g, sized(w.g, TOLK_FLOAT64, INT64_MAX / 8)).count, INT64_MAX / 8);
  EQUAL(read_op(w.g, slotted(w.g, 0)).slot, 0);
  int64_t slot = tolk_unique_num() + 1; /* that the counter has yet to give */
  EQUAL(read_op(w.g, slotted(w.g, slot)).slot, slot);
  CHECK(read_op(w.g, sized(w.g, TOLK_INT8, 1)).slot > slot);
  OK(tolk_graph_destroy(w.g));
}

TEST(storage_out_of_range) {
  REFUSED(BAD, "dtype void", sized(w.g, TOLK_VOID, 1));
  REFUSED(BAD, "dtype weak_int", sized(w.g, TOLK_WEAK_INT, 1));
  REFUSED(BAD, "dtype weak_float", sized(w.g, TOLK_WEAK_FLOAT, 1));
  REFUSED(BAD, "dtype", sized(w.g, TOLK_FLOAT64 + 1, 1));
  REFUSED(BAD, "dtype 260", sized(w.g, 256 + TOLK_INT8, 1)); /* not INT8 by its low bits */
  REFUSED(BAD, "dtype 4294967295", sized(w.g, UINT32_MAX, 1));
  REFUSED(BAD, "slot 4611686018427387904 is not in [0, 2^62)", slotted(w.g, INT64_C(1) << 62));
  REFUSED(BAD, "element count -1", sized(w.g, TOLK_INT8, -1));
  REFUSED(BAD, "element count -9223372036854775808", sized(w.g, TOLK_INT8, INT64_MIN));
  REFUSED(OVER, "63 bits", sized(w.g, TOLK_INT16, INT64_MAX / 2 + 1));
  REFUSED(OVER, "63 bits", sized(w.g, TOLK_FLOAT64, INT64_MAX));
  REFUSED(BAD, "slot -1", slotted(w.g, -1));
  REFUSED(BAD, "no placement", on(w.g, NULL));
  REFUSED(BAD, "empty", on(w.g, ""));
  REFUSED(BAD, "UTF-8", on(w.g, "GPU\xff"));
  REFUSED(BAD, "UTF-8", on(w.g, "\xed\xa0\x80")); /* a surrogate */
  REFUSED(BAD, "UTF-8", on(w.g, "\xc0\x80"));     /* a NUL in two bytes */
  REFUSED(BAD, "name of device 1 is empty", on_devices(w.g, (const char *[]){"A", ""}, 2));
  REFUSED(BAD, "device 1", on_devices(w.g, (const char *[]){"A", NULL}, 2));
  REFUSED(TOLK_ERR_LIMIT, "devices", on_devices(w.g, both, UINT64_MAX));
}

TEST(phase_and_align) {
  struct world w = new_world();
  EQUAL(read_op(w.g, laid(w.g, TOLK_FLOAT32, 0, 0)).align, 16);
  EQUAL(read_op(w.g, laid(w.g, TOLK_FLOAT32, 12, 0)).phase, 12);
  EQUAL(read_op(w.g, laid(w.g, TOLK_INT8, 15, 16)).phase, 15);
  EQUAL(read_op(w.g, laid(w.g, TOLK_FLOAT64, 0, 4)).align, 4); /* of an element of 8 bytes, too */
  EQUAL(read_op(w.g, laid(w.g, TOLK_FLOAT64, 8, 16)).phase, 8);
  OK(tolk_graph_destroy(w.g));
}

TEST(phase_and_align_out_of_range) {
  uint32_t bad_aligns[] = {3, 5, 6, 7, 12, 17, 32, 256, UINT32_MAX, 1u << 31};
  for (size_t i = 0; i < COUNT(bad_aligns); i++) REFUSED(BAD, "is not 1, 2, 4, 8 or 16", laid(w.g, TOLK_INT8, 0, bad_aligns[i]));
  REFUSED(BAD, "phase 16 is not in [0, 16)", laid(w.g, TOLK_INT8, 16, 0));
  REFUSED(BAD, "phase 1 is not in [0, 1)", laid(w.g, TOLK_INT8, 1, 1));
  REFUSED(BAD, "phase 4294967295", laid(w.g, TOLK_INT8, UINT32_MAX, 16));
  REFUSED(BAD, "phase 2 is not a multiple of 4", laid(w.g, TOLK_FLOAT32, 2, 16));
  REFUSED(BAD, "phase 2 is not a multiple of 4", laid(w.g, TOLK_FLOAT64, 2, 4));
}

TEST(scalars) {
  struct world w = new_world();
  tolk_op_info info = read_op(w.g, w.n);
  CHECK(info.least == 0 && info.greatest == 8);
  EQUAL(info.dtype, TOLK_WEAK_INT);
  info = read_op(w.g, w.i); /* counts 0 to at most 7 */
  CHECK(info.least == 0 && info.greatest == 7 && info.range_count == w.n);
  info = read_op(w.g, tolk_add(w.g, w.n, tolk_const(w.g, -3)));
  CHECK(info.least == -3 && info.greatest == 5);
  info = read_op(w.g, tolk_mul(w.g, w.n, tolk_const(w.g, -3)));
  CHECK(info.least == -24 && info.greatest == 0);
  info = read_op(w.g, tolk_const(w.g, INT64_MIN));
  CHECK(info.least == INT64_MIN && info.greatest == INT64_MIN);
  info = read_op(w.g, tolk_range(w.g, tolk_const(w.g, 0), -4, 9));
  CHECK(info.axis == -4 && info.axis_kind == 9);
  OK(tolk_graph_destroy(w.g));
}

TEST(scalars_out_of_range) {
  REFUSED(BAD, "name is empty", tolk_variable(w.g, "", 0, 1));
  REFUSED(BAD, "name is empty", tolk_variable(w.g, NULL, 0, 1));
  REFUSED(BAD, "UTF-8", tolk_variable(w.g, "\x80", 0, 1));
  REFUSED(BAD, "least value 2 is above the greatest, 1", tolk_variable(w.g, "m", 2, 1));
  REFUSED(KIND, "scalar", tolk_range(w.g, w.x, 0, 0));
  REFUSED(KIND, "scalar", tolk_add(w.g, w.n, w.x));
  REFUSED(KIND, "scalar", tolk_mul(w.g, w.k, w.n));
  REFUSED(TOLK_ERR_INVALID_OP, "TOLK_NONE", tolk_add(w.g, TOLK_NONE, w.n));
  struct world w = new_world();
  tolk_op most = tolk_const(w.g, INT64_MAX);
  tolk_op least = tolk_const(w.g, INT64_MIN), one = tolk_const(w.g, 1), minus = tolk_const(w.g, -1);
  CHECK(tolk_add(w.g, most, one) == TOLK_NONE);
  FAILS(OVER, "64 bits", tolk_graph_error(w.g));
  CHECK(tolk_add(w.g, least, minus) == TOLK_NONE);
  CHECK(tolk_range(w.g, minus, 0, 0) == TOLK_NONE);
  CHECK(strstr(tolk_last_error(), "RANGE: source 0 (count) may be -1") != NULL);
  CHECK(tolk_mul(w.g, least, minus) == TOLK_NONE);
  CHECK(tolk_mul(w.g, most, w.n) == TOLK_NONE);
  CHECK(tolk_mul(w.g, least, one) != TOLK_NONE);
  CHECK(tolk_add(w.g, most, least) != TOLK_NONE);
  OK(tolk_graph_destroy(w.g));
}

TEST(views) {
  struct world w = new_world();
  CHECK(tolk_shrink(w.g, w.x, 0, 16) == w.x);
  CHECK(tolk_bitcast(w.g, w.x, TOLK_FLOAT32) == w.x);
  CHECK(tolk_after(w.g, w.x, NULL, 0) == w.x);
  tolk_op part = tolk_shrink(w.g, w.x, 4, 6), bytes = tolk_bitcast(w.g, part, TOLK_INT8);
  EQUAL(read_op(w.g, part).count, 6);
  EQUAL(read_op(w.g, bytes).count, 24);
  CHECK(read_op(w.g, bytes).base == w.x);
  CHECK(tolk_shrink_at(w.g, w.x, tolk_const(w.g, 4), 6) == part);
  EQUAL(read_op(w.g, tolk_shrink(w.g, w.x, 16, 0)).count, 0);
  CHECK(tolk_shrink_at(w.g, w.x, w.n, 8) != TOLK_NONE); /* 8 + 8 = 16 */
  CHECK(tolk_after(w.g, w.x, LIST(w.c, w.k, w.n, w.l)) != TOLK_NONE);
  EQUAL(read_op(w.g, tolk_mselect(w.g, w.two, 1)).device_count, 1);
  tolk_op halves[] = {tolk_mselect(w.g, w.two, 1), tolk_mselect(w.g, w.two, 0)}, stack = tolk_mstack(w.g, halves, 2);
  EQUAL(read_op(w.g, stack).device_count, 2);
  CHECK(read_op(w.g, stack).base == stack);
  OK(tolk_graph_error(w.g));
  OK(tolk_graph_destroy(w.g));
}

TEST(views_out_of_bounds) {
  REFUSED(BAD, "elements [-1, +2)", tolk_shrink(w.g, w.x, -1, 2));
  REFUSED(BAD, "16 elements", tolk_shrink(w.g, w.x, 0, 17));
  REFUSED(BAD, "16 elements", tolk_shrink(w.g, w.x, 16, 1));
  REFUSED(BAD, "length -1", tolk_shrink(w.g, w.x, 3, -1));
  REFUSED(BAD, "16 elements", tolk_shrink(w.g, w.x, INT64_MAX, INT64_MAX));
  REFUSED(BAD, "16 elements", tolk_shrink(w.g, w.x, 17, 0));
  REFUSED(BAD, "0..8", tolk_shrink_at(w.g, w.x, w.n, 9));
  REFUSED(BAD, "0..8", tolk_shrink_at(w.g, w.x, w.n, 16)); /* all of it, but not from 8 */
  REFUSED(KIND, "scalar", tolk_shrink_at(w.g, w.x, w.y, 1));
  REFUSED(KIND, "storage or a view", tolk_shrink(w.g, w.c, 0, 1));
  REFUSED(KIND, "storage or a view", tolk_shrink(w.g, w.n, 0, 1));
  REFUSED(BAD, "dtype weak_float", tolk_bitcast(w.g, w.x, TOLK_WEAK_FLOAT));
  REFUSED(BAD, "dtype 300", tolk_bitcast(w.g, w.x, 300));
  REFUSED(BAD, "1 bytes of its source", tolk_bitcast(w.g, w.flag, TOLK_INT16));
  REFUSED(KIND, "storage or a view", tolk_bitcast(w.g, w.k, TOLK_INT8));
  REFUSED(KIND, "storage or a view", tolk_after(w.g, w.c, &w.x, 1));
  REFUSED(TOLK_ERR_INVALID_OP, "source 2 (effect 1) is TOLK_NONE", tolk_after(w.g, w.x, LIST(w.c, TOLK_NONE)));
  REFUSED(BAD, "on one device", tolk_mselect(w.g, w.x, 0));
  REFUSED(BAD, "shard 2", tolk_mselect(w.g, w.two, 2));
  REFUSED(BAD, "shard 4294967295", tolk_mselect(w.g, w.two, UINT32_MAX));
  REFUSED(BAD, "missing", tolk_mstack(w.g, NULL, 0));
  REFUSED(BAD, "on 2 devices", tolk_mstack(w.g, LIST(w.x, w.two)));
  REFUSED(BAD, "all must be alike", tolk_mstack(w.g, LIST(w.x, w.flag)));
  REFUSED(KIND, "source 1", tolk_mstack(w.g, LIST(w.x, w.n)));
}

TEST(bodies_and_calls) {
  struct world w = new_world();
  CHECK(tolk_sink(w.g, NULL, 0, NULL, 0) == tolk_sink(w.g, "", 0, NULL, 0));
  CHECK(tolk_store(w.g, "\xc3\xa9", UINT64_MAX, LIST(w.c, w.l, w.x, w.n)) != TOLK_NONE);
  CHECK(tolk_custom_function(w.g, "f", 1, NULL, 0) != TOLK_NONE);
  CHECK(tolk_call(w.g, w.k, NULL, 0) != TOLK_NONE);
  CHECK(CALL(w.g, w.l, w.x, w.n, w.x, w.x) != TOLK_NONE);
  CHECK(tolk_linear(w.g, NULL, 0) != TOLK_NONE);
  CHECK(tolk_end(w.g, w.c, NULL, 0) == w.c);
  CHECK(tolk_end(w.g, w.l, &w.i, 1) != TOLK_NONE);
  CHECK(tolk_backedge(w.g, w.l, w.i, w.flag) != TOLK_NONE);
  OK(tolk_graph_error(w.g));
  OK(tolk_graph_destroy(w.g));
}

TEST(bodies_and_calls_of_wrong_kinds) {
  REFUSED(BAD, "UTF-8", tolk_program(w.g, "\xff", 0, NULL, 0));
  REFUSED(KIND, "body", CALL(w.g, w.x, w.y));
  REFUSED(KIND, "body", CALL(w.g, w.c, w.y));
  REFUSED(KIND, "source 2 (argument 1)", CALL(w.g, w.k, w.x, w.c));
  REFUSED(KIND, "source 1", CALL(w.g, w.k, w.k));
  REFUSED(KIND, "CALL or a loop", LINEAR(w.g, w.c, w.x));
  REFUSED(KIND, "source 0", LINEAR(w.g, w.l)); /* a LINEAR is no entry */
  REFUSED(KIND, "source 0", LINEAR(w.g, w.k));
  REFUSED(KIND, "CALL or a LINEAR", tolk_end(w.g, w.x, &w.i, 1));
  REFUSED(KIND, "RANGE", tolk_end(w.g, w.c, &w.n, 1));
  REFUSED(KIND, "RANGE", tolk_backedge(w.g, w.c, w.n, w.flag));
  REFUSED(KIND, "flag", tolk_backedge(w.g, w.c, w.i, w.n));
  REFUSED(BAD, "one bool", tolk_backedge(w.g, w.c, w.i, w.x));
  REFUSED(KIND, "body", tolk_backedge(w.g, w.k, w.i, w.flag));
}

/* What languages whose empty lists are not NULL pass. */
TEST(dangling_pointers_with_a_count_of_0) {
  struct world w = new_world();
  const tolk_op *dangling = (const tolk_op *)8;
  for (int i = 0; i < 1000; i++) {
    CHECK(tolk_linear(w.g, dangling, 0) != TOLK_NONE);
    CHECK(tolk_call(w.g, w.k, dangling, 0) != TOLK_NONE);
    CHECK(tolk_sink(w.g, "s", 0, dangling, 0) != TOLK_NONE);
    CHECK(tolk_after(w.g, w.x, dangling, 0) == w.x);
    tolk_storage s = storage(TOLK_INT8, 1, "GPU");
    s.devices = (const char *const *)8;
    CHECK(tolk_buffer(w.g, &s) != TOLK_NONE);
  }
  OK(tolk_graph_destroy(w.g));
}
