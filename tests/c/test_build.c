/* tolk_build: many ops in one call, all or nothing. */
#include "world.h"

static tolk_op_desc desc(uint32_t kind) {
  tolk_op_desc d = TOLK_OP_DESC_INIT;
  d.kind = kind;
  return d;
}

static tolk_op_desc with_sources(uint32_t kind, const tolk_op *sources, uint64_t count) {
  tolk_op_desc d = desc(kind);
  d.sources = sources;
  d.source_count = count;
  return d;
}

/* Every kind, each also built by its constructor: the same ops. */
TEST(it_gives_what_the_constructors_give) {
  struct world w = new_world();
  tolk_storage s = storage(TOLK_FLOAT32, 16, "GPU");
  s.has_slot = 1;
  s.slot = 1000000;
  tolk_op at_n[] = {TOLK_REF(0), TOLK_REF(3)}, sum[] = {TOLK_REF(3), TOLK_REF(4)}, effects[] = {TOLK_REF(0), w.c};
  tolk_op stack[] = {w.x, w.y}, call[] = {TOLK_REF(14), TOLK_REF(0), TOLK_REF(3)}, body[] = {TOLK_REF(17)};
  tolk_op end[] = {TOLK_REF(18), TOLK_REF(5)}, back[] = {TOLK_REF(18), TOLK_REF(5), w.flag};
  tolk_op_desc d[] = {
      desc(TOLK_KIND_BUFFER), desc(TOLK_KIND_ALLOC), desc(TOLK_KIND_PARAM), desc(TOLK_KIND_VARIABLE), desc(TOLK_KIND_CONST),
      with_sources(TOLK_KIND_RANGE, &at_n[1], 1), with_sources(TOLK_KIND_ADD, sum, 2), with_sources(TOLK_KIND_MUL, sum, 2),
      with_sources(TOLK_KIND_SHRINK, at_n, 2), with_sources(TOLK_KIND_SHRINK, at_n, 1), with_sources(TOLK_KIND_BITCAST, at_n, 1),
      with_sources(TOLK_KIND_AFTER, effects, 2), with_sources(TOLK_KIND_MSELECT, &w.two, 1), with_sources(TOLK_KIND_MSTACK, stack, 2),
      with_sources(TOLK_KIND_SINK, at_n, 1), with_sources(TOLK_KIND_STORE, at_n, 1), desc(TOLK_KIND_CUSTOM_FUNCTION),
      with_sources(TOLK_KIND_CALL, call, 3), with_sources(TOLK_KIND_LINEAR, body, 1), with_sources(TOLK_KIND_END, end, 2),
      with_sources(TOLK_KIND_BACKEDGE, back, 3), desc(TOLK_KIND_PROGRAM)};
  for (int i = 0; i < 3; i++) d[i].storage = &s;
  d[3].name = "m", d[3].value = 1, d[3].limit = 6;
  d[4].value = 2;
  d[5].value = 7, d[5].axis_kind = 3;
  d[8].limit = 10;
  d[9].value = 2, d[9].limit = 5;
  d[10].dtype = TOLK_INT8;
  d[12].value = 1;
  d[14].name = "sink", d[14].tag = 5;
  d[21].name = "k";
  tolk_op ops[COUNT(d)];
  OK(tolk_build(w.g, d, COUNT(d), ops));
  uint64_t count = op_count(w.g);
  CHECK(ops[0] == tolk_buffer(w.g, &s) && ops[1] == tolk_alloc(w.g, &s) && ops[2] == tolk_param(w.g, &s));
  CHECK(ops[3] == tolk_variable(w.g, "m", 1, 6) && ops[4] == tolk_const(w.g, 2) && ops[5] == tolk_range(w.g, ops[3], 7, 3));
  CHECK(ops[6] == tolk_add(w.g, ops[3], ops[4]) && ops[7] == tolk_mul(w.g, ops[3], ops[4]));
  CHECK(ops[8] == tolk_shrink_at(w.g, ops[0], ops[3], 10) && ops[9] == tolk_shrink(w.g, ops[0], 2, 5));
  CHECK(ops[10] == tolk_bitcast(w.g, ops[0], TOLK_INT8) && ops[11] == tolk_after(w.g, ops[0], &w.c, 1));
  CHECK(ops[12] == tolk_mselect(w.g, w.two, 1) && ops[13] == tolk_mstack(w.g, stack, 2));
  CHECK(ops[14] == tolk_sink(w.g, "sink", 5, ops, 1) && ops[15] == tolk_store(w.g, NULL, 0, ops, 1));
  CHECK(ops[16] == tolk_custom_function(w.g, NULL, 0, NULL, 0) && ops[17] == CALL(w.g, ops[14], ops[0], ops[3]));
  CHECK(ops[18] == tolk_linear(w.g, &ops[17], 1) && ops[19] == tolk_end(w.g, ops[18], &ops[5], 1));
  CHECK(ops[20] == tolk_backedge(w.g, ops[18], ops[5], w.flag) && ops[21] == w.k);
  EQUAL(op_count(w.g), count);
  OK(tolk_graph_check(w.g));
  OK(tolk_graph_destroy(w.g));
}

