/* Plans against figures worked out by hand. */
#include "world.h"

struct arrays {
  const tolk_arena *arenas;
  const tolk_placed *places;
  const tolk_bind *binds;
  const uint64_t *begins;
  size_t arena_count, place_count, bind_count, begin_count;
};

static struct arrays arrays_of(const tolk_plan *plan) {
  struct arrays a;
  REQUIRE(tolk_plan_arenas(plan, &a.arenas, &a.arena_count) == TOLK_OK);
  REQUIRE(tolk_plan_places(plan, &a.places, &a.place_count) == TOLK_OK);
  REQUIRE(tolk_plan_binds(plan, &a.binds, &a.bind_count) == TOLK_OK);
  REQUIRE(tolk_plan_entries(plan, &a.begins, &a.begin_count) == TOLK_OK);
  return a;
}

static void check_place(const tolk_placed *p, tolk_op buffer, uint32_t arena, int64_t place, int64_t start, int64_t need, uint64_t first,
                        uint64_t end) {
  CHECK(p->buffer == buffer);
  EQUAL(p->arena, arena);
  EQUAL(p->place, place);
  EQUAL(p->start, start);
  EQUAL(p->need, need);
  EQUAL(p->first, first);
  EQUAL(p->end, end);
}

static void check_bind(const tolk_bind *b, uint64_t entry, uint32_t argument, uint32_t arena, int64_t offset, int64_t bytes) {
  EQUAL(b->entry, entry);
  EQUAL(b->argument, argument);
  EQUAL(b->arena, arena);
  EQUAL(b->offset, offset);
  EQUAL(b->bytes, bytes);
}

static void check_totals(const tolk_plan *plan, int64_t before, int64_t after, int64_t bound) {
  tolk_totals totals = TOLK_TOTALS_INIT;
  OK(tolk_plan_totals(plan, &totals));
  EQUAL(totals.before, before);
  EQUAL(totals.after, after);
  EQUAL(totals.lower_bound, bound);
  EQUAL(totals.optimal, after == bound);
}

/* The example of the header: x -> a -> b -> y, y held. Blocks of 4096 bytes each.
 *   entry   0    1    2
 *   a       ==== ====        at 0
 *   b            ==== ====   at 4096
 * Both live at entry 1, so that the arena and its bound are 8192. */
TEST(a_chain) {
  tolk_graph *g;
  OK(tolk_graph_create(&g));
  tolk_storage s = storage(TOLK_FLOAT32, 1024, "CUDA:0");
  tolk_op x = tolk_param(g, &s), a = tolk_buffer(g, &s), b = tolk_buffer(g, &s), y = tolk_buffer(g, &s);
  tolk_op k = tolk_program(g, "relu", 0, NULL, 0), calls[] = {CALL(g, k, a, x), CALL(g, k, b, a), CALL(g, k, y, b)}, planned, same;
  tolk_op schedule = tolk_linear(g, calls, 3);
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(g, schedule, &y, 1, NULL, &planned, &plan));
  CHECK(planned != schedule);
  OK(tolk_plan_schedule(plan, &same));
  CHECK(same == planned);
  struct arrays r = arrays_of(plan);
  EQUAL(r.arena_count, 1);
  EQUAL(r.arenas[0].size, 8192);
  EQUAL(r.arenas[0].peak_entry, 1);
  CHECK(r.arenas[0].live_count == 2 && r.arenas[0].live[0] == 0 && r.arenas[0].live[1] == 1);
  EQUAL(r.arenas[0].proof, TOLK_PROOF_EQUALS_BOUND);
  EQUAL(r.arenas[0].stopped, TOLK_STOP_DONE);
  CHECK(r.arenas[0].device_count == 1 && strcmp(r.arenas[0].devices[0], "CUDA:0") == 0);
  tolk_op_info arena = read_op(g, r.arenas[0].op);
  CHECK(arena.kind == TOLK_KIND_BUFFER && arena.dtype == TOLK_INT8 && arena.count == 8192 && arena.slot > read_op(g, y).slot);
  EQUAL(r.place_count, 2);
  check_place(&r.places[0], a, 0, 0, 0, 4096, 0, 2);
  check_place(&r.places[1], b, 0, 4096, 4096, 4096, 1, 3);
  EQUAL(r.bind_count, 6);
  check_bind(&r.binds[0], 0, 0, 0, 0, 4096);
  check_bind(&r.binds[1], 0, 1, TOLK_NO_ARENA, 0, 4096);
  check_bind(&r.binds[2], 1, 0, 0, 4096, 4096);
  check_bind(&r.binds[3], 1, 1, 0, 0, 4096);
  check_bind(&r.binds[4], 2, 0, TOLK_NO_ARENA, 0, 4096);
  check_bind(&r.binds[5], 2, 1, 0, 4096, 4096);
  CHECK(r.binds[0].storage == r.arenas[0].op && r.binds[1].storage == x && r.binds[4].storage == y);
  EQUAL(r.begin_count, 4);
  for (uint64_t e = 0; e < 4; e++) EQUAL(r.begins[e], 2 * e);
  check_totals(plan, 8192, 8192, 8192);
  OK(tolk_plan_verify(plan));
  OK(tolk_graph_check(g));
  OK(tolk_graph_destroy(g));
  /* The plan stays. */
  CHECK(r.arenas[0].size == 8192 && strcmp(r.arenas[0].devices[0], "CUDA:0") == 0 && r.binds[5].offset == 4096);
  check_totals(plan, 8192, 8192, 8192);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
}

