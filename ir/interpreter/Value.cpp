#include "ir/interpreter/Value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

using namespace mlir;

namespace gcompile::interpreter {

bool same(const Value &a, const Value &b) {
  return std::visit(
      [&](const auto &x) {
        using T = std::decay_t<decltype(x)>;
        const T &y = b.as<T>();
        if constexpr (std::is_floating_point_v<T>)
          return x == y || (std::isnan(x) && std::isnan(y));
        else if constexpr (std::is_same_v<T, Tuple>)
          return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
        else
          return x == y;
      },
      a.is);
}

bool less(const Value &a, const Value &b) {
  return std::visit(
      [&](const auto &x) {
        using T = std::decay_t<decltype(x)>;
        const T &y = b.as<T>();
        if constexpr (std::is_same_v<T, Tuple>)
          return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), less);
        else if constexpr (std::is_same_v<T, Levels> || std::is_same_v<T, Object>)
          return false;
        else
          return x < y;
      },
      a.is);
}

Value zero(Type type) {
  if (type.isInteger(1))
    return {false};
  if (type.isInteger(32))
    return {std::int32_t(0)};
  if (type.isInteger(64))
    return {std::int64_t(0)};
  if (type.isF32())
    return {0.0F};
  if (type.isF64())
    return {0.0};
  if (isa<graph::VertexType>(type))
    return {Vertex{}};
  if (isa<graph::EdgeType>(type))
    return {Edge{}};
  if (isa<graph::SetType>(type))
    return {VertexSet()};
  Tuple elements;
  for (Type element : cast<TupleType>(type).getTypes())
    elements.push_back(zero(element));
  return {elements};
}

Value infinity(Type type, bool lowest) {
  auto of = [&](auto zero) -> Value {
    using Limits = std::numeric_limits<decltype(zero)>;
    if (Limits::has_infinity)
      return {lowest ? -Limits::infinity() : Limits::infinity()};
    return {lowest ? Limits::min() : Limits::max()};
  };
  return std::visit(
      [&](auto x) -> Value {
        if constexpr (std::is_arithmetic_v<decltype(x)> && !std::is_same_v<decltype(x), bool>)
          return of(x);
        else
          llvm_unreachable("only numbers are infinite");
      },
      zero(type).is);
}

Value constant(TypedAttr attribute) {
  if (auto truth = dyn_cast<BoolAttr>(attribute))
    return {truth.getValue()};
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (integer.getType().isInteger(32))
      return {static_cast<std::int32_t>(integer.getInt())};
    return {integer.getInt()};
  }
  double real = cast<FloatAttr>(attribute).getValueAsDouble();
  if (attribute.getType().isF32())
    return {static_cast<float>(real)};
  return {real};
}

namespace {

template <class T> bool isInf(T x) { return x == std::numeric_limits<T>::max(); }

/// The nearest number of the type: what is too great is infinite.
template <class T> T limited(__int128 x) {
  using Limits = std::numeric_limits<T>;
  return static_cast<T>(std::clamp<__int128>(x, Limits::min(), Limits::max()));
}

template <class T> T integerPower(T a, T b) {
  if (b < 0)
    return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  std::uint64_t result = 1;
  for (T i = 0; i < b; ++i)
    result *= static_cast<std::uint64_t>(a);
  return static_cast<T>(result);
}

/// The number of the type that is the same modulo two to the power of its bits.
template <class T> T wrapped(__int128 x) { return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x)); }

template <class T> T arithmetic(graph::BinaryKind kind, T a, T b, bool absorbing) {
  using Kind = graph::BinaryKind;
  if constexpr (std::is_floating_point_v<T>) {
    switch (kind) {
    case Kind::Add:
      return a + b;
    case Kind::Sub:
      return a - b;
    case Kind::Mul:
      return a * b;
    case Kind::Div:
      return a / b;
    case Kind::Rem:
      return std::fmod(a, b);
    default:
      return std::pow(a, b);
    }
  } else {
    bool divides = kind == Kind::Div || kind == Kind::Rem;
    if (divides && b == 0)
      throw std::domain_error(kind == Kind::Div ? "division by zero" : "remainder of a division by zero");
    switch (kind) {
    case Kind::Add:
      if (!absorbing)
        return wrapped<T>(__int128(a) + b);
      return isInf(a) || isInf(b) ? std::numeric_limits<T>::max() : limited<T>(__int128(a) + b);
    case Kind::Sub:
      if (!absorbing)
        return wrapped<T>(__int128(a) - b);
      return isInf(a) ? a : limited<T>(__int128(a) - b);
    case Kind::Mul:
      return wrapped<T>(__int128(a) * b);
    case Kind::Div:
      return limited<T>(__int128(a) / b);
    case Kind::Rem:
      return static_cast<T>(__int128(a) % b);
    case Kind::BitAnd:
      return a & b;
    case Kind::BitOr:
      return a | b;
    case Kind::BitXor:
      return a ^ b;
    case Kind::ShiftLeft:
      return b < 0 || b >= T(sizeof(T) * 8) ? 0 : wrapped<T>(__int128(a) * (__int128(1) << b));
    case Kind::ShiftRight: // rounds down
      return b < 0 || b >= T(sizeof(T) * 8) ? T(a < 0 ? -1 : 0) : static_cast<T>(a >> b);
    default:
      return integerPower(a, b);
    }
  }
}

