// Updates of values that one thread changes while others read them. Each returns whether the value is now a different
// one.
#ifndef GCOMPILE_CORE_OPERATORS_OWNER_H
#define GCOMPILE_CORE_OPERATORS_OWNER_H

#include <gcompile/core/operators/shared.h>

namespace gc {

namespace detail {

template <class T, class Next> GCOMPILE_HD inline bool owner_update(T &target, Next next) {
  const T old = load(target);
  const T value = static_cast<T>(next(old));
  if (!differ(value, old))
    return false;
  store(target, value);
  return true;
}

} // namespace detail

template <class T> GCOMPILE_HD inline bool owner_add(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old + value; });
}
template <class T> GCOMPILE_HD inline bool owner_add_inf(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return add_inf(old, value); });
}
template <class T> GCOMPILE_HD inline bool owner_multiply(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old * value; });
}
template <class T> GCOMPILE_HD inline bool owner_min(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return value < old ? value : old; });
}
template <class T> GCOMPILE_HD inline bool owner_max(T &target, detail::SameAs<T> value) {
  return detail::owner_update(target, [&](const T &old) { return old < value ? value : old; });
}

} // namespace gc

#endif
