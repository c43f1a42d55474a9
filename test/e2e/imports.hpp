// Functions of C++ for imports.gdsl. Every target runs them: most are constexpr, the others get a form for the device.
#pragma once

#include <gcompile/values.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace steps {

constexpr int twice(int x) { return 2 * x; }
constexpr std::int64_t twice(std::int64_t x) { return 2 * x; }
constexpr double twice(const double &x) { return 2 * x; }

inline namespace counted {
/// The cost of a step; reads a constant table, which stands inside so that a GPU has it too.
constexpr int cost(int kind) {
  constexpr std::array<int, 4> costs = {3, 1, 4, 1};
  return costs[static_cast<std::size_t>(kind < 0 ? -(kind + 1) : kind) % costs.size()];
}
} // namespace counted

/// The bits of x, by a loop over variables of its own.
constexpr int bits(std::int64_t x) {
  int count = 0;
  for (auto rest = static_cast<std::uint64_t>(x); rest != 0; rest &= rest - 1)
    ++count;
  return count;
}

/// Euclid's algorithm: calls itself.
constexpr std::int64_t divisor(std::int64_t a, std::int64_t b) { return b == 0 ? std::max(a, -a) : divisor(b, a % b); }

struct Counter {
  int count = 0;
  constexpr void add(int x) { count += x; }
  constexpr Counter &operator+=(int x) {
    add(x);
    return *this;
  }
  static constexpr int limit(int x) { return std::min(x, 7); }
};

/// Changes an object of its own.
constexpr int counted_to(int n) {
  Counter counter;
  for (int i = 0; i < n; ++i)
    counter += i;
  return counter.count;
}

constexpr bool near(float a, float b) { return (a < b ? b - a : a - b) < 1.5f; }

/// A place in the plane, which starts at the origin.
struct Place {
  double x = 0, y = 0;
};
constexpr Place place(int x, int y) { return {static_cast<double>(x), static_cast<double>(y)}; }
constexpr Place middle(const Place &a, Place b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
constexpr double apart(Place a, Place b) {
  return (a.x < b.x ? b.x - a.x : a.x - b.x) + (a.y < b.y ? b.y - a.y : a.y - b.y);
}

/// Eight bytes: some machines read and write them as one word.
template <class T> struct Two {
  T first, second;
  constexpr T sum() const { return first + second; }
};
using Pair = Two<int>;
constexpr Pair pair(int first, int second) { return {first, second}; }
constexpr int sum(const Pair &pair) { return pair.sum(); }

/// Larger than a word, with an array in it, and a constructor.
class Counts {
public:
  constexpr Counts() : counts{} {}
  constexpr Counts with(int i) const {
    Counts more = *this;
    ++more.counts[static_cast<std::size_t>(i) % 5];
    return more;
  }
  constexpr std::int64_t at(int i) const { return counts[static_cast<std::size_t>(i) % 5]; }

private:
  std::int64_t counts[5];
};
constexpr Counts one_more(Counts counts, int i) { return counts.with(i); }
constexpr std::int64_t count_of(const Counts &counts, int i) { return counts.at(i); }

// Written for CPUs: overloads, a template, an inline namespace, types of the header by value.
enum class Sense { forth, back };
inline namespace plain {
inline int third(int x) { return x / 3; }
inline double third(double x) noexcept { return std::floor(std::sqrt(x * x) / 3); }
template <class T> T shifted(const Two<T> &x) { return x.first + third(x.second); }
static inline Place away(const Place &p, Two<int> by, Sense sense) {
  static const int signs[2] = {1, -1};
  const int sign = signs[sense == Sense::forth ? 0 : 1];
  return {p.x + sign * shifted(by), p.y + third(p.x)};
}
} // namespace plain
namespace {
Place back(const Place &p) { return away(p, pair(1, 3), Sense::back); }
} // namespace
inline bool operator==(const Place &a, const Place &b) { return a.x == b.x && a.y == b.y; }
inline Place far(int x) { return back(away(place(x, 1), pair(x, 2), Sense::forth)); }

// Vertices, edges and tuples; a tuple may be a class.
struct Step {
  gdsl::vertex to;
  int length;
};
constexpr gdsl::vertex later(gdsl::vertex a, gdsl::vertex b) { return b == gdsl::vertex() || b < a ? a : b; }
constexpr gdsl::edge earlier(gdsl::edge a, gdsl::edge b) { return b < a ? b : a; }
constexpr Step shorter(Step a, const Step &b) { return b.to != gdsl::vertex() && b.length < a.length ? b : a; }
inline std::tuple<std::int64_t, int> divided(std::tuple<std::int64_t, int> both) {
  const std::int64_t a = std::get<0>(both);
  return std::tuple<std::int64_t, int>(a / std::get<1>(both), static_cast<int>(a % std::get<1>(both)));
}
constexpr std::tuple<gdsl::vertex, double> doubled(const std::tuple<gdsl::vertex, double> &x) {
  return {std::get<0>(x), 2 * std::get<1>(x)};
}

// What parameters are made of.
constexpr Place site(double x, float y) { return {x, static_cast<double>(y)}; }
constexpr Step step(gdsl::vertex to, int length);
constexpr Step step(gdsl::vertex to, int far) { return {to, 2 * far}; }
constexpr gdsl::vertex end_of(const Step &step) { return step.to; }
constexpr int length_of(const Step &step) { return step.length; }

// Templates: what C++ makes of them is called by name.
template <class T> constexpr T thrice(const T &x) { return static_cast<T>(3 * x); }
// Of these the program says the types.
template <int n, class T> constexpr T power(T x) {
  T y = 1;
  for (int i = 0; i < n; ++i)
    y *= x;
  return y;
}
template <class To> constexpr To cut(double x) { return static_cast<To>(x); }
template <class T> constexpr T origin() { return T(); }
template <class T, class U> auto joined(const Two<T> &x, U y) { return x.first + y; }

// The first may give inf by itself, the second gives it only where it is given one.
constexpr int open(int x) { return x > 2 ? 2147483647 : x; }
constexpr int shut(int x) { return x > 2 ? 7 : x; }

} // namespace steps

constexpr int halved(int x) { return x / 2; }
