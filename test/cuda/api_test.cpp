// The host's side of the emulated CUDA runtime: what is right on a GPU works, what is wrong there is an error here.
#include "cuda_runtime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

TEST(Memory, HoldsGarbageUntilItIsWritten) {
  unsigned *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  unsigned value = 0;
  EXPECT_EQ(cudaMemcpy(&value, memory + 3, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 0xA5A5A5A5u);
  EXPECT_EQ(cudaMemset(memory, 0, 16), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, memory + 3, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Memory, CopiesAreChecked) {
  int *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 4 * sizeof(int)), cudaSuccess);
  int host[8] = {};
  EXPECT_EQ(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(memory + 1, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(memory, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, host + 4, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void read_at(const int *from, int *to, int i) { *to = from[i]; }

/// Reads one element of an array of 100 on the device.
void read_element(int i, bool freed) {
  int *memory = nullptr, *result = nullptr;
  cudaMalloc(&memory, 100 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  if (freed)
    cudaFree(memory);
  GCOMPILE_CUDA_LAUNCH(read_at, 1, 1, memory, result, i);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(result);
}

TEST(MemoryDeathTest, IllegalAddressesInKernels) {
  read_element(99, false);
  EXPECT_DEATH(read_element(100, false), "illegal address: 0 bytes past the end of an allocation of 400 bytes");
  EXPECT_DEATH(read_element(1000, false), "illegal address: 3600 bytes past the end of an allocation of 400 bytes");
  EXPECT_DEATH(read_element(-1000, false), "illegal address: 4000 bytes before an allocation of 400 bytes");
  EXPECT_DEATH(read_element(0, true), "illegal address .*: freed, or never allocated");
}

__global__ void write_at(int *to, int i) { to[i] = 1; }
__global__ void write_garbage_at(int *to, int i) { to[i] = static_cast<int>(0xA5A5A5A5); }

TEST(MemoryDeathTest, AWriteCloselyPastTheEndShowsWhenTheMemoryIsFreed) {
  int *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 9 * sizeof(int)), cudaSuccess);
  GCOMPILE_CUDA_LAUNCH(write_at, 1, 1, memory, 9);
  EXPECT_DEATH(cudaFree(memory), "illegal address: a write 0 bytes past the end of an allocation of 36 bytes");
  GCOMPILE_CUDA_LAUNCH(write_garbage_at, 1, 1, memory, 9);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Memory, CanRunOut) {
  setenv("GCOMPILE_EMULATION_MEMORY", "1000", 1);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 600), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  std::size_t free = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 400u);
  EXPECT_EQ(total, 1000u);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 600), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  unsetenv("GCOMPILE_EMULATION_MEMORY");
}

TEST(Memory, OfTheHostThatTheDeviceReads) {
  void *pinned = nullptr, *seen = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, 100, cudaHostAllocMapped), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&seen, pinned, 0), cudaSuccess);
  EXPECT_EQ(seen, pinned);
  EXPECT_EQ(cudaHostRegister(pinned, 100, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
  std::vector<int> own(100);
  unsigned refused = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(cudaHostGetDevicePointer(&seen, own.data(), 0), cudaErrorInvalidValue);
    const cudaError_t status = cudaHostRegister(own.data(), 400, cudaHostRegisterMapped);
    if (status != cudaSuccess) {
      EXPECT_EQ(status, cudaErrorNotSupported);
      EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
      ++refused;
      continue;
    }
    EXPECT_EQ(cudaHostGetDevicePointer(&seen, own.data() + 50, 0), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(own.data() + 50, 4, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, 20u);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
}

TEST(Memory, OfTheHostMayBeEmpty) {
  void *pinned[2] = {};
  for (void *&memory : pinned)
    EXPECT_EQ(cudaMallocHost(&memory, 0), cudaSuccess);
  EXPECT_NE(pinned[0], pinned[1]);
  for (void *memory : pinned)
    EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
}

TEST(Memory, RowsOfTwoPitches) {
  char *memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 12), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory, '.', 12), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(memory, 4, "abcdef", 2, 2, 3, cudaMemcpyHostToDevice), cudaSuccess);
  char host[12];
  EXPECT_EQ(cudaMemcpy(host, memory, 12, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::string(host, 12), "ab..cd..ef..");
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

__constant__ int table[4];
__device__ int total;

__global__ void sum_table() { atomicAdd(&total, table[threadIdx.x]); }

TEST(Memory, Symbols) {
  const int values[4] = {1, 10, 100, 1000};
  const int zero = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(total, &zero, sizeof zero), cudaSuccess);
  GCOMPILE_CUDA_LAUNCH(sum_table, 1, 4);
  int result = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&result, total, sizeof result), cudaSuccess);
  EXPECT_EQ(result, 1111);
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void increment(int *value) { *value += 1; }

