// The half of the program that is compiled without exceptions.
#define TOLK_NO_EXCEPTIONS
#include "modes.hpp"

std::string without_exceptions(const tolk::storage &s) {
  auto g = tolk::graph::create();
  auto missing = g->mselect(g->buffer(s), 3);
  return missing ? "no failure" : missing.error().message();
}
