// Updates of several values together, compared lexicographically.
#ifndef GCOMPILE_CORE_OPERATORS_TOGETHER_H
#define GCOMPILE_CORE_OPERATORS_TOGETHER_H

#include <gcompile/core/operators/shared.h>

#include <cstddef>
#include <tuple>
#include <utility>

namespace gc {

namespace detail {

template <class... T, std::size_t... I>
GCOMPILE_HD inline std::tuple<T...> load_each(const std::tuple<T &...> &targets, std::index_sequence<I...>) {
  return std::tuple<T...>(load(std::get<I>(targets))...);
}

/// Under the lock. On a GPU a look at what is there takes longer than to write it again.
template <class T> GCOMPILE_HD inline void store_locked(T &target, const T &value) {
#ifdef __CUDA_ARCH__
  if constexpr (is_word<T>)
    return store_word(target, value);
#endif
  store(target, value);
}
template <class... T, class Values, std::size_t... I>
GCOMPILE_HD inline void store_together(const std::tuple<T &...> &targets, const Values &values,
                                       std::index_sequence<I...>) {
  (store_locked<T>(std::get<I>(targets), std::get<I>(values)), ...);
}

} // namespace detail

template <class... T>
GCOMPILE_HD inline bool update_min_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  if (std::get<0>(targets) < std::get<0>(values) || !(values < targets)) // the first one alone decides nearly always
    return false;
  targets = values;
  return true;
}
template <class... T>
GCOMPILE_HD inline bool update_max_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  if (std::get<0>(values) < std::get<0>(targets) || !(targets < values))
    return false;
  targets = values;
  return true;
}

/// The values as they stand together: no update of them is half done.
template <class... T> GCOMPILE_HD inline std::tuple<T...> load_together(std::tuple<T &...> targets) {
  detail::StripedLocks::Guard guard(&std::get<0>(targets));
  return detail::load_each(targets, std::index_sequence_for<T...>());
}

/// Under a lock that the first value's address chooses. The first value only falls, so a greater one is refused without
/// the lock.
template <class... T>
GCOMPILE_HD inline bool atomic_min_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  return detail::update_unless(
      &std::get<0>(targets), [&] { return load(std::get<0>(targets)) < std::get<0>(values); },
      [&] {
        if (!(values < targets))
          return false;
        detail::store_together(targets, values, std::index_sequence_for<T...>());
        return true;
      });
}
template <class... T>
GCOMPILE_HD inline bool atomic_max_together(std::tuple<T &...> targets, const std::tuple<T...> &values) {
  return detail::update_unless(
      &std::get<0>(targets), [&] { return std::get<0>(values) < load(std::get<0>(targets)); },
      [&] {
        if (!(targets < values))
          return false;
        detail::store_together(targets, values, std::index_sequence_for<T...>());
        return true;
      });
}

} // namespace gc

#endif
