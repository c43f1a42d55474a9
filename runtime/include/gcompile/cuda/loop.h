// Loops of kernels: one cooperative kernel runs them, and what the host would do between them.
//
// The loop of a program is an object L: `loop(device, scalars)`. Where it runs in every thread of a kernel, all threads
// go the same way, since all have the same scalars, and make the calls of `device` together.
#ifndef GCOMPILE_CUDA_LOOP_H
#define GCOMPILE_CUDA_LOOP_H

#include <gcompile/cuda/kernels.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

// In front of a function that calls only what the host has, or only what the device has, as its arguments say.
#ifdef __NVCC__
#define GCOMPILE_CUDA_EITHER_SIDE _Pragma("nv_exec_check_disable")
#else
#define GCOMPILE_CUDA_EITHER_SIDE
#endif

namespace gc {
namespace cuda {

/// The kernels that a loop calls.
template <class... Fs> struct Kernels {
  static constexpr bool by_lanes = (... || detail::ByLanes<Fs>::value);
  /// Of what a kernel counts; a place for anything.
  static constexpr std::size_t most_bytes =
      (std::max({std::size_t(1), sizeof(typename detail::PartsOf<Fs>::type)...}) + 15) / 16 * 16;
};

/// Who goes from one kernel of a loop to the next; `either`: the device in small graphs.
enum class LoopOn { either, device, host };

namespace detail {

/// Up to so many vertices and arcs, or pairs, starting kernels takes longer than what a kernel of its own does better.
constexpr std::uint64_t most_loop_work = std::uint64_t(1) << 22;

/// What the host provides for a loop.
template <class V> struct LoopView {
  gc::Graph<V> graph;
  EdgeId arcs;
  Members<V> hubs;
  unsigned hub_shares;  ///< of those for whole blocks
  unsigned most_shares; ///< of all other vertices
  unsigned *arrived;    ///< at two kinds of barrier, and how often the second was passed
  unsigned *next_share; ///< two that take turns
  void *parts;          ///< one for each share
  void *merged;         ///< two that take turns: what they come to
};

/// What a block shares.
template <std::size_t most_bytes> struct LoopMemory {
  alignas(16) unsigned char parts[block_threads * most_bytes];
  Hubs<block_threads> hubs;
  unsigned share;
  bool last;
};

/// A kernel may declare 48 KiB of shared memory.
template <class Loop> struct FitsShared {
  static constexpr bool value = sizeof(LoopMemory<Loop::Kernels::most_bytes>) <= 48 * 1024;
};

template <class L, class = void> struct OverPairs { static constexpr bool value = false; };
template <class L> struct OverPairs<L, std::void_t<decltype(L::over_pairs)>> {
  static constexpr bool value = L::over_pairs;
};

} // namespace detail

/// The device, in one thread of a loop's kernel. `count` lanes take a short list.
template <class V, unsigned count, std::size_t most_bytes> class LoopDevice {
public:
  __device__ LoopDevice(const detail::LoopView<V> &view, detail::LoopMemory<most_bytes> &memory)
      : view_(view), memory_(memory), team_(gridDim.x, view.arrived) {}
  __device__ const gc::Graph<V> &graph() const { return view_.graph; }

  /// f(v) for every vertex.
  template <class F> __device__ typename detail::PartsOf<F>::type for_vertices(const F &f) {
    using Parts = typename detail::PartsOf<F>::type;
    const detail::Members<V> all = {nullptr, view_.graph.num_vertices()};
    if constexpr (detail::ByLanes<F>::value) {
      const unsigned turns = detail::turns_of_tile<count>(all.count, gridDim.x);
      const unsigned size = block_threads / count * turns;
      const std::uint64_t tiles = (all.count + size - 1) / size;
      const unsigned shares =
          view_.hub_shares + (tiles < view_.most_shares ? static_cast<unsigned>(tiles) : view_.most_shares);
      each_share(shares, [&](unsigned share) {
        Parts parts = {};
        detail::visit_by_lanes<count>(f, view_.graph, all, view_.hubs, view_.hub_shares, share, shares, turns,
                                      memory_.hubs, parts);
        detail::merge_block(parts, parts_of<Parts>(share), memory_.parts);
      });
      return settle<Parts>(shares);
    } else {
      return for_each(all.count, f, [](std::uint64_t i) { return static_cast<V>(i); });
    }
  }
  /// f(u, v, e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(const F &f) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    const gc::Graph<V> &graph = view_.graph;
    gather<V>(
        team_, graph, graph.num_vertices(), view_.arcs, [&](std::uint64_t v) { return graph.out_offsets[v]; },
        [](std::uint64_t v) { return static_cast<V>(v); },
        [&](V u, EdgeId e) { detail::call(f, parts, u, graph.target(e), edge_of(f, graph, e)); }, [] {});
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }
  /// f(e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_arcs(const F &f) {
    return for_each(view_.arcs, f, [](std::uint64_t e) { return static_cast<EdgeId>(e); });
  }
  /// f(i, j) for every ordered pair of vertices.
  template <class F> __device__ typename detail::PartsOf<F>::type for_pairs(const F &f) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    const std::uint64_t n = view_.graph.num_vertices();
    for (std::uint64_t k = team_.rank(); k < n * n; k += team_.size())
      detail::call(f, parts, static_cast<V>(k / n), static_cast<V>(k % n));
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }

  /// f() by one thread.
  template <class F> __device__ void once(const F &f) {
    if (team_.rank() == 0)
      f();
    team_.sync();
  }
  /// f(parts) by one thread; gives what it leaves there.
  template <class F> __device__ typename F::Parts once(const F &f, typename F::Parts parts) {
    typename F::Parts *const merged = next_merged<typename F::Parts>();
    if (team_.rank() == 0) {
      f(parts);
      *merged = parts;
    }
    team_.sync();
    return *merged;
  }

  /// Segments never pay in small graphs.
  template <class Segments> __device__ bool segments_pay(Segments *, unsigned) const { return false; }
  template <class Segments, class F>
  __device__ void segments_gather(Segments *, const F &, typename F::Value *) const {}

  template <class T> __device__ void copy_per_vertex(T *to, const T *from) {
    copy(to, from, view_.graph.num_vertices());
  }
  template <class T> __device__ void copy_per_arc(T *to, const T *from) { copy(to, from, view_.arcs); }

