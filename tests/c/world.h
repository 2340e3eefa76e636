/* Small graphs for tests to start from. */
#ifndef WORLD_H
#define WORLD_H

#include "check.h"

static inline tolk_storage storage(uint32_t dtype, int64_t count, const char *device) {
  tolk_storage s = TOLK_STORAGE_INIT;
  s.dtype = dtype;
  s.count = count;
  s.device = device;
  return s;
}

static inline tolk_op f32(tolk_graph *g, int64_t count) {
  tolk_storage s = storage(TOLK_FLOAT32, count, "GPU");
  return tolk_buffer(g, &s);
}

static const char *const both[] = {"GPU:0", "GPU:1"};

/* A buffer on two devices. */
static inline tolk_op split(tolk_graph *g, int64_t count) {
  tolk_storage s = storage(TOLK_FLOAT32, count, NULL);
  s.devices = both;
  s.device_count = 2;
  return tolk_buffer(g, &s);
}

#define LIST(...) (tolk_op[]){__VA_ARGS__}, COUNT(((tolk_op[]){__VA_ARGS__}))
/* CALL(g, body, arguments...) */
#define CALL(g, body, ...) tolk_call(g, body, LIST(__VA_ARGS__))
#define LINEAR(g, ...) tolk_linear(g, LIST(__VA_ARGS__))

/* One op of most kinds. */
struct world {
  tolk_graph *g;
  tolk_op x, y; /* BUFFERs of 16 float32 */
  tolk_op two;  /* the same on two devices */
  tolk_op n;    /* VARIABLE in [0, 8] */
  tolk_op i;    /* RANGE of n */
  tolk_op flag; /* BUFFER of one bool */
  tolk_op k;    /* PROGRAM */
  tolk_op c;    /* CALL of k on x and y */
  tolk_op l;    /* LINEAR of c */
};

static inline struct world new_world(void) {
  struct world w;
  REQUIRE(tolk_graph_create(&w.g) == TOLK_OK);
  tolk_storage flag = storage(TOLK_BOOL, 1, "GPU");
  w.x = f32(w.g, 16);
  w.y = f32(w.g, 16);
  w.two = split(w.g, 16);
  w.n = tolk_variable(w.g, "n", 0, 8);
  w.i = tolk_range(w.g, w.n, 0, 0);
  w.flag = tolk_buffer(w.g, &flag);
  w.k = tolk_program(w.g, "k", 0, NULL, 0);
  w.c = CALL(w.g, w.k, w.x, w.y);
  w.l = LINEAR(w.g, w.c);
  REQUIRE(tolk_graph_error(w.g) == TOLK_OK);
  return w;
}

static inline uint64_t op_count(const tolk_graph *g) {
  uint64_t count = 0;
  OK(tolk_graph_op_count(g, &count));
  return count;
}

/* In a new world w, the expression is TOLK_NONE for this status and text, and leaves nothing behind. */
#define REFUSED(status, text, expression)                                                                          \
  do {                                                                                                             \
    struct world w = new_world();                                                                                  \
    uint64_t before = op_count(w.g);                                                                               \
    CHECK((expression) == TOLK_NONE);                                                                              \
    check_failure(tolk_graph_error(w.g), status, text, __FILE__, __LINE__, #expression);                           \
    EQUAL(op_count(w.g), before);                                                                                  \
    OK(tolk_graph_check(w.g));                                                                                     \
    OK(tolk_graph_destroy(w.g));                                                                                   \
  } while (0)

static inline tolk_op_info read_op(const tolk_graph *g, tolk_op op) {
  tolk_op_info info = TOLK_OP_INFO_INIT;
  OK(tolk_op_read(g, op, &info));
  return info;
}

#endif
