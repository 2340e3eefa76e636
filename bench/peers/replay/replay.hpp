/*
 * Replays the lifetimes that standard input gives in an allocator, and prints a line a run: the bytes used and the nanoseconds of the processor.
 *
 * The input is 64-bit numbers: runs, buffers, events, the address range in bytes, the bytes of each buffer, the events in
 * order (i allocates buffer i, -1 - i frees it), and the first entry and the end of each buffer, which planners read.
 */
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <sys/mman.h>

[[noreturn]] inline void fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

inline std::vector<int64_t> read_numbers(int64_t count) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  if (std::fread(numbers.data(), sizeof(int64_t), numbers.size(), stdin) != numbers.size()) fail("the input is cut short");
  return numbers;
}

/* The processor's time that this process has had. */
inline double nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/* Addresses, of which those that are written to become memory. */
inline void *reserve(size_t bytes) {
  void *range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) fail("no address range of that size");
  return range;
}

/* An Allocator is made of the range and the count of buffers; start() begins a run, with nothing allocated; alloc(i, bytes) is an
 * offset, and free(i) gives buffer i back. */
template <class Allocator> int replay() {
  const auto header = read_numbers(4);
  const auto bytes = read_numbers(header[1]), events = read_numbers(header[2]);
  Allocator allocator(header[3], bytes.size());
  for (int64_t run = 0; run < header[0]; run++) {
    int64_t lowest = INT64_MAX, end = 0;
    const double began = nanoseconds();
    allocator.start();
    for (const int64_t event : events) {
      if (event < 0) {
        allocator.free(static_cast<size_t>(-1 - event));
        continue;
      }
      const auto i = static_cast<size_t>(event);
      const int64_t offset = allocator.alloc(i, bytes[i]);
      lowest = std::min(lowest, offset);
      end = std::max(end, offset + bytes[i]);
    }
    const double took = nanoseconds() - began;
    std::printf("%lld %.0f\n", static_cast<long long>(end - std::min(lowest, end)), took);
  }
  return 0;
}
