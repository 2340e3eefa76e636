/* Schedules, plans and requests as text. */
#include "world.h"

static void check_answer(const char *request, const char *want) {
  char *text = NULL;
  size_t len = 0;
  CHECK(tolk_plan_text(request, strlen(request), &text, &len) == TOLK_OK);
  if (text == NULL) return;
  EQUAL(strlen(text), len);
  if (strcmp(text, want) != 0) fprintf(stderr, "answer: %s\n  want: %s\n", text, want);
  CHECK(strcmp(text, want) == 0);
  tolk_string_free(text);
}

#define STORAGE "{\"device\": \"GPU\", \"dtype\": \"float32\", \"count\": 64}"

/* As test_options.c has it: 1024 from the allocator, 768 at best. */
static const char hole[] = "{\"tolk_schedule\": 1, \"name\": \"h\", \"storage\": [" STORAGE ", " STORAGE
                           ", {\"device\": \"GPU\", \"dtype\": \"float32\", \"count\": 128}, {\"op\": \"param\", \"device\": [\"A\", \"B\"], "
                           "\"dtype\": \"int8\", \"count\": 4}, {\"device\": \"GPU\", \"dtype\": \"bool\", \"count\": 1, \"held\": true}], "
                           "\"entries\": [{\"call\": {\"body\": \"sink\", \"args\": [0, 1]}}, {\"loop\": {\"kind\": \"backedge\", \"entries\": "
                           "[{\"call\": {\"body\": \"program\", \"args\": [1, {\"shrink\": [3, 4], \"of\": 2}, {\"mselect\": 1, \"of\": 3}]}}], "
                           "\"flag\": 4}}]}";

TEST(a_request_to_plan) {
  check_answer(hole, "{\"arenas\":[{\"device\":\"GPU\",\"size\":1024}],\"places\":{\"0\":[0,0],\"1\":[0,256],\"2\":[0,512]},"
                     "\"before\":1024,\"after\":1024,\"lower_bound\":768,\"taken\":[[0,1],[4,1,2,3]]}"); /* "optimal" only where it is */
  char request[sizeof hole + 100];
  snprintf(request, sizeof request, "{\"schedule\": %s, \"options\": {\"placer\": \"best\", \"copies\": \"apart\", \"debug\": 0}}", hole);
  char *text;
  size_t len;
  OK(tolk_plan_text(request, strlen(request), &text, &len));
  CHECK(strstr(text, "\"after\":768,\"lower_bound\":768") != NULL && strstr(text, "\"optimal\":true") != NULL);
  tolk_string_free(text);
}

TEST(a_request_to_place_lifetimes) {
  check_answer("{\"lifetimes\": [[0, 1, 256], [0, 2, 256], [1, 2, 512]]}",
               "{\"size\":1024,\"offsets\":[0,256,512],\"lower_bound\":768,\"optimal\":false}");
  check_answer("{\"lifetimes\": [[0, 1, 5], [0, 1, 5]], \"options\": {\"granule\": 64}}",
               "{\"size\":128,\"offsets\":[0,64],\"lower_bound\":128,\"optimal\":true}");
  check_answer("{\"lifetimes\": []}", "{\"size\":0,\"offsets\":[],\"lower_bound\":0,\"optimal\":true}");
}

static void check_refused(const char *request, size_t len, tolk_status status, const char *message) {
  char *text = (char *)9;
  size_t n = 77;
  FAILS(status, message, tolk_plan_text(request, len, &text, &n));
  CHECK(text == (char *)9 && n == 77);
}

TEST(requests_that_are_refused) {
  const struct {
    tolk_status status;
    const char *request, *message;
  } rows[] = {
      {TOLK_ERR_PARSE, "", "line 1, column 1 (byte 0)"},
      {TOLK_ERR_PARSE, "{", "line 1, column 2 (byte 1)"},
      {TOLK_ERR_PARSE, "[]", "line 1"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [[0, 1, 2]]} x", "byte 27"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [[0, 1, 2],\n [3, 3, 2]]}", "line 2, column 2 (byte 27)"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [[0, 1, 2.5]]}", "line 1"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [[0, 1]]}", "line 1"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [], \"options\": {\"placer\": \"worst\"}}", "worst"},
      {TOLK_ERR_PARSE, "{\"lifetimes\": [], \"options\": {\"nonsense\": 1}}", "nonsense"},
      {TOLK_ERR_PARSE, "{\"tolk_schedule\": 2, \"name\": \"\", \"storage\": [], \"entries\": []}", "line 1"},
      {TOLK_ERR_PARSE, "{\"tolk_schedule\": 1, \"name\": \"\xff\", \"storage\": [], \"entries\": []}", "UTF-8"},
      {TOLK_ERR_PARSE, "{\"tolk_schedule\": 1, \"storage\": [" STORAGE "], \"entries\": [{\"call\": {\"body\": \"sink\", \"args\": [1]}}]}", "1"},
      {TOLK_ERR_OVERFLOW, "{\"lifetimes\": [[0, 1, 9223372036854775807]]}", "buffer 0"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) check_refused(rows[i].request, strlen(rows[i].request), rows[i].status, rows[i].message);
  check_refused(NULL, 5, TOLK_ERR_INVALID_ARGUMENT, "request is NULL");
  check_refused((const char *)8, 0, TOLK_ERR_PARSE, "line 1"); /* no bytes: not looked at */
  check_refused("{\"a\0", 5, TOLK_ERR_PARSE, "line 1");
}

/* 100,000 brackets: no reader may recurse into them. */
TEST(deep_nonsense_is_refused) {
  size_t n = 100000;
  char *deep = malloc(n);
  memset(deep, '[', n);
  check_refused(deep, n, TOLK_ERR_PARSE, "line 1");
  free(deep);
}

