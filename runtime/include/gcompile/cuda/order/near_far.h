// Vertices in the order of a priority: near-far lists (Davidson et al. 2014), the far list split lazily, in one
// cooperative kernel, which may be that of a loop.
#ifndef GCOMPILE_CUDA_ORDER_NEAR_FAR_H
#define GCOMPILE_CUDA_ORDER_NEAR_FAR_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/order/near_far_run.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

/// What a block shares in the kernel below.
template <class V, class P> struct NearFarShared {
  OutboxMemory<V> near, far;
  NearFarState<P> state;
};

template <class V, class P, class Push, bool until = false>
__global__ void __launch_bounds__(team_threads)
    near_far_kernel(NearFarView<V, P> f, std::uint64_t starts, Push push, EndsView<V> ends) {
  using Shared = NearFarShared<V, P>;
  GCOMPILE_CUDA_SHARED(Shared, shared);
  Team grid(gridDim.x, f.arrived);
  NearFarRun<V, P, until> run(f, starts, {shared.near, shared.far, shared.state}, ends);
  run_near_far(grid, run, push);
}

/// The vertices to start from.
template <class V> struct NearFarStart {
  const V *items;             ///< nullptr: they follow each other
  const std::uint32_t *words; ///< the same as a bitmap
  std::uint64_t first, size;
  __device__ V operator[](std::uint64_t i) const { return items ? items[i] : static_cast<V>(first + i); }
  /// Of the bitmap.
  __device__ std::uint32_t word(std::uint64_t i) const {
    if (items)
      return words[i];
    const std::uint64_t low = 32 * i, end = first + size;
    if (end <= low || first >= low + 32)
      return 0;
    return (first > low ? ~0u << (first - low) : ~0u) & (end < low + 32 ? ~0u >> (low + 32 - end) : ~0u);
  }
};

/// Makes everything ready for a run: all vertices to start from are far. `rank` of `step` threads.
template <class V, class P>
__device__ void start_far(const NearFarView<V, P> &f, const NearFarStart<V> &from, std::uint64_t rank,
                          std::uint64_t step) {
  const std::uint64_t words = (std::uint64_t(f.graph.num_vertices()) + 31) / 32;
  for (std::uint64_t i = rank; i < words; i += step) {
    f.queued[0][i] = f.queued[1][i] = 0;
    f.waiting[i] = from.word(i);
  }
  for (std::uint64_t i = rank; i < from.size; i += step)
    f.far[0][i] = from[i];
  if (rank > 0)
    return;
  for (unsigned i = 0; i < 3; ++i)
    f.tallies[i] = f.long_flags[i] = 0;
  for (unsigned i = 0; i < 2; ++i) {
    f.far_sizes[i] = i == 0 ? from.size : 0;
    f.least[i] = inf<Limit<P>>();
    f.arrived[i] = 0;
  }
}
template <class V, class P> __global__ void start_far_kernel(NearFarView<V, P> f, NearFarStart<V> from) {
  start_far(f, from, blockIdx.x * std::uint64_t(block_threads) + threadIdx.x, gridDim.x * std::uint64_t(block_threads));
}

/// The sum and number of finite weights.
template <class W> struct MeanWeight {
  const W *weights;
  struct Parts {
    double sum = 0, count = 0;
    GCOMPILE_HD void merge(const Parts &other) {
      sum += other.sum;
      count += other.count;
    }
    double mean() const { return count > 0 ? sum / count : 0; }
  };
  __device__ void operator()(ArcId i, Parts &parts) const {
    if (weights[i] < inf<W>()) {
      parts.sum += static_cast<double>(weights[i]);
      ++parts.count;
    }
  }
};

} // namespace detail

/// Where an ordered propagate ends: once all of some vertices have their final priority, or the first of them has.
template <class V> struct Ends {
  std::vector<V> vertices;
  bool first = false;

  static Ends all(std::initializer_list<V> vertices) { return {vertices, false}; }
  static Ends first_of(std::initializer_list<V> vertices) { return {vertices, true}; }
};

