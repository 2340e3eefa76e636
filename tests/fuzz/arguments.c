/* Random names, sizes and storage. */
#include "fuzz.h"

uint32_t any_struct_size(fuzz *f, size_t size) { return once_in(f, 100) ? any_number32(f) : (uint32_t)size; }

const char *any_name(fuzz *f) {
  static const char *const names[] = {"a", "b", "kernel", "", NULL, "\xff\xfe", "na\xc3\xafve", "a \"quoted\"\n\tname\\"};
  return string_at_edge(f, 0, names[once_in(f, 4) ? below(f, COUNT(names)) : below(f, 3)]);
}

static const char *any_device(fuzz *f, int edge) {
  static const char *const names[] = {"GPU", "CPU", "GPU:0", "GPU:1", "DISK", "disk:x", "", NULL, "\xff", "a device of a rather long name"};
  return string_at_edge(f, edge, names[once_in(f, 8) ? below(f, COUNT(names)) : below(f, 4)]);
}

static int64_t any_count(fuzz *f) { return once_in(f, 30) ? any_number(f) : (int64_t)below(f, once_in(f, 2) ? 8 : 5000); }

static void spread(fuzz *f, tolk_storage *s) {
  static const char *const gpus[] = {"GPU:0", "GPU:1", "GPU:2", "GPU:3"};
  size_t count = 2 + below(f, 3);
  const char **names = at_edge(f, 1, count * sizeof *names);
  for (size_t i = 0; i < count; i++) names[i] = once_in(f, 30) ? any_device(f, 2) : gpus[i];
  s->devices = names;
  s->device_count = count;
  if (!once_in(f, 40)) return;
  s->devices = once_in(f, 2) ? NULL : dangling(f);
  s->device_count = s->devices == NULL ? draw(f) : 0;
}

void fill_storage(fuzz *f, tolk_storage *s) {
  static const uint32_t aligns[] = {0, 0, 0, 1, 2, 4, 8, 16, 3};
  *s = (tolk_storage)TOLK_STORAGE_INIT;
  s->struct_size = any_struct_size(f, sizeof *s);
  s->dtype = once_in(f, 20) ? mostly_below(f, 20) : TOLK_BOOL + (uint32_t)below(f, 15);
  s->count = any_count(f);
  s->device = any_device(f, 3);
  if (once_in(f, 5)) spread(f, s);
  if (once_in(f, 4)) {
    s->has_slot = 1;
    s->slot = once_in(f, 20) ? any_number(f) : (int64_t)below(f, 6);
  }
  s->align = aligns[below(f, COUNT(aligns))];
  if (once_in(f, 6)) s->phase = mostly_below(f, 16);
  if (once_in(f, 100)) s->reserved = any_number32(f);
}
