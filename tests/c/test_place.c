/* Placing lifetimes without ops, and checking plans by whomever. */
#include "world.h"

enum { BAD = TOLK_ERR_INVALID_ARGUMENT };

static tolk_lifetime life(int64_t first, int64_t end, int64_t bytes) {
  return (tolk_lifetime){.first = first, .end = end, .bytes = bytes};
}

/* Random lifetimes that no placer is quick to prove. */
static void fill_random(tolk_lifetime *buffers, size_t count) {
  uint64_t seed = 12345;
  for (size_t i = 0; i < count; i++) {
    uint64_t r[3];
    for (int k = 0; k < 3; k++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      r[k] = seed >> 33;
    }
    buffers[i] = life((int64_t)(r[0] % 40), (int64_t)(r[0] % 40 + 1 + r[1] % 20), (int64_t)(1 + r[2] % 1000));
  }
}

/* Yes or no is all that is asked. */
TEST(verifying_without_a_place_for_faults) {
  const tolk_lifetime b[] = {{0, 2, 8, 0, 0, 0, 0}, {1, 3, 8, 0, 0, 0, 0}};
  const int64_t apart[] = {0, 8}, together[] = {0, 4};
  tolk_fault room[1];
  OK(tolk_place_verify(b, 2, NULL, apart, 16, NULL, 0, NULL));
  FAILS(TOLK_ERR_INVALID_PLAN, "share bytes [4, 8)", tolk_place_verify(b, 2, NULL, together, 12, NULL, 0, NULL));
  FAILS(TOLK_ERR_INVALID_PLAN, "share bytes [4, 8)", tolk_place_verify(b, 2, NULL, together, 12, room, 1, NULL));
  EQUAL(room[0].kind, TOLK_FAULT_OVERLAP);
}

TEST(offsets_by_hand) {
  /*   entry  0    1
   *   0      ====        at 0
   *   1      ==== ====   at 256
   *   2           ====   at 512; with BEST it fits into 768 */
  tolk_lifetime b[] = {life(0, 1, 256), life(0, 2, 256), life(1, 2, 512)};
  int64_t at[3];
  size_t faults;
  tolk_place_result r = TOLK_PLACE_RESULT_INIT;
  OK(tolk_place(b, 3, NULL, at, &r));
  CHECK(at[0] == 0 && at[1] == 256 && at[2] == 512);
  CHECK(r.size == 1024 && r.lower_bound == 768 && r.peak_entry == 1 && r.optimal == 0 && r.proof == TOLK_PROOF_NONE);
  OK(tolk_place_verify(b, 3, NULL, at, r.size, NULL, 0, &faults));
  EQUAL(faults, 0);
  tolk_place_options best = TOLK_PLACE_OPTIONS_INIT;
  best.placer = TOLK_PLACER_BEST;
  OK(tolk_place(b, 3, &best, at, &r));
  CHECK(r.size == 768 && r.proven_bound == 768 && r.optimal == 1 && r.proof == TOLK_PROOF_EQUALS_BOUND && r.stopped == TOLK_STOP_DONE);
  OK(tolk_place_verify(b, 3, &best, at, r.size, NULL, 0, &faults));
  OK(tolk_place(b, 3, &best, at, NULL));
  OK(tolk_place(NULL, 0, NULL, NULL, &r));
  EQUAL(r.size, 0);
}

TEST(a_result_of_an_older_caller) {
  tolk_lifetime b = life(0, 1, 256);
  int64_t at;
  tolk_place_result r;
  memset(&r, 0xa5, sizeof r);
  r.struct_size = 12; /* up to optimal */
  OK(tolk_place(&b, 1, NULL, &at, &r));
  CHECK(r.struct_size == 12 && r.proof == TOLK_PROOF_EQUALS_BOUND && r.optimal == 1 && r.stopped == 0xa5a5a5a5);
  EQUAL(r.size, (int64_t)0xa5a5a5a5a5a5a5a5);
}

