// The most frequent value, counted in a hash table of the device's memory.
#ifndef GCOMPILE_CUDA_MODE_H
#define GCOMPILE_CUDA_MODE_H

#include <gcompile/cuda/graph.h>
#include <gcompile/numeric.h>

namespace gc {
namespace cuda {

/// Memory for the tables of one kernel, as kernels see it: handed out from the start, until there is none.
struct ModeRoom {
  std::uint64_t *words;
  std::uint64_t size;
  unsigned long long *used;
};

/// Memory for the tables of one kernel: 32 bytes for each arc of the graph, enough for one table for each vertex.
class ModeTables {
public:
  explicit ModeTables(EdgeId arcs) : words_(4 * arcs), used_(1) {}
  ModeRoom room() {
    used_.clear_bytes();
    return {words_.data(), words_.size(), used_.data()};
  }

private:
  Buffer<std::uint64_t> words_;
  Buffer<unsigned long long> used_;
};

/// The most frequent of at most `most` values; of several, the smallest. The type's zero (no vertex) if nothing is
/// added. Where there is no room for a table, all values are added again and again, `while (mode.wants_again())`, and
/// each time the next greater one of them is counted.
template <class T> class Mode {
public:
  __device__ Mode(const ModeRoom &room, EdgeId most) {
    const std::uint64_t words = (2 * most * sizeof(Slot) + 7) / 8;
    // Reading first keeps the counter from running over.
    if (words == 0 || gc::load(*room.used) >= room.size)
      return;
    const std::uint64_t at = atomicAdd(room.used, static_cast<unsigned long long>(words));
    if (at + words > room.size)
      return;
    size_ = 2 * most;
    slots_ = reinterpret_cast<Slot *>(room.words + at);
    for (EdgeId i = 0; i < size_; ++i)
      slots_[i].count = 0;
  }
  __device__ void add(T value) {
    if (!slots_) {
      const bool counted_before = counted_ && !(last_.value < value);
      if (!counted_before && (next_.count == 0 || value < next_.value))
        next_ = {value, 1};
      else if (!counted_before && value == next_.value)
        ++next_.count;
      return;
    }
    EdgeId i = static_cast<EdgeId>(gc::hash(value)) % size_;
    while (slots_[i].count != 0 && slots_[i].value != value)
      i = i + 1 == size_ ? 0 : i + 1;
    slots_[i].value = value;
    ++slots_[i].count;
  }
  /// After all have been added.
  __device__ bool wants_again() {
    if (slots_ || next_.count == 0)
      return false;
    take(next_);
    last_ = next_;
    counted_ = true;
    next_.count = 0;
    return true;
  }
  __device__ T value() {
    for (EdgeId i = 0; i < size_; ++i)
      take(slots_[i]);
    return best_.value;
  }

private:
  struct Slot {
    T value;
    unsigned count;
  };
  __device__ void take(const Slot &slot) {
    if (slot.count > best_.count || (slot.count == best_.count && slot.count > 0 && slot.value < best_.value))
      best_ = slot;
  }

  EdgeId size_ = 0;
  Slot *slots_ = nullptr;
  Slot best_ = {std::is_unsigned<T>::value && !std::is_same<T, bool>::value ? greatest<T>() : T(), 0};
  Slot last_ = {}, next_ = {}; // without a table: what was counted last, and what is being counted
  bool counted_ = false;
};

} // namespace cuda
} // namespace gc

#endif
