// Vertices in the order of a priority, on several devices: delta-stepping (Meyer and Sanders 2003).
#ifndef GCOMPILE_GPUS_BUCKETS_H
#define GCOMPILE_GPUS_BUCKETS_H

#include <gcompile/core/priority_levels.h>
#include <gcompile/cuda/order/near_far.h>
#include <gcompile/gpus/frontier.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace gc {
namespace gpus {

namespace detail {

/// The first level of the waiting vertices.
template <class V, class P> struct FirstLevel {
  const typename Precedence<P>::Value *priority;
  PriorityLevels<P> levels;
  struct Parts {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    GCOMPILE_HD void merge(const Parts &other) { first = other.first < first ? other.first : first; }
  };
  __device__ void operator()(V v, Parts &parts) const {
    const std::int64_t level = levels.of(priority[v]);
    parts.first = level < parts.first ? level : parts.first;
  }
};
template <class V, class P> struct OfLevel {
  const typename Precedence<P>::Value *priority;
  PriorityLevels<P> levels;
  std::int64_t level;
  Next<V> now, later;
  __device__ void operator()(V v) const { (levels.of(priority[v]) <= level ? now : later).push(v); }
};

} // namespace detail

/// Each device keeps its own vertices that wait; all work on the first level, `delta` wide, that is not empty anywhere.
/// `P`: a number, the least first, or Greatest of one.
template <class V, class P> class Buckets {
  using Value = typename Precedence<P>::Value;

public:
  /// `priority` has one value per vertex and changes while the buckets are in use. All devices.
  Buckets(Devices<V> &devices, const cuda::Graph<V> &graph, const Value *priority, double delta)
      : devices_(devices), priority_(priority),
        levels_(devices.combined(delta, [](double &first, double) { static_cast<void>(first); })),
        waiting_(devices, graph), current_(devices, graph) {}

  void start(const cuda::VertexSet<V> &from) { waiting_.note(from); }
  void start(std::initializer_list<V> from) { start(devices_.own(from)); }

  /// Makes what is on the first level of all devices current, if there is any. All devices.
  bool advance() {
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    waiting_.take();
    const std::int64_t level =
        devices_.each_of(waiting_.items(), waiting_.size(), detail::FirstLevel<V, P>{priority_, levels_}).first;
    if (level == none)
      return false;
    devices_.each_of(waiting_.items(), waiting_.size(),
                     detail::OfLevel<V, P>{priority_, levels_, level, current_.next(), waiting_.next()});
    current_.take();
    return true;
  }
  Next<V> next() { return waiting_.next(); }

  template <class F> auto push(const F &f) { return current_.push(f, waiting_.next()); }

private:
  Devices<V> &devices_;
  const Value *priority_;
  PriorityLevels<P> levels_;
  Active<V> waiting_, current_;
};

} // namespace gpus
} // namespace gc

#endif
