// The vertices of a device, its copies of those of others, and what moves between owners and copies.
#ifndef GCOMPILE_GPUS_DEVICES_H
#define GCOMPILE_GPUS_DEVICES_H

#include <gcompile/core/partition.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/gpus/exchange.h>
#include <gcompile/gpus/marks.h>
#include <gcompile/gpus/places.h>
#include <gcompile/gpus/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace gc {
namespace gpus {

/// The graph on this device, with the lists of its own vertices; of all, if the program looks at edges of others.
template <class V> cuda::Graph<V> own_graph(const gc::Graph<V> &graph, const ProgramInfo &info, bool doubled = false) {
  const Partition<V> partition(graph, Team::get().size());
  const int rank = Team::get().rank();
  return cuda::Graph<V>(graph, info, doubled, {partition.begin(rank), partition.end(rank), info.needs_edges_of_all});
}

namespace detail {

// Not private types of a class: nvcc does not take these for kernels.
struct AnyVertex {
  template <class V> __device__ bool operator()(V) const { return true; }
};
struct ActivateVertex {
  template <class V, class Next> __device__ void operator()(V v, Next &next) const { next.push(v); }
};

} // namespace detail

template <class T> class Dense;

/// One device's view of the graph. Every device calls the functions that are marked "all devices" in the same order. A
/// device has the arcs of its own vertices, or all.
template <class V> class Devices : public Places<V, false> {
  using Base = Places<V, false>;

public:
  explicit Devices(const cuda::Graph<V> &graph)
      : Base(Team::get(), Partition<V>(graph.host(), Team::get().size())), graph_(graph) {}

  using Base::own_range;
  using Base::rank;
  using Base::size;

  // ---- Sets: each device has the members that it owns ---------------------------------------------------------------

  cuda::VertexSet<V> all() const { return cuda::detail::run_filter<V>(graph_, detail::AnyVertex(), members()); }
  template <class Members> cuda::VertexSet<V> own(const Members &members) const {
    std::vector<V> some;
    for (const V v : members)
      if (own_range().owns(v))
        some.push_back(v);
    return cuda::VertexSet<V>::of(graph_, some);
  }
  cuda::VertexSet<V> own(std::initializer_list<V> members) const { return own<std::initializer_list<V>>(members); }
  /// All members, ascending, of a set of which each device has its own. All devices.
  template <class Set> std::vector<V> members_of(const Set &set) const {
    const std::vector<V> own = set.members();
    std::vector<V> all;
    for (const std::vector<V> *part : this->team_.meet(&own))
      all.insert(all.end(), part->begin(), part->end());
    this->team_.meet(0); // before a part is gone
    return all;
  }
  /// The number of members. All devices.
  template <class Set> std::int64_t size_of(const Set &set) const {
    return combined(set.size(), [](std::int64_t &total, std::int64_t part) { total += part; });
  }

  // ---- Values of all devices ----------------------------------------------------------------------------------------

  /// What `combine` makes of the values of all devices, in their order: the same on each of them. All devices.
  template <class T, class Combine> T combined(const T &own, const Combine &combine) const {
    if (size() == 1)
      return own;
    struct Part {
      T value;
    };
    const std::vector<Part> parts = this->team_.meet(Part{own});
    T total = parts[0].value;
    for (std::size_t i = 1; i < parts.size(); ++i)
      combine(total, parts[i].value);
    return total;
  }
  /// What a kernel's parts come to. All devices, where there are any.
  template <class Parts> Parts together(const Parts &parts) const {
    if constexpr (std::is_same<Parts, cuda::NoParts>::value)
      return parts;
    else
      return combined(parts, [](Parts &total, const Parts &part) { total.merge(part); });
  }

  // ---- Kernels: each device runs them over what it owns -------------------------------------------------------------

  /// f(v) for every own vertex, or for the own members of a set.
  template <class F> auto for_vertices(const cuda::Graph<V> &graph, const F &f) {
    return together(cuda::detail::run_vertices<V>(graph, f, members()));
  }
  template <class Set, class F> auto for_vertices(const cuda::Graph<V> &graph, const Set &set, const F &f) {
    return together(cuda::for_vertices(graph, set, f));
  }
  /// f(u, v, e) for every arc out of own vertices, or of the own members of a set.
  template <class F> auto for_out_edges(const cuda::Graph<V> &graph, const F &f) {
    const Range<V> own = own_range();
    const gc::Graph<V> &host = graph_.host();
    const bool same = graph.has_lists_of(graph_);
    ArcId arcs = own.size() == 0 ? 0 : same ? host.out_offsets[own.last] - host.out_offsets[own.first] : 0;
    if (!same && own.size() > 0)
      for (V v = own.first; v < own.last; ++v)
        arcs += graph.list_length(v);
    const unsigned blocks = cuda::blocks_for(arcs, 8);
    cuda::detail::BlockParts<typename cuda::detail::PartsOf<F>::type> parts(blocks);
    GCOMPILE_CUDA_LAUNCH((detail::own_edges_kernel<V, F>), blocks, cuda::block_threads, f, graph.view(), own, arcs,
                         parts.data());
    return together(parts.merged());
  }
  template <class Set, class F> auto for_out_edges(const cuda::Graph<V> &graph, const Set &set, const F &f) {
    return together(cuda::for_out_edges(graph, set, f));
  }
  /// The own vertices, or members of a set, for which f(v) holds.
  template <class F> cuda::VertexSet<V> filter(const cuda::Graph<V> &graph, const F &f) {
    return cuda::detail::run_filter<V>(graph, f, members());
  }
  template <class Set, class F> cuda::VertexSet<V> filter(const cuda::Graph<V> &graph, const Set &set, const F &f) {
    return cuda::filter(graph, set, f);
  }
  /// f(v, more...) for listed vertices.
  template <class F, class... More> auto each_of(const V *items, std::uint64_t count, const F &f, More... more) {
    const unsigned blocks = cuda::blocks_for(count);
    cuda::detail::BlockParts<typename cuda::detail::PartsOf<F>::type> parts(blocks);
    GCOMPILE_CUDA_LAUNCH((detail::each_of_kernel<V, F, More...>), blocks, cuda::block_threads, f, items, count,
                         parts.data(), more...);
    return together(parts.merged());
  }

  // ---- Between copies and owners ------------------------------------------------------------------------------------

  using Base::gather;
  /// Brings the values of all pairs to the host. All devices.
  template <class T> void gather(Dense<T> &state) { state.gather(*this); }
  /// Sends which copies are touched; their owners activate the vertices. All devices.
  template <class Next> void activate_owners(const Next &next) {
    if (size() > 1)
      this->exchange_.template send<>(this->touched_, this->partition_, detail::Keep(), detail::ActivateVertex(), next);
  }

private:
  cuda::detail::Members<V> members() const { return {nullptr, own_range().size(), own_range().first}; }

  const cuda::Graph<V> &graph_;
};

} // namespace gpus
} // namespace gc

#endif
