/* Memory that ends where none is: a byte read or written too far ends the program. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void new_edges(fuzz *f) {
  for (int i = 0; i < EDGES; i++) {
    char *p = mmap(NULL, EDGE_BYTES + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + EDGE_BYTES, page(), PROT_NONE) != 0) fault(f, "no memory for the fuzzer itself");
    f->edges[i] = p + EDGE_BYTES;
  }
}

void drop_edges(fuzz *f) {
  for (int i = 0; i < EDGES; i++) munmap(f->edges[i] - EDGE_BYTES, EDGE_BYTES + page());
}

void *at_edge(fuzz *f, int edge, size_t size) {
  MUST(size <= EDGE_BYTES);
  return f->edges[edge] - size;
}

const char *string_at_edge(fuzz *f, int edge, const char *s) {
  if (s == NULL) return NULL;
  size_t size = strlen(s) + 1;
  return memcpy(at_edge(f, edge, size), s, size);
}

void *dangling(fuzz *f) {
  static const uintptr_t addresses[] = {1, 8, UINTPTR_MAX, (uintptr_t)1 << 47, (uintptr_t)0x7400 << 48};
  return (void *)addresses[below(f, COUNT(addresses))];
}
