// The values of a result, one at a time.
#ifndef GCOMPILE_SRC_ELEMENTS_H
#define GCOMPILE_SRC_ELEMENTS_H

#include <gcompile/core/numeric.h>
#include <gcompile/core/types.h>
#include <gcompile/program/info.h>
#include <gcompile/program/outputs.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace gc::detail {

/// A value that may lie anywhere.
template <class T> T value_at(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

inline const void *element_at(const OutputView &view, std::size_t i) {
  return static_cast<const char *>(view.data) + i * view.stride;
}

/// As lines have it: in full precision, or `inf`, `-inf`, `nan`.
template <class T> void append_number(T value, std::string &out) {
  if (value == inf<T>()) {
    out += "inf";
    return;
  }
  if constexpr (std::is_floating_point<T>::value) {
    if (std::isnan(value) || std::isinf(value)) {
      out += std::isnan(value) ? "nan" : "-inf";
      return;
    }
  }
  char buffer[32];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// Whether a vertex or an edge is none.
inline bool is_none(ElementRef ref) {
  return ref.storage == Storage::uint32 ? value_at<std::uint32_t>(ref.data) == none<std::uint32_t>()
                                        : value_at<std::uint64_t>(ref.data) == none<std::uint64_t>();
}

/// The number of a vertex or an edge.
inline std::uint64_t unsigned_of(ElementRef ref) {
  return ref.storage == Storage::uint32 ? value_at<std::uint32_t>(ref.data) : value_at<std::uint64_t>(ref.data);
}

/// Of any number; that which stands for inf is infinite.
inline double real_of(ElementRef ref, ElementType type) {
  switch (type) {
  case ElementType::int32: {
    const std::int32_t value = value_at<std::int32_t>(ref.data);
    return value == inf<std::int32_t>() ? inf<double>() : value;
  }
  case ElementType::int64: {
    const std::int64_t value = value_at<std::int64_t>(ref.data);
    return value == inf<std::int64_t>() ? inf<double>() : static_cast<double>(value);
  }
  case ElementType::float32:
    return value_at<float>(ref.data);
  default:
    return value_at<double>(ref.data);
  }
}

} // namespace gc::detail

#endif
