// Values of edge columns as numbers that sort as they do.
#ifndef GCOMPILE_SRC_ORDER_KEY_H
#define GCOMPILE_SRC_ORDER_KEY_H

#include "scan.h"

#include <cstdint>
#include <type_traits>

namespace gc::detail {

/// Bits of a column's value as an unsigned number that ascends with the value, and back.
template <class T> std::uint64_t order_key(T value) {
  if constexpr (std::is_floating_point<T>::value) {
    const std::uint64_t bits = bits_of(static_cast<double>(value));
    return bits >> 63 ? ~bits : bits | (std::uint64_t(1) << 63);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ (std::uint64_t(1) << 63);
  }
}

template <class T> T from_order_key(std::uint64_t key) {
  if constexpr (std::is_floating_point<T>::value)
    return static_cast<T>(real_of(key >> 63 ? key ^ (std::uint64_t(1) << 63) : ~key));
  else
    return static_cast<T>(static_cast<std::int64_t>(key ^ (std::uint64_t(1) << 63)));
}

} // namespace gc::detail

#endif
