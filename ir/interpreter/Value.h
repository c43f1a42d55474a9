// The values of the language, as the interpreter holds them.
#pragma once

#include "ir/graph/GraphDialect.h"
#include <cstdint>
#include <memory>
#include <set>
#include <variant>
#include <vector>

namespace gcompile::interpreter {

/// Number of the vertex or edge that does not exist.
constexpr std::uint64_t noId = ~std::uint64_t(0);

struct Vertex {
  std::uint64_t id = noId;
};
struct Edge {
  std::uint64_t id = noId; // the arc's position in the out-adjacency
};
inline bool operator==(Vertex a, Vertex b) { return a.id == b.id; }
inline bool operator<(Vertex a, Vertex b) { return a.id < b.id; }
inline bool operator==(Edge a, Edge b) { return a.id == b.id; }
inline bool operator<(Edge a, Edge b) { return a.id < b.id; }

using VertexSet = std::set<std::uint64_t>;
struct Value;
using Tuple = std::vector<Value>;
using Levels = std::vector<VertexSet>;

/// A value of a class of C++, byte by byte.
struct Object {
  std::vector<unsigned char> bytes;
};
inline bool operator==(const Object &a, const Object &b) { return a.bytes == b.bytes; }

/// One value. Numbers have exactly the type of their operation; sets are ascending.
struct Value {
  std::variant<bool, std::int32_t, std::int64_t, float, double, Vertex, Edge, Tuple, VertexSet, Levels, Object> is;

  template <class T> const T &as() const { return std::get<T>(is); }
  bool truth() const { return as<bool>(); }
  std::uint64_t id() const { return std::holds_alternative<Vertex>(is) ? as<Vertex>().id : as<Edge>().id; }
  /// An int or a long.
  std::int64_t integer() const {
    return std::holds_alternative<std::int32_t>(is) ? as<std::int32_t>() : as<std::int64_t>();
  }
};

/// Identity, for "did it change": NaN is the same as itself.
bool same(const Value &a, const Value &b);
/// The order of the language: tuples from the left, `none` last.
bool less(const Value &a, const Value &b);

/// 0, false, none, the empty set, or a tuple of these.
Value zero(mlir::Type type);
/// inf, or -inf (`lowest`) of a number type.
Value infinity(mlir::Type type, bool lowest);
Value constant(mlir::TypedAttr attribute);

/// a KIND b of one type. Integers wrap around in two's complement; in sums and differences that are `absorbing`, an
/// infinite one absorbs and one too great is infinite. Throws std::domain_error on division of integers by zero.
Value binary(graph::BinaryKind kind, const Value &a, const Value &b, bool absorbing = false);
Value unary(graph::UnaryKind kind, const Value &a);
/// A number in another type: fractions are cut off, and what is beyond a narrower type gives its limits. In a wider
/// type an infinite integer stays infinite if the conversion is `absorbing`.
Value convert(const Value &a, mlir::Type type, bool absorbing);
Value combine(graph::UpdateKind kind, const Value &old, const Value &value);
/// The mixer of `hash(...)`: not negative, the same as in compiled programs.
std::int64_t hash(const std::vector<Value> &values);

} // namespace gcompile::interpreter
