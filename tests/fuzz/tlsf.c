/* Steps of allocators. */
#include "fuzz.h"

static void tlsf_create(fuzz *f) {
  struct object *o = any_place(f, TLSF);
  int usual = !once_in(f, 4);
  int64_t size = usual ? 1 + (int64_t)(draw(f) >> (24 + below(f, 40))) : any_number(f), base = once_in(f, 4) ? any_number(f) : 0;
  int64_t block = usual ? 16 : any_number(f), lists = usual ? INT64_C(1) << below(f, 5) : any_number(f);
  OUT(tolk_tlsf *, tlsf);
  if (!done_out(f, tolk_tlsf_create(size, base, block, lists, MAYBE(tlsf)), &tlsf, sizeof tlsf)) return;
  replace(f, TLSF, o, NUMBER(tlsf));
  if (is_own(f, TLSF, o)) o->blocks = (struct blocks){.base = base, .size = size};
}

/* Notes a block, which lies in the allocator's bytes and apart from all others. */
static void keep_block(fuzz *f, struct blocks *b, int64_t at, int64_t bytes, int64_t align) {
  MUST(at >= b->base && (uint64_t)(at - b->base) % (uint64_t)align == 0);
  MUST(at - b->base <= b->size - bytes);
  for (int i = 0; i < b->count; i++) MUST(at >= b->at[i] + b->bytes[i] || b->at[i] >= at + bytes);
  b->at[b->count] = at;
  b->bytes[b->count++] = bytes;
}

static void tlsf_alloc(fuzz *f) {
  uint64_t handle;
  struct object *o = any_object(f, TLSF, &handle);
  int64_t bytes = once_in(f, 20) ? any_number(f) : 1 + (int64_t)below(f, 500);
  int64_t align = once_in(f, 20) ? any_number(f) : INT64_C(1) << below(f, 9);
  if (f->trust == SURE && o->blocks.count == COUNT(o->blocks.at)) return;
  OUT(int64_t, at);
  tolk_status status = tolk_tlsf_alloc(AS(tolk_tlsf, handle), bytes, align, MAYBE(at));
  done_out(f, status, &at, sizeof at);
  if (status == TOLK_OK && f->trust == SURE) keep_block(f, &o->blocks, at, bytes, align);
}

/* Frees a block that is there. */
static void tlsf_free(fuzz *f) {
  struct object *o = &f->own[TLSF][below(f, OBJECTS)];
  struct blocks *b = &o->blocks;
  if (b->count == 0) return;
  int i = (int)below(f, (uint64_t)b->count);
  passes(f, tolk_tlsf_free(AS(tolk_tlsf, o->handle), b->at[i]));
  b->count--;
  b->at[i] = b->at[b->count];
  b->bytes[i] = b->bytes[b->count];
  f->outcome = 1;
}

static int holds(const struct blocks *b, int64_t at) {
  for (int i = 0; i < b->count; i++)
    if (b->at[i] == at) return 1;
  return 0;
}

static void tlsf_free_anything(fuzz *f) {
  uint64_t handle;
  struct object *o = any_object(f, TLSF, &handle);
  int64_t at = any_number(f);
  if (f->trust == SURE && holds(&o->blocks, at)) return;
  int good = done(f, tolk_tlsf_free(AS(tolk_tlsf, handle), at));
  MUST(!good || f->trust == SHARED);
}

static void tlsf_destroy(fuzz *f) { destroy_nothing(f, TLSF); }

STEPS(tlsf_steps, STEP(tlsf_create, 6), STEP(tlsf_alloc, 30), STEP(tlsf_free, 20), STEP(tlsf_free_anything, 8), STEP(tlsf_destroy, 6));
