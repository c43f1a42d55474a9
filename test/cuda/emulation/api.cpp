#include "api.h"

#include "device.h"
#include "simt.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <new>
#include <string>

namespace emulation {

struct Stream {};

struct Event {
  bool recorded = false; // in the queue or done
  bool done = false;
  std::chrono::steady_clock::time_point time;
};

namespace {

constexpr int garbage = 0xA5;
constexpr std::align_val_t alignment{256};

/// Ranges of memory by their first byte.
using Ranges = std::map<const char *, std::size_t>;

struct Device {
  Ranges memory;
  Ranges symbols;
  Ranges pinned; // memory of the host that the device copies without a stop
  std::size_t used = 0;
  std::deque<std::function<void()>> queue;
  cudaError_t error = cudaSuccess;
  bool failed = false; // by a trap: for good

  static std::size_t total() {
    const char *limit = std::getenv("GCOMPILE_EMULATION_MEMORY");
    return limit ? std::strtoull(limit, nullptr, 10) : std::size_t(4) << 30;
  }
};

Device &device() {
  static auto *instance = new Device; // lives until the process ends
  return *instance;
}

enum class Place { outside, inside, across };

/// Whether [address, address + bytes) lies in one of the ranges, in none, or crosses an end of one.
Place locate(const Ranges &ranges, const void *address, std::size_t bytes) {
  const char *begin = static_cast<const char *>(address);
  auto range = ranges.upper_bound(begin);
  if (range != ranges.end() && begin + bytes > range->first)
    return Place::across;
  if (range == ranges.begin())
    return Place::outside;
  --range;
  const char *end = range->first + range->second;
  if (begin >= end)
    return Place::outside;
  return begin + bytes <= end ? Place::inside : Place::across;
}

Place locate_on_device(const void *address, std::size_t bytes) {
  const Place place = locate(device().memory, address, bytes);
  return place == Place::outside ? locate(device().symbols, address, bytes) : place;
}

/// Checks that both ends of a copy are where `kind` says.
cudaError_t check_copy(const void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  const Place target = locate_on_device(to, bytes);
  const Place source = locate_on_device(from, bytes);
  if (target == Place::across || source == Place::across)
    return cudaErrorInvalidValue;
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool right = (target == Place::inside) == to_device && (source == Place::inside) == from_device;
  return right ? cudaSuccess : cudaErrorInvalidValue;
}

void *allocate(std::size_t bytes) {
  void *address = ::operator new(std::max<std::size_t>(bytes, 1), alignment, std::nothrow);
  if (address)
    std::memset(address, garbage, bytes);
  return address;
}

} // namespace

cudaError_t set_last_error(cudaError_t error) {
  if (device().failed)
    error = cudaErrorLaunchFailure;
  if (error != cudaSuccess)
    device().error = error;
  return error;
}

void enqueue(std::function<void()> work) {
  device().queue.push_back(std::move(work));
  if (random_below(2) == 0)
    drain();
}

void drain() {
  auto &queue = device().queue;
  while (!queue.empty() && !device().failed) {
    const std::function<void()> work = std::move(queue.front());
    queue.pop_front();
    work();
  }
}

void add_symbol(const void *address, std::size_t bytes) {
  device().symbols[static_cast<const char *>(address)] = bytes;
}

cudaError_t submit(bool cooperative, dim3 grid, dim3 block, std::function<void()> body) {
  const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
  const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  if (threads == 0 || threads > max_block_threads || blocks == 0 || grid.x > 0x7fffffffu || grid.y > 0xffffu ||
      grid.z > 0xffffu)
    return set_last_error(cudaErrorInvalidConfiguration);
  if (cooperative && blocks > multiprocessors * blocks_per_multiprocessor)
    return set_last_error(cudaErrorCooperativeLaunchTooLarge);
  enqueue([=, body = std::move(body)] { device().failed = !run_grid(cooperative, grid, block, body); });
  return set_last_error(cudaSuccess);
}

} // namespace emulation