/// Of truth values: the update of one by another.
bool bitwise(graph::BinaryKind kind, bool a, bool b) {
  switch (kind) {
  case graph::BinaryKind::BitAnd:
    return a && b;
  case graph::BinaryKind::BitOr:
    return a || b;
  default:
    llvm_unreachable("arithmetic is for numbers");
  }
}

} // namespace

Value binary(graph::BinaryKind kind, const Value &a, const Value &b, bool absorbing) {
  using Kind = graph::BinaryKind;
  switch (kind) {
  case Kind::Eq:
  case Kind::Ne: {
    // Not `same`: NaN differs from itself.
    bool nan = std::visit(
        [](const auto &x) {
          if constexpr (std::is_floating_point_v<std::decay_t<decltype(x)>>)
            return std::isnan(x);
          return false;
        },
        a.is);
    return {(same(a, b) && !nan) == (kind == Kind::Eq)};
  }
  case Kind::Lt:
    return {less(a, b)};
  case Kind::Gt:
    return {less(b, a)};
  case Kind::Le:
    return {less(a, b) || same(a, b)};
  case Kind::Ge:
    return {less(b, a) || same(a, b)};
  case Kind::Min:
    return less(b, a) ? b : a;
  case Kind::Max:
    return less(a, b) ? b : a;
  default:
    return std::visit(
        [&](const auto &x) -> Value {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, bool>)
            return {bitwise(kind, x, b.truth())};
          else if constexpr (std::is_arithmetic_v<T>)
            return {arithmetic<T>(kind, x, b.as<T>(), absorbing)};
          else
            llvm_unreachable("arithmetic is for numbers");
        },
        a.is);
  }
}

Value unary(graph::UnaryKind kind, const Value &a) {
  using Kind = graph::UnaryKind;
  if (kind == Kind::Not)
    return {!a.truth()};
  return std::visit(
      [&](const auto &x) -> Value {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_floating_point_v<T>) {
          switch (kind) {
          case Kind::Neg:
            return {-x};
          case Kind::Abs:
            return {std::fabs(x)};
          case Kind::Sqrt:
            return {std::sqrt(x)};
          case Kind::Exp:
            return {std::exp(x)};
          case Kind::Log:
            return {std::log(x)};
          case Kind::Floor:
            return {std::floor(x)};
          default:
            return {std::ceil(x)};
          }
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
          if (kind == Kind::Invert)
            return {static_cast<T>(-1 - x)};
          if (kind == Kind::PopCount) {
            T bits = 0;
            for (unsigned k = 0; k < sizeof(T) * 8; ++k)
              bits += static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) >> k & 1);
            return {bits};
          }
          bool negative = kind == Kind::Neg || x < 0;
          return {negative ? wrapped<T>(-__int128(x)) : x};
        } else {
          llvm_unreachable("arithmetic is for numbers");
        }
      },
      a.is);
}

Value convert(const Value &a, Type type, bool absorbing) {
  return std::visit(
      [&](const auto &x) -> Value {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_floating_point_v<T>) {
          if (type.isF32())
            return {static_cast<float>(x)};
          if (type.isF64())
            return {static_cast<double>(x)};
          if (std::isnan(x))
            return zero(type);
          bool wide = type.isInteger(64);
          double limit = wide ? 9223372036854775808.0 : 2147483648.0;
          if (static_cast<double>(x) >= limit - (wide ? 0 : 1))
            return infinity(type, false);
          if (static_cast<double>(x) <= -limit)
            return infinity(type, true);
          if (wide)
            return {static_cast<std::int64_t>(x)};
          return {static_cast<std::int32_t>(x)};
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
          if (absorbing && isInf(x))
            return infinity(type, false);
          if (type.isF32())
            return {static_cast<float>(x)};
          if (type.isF64())
            return {static_cast<double>(x)};
          if (type.isInteger(64))
            return {static_cast<std::int64_t>(x)};
          return {limited<std::int32_t>(x)};
        } else {
          llvm_unreachable("only numbers convert");
        }
      },
      a.is);
}

Value combine(graph::UpdateKind kind, const Value &old, const Value &value) {
  const UpdateTraits &update = graph::traits(kind);
  if (update.binary.empty())
    return value; // an assignment
  return binary(*graph::symbolizeBinaryKind(update.binary), old, value, update.absorbing);
}

std::int64_t hash(const std::vector<Value> &values) {
  std::uint64_t state = 0;
  for (const Value &value : values) {
    bool names = std::holds_alternative<Vertex>(value.is) || std::holds_alternative<Edge>(value.is);
    std::uint64_t input = names                                    ? value.id()
                          : std::holds_alternative<bool>(value.is) ? value.truth()
                                                                   : static_cast<std::uint64_t>(value.integer());
    std::uint64_t x = state + 0x9e3779b97f4a7c15U + input;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    state = x ^ (x >> 31);
  }
  return static_cast<std::int64_t>(state >> 1);
}

} // namespace gcompile::interpreter
