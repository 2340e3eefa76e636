/* Ops, right and wrong. */
#include "fuzz.h"

void keep_op(struct object *graph, enum class class, tolk_op op) {
  struct pool *pool = &graph->pools[class];
  pool->ops[pool->count++ % COUNT(pool->ops)] = op;
}

/* An op of the class, or TOLK_NONE. */
static tolk_op pooled(fuzz *f, struct object *graph, enum class class) {
  const struct pool *pool = &graph->pools[class];
  unsigned count = pool->count;
  if (count > COUNT(pool->ops)) count = COUNT(pool->ops);
  return count == 0 ? TOLK_NONE : pool->ops[below(f, count)];
}

static tolk_op odd_op(fuzz *f, struct object *graph) {
  f->odd = 1;
  switch (below(f, 6)) {
    case 0:
      return TOLK_NONE;
    case 1:
      return draw(f);
    case 2:
      return TOLK_REF(below(f, 4));
    case 3:
      return pooled(f, graph, below(f, OPS_CLASSES)) + below(f, 3) - 1;
    case 4:
      return pooled(f, &f->own[GRAPH][below(f, OBJECTS)], below(f, OPS_CLASSES));
    default:
      return pooled(f, graph, below(f, OPS_CLASSES));
  }
}

tolk_op any_op(fuzz *f, struct object *graph, enum class class) {
  return once_in(f, 60) ? odd_op(f, graph) : pooled(f, graph, class);
}

const tolk_op *any_list(fuzz *f, struct object *graph, enum class often, enum class seldom, size_t most, size_t *count) {
  size_t n = once_in(f, 50) ? below(f, 40) : below(f, most + 1);
  tolk_op *list = at_edge(f, 4, n * sizeof *list);
  for (size_t i = 0; i < n; i++) list[i] = any_op(f, graph, once_in(f, 4) ? seldom : often);
  *count = n;
  if (n == 0 && once_in(f, 2)) return once_in(f, 2) ? NULL : dangling(f);
  if (!once_in(f, 80)) return list;
  *count = 1 + (draw(f) >> below(f, 64)) / 2;
  return NULL;
}