/* Builds two good descriptions and one with this source and kind, which must fail and leave nothing. */
static void check_rolls_back(tolk_op_desc third, tolk_status status, const char *text) {
  struct world w = new_world();
  uint64_t before = op_count(w.g);
  tolk_op_desc d[] = {desc(TOLK_KIND_CONST), with_sources(TOLK_KIND_SHRINK, &w.x, 1), third, desc(TOLK_KIND_CONST)};
  d[0].value = 123;
  d[1].limit = 3;
  tolk_op ops[] = {9, 9, 9, 9};
  FAILS(status, text, tolk_build(w.g, d, COUNT(d), ops));
  CHECK(strstr(tolk_last_error(), "description 2") != NULL);
  for (size_t i = 0; i < COUNT(ops); i++) EQUAL(ops[i], TOLK_NONE);
  EQUAL(op_count(w.g), before);
  OK(tolk_graph_check(w.g));
  FAILS(status, text, tolk_graph_error(w.g));
  tolk_op good = tolk_const(w.g, 123); /* nothing of it is half there */
  EQUAL(op_count(w.g), before + 1);
  CHECK(good != TOLK_NONE);
  OK(tolk_graph_destroy(w.g));
}

TEST(one_bad_description_undoes_all) {
  tolk_op self = TOLK_REF(2), forward = TOLK_REF(3), past = TOLK_REF(4), far = TOLK_REF(INT64_MAX), none = TOLK_NONE;
  tolk_op constant = TOLK_REF(0);
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &self, 1), TOLK_ERR_INVALID_OP, "refers to description 2");
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &forward, 1), TOLK_ERR_INVALID_OP, "refers to description 3");
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &past, 1), TOLK_ERR_INVALID_OP, "refers to description 4");
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &far, 1), TOLK_ERR_INVALID_OP, "refers to description");
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &none, 1), TOLK_ERR_INVALID_OP, "TOLK_NONE");
  check_rolls_back(with_sources(TOLK_KIND_BITCAST, &constant, 1), TOLK_ERR_WRONG_KIND, "CONST");
  check_rolls_back(with_sources(TOLK_KIND_ADD, &constant, 1), TOLK_ERR_INVALID_ARGUMENT, "missing");
  check_rolls_back(with_sources(TOLK_KIND_CONST, &constant, 1), TOLK_ERR_INVALID_ARGUMENT, "takes 0");
  check_rolls_back(with_sources(TOLK_KIND_ADD, NULL, 2), TOLK_ERR_INVALID_ARGUMENT, "sources is NULL");
  check_rolls_back(with_sources(TOLK_KIND_LINEAR, &constant, UINT64_MAX), TOLK_ERR_LIMIT, "sources");
  check_rolls_back(desc(TOLK_KIND_BUFFER), TOLK_ERR_INVALID_ARGUMENT, "storage is NULL");
  check_rolls_back(desc(TOLK_KIND_VARIABLE), TOLK_ERR_INVALID_ARGUMENT, "name is empty");
  check_rolls_back(desc(0), TOLK_ERR_INVALID_ARGUMENT, "kind 0");
  check_rolls_back(desc(TOLK_KIND_BACKEDGE + 1), TOLK_ERR_INVALID_ARGUMENT, "kind 22");
  check_rolls_back(desc(256 + TOLK_KIND_CONST), TOLK_ERR_INVALID_ARGUMENT, "kind 261");
  tolk_op_desc other_size = desc(TOLK_KIND_CONST);
  other_size.struct_size += 8;
  check_rolls_back(other_size, TOLK_ERR_INVALID_ARGUMENT, "struct_size");
}

