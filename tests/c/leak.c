/* Leaks on purpose: to see that the sanitizer's run of the other programs would tell. */
#include "check.h"

TEST(a_text_that_nobody_frees) {
  tolk_graph *g;
  char *text = NULL;
  size_t len;
  OK(tolk_graph_create(&g));
  OK(tolk_op_print(g, tolk_const(g, 1), &text, &len));
  text = NULL;
  OK(tolk_graph_destroy(g));
}
