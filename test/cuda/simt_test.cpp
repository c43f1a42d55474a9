// SIMT execution under the emulation: what a kernel with correct synchronisation computes, and that defects show.
#include "cuda_pipeline.h"
#include "cuda_runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

namespace {

constexpr unsigned all_lanes = 0xffffffff;

/// Memory of the device for `count` elements, filled with `value`.
template <typename T> class Buffer {
public:
  explicit Buffer(std::size_t count, T value = T()) : count_(count) {
    EXPECT_EQ(cudaMalloc(&data_, count * sizeof(T)), cudaSuccess);
    const std::vector<T> initial(count, value);
    EXPECT_EQ(cudaMemcpy(data_, initial.data(), count * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  T *get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> result(count_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }

private:
  std::size_t count_;
  T *data_ = nullptr;
};

__device__ unsigned global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void write_index(unsigned *out, unsigned n) {
  for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x)
    out[i] = i;
}

TEST(Launch, EveryThreadRunsOnce) {
  const unsigned n = 100'000;
  Buffer<unsigned> out(n);
  GCOMPILE_CUDA_LAUNCH(write_index, (n + 255) / 256, 256, out.get(), n);
  std::vector<unsigned> expected(n);
  std::iota(expected.begin(), expected.end(), 0u);
  EXPECT_EQ(out.read(), expected);
}

__global__ void write_place(unsigned *out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  __syncthreads();
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1;
}

TEST(Launch, ThreeDimensions) {
  Buffer<unsigned> out(2 * 3 * 4 * 5 * 6 * 7);
  GCOMPILE_CUDA_LAUNCH(write_place, dim3(2, 3, 4), dim3(5, 6, 7), out.get());
  EXPECT_EQ(out.read(), std::vector<unsigned>(2 * 3 * 4 * 5 * 6 * 7, 1));
}

template <typename T, int factor> __global__ void scale(T *values) { values[global_thread()] *= factor; }

TEST(Launch, TemplateIdInParentheses) {
  Buffer<double> values(64, 1.5);
  GCOMPILE_CUDA_LAUNCH((scale<double, 4>), 2, 32, values.get());
  EXPECT_EQ(values.read(), std::vector<double>(64, 6.0));
  EXPECT_EQ(emulation::launches(scale<double, 4>), 1u);
  EXPECT_EQ(emulation::launches(scale<double, 5>), 0u);
}

__global__ void nothing() {}

TEST(Launch, ImpossibleConfigurationsAreErrors) {
  GCOMPILE_CUDA_LAUNCH(nothing, 1, 1025);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  GCOMPILE_CUDA_LAUNCH(nothing, 0, 32);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(GCOMPILE_CUDA_LAUNCH_COOPERATIVE(nothing, 3, 32), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
}

/// The sum of the block's values, by halving; without the barrier in the loop if `broken`.
template <bool broken> __global__ void block_sums(const int *in, int *out) {
  using Row = int[256];
  GCOMPILE_CUDA_SHARED(Row, partial);
  partial[threadIdx.x] = in[global_thread()];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    if (!broken)
      __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = partial[0];
}

TEST(Barrier, OrdersSharedMemory) {
  const Buffer<int> in(1024, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulation::seed(seed);
    Buffer<int> out(4);
    GCOMPILE_CUDA_LAUNCH((block_sums<false>), 4, 256, in.get(), out.get());
    EXPECT_EQ(out.read(), std::vector<int>(4, 768));
  }
}

TEST(Barrier, ItsAbsenceShowsUnderDifferentSeeds) {
  const Buffer<int> in(256, 3);
  std::set<int> results;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulation::seed(seed);
    Buffer<int> out(1);
    GCOMPILE_CUDA_LAUNCH((block_sums<true>), 1, 256, in.get(), out.get());
    results.insert(out.read()[0]);
  }
  EXPECT_GT(results.size(), 5u);
}

__global__ void count_in_block(int *out) {
  const int odd = __syncthreads_count(threadIdx.x % 2);
  const int some = __syncthreads_or(threadIdx.x == 17 ? 8 : 0);
  const int none = __syncthreads_or(0);
  const int every = __syncthreads_and(threadIdx.x + 1);
  const int not_every = __syncthreads_and(threadIdx.x != 17);
  out[threadIdx.x] = odd == static_cast<int>(blockDim.x / 2) && some && !none && every && !not_every;
}

TEST(Barrier, CombinesPredicates) {
  Buffer<int> out(100);
  GCOMPILE_CUDA_LAUNCH(count_in_block, 1, 100, out.get());
  EXPECT_EQ(out.read(), std::vector<int>(100, 1));
}

__global__ void leave_early(int *out) {
  if (threadIdx.x >= 40)
    return;
  __syncthreads();
  const unsigned lanes = __ballot_sync(all_lanes, 1);
  out[threadIdx.x] = __popc(lanes);
}

TEST(Barrier, ThreadsThatHaveLeftCountAsArrived) {
  Buffer<int> out(40);
  GCOMPILE_CUDA_LAUNCH(leave_early, 1, 96, out.get());
  std::vector<int> expected(40, 8);
  std::fill_n(expected.begin(), 32, 32);
  EXPECT_EQ(out.read(), expected);
}

/// All four shuffles in segments of 8: the lane that each gave, in four bytes.
template <typename T> __global__ void shuffle_lanes(T *out) {
  const T self = static_cast<T>(threadIdx.x);
  const T index = __shfl_sync(all_lanes, self, 3, 8);
  const T up = __shfl_up_sync(all_lanes, self, 2, 8);
  const T down = __shfl_down_sync(all_lanes, self, 2, 8);
  const T other = __shfl_xor_sync(all_lanes, self, 5, 8);
  T *place = out + 4 * threadIdx.x;
  place[0] = index;
  place[1] = up;
  place[2] = down;
  place[3] = other;
}

template <typename T> void test_shuffles() {
  Buffer<T> out(128);
  GCOMPILE_CUDA_LAUNCH((shuffle_lanes<T>), 1, 32, out.get());
  const std::vector<T> result = out.read();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned base = lane / 8 * 8;
    EXPECT_EQ(result[4 * lane], static_cast<T>(base + 3));
    EXPECT_EQ(result[4 * lane + 1], static_cast<T>(lane - base >= 2 ? lane - 2 : lane));
    EXPECT_EQ(result[4 * lane + 2], static_cast<T>(lane - base < 6 ? lane + 2 : lane));
    EXPECT_EQ(result[4 * lane + 3], static_cast<T>(lane ^ 5));
  }
}

TEST(Shuffle, AllKindsAndTypes) {
  test_shuffles<int>();
  test_shuffles<unsigned>();
  test_shuffles<float>();
  test_shuffles<double>();
  test_shuffles<std::int64_t>();
  test_shuffles<std::uint64_t>();
  test_shuffles<unsigned char>();
}

/// Inclusive prefix sums in each warp.
__global__ void warp_scan(std::uint64_t *values) {
  std::uint64_t sum = values[global_thread()];
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const std::uint64_t left = __shfl_up_sync(all_lanes, sum, delta);
    if (threadIdx.x % 32 >= delta)
      sum += left;
  }
  values[global_thread()] = sum;
}

TEST(Shuffle, PrefixSums) {
  Buffer<std::uint64_t> values(256, std::uint64_t(1) << 40);
  GCOMPILE_CUDA_LAUNCH(warp_scan, 2, 128, values.get());
  const std::vector<std::uint64_t> result = values.read();
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], (i % 32 + 1) << 40);
}

