// Arrays whose length a program computes.
#ifndef GCOMPILE_CORE_ARRAY_H
#define GCOMPILE_CORE_ARRAY_H

#include <gcompile/core/memory.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/property.h>

#include <algorithm>
#include <cstdint>

namespace gc {

/// Gives an array its length, which must not be negative, and all of its elements the same value.
template <class T> void start(Array<T> &array, std::int64_t length, const detail::SameAs<T> &value, const char *where) {
  if (length < 0)
    fail_runtime(where, "the length of the array is negative");
  const auto size = static_cast<std::size_t>(length);
  if (size > array.size())
    require_array(size, sizeof(T), where);
  array.resize_discard(size);
  std::fill(array.begin(), array.end(), value);
}

} // namespace gc

#endif
