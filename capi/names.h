/* Made from package ir by: go test ./tests -run CNames -update */

static const char *const kind_names[] = {
    NULL,
    "BUFFER",
    "ALLOC",
    "PARAM",
    "VARIABLE",
    "CONST",
    "RANGE",
    "ADD",
    "MUL",
    "SHRINK",
    "BITCAST",
    "AFTER",
    "MSELECT",
    "MSTACK",
    "SINK",
    "STORE",
    "PROGRAM",
    "CUSTOM_FUNCTION",
    "CALL",
    "LINEAR",
    "END",
    "BACKEDGE",
};

static const struct {
  const char *name;
  uint32_t size;
} dtypes[] = {
    {"void", 0},
    {"weak_int", 0},
    {"weak_float", 0},
    {"bool", 1},
    {"int8", 1},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"uint8", 1},
    {"uint16", 2},
    {"uint32", 4},
    {"uint64", 8},
    {"float8_e4m3", 1},
    {"float8_e5m2", 1},
    {"float16", 2},
    {"bfloat16", 2},
    {"float32", 4},
    {"float64", 8},
};
