/* Random numbers. */
#include "fuzz.h"

/* Marsaglia, "Xorshift RNGs" (2003), with a multiplication: xorshift64*. */
uint64_t draw(fuzz *f) {
  uint64_t x = f->random;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  f->random = x;
  return x * UINT64_C(0x2545f4914f6cdd1d);
}

uint64_t below(fuzz *f, uint64_t n) { return (draw(f) >> 32) % n; }

int once_in(fuzz *f, uint64_t n) { return below(f, n) == 0; }

int64_t any_number(fuzz *f) {
  static const int64_t ends[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT32_MAX, INT32_MIN, UINT32_MAX, 4096};
  switch (below(f, 8)) {
    case 0:
      return ends[below(f, COUNT(ends))];
    case 1:
      return (int64_t)(draw(f) >> below(f, 64));
    case 2:
      return (int64_t)((UINT64_C(1) << below(f, 64)) - below(f, 2));
    default:
      return (int64_t)below(f, 64);
  }
}

uint32_t any_number32(fuzz *f) { return (uint32_t)any_number(f); }

uint32_t mostly_below(fuzz *f, uint32_t n) { return once_in(f, 40) ? any_number32(f) : (uint32_t)below(f, n); }
