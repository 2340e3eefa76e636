/*
 * The host's signal handlers, installed before or after the library is loaded, go on to be called, and the library works after.
 *
 *     signals LIBRARY before|after
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "load.h"

static volatile sig_atomic_t seen[NSIG];
static sigjmp_buf back;
static volatile uintptr_t fault_address;

static void count(int number) { seen[number]++; }

static void jump_back(int number, siginfo_t *info, void *context) {
  (void)context;
  seen[number]++;
  fault_address = (uintptr_t)info->si_addr;
  siglongjmp(back, 1);
}

static void install(void) {
  struct sigaction counting = {.sa_handler = count, .sa_flags = SA_ONSTACK | SA_RESTART};
  struct sigaction jumping = {.sa_sigaction = jump_back, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  MUST(sigaction(SIGINT, &counting, NULL) == 0);
  MUST(sigaction(SIGPIPE, &counting, NULL) == 0);
  MUST(sigaction(SIGPROF, &counting, NULL) == 0);
  MUST(sigaction(SIGSEGV, &jumping, NULL) == 0);
}

/* A fault of the host's own, at an address of its own. */
static void touch_nothing(void) {
  volatile int *nothing = (int *)(uintptr_t)4096;
  if (sigsetjmp(back, 1) == 0) *nothing = 1;
  MUST(seen[SIGSEGV] > 0 && fault_address == 4096);
}

static void write_to_nobody(void) {
  int ends[2];
  MUST(pipe(ends) == 0 && close(ends[0]) == 0);
  MUST(write(ends[1], "x", 1) < 0);
  close(ends[1]);
  MUST(seen[SIGPIPE] == 1);
}

/* A profiler's timer goes off in the midst of the library's work too. */
static void profile(void *library) {
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  MUST(setitimer(ITIMER_PROF, &often, NULL) == 0);
  while (seen[SIGPROF] < 100) work(library);
  MUST(setitimer(ITIMER_PROF, &never, NULL) == 0);
}

int main(int argc, char **argv) {
  MUST(argc == 3);
  int before = strcmp(argv[2], "before") == 0;
  if (before) install();
  void *library = load(argv[1]);
  if (!before) install();
  for (int round = 1; round <= 3; round++) {
    work(library);
    raise(SIGINT);
    MUST(seen[SIGINT] == round);
    touch_nothing();
  }
  write_to_nobody();
  profile(library);
  work(library);
  puts("ok");
  return 0;
}