TEST(fixed_and_aligned_buffers) {
  tolk_lifetime b[] = {life(0, 2, 100), life(0, 2, 100)};
  b[0].fixed = 1, b[0].offset = 64;
  b[1].align = 4096;
  int64_t at[2];
  OK(tolk_place(b, 2, NULL, at, NULL));
  CHECK(at[0] == 64 && at[1] % 4096 == 0 && at[1] >= 4096);
}

#define REFUSE(status, text, ...)                                        \
  do {                                                                   \
    tolk_lifetime b[] = {life(0, 1, 16), life(0, 1, 16)};                \
    tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;                      \
    int64_t at[2] = {77, 77};                                            \
    tolk_place_result r = TOLK_PLACE_RESULT_INIT;                        \
    __VA_ARGS__;                                                         \
    FAILS(status, text, tolk_place(b, 2, &o, at, &r));                   \
    CHECK(at[0] == 77 && at[1] == 77 && r.size == 0);                    \
  } while (0)

TEST(lifetimes_and_options_out_of_range) {
  REFUSE(BAD, "buffer 1: end is 0", b[1].end = 0);
  REFUSE(BAD, "buffer 1: end is -5", b[1].end = -5);
  REFUSE(BAD, "buffer 0: bytes is -1", b[0].bytes = -1);
  REFUSE(BAD, "buffer 0: align is 3", b[0].align = 3);
  REFUSE(BAD, "buffer 0: align is -16", b[0].align = -16);
  REFUSE(BAD, "buffer 0: align is", b[0].align = (int64_t)1 << 31);
  REFUSE(BAD, "buffer 1: reserved is 1", b[1].reserved = 1);
  REFUSE(BAD, "buffer 1: offset is -1", b[1].fixed = 1, b[1].offset = -1);
  REFUSE(BAD, "multiple of the buffer's alignment", b[1].fixed = 1, b[1].align = 16, b[1].offset = 8);
  REFUSE(BAD, "fixed too", b[0].fixed = b[1].fixed = 1, b[1].offset = 8);
  REFUSE(BAD, "granule", o.granule = 3);
  REFUSE(BAD, "granule", o.granule = -1);
  REFUSE(BAD, "capacity", o.capacity = -1);
  REFUSE(BAD, "effort", o.effort = -1);
  REFUSE(BAD, "time_limit_ms", o.time_limit_ms = -1);
  REFUSE(BAD, "placer", o.placer = 4);
  REFUSE(BAD, "placer", o.placer = 259);
  REFUSE(BAD, "struct_size", o.struct_size = 2);
  REFUSE(BAD, "struct_size", r.struct_size = 2);
  REFUSE(TOLK_ERR_OVERFLOW, "buffer 1: bytes", b[1].bytes = INT64_MAX);
  REFUSE(TOLK_ERR_OVERFLOW, "buffer 1: bytes", b[0].bytes = b[1].bytes = (int64_t)1 << 61);
  REFUSE(TOLK_ERR_OVERFLOW, "buffer 0: offset", b[0].fixed = 1, b[0].offset = INT64_MAX);
  REFUSE(TOLK_ERR_INFEASIBLE, "capacity 31", o.capacity = 31);
  int64_t at = 77;
  tolk_lifetime b = life(0, 1, 1);
  FAILS(BAD, "buffers is NULL", tolk_place(NULL, 1, NULL, &at, NULL));
  FAILS(BAD, "offsets is NULL", tolk_place(&b, 1, NULL, NULL, NULL));
  FAILS(TOLK_ERR_LIMIT, "items", tolk_place(&b, SIZE_MAX, NULL, &at, NULL));
  FAILS(TOLK_ERR_LIMIT, "items", tolk_place(&b, (size_t)1 << 39, NULL, &at, NULL));
}

struct seen {
  int calls;
  int64_t size, bound;
  tolk_cancel *cancel;
};

