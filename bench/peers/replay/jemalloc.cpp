/*
 * jemalloc, with an arena that takes its memory from a range of ours. It keeps what it knows of a block elsewhere and writes to no block,
 * so that the range can be as large as the buffers are. Its own tables, which it asks for in huge pages, come from a
 * second range.
 */
#include <jemalloc/jemalloc.h>

#include "replay.hpp"

struct Range {
  char *next, *end;

  void take(size_t bytes) {
    next = static_cast<char *>(reserve(bytes));
    end = next + bytes;
  }
  void *give(size_t size, size_t alignment) {
    char *begin = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(next) + alignment - 1) / alignment * alignment);
    if (size > static_cast<size_t>(end - begin)) return nullptr;
    next = begin + size;
    return begin;
  }
};

static Range blocks_range, tables_range;
constexpr size_t huge_page = size_t{2} << 20;

static void *give(extent_hooks_t *, void *wanted, size_t size, size_t alignment, bool *zero, bool *commit, unsigned) {
  if (wanted != nullptr) return nullptr;
  *zero = *commit = true; /* fresh pages are */
  return (alignment >= huge_page ? tables_range : blocks_range).give(size, alignment);
}

static bool may_split(extent_hooks_t *, void *, size_t, size_t, size_t, bool, unsigned) { return false; }
static bool may_merge(extent_hooks_t *, void *, size_t, void *, size_t, bool, unsigned) { return false; }

static extent_hooks_t hooks = {give, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, may_split, may_merge};

template <class T> static void set(const char *name, T value) {
  if (mallctl(name, nullptr, nullptr, &value, sizeof value) != 0) fail(name);
}

struct Jemalloc {
  Jemalloc(int64_t range, size_t count) : blocks(count) {
    blocks_range.take(2 * static_cast<size_t>(range) + (size_t{1} << 30));
    tables_range.take(size_t{64} << 30);
    unsigned arena;
    size_t size = sizeof arena;
    extent_hooks_t *ours = &hooks;
    if (mallctl("arenas.create", &arena, &size, &ours, sizeof ours) != 0) fail("arenas.create");
    char name[64];
    std::snprintf(name, sizeof name, "arena.%u.dirty_decay_ms", arena);
    set<ssize_t>(name, -1); /* keep all: what it does must not hang on the clock */
    flags = MALLOCX_ARENA(arena) | MALLOCX_TCACHE_NONE;
  }
  void start() {}
  int64_t alloc(size_t i, int64_t bytes) {
    blocks[i] = mallocx(static_cast<size_t>(bytes), flags);
    if (blocks[i] == nullptr) fail("no memory");
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(blocks[i]));
  }
  void free(size_t i) { dallocx(blocks[i], flags); }

  std::vector<void *> blocks;
  int flags;
};

int main() { return replay<Jemalloc>(); }
