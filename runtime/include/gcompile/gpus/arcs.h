// Arcs and their values: that of an arc is with the owner of the vertex that it leaves.
#ifndef GCOMPILE_GPUS_ARCS_H
#define GCOMPILE_GPUS_ARCS_H

#include <gcompile/gpus/devices.h>

#include <cstdint>
#include <vector>

namespace gc {
namespace gpus {

/// The arcs of all devices, in blocks as their vertices are. There may be many: memory for what is sent is taken when
/// it is known how much that is.
template <class V> class Arcs : public Places<ArcId, true> {
public:
  Arcs(const Devices<V> &devices, const cuda::Graph<V> &graph)
      : Places<ArcId, true>(devices.team(), blocks(devices, graph.host())) {}

private:
  static Partition<ArcId> blocks(const Devices<V> &devices, const gc::Graph<V> &graph) {
    std::vector<std::uint64_t> begins;
    for (int r = 0; r < devices.size(); ++r)
      begins.push_back(graph.num_vertices() > 0 ? graph.out_offsets[devices.partition().begin(r)] : 0);
    begins.push_back(graph.num_arcs());
    return Partition<ArcId>(begins);
  }
};

} // namespace gpus
} // namespace gc

#endif
