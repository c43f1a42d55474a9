// Claims: a value changes from what is expected to what is desired, once.
#ifndef GCOMPILE_CORE_OPERATORS_CLAIM_H
#define GCOMPILE_CORE_OPERATORS_CLAIM_H

#include <gcompile/core/operators/shared.h>

namespace gc {

/// Changes `expected` to `desired` in a value that only this thread touches; whether it did.
template <class T>
GCOMPILE_HD inline bool claim_owned(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
  if (!(target == expected))
    return false;
  target = desired;
  return true;
}

/// Changes `expected` to `desired`; true for the one thread that did.
template <class T> GCOMPILE_HD inline bool claim(T &target, detail::SameAs<T> expected, detail::SameAs<T> desired) {
  if constexpr (detail::is_word<T>) {
    return load(target) == expected && detail::exchange_word(target, expected, desired, false);
  } else {
    detail::StripedLocks::Guard guard(&target);
    return claim_owned(target, expected, desired);
  }
}

} // namespace gc

#endif
