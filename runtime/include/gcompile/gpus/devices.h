// The vertices of a device, its copies of those of others, and what moves between owners and copies.
#ifndef GCOMPILE_GPUS_DEVICES_H
#define GCOMPILE_GPUS_DEVICES_H

#include <gcompile/core/partition.h>
#include <gcompile/core/sums.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/gpus/exchange.h>
#include <gcompile/gpus/marks.h>
#include <gcompile/gpus/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace gc {
namespace gpus {

/// The graph on this device, with the lists of its own vertices.
template <class V> cuda::Graph<V> own_graph(const gc::Graph<V> &graph, const ProgramInfo &info, bool doubled = false) {
  const Partition<V> partition(graph, Team::get().size());
  const int rank = Team::get().rank();
  return cuda::Graph<V>(graph, info, doubled, partition.begin(rank), partition.end(rank));
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

/// One device's view of the graph. Every device calls the functions that are marked "all devices" in the same order.
///
/// A device has the arcs of its own vertices, and an element of each property for every vertex, of which it uses its
/// own ones and its copies of those of others.
template <class V> class Devices {
public:
  explicit Devices(const cuda::Graph<V> &graph)
      : graph_(graph), team_(Team::get()), partition_(graph.host(), team_.size()),
        touched_(detail::words_for(graph.num_vertices())) {
    touched_.clear_bytes();
  }

  int rank() const { return team_.rank(); }
  int size() const { return team_.size(); }
  Range<V> own_range() const { return {partition_.begin(rank()), partition_.end(rank())}; }
  const Partition<V> &partition() const { return partition_; }
  Team &team() const { return team_; }

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
  /// The number of members. All devices.
  std::int64_t size_of(const cuda::VertexSet<V> &set) const {
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
    const std::vector<Part> parts = team_.meet(Part{own});
    T total = parts[0].value;
    for (std::size_t i = 1; i < parts.size(); ++i)
      combine(total, parts[i].value);
    return total;
  }
  /// The value of one vertex, from its owner. All devices.
  template <class T> T value_of_owner(const cuda::Property<T> &state, V v) const {
    struct One {
      T value;
    };
    const std::vector<One> all = team_.meet(One{own_range().owns(v) ? state.read(v) : T()});
    return all[static_cast<std::size_t>(partition_.owner(v))].value;
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
  template <class F> auto for_vertices(const cuda::Graph<V> &graph, const cuda::VertexSet<V> &set, const F &f) {
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
  template <class F> auto for_out_edges(const cuda::Graph<V> &graph, const cuda::VertexSet<V> &set, const F &f) {
    return together(cuda::for_out_edges(graph, set, f));
  }
  /// The own vertices, or members of a set, for which f(v) holds.
  template <class F> cuda::VertexSet<V> filter(const cuda::Graph<V> &graph, const F &f) {
    return cuda::detail::run_filter<V>(graph, f, members());
  }
  template <class F> cuda::VertexSet<V> filter(const cuda::Graph<V> &graph, const cuda::VertexSet<V> &set, const F &f) {
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

  Touched<V> touched() { return {touched_.data(), own_range()}; }

  /// Gives all copies this value.
  template <class T> void reset_copies(cuda::Property<T> &state, const gc::detail::SameAs<T> &value) {
    if (size() > 1)
      GCOMPILE_CUDA_LAUNCH((detail::reset_copies_kernel<V, T>), cuda::blocks_for(graph_.num_vertices()),
                           cuda::block_threads, state.data(), T(value), graph_.num_vertices(), own_range());
  }

  /// Sends the touched copies; their owners call apply(v, values..., next) for each, in the order of the devices that
  /// send. All devices.
  template <class Apply, class Next, class... T>
  void reduce_to_owner(const Apply &apply, const Next &next, cuda::Property<T> &...states) {
    if (size() > 1)
      exchange_.template send<T...>(touched_, partition_, detail::Keep(), apply, next, states.data()...);
  }
  /// The same for copies that collect: those sent become `neutral`. All devices.
  template <class Apply, class Next, class T>
  void collect_at_owner(const gc::detail::SameAs<T> &neutral, const Apply &apply, const Next &next,
                        cuda::Property<T> &state) {
    if (size() > 1)
      exchange_.template send<T>(touched_, partition_, detail::Become<T>{T(neutral)}, apply, next, state.data());
  }
  /// Sends which copies are touched; their owners activate the vertices. All devices.
  template <class Next> void activate_owners(const Next &next) {
    if (size() > 1)
      exchange_.template send<>(touched_, partition_, detail::Keep(), detail::ActivateVertex(), next);
  }

  /// Owners give their values to all others. All devices.
  template <class T> void give_to_copies(cuda::Property<T> &state) { spread(state.data(), true); }
  /// Brings the values of all vertices to the first device. All devices.
  template <class T> void gather(cuda::Property<T> &state) { spread(state.data(), rank() == 0); }

private:
  cuda::detail::Members<V> members() const { return {nullptr, own_range().size(), own_range().first}; }

  /// Fetches the values of others from their owners, where that is wanted.
  template <class T> void spread(T *values, bool wanted) {
    if (size() == 1)
      return;
    cuda::synchronize();
    const std::vector<T *> all = team_.meet(values);
    for (int r = 0; r < size(); ++r)
      if (wanted && r != rank())
        detail::copy_from_peer(values + partition_.begin(r), all[static_cast<std::size_t>(r)] + partition_.begin(r),
                               partition_.end(r) - partition_.begin(r), rank(), r);
    cuda::synchronize();
    team_.meet(0); // before owners change what others fetch
  }

  const cuda::Graph<V> &graph_;
  Team &team_;
  Partition<V> partition_;
  cuda::Buffer<std::uint32_t> touched_; ///< a bit for each vertex; zero but between a kernel and what it sends
  detail::Exchange<V> exchange_{team_};
};

} // namespace gpus
} // namespace gc

#endif
