// Updates of values that one thread owns. Each returns whether the value is now a different one.
#ifndef GCOMPILE_CORE_OPERATORS_UPDATE_H
#define GCOMPILE_CORE_OPERATORS_UPDATE_H

#include <gcompile/core/numeric.h>

namespace gc {

template <class T> GCOMPILE_HD inline bool update_assign(T &target, detail::SameAs<T> value) {
  const bool changed = differ(target, value);
  target = value;
  return changed;
}
template <class T> GCOMPILE_HD inline bool update_add(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target + value));
}
/// Infinity absorbs.
template <class T> GCOMPILE_HD inline bool update_add_inf(T &target, detail::SameAs<T> value) {
  return update_assign(target, add_inf(target, value));
}
template <class T> GCOMPILE_HD inline bool update_multiply(T &target, detail::SameAs<T> value) {
  return update_assign(target, static_cast<T>(target * value));
}
template <class T> GCOMPILE_HD inline bool update_min(T &target, detail::SameAs<T> value) {
  if (!(value < target))
    return false;
  target = value;
  return true;
}
template <class T> GCOMPILE_HD inline bool update_max(T &target, detail::SameAs<T> value) {
  if (!(target < value))
    return false;
  target = value;
  return true;
}

} // namespace gc

#endif
