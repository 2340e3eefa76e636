/* Plans two buffers that never live at once, and prints how much that saves. */
#include <stdio.h>
#include <tolk_memory.h>

int main(void) {
  const tolk_lifetime buffers[] = {{.first = 0, .end = 2, .bytes = 4096}, {.first = 2, .end = 4, .bytes = 4096}};
  int64_t offsets[2];
  tolk_place_result result = TOLK_PLACE_RESULT_INIT;
  if (tolk_place(buffers, 2, NULL, offsets, &result) < 0) return fprintf(stderr, "%s\n", tolk_last_error()), 1;
  printf("8192 bytes fit in %lld\n", (long long)result.size);
  return 0;
}
