// What core asks of a device: atomic words, locks, and the end of a failed kernel. cuda/device defines it.
#ifndef GCOMPILE_CORE_DEVICE_H
#define GCOMPILE_CORE_DEVICE_H

#ifdef __CUDACC__

#include <type_traits>

// An emulation compiles what is for the host and for the device at once, and tells them apart when it runs.
#ifndef GCOMPILE_CUDA_IN_KERNEL
#define GCOMPILE_CUDA_IN_KERNEL true
#endif

namespace gc {
namespace detail {

/// Where a kernel that fails leaves its message, for the device that this thread uses. The first call also starts the
/// device, which takes some tenths of a second.
void prepare_failure_record();

/// The first thread that fails leaves its message; all stop.
__device__ void fail_on_device(const char *place, const char *what);

namespace device {

/// A read that others' atomic writes may meet.
template <class T> __device__ T load(const T &target);
template <class T> __device__ void store(T &target, const T &value);
/// Replaces `expected` by `desired`; otherwise gives the value that is there.
template <class T> __device__ bool compare_exchange(T &target, T &expected, const T &desired);
/// Adds a value other than zero; whether that changed the sum.
template <class T> __device__ bool add(T &target, T value);

/// Whether the device has the minimum and the maximum of values of a type.
template <class T> constexpr bool has_ordered = std::is_integral<T>::value && sizeof(T) >= 4;
/// Whether the value was greater, or less, and is now the given one.
template <class T> __device__ bool min(T &target, T value);
template <class T> __device__ bool max(T &target, T value);

/// Spin locks; the address of a value chooses one.
__device__ unsigned *lock_of(const void *address);
__device__ bool try_lock(unsigned *word);
__device__ void lock(unsigned *word);
__device__ void unlock(unsigned *word);

} // namespace device

} // namespace detail
} // namespace gc

#endif

#endif