/// Each half of each warp, and each lane in a loop of its own length, takes part under its own mask.
__global__ void partial_masks(unsigned *out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned *place = out + 4 * threadIdx.x;
  if (lane < 16) {
    place[0] = __ballot_sync(0x0000ffff, lane % 2 == 0);
  } else {
    __syncwarp(0xffff0000);
    place[0] = __ballot_sync(0xffff0000, lane % 2 != 0);
  }
  __syncwarp();
  place[1] = __match_any_sync(all_lanes, lane / 5);
  place[2] = (__any_sync(all_lanes, lane == 31) != 0) + 2u * (__all_sync(all_lanes, lane == 31) != 0);
  // As long as lanes have work, those that have it agree on a mask.
  unsigned rounds = 0;
  for (unsigned mask = __ballot_sync(all_lanes, rounds < lane); rounds < lane; ++rounds)
    mask = __ballot_sync(mask, rounds + 1 < lane);
  place[3] = rounds;
}

TEST(Ballot, PartialMasks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulation::seed(seed);
    Buffer<unsigned> out(4 * 64);
    GCOMPILE_CUDA_LAUNCH(partial_masks, 1, 64, out.get());
    const std::vector<unsigned> result = out.read();
    for (unsigned thread = 0; thread < 64; ++thread) {
      const unsigned lane = thread % 32;
      EXPECT_EQ(result[4 * thread], lane < 16 ? 0x00005555u : 0xaaaa0000u);
      unsigned fives = 0;
      for (unsigned other = 0; other < 32; ++other)
        fives |= (other / 5 == lane / 5) << other;
      EXPECT_EQ(result[4 * thread + 1], fives);
      EXPECT_EQ(result[4 * thread + 2], 1u);
      EXPECT_EQ(result[4 * thread + 3], lane);
    }
  }
}

