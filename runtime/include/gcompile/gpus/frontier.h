// The frontier of a propagate, of which each device has the vertices that it owns.
#ifndef GCOMPILE_GPUS_FRONTIER_H
#define GCOMPILE_GPUS_FRONTIER_H

#include <gcompile/core/direction.h>
#include <gcompile/gpus/active_copies.h>
#include <gcompile/gpus/devices.h>
#include <gcompile/gpus/marks.h>
#include <gcompile/gpus/pull.h>

#include <cstdint>
#include <initializer_list>

namespace gc {
namespace gpus {

namespace detail {

/// f for each arc out of the listed vertices, or for each vertex. `more`: nothing, or the number of the round.
template <class V, class F, class... More>
__global__ void __launch_bounds__(cuda::block_threads)
    push_kernel(F f, gc::Graph<V> graph, const V *items, std::uint64_t count, const ArcId *before, ArcId arcs,
                Next<V> next, typename cuda::detail::PartsOf<F>::type *results, More... more) {
  typename cuda::detail::PartsOf<F>::type parts = {};
  if constexpr (cuda::detail::WholeVertex<F>::value) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < count;
         i += std::uint64_t(gridDim.x) * cuda::block_threads)
      cuda::detail::call(f, parts, items[i], more..., next);
  } else {
    const cuda::Team team(gridDim.x, nullptr);
    cuda::gather<V>(
        team, graph, static_cast<std::uint32_t>(count), arcs, [&](std::uint64_t i) { return before[i]; },
        [&](std::uint64_t i) { return items[i]; },
        [&](V u, ArcId e) {
          cuda::detail::call(f, parts, u, graph.target(e), cuda::edge_of(f, graph, e), more..., next);
        },
        [] {});
  }
  cuda::detail::merge_block(parts, results + blockIdx.x);
}

} // namespace detail

/// Vertices of this device that are active, and the next ones being noted.
template <class V> class Active {
public:
  Active(Devices<V> &devices, const cuda::Graph<V> &graph)
      : devices_(devices), graph_(&graph), next_(detail::words_for(devices.own_range().size())), tally_(1) {
    next_.clear_bytes();
  }

  /// Rounds go along the lists of this graph from now on.
  void follow(const cuda::Graph<V> &graph) { graph_ = &graph; }
  Next<V> next() { return {next_.data(), devices_.own_range()}; }
  std::uint64_t size() const { return count_; }
  ArcId arcs() const { return arcs_; } ///< out of the current vertices
  const V *items() const { return items_.data(); }
  const ArcId *before() const { return before_.data(); } ///< the arcs of those before each
  const cuda::Graph<V> &graph() const { return *graph_; }

  /// Notes the own ones among the members of a set.
  void note(const cuda::VertexSet<V> &set) {
    if (set.size() > 0)
      note(set.items(), static_cast<std::uint64_t>(set.size()));
  }
  void note_all() { note(nullptr, devices_.own_range().size()); }

  /// Makes what is noted current.
  void take() {
    const Range<V> own = devices_.own_range();
    items_.reserve_discard(own.size());
    before_.reserve_discard(own.size());
    tally_.clear_bytes();
    const std::uint64_t words = detail::words_for(own.size());
    if (words > 0)
      GCOMPILE_CUDA_LAUNCH((detail::list_marked_kernel<V>), cuda::blocks_for(words), cuda::block_threads,
                           graph_->view(), next_.data(), words, own.first,
                           (cuda::Queue<V>{items_.data(), before_.data(), tally_.data()}));
    cuda::check(cudaGetLastError(), "cannot start a kernel");
    unsigned long long tally = 0;
    tally_.download(&tally, 1);
    count_ = cuda::Tally::length(tally);
    arcs_ = cuda::Tally::arcs(tally);
  }

  /// f for each arc out of the current vertices, or for each of them; it activates in `next`.
  template <class F, class... More> auto push(const F &f, const Next<V> &next, More... more) {
    constexpr bool whole = cuda::detail::WholeVertex<F>::value;
    const unsigned blocks = whole ? cuda::blocks_for(count_) : cuda::blocks_for(arcs_, 8);
    cuda::detail::BlockParts<typename cuda::detail::PartsOf<F>::type> parts(blocks);
    GCOMPILE_CUDA_LAUNCH((detail::push_kernel<V, F, More...>), blocks, cuda::block_threads, f, graph_->view(),
                         items_.data(), count_, before_.data(), arcs_, next, parts.data(), more...);
    return devices_.together(parts.merged());
  }

private:
  void note(const V *items, std::uint64_t count) {
    if (count > 0)
      GCOMPILE_CUDA_LAUNCH((detail::mark_members_kernel<V>), cuda::blocks_for(count), cuda::block_threads, next_.data(),
                           devices_.own_range(), items, count);
  }

  Devices<V> &devices_;
  const cuda::Graph<V> *graph_;
  cuda::Buffer<std::uint32_t> next_;
  cuda::Buffer<V> items_;
  cuda::Buffer<ArcId> before_;
  cuda::Buffer<unsigned long long> tally_;
  std::uint64_t count_ = 0;
  ArcId arcs_ = 0;
};