static void note_progress(void *user, const tolk_progress *p) {
  struct seen *seen = user;
  CHECK(p->size >= p->bound && p->spent >= 0);
  if (seen->calls++ > 0) CHECK(p->size <= seen->size && p->bound >= seen->bound);
  seen->size = p->size, seen->bound = p->bound;
  CHECK(tolk_unique_num() >= 0); /* it may call the library */
  if (seen->cancel != NULL) OK(tolk_cancel_request(seen->cancel));
}

static tolk_place_result place_random(const tolk_place_options *options) {
  tolk_lifetime b[120];
  int64_t at[COUNT(b)];
  size_t faults;
  tolk_place_result r = TOLK_PLACE_RESULT_INIT;
  fill_random(b, COUNT(b));
  OK(tolk_place(b, COUNT(b), options, at, &r));
  OK(tolk_place_verify(b, COUNT(b), options, at, r.size, NULL, 0, &faults));
  return r;
}

TEST(a_search_tells_its_progress_and_is_cancelled) {
  struct seen seen = {0, 0, 0, NULL};
  tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;
  int64_t tlsf = place_random(&o).size;
  o.placer = TOLK_PLACER_BEST;
  o.effort = 200000;
  o.progress = note_progress;
  o.progress_user = &seen;
  tolk_place_result whole = place_random(&o);
  CHECK(seen.calls > 0 && whole.size <= tlsf && seen.size >= whole.size);
  o.progress = NULL;
  o.progress_user = (void *)8; /* not looked at */
  tolk_place_result again = place_random(&o);
  CHECK(memcmp(&again, &whole, sizeof whole) == 0); /* watching changes nothing */
  tolk_cancel *cancel;
  OK(tolk_cancel_create(&cancel));
  OK(tolk_cancel_request(cancel));
  OK(tolk_cancel_request(cancel));
  o.cancel = cancel;
  tolk_place_result cut = place_random(&o);
  CHECK(cut.stopped == TOLK_STOP_CANCELLED && cut.size <= tlsf && cut.spent <= whole.spent);
  OK(tolk_cancel_destroy(cancel));
  FAILS(TOLK_ERR_INVALID_HANDLE, "cancel is not valid: it was destroyed", tolk_place(NULL, 0, &o, NULL, NULL));
}

TEST(a_callback_stops_its_own_search) {
  struct seen seen = {0, 0, 0, NULL};
  tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;
  OK(tolk_cancel_create(&seen.cancel));
  o.placer = TOLK_PLACER_BEST;
  o.effort = (int64_t)1 << 40; /* for hours */
  o.progress = note_progress;
  o.progress_user = &seen;
  o.cancel = seen.cancel;
  tolk_place_result r = place_random(&o);
  CHECK(r.optimal || r.stopped == TOLK_STOP_CANCELLED);
  OK(tolk_cancel_destroy(seen.cancel));
}

TEST(limits_of_effort_and_time) {
  tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;
  o.placer = TOLK_PLACER_BEST;
  o.effort = 1;
  tolk_place_result r = place_random(&o);
  CHECK(r.optimal || r.stopped == TOLK_STOP_EFFORT);
  o.effort = (int64_t)1 << 40;
  o.time_limit_ms = 1;
  r = place_random(&o);
  CHECK(r.optimal || r.stopped == TOLK_STOP_TIME);
  o.effort = 1000;
  o.time_limit_ms = INT64_MAX; /* for ever */
  r = place_random(&o);
  CHECK(r.optimal || r.stopped == TOLK_STOP_EFFORT);
}

static void check_fault(const tolk_lifetime *b, size_t count, const tolk_place_options *o, const int64_t *at, int64_t size,
                        const tolk_fault *want, const char *text) {
  tolk_fault got[4];
  size_t found = 0;
  memset(got, 0xa5, sizeof got);
  FAILS(TOLK_ERR_INVALID_PLAN, text, tolk_place_verify(b, count, o, at, size, got, COUNT(got), &found));
  EQUAL(found, 1);
  CHECK(memcmp(&got[0], want, sizeof *want) == 0);
  CHECK(got[1].kind == 0xa5a5a5a5);
  found = 0;
  FAILS(TOLK_ERR_INVALID_PLAN, text, tolk_place_verify(b, count, o, at, size, NULL, 9, &found));
  EQUAL(found, 1);
  FAILS(TOLK_ERR_INVALID_PLAN, text, tolk_place_verify(b, count, o, at, size, got, SIZE_MAX, &found));
}

