// The frontiers of a propagate, of which each device keeps its own vertices.
#ifndef GCOMPILE_GPUS_LEVELS_H
#define GCOMPILE_GPUS_LEVELS_H

#include <gcompile/core/levels.h>
#include <gcompile/cuda/frontier/levels.h>
#include <gcompile/gpus/frontier.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gc {
namespace gpus {

/// The vertices that were active in each round, one list after another; all devices have as many levels.
template <class V> class Levels {
public:
  explicit Levels(const cuda::Graph<V> &graph) : graph_(&graph) {}

  void clear() {
    kept_.clear();
    used_ = 0;
  }
  /// Appends the own active vertices.
  void keep(const Active<V> &active) {
    const std::size_t count = active.size();
    graph_ = &active.graph();
    grow(items_, used_ + count);
    grow(before_, used_ + count);
    copy(items_.data() + used_, active.items(), count);
    copy(before_.data() + used_, active.before(), count);
    kept_.push_back({used_, count, active.arcs()});
    used_ += count;
  }

  std::size_t size() const { return kept_.size(); }
  cuda::Level<V> operator[](std::size_t level) const {
    const Kept &kept = kept_[level];
    return {*graph_, items_.data() + kept.first, before_.data() + kept.first, kept.count, kept.arcs};
  }
  typename LevelRange<Levels>::Iterator begin() const { return LevelRange<Levels>{*this, false}.begin(); }
  typename LevelRange<Levels>::Iterator end() const { return LevelRange<Levels>{*this, false}.end(); }
  /// The levels, last first.
  LevelRange<Levels> reversed() const { return {*this, true}; }

private:
  struct Kept {
    std::size_t first, count;
    ArcId arcs;
  };

  template <class T> void grow(cuda::Buffer<T> &buffer, std::size_t room) {
    if (buffer.data() && room <= buffer.size())
      return;
    cuda::Buffer<T> more(std::max<std::size_t>(1024, 2 * room));
    if (used_ > 0)
      more.copy_from(buffer, used_);
    buffer = std::move(more);
  }
  template <class T> static void copy(T *to, const T *from, std::size_t count) {
    if (count > 0)
      cuda::check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, 0), "copy on the device");
  }

  const cuda::Graph<V> *graph_; ///< along whose lists the rounds went
  cuda::Buffer<V> items_;
  cuda::Buffer<ArcId> before_; ///< the arcs of the level's vertices before each
  std::vector<Kept> kept_;
  std::size_t used_ = 0;
};

} // namespace gpus
} // namespace gc

#endif
