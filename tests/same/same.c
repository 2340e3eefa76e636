/* The schedule of README.md, built with the C API. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tolk_memory.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LIST(...) (const tolk_op[]){__VA_ARGS__}, COUNT(((const tolk_op[]){__VA_ARGS__}))

static void need(tolk_status status) {
  if (status >= 0) return;
  fprintf(stderr, "%s: %s\n", tolk_status_string(status), tolk_last_error());
  exit(1);
}

static tolk_storage storage(uint32_t dtype, int64_t count, const char *device) {
  tolk_storage s = TOLK_STORAGE_INIT;
  s.dtype = dtype;
  s.count = count;
  s.device = device;
  return s;
}

/* The storage of the schedule, by the names of README.md. */
struct values {
  tolk_op weights, disk, staged, a, b, c, d, scratch, flag, left, right, wide, empty, out;
};

static tolk_op buffer(tolk_graph *g, uint32_t dtype, int64_t count, const char *device) {
  tolk_storage s = storage(dtype, count, device);
  return tolk_buffer(g, &s);
}

static struct values make_storage(tolk_graph *g) {
  static const char *const both[] = {"GPU:0", "GPU:1"};
  tolk_storage weights = storage(TOLK_FLOAT32, 1024, "GPU:0"), scratch = storage(TOLK_INT8, 64, "GPU:0");
  tolk_storage a = storage(TOLK_FLOAT32, 256, "GPU:0"), b = storage(TOLK_FLOAT16, 300, "GPU:0");
  tolk_storage d = storage(TOLK_BFLOAT16, 256, "GPU:0"), wide = storage(TOLK_FLOAT32, 512, NULL);
  a.slot = 7, a.has_slot = 1;
  b.align = 8, b.phase = 6;
  d.phase = 2;
  wide.devices = both, wide.device_count = COUNT(both);
  return (struct values){
      .weights = tolk_param(g, &weights),
      .disk = buffer(g, TOLK_UINT8, 4096, "DISK:weights"),
      .staged = buffer(g, TOLK_UINT8, 4096, "GPU:0"),
      .a = tolk_buffer(g, &a),
      .b = tolk_buffer(g, &b),
      .c = buffer(g, TOLK_FLOAT32, 640, "GPU:0"),
      .d = tolk_buffer(g, &d),
      .scratch = tolk_alloc(g, &scratch),
      .flag = buffer(g, TOLK_BOOL, 1, "GPU:0"),
      .left = buffer(g, TOLK_FLOAT32, 128, "GPU:0"),
      .right = buffer(g, TOLK_FLOAT32, 128, "GPU:1"),
      .wide = tolk_buffer(g, &wide),
      .empty = buffer(g, TOLK_FLOAT64, 0, "GPU:1"),
      .out = buffer(g, TOLK_FLOAT32, 256, "GPU:0"),
  };
}

static tolk_op make_schedule(tolk_graph *g, const struct values *v) {
  tolk_op n = tolk_variable(g, "n", 0, 3), sixty_four = tolk_const(g, 64);
  tolk_op i = tolk_range(g, tolk_const(g, 4), 0, 0), j = tolk_range(g, n, 1, 2);
  tolk_op at = tolk_add(g, tolk_mul(g, i, sixty_four), n);

  tolk_op fuse = tolk_sink(g, "fuse", 1, NULL, 0), copy = tolk_store(g, "copy", 2, NULL, 0);
  tolk_op matmul = tolk_program(g, "matmul", 3, &sixty_four, 1), reduce = tolk_custom_function(g, "all_reduce", 4, NULL, 0);
  tolk_op inner = tolk_linear(g, LIST(tolk_call(g, matmul, LIST(v->weights))));

  tolk_op head = tolk_bitcast(g, tolk_shrink(g, v->a, 0, 128), TOLK_UINT8), chunk = tolk_shrink_at(g, v->weights, at, 64);
  tolk_op pair = tolk_mstack(g, LIST(v->left, v->right));
  tolk_op second = tolk_call(g, fuse, LIST(v->b, head, v->scratch)), late = tolk_after(g, v->c, LIST(second, v->weights));

  tolk_op trips = tolk_linear(g, LIST(tolk_call(g, matmul, LIST(v->c, chunk, i)), tolk_call(g, fuse, LIST(v->d, v->c))));
  tolk_op swaps = tolk_linear(g, LIST(tolk_call(g, copy, LIST(tolk_shrink(g, v->d, 8, 8), v->b))));
  tolk_op tests = tolk_call(g, fuse, LIST(v->flag, tolk_mselect(g, pair, 1)));
  tolk_op nested = tolk_linear(g, LIST(tolk_end(g, tests, &j, 1), tolk_backedge(g, swaps, i, v->flag)));

  return tolk_linear(g, LIST(tolk_call(g, copy, LIST(v->staged, v->disk)),                           /* 0 */
                             tolk_call(g, matmul, LIST(v->a, tolk_bitcast(g, v->staged, TOLK_FLOAT32), n)), /* 1 */
                             second,                                                                 /* 2 */
                             tolk_end(g, trips, &i, 1),                                              /* 3 */
                             tolk_backedge(g, tolk_call(g, fuse, LIST(v->d, late)), j, v->flag),     /* 4 */
                             tolk_call(g, reduce, LIST(v->wide, pair)),                              /* 5 */
                             tolk_call(g, copy, LIST(v->right, tolk_mselect(g, v->wide, 1))),        /* 6 */
                             tolk_call(g, inner, LIST(v->left, v->empty)),                           /* 7 */
                             tolk_end(g, nested, &i, 1),                                             /* 8 */
                             tolk_call(g, matmul, LIST(v->out, late, tolk_shrink(g, v->left, 64, 64))))); /* 9 */
}

static void print(char *text) {
  puts(text);
  tolk_string_free(text);
}

static void print_plan(tolk_graph *g, tolk_op schedule, tolk_op held, const tolk_plan_options *options) {
  tolk_plan *plan;
  char *text;
  size_t len;
  need(tolk_memory_plan_rewrite(g, schedule, &held, 1, options, NULL, &plan));
  need(tolk_plan_verify(plan));
  need(tolk_plan_write(g, plan, &text, &len));
  print(text);
  need(tolk_plan_destroy(plan));
}

int main(void) {
  tolk_graph *g;
  need(tolk_graph_create(&g));
  struct values v = make_storage(g);
  tolk_op schedule = make_schedule(g, &v), held = tolk_shrink(g, v.out, 0, 16);
  need(tolk_graph_error(g));

  char *text;
  size_t len;
  need(tolk_schedule_write(g, schedule, "same", &held, 1, &text, &len));
  print(text);
  print_plan(g, schedule, held, NULL);
  tolk_plan_options options = TOLK_PLAN_OPTIONS_INIT;
  options.placer = TOLK_PLACER_BEST;
  options.copies = TOLK_COPIES_APART;
  options.granule = 64;
  print_plan(g, schedule, held, &options);
  need(tolk_graph_destroy(g));
  return 0;
}