/// One atomic for all lanes that meet, whichever these are.
__global__ void count_together(unsigned *counter, unsigned *out) {
  if (global_thread() % 3 == 0)
    return;
  const unsigned mask = __activemask();
  const unsigned lane = threadIdx.x % 32;
  unsigned base = 0;
  const int leader = __ffs(static_cast<int>(mask)) - 1;
  if (static_cast<int>(lane) == leader)
    base = atomicAdd(counter, static_cast<unsigned>(__popc(mask)));
  base = __shfl_sync(mask, base, leader);
  out[base + static_cast<unsigned>(__popc(mask & ((1u << lane) - 1)))] = global_thread();
}

TEST(ActiveMask, AnyGroupIsRight) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulation::seed(seed);
    Buffer<unsigned> counter(1);
    Buffer<unsigned> out(256, 999);
    GCOMPILE_CUDA_LAUNCH(count_together, 2, 128, counter.get(), out.get());
    std::vector<unsigned> result = out.read();
    ASSERT_EQ(counter.read()[0], 170u);
    result.resize(170);
    std::sort(result.begin(), result.end());
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < 256; ++i)
      if (i % 3 != 0)
        expected.push_back(i);
    EXPECT_EQ(result, expected);
  }
}

/// Adds in a way that loses updates if another thread comes between; `atomic` does not.
template <bool atomic> __global__ void add_one(unsigned *counter, unsigned *unrelated) {
  if (atomic) {
    atomicAdd(counter, 1u);
    return;
  }
  const unsigned old = *counter;
  atomicOr(unrelated, threadIdx.x);
  *counter = old + 1;
}

TEST(Atomics, LostUpdatesShow) {
  Buffer<unsigned> counters(3);
  GCOMPILE_CUDA_LAUNCH((add_one<true>), 4, 256, counters.get(), counters.get() + 1);
  GCOMPILE_CUDA_LAUNCH((add_one<false>), 4, 256, counters.get() + 2, counters.get() + 1);
  const std::vector<unsigned> result = counters.read();
  EXPECT_EQ(result[0], 1024u);
  EXPECT_LT(result[2], 1024u);
}

__global__ void spin_lock(unsigned *lock, unsigned *counter) {
  for (bool done = false; !done; __nanosleep(20)) {
    if (atomicCAS(lock, 0u, 1u) == 0) {
      *counter += 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

TEST(Atomics, SpinLock) {
  Buffer<unsigned> memory(2);
  GCOMPILE_CUDA_LAUNCH(spin_lock, 2, 128, memory.get(), memory.get() + 1);
  EXPECT_EQ(memory.read(), (std::vector<unsigned>{0, 256}));
}

/// A barrier of all blocks: the last to come opens the gate of this round.
__device__ void grid_barrier(unsigned *arrived, unsigned *round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned current = __ldcg(round);
    __threadfence();
    if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
      *arrived = 0;
      __threadfence();
      atomicAdd(round, 1u);
    } else {
      while (__ldcg(round) == current)
        __nanosleep(50);
    }
    __threadfence();
  }
  __syncthreads();
}

/// Each round, every thread takes its right neighbour's value.
__global__ void rotate(unsigned *from, unsigned *to, unsigned rounds, unsigned *barrier) {
  const unsigned n = gridDim.x * blockDim.x;
  for (unsigned r = 0; r < rounds; ++r) {
    to[global_thread()] = from[(global_thread() + 1) % n];
    grid_barrier(barrier, barrier + 1);
    unsigned *swap = from;
    from = to;
    to = swap;
  }
}

TEST(Cooperative, GridBarrierBySpinning) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    emulation::seed(seed);
    Buffer<unsigned> from(128), to(128), barrier(2);
    GCOMPILE_CUDA_LAUNCH(write_index, 1, 128, from.get(), 128u);
    EXPECT_EQ(GCOMPILE_CUDA_LAUNCH_COOPERATIVE(rotate, 2, 64, from.get(), to.get(), 10u, barrier.get()), cudaSuccess);
    const std::vector<unsigned> result = from.read();
    for (unsigned i = 0; i < 128; ++i)
      EXPECT_EQ(result[i], (i + 10) % 128);
  }
}