using emulation::device;
using emulation::drain;
using emulation::set_last_error;

cudaError_t cudaGetLastError() {
  set_last_error(cudaSuccess);
  return std::exchange(device().error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  set_last_error(cudaSuccess);
  return device().error;
}

#define GCOMPILE_ERRORS(ERROR)                                                                                         \
  ERROR(cudaSuccess, "no error")                                                                                       \
  ERROR(cudaErrorInvalidValue, "invalid argument")                                                                     \
  ERROR(cudaErrorMemoryAllocation, "out of memory")                                                                    \
  ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument")                                               \
  ERROR(cudaErrorInvalidSymbol, "invalid device symbol")                                                               \
  ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer")                                                       \
  ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")                                          \
  ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version")                   \
  ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected")                                                       \
  ERROR(cudaErrorInvalidDevice, "invalid device ordinal")                                                              \
  ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle")                                                     \
  ERROR(cudaErrorNotReady, "device not ready")                                                                         \
  ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered")                                           \
  ERROR(cudaErrorLaunchFailure, "unspecified launch failure")                                                          \
  ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define GCOMPILE_CASE(name, text)                                                                                      \
  case name:                                                                                                           \
    return #name;
    GCOMPILE_ERRORS(GCOMPILE_CASE)
#undef GCOMPILE_CASE
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define GCOMPILE_CASE(name, text)                                                                                      \
  case name:                                                                                                           \
    return text;
    GCOMPILE_ERRORS(GCOMPILE_CASE)
#undef GCOMPILE_CASE
  }
  return "unrecognized error code";
}

cudaError_t cudaMalloc(void **address, std::size_t bytes) {
  *address = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  if (bytes > emulation::Device::total() - std::min(device().used, emulation::Device::total()))
    return set_last_error(cudaErrorMemoryAllocation);
  void *memory = emulation::allocate(bytes);
  if (!memory)
    return set_last_error(cudaErrorMemoryAllocation);
  device().memory[static_cast<char *>(memory)] = bytes;
  device().used += bytes;
  *address = memory;
  return set_last_error(cudaSuccess);
}

cudaError_t cudaFree(void *address) {
  drain();
  if (!address)
    return cudaSuccess;
  const auto range = device().memory.find(static_cast<char *>(address));
  if (range == device().memory.end())
    return set_last_error(cudaErrorInvalidValue);
  std::memset(address, emulation::garbage, range->second); // who still reads it gets no old values
  device().used -= range->second;
  device().memory.erase(range);
  ::operator delete(address, emulation::alignment);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **address, std::size_t bytes, unsigned) {
  *address = emulation::allocate(bytes);
  if (!*address)
    return set_last_error(cudaErrorMemoryAllocation);
  device().pinned[static_cast<char *>(*address)] = bytes;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *address) {
  drain();
  if (!address)
    return cudaSuccess;
  if (device().pinned.erase(static_cast<char *>(address)) == 0)
    return set_last_error(cudaErrorInvalidValue);
  ::operator delete(address, emulation::alignment);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  *total = emulation::Device::total();
  *free = *total - std::min(*total, device().used);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  if (bytes == 0)
    return cudaSuccess;
  if (const cudaError_t error = emulation::check_copy(to, from, bytes, kind))
    return set_last_error(error);
  const auto asynchronous = [&](const void *address) {
    return emulation::locate_on_device(address, bytes) == emulation::Place::inside ||
           emulation::locate(device().pinned, address, bytes) == emulation::Place::inside;
  };
  if (!asynchronous(from)) {
    // Pageable memory of the host is read before the call returns.
    std::string staged(static_cast<const char *>(from), bytes);
    emulation::enqueue([=, staged = std::move(staged)] { std::memcpy(to, staged.data(), bytes); });
  } else {
    emulation::enqueue([=] { std::memmove(to, from, bytes); });
  }
  if (!asynchronous(to))
    drain(); // and written before the call returns
  return set_last_error(cudaSuccess);
}

