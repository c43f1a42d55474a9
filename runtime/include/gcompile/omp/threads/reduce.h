// Reductions: one partial result a thread, combined in the order of the threads.
#ifndef GCOMPILE_OMP_THREADS_REDUCE_H
#define GCOMPILE_OMP_THREADS_REDUCE_H

#include <gcompile/core/operators/atomics.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gc {

/// One value for each thread of the parallel regions to come, each on cache lines of its own.
template <class T> class PerThread {
public:
  explicit PerThread(T neutral = T())
      : neutral_(neutral), values_(static_cast<std::size_t>(omp_get_max_threads()), Padded{neutral}) {}

  /// The calling thread's value.
  T &mine() { return values_[static_cast<std::size_t>(omp_get_thread_num())].value; }

  /// Calls visit(value) for each thread's value, in order.
  template <class Visit> void each(Visit visit) const {
    for (const Padded &padded : values_)
      visit(padded.value);
  }

  T sum() const {
    return fold([](T &total, const T &value) { total += value; });
  }
  /// Infinity absorbs.
  T sum_inf() const {
    return fold([](T &total, const T &value) { update_add_inf(total, value); });
  }
  T product() const {
    return fold([](T &total, const T &value) { total *= value; });
  }
  T min() const {
    return fold([](T &least, const T &value) { update_min(least, value); });
  }
  T max() const {
    return fold([](T &greatest, const T &value) { update_max(greatest, value); });
  }
  /// For integers, bit by bit.
  T any() const {
    return fold([](T &found, const T &value) { found |= value; });
  }
  /// For integers, bit by bit.
  T all() const {
    return fold([](T &holds, const T &value) { holds &= value; });
  }
  /// For accumulators with a function merge.
  T merged() const {
    return fold([](T &total, const T &value) { total.merge(value); });
  }

private:
  struct alignas(64) Padded {
    T value;
  };

  template <class Combine> T fold(Combine combine) const {
    T result = neutral_;
    for (const Padded &padded : values_)
      combine(result, padded.value);
    return result;
  }

  T neutral_;
  std::vector<Padded> values_;
};

/// The vertex or edge with the least key; of several, the one with the smallest id. None if nothing is added.
template <class Key, class Witness> class ArgMin {
public:
  /// Whether a witness with that key could be the one.
  GCOMPILE_HD bool improves(Key key) const { return !(key_ < key); }
  GCOMPILE_HD void add(Key key, Witness witness) {
    if (key < key_ || (!(key_ < key) && witness < witness_)) {
      key_ = key;
      witness_ = witness;
    }
  }
  GCOMPILE_HD void merge(const ArgMin &other) { add(other.key_, other.witness_); }
  GCOMPILE_HD Key key() const { return key_; }
  GCOMPILE_HD Witness witness() const { return witness_; }

private:
  Key key_ = greatest<Key>();
  Witness witness_ = none<Witness>();
};

/// The vertex or edge with the greatest key; of several, the one with the smallest id. None if nothing is added.
template <class Key, class Witness> class ArgMax {
public:
  /// Whether a witness with that key could be the one.
  GCOMPILE_HD bool improves(Key key) const { return !(key < key_); }
  GCOMPILE_HD void add(Key key, Witness witness) {
    if (key_ < key || (!(key < key_) && witness < witness_)) {
      key_ = key;
      witness_ = witness;
    }
  }
  GCOMPILE_HD void merge(const ArgMax &other) { add(other.key_, other.witness_); }
  GCOMPILE_HD Key key() const { return key_; }
  GCOMPILE_HD Witness witness() const { return witness_; }

private:
  Key key_ = lowest<Key>();
  Witness witness_ = none<Witness>();
};

/// The most frequent value; of several, the smallest. The type's zero (no vertex) if nothing is added.
template <class T> class Mode {
public:
  void clear() { values_.clear(); }
  void add(T value) { values_.push_back(value); }
  void merge(const Mode &other) { values_.insert(values_.end(), other.values_.begin(), other.values_.end()); }

  T value() {
    T best = std::is_unsigned<T>::value && !std::is_same<T, bool>::value ? greatest<T>() : T();
    std::sort(values_.begin(), values_.end());
    std::size_t longest = 0;
    for (std::size_t i = 0; i < values_.size();) {
      std::size_t end = i + 1;
      while (end < values_.size() && values_[end] == values_[i])
        ++end;
      if (end - i > longest) {
        longest = end - i;
        best = values_[i];
      }
      i = end;
    }
    return best;
  }

private:
  std::vector<T> values_;
};

} // namespace gc

#endif