TEST(DeadlockDeathTest, GridBarrierOfAPlainLaunch) {
  Buffer<unsigned> memory(128), barrier(2);
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(rotate, 2, 64, memory.get(), memory.get(), 1u, barrier.get());
        cudaDeviceSynchronize();
      },
      "deadlock: threads spin");
}

struct Mailbox {
  unsigned values[64];
};

/// Passes numbers around a cluster through its blocks' shared memory.
__global__ void pass_around(unsigned *out, unsigned rounds, bool synchronised) {
  GCOMPILE_CUDA_SHARED(Mailbox, mailbox);
  mailbox.values[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  const unsigned from = (blockIdx.x + 1) % gridDim.x;
  emulation::cluster_barrier();
  for (unsigned round = 0; round < rounds; ++round) {
    if (synchronised)
      emulation::cluster_barrier();
    const unsigned value =
        *static_cast<unsigned *>(emulation::cluster_map(&mailbox.values[(threadIdx.x + 1) % 64], from));
    emulation::cluster_barrier();
    mailbox.values[threadIdx.x] = value;
  }
  out[blockIdx.x * 64 + threadIdx.x] = mailbox.values[threadIdx.x];
}

std::vector<unsigned> passed_around(unsigned rounds, bool synchronised, std::uint64_t seed) {
  emulation::seed(seed);
  Buffer<unsigned> out(128);
  GCOMPILE_CUDA_LAUNCH_CLUSTER(pass_around, 2, 64, out.get(), rounds, synchronised);
  return out.read();
}

TEST(Cluster, BlocksReadEachOthersSharedMemory) {
  std::vector<unsigned> expected(128);
  for (unsigned i = 0; i < 128; ++i)
    expected[i] = (i / 64 + 3) % 2 * 64 + (i + 3) % 64;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_EQ(passed_around(3, true, seed), expected);
}

TEST(Cluster, AMissingBarrierShows) {
  std::set<std::vector<unsigned>> outcomes;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    outcomes.insert(passed_around(3, false, seed));
  EXPECT_GT(outcomes.size(), 1u);
}

__global__ void use_after_end(unsigned *out) {
  GCOMPILE_CUDA_SHARED(Mailbox, mailbox);
  mailbox.values[threadIdx.x] = threadIdx.x;
  emulation::cluster_barrier();
  if (blockIdx.x == 0)
    for (unsigned turn = 0; turn < 1000; ++turn)
      __nanosleep(20);
  else
    return;
  *out = *static_cast<unsigned *>(emulation::cluster_map(&mailbox.values[0], 1));
}

TEST(ClusterDeathTest, SharedMemoryOfABlockThatHasEnded) {
  Buffer<unsigned> out(1);
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH_CLUSTER(use_after_end, 2, 64, out.get());
        cudaDeviceSynchronize();
      },
      "shared memory of block 1 is used, which has ended");
}

__global__ void use_before_begin(unsigned *out) {
  GCOMPILE_CUDA_SHARED(Mailbox, mailbox);
  *out = *static_cast<unsigned *>(emulation::cluster_map(&mailbox.values[threadIdx.x], 1 - blockIdx.x));
}

TEST(ClusterDeathTest, SharedMemoryOfABlockThatHasNotBegun) {
  Buffer<unsigned> out(1);
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH_CLUSTER(use_before_begin, 2, 1, out.get());
        cudaDeviceSynchronize();
      },
      "shared memory of block . is used, which has not begun");
}

__global__ void cluster_barrier_of_any_launch() { emulation::cluster_barrier(); }

TEST(ClusterDeathTest, ABarrierWithoutACluster) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(cluster_barrier_of_any_launch, 2, 64);
        cudaDeviceSynchronize();
      },
      "a launch without one");
}

__global__ void wait_for_lane_zero() {
  if (threadIdx.x == 0)
    __syncthreads();
  else
    __syncwarp(all_lanes);
}

TEST(DeadlockDeathTest, ACollectiveThatALaneNeverReaches) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(wait_for_lane_zero, 1, 32);
        cudaDeviceSynchronize();
      },
      "deadlock: no thread can go on\n.*warp 0: lanes 0x1 wait in __syncthreads\n.*lanes 0xfffffffe wait in "
      "__syncwarp with mask 0xffffffff");
}

__global__ void foreign_mask() { __ballot_sync(1u, 1); }