/* The planned schedule, walked with the readers: CALLs of the same body, whose arguments are
 * BITCAST(SHRINK(arena, start, bytes), dtype) where they were buffers. */
TEST(the_planned_schedule_is_read_like_any) {
  struct world w = new_world();
  tolk_op planned, schedule = LINEAR(w.g, CALL(w.g, w.k, w.n, w.y, tolk_shrink(w.g, w.y, 4, 2)), w.c);
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, schedule, &w.x, 1, NULL, &planned, &plan));
  struct arrays r = arrays_of(plan);
  tolk_op entries[2], args[4];
  size_t count;
  OK(tolk_op_sources(w.g, planned, entries, 2, &count));
  EQUAL(count, 2);
  OK(tolk_op_sources(w.g, entries[0], args, 4, &count));
  CHECK(args[0] == w.k && args[1] == w.n);
  tolk_op_info cast = read_op(w.g, args[2]);
  CHECK(cast.kind == TOLK_KIND_BITCAST && cast.dtype == TOLK_FLOAT32 && cast.count == 16 && cast.base == r.arenas[0].op);
  tolk_op bytes, cast_again;
  OK(tolk_op_source(w.g, args[2], 0, &bytes));
  tolk_op_info shrink = read_op(w.g, bytes);
  CHECK(shrink.kind == TOLK_KIND_SHRINK && shrink.count == 64 && shrink.start == tolk_const(w.g, 0));
  OK(tolk_op_source(w.g, args[3], 0, &cast_again)); /* a view of the same */
  CHECK(cast_again == args[2]);
  CHECK(r.binds[1].value == args[3] && r.binds[0].value == args[2] && r.binds[0].call == entries[0]);
  check_bind(&r.binds[1], 0, 2, 0, 16, 8); /* from element 4 */
  OK(tolk_op_source(w.g, entries[1], 1, &args[0]));
  CHECK(args[0] == w.x);
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

/* Needs: flag 1 -> 256, a and b 400 -> 512, c 40 -> 256; the allocator's range is 2 * 1536.
 *   entry   0    1 (loop)  2
 *   flag    ==== ====            at 0
 *   a       ==== ====            at 256
 *   b            ====     ====   at 768
 *   c                     ====   at 0: flag and a, freed, make a block of 768, the smallest that holds 256
 * Load: 768, 1280, 768. */
TEST(a_loop_with_a_flag) {
  struct world w = new_world();
  tolk_op a = f32(w.g, 100), b = f32(w.g, 100), c = f32(w.g, 10);
  tolk_op inner = LINEAR(w.g, CALL(w.g, w.k, b, a)), loop = tolk_backedge(w.g, inner, w.i, w.flag);
  tolk_op schedule = LINEAR(w.g, CALL(w.g, w.k, w.flag, a), loop, CALL(w.g, w.k, c, b)), planned;
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, schedule, NULL, 0, NULL, &planned, &plan));
  struct arrays r = arrays_of(plan);
  EQUAL(r.arenas[0].size, 1280);
  EQUAL(r.arenas[0].lower_bound, 1280);
  EQUAL(r.arenas[0].peak_entry, 1);
  EQUAL(r.arenas[0].live_count, 3);
  CHECK(r.arenas[0].live[0] == 1 && r.arenas[0].live[1] == 2 && r.arenas[0].live[2] == 0); /* largest first */
  check_place(&r.places[0], w.flag, 0, 0, 0, 256, 0, 2);
  check_place(&r.places[1], a, 0, 256, 256, 512, 0, 2);
  check_place(&r.places[2], b, 0, 768, 768, 512, 1, 3);
  check_place(&r.places[3], c, 0, 0, 0, 256, 2, 3);
  EQUAL(r.places[0].bytes, 1);
  check_bind(&r.binds[2], 1, TOLK_FLAG, 0, 0, 1); /* tested first */
  check_bind(&r.binds[3], 1, 0, 0, 768, 400);
  check_bind(&r.binds[4], 1, 1, 0, 256, 400);
  EQUAL(read_op(w.g, r.binds[2].call).kind, TOLK_KIND_BACKEDGE);
  EQUAL(read_op(w.g, r.binds[3].call).kind, TOLK_KIND_CALL);
  CHECK(r.begins[1] == 2 && r.begins[2] == 5 && r.begins[3] == 7);
  check_totals(plan, 1536, 1280, 1280);
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

