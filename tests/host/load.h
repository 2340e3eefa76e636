/* A host that loads the library itself, and a piece of work to see that it works. A failure ends the program with a line that tells it. */
#ifndef LOAD_H
#define LOAD_H

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

#define MUST(condition) \
  do {                  \
    if (!(condition)) die("%s:%d: %s", __FILE__, __LINE__, #condition); \
  } while (0)

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static void *load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) die("%s", dlerror());
  return library;
}

/* FIND(library, name) is a pointer to a function of the header. */
#define FIND(library, name) ((__typeof__(&name))must_find(library, #name))

static void *must_find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) die("%s", dlerror());
  return symbol;
}

static const char request[] = "{\"tolk_schedule\":1,\"name\":\"t\",\"storage\":[{\"device\":\"GPU\",\"dtype\":\"float32\",\"count\":64},"
                              "{\"device\":\"GPU\",\"dtype\":\"float32\",\"count\":64}],\"entries\":[{\"call\":{\"body\":\"sink\",\"args\":[0]}},"
                              "{\"call\":{\"body\":\"sink\",\"args\":[1]}}]}";

/* Plans a small schedule from its text. */
static void work(void *library) {
  char *answer;
  size_t length;
  tolk_status status = FIND(library, tolk_plan_text)(request, sizeof request - 1, &answer, &length);
  if (status != TOLK_OK) die("status %d: %s", status, FIND(library, tolk_last_error)());
  MUST(strstr(answer, "\"after\":256") != NULL);
  FIND(library, tolk_string_free)(answer);
}

#endif
