// Blocks that run side by side, share a barrier in hardware and see each other's shared memory.
#ifndef GCOMPILE_CUDA_DEVICE_CLUSTER_H
#define GCOMPILE_CUDA_DEVICE_CLUSTER_H

#include <gcompile/cuda/device/device.h>

#ifndef GCOMPILE_CUDA_LAUNCH_CLUSTER
#define GCOMPILE_CUDA_LAUNCH_CLUSTER(kernel, blocks, threads, ...)                                                     \
  gc::cuda::detail::launch_cluster(kernel, blocks, threads, __VA_ARGS__)
#endif

namespace gc {
namespace cuda {
namespace detail {

/// How a kernel is started as one cluster.
class ClusterLaunch {
public:
  ClusterLaunch(unsigned blocks, unsigned threads) {
    cluster_.id = cudaLaunchAttributeClusterDimension;
    cluster_.val.clusterDim.x = blocks;
    cluster_.val.clusterDim.y = cluster_.val.clusterDim.z = 1;
    config_.gridDim = dim3(blocks);
    config_.blockDim = dim3(threads);
    config_.attrs = &cluster_;
    config_.numAttrs = blocks > 1 ? 1 : 0;
  }
  ClusterLaunch(const ClusterLaunch &) = delete;
  const cudaLaunchConfig_t *config() const { return &config_; }

private:
  cudaLaunchAttribute cluster_ = {};
  cudaLaunchConfig_t config_ = {};
};

/// The blocks of the largest cluster in which the device runs the kernel: 1 where it has no clusters.
template <class Kernel> unsigned cluster_blocks(Kernel kernel, unsigned threads) {
  // More than 8 are not promised on every device of a generation.
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess)
    cudaGetLastError();
  for (unsigned blocks = 16; blocks > 1; blocks /= 2) {
    int clusters = 0;
    if (cudaOccupancyMaxActiveClusters(&clusters, kernel, ClusterLaunch(blocks, threads).config()) != cudaSuccess)
      cudaGetLastError();
    else if (clusters > 0)
      return blocks;
  }
  return 1;
}

#if defined(__CUDACC__) && !defined(GCOMPILE_CUDA_EMULATION)
/// Starts one cluster.
template <class... Parameters, class... Given>
void launch_cluster(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, Given... given) {
  check(cudaLaunchKernelEx(ClusterLaunch(blocks, threads).config(), kernel, Parameters(given)...),
        "cannot start a kernel");
}
#endif

} // namespace detail

/// The threads of a kernel that is one cluster.
class Cluster {
public:
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ unsigned rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ unsigned size() const { return gridDim.x * blockDim.x; }
  /// What all threads have written before they arrive, they see once they have waited.
  __device__ void arrive() const {
#if !defined(GCOMPILE_CUDA_EMULATION) && __CUDA_ARCH__ >= 900
    __cluster_barrier_arrive();
#endif
  }
  __device__ void wait() const {
#if defined(GCOMPILE_CUDA_EMULATION)
    emulation::cluster_barrier();
#elif __CUDA_ARCH__ >= 900
    __cluster_barrier_wait();
#else
    __syncthreads();
#endif
  }
  __device__ void sync() const {
    arrive();
    wait();
  }
  /// What another block has at the place of this block's shared `mine`.
  template <class T> __device__ T &at(unsigned block, T &mine) const {
#if defined(GCOMPILE_CUDA_EMULATION)
    return *static_cast<T *>(emulation::cluster_map(&mine, block));
#elif __CUDA_ARCH__ >= 900
    return *static_cast<T *>(__cluster_map_shared_rank(&mine, block));
#else
    static_cast<void>(block);
    return mine;
#endif
  }
};

} // namespace cuda
} // namespace gc

#endif
