// The most frequent value, counted in a hash table of the device's memory.
#ifndef GCOMPILE_CUDA_MODE_H
#define GCOMPILE_CUDA_MODE_H

#include <gcompile/cuda/graph.h>
#include <gcompile/numeric.h>

namespace gc {
namespace cuda {

template <class T> struct ModeSlot {
  T value;
  unsigned count;
};

/// Memory for the tables of one kernel, as kernels see it: handed out from the start.
template <class T> struct ModeRoom {
  ModeSlot<T> *slots;
  unsigned long long *used;
};

/// Memory for the tables of one kernel: `values` values are counted in all.
template <class T> class ModeTables {
public:
  explicit ModeTables(EdgeId values) : slots_(values * 2), used_(1) {}
  ModeRoom<T> room() {
    used_.clear_bytes();
    return {slots_.data(), used_.data()};
  }

private:
  Buffer<ModeSlot<T>> slots_;
  Buffer<unsigned long long> used_;
};

/// The most frequent of at most `most` values; of several, the smallest. The type's zero (no vertex) if nothing is
/// added.
template <class T> class Mode {
public:
  __device__ Mode(const ModeRoom<T> &room, EdgeId most)
      : size_(2 * most), slots_(room.slots + atomicAdd(room.used, static_cast<unsigned long long>(2 * most))) {
    for (EdgeId i = 0; i < size_; ++i)
      slots_[i].count = 0;
  }
  __device__ void add(T value) {
    EdgeId i = static_cast<EdgeId>(gc::hash(value)) % size_;
    while (slots_[i].count != 0 && slots_[i].value != value)
      i = i + 1 == size_ ? 0 : i + 1;
    slots_[i].value = value;
    ++slots_[i].count;
  }
  __device__ T value() const {
    T best = std::is_unsigned<T>::value && !std::is_same<T, bool>::value ? greatest<T>() : T();
    unsigned most = 0;
    for (EdgeId i = 0; i < size_; ++i)
      if (slots_[i].count > most || (slots_[i].count == most && most > 0 && slots_[i].value < best)) {
        most = slots_[i].count;
        best = slots_[i].value;
      }
    return best;
  }

private:
  EdgeId size_;
  ModeSlot<T> *slots_;
};

} // namespace cuda
} // namespace gc

#endif
