// Launches, barriers, warp collectives and shared memory: the threads of a launch are fibers, see simt.cpp.
#pragma once

#include "api.h"
#include "types.h"

#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace emulation {

/// What threads wait in together. A group is complete when each of its threads has come, or has left the kernel. All
/// blocks of a cooperative launch are one cluster.
enum class Collective : std::uint8_t {
  none,
  syncthreads,
  syncthreads_or,
  syncthreads_and,
  syncthreads_count,
  cluster,
  syncwarp,
  shuffle,
  ballot,
  any,
  all,
  match_any,
  activemask,
};

/// Copies of arguments begin cache lines: no type asks for more.
inline constexpr std::size_t argument_alignment = 64;

/// What a launch gives for a parameter of its kernel.
struct Argument {
  const void *value;
  std::size_t bytes;
};

/// Calls a kernel, whose parameters are at these addresses.
using Call = void (*)(void (*kernel)(), const void *const *values);

/// Queues a launch of `kernel`, which `call` calls once per thread with copies of the arguments, made byte by byte. An
/// impossible configuration is returned and kept as last error.
cudaError_t submit(bool cooperative, dim3 grid, dim3 block, void (*kernel)(), Call call,
                   std::initializer_list<Argument> arguments);

/// Kernels as keys: how often each has been launched.
std::size_t launches(const void *kernel);
template <typename... Parameters> std::size_t launches(void (*kernel)(Parameters...)) {
  return launches(reinterpret_cast<const void *>(kernel));
}

/// Waits for all threads of the block; combines their predicates as `kind` says.
int barrier(Collective kind, int predicate);

/// Waits for all threads of the cluster.
void cluster_barrier();

/// The address in the shared memory of block `rank` of the cluster that `address` has in the running block's.
void *cluster_map(const void *address, unsigned rank);

/// Waits for the lanes of `mask`. Gives the value of lane `source` (shuffle), or the mask of the lanes with a nonzero
/// value (ballot, any, all) or an equal one (match_any).
std::uint64_t collective(Collective kind, std::uint32_t mask, std::uint64_t value, unsigned source);

/// The lanes that are at the same place at the moment.
std::uint32_t active_mask(const char *file, int line);

/// The running thread's number in its warp.
unsigned lane();

/// Whether a kernel runs: both sides share the code that CUDA compiles for the device (__CUDA_ARCH__).
bool in_kernel();

/// Lets another thread run.
void yield();

/// Lets another thread run once in a while: a point where other threads' changes may become visible.
void memory_point();

/// Says that memory changed: threads that spin may find what they wait for.
void progress();

/// Ends the launch at once; every later call of the host's side fails.
[[noreturn]] void trap();

/// Prints a message and aborts.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Starts the random sequence anew.
void seed(std::uint64_t value);

/// One declaration of shared memory: one per place in the source and template instance.
class SharedSlot {
public:
  SharedSlot(std::size_t bytes, std::size_t alignment, bool large = false);
  /// The running block's storage, filled with garbage when the block begins.
  void *address() const;

private:
  std::size_t id_;
  std::size_t bytes_;
  bool large_; // more than a kernel may declare
};

template <typename Indices, typename... Parameters> struct CallOf;
template <std::size_t... indices, typename... Parameters>
struct CallOf<std::index_sequence<indices...>, Parameters...> {
  static void call(void (*kernel)(), [[maybe_unused]] const void *const *values) {
    reinterpret_cast<void (*)(Parameters...)>(kernel)(*static_cast<const Parameters *>(values[indices])...);
  }
};

/// A type that is not deduced from an argument.
template <typename T> struct Given { using type = std::remove_cv_t<T>; };

/// A program has thousands of kernels: each takes two functions here, and all else is compiled once.
template <typename... Parameters>
cudaError_t launch(void (*kernel)(Parameters...), bool cooperative, dim3 grid, dim3 block,
                   typename Given<Parameters>::type... arguments) {
  static_assert(!(std::is_reference_v<Parameters> || ...), "a kernel takes its parameters by value");
  // Tuples can be constructed, not assigned, byte by byte.
  static_assert(
      ((std::is_trivially_copy_constructible_v<Parameters> && std::is_trivially_destructible_v<Parameters>)&&...),
      "a kernel's parameters are copied byte by byte");
  static_assert(((alignof(Parameters) <= argument_alignment) && ...));
  return submit(cooperative, grid, block, reinterpret_cast<void (*)()>(kernel),
                CallOf<std::index_sequence_for<Parameters...>, Parameters...>::call,
                {Argument{__builtin_addressof(arguments), sizeof(arguments)}...});
}

template <typename T> std::uint64_t to_bits(T value) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T> T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <typename T> T shuffle(std::uint32_t mask, T value, unsigned source) {
  return from_bits<T>(collective(Collective::shuffle, mask, to_bits(value), source));
}