TEST(every_kind_of_fault) {
  tolk_lifetime b[] = {life(0, 3, 100), life(2, 5, 100)};
  tolk_place_options o = TOLK_PLACE_OPTIONS_INIT;
  tolk_fault overlap = {.kind = TOLK_FAULT_OVERLAP, .buffer = 0, .other = 1, .entry = 2, .from = 60, .to = 100};
  check_fault(b, 2, NULL, (int64_t[]){0, 60}, 160, &overlap, "buffers 0 and 1 share bytes [60, 100) at entry 2");
  tolk_fault out = {.kind = TOLK_FAULT_OUT_OF_ARENA, .buffer = 1, .entry = 2, .from = 100, .to = 200, .got = 100, .want = 199};
  check_fault(b, 2, NULL, (int64_t[]){0, 100}, 199, &out, "buffer 1 takes bytes [100, 200) of an arena of 199");
  b[1].align = 64;
  tolk_fault misaligned = {.kind = TOLK_FAULT_MISALIGNED, .buffer = 1, .entry = 2, .from = 100, .to = 200, .got = 100, .want = 64};
  check_fault(b, 2, NULL, (int64_t[]){0, 100}, 200, &misaligned, "not aligned to 64");
  b[1].align = 0, b[1].fixed = 1, b[1].offset = 128;
  tolk_fault moved = {.kind = TOLK_FAULT_MOVED, .buffer = 1, .entry = 2, .from = 100, .to = 200, .got = 100, .want = 128};
  check_fault(b, 2, NULL, (int64_t[]){0, 100}, 200, &moved, "fixed at 128");
  b[1].fixed = 0;
  o.capacity = 199;
  tolk_fault over = {.kind = TOLK_FAULT_OVER_CAPACITY, .got = 200, .want = 199};
  check_fault(b, 2, &o, (int64_t[]){0, 100}, 200, &over, "the capacity 199");
}

TEST(verifying) {
  tolk_lifetime b[] = {life(0, 3, 100), life(3, 5, 100), life(0, 9, 0)};
  size_t found = 77;
  OK(tolk_place_verify(b, 3, NULL, (int64_t[]){0, 0, 50}, 100, NULL, 0, &found)); /* one after the other; and no bytes */
  OK(tolk_place_verify(b, 3, NULL, (int64_t[]){0, 0, 50}, 1000, NULL, 0, &found)); /* bytes to spare */
  EQUAL(found, 0);
  FAILS(TOLK_ERR_INVALID_PLAN, "", tolk_place_verify(b, 3, NULL, (int64_t[]){-1, INT64_MAX, 0}, 100, NULL, 0, &found));
  EQUAL(found, 2);
  found = 77;
  b[1].end = 3;
  FAILS(BAD, "buffer 1: end", tolk_place_verify(b, 3, NULL, (int64_t[]){0, 0, 0}, 100, NULL, 0, &found));
  b[1] = life(0, 1, INT64_MAX);
  FAILS(TOLK_ERR_OVERFLOW, "buffer 1: bytes", tolk_place_verify(b, 3, NULL, (int64_t[]){0, 0, 0}, 100, NULL, 0, &found));
  FAILS(BAD, "offsets is NULL", tolk_place_verify(b, 3, NULL, NULL, 100, NULL, 0, &found));
  FAILS(BAD, "buffers is NULL", tolk_place_verify(NULL, 3, NULL, (int64_t[]){0, 0, 0}, 100, NULL, 0, &found));
  EQUAL(found, 77);
}
