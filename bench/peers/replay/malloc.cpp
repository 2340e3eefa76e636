/* The C library's malloc, kept from giving anything back and from mapping large blocks apart. */
#include <malloc.h>

#include "replay.hpp"
#include "scaled.hpp"

struct Malloc {
  Malloc(int64_t, size_t count) : blocks(count) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
  }
  void start() {}
  int64_t alloc(size_t i, int64_t bytes) {
    blocks[i] = std::malloc(scaled(bytes));
    if (blocks[i] == nullptr) fail("no memory");
    return unscaled(blocks[i]);
  }
  void free(size_t i) { std::free(blocks[i]); }

  std::vector<void *> blocks;
};

int main() { return replay<Malloc>(); }
