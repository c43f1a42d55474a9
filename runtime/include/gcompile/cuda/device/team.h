// Blocks of a cooperative kernel that meet: all of the grid, or the first few.
#ifndef GCOMPILE_CUDA_DEVICE_TEAM_H
#define GCOMPILE_CUDA_DEVICE_TEAM_H

#include <gcompile/cuda/device/lanes.h>

#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// While waiting for others: only an emulation of a GPU must let them run.
__device__ inline void pause() {
#ifdef GCOMPILE_CUDA_EMULATION
  __nanosleep(20);
#endif
}

/// Whether those that see a block come see what it has written before as well.
enum class Order { relaxed, release_acquire };

/// Counts a block in, by 1 or by another word of 4 or 8 bytes. A `red` gives no result, for which a warp would wait.
template <class T>
__device__ inline void arrive(T *counter, gc::detail::SameAs<T> by = 1, Order order = Order::release_acquire) {
#ifdef GCOMPILE_CUDA_EMULATION
  if (order == Order::release_acquire)
    __threadfence();
  atomicAdd(counter, by);
#else
  if constexpr (sizeof(T) == 4)
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(counter), "r"(by) : "memory");
  else if (order == Order::release_acquire)
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(counter), "l"(by) : "memory");
  else
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(counter), "l"(by) : "memory");
#endif
}
/// Counts a block in by 1, and gives how many had come before: what they have written is seen.
__device__ inline unsigned arrive_and_count(unsigned *counter) {
#ifdef GCOMPILE_CUDA_EMULATION
  __threadfence();
  return atomicAdd(counter, 1u);
#else
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
#endif
}
/// What has been counted so far.
template <class T>
__device__ inline T arrivals(const T *counter, [[maybe_unused]] Order order = Order::release_acquire) {
#ifndef GCOMPILE_CUDA_EMULATION
  if (order == Order::release_acquire) {
    T count;
    if constexpr (sizeof(T) == 8)
      asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(count) : "l"(counter) : "memory");
    else
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
    return count;
  }
#endif
  return gc::load(*counter);
}

/// Waits until so many have been counted; what those have written that came is seen.
__device__ inline void await(const unsigned *counter, unsigned due) {
  // Each acquire makes a multiprocessor forget what it has cached for blocks that still work.
  while (static_cast<int>(arrivals(counter, Order::relaxed) - due) < 0)
    pause();
  arrivals(counter);
}

/// The threads of the first blocks of a cooperative kernel, all of them or few.
template <class Due> class TeamOf {
public:
  /// `arrived` is 0 when the kernel starts, and belongs to this team. `due`: what another object for the same team had
  /// come to.
  __device__ TeamOf(unsigned blocks, unsigned *arrived, Due due) : blocks_(blocks), arrived_(arrived), due_(due) {}
  __device__ TeamOf(unsigned blocks, unsigned *arrived) : TeamOf(blocks, arrived, 0) {}
  __device__ unsigned blocks() const { return blocks_; }
  __device__ bool joins() const { return blockIdx.x < blocks_; }
  __device__ unsigned due() const { return due_; }
  __device__ unsigned rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ unsigned size() const { return blocks_ * blockDim.x; }
  __device__ void sync() {
    if (blocks_ > 1)
      return sync([] {});
    __syncthreads();
  }
  /// One thread of each block calls then() before the others go on.
  template <class Then> __device__ void sync(Then then) {
    __syncthreads();
    if (threadIdx.x == 0) {
      if (blocks_ > 1) {
        due_ += blocks_;
        cuda::arrive(arrived_);
        await(arrived_, due_);
      }
      then();
    }
    __syncthreads();
  }

private:
  unsigned blocks_;
  unsigned *arrived_;
  Due due_; // arrivals before the team may go on; known to the first thread of a block
};

/// What a team waits for is in a register of each thread, or in the block's shared memory: in kernels that have no
/// register left.
using Team = TeamOf<unsigned>;
using SharedTeam = TeamOf<unsigned &>;

} // namespace cuda
} // namespace gc

#endif
