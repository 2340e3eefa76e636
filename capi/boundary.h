/* What the C layer and the Go side of the library share. Not installed. */
#ifndef TOLK_BOUNDARY_H
#define TOLK_BOUNDARY_H

#include "../include/tolk_memory.h"

/* A thread's last failure, and the line that its last plan printed. */
typedef struct tolk_thread {
  char message[1024];
  tolk_status status;
  char line[256];
} tolk_thread;

/* Calls back from Go. The user's pointer travels as a number, since it may be anything. */
__attribute__((visibility("hidden"))) void tolk_call_progress(tolk_progress_callback callback, uintptr_t user, const tolk_progress *progress);

#endif
