/*
 * Two libraries with Go runtimes in one process, used in turn and at once.
 *
 *     two LIBRARY OTHER
 */
#include <pthread.h>

#include "load.h"

static void *library, *other;

static void *work_in_both(void *unused) {
  (void)unused;
  int (*twice)(int) = (int (*)(int))must_find(other, "other_twice");
  for (int i = 0; i < 2000; i++) {
    work(library);
    MUST(twice(i) == 2 * i);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  MUST(argc == 3);
  library = load(argv[1]);
  other = load(argv[2]);
  work_in_both(NULL);
  for (int i = 0; i < 4; i++) MUST(pthread_create(&threads[i], NULL, work_in_both, NULL) == 0);
  for (int i = 0; i < 4; i++) MUST(pthread_join(threads[i], NULL) == 0);
  puts("ok");
  return 0;
}
