// The mode: the most frequent of the values that a kernel adds.
#ifndef GCOMPILE_OMP_ALGORITHMS_MODE_H
#define GCOMPILE_OMP_ALGORITHMS_MODE_H

#include <gcompile/core/numeric.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace gc {

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
