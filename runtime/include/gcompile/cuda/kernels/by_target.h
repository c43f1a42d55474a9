// Edge properties ordered by target: kernels that go against the edges read them one after the other.
#ifndef GCOMPILE_CUDA_KERNELS_BY_TARGET_H
#define GCOMPILE_CUDA_KERNELS_BY_TARGET_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {

namespace detail {

template <class T> struct PlaceValue {
  const T *from;
  const ArcId *edges;
  T *to;
  __device__ void operator()(ArcId k) const { to[k] = from[edges[k]]; }
};

} // namespace detail

/// An edge column of a graph on the device, one value per in-arc: that of the arc in the list of its target. Needs the
/// in-arrays and the ids of their edges.
template <class T> class ByTarget {
public:
  template <class V> ByTarget(const Graph<V> &graph, int column) : values_(graph.num_arcs()) {
    for_arcs(graph, detail::PlaceValue<T>{graph.view().template edge_column<T>(column), graph.view().in_edges,
                                          values_.data()});
    synchronize();
  }

  const T *data() const { return values_.data(); }

private:
  Buffer<T> values_;
};

} // namespace cuda
} // namespace gc

#endif
