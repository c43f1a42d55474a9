// Reductions: one partial result a thread, combined in the order of the threads.
#ifndef GCOMPILE_OMP_THREADS_PER_THREAD_H
#define GCOMPILE_OMP_THREADS_PER_THREAD_H

#include <gcompile/core/operators.h>
#include <gcompile/omp/threads/threads.h>

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

  // What an operator makes of all values, in the order of the threads.
#define GCOMPILE_TOTAL(UPDATE, ATOMIC, TOTAL)                                                                          \
  T TOTAL() const {                                                                                                    \
    return fold([](T &total, const T &value) { UPDATE(total, value); });                                               \
  }
  GCOMPILE_FOR_EACH_OPERATOR(GCOMPILE_TOTAL)
#undef GCOMPILE_TOTAL
  /// The same of a reduction that the program declares.
  template <class R> T combined(R reduction) const {
    return fold([=](T &total, const T &value) { update_combine(total, value, reduction); });
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

} // namespace gc

#endif
