// What the threads of a kernel accumulate: one object a thread, merged in a fixed order.
#ifndef GCOMPILE_CUDA_KERNELS_PARTS_H
#define GCOMPILE_CUDA_KERNELS_PARTS_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/share_out.h>

#include <cstddef>
#include <cstdint>

namespace gc {
namespace cuda {

namespace detail {

template <class Parts> struct PartsArray { alignas(16) unsigned char bytes[block_threads * sizeof(Parts)]; };

/// Merges the threads' parts, in their order, into `to`, by way of a block's shared memory. Every thread of the block
/// calls.
template <class Parts> __device__ void merge_block(const Parts &mine, Parts *to, unsigned char *shared) {
  if constexpr (!std::is_same<Parts, NoParts>::value) {
    Parts *all = reinterpret_cast<Parts *>(shared);
    memcpy(static_cast<void *>(&all[threadIdx.x]), static_cast<const void *>(&mine), sizeof mine);
    __syncthreads();
    for (unsigned step = 1; step < block_threads; step *= 2) {
      if (threadIdx.x % (2 * step) == 0 && threadIdx.x + step < block_threads)
        all[threadIdx.x].merge(all[threadIdx.x + step]);
      __syncthreads();
    }
    if (threadIdx.x == 0)
      *to = all[0];
  }
}
template <class Parts> __device__ void merge_block(const Parts &mine, Parts *to) {
  if constexpr (!std::is_same<Parts, NoParts>::value) {
    GCOMPILE_CUDA_SHARED(PartsArray<Parts>, storage);
    merge_block(mine, to, storage.bytes);
  }
}

/// The blocks' parts, which kernels write into the host's memory, and their merging there.
template <class Parts> class BlockParts {
public:
  explicit BlockParts(unsigned blocks) : blocks_(blocks) {
    if constexpr (!std::is_same<Parts, NoParts>::value)
      room().reserve(blocks * sizeof(Parts));
  }
  Parts *data() const {
    if constexpr (std::is_same<Parts, NoParts>::value)
      return nullptr;
    else
      return reinterpret_cast<Parts *>(room().data());
  }
  Parts merged() const {
    check(cudaGetLastError(), "cannot start a kernel");
    if constexpr (std::is_same<Parts, NoParts>::value) {
      return Parts();
    } else {
      synchronize();
      const Parts *parts = data();
      Parts result = parts[0];
      for (unsigned i = 1; i < blocks_; ++i)
        result.merge(parts[i]);
      return result;
    }
  }

private:
  static HostRoom &room() {
    static auto *memory = new PerGpu<HostRoom>; // as long as the process
    return memory->mine();
  }
  unsigned blocks_;
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
