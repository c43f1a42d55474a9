// Loops on several threads for code that does without OpenMP: the compiled part of the runtime has the threads.
#ifndef GCOMPILE_PROGRAM_PARTS_H
#define GCOMPILE_PROGRAM_PARTS_H

#include <cstdint>
#include <functional>

namespace gc {
namespace detail {

/// Calls body(begin, end) for parts of 0..count-1, which make up the whole, on as many threads as OpenMP is told to
/// use.
void for_parts(std::uint64_t count, const std::function<void(std::uint64_t begin, std::uint64_t end)> &body);

} // namespace detail
} // namespace gc

#endif