TEST(DeadlockDeathTest, AMaskWithoutTheCaller) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(foreign_mask, 1, 2);
        cudaDeviceSynchronize();
      },
      "lane 1 calls __ballot_sync with the mask 0x1, which it is not in");
}

__global__ void different_barriers() {
  if (threadIdx.x == 0)
    __syncthreads();
  else
    __syncthreads_or(1);
}

TEST(DeadlockDeathTest, DifferentBarriers) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(different_barriers, 1, 64);
        cudaDeviceSynchronize();
      },
      "meet in different barriers");
}

__global__ void trap_in_one_thread() {
  if (global_thread() == 40)
    __trap();
  __syncthreads();
}

TEST(TrapDeathTest, EndsTheLaunchAndAllLaterOnes) {
  EXPECT_EXIT(
      {
        GCOMPILE_CUDA_LAUNCH(trap_in_one_thread, 4, 32);
        GCOMPILE_CUDA_LAUNCH(trap_in_one_thread, 1, 32);
        int *memory = nullptr;
        const bool failed = cudaDeviceSynchronize() == cudaErrorLaunchFailure &&
                            cudaGetLastError() == cudaErrorLaunchFailure &&
                            cudaMalloc(&memory, 4) == cudaErrorLaunchFailure;
        std::_Exit(failed ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
}

template <int rows> struct Table { int cells[rows]; };

/// One declaration in each instance, which other instances do not share.
template <int rows> __device__ int *table() {
  using Cells = Table<rows>;
  GCOMPILE_CUDA_SHARED(Cells, cells);
  return cells.cells;
}

__global__ void use_tables(int *out) {
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = table<4>()[3];
    table<4>()[3] = 4;
    table<8>()[3] = 8;
  }
  __syncthreads();
  if (threadIdx.x == 1)
    out[2 * blockIdx.x + 1] = table<4>()[3] + 10 * table<8>()[3];
}

TEST(Shared, OnePerInstanceAndBlockFilledWithGarbage) {
  Buffer<int> out(6);
  GCOMPILE_CUDA_LAUNCH(use_tables, 3, 32, out.get());
  const int garbage = static_cast<int>(0xA5A5A5A5);
  EXPECT_EQ(out.read(), (std::vector<int>{garbage, 84, garbage, 84, garbage, 84}));
}

/// Each thread copies two groups; what it sees before it waits, after it waits for the first, and for both.
__global__ void copy_in_groups(const int *from, int *out) {
  using Cells = Table<8>;
  GCOMPILE_CUDA_SHARED(Cells, cells);
  const unsigned t = threadIdx.x;
  for (unsigned group = 0; group < 2; ++group) {
    __pipeline_memcpy_async(&cells.cells[2 * t + group], from + 2 * t + group, sizeof(int));
    __pipeline_commit();
  }
  out[t] = cells.cells[2 * t];
  __pipeline_wait_prior(1);
  out[4 + t] = cells.cells[2 * t];
  out[8 + t] = cells.cells[2 * t + 1];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[12 + t] = cells.cells[(2 * t + 3) % 8];
}

TEST(Shared, CopiesArriveWhenTheyAreAwaited) {
  Buffer<int> from(8), out(16);
  GCOMPILE_CUDA_LAUNCH(write_index, 1, 8, reinterpret_cast<unsigned *>(from.get()), 8);
  GCOMPILE_CUDA_LAUNCH(copy_in_groups, 1, 4, static_cast<const int *>(from.get()), out.get());
  const int garbage = static_cast<int>(0xA5A5A5A5);
  EXPECT_EQ(out.read(), (std::vector<int>{garbage, garbage, garbage, garbage, 0, 2, 4, 6, garbage, garbage, garbage,
                                          garbage, 3, 5, 7, 1}));
}

__global__ void copy_misaligned() {
  using Cells = Table<8>;
  GCOMPILE_CUDA_SHARED(Cells, cells);
  GCOMPILE_CUDA_SHARED(Table<4>, others);
  __pipeline_memcpy_async(&cells.cells[1], others.cells, 16);
}

TEST(SharedDeathTest, CopiesToTheWrongPlace) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(copy_misaligned, 1, 1);
        cudaDeviceSynchronize();
      },
      "an asynchronous copy of 16 bytes");
}

__global__ void too_much_shared() { table<20000>()[0] = 1; }

TEST(SharedDeathTest, MoreThanThereIs) {
  EXPECT_DEATH(
      {
        GCOMPILE_CUDA_LAUNCH(too_much_shared, 1, 1);
        cudaDeviceSynchronize();
      },
      "declares 80000 bytes of shared memory");
}

} // namespace
