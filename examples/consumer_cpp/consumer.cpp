// Plans two buffers that never live at once, and prints how much that saves.
#include <cstdio>
#include <tolk_memory.hpp>

int main() try {
  const tolk::lifetime buffers[] = {{0, 2, 4096}, {2, 4, 4096}};
  std::int64_t offsets[2];
  std::printf("8192 bytes fit in %lld\n", static_cast<long long>(tolk::place(buffers, offsets).size));
  return 0;
} catch (const tolk::error &e) {
  std::fprintf(stderr, "%s\n", e.message());
  return 1;
}