private:
  template <class T> __device__ void copy(T *to, const T *from, std::uint64_t size) {
    for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
      to[i] = from[i];
    team_.sync();
  }
  template <class F, class At>
  __device__ typename detail::PartsOf<F>::type for_each(std::uint64_t size, const F &f, const At &at) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
      detail::call(f, parts, at(i));
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }

  template <class Parts> __device__ Parts *parts_of(unsigned share) const {
    return static_cast<Parts *>(view_.parts) + share;
  }
  /// Where the next result goes. All blocks have met since the last in this place was read.
  template <class Parts> __device__ Parts *next_merged() {
    merged_ = 1 - merged_;
    return reinterpret_cast<Parts *>(static_cast<unsigned char *>(view_.merged) + merged_ * most_bytes);
  }

  /// visit(i) for each of so many shares; who has finished one takes the next.
  template <class Visit> __device__ void each_share(unsigned shares, const Visit &visit) {
    unsigned *const next = view_.next_share + turn_;
    turn_ = 1 - turn_;
    if (team_.rank() == 0)
      view_.next_share[turn_] = 0;
    for (unsigned share = blockIdx.x; share < shares;) {
      // The number is on its way while the block works.
      unsigned taken = shares;
      if (threadIdx.x == 0 && shares > gridDim.x)
        taken = gridDim.x + atomicAdd(next, 1u);
      visit(share);
      __syncthreads();
      if (threadIdx.x == 0)
        memory_.share = taken;
      __syncthreads();
      share = memory_.share;
    }
  }

  /// All blocks meet; gives what they have counted, merged in the order of the shares.
  template <class Parts> __device__ Parts settle(unsigned shares) {
    if constexpr (std::is_same<Parts, NoParts>::value) {
      team_.sync();
      return {};
    } else {
      // The last block to come merges for all.
      unsigned *const arrived = view_.arrived + 1, *const passed = view_.arrived + 2;
      due_ += gridDim.x;
      ++settled_;
      __syncthreads();
      if (threadIdx.x == 0)
        memory_.last = arrive_and_count(arrived) + 1 == due_;
      __syncthreads();
      Parts *const merged = next_merged<Parts>();
      if (memory_.last) {
        const unsigned each = (shares + block_threads - 1) / block_threads;
        Parts mine = {};
        for (unsigned i = threadIdx.x * each; i < shares && i < (threadIdx.x + 1) * each; ++i)
          mine.merge(*parts_of<Parts>(i));
        detail::merge_block(mine, merged, memory_.parts);
        if (threadIdx.x == 0)
          arrive(passed);
      } else if (threadIdx.x == 0) {
        while (static_cast<int>(arrivals(passed) - settled_) < 0)
          pause();
      }
      __syncthreads();
      return *merged;
    }
  }

  const detail::LoopView<V> &view_;
  detail::LoopMemory<most_bytes> &memory_;
  Team team_;
  unsigned turn_ = 0, merged_ = 0, due_ = 0, settled_ = 0;
};

