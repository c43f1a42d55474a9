// What the two parts of the emulation share: the emulated device, its queue of work and the last error.
#pragma once

#include "api.h"

#include <functional>

namespace emulation {

inline constexpr int multiprocessors = 2;
inline constexpr int blocks_per_multiprocessor = 1;
inline constexpr unsigned max_block_threads = 1024;
inline constexpr std::size_t shared_memory_per_block = 48 * 1024;
inline constexpr std::size_t large_shared_memory_per_block = 227 * 1024;

/// Threads of the host take turns: each may have a device of its own, and one thread calls or computes at a time.
class Turn {
public:
  Turn();
  ~Turn();
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
};

/// The most devices that GCOMPILE_EMULATION_DEVICES may name.
inline constexpr int most_devices = 16;
/// The device that this thread of the host uses.
int current_device();
/// A kernel of this device reaches its memory; now and then that of no other one.
void show_memory(int device);

/// Keeps a failure for cudaGetLastError and returns it.
cudaError_t set_last_error(cudaError_t error);

/// Whether a kernel has trapped: nothing works any more.
bool has_failed();

/// Notes a launch of this kernel.
void count_launch(const void *kernel);

/// Adds work to the current device's queue, where it stays until the host waits, or is done at once: both are right on
/// a GPU.
void enqueue(std::function<void()> work);
/// Does what is queued.
void drain();

/// Runs all threads of a launch to their end. False if a thread called __trap: nothing must be launched after that.
bool run_grid(bool cooperative, dim3 grid, dim3 block, const std::function<void()> &body);

/// A random number below `bound`.
std::uint32_t random_below(std::uint32_t bound);

} // namespace emulation
