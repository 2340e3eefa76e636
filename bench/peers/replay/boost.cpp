/* Boost.Interprocess's default algorithm: best fit, with the free blocks in a red-black tree by size. */
#include <new>

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include "replay.hpp"
#include "scaled.hpp"

struct Boost {
  using Algorithm = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

  Boost(int64_t range, size_t count)
      : length(static_cast<size_t>(range / scale) + 4096), memory(reserve(length)), blocks(count) {}
  void start() { algorithm = new (memory) Algorithm(length, 0); }
  int64_t alloc(size_t i, int64_t bytes) {
    blocks[i] = algorithm->allocate(scaled(bytes));
    if (blocks[i] == nullptr) fail("the memory is full");
    return unscaled(blocks[i]);
  }
  void free(size_t i) { algorithm->deallocate(blocks[i]); }

  size_t length;
  void *memory;
  std::vector<void *> blocks;
  Algorithm *algorithm;
};

int main() { return replay<Boost>(); }
