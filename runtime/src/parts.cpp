#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/parts.h>

#include <algorithm>

namespace gc::detail {

void for_parts(std::uint64_t count, void (*body)(const void *data, std::uint64_t begin, std::uint64_t end),
               const void *data) {
#pragma omp parallel
  {
    const auto threads = static_cast<std::uint64_t>(omp_get_num_threads());
    const auto mine = static_cast<std::uint64_t>(omp_get_thread_num());
    const std::uint64_t most = (count + threads - 1) / threads;
    const std::uint64_t begin = std::min(mine * most, count), end = std::min(begin + most, count);
    if (begin < end)
      body(data, begin, end);
  }
}

} // namespace gc::detail
