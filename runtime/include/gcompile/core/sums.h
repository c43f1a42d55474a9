// Sums of which the parts come from elsewhere.
#ifndef GCOMPILE_CORE_SUMS_H
#define GCOMPILE_CORE_SUMS_H

#include <gcompile/core/numeric.h>

namespace gc {

/// Whether any of the numbers that make up `part` has changed the target, to which `part` was added: +1 and -1 come to
/// nothing, but each of them has. `changed`: whether the whole has. Nothing changes a target that is infinite.
template <class T> GCOMPILE_HD inline bool some_changed(bool changed, const T &target, const T &part) {
  return changed || (part == T() && target < inf<T>() && -inf<T>() < target);
}

} // namespace gc

#endif