cudaError_t cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  if (width == 0 || height == 0)
    return cudaSuccess;
  if (width > to_pitch || width > from_pitch)
    return set_last_error(cudaErrorInvalidValue);
  drain();
  for (std::size_t row = 0; row < height; ++row) {
    void *target = static_cast<char *>(to) + row * to_pitch;
    const void *source = static_cast<const char *>(from) + row * from_pitch;
    if (const cudaError_t error = emulation::check_copy(target, source, width, kind))
      return set_last_error(error);
    if (!device().failed)
      std::memmove(target, source, width);
  }
  return set_last_error(cudaSuccess);
}

cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset(void *to, int byte, std::size_t bytes) { return cudaMemsetAsync(to, byte, bytes); }

cudaError_t cudaMemsetAsync(void *to, int byte, std::size_t bytes, cudaStream_t) {
  if (bytes == 0)
    return cudaSuccess;
  if (emulation::locate_on_device(to, bytes) != emulation::Place::inside)
    return set_last_error(cudaErrorInvalidValue);
  emulation::enqueue([=] { std::memset(to, byte, bytes); });
  return set_last_error(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
  drain();
  return set_last_error(cudaSuccess);
}
cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }

// All streams share the device's queue: one order of many that a GPU may take.
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = new emulation::Stream;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  drain();
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = new emulation::Event;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  drain();
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->recorded = true;
  event->done = false;
  emulation::enqueue([event] {
    event->time = std::chrono::steady_clock::now();
    event->done = true;
  });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (emulation::random_below(2) == 0)
    drain();
  return event->recorded && !event->done ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!start->recorded || !end->recorded)
    return set_last_error(cudaErrorInvalidResourceHandle);
  if (!start->done || !end->done)
    return set_last_error(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : set_last_error(cudaErrorInvalidDevice); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device != 0)
    return set_last_error(cudaErrorInvalidDevice);
  *properties = {};
  std::strncpy(properties->name, "emulated on the CPU", sizeof(properties->name) - 1);
  properties->totalGlobalMem = emulation::Device::total();
  properties->sharedMemPerBlock = emulation::shared_memory_per_block;
  properties->sharedMemPerMultiprocessor = emulation::shared_memory_per_block;
  properties->warpSize = warpSize;
  properties->maxThreadsPerBlock = emulation::max_block_threads;
  properties->maxThreadsPerMultiProcessor = emulation::max_block_threads * emulation::blocks_per_multiprocessor;
  properties->maxBlocksPerMultiProcessor = emulation::blocks_per_multiprocessor;
  properties->maxGridSize[0] = std::numeric_limits<int>::max();
  properties->maxGridSize[1] = 0xffff;
  properties->maxGridSize[2] = 0xffff;
  properties->major = 9;
  properties->minor = 0;
  properties->multiProcessorCount = emulation::multiprocessors;
  properties->l2CacheSize = 1 << 20;
  properties->cooperativeLaunch = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device))
    return error;
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    *value = properties.maxThreadsPerBlock;
    return cudaSuccess;
  case cudaDevAttrMaxGridDimX:
    *value = properties.maxGridSize[0];
    return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlock:
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = static_cast<int>(properties.sharedMemPerBlock);
    return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    *value = static_cast<int>(properties.sharedMemPerMultiprocessor);
    return cudaSuccess;
  case cudaDevAttrWarpSize:
    *value = properties.warpSize;
    return cudaSuccess;
  case cudaDevAttrMultiProcessorCount:
    *value = properties.multiProcessorCount;
    return cudaSuccess;
  case cudaDevAttrL2CacheSize:
    *value = properties.l2CacheSize;
    return cudaSuccess;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *value = properties.maxThreadsPerMultiProcessor;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    *value = properties.major;
    return cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor:
    *value = properties.minor;
    return cudaSuccess;
  case cudaDevAttrCooperativeLaunch:
    *value = properties.cooperativeLaunch;
    return cudaSuccess;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    *value = properties.maxBlocksPerMultiProcessor;
    return cudaSuccess;
  }
  return set_last_error(cudaErrorInvalidValue);
}
