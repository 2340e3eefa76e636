/*
 * What allocators that keep their headers in the memory they hand out need to be compared by size: every 256 bytes of a buffer
 * are 16 here, and the 8 bytes of header that these allocators need are asked for less. So a block takes exactly a sixteenth of
 * its buffer's bytes, but for buffers under 1 KiB, which are smaller than the least block.
 */
#pragma once

#include <cstdint>

constexpr int64_t scale = 16, header_bytes = 8;

inline size_t scaled(int64_t bytes) { return static_cast<size_t>((bytes + 255) / 256 * 256 / scale - header_bytes); }

inline int64_t unscaled(const void *block) { return static_cast<int64_t>(reinterpret_cast<intptr_t>(block)) * scale; }