/// The own vertices that are active in a round, and the next ones: each once, however often activated.
template <class V> class Frontier {
public:
  Frontier(Devices<V> &devices, const cuda::Graph<V> &graph)
      : devices_(devices), graph_(graph), active_(devices, graph), everywhere_(devices),
        rule_(graph.num_vertices(), graph.host().num_arcs()) {}

  void follow(const cuda::Graph<V> &graph) { active_.follow(graph); }
  void start(const cuda::VertexSet<V> &from) {
    rule_.restart();
    active_.note(from);
    active_.take();
  }
  void start(std::initializer_list<V> from) { start(devices_.own(from)); }
  void start_all() {
    rule_.restart();
    active_.note_all();
    active_.take();
  }
  /// Whether a vertex is active on any device. All devices.
  bool anywhere() {
    size_ = devices_.combined(FrontierSize{active_.size(), active_.arcs()}, FrontierSize::add);
    return size_.vertices > 0;
  }
  Next<V> next() { return active_.next(); }
  const Active<V> &active() const { return active_; }
  void advance() { active_.take(); }

  /// Behind anywhere(): chooses the direction of the round, by gc::DirectionRule. Before a pull each device learns
  /// which vertices of the others are active, and their values of these states. All devices.
  template <class... T> bool pulls(double alpha, double beta, cuda::Property<T> &...states) {
    if (!rule_.pulls(size_, alpha, beta))
      return false;
    everywhere_.update(active_.items(), active_.size(), states...);
    return true;
  }
  /// What the pull of a round does.
  template <class F> void pull(const F &f, std::int32_t round) {
    const Range<V> own = devices_.own_range();
    if (own.size() > 0)
      GCOMPILE_CUDA_LAUNCH((detail::pull_kernel<V, F>), cuda::blocks_for(own.size()), cuda::block_threads, f,
                           graph_.view(), own, (detail::Current<V>{everywhere_.words()}), round, active_.next());
    cuda::check(cudaGetLastError(), "cannot start a kernel");
  }
  /// What the push of a round does.
  template <class F> auto push(const F &f, std::int32_t round) { return active_.push(f, active_.next(), round); }
  /// f(v, round) for the active vertices.
  template <class F> auto visit(const F &f, std::int32_t round) {
    return devices_.each_of(active_.items(), active_.size(), f, round);
  }

private:
  Devices<V> &devices_;
  const cuda::Graph<V> &graph_;
  Active<V> active_;
  ActiveCopies<V> everywhere_; ///< in rounds that pull
  FrontierSize size_;          ///< on all devices
  DirectionRule rule_;
};

} // namespace gpus
} // namespace gc

#endif
