// Reductions: one partial result a thread, combined in their order.
#ifndef GCOMPILE_OMP_THREADS_PER_THREAD_H
#define GCOMPILE_OMP_THREADS_PER_THREAD_H

#include <gcompile/core/operators.h>
#include <gcompile/omp/threads/threads.h>

#include <cstddef>
#include <vector>

namespace gc {

namespace detail {

/// Values that are combined in their order, each on cache lines of its own.
template <class T> class Partial {
public:
  Partial(std::size_t count, T neutral) : neutral_(neutral), values_(count, Padded{neutral}) {}

  /// Calls visit(value) for each of them, in order.
  template <class Visit> void each(Visit visit) const {
    for (const Padded &padded : values_)
      visit(padded.value);
  }
  template <class Visit> void each(Visit visit) {
    for (Padded &padded : values_)
      visit(padded.value);
  }

  // What an operator makes of all values.
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

protected:
  T &at(std::size_t i) { return values_[i].value; }

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

} // namespace detail

/// One value for each thread of the parallel regions to come.
template <class T> class PerThread : public detail::Partial<T> {
public:
  explicit PerThread(T neutral = T()) : detail::Partial<T>(static_cast<std::size_t>(omp_get_max_threads()), neutral) {}

  /// The calling thread's value.
  T &mine() { return this->at(static_cast<std::size_t>(omp_get_thread_num())); }
};

} // namespace gc

#endif
