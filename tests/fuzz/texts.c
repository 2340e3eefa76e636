/* Texts to read: real ones, and ones that the library wrote, garbled. */
#define _GNU_SOURCE
#include "fuzz.h"

#define MOST_TEXTS 64
#define MOST_BYTES ((size_t)1 << 16)

static char *texts[MOST_TEXTS];
static size_t text_count;

void load_texts(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  if (file == NULL) {
    perror(path);
    exit(2);
  }
  for (ssize_t n; text_count < MOST_TEXTS && (n = getline(&line, &room, file)) > 1; line = NULL) {
    line[n - 1] = 0;
    texts[text_count++] = line;
  }
  free(line);
  fclose(file);
  if (text_count > 0) return;
  fprintf(stderr, "%s has no texts\n", path);
  exit(2);
}

void free_texts(void) {
  for (size_t i = 0; i < text_count; i++) free(texts[i]);
}

void keep_text(fuzz *f, char *text) {
  char **slot = &f->texts[below(f, COUNT(f->texts))];
  tolk_string_free(*slot);
  *slot = text;
}

/* Leaves out n bytes, writes them twice, cuts the text off, or changes one. Gives the new length. */
static size_t garble(fuzz *f, char *text, size_t length) {
  static const char bytes[] = "0123456789{}[],:\"-+.eE\\u \n\xff\x80truefalsnl";
  if (length == 0) return 0;
  size_t at = below(f, length), most = length - at < 40 ? length - at : 40, n = below(f, 1 + most);
  switch (below(f, 4)) {
    case 0:
      memmove(text + at, text + at + n, length - at - n);
      return length - n;
    case 1:
      if (length + n > MOST_BYTES) return length;
      memmove(text + at + n, text + at, length - at);
      return length + n;
    case 2:
      return once_in(f, 8) ? at : length;
    default:
      text[at] = bytes[below(f, sizeof bytes)];
      return length;
  }
}

/* No text at all, whose length is wrong or whose pointer does not count. */
static const char *no_text(fuzz *f, size_t *length) {
  *length = once_in(f, 2) ? 0 : 1 + draw(f) / 2;
  return *length == 0 ? dangling(f) : NULL;
}

const char *any_text(fuzz *f, size_t *length) {
  const char *from = f->texts[below(f, COUNT(f->texts))];
  if (once_in(f, 100)) return no_text(f, length);
  if (from == NULL || once_in(f, 2)) from = texts[below(f, text_count)];
  *length = strnlen(from, MOST_BYTES);
  char *room = f->edges[5] - MOST_BYTES;
  memcpy(room, from, *length);
  if (once_in(f, 200)) memset(room, once_in(f, 2) ? '[' : '{', *length = MOST_BYTES);
  for (uint64_t n = once_in(f, 2) ? below(f, 4) : 0; n > 0; n--) *length = garble(f, room, *length);
  return memmove(at_edge(f, 5, *length), room, *length);
}