/// The work of an ordered propagate. `P`: a number, the least first, or Greatest of one. `priority` has one value per
/// vertex. `until`: it may end before all is done.
template <class V, class P, bool until = false> class NearFar {
public:
  NearFar(const Graph<V> &graph, detail::Priority<P> *priority, double delta, const Ends<V> &ends = {})
      : graph_(graph), priority_(priority),
        delta_(delta > 1 || std::is_floating_point<detail::Limit<P>>::value ? delta : 1) {
    const std::size_t n = graph.num_vertices(), words = (n + 31) / 32;
    for (int i = 0; i < 2; ++i) {
      lists_[i] = Buffer<V>(n);
      before_[i] = Buffer<ArcId>(n);
      far_[i] = Buffer<V>(n);
      queued_[i] = Buffer<std::uint32_t>(words);
    }
    waiting_ = Buffer<std::uint32_t>(words);
    counters_ = Buffer<unsigned long long>(8);
    least_ = Buffer<detail::Limit<P>>(2);
    arrived_ = Buffer<unsigned>(2);
    state_ = Buffer<detail::NearFarState<P>>(1);
    if (ends.vertices.empty())
      return;
    ends_ = Buffer<V>(ends.vertices.size());
    ends_.upload(ends.vertices.data(), ends.vertices.size());
    first_end_ = ends.first;
  }

  /// Runs until no priority improves: push(u, v, e, next) for every arc of each vertex taken, or push(u, next) if one
  /// thread does all the work of a vertex. A push that says `static constexpr bool relaxes = true` only improves the
  /// priority of v to value(u, v, e), where that comes first.
  template <class Push> void run(const VertexSet<V> &from, const Push &push) {
    if (from.size() > 0)
      run({from.items(), from.view().words, 0, static_cast<std::uint64_t>(from.size())}, push);
  }
  template <class Push> void run(std::initializer_list<V> from, const Push &push) {
    if (from.size() == 1 && *from.begin() < graph_.num_vertices())
      run({nullptr, nullptr, *from.begin(), 1}, push);
    else
      run(VertexSet<V>::of(graph_, from), push);
  }

  /// For a kernel that runs it: what this has, as long as it lives.
  detail::NearFarView<V, P> lend() {
    detail::NearFarView<V, P> view = {graph_.view(),
                                      priority_,
                                      static_cast<detail::Limit<P>>(delta_),
                                      {},
                                      {far_[0].data(), far_[1].data()},
                                      {queued_[0].data(), queued_[1].data()},
                                      waiting_.data(),
                                      counters_.data(),
                                      counters_.data() + 3,
                                      counters_.data() + 6,
                                      least_.data(),
                                      arrived_.data(),
                                      state_.data()};
    for (int i = 0; i < 2; ++i)
      view.lists[i] = {lists_[i].data(), before_[i].data(), nullptr};
    return view;
  }

private:
  template <class Push> void run(const detail::NearFarStart<V> &from, const Push &push) {
    const detail::NearFarView<V, P> view = lend();
    const std::uint64_t words = (std::uint64_t(graph_.num_vertices()) + 31) / 32;
    GCOMPILE_CUDA_LAUNCH((detail::start_far_kernel<V, P>), blocks_for(std::max(words, from.size)), block_threads, view,
                         from);
    const auto kernel = detail::near_far_kernel<V, P, Push, until>;
    static const unsigned resident = detail::resident_blocks(kernel);
    const unsigned blocks = std::min(resident, blocks_for((graph_.num_arcs() + graph_.num_vertices()) / 4, 16));
    const detail::EndsView<V> ends = {ends_.data(), static_cast<unsigned>(ends_.size()), first_end_};
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::near_far_kernel<V, P, Push, until>), blocks, team_threads, view,
                                     from.size, push, ends);
    synchronize();
  }

  const Graph<V> &graph_;
  detail::Priority<P> *priority_;
  double delta_;
  Buffer<V> ends_;
  bool first_end_ = false;
  Buffer<V> lists_[2], far_[2];
  Buffer<ArcId> before_[2];
  Buffer<std::uint32_t> queued_[2], waiting_;
  Buffer<unsigned long long> counters_;
  Buffer<detail::Limit<P>> least_;
  Buffer<unsigned> arrived_;
  Buffer<detail::NearFarState<P>> state_;
};

/// The width of the window of near vertices: where vertices have few neighbours it must be wide, or a round does not
/// fill the device. Power and factors are measured (bench/results).
template <class P, class V> double choose_delta(const Graph<V> &graph, double mean_weight) {
  const double degree =
      static_cast<double>(graph.num_arcs()) / static_cast<double>(graph.num_vertices() ? graph.num_vertices() : 1);
  return usable_width<P>(mean_weight * std::min(32.0, 2048 / (degree * degree * degree)));
}
/// With a weight for each arc.
template <class P, class V, class W> double choose_delta(const Graph<V> &graph, const W *weights) {
  return choose_delta<P>(
      graph, graph.mean_weight(weights, [&] { return for_arcs(graph, detail::MeanWeight<W>{weights}).mean(); }));
}
/// With a weight for each vertex, which the next run may have others of.
template <class P, class V, class W>
double choose_delta(const Graph<V> &graph, const W *weights, std::uint64_t /*vertices*/) {
  return choose_delta<P>(graph, for_vertices(graph, detail::MeanWeight<W>{weights}).mean());
}
/// Without weights each step counts one.
template <class P, class V> double choose_delta(const Graph<V> &) { return 1; }

} // namespace cuda
} // namespace gc

#endif
