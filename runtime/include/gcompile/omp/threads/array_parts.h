// Reductions of an array: one copy a thread where the array is short, atomic updates where it is long.
#ifndef GCOMPILE_OMP_THREADS_ARRAY_PARTS_H
#define GCOMPILE_OMP_THREADS_ARRAY_PARTS_H

#include <gcompile/core/operators.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

/// The operators of updates as types, by the names of what they make of many values: `by::sum`, `by::min`.
namespace by {
#define GCOMPILE_BY(UPDATE, ATOMIC, TOTAL)                                                                             \
  struct TOTAL {                                                                                                       \
    template <class T> static void alone(T &target, const T &value) { UPDATE(target, value); }                         \
    template <class T> static void shared(T &target, const T &value) { ATOMIC(target, value); }                        \
  };
GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_BY)
#undef GCOMPILE_BY
/// That of a reduction that the program declares.
template <class R> struct combined {
  template <class T> static void alone(T &target, const T &value) { update_combine(target, value, R()); }
  template <class T> static void shared(T &target, const T &value) { atomic_combine(target, value, R()); }
};
} // namespace by

/// What the threads of one kernel do to an array. Atomic updates of few elements would wait for each other.
template <class T, class Operator> class ArrayParts {
public:
  /// One thread's way to the array.
  class Mine {
  public:
    Mine(T *values, std::size_t size, bool alone) : values_(values), size_(size), alone_(alone) {}

    std::size_t size() const { return size_; }
    void update(std::size_t i, const T &value) const {
      if (alone_)
        Operator::alone(values_[i], value);
      else
        Operator::shared(values_[i], value);
    }

  private:
    T *values_;
    std::size_t size_;
    bool alone_;
  };

  /// `iterations`: how many the kernel has, against which the copies must not weigh.
  ArrayParts(Array<T> &array, T neutral, std::uint64_t iterations)
      : array_(array), neutral_(neutral), parts_(static_cast<std::size_t>(omp_get_max_threads())),
        copies_(parts_.size() > 1 && array.size() <= longest && array.size() * parts_.size() <= iterations) {}

  /// The calling thread's, once for each thread.
  Mine mine() {
    if (!copies_)
      return Mine(array_.data(), array_.size(), parts_.size() == 1);
    Array<T> &part = parts_[static_cast<std::size_t>(omp_get_thread_num())];
    part = Array<T>(array_.size());
    std::fill(part.begin(), part.end(), neutral_);
    return Mine(part.data(), part.size(), true);
  }

  /// After all threads: the array with what they have brought, in their order.
  void combine() {
    for (const Array<T> &part : parts_)
      for (std::size_t i = 0; i < part.size(); ++i)
        Operator::alone(array_[i], part[i]);
  }

private:
  static constexpr std::size_t longest = std::size_t(1) << 20;

  Array<T> &array_;
  T neutral_;
  std::vector<Array<T>> parts_;
  bool copies_;
};

} // namespace gc

#endif