TEST(struct_size_of_descriptions) {
  struct world w = new_world();
  uint32_t bad[] = {0, 1, 4, 8, sizeof(tolk_op_desc) - 8, sizeof(tolk_op_desc) + 1, 1u << 20, UINT32_MAX, 0x80000000u};
  for (size_t i = 0; i < COUNT(bad); i++) {
    tolk_op_desc d = desc(TOLK_KIND_CONST);
    d.struct_size = bad[i];
    tolk_op op = 9;
    FAILS(TOLK_ERR_INVALID_ARGUMENT, "struct_size", tolk_build(w.g, &d, 1, &op));
    EQUAL(op, TOLK_NONE);
  }
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "struct_size", tolk_graph_error(w.g));
  OK(tolk_graph_destroy(w.g));
}

struct newer_desc {
  tolk_op_desc old;
  uint64_t more;
};

TEST(descriptions_of_a_newer_caller) {
  struct world w = new_world();
  struct newer_desc d[3] = {{desc(TOLK_KIND_CONST), 0}, {desc(TOLK_KIND_CONST), 0}, {desc(TOLK_KIND_CONST), 0}};
  for (int i = 0; i < 3; i++) d[i].old.struct_size = sizeof *d, d[i].old.value = 40 + i;
  tolk_op ops[3];
  OK(tolk_build(w.g, &d[0].old, 3, ops));
  for (int i = 0; i < 3; i++) CHECK(ops[i] == tolk_const(w.g, 40 + i));
  d[2].more = 1;
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "newer than this library", tolk_build(w.g, &d[0].old, 3, ops));
  OK(tolk_graph_destroy(w.g));
}

struct newer_storage {
  tolk_storage old;
  uint64_t more;
};

TEST(storage_of_a_newer_caller) {
  struct newer_storage s = {storage(TOLK_INT8, 4, "GPU"), 0};
  s.old.struct_size = sizeof s;
  struct world w = new_world();
  CHECK(tolk_buffer(w.g, &s.old) != TOLK_NONE);
  OK(tolk_graph_destroy(w.g));
  s.more = 1;
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "newer than this library", tolk_buffer(w.g, &s.old));
  uint32_t bad[] = {0, 4, sizeof(tolk_storage) - 8, sizeof(tolk_storage) + 2, UINT32_MAX};
  for (size_t i = 0; i < COUNT(bad); i++) {
    tolk_storage t = storage(TOLK_INT8, 4, "GPU");
    t.struct_size = bad[i];
    REFUSED(TOLK_ERR_INVALID_ARGUMENT, "struct_size", tolk_buffer(w.g, &t));
  }
  tolk_storage t = storage(TOLK_INT8, 4, "GPU");
  t.reserved = 1;
  REFUSED(TOLK_ERR_INVALID_ARGUMENT, "reserved", tolk_buffer(w.g, &t));
}

TEST(counts_that_no_graph_holds) {
  struct world w = new_world();
  tolk_op_desc d = desc(TOLK_KIND_CONST);
  tolk_op op = 9;
  size_t counts[] = {SIZE_MAX, (size_t)1 << 62, (size_t)1 << 40, (size_t)1 << 33};
  for (size_t i = 0; i < COUNT(counts); i++) FAILS(TOLK_ERR_LIMIT, "items", tolk_build(w.g, &d, counts[i], &op));
  OK(tolk_graph_destroy(w.g));
}

TEST(no_descriptions) {
  struct world w = new_world();
  OK(tolk_build(w.g, NULL, 0, NULL));
  OK(tolk_build(w.g, (const tolk_op_desc *)8, 0, (tolk_op *)8));
  tolk_op_desc d = desc(TOLK_KIND_CONST);
  tolk_op op;
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "descs is NULL, its count 1", tolk_build(w.g, NULL, 1, &op));
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "ops is NULL", tolk_build(w.g, &d, 1, NULL));
  OK(tolk_graph_destroy(w.g));
}