static tolk_schedule read_schedule(tolk_graph *g, const char *text, size_t len) {
  tolk_schedule s = TOLK_SCHEDULE_INIT;
  REQUIRE(tolk_schedule_read(g, text, len, &s) == TOLK_OK);
  return s;
}

TEST(a_schedule_is_read_into_a_graph) {
  tolk_graph *g;
  OK(tolk_graph_create(&g));
  tolk_schedule s = read_schedule(g, hole, sizeof hole - 1), t = read_schedule(g, hole, sizeof hole - 1);
  CHECK(s.storage_count == 5 && s.held_count == 1 && s.held[0] == s.storage[4] && strcmp(s.name, "h") == 0);
  CHECK(read_op(g, s.schedule).kind == TOLK_KIND_LINEAR && read_op(g, s.schedule).source_count == 2);
  CHECK(read_op(g, s.storage[3]).kind == TOLK_KIND_PARAM && read_op(g, s.storage[3]).device_count == 2);
  CHECK(s.storage[0] != t.storage[0] && s.schedule != t.schedule); /* fresh slots */
  tolk_schedule_free(&t);
  CHECK(t.storage == NULL && t.held == NULL && t.name == NULL && t.storage_count == 0);
  tolk_schedule_free(&t);
  uint64_t before = op_count(g);
  FAILS(TOLK_ERR_PARSE, "line 1", tolk_schedule_read(g, hole, sizeof hole - 2, &t)); /* cut short */
  EQUAL(op_count(g), before);
  CHECK(t.storage == NULL);
  t.struct_size = 8;
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "struct_size", tolk_schedule_read(g, hole, sizeof hole - 1, &t));
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "text is NULL", tolk_schedule_read(g, NULL, 5, &s));
  OK(tolk_graph_check(g));
  tolk_schedule_free(&s);
  OK(tolk_graph_destroy(g));
}

/* The text of the plan of a schedule that was read. */
static char *plan_text_of(tolk_graph *g, const tolk_schedule *s) {
  tolk_plan *plan;
  char *text = NULL;
  size_t len;
  OK(tolk_memory_plan_rewrite(g, s->schedule, s->held, s->held_count, NULL, NULL, &plan));
  OK(tolk_plan_write(g, plan, &text, &len));
  EQUAL(strlen(text), len);
  OK(tolk_plan_destroy(plan));
  return text;
}

TEST(read_write_read_gives_the_same_plan) {
  tolk_graph *g, *h;
  OK(tolk_graph_create(&g));
  OK(tolk_graph_create(&h));
  tolk_schedule s = read_schedule(g, hole, sizeof hole - 1);
  char *text, *again;
  size_t len, again_len;
  OK(tolk_schedule_write(g, s.schedule, s.name, s.held, s.held_count, &text, &len));
  tolk_schedule t = read_schedule(h, text, len);
  OK(tolk_schedule_write(h, t.schedule, t.name, t.held, t.held_count, &again, &again_len));
  CHECK(strcmp(text, again) == 0 && strcmp(t.name, "h") == 0 && t.held_count == 1);
  char *first = plan_text_of(g, &s), *second = plan_text_of(h, &t);
  CHECK(strcmp(first, second) == 0 && strstr(first, "\"after\":1024") != NULL);
  char *texts[] = {text, again, first, second};
  for (int i = 0; i < 4; i++) tolk_string_free(texts[i]);
  tolk_schedule_free(&s);
  tolk_schedule_free(&t);
  OK(tolk_graph_destroy(g));
  OK(tolk_graph_destroy(h));
}

TEST(a_view_holds_what_is_under_it) {
  struct world w = new_world();
  tolk_op held = tolk_shrink(w.g, tolk_mstack(w.g, LIST(w.y, w.x)), 2, 3);
  char *text;
  size_t len;
  OK(tolk_schedule_write(w.g, w.l, NULL, &held, 1, &text, &len));
  const char *first = strstr(text, "\"held\":true");
  CHECK(first != NULL && strstr(first + 1, "\"held\":true") != NULL);
  tolk_string_free(text);
  OK(tolk_graph_destroy(w.g));
}

TEST(what_is_not_written) {
  struct world w = new_world();
  char *text = (char *)9;
  size_t len;
  FAILS(TOLK_ERR_WRONG_KIND, "LINEAR", tolk_schedule_write(w.g, w.c, NULL, NULL, 0, &text, &len));
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "held is NULL", tolk_schedule_write(w.g, w.l, NULL, NULL, 1, &text, &len));
  FAILS(TOLK_ERR_INVALID_OP, "held", tolk_schedule_write(w.g, w.l, NULL, LIST(TOLK_NONE), &text, &len));
  FAILS(TOLK_ERR_WRONG_KIND, "held buffer 1", tolk_schedule_write(w.g, w.l, NULL, LIST(w.x, w.k), &text, &len));
  FAILS(TOLK_ERR_INVALID_ARGUMENT, "UTF-8", tolk_schedule_write(w.g, w.l, "\xff", NULL, 0, &text, &len));
  CHECK(text == (char *)9);
  struct world other = new_world();
  tolk_plan *plan;
  OK(tolk_memory_plan_rewrite(w.g, w.l, NULL, 0, NULL, NULL, &plan));
  FAILS(TOLK_ERR_INVALID_OP, "another graph", tolk_plan_write(other.g, plan, &text, &len));
  OK(tolk_plan_destroy(plan));
  OK(tolk_graph_destroy(other.g));
  OK(tolk_graph_destroy(w.g));
}
