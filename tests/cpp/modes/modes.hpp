// What the two halves hand to each other: values, which are the same in both.
#include "tolk_memory.hpp"

std::string without_exceptions(const tolk::storage &s);