static tolk_op phased(tolk_graph *g, const char *device, int64_t count, uint32_t phase) {
  tolk_storage s = storage(TOLK_FLOAT32, count, device);
  s.phase = phase;
  return tolk_buffer(g, &s);
}

/* p and q on A, r on B, both 256 bytes; q 256 + phase 4 -> 512; w.two on two devices, 64 -> 256.
 *   entry  0    1    2
 *   p      ==== ====        arena 0 at 0
 *   r      ==== ====        arena 1 at 0
 *   q           ====        arena 0 at 256
 *   two              ====   arena 2 at 0 */
TEST(stacks_shards_phases_and_symbolic_starts) {
  struct world w = new_world();
  tolk_op p = phased(w.g, "A", 64, 0), q = phased(w.g, "A", 64, 4), r = phased(w.g, "B", 64, 0);
  tolk_op m = tolk_mstack(w.g, LIST(p, r)), shard0 = tolk_mselect(w.g, m, 0), shard1 = tolk_mselect(w.g, m, 1);
  tolk_op window = tolk_shrink_at(w.g, tolk_shrink(w.g, shard0, 8, 40), w.n, 16);
  tolk_op tail = tolk_bitcast(w.g, tolk_shrink(w.g, q, 2, 4), TOLK_INT8);
  tolk_op calls[] = {CALL(w.g, w.k, m, w.n), CALL(w.g, w.k, shard1, window, tail), CALL(w.g, w.k, w.two)};
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, tolk_linear(w.g, calls, 3), NULL, 0, NULL, NULL, &plan));
  struct arrays a = arrays_of(plan);
  EQUAL(a.arena_count, 3);
  CHECK(a.arenas[0].size == 768 && a.arenas[1].size == 256 && a.arenas[2].size == 256);
  CHECK(strcmp(a.arenas[0].devices[0], "A") == 0 && strcmp(a.arenas[1].devices[0], "B") == 0);
  CHECK(a.arenas[2].device_count == 2 && strcmp(a.arenas[2].devices[1], "GPU:1") == 0);
  check_place(&a.places[0], p, 0, 0, 0, 256, 0, 2);
  check_place(&a.places[1], r, 1, 0, 0, 256, 0, 2);
  check_place(&a.places[2], q, 0, 256, 260, 512, 1, 2);
  check_place(&a.places[3], w.two, 2, 0, 0, 256, 2, 3);
  EQUAL(a.bind_count, 6);
  check_bind(&a.binds[0], 0, 0, 0, 0, 256); /* the stack's parts */
  check_bind(&a.binds[1], 0, 0, 1, 0, 256);
  CHECK(a.binds[0].shard == 0 && a.binds[1].shard == 1);
  check_bind(&a.binds[2], 1, 0, 1, 0, 256); /* one part */
  check_bind(&a.binds[3], 1, 1, 0, 32, 64); /* 8 elements, and n known later */
  EQUAL(a.binds[3].symbolic, 1);
  EQUAL(a.binds[2].symbolic, 0);
  check_bind(&a.binds[4], 1, 2, 0, 260 + 8, 16);
  check_bind(&a.binds[5], 2, 0, 2, 0, 64); /* of each device */
  check_totals(plan, 256 + 256 + 512 + 256, 1280, 1280);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

/* a and b are a copy's; a lives [0, 2), so that it stays for 2 entries more, and b [1, 3), for 2 more. c is a kernel's. */
TEST(copies_apart) {
  struct world w = new_world();
  tolk_op a = f32(w.g, 64), b = f32(w.g, 64), c = f32(w.g, 64), copy = tolk_store(w.g, NULL, 0, NULL, 0);
  tolk_op calls[] = {CALL(w.g, w.k, a), CALL(w.g, copy, b, a), CALL(w.g, w.k, c, b)}, schedule = tolk_linear(w.g, calls, 3);
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.copies = TOLK_COPIES_APART;
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, schedule, NULL, 0, &options, NULL, &plan));
  struct arrays r = arrays_of(plan);
  EQUAL(r.arena_count, 2);
  CHECK(r.arenas[0].copies == 1 && r.arenas[0].size == 512 && r.arenas[1].copies == 0 && r.arenas[1].size == 256);
  check_place(&r.places[0], a, 0, 0, 0, 256, 0, 4);
  check_place(&r.places[1], b, 0, 256, 256, 256, 1, 5);
  check_place(&r.places[2], c, 1, 0, 0, 256, 2, 3);
  OK(tolk_plan_destroy(plan));
  /* Shared: one arena, where c takes a's bytes. */
  OK(tolk_memory_plan_rewrite(w.g, schedule, NULL, 0, NULL, NULL, &plan));
  r = arrays_of(plan);
  EQUAL(r.arena_count, 1);
  check_place(&r.places[2], c, 0, 0, 0, 256, 2, 3);
  check_totals(plan, 768, 512, 512);
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

