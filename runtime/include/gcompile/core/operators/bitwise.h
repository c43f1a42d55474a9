// Updates that combine values bit by bit; each line at the end defines one operator in all its forms.
#ifndef GCOMPILE_CORE_OPERATORS_BITWISE_H
#define GCOMPILE_CORE_OPERATORS_BITWISE_H

#include <gcompile/core/operators/owner.h>
#include <gcompile/core/operators/shared.h>
#include <gcompile/core/operators/update.h>

namespace gc {

/// `COMBINED` is what an update makes of `old` and `value`. The owner's update, that of an owner whose value others
/// read, and the atomic one each return whether the value is now a different one.
#define GCOMPILE_BITWISE_OPERATOR(UPDATE, OWNER, ATOMIC, COMBINED)                                                     \
  template <class T> GCOMPILE_HD inline bool UPDATE(T &old, detail::SameAs<T> value) {                                 \
    return update_assign(old, static_cast<T>(COMBINED));                                                               \
  }                                                                                                                    \
  template <class T> GCOMPILE_HD inline bool OWNER(T &target, detail::SameAs<T> value) {                               \
    return detail::owner_update(target, [&](const T &old) { return COMBINED; });                                       \
  }                                                                                                                    \
  template <class T> GCOMPILE_HD inline bool ATOMIC(T &target, detail::SameAs<T> value) {                              \
    return detail::replace(                                                                                            \
        target, [&](T old) { return static_cast<T>(COMBINED) != old; },                                                \
        [&](T old) { return static_cast<T>(COMBINED); });                                                              \
  }

GCOMPILE_BITWISE_OPERATOR(update_or, owner_or, atomic_or, (old | value))
GCOMPILE_BITWISE_OPERATOR(update_and, owner_and, atomic_and, (old & value))
GCOMPILE_BITWISE_OPERATOR(update_xor, owner_xor, atomic_xor, (old ^ value))

#undef GCOMPILE_BITWISE_OPERATOR

} // namespace gc

#endif