/// Checks the width of a shuffle, which is also the size of the segments that it stays in.
unsigned checked_width(int width);

} // namespace emulation

// The last parameters are the block and the kernel's arguments, of which there may be none.
#define GCOMPILE_CUDA_LAUNCH(kernel, grid, ...) static_cast<void>(::emulation::launch(kernel, false, grid, __VA_ARGS__))
#define GCOMPILE_CUDA_LAUNCH_ON(stream, kernel, grid, ...)                                                             \
  (static_cast<void>(stream), GCOMPILE_CUDA_LAUNCH(kernel, grid, __VA_ARGS__))
#define GCOMPILE_CUDA_LAUNCH_COOPERATIVE(kernel, grid, ...) ::emulation::launch(kernel, true, grid, __VA_ARGS__)

#define GCOMPILE_CUDA_LAUNCH_CLUSTER(kernel, grid, ...) ::emulation::launch(kernel, true, grid, __VA_ARGS__)

#define GCOMPILE_CUDA_LAUNCH_SHARED(kernel, grid, block, bytes, ...)                                                   \
  static_cast<void>(::emulation::launch(kernel, false, grid, block, __VA_ARGS__))

#define GCOMPILE_CUDA_IN_KERNEL ::emulation::in_kernel()

#define GCOMPILE_CUDA_SHARED(Type, name)                                                                               \
  static_assert(std::is_trivially_destructible_v<Type>);                                                               \
  static const ::emulation::SharedSlot name##_slot(sizeof(Type), alignof(Type));                                       \
  Type &name = *static_cast<Type *>(name##_slot.address())

// Whatever a launch asks for, a block gets the whole type.
#define GCOMPILE_CUDA_LARGE_SHARED(Type, name)                                                                         \
  static_assert(std::is_trivially_destructible_v<Type>);                                                               \
  static const ::emulation::SharedSlot name##_slot(sizeof(Type), alignof(Type), true);                                 \
  Type &name = *static_cast<Type *>(name##_slot.address())

inline void __syncthreads() { emulation::barrier(emulation::Collective::syncthreads, 0); }
inline int __syncthreads_or(int predicate) {
  return emulation::barrier(emulation::Collective::syncthreads_or, predicate);
}
inline int __syncthreads_and(int predicate) {
  return emulation::barrier(emulation::Collective::syncthreads_and, predicate);
}
inline int __syncthreads_count(int predicate) {
  return emulation::barrier(emulation::Collective::syncthreads_count, predicate);
}

inline void __syncwarp(unsigned mask = 0xffffffff) {
  emulation::collective(emulation::Collective::syncwarp, mask, 0, 0);
}

// Types of fewer than 4 bytes are promoted to int, as by CUDA's overloads.
template <typename T> auto __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  const unsigned inside = emulation::checked_width(width) - 1;
  const unsigned from = (emulation::lane() & ~inside) | (static_cast<unsigned>(source) & inside);
  return emulation::shuffle(mask, +value, from);
}
template <typename T> auto __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const unsigned inside = emulation::checked_width(width) - 1;
  const unsigned self = emulation::lane();
  const unsigned from = (self & inside) >= delta ? self - delta : self;
  return emulation::shuffle(mask, +value, from);
}
template <typename T> auto __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const unsigned inside = emulation::checked_width(width) - 1;
  const unsigned self = emulation::lane();
  const unsigned from = (self & inside) + delta <= inside ? self + delta : self;
  return emulation::shuffle(mask, +value, from);
}
template <typename T> auto __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize) {
  const unsigned inside = emulation::checked_width(width) - 1;
  const unsigned self = emulation::lane();
  const unsigned target = self ^ static_cast<unsigned>(bits);
  const unsigned from = target <= (self | inside) ? target : self;
  return emulation::shuffle(mask, +value, from);
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(emulation::collective(emulation::Collective::ballot, mask, predicate != 0, 0));
}
inline int __any_sync(unsigned mask, int predicate) {
  return emulation::collective(emulation::Collective::any, mask, predicate != 0, 0) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return emulation::collective(emulation::Collective::all, mask, predicate == 0, 0) == 0;
}
template <typename T> unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(
      emulation::collective(emulation::Collective::match_any, mask, emulation::to_bits(+value), 0));
}
inline unsigned __activemask(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
  return emulation::active_mask(file, line);
}

inline void __nanosleep(unsigned) { emulation::yield(); }
inline void __threadfence() { emulation::memory_point(); }
inline void __threadfence_block() { emulation::memory_point(); }
inline void __threadfence_system() { emulation::memory_point(); }
[[noreturn]] inline void __trap() { emulation::trap(); }
