// One program of files with exceptions and without: both kinds of graph work, each in its way.
#include "modes.hpp"

static std::string with_exceptions(const tolk::storage &s) {
  tolk::graph g = tolk::graph::create();
  try {
    g.mselect(g.buffer(s), 3);
  } catch (const tolk::error &e) {
    return e.message();
  }
  return "no failure";
}

int main() {
  static_assert(std::is_same_v<tolk::graph, tolk::throwing::graph>);
  tolk::storage s{tolk::dtype::float32, 64, "GPU"};
  std::string message = with_exceptions(s);
  bool good = message == without_exceptions(s) && message.find("MSELECT") == 0;
  std::printf("%d passed, %d failed\n", good ? 1 : 0, good ? 0 : 1);
  return good ? 0 : 1;
}