/// The same calls on the host: each starts a kernel.
template <class V> class LoopHost {
public:
  explicit LoopHost(const Graph<V> &graph) : graph_(graph) {}
  const gc::Graph<V> &graph() const { return graph_.host(); }
  template <class F> auto for_vertices(const F &f) const { return cuda::for_vertices(graph_, f); }
  template <class F> auto for_out_edges(const F &f) const { return cuda::for_out_edges(graph_, f); }
  template <class F> auto for_arcs(const F &f) const { return cuda::for_arcs(graph_, f); }
  template <class F> auto for_pairs(const F &f) const { return cuda::for_pairs(graph_, f); }
  template <class F> void once(const F &f) const { cuda::once(f); }
  template <class F> typename F::Parts once(const F &f, const typename F::Parts &parts) const {
    return cuda::once(f, parts);
  }
  template <class Segments> bool segments_pay(Segments *segments, unsigned value_bytes) const {
    return segments->pay(value_bytes);
  }
  template <class Segments, class F>
  void segments_gather(Segments *segments, const F &f, typename F::Value *results) const {
    segments->gather(f, results);
  }
  template <class T> void copy_per_vertex(T *to, const T *from) const { copy(to, from, graph_.num_vertices()); }
  template <class T> void copy_per_arc(T *to, const T *from) const { copy(to, from, graph_.num_arcs()); }

private:
  template <class T> static void copy(T *to, const T *from, std::size_t size) {
    check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, 0), "copy on the device");
  }
  const Graph<V> &graph_;
};

namespace detail {

/// At most 64 registers: what several kernels need together fits, and the graphs are small.
template <unsigned count, class V, class Loop>
__global__ void __launch_bounds__(block_threads, 4)
    loop_kernel(LoopView<V> view, Loop loop, typename Loop::Scalars scalars, typename Loop::Scalars *result) {
  GCOMPILE_CUDA_SHARED(LoopMemory<Loop::Kernels::most_bytes>, memory);
  LoopDevice<V, count, Loop::Kernels::most_bytes> device(view, memory);
  loop(device, scalars);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *result = scalars;
}

/// The host's memory for what loops leave.
inline HostRoom &loop_results() {
  static HostRoom *memory = new HostRoom; // as long as the process
  return *memory;
}

template <class V, class Loop>
typename Loop::Scalars run_on_device(const Graph<V> &graph, const Loop &loop, const typename Loop::Scalars &scalars) {
  using Scalars = typename Loop::Scalars;
  constexpr std::size_t bytes = Loop::Kernels::most_bytes;
  LoopView<V> view = {};
  view.graph = graph.view();
  view.arcs = graph.num_arcs();
  if (Loop::Kernels::by_lanes)
    view.hubs = hubs_of(graph);
  view.hub_shares = blocks_for_hubs(view.hubs);
  view.most_shares = multiprocessors() * 32;
  Buffer<unsigned> counters(5);
  counters.clear_bytes();
  view.arrived = counters.data();
  view.next_share = counters.data() + 3;
  const std::uint64_t n = graph.num_vertices();
  const std::uint64_t threads =
      OverPairs<Loop>::value ? n * n : n * (graph.is_dense() ? 8 : 2) + view.hub_shares * block_threads;
  const auto launch = [&](auto kernel, unsigned resident) {
    const unsigned blocks = std::min(resident, blocks_for(threads));
    Buffer<unsigned char> parts((std::max(view.hub_shares + view.most_shares, blocks) + 2) * bytes);
    view.merged = parts.data();
    view.parts = parts.data() + 2 * bytes;
    loop_results().reserve(sizeof(Scalars));
    auto *const result = static_cast<Scalars *>(loop_results().data());
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, blocks, block_threads, view, loop, scalars, result);
    check(cudaGetLastError(), "cannot start a kernel");
    synchronize();
    return *result;
  };
  const auto of_dense = loop_kernel<8, V, Loop>, of_sparse = loop_kernel<2, V, Loop>;
  static const unsigned dense = resident_blocks(of_dense, block_threads);
  static const unsigned sparse = resident_blocks(of_sparse, block_threads);
  return graph.is_dense() ? launch(of_dense, dense) : launch(of_sparse, sparse);
}

} // namespace detail

/// Runs a loop of kernels; gives the scalars as it leaves them. The host runs it where kernels count so much for each
/// thread that a block's shared memory does not hold it beside the rest.
template <class V, class Loop>
typename Loop::Scalars run_loop(const Graph<V> &graph, const Loop &loop, typename Loop::Scalars scalars,
                                LoopOn where = LoopOn::either) {
  const std::uint64_t n = graph.num_vertices(), work = detail::OverPairs<Loop>::value ? n * n : n + graph.num_arcs();
  if constexpr (detail::FitsShared<Loop>::value)
    if (where == LoopOn::device || (where == LoopOn::either && work <= detail::most_loop_work))
      return detail::run_on_device(graph, loop, scalars);
  LoopHost<V> host(graph);
  loop(host, scalars);
  return scalars;
}

} // namespace cuda
} // namespace gc

#endif
