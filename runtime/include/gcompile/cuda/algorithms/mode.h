// The most frequent value, counted in a hash table of the device's memory: one that a thread fills alone, or all
// threads of a kernel together.
#ifndef GCOMPILE_CUDA_ALGORITHMS_MODE_H
#define GCOMPILE_CUDA_ALGORITHMS_MODE_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/kernels.h>

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
  explicit ModeTables(ArcId arcs) : words_(4 * arcs), used_(1) {}
  ModeRoom room() {
    used_.clear_bytes();
    return {words_.data(), words_.size(), used_.data()};
  }

private:
  Buffer<std::uint64_t> words_;
  Buffer<unsigned long long> used_;
};

/// The most frequent of the values that one thread adds; of several, the smallest. The type's zero (no vertex) if
/// nothing is added. They are added again and again, `while (mode.wants_again())`: where it is not said how many there
/// are at most, they are counted first; and where there is no room for a table, each time the next greater one of them
/// is.
template <class T> class Mode {
public:
  __device__ explicit Mode(const ModeRoom &room) : room_(room), sizing_(true) {}
  __device__ Mode(const ModeRoom &room, ArcId most) : room_(room), sizing_(false) { reserve(most); }

  __device__ void add(T value) {
    if (sizing_) {
      ++added_;
      return;
    }
    if (!slots_) {
      const bool counted_before = counted_ && !(last_.value < value);
      if (!counted_before && (next_.count == 0 || value < next_.value))
        next_ = {value, 1};
      else if (!counted_before && value == next_.value)
        ++next_.count;
      return;
    }
    ArcId i = static_cast<ArcId>(gc::hash(value)) % size_;
    while (slots_[i].count != 0 && slots_[i].value != value)
      i = i + 1 == size_ ? 0 : i + 1;
    slots_[i].value = value;
    ++slots_[i].count;
  }
  /// After all have been added.
  __device__ bool wants_again() {
    if (sizing_) {
      sizing_ = false;
      reserve(added_);
      return added_ != 0;
    }
    if (slots_ || next_.count == 0)
      return false;
    take(next_);
    last_ = next_;
    counted_ = true;
    next_.count = 0;
    return true;
  }
  __device__ T value() {
    for (ArcId i = 0; i < size_; ++i)
      take(slots_[i]);
    return best_.value;
  }

private:
  struct Slot {
    T value;
    unsigned count;
  };
  __device__ void reserve(ArcId most) {
    const std::uint64_t words = (2 * most * sizeof(Slot) + 7) / 8;
    // Reading first keeps the counter from running over.
    if (words == 0 || gc::load(*room_.used) >= room_.size)
      return;
    const std::uint64_t at = atomicAdd(room_.used, static_cast<unsigned long long>(words));
    if (at + words > room_.size)
      return;
    size_ = 2 * most;
    slots_ = reinterpret_cast<Slot *>(room_.words + at);
    for (ArcId i = 0; i < size_; ++i)
      slots_[i].count = 0;
  }
  __device__ void take(const Slot &slot) {
    if (slot.count > best_.count || (slot.count == best_.count && slot.count > 0 && slot.value < best_.value))
      best_ = slot;
  }

  const ModeRoom room_;
  ArcId size_ = 0, added_ = 0;
  Slot *slots_ = nullptr;
  Slot best_ = {std::is_unsigned<T>::value && !std::is_same<T, bool>::value ? greatest<T>() : T(), 0};
  Slot last_ = {}, next_ = {}; // without a table: what was counted last, and what is being counted
  bool counted_ = false, sizing_;
};

/// How often each value occurs, counted by all threads of a kernel. Half of the slots stay free: a value that finds
/// none is left out, and all are counted again in a larger table.
template <class T> struct ModeCounts {
  unsigned long long *values; ///< one more than the value; 0: the slot is free
  unsigned long long *counts; ///< of each slot; then of the value that has no slot, since it would be 0
  unsigned long long *taken;
  std::uint64_t size; ///< a power of two

  __device__ void add(T value) const {
    const auto key = static_cast<unsigned long long>(value) + 1;
    if (key == 0) {
      atomicAdd(&counts[size], 1ull);
      return;
    }
    std::uint64_t i = static_cast<std::uint64_t>(gc::hash(value));
    for (std::uint64_t tried = 0; tried < size; ++tried, ++i) {
      i &= size - 1;
      unsigned long long found = gc::load(values[i]);
      if (found == 0) {
        if (gc::load(*taken) >= size / 2)
          return;
        found = atomicCAS(&values[i], 0ull, key);
        if (found == 0)
          atomicAdd(taken, 1ull);
      }
      if (found == 0 || found == key) {
        atomicAdd(&counts[i], 1ull);
        return;
      }
    }
  }
};

namespace detail {

template <class T> struct MostFrequent {
  ModeCounts<T> table;
  struct Parts {
    unsigned long long count = 0;
    T value = T();
    GCOMPILE_HD void merge(const Parts &other) {
      if (other.count > count || (other.count == count && other.value < value))
        *this = other;
    }
  };
  __device__ void operator()(ArcId slot, Parts &parts) const {
    Parts mine;
    mine.count = table.counts[slot];
    mine.value = static_cast<T>((slot < table.size ? table.values[slot] : 0) - 1);
    if (mine.count > 0)
      parts.merge(mine);
  }
};

} // namespace detail

/// The most frequent of the values that the kernels of run(counts) add; of several, the smallest. The type's zero (no
/// vertex) if nothing is added. What is run changes nothing: it is run again where a table was too small.
template <class T, class V, class Run> T most_frequent(const Graph<V> &graph, const Run &run) {
  std::uint64_t size = 256;
  while (size < 2 * std::uint64_t(graph.num_vertices()) && size < (1u << 20))
    size *= 2;
  while (true) {
    Buffer<unsigned long long> words(2 * size + 2);
    words.clear_bytes();
    const ModeCounts<T> table = {words.data(), words.data() + size, words.data() + 2 * size + 1, size};
    run(table);
    unsigned long long taken = 0;
    words.download(&taken, 1, 2 * size + 1);
    if (taken >= size / 2) {
      size *= 4;
      continue;
    }
    using Best = detail::MostFrequent<T>;
    const unsigned blocks = blocks_for(size + 1);
    detail::BlockParts<typename Best::Parts> parts(blocks);
    GCOMPILE_CUDA_LAUNCH((detail::arcs_kernel<V, Best>), blocks, block_threads, Best{table}, ArcId(size + 1),
                         parts.data());
    const auto best = parts.merged();
    return best.count > 0 ? best.value : std::is_unsigned<T>::value ? greatest<T>() : T();
  }
}

} // namespace cuda
} // namespace gc

#endif
