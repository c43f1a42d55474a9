// Culling: a push that claims without atomic operations lists a vertex several times; here copies are kept out
// (Merrill et al. 2012).
//
// A push that says `static constexpr unsigned warp_cull = W, history_cull = H` may do so: whatever several winners of a
// claim write is equally right. W and H are powers of two, or 0 for none.
#ifndef GCOMPILE_CUDA_FRONTIER_CULLING_H
#define GCOMPILE_CUDA_FRONTIER_CULLING_H

#include <gcompile/cuda/device/lanes.h>

#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

template <class F, class = void> struct Culls {
  static constexpr bool value = false;
  static constexpr unsigned warp = 0, history = 0;
};
template <class F> struct Culls<F, std::void_t<decltype(F::warp_cull)>> {
  static constexpr bool value = true;
  static constexpr unsigned warp = F::warp_cull, history = F::history_cull;
};

/// Of a block: a table for each warp, and vertices that were added.
template <class V, class Push> struct CullMemory {
  static constexpr unsigned warp = Culls<Push>::warp, history = Culls<Push>::history;
  unsigned char lanes[32][warp > 0 ? warp : 1];
  V added[history > 0 ? history : 1];
};

template <class V, class Push> class Culling {
public:
  using Memory = CullMemory<V, Push>;

  __device__ explicit Culling(Memory &memory) : memory_(memory) {}

  /// Before the first round: every thread of the block calls, and they meet before the next call of anything else.
  __device__ static void clear([[maybe_unused]] Memory &memory) {
    if constexpr (Memory::history > 0)
      for (unsigned i = threadIdx.x; i < Memory::history; i += blockDim.x)
        memory.added[i] = gc::none<V>();
  }

  /// Whether this block may not have added v yet. It forgets: then another copy gets in. It never takes a vertex for
  /// one that it has added in an earlier round, which nobody can claim any more.
  __device__ bool admits([[maybe_unused]] V v) const {
    if constexpr (Memory::history > 0)
      return atomicExch(reinterpret_cast<gc::detail::device::Bits<V> *>(&memory_.added[v % Memory::history]),
                        static_cast<gc::detail::device::Bits<V>>(v)) != v;
    else
      return true;
  }

  /// Whether this lane's vertex, if it has one, stays: of the same vertex in several lanes one stays at least. The
  /// whole warp calls.
  __device__ bool stays(bool has, [[maybe_unused]] V v) const {
    if constexpr (Memory::warp > 0) {
      unsigned char &place = memory_.lanes[threadIdx.x / 32][v % Memory::warp];
      if (has)
        gc::store(place, static_cast<unsigned char>(lane_of_warp()));
      __syncwarp();
      const unsigned last = has ? gc::load(place) : lane_of_warp();
      const V other = __shfl_sync(full_warp, v, static_cast<int>(last));
      return has && (last == lane_of_warp() || other != v);
    } else {
      return has;
    }
  }

private:
  Memory &memory_;
};

/// Adds to `copies` the entries of a list whose vertex is in the bitmap `members`, and adds all vertices to that.
template <class V>
__global__ void count_copies_kernel(const V *items, std::uint64_t count, std::uint32_t *members,
                                    unsigned long long *copies) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * block_threads) {
    const std::uint32_t bit = 1u << (items[i] % 32);
    if (atomicOr(&members[items[i] / 32], bit) & bit)
      atomicAdd(copies, 1ull);
  }
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
