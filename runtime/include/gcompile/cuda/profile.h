// What a profiled program measures on the device: each call of a kernel on its own, which the host waits for.
#ifndef GCOMPILE_CUDA_PROFILE_H
#define GCOMPILE_CUDA_PROFILE_H

#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/program/profile.h>

#include <type_traits>

namespace gc {
namespace cuda {

/// Calls run(), which starts kernels over `active` elements, and records the time until they have ended.
template <class Run>
auto measure(Profile &profile, const char *statement, const char *kernel, std::uint64_t active, Run run) {
  synchronize();
  const Profile::Entry entry = profile.enter(statement, kernel, active);
  if constexpr (std::is_void<decltype(run())>::value) {
    run();
    synchronize();
  } else {
    auto result = run();
    synchronize();
    return result;
  }
}

/// The same for one round of a propagate, which waits for its end itself. A push looks at all edges out of the
/// frontier.
template <class V, class Run>
void measure_round(Profile &profile, const char *statement, const char *kernel, const Frontier<V> &frontier,
                   std::int32_t round, Run run) {
  const std::uint64_t active = frontier.size(), arcs = frontier.arcs(), copies = frontier.copies();
  synchronize();
  const Profile::Entry entry = profile.enter(statement, kernel, active);
  run();
  profile.count_edges(frontier.has_pulled() ? 0 : arcs);
  profile.note_round(round, frontier.has_pulled() ? "pull" : "push", copies);
}

} // namespace cuda
} // namespace gc

#endif
