// Loops on several threads for code that does without OpenMP: the compiled part of the runtime has the threads.
#ifndef GCOMPILE_PROGRAM_PARTS_H
#define GCOMPILE_PROGRAM_PARTS_H

#include <cstdint>

namespace gc {
namespace detail {

void for_parts(std::uint64_t count, void (*body)(const void *data, std::uint64_t begin, std::uint64_t end),
               const void *data);

/// Calls body(begin, end) for parts of 0..count-1, which make up the whole, on as many threads as OpenMP is told to
/// use.
template <class Body> void for_parts(std::uint64_t count, const Body &body) {
  for_parts(
      count,
      [](const void *data, std::uint64_t begin, std::uint64_t end) { (*static_cast<const Body *>(data))(begin, end); },
      &body);
}

} // namespace detail
} // namespace gc

#endif
