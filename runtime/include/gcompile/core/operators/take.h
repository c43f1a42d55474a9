// Taking what has come to a sum since the last time.
#ifndef GCOMPILE_CORE_OPERATORS_TAKE_H
#define GCOMPILE_CORE_OPERATORS_TAKE_H

#include <gcompile/core/operators/shared.h>

namespace gc {

/// Raises `given` to `total` and returns by how much; 0 if that is not above. Others may do the same meanwhile, and add
/// to `total`: what they all get adds up to what `given` has been raised by.
template <class T> inline T take(T &given, const T &total) {
  const T now = load(total);
  T before = load(given);
  while (before < now)
    if (detail::exchange_word(given, before, now, true))
      return now - before;
  return T(0);
}
/// The same of a thread that works alone.
template <class T> inline T take_owned(T &given, const T &total) {
  if (!(given < total))
    return T(0);
  const T before = given;
  given = total;
  return total - before;
}

} // namespace gc

#endif
