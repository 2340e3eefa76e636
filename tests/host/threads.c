/* Threads of the host: with small stacks, and a thousand that live for two calls each. */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "load.h"

static void *library;

static void *work_little(void *unused) {
  (void)unused;
  work(library);
  char *answer;
  size_t length;
  MUST(FIND(library, tolk_plan_text)("{", 1, &answer, &length) == TOLK_ERR_PARSE); /* a message goes through C's formatting */
  MUST(strlen(FIND(library, tolk_last_error)()) > 0);
  return NULL;
}

static void run_thread(size_t stack) {
  pthread_attr_t attributes;
  pthread_t thread;
  MUST(pthread_attr_init(&attributes) == 0);
  if (stack > 0) MUST(pthread_attr_setstacksize(&attributes, stack) == 0);
  MUST(pthread_create(&thread, &attributes, work_little, NULL) == 0);
  MUST(pthread_join(thread, NULL) == 0);
  pthread_attr_destroy(&attributes);
}

/* Bytes of this process in memory. */
static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  MUST(file != NULL && fscanf(file, "%*s %ld", &pages) == 1);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static int threads(void) {
  int n = 0;
  DIR *dir = opendir("/proc/self/task");
  MUST(dir != NULL);
  for (struct dirent *e; (e = readdir(dir)) != NULL;) n += e->d_name[0] != '.';
  closedir(dir);
  return n;
}

int main(int argc, char **argv) {
  MUST(argc == 2);
  library = load(argv[1]);
  run_thread((size_t)sysconf(_SC_THREAD_STACK_MIN) + 16384);
  for (int i = 0; i < 300; i++) run_thread(0);
  long before = resident();
  int threads_before = threads();
  for (int i = 0; i < 1000; i++) run_thread(0);
  if (resident() > before + (8 << 20)) die("%ld bytes more after 1000 threads", resident() - before);
  if (threads() > threads_before + 8) die("%d threads, before %d", threads(), threads_before);
  puts("ok");
  return 0;
}
