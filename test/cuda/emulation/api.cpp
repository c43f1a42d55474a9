#include "api.h"

#include "device.h"
#include "simt.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace emulation {

struct Stream {};

struct Event {
  bool recorded = false; // in the queue or done
  bool done = false;
  std::chrono::steady_clock::time_point time;
};

namespace {

struct Device {
  std::deque<std::function<void()>> queue;
  cudaError_t error = cudaSuccess;
  bool failed = false; // by a trap: for good
};

thread_local int current = 0;

Device &device() {
  static auto *instances = new Device[most_devices]; // live until the process ends
  return instances[current];
}

std::recursive_mutex &turns() {
  static auto *instance = new std::recursive_mutex;
  return *instance;
}

int count_devices() {
  const char *devices = std::getenv("GCOMPILE_EMULATION_DEVICES");
  return std::min(devices ? std::atoi(devices) : 1, most_devices);
}

/// The arguments of a launch until it has run.
class Copies {
public:
  explicit Copies(std::initializer_list<Argument> arguments) {
    std::size_t lines = 0;
    for (const Argument &argument : arguments)
      lines += lines_of(argument);
    lines_.resize(lines);
    Line *at = lines_.data();
    for (const Argument &argument : arguments) {
      std::memcpy(at, argument.value, argument.bytes);
      addresses_.push_back(at);
      at += lines_of(argument);
    }
  }
  const void *const *addresses() const { return addresses_.data(); }

private:
  struct alignas(argument_alignment) Line {
    std::byte bytes[argument_alignment];
  };
  static std::size_t lines_of(const Argument &argument) { return (argument.bytes + sizeof(Line) - 1) / sizeof(Line); }

  std::vector<Line> lines_;
  std::vector<const void *> addresses_;
};

} // namespace

Turn::Turn() { turns().lock(); }
Turn::~Turn() { turns().unlock(); }

int current_device() { return current; }

bool has_failed() { return device().failed; }

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

cudaError_t submit(bool cooperative, dim3 grid, dim3 block, void (*kernel)(), Call call,
                   std::initializer_list<Argument> arguments) {
  const Turn turn;
  count_launch(reinterpret_cast<const void *>(kernel));
  const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
  const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
  if (threads == 0 || threads > max_block_threads || blocks == 0 || grid.x > 0x7fffffffu || grid.y > 0xffffu ||
      grid.z > 0xffffu)
    return set_last_error(cudaErrorInvalidConfiguration);
  if (cooperative && blocks > multiprocessors * blocks_per_multiprocessor)
    return set_last_error(cudaErrorCooperativeLaunchTooLarge);
  enqueue([=, copies = std::make_shared<const Copies>(arguments)] {
    show_memory(current);
    device().failed = !run_grid(cooperative, grid, block, [&] { call(kernel, copies->addresses()); });
  });
  return set_last_error(cudaSuccess);
}

} // namespace emulation

using emulation::device;
using emulation::drain;
using emulation::set_last_error;

cudaError_t cudaGetLastError() {
  const emulation::Turn turn;
  set_last_error(cudaSuccess);
  return std::exchange(device().error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  const emulation::Turn turn;
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
  ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped")           \
  ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")                 \
  ERROR(cudaErrorLaunchFailure, "unspecified launch failure")                                                          \
  ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")                                   \
  ERROR(cudaErrorNotSupported, "operation not supported")

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

cudaError_t cudaDeviceSynchronize() {
  const emulation::Turn turn;
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
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -1;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const emulation::Turn turn;
  drain();
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) {
  const emulation::Turn turn;
  if (emulation::random_below(2) == 0)
    drain();
  return !device().queue.empty() && !device().failed ? cudaErrorNotReady : set_last_error(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = new emulation::Event;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const emulation::Turn turn;
  drain();
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  const emulation::Turn turn;
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
  const emulation::Turn turn;
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

/// GCOMPILE_EMULATION_DEVICES: 0, the machine has none; -1, nobody may even ask.
cudaError_t cudaGetDeviceCount(int *count) {
  *count = emulation::count_devices();
  if (*count < 0) {
    std::fputs("emulation: the program has asked for a device\n", stderr);
    std::abort();
  }
  return *count > 0 ? cudaSuccess : set_last_error(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *device) {
  *device = emulation::current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= std::max(emulation::count_devices(), 1))
    return set_last_error(cudaErrorInvalidDevice);
  emulation::current = device;
  return cudaSuccess;
}

/// Whether devices reach each other's memory is random. A kernel must not: copies go through the runtime.
cudaError_t cudaDeviceCanAccessPeer(int *possible, int device, int peer) {
  const emulation::Turn turn;
  *possible = device != peer && emulation::random_below(2) == 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device < 0 || device >= std::max(emulation::count_devices(), 1))
    return set_last_error(cudaErrorInvalidDevice);
  *properties = {};
  std::size_t free = 0;
  std::size_t total = 0;
  cudaMemGetInfo(&free, &total);
  std::strncpy(properties->name, "emulated on the CPU", sizeof(properties->name) - 1);
  properties->totalGlobalMem = total;
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
  properties->l2CacheSize = 4 << 20;
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
    *value = static_cast<int>(properties.sharedMemPerBlock);
    return cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = static_cast<int>(emulation::large_shared_memory_per_block);
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
