// Values of the language in functions of C++: vertices, edges, and tuples, which may be classes there.
#ifndef GCOMPILE_VALUES_H
#define GCOMPILE_VALUES_H

#include "gcompile/core/types.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gdsl {

namespace detail {
struct Access;
}

/// A vertex of the graph that a program runs on, or none. A function takes it, compares it, keeps it and gives it; it
/// cannot make one of a number. The order is that of the program.
class vertex {
public:
  constexpr vertex() = default; ///< none
  friend GCOMPILE_HD constexpr bool operator==(vertex a, vertex b) { return a.id_ == b.id_; }
  friend GCOMPILE_HD constexpr bool operator!=(vertex a, vertex b) { return a.id_ != b.id_; }
  friend GCOMPILE_HD constexpr bool operator<(vertex a, vertex b) { return a.id_ < b.id_; }

private:
  friend struct detail::Access;
  std::uint64_t id_ = gc::none<std::uint64_t>();
};

/// An edge of that graph, or none: as `vertex`.
class edge {
public:
  constexpr edge() = default; ///< none
  friend GCOMPILE_HD constexpr bool operator==(edge a, edge b) { return a.id_ == b.id_; }
  friend GCOMPILE_HD constexpr bool operator!=(edge a, edge b) { return a.id_ != b.id_; }
  friend GCOMPILE_HD constexpr bool operator<(edge a, edge b) { return a.id_ < b.id_; }

private:
  friend struct detail::Access;
  std::uint64_t id_ = gc::none<std::uint64_t>();
};

namespace detail {

template <class T> constexpr bool isId = std::is_same<T, vertex>::value || std::is_same<T, edge>::value;
template <class T> struct IsTuple : std::false_type {};
template <class... Ts> struct IsTuple<std::tuple<Ts...>> : std::true_type {};

/// What generated programs do with values that functions of C++ take and give.
struct Access {
  /// A value of the language as one of C++, or back: an id as the program or as a header has it, a tuple of such
  /// values, an aggregate as a tuple of exactly its members, or anything that is the same in both.
  template <class To, class From> GCOMPILE_HD static constexpr To as(const From &from) {
    if constexpr (std::is_same<To, From>::value) {
      return from;
    } else if constexpr (isId<To>) {
      To to;
      to.id_ = from == gc::none<From>() ? gc::none<std::uint64_t>() : from;
      return to;
    } else if constexpr (isId<From>) {
      return static_cast<To>(from.id_); // none has all bits in each width
    } else if constexpr (!IsTuple<To>::value) {
      return made<To>(from, std::make_index_sequence<std::tuple_size<From>::value>());
    } else if constexpr (IsTuple<From>::value) {
      return each<To>(from, std::make_index_sequence<std::tuple_size<To>::value>());
    } else {
      return members<To>(from, std::integral_constant<std::size_t, std::tuple_size<To>::value>());
    }
  }

private:
  template <class To, class From, std::size_t... i>
  GCOMPILE_HD static constexpr To each(const From &from, std::index_sequence<i...>) {
    return To(as<std::tuple_element_t<i, To>>(std::get<i>(from))...);
  }
  template <class To, class From, std::size_t... i>
  GCOMPILE_HD static constexpr To made(const From &from, std::index_sequence<i...>) {
    return To{std::get<i>(from)...};
  }
  template <class To, class From>
  GCOMPILE_HD static constexpr To members(const From &from, std::integral_constant<std::size_t, 2>) {
    const auto &[a, b] = from;
    return To(a, b);
  }
  template <class To, class From>
  GCOMPILE_HD static constexpr To members(const From &from, std::integral_constant<std::size_t, 3>) {
    const auto &[a, b, c] = from;
    return To(a, b, c);
  }
  template <class To, class From>
  GCOMPILE_HD static constexpr To members(const From &from, std::integral_constant<std::size_t, 4>) {
    const auto &[a, b, c, d] = from;
    return To(a, b, c, d);
  }
  template <class To, class From>
  GCOMPILE_HD static constexpr To members(const From &from, std::integral_constant<std::size_t, 5>) {
    const auto &[a, b, c, d, e] = from;
    return To(a, b, c, d, e);
  }
  template <class To, class From>
  GCOMPILE_HD static constexpr To members(const From &from, std::integral_constant<std::size_t, 6>) {
    const auto &[a, b, c, d, e, f] = from;
    return To(a, b, c, d, e, f);
  }
};

} // namespace detail
} // namespace gdsl

namespace gc {

/// A value of the language as one of C++, or back.
template <class To, class From> GCOMPILE_HD constexpr To as(const From &from) {
  return gdsl::detail::Access::as<To>(from);
}

} // namespace gc

#endif