TEST(duplicate_arguments_bind_each) {
  struct world w = new_world();
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, w.x, w.x, w.n, w.x)), NULL, 0, NULL, NULL, &plan));
  struct arrays r = arrays_of(plan);
  EQUAL(r.place_count, 1);
  EQUAL(r.bind_count, 3);
  EQUAL(r.binds[2].argument, 3); /* the scalar is counted */
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

TEST(a_buffer_of_no_elements_gets_a_place) {
  struct world w = new_world();
  tolk_op empty = f32(w.g, 0);
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, LINEAR(w.g, CALL(w.g, w.k, empty, w.x)), NULL, 0, NULL, NULL, &plan));
  struct arrays r = arrays_of(plan);
  check_place(&r.places[0], empty, 0, 0, 0, 256, 0, 1);
  check_place(&r.places[1], w.x, 0, 256, 256, 256, 0, 1);
  EQUAL(r.places[0].bytes, 0);
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}

/* The schedule itself comes back, with what its arguments bind to. */
static void check_unplanned(struct world *w, tolk_op schedule, const tolk_op *held, size_t held_count, const tolk_plan_options *options,
                            size_t binds) {
  tolk_op planned;
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w->g, schedule, held, held_count, options, &planned, &plan));
  CHECK(planned == schedule);
  struct arrays r = arrays_of(plan);
  CHECK(r.arena_count == 0 && r.place_count == 0);
  EQUAL(r.bind_count, binds);
  for (size_t i = 0; i < r.bind_count; i++) EQUAL(r.binds[i].arena, TOLK_NO_ARENA);
  check_totals(plan, 0, 0, 0);
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
}

TEST(nothing_to_plan) {
  struct world w = new_world();
  const char *disks[] = {"DISK", "disk:/tmp/a", "DiSk:b:c"}, *not_disks[] = {"DISKO", "DISK2", " DISK", "GPU:DISK"};
  check_unplanned(&w, tolk_linear(w.g, NULL, 0), NULL, 0, NULL, 0);
  check_unplanned(&w, w.l, LIST(w.x, tolk_shrink(w.g, w.y, 1, 2), w.x), NULL, 2); /* a view holds what is under it */
  for (size_t i = 0; i < COUNT(disks); i++) {
    tolk_op d = phased(w.g, disks[i], 4, 0);
    check_unplanned(&w, LINEAR(w.g, CALL(w.g, w.k, d)), NULL, 0, NULL, 1);
  }
  for (size_t i = 0; i < COUNT(not_disks); i++) {
    tolk_op planned, schedule = LINEAR(w.g, CALL(w.g, w.k, phased(w.g, not_disks[i], 4, 0)));
    OK(tolk_memory_plan_rewrite(w.g, schedule, NULL, 0, NULL, &planned, NULL));
    CHECK(planned != schedule);
  }
  tolk_plan_options off = TOLK_PLAN_OPTIONS_INIT;
  off.overrides = TOLK_OVERRIDE_NO_MEMORY_PLANNER;
  off.no_memory_planner = 1;
  check_unplanned(&w, w.l, NULL, 0, &off, 2);
  check_unplanned(&w, w.l, LIST(w.x, w.y), (const tolk_plan_options *)NULL, 2);
  OK(tolk_graph_destroy(w.g));
}

TEST(verify_finds_a_place_that_moved) {
  struct world w = new_world();
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, w.l, NULL, 0, NULL, NULL, &plan));
  tolk_placed *places = (tolk_placed *)(uintptr_t)arrays_of(plan).places; /* which a caller may not write to */
  places[0].place = 256;
  FAILS(TOLK_ERR_INVALID_PLAN, "buffers 0 and 1 share bytes [256, 512) at entry 0", tolk_plan_verify(plan));
  places[0].place = 0;
  places[1].place = 512;
  FAILS(TOLK_ERR_INVALID_PLAN, "buffer 1 takes bytes [512, 768) of an arena of 512", tolk_plan_verify(plan));
  places[1].place = 256;
  OK(tolk_plan_verify(plan));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(w.g));
}