TEST(Streams, ResultsMayComeOnlyWhenTheHostWaits) {
  int *device = nullptr;
  int *host = nullptr;
  ASSERT_EQ(cudaMalloc(&device, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&host, sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemset(device, 0, sizeof(int)), cudaSuccess);
  int early = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulation::seed(seed);
    *host = -1;
    GCOMPILE_CUDA_LAUNCH(increment, 1, 1, device);
    EXPECT_EQ(cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
    early += *host != -1;
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(*host, static_cast<int>(seed) + 1);
  }
  EXPECT_GT(early, 0);
  EXPECT_LT(early, 20);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Streams, EventsMeasureTime) {
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&start), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&end), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end, stream), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

__global__ void write_kernel(int *to) { *to = 7; }

/// Runs on device 0 with the memory of device 1: not every launch is watched.
void touch_another_device() {
  int *memory = nullptr;
  cudaSetDevice(1);
  cudaMalloc(&memory, sizeof(int));
  cudaSetDevice(0);
  for (int i = 0; i < 200; ++i)
    GCOMPILE_CUDA_LAUNCH(write_kernel, 1, 1, memory);
  cudaDeviceSynchronize();
}

/// The memory of device 1 has been hidden and is there again; then a kernel of it reads one element of 100, or what has
/// been freed.
void read_what_was_hidden(int i, bool freed) {
  int *memory = nullptr, *result = nullptr, *other = nullptr;
  cudaSetDevice(1);
  cudaMalloc(&memory, 100 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  if (freed)
    cudaFree(memory);
  cudaSetDevice(0);
  cudaMalloc(&other, sizeof(int));
  for (int launch = 0; launch < 200; ++launch)
    GCOMPILE_CUDA_LAUNCH(write_kernel, 1, 1, other);
  cudaDeviceSynchronize();
  cudaFree(other);
  cudaSetDevice(1);
  GCOMPILE_CUDA_LAUNCH(read_at, 1, 1, memory, result, i);
  cudaDeviceSynchronize();
  cudaFree(memory);
  cudaFree(result);
  cudaSetDevice(0);
}

TEST(DeviceDeathTest, WhatIsShownAgainHasTheSameEnds) {
  setenv("GCOMPILE_EMULATION_DEVICES", "2", 1);
  read_what_was_hidden(99, false);
  EXPECT_DEATH(read_what_was_hidden(100, false), "illegal address: 0 bytes past the end of an allocation of 400 bytes");
  EXPECT_DEATH(read_what_was_hidden(-1000, false), "illegal address: 4000 bytes before an allocation of 400 bytes");
  EXPECT_DEATH(read_what_was_hidden(0, true), "illegal address .*: freed, or never allocated");
  unsetenv("GCOMPILE_EMULATION_DEVICES");
}

TEST(Device, SeveralHaveMemoriesOfTheirOwn) {
  setenv("GCOMPILE_EMULATION_DEVICES", "2", 1);
  int *memories[2] = {}, value = 5;
  for (int device : {0, 1}) {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memories[device], sizeof(int)), cudaSuccess);
  }
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  GCOMPILE_CUDA_LAUNCH(write_kernel, 1, 1, memories[1]);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeerAsync(memories[0], 1, memories[1], 0, sizeof(int)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeerAsync(memories[0], 0, memories[1], 1, sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&value, memories[0], sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 7);
  EXPECT_DEATH(touch_another_device(), "a kernel of device 0 touches the memory of device 1");
  EXPECT_EQ(cudaFree(memories[0]), cudaSuccess);
  EXPECT_EQ(cudaFree(memories[1]), cudaSuccess);
  unsetenv("GCOMPILE_EMULATION_DEVICES");
}

TEST(Device, SaysWhatItIs) {
  int count = 0, processors = 0, blocks = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(processors, properties.multiProcessorCount);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks * processors, 2);
}

TEST(Intrinsics, Bits) {
  EXPECT_EQ(__popc(0xf0f0u), 8);
  EXPECT_EQ(__popcll(~0ull), 64);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__brev(1u), 0x80000000u);
  EXPECT_EQ(__brevll(1ull), 1ull << 63);
  EXPECT_EQ(__funnelshift_r(0x89abcdefu, 0x01234567u, 8), 0x6789abcdu);
  EXPECT_EQ(__funnelshift_r(0x89abcdefu, 0x01234567u, 32), 0x89abcdefu);
  EXPECT_EQ(__int_as_float(__float_as_int(2.5f)), 2.5f);
}

} // namespace
