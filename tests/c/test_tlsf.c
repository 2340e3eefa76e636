/* The allocator. */
#include "world.h"

enum { BAD = TOLK_ERR_INVALID_ARGUMENT };

static tolk_tlsf *new_tlsf(int64_t size, int64_t base) {
  tolk_tlsf *t;
  REQUIRE(tolk_tlsf_create(size, base, TOLK_TLSF_BLOCK_SIZE, TOLK_TLSF_LIST_COUNT, &t) == TOLK_OK);
  return t;
}

TEST(addresses_by_hand) {
  tolk_tlsf *t = new_tlsf(1024, 4096);
  int64_t a, b, c, none = 77;
  OK(tolk_tlsf_alloc(t, 100, 1, &a));
  OK(tolk_tlsf_alloc(t, 100, 64, &b)); /* the least multiple of 64 from base on that is at least 100 */
  OK(tolk_tlsf_alloc(t, 1, 1, &c));    /* a block of 16, from the 28 before b */
  EQUAL(a, 4096);
  EQUAL(b, 4096 + 128);
  EQUAL(c, 4096 + 100);
  EQUAL(tolk_tlsf_alloc(t, 1000, 1, &none), TOLK_NO_ROOM);
  EQUAL(none, 77);
  OK(tolk_tlsf_free(t, a));
  OK(tolk_tlsf_free(t, b));
  OK(tolk_tlsf_free(t, c));
  OK(tolk_tlsf_alloc(t, 1024, 1, &a)); /* all is one block again */
  EQUAL(a, 4096);
  OK(tolk_tlsf_destroy(t));
}

TEST(misuse) {
  tolk_tlsf *t = new_tlsf(1024, 0);
  int64_t a, at = 77;
  OK(tolk_tlsf_alloc(t, 64, 1, &a));
  const tolk_status free_status = TOLK_ERR_NOT_ALLOCATED;
  FAILS(free_status, "", tolk_tlsf_free(t, a + 16));
  FAILS(free_status, "", tolk_tlsf_free(t, -1));
  FAILS(free_status, "", tolk_tlsf_free(t, INT64_MIN));
  FAILS(free_status, "", tolk_tlsf_free(t, INT64_MAX));
  OK(tolk_tlsf_free(t, a));
  FAILS(free_status, "", tolk_tlsf_free(t, a));
  FAILS(BAD, "align", tolk_tlsf_alloc(t, 16, 0, &at));
  FAILS(BAD, "align", tolk_tlsf_alloc(t, 16, -1, &at));
  FAILS(BAD, "", tolk_tlsf_alloc(t, -1, 1, &at));
  FAILS(TOLK_ERR_OVERFLOW, "63 bits", tolk_tlsf_alloc(t, INT64_MAX, 2, &at));
  EQUAL(tolk_tlsf_alloc(t, INT64_MAX, 1, &at), TOLK_NO_ROOM);
  EQUAL(at, 77);
  OK(tolk_tlsf_destroy(t));
}

TEST(bad_parameters) {
  tolk_tlsf *t = (tolk_tlsf *)9;
  FAILS(BAD, "size", tolk_tlsf_create(-1, 0, 16, 16, &t));
  FAILS(BAD, "", tolk_tlsf_create(64, 0, 0, 16, &t));
  FAILS(BAD, "", tolk_tlsf_create(64, 0, -16, 16, &t));
  FAILS(BAD, "", tolk_tlsf_create(64, 0, 16, 0, &t));
  FAILS(BAD, "", tolk_tlsf_create(64, 0, 16, -1, &t));
  FAILS(BAD, "4096", tolk_tlsf_create(64, 0, INT64_MAX, 4097, &t));
  FAILS(BAD, "bits", tolk_tlsf_create(64, 0, 8, 16, &t));
  FAILS(TOLK_ERR_OVERFLOW, "63 bits", tolk_tlsf_create(2, INT64_MAX - 1, 16, 16, &t));
  CHECK(t == (tolk_tlsf *)9);
}

TEST(ranges_at_the_ends) {
  int64_t at;
  tolk_tlsf *empty = new_tlsf(0, 5), *low = new_tlsf(64, INT64_MIN), *all = new_tlsf(INT64_MAX, 0);
  EQUAL(tolk_tlsf_alloc(empty, 1, 1, &at), TOLK_NO_ROOM);
  OK(tolk_tlsf_alloc(low, 64, 1, &at));
  EQUAL(at, INT64_MIN);
  OK(tolk_tlsf_free(low, INT64_MIN));
  OK(tolk_tlsf_alloc(all, (int64_t)1 << 61, 1, &at));
  OK(tolk_tlsf_destroy(empty));
  OK(tolk_tlsf_destroy(low));
  OK(tolk_tlsf_destroy(all));
}
