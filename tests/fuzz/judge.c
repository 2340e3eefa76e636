/* What must hold after a call. */
#include "fuzz.h"

/* FNV-1a, of Fowler, Noll and Vo. */
void digest(fuzz *f, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) f->digest = (f->digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
}

/* A failure that is the caller's, with its message. */
static void check_failure(fuzz *f, tolk_status status) {
  MUST(status >= TOLK_ERR_INVALID_PLAN);
  MUST(tolk_last_status() == status);
  MUST(tolk_last_error()[0] != 0);
  MUST(status != TOLK_ERR_INVALID_HANDLE || f->trust != SURE);
}

int done(fuzz *f, tolk_status status) {
  f->calls++;
  digest(f, &status, sizeof status);
  if (f->outcome == 0) f->outcome = status >= 0 ? 1 : -1;
  if (status < 0) {
    check_failure(f, status);
    return 0;
  }
  MUST(status == TOLK_OK || status == TOLK_NO_ROOM);
  MUST(f->trust != WRONG);
  return 1;
}

int untouched(const void *out, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (((const unsigned char *)out)[i] != FILL) return 0;
  return 1;
}

int done_out(fuzz *f, tolk_status status, const void *out, size_t size) {
  int good = done(f, status);
  MUST(untouched(out, size) == (status != TOLK_OK));
  return good;
}

void passes(fuzz *f, tolk_status status) {
  f->calls++;
  MUST(status == TOLK_OK);
}

void fails(fuzz *f, tolk_status status, tolk_status want) {
  f->calls++;
  MUST(status == want);
  check_failure(f, status);
}

void note_error(fuzz *f, struct object *graph, tolk_status status) {
  if (f->trust == SURE && graph->error == TOLK_OK) graph->error = status;
}

void made(fuzz *f, struct object *graph, tolk_op op, enum class class) {
  digest(f, &op, sizeof op);
  if (!done(f, op != TOLK_NONE ? TOLK_OK : tolk_last_status()))
    note_error(f, graph, tolk_last_status());
  else if (op != TOLK_NONE && !f->odd)
    keep_op(graph, class, op);
  MUST(op != TOLK_NONE || tolk_last_status() < 0);
}
