// Long lists of arcs, cut into parts that several threads walk.
#ifndef GCOMPILE_OMP_FRONTIER_CUT_LISTS_H
#define GCOMPILE_OMP_FRONTIER_CUT_LISTS_H

#include <gcompile/core/graph.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace gc {

/// Some consecutive arcs out of a vertex.
struct Arcs {
  ArcId begin, end;
};

/// The long lists of a round, in parts, each of which one thread takes. Any thread may cut a list at any time: it takes
/// what nobody else has taken before it leaves.
template <class V> class CutLists {
  static constexpr ArcId part = 4096; // arcs

public:
  static constexpr ArcId longest = 8192; ///< list that is left whole, in arcs
  struct Part {
    V vertex;
    Arcs arcs;
  };

  template <class A> void cut(const Graph<V, A> &graph, V v) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (ArcId at = graph.out_begin(v), end = graph.out_end(v); at < end; at += part)
      parts_.push_back({v, {at, std::min(at + part, end)}});
    left_.store(parts_.size(), std::memory_order_release);
  }
  /// Whether there was a part left, which it then is.
  bool take(Part &taken) {
    if (left_.load(std::memory_order_acquire) == 0)
      return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (parts_.empty())
      return false;
    taken = parts_.back();
    parts_.pop_back();
    left_.store(parts_.size(), std::memory_order_release);
    return true;
  }

private:
  std::mutex mutex_;
  std::vector<Part> parts_;
  std::atomic<std::size_t> left_{0};
};

} // namespace gc

#endif
