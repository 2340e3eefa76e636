/* The C heap runs dry, at each allocation of each function in turn. Not for sanitizers, which have a heap of their own. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "every.h"

void *__libc_calloc(size_t count, size_t size);
void *__libc_malloc(size_t size);

static _Thread_local int left = -1; /* how many allocations succeed before one fails; -1: all do */

/* Only the library's own: that the C library may fail to start a thread is not at stake. */
static int refuse(const void *caller) {
  Dl_info from;
  if (left < 0 || dladdr(caller, &from) == 0 || strstr(from.dli_fname, "libtolk_memory") == NULL) return 0;
  return left-- == 0;
}

/* They stand before those of the C library. What is small is the Go runtime's. */
void *calloc(size_t count, size_t size) { return refuse(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size); }

void *malloc(size_t size) { return size > 128 && refuse(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

/* Has each allocation of a row fail, until it needs no more; gives how many there were. */
static int exhaust(const struct row *row) {
  for (int n = 0; n < 100; n++) {
    struct subject s = new_subject();
    uint64_t before = op_count(s.w.g);
    left = n;
    tolk_status status = row->call(&s);
    int reached = left < 0;
    left = -1;
    if (!reached) {
      EQUAL(status, TOLK_OK);
      drop_subject(&s);
      return n;
    }
    check_failure(status == FAILED ? TOLK_ERR_OUT_OF_MEMORY : status, TOLK_ERR_OUT_OF_MEMORY, "heap", row->name, n, "called");
    if (s.w.g != NULL) EQUAL(op_count(s.w.g), before);
    EQUAL(row->call(&s), TOLK_OK);
    drop_subject(&s);
  }
  CHECK(!"a row allocates without end");
  return 0;
}

TEST(every_allocation_that_fails_is_an_error) {
  int allocations = 0;
  for (size_t i = 0; i < COUNT(every); i++) allocations += exhaust(&every[i]);
  CHECK(allocations > 12); /* of texts, names, and the arrays of a plan */
}

TEST(a_long_list_that_does_not_fit) {
  struct world w = new_world();
  tolk_op arguments[100];
  for (int i = 0; i < 100; i++) arguments[i] = w.x;
  left = 0;
  CHECK(tolk_call(w.g, w.k, arguments, 100) == TOLK_NONE);
  left = -1;
  CHECK(strstr(tolk_last_error(), "heap") != NULL);
  FAILS(TOLK_ERR_OUT_OF_MEMORY, "heap", tolk_graph_error(w.g));
  OK(tolk_graph_destroy(w.g));
}
