// The arcs into a device's vertices, cut into segments.
#ifndef GCOMPILE_GPUS_SEGMENTS_H
#define GCOMPILE_GPUS_SEGMENTS_H

#include <gcompile/core/partition.h>
#include <gcompile/cuda/segments.h>
#include <gcompile/gpus/devices.h>

#include <cstddef>

namespace gc {
namespace gpus {

/// Segments of the arcs into a device's own vertices, with sources from the whole graph. Devices go by segments if that
/// saves time for one of them, and each that has arcs has a layout: a round takes as long as the slowest.
template <class V> class ChosenSegments : public cuda::ChosenSegments<V> {
  using Base = cuda::ChosenSegments<V>;

public:
  /// `bytes` are read of each source.
  ChosenSegments(const Devices<V> &devices, const cuda::Graph<V> &graph, std::size_t bytes)
      : Base(graph, Rows<V>{devices.own_range().first, devices.own_range().last}, bytes), devices_(devices) {}

  /// Whether to go by segments in this round, for values of 4 or 8 bytes. All devices.
  bool pay(unsigned value_bytes) {
    if (!this->is_due())
      return this->pays();
    // A layout takes time and memory: none is made where no device wants one.
    const bool wants = this->wants_layout();
    bool pays = devices_.combined(wants, [](bool &any, bool own) { any |= own; });
    if (pays) {
      struct Answer {
        bool saves_time, has_layout;
      };
      const bool has_layout = this->has_layout(value_bytes);
      const Answer own = {wants && has_layout && this->moves_whole_packs(value_bytes), has_layout || !this->has_arcs()};
      const Answer all = devices_.combined(own, [](Answer &total, const Answer &part) {
        total.saves_time |= part.saves_time;
        total.has_layout &= part.has_layout;
      });
      pays = all.saves_time && all.has_layout;
    }
    this->decide(pays);
    return pays;
  }

private:
  const Devices<V> &devices_;
};

} // namespace gpus
} // namespace gc

#endif
