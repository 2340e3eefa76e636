/* Loads the library, closes it and loads it again: it stays in the process, with all that was made in it. */
#include "load.h"

int main(int argc, char **argv) {
  tolk_graph *graph;
  uint64_t count;
  MUST(argc == 2);
  void *library = load(argv[1]);
  MUST(FIND(library, tolk_graph_create)(&graph) == TOLK_OK);
  MUST(FIND(library, tolk_const)(graph, 7) != TOLK_NONE);
  for (int i = 0; i < 3; i++) {
    MUST(dlclose(library) == 0);
    void *still = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    MUST(still != NULL && dlclose(still) == 0);
    library = load(argv[1]);
    work(library);
    MUST(FIND(library, tolk_graph_op_count)(graph, &count) == TOLK_OK && count == 1);
  }
  MUST(FIND(library, tolk_graph_destroy)(graph) == TOLK_OK);
  puts("ok");
  return 0;
}
