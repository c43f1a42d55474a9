// Loops over all vertices that read aligned lists: a lane for each vertex of a group, and lanes together for all
// others.
#ifndef GCOMPILE_CUDA_ALIGNED_GATHER_H
#define GCOMPILE_CUDA_ALIGNED_GATHER_H

#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/kernels/kernels.h>

namespace gc {
namespace cuda {
namespace detail {

template <class V, class F>
__global__ void __launch_bounds__(block_threads) groups_kernel(Aligned<V, F> f, typename PartsOf<F>::type *results) {
  typename PartsOf<F>::type parts = {};
  visit_groups(f, (blockIdx.x * std::uint64_t(block_threads) + threadIdx.x) / 32,
               std::uint64_t(gridDim.x) * (block_threads / 32), parts);
  merge_block(parts, results + blockIdx.x);
}

template <class V, class F> struct AlignedLoop<V, Aligned<V, F>> {
  using Parts = typename PartsOf<F>::type;

  static Parts run(const Graph<V> &graph, const Aligned<V, F> &f) {
    const F &plain = f;
    const AlignedView<V> &lists = f.lists;
    if (lists.groups == 0)
      return run_vertices<V>(graph, plain, Members<V>{nullptr, graph.num_vertices()});
    const Members<V> others = {lists.others, lists.count_others};
    const Members<V> hubs = hubs_of(graph, Members<V>{nullptr, graph.num_vertices()}); // no group has any of them
    const unsigned hub_blocks = blocks_for_hubs(hubs), group_blocks = blocks_for(std::uint64_t(lists.groups) * 32, 32);
    const unsigned blocks = hub_blocks + blocks_for(others.count * (graph.is_dense() ? 8 : 2), 32);
    BlockParts<Parts> parts(group_blocks + blocks);
    Parts *const behind = parts.data() ? parts.data() + group_blocks : nullptr;
    GCOMPILE_CUDA_LAUNCH((groups_kernel<V, F>), group_blocks, block_threads, f, parts.data());
    if (graph.is_dense())
      GCOMPILE_CUDA_LAUNCH((lanes_kernel<8, V, F>), blocks, block_threads, plain, graph.view(), others, hubs,
                           hub_blocks, behind);
    else
      GCOMPILE_CUDA_LAUNCH((lanes_kernel<2, V, F>), blocks, block_threads, plain, graph.view(), others, hubs,
                           hub_blocks, behind);
    return parts.merged();
  }
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
