/*
 * Loads the library with so many MiB of address space, and works; with "fill" goes on to build ops until there is no memory.
 *
 *     limit LIBRARY MIB [fill]
 */
#include <sys/resource.h>

#include "load.h"

static void fill(void *library) {
  tolk_graph *graph;
  MUST(FIND(library, tolk_graph_create)(&graph) == TOLK_OK);
  for (int64_t i = 0; FIND(library, tolk_const)(graph, i) != TOLK_NONE; i++) continue;
  die("status %d: %s", FIND(library, tolk_last_status)(), FIND(library, tolk_last_error)());
}

int main(int argc, char **argv) {
  MUST(argc >= 3);
  rlim_t bytes = (rlim_t)strtoul(argv[2], NULL, 10) << 20;
  MUST(setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}) == 0);
  void *library = load(argv[1]);
  for (int i = 0; i < 1000; i++) work(library);
  if (argc > 3) fill(library);
  puts("ok");
  return 0;
}
