// Functions of C++ for combiners.gdsl that reductions are made of, all of them constexpr, so that every target runs
// them.
#pragma once

#include <gcompile/values.h>

#include <cstdint>
#include <tuple>

namespace route {

/// Euclid's algorithm; 0 is neutral.
constexpr std::int64_t divisor(std::int64_t a, std::int64_t b) {
  while (b != 0) {
    const std::int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/// A sum of numbers that are not negative, up to a limit.
constexpr int capped(int a, int b) { return a + b < 40 ? a + b : 40; }

constexpr bool different(bool a, bool b) { return a != b; }

/// The larger one, whose overload is chosen by the type of the reduction.
constexpr int larger(int a, int b) { return a < b ? b : a; }
constexpr float larger(float a, float b) { return a < b ? b : a; }
constexpr double larger(double a, double b) { return a < b ? b : a; }

/// 8 bytes, aligned to 4: the vertex with the best key, of several the one with the least number.
struct Best {
  float key = -1;
  int who = 1 << 30;
  constexpr bool operator==(const Best &other) const { return key == other.key && who == other.who; }
};
constexpr Best of(int key, int who) { return {static_cast<float>(key), who}; }
constexpr Best better(const Best &a, const Best &b) {
  return a.key > b.key || (a.key == b.key && a.who < b.who) ? a : b;
}
constexpr Best worst() { return {}; }
constexpr int who(Best x) { return x.key < 0 ? -1 : x.who; }

/// 16 bytes: what lies between the least and the greatest of some numbers.
struct Span {
  std::int64_t low = INT64_MAX, high = INT64_MIN;
};
constexpr Span at(std::int64_t x) { return {x, x}; }
constexpr Span joined(Span a, Span b) { return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}; }
constexpr Span nothing() { return {}; }
constexpr std::int64_t low(Span x) { return x.low; }
constexpr std::int64_t high(Span x) { return x.high; }

/// 2 bytes, and 12.
struct Pair {
  std::int8_t first = -128, second = -128;
};
constexpr Pair pair(int first, int second) {
  return {static_cast<std::int8_t>(first % 100), static_cast<std::int8_t>(second % 100)};
}
constexpr Pair both(Pair a, Pair b) {
  return {a.first < b.first ? b.first : a.first, a.second < b.second ? b.second : a.second};
}
constexpr int first(Pair x) { return x.first; }
constexpr int second(Pair x) { return x.second; }

struct Three {
  int x = 0, y = 0, z = 0;
  constexpr bool operator==(Three other) const { return x == other.x && y == other.y && z == other.z; }
};
constexpr Three three(int x) { return {x, x + 1, 1}; }
constexpr Three added(Three a, Three b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Three nil() { return {}; }
constexpr int sum(Three a) { return a.x + 2 * a.y + 4 * a.z; }

/// Tuples and vertices of the program.
struct Arrival {
  int time;
  gdsl::vertex from;
};
constexpr Arrival sooner(const Arrival &a, const Arrival &b) {
  return b.time < a.time || (b.time == a.time && b.from < a.from) ? b : a;
}
constexpr std::tuple<std::int64_t, int> tally(const std::tuple<std::int64_t, int> &a, std::tuple<std::int64_t, int> b) {
  return {std::get<0>(a) + std::get<0>(b), larger(std::get<1>(a), std::get<1>(b))};
}
constexpr gdsl::vertex lower(gdsl::vertex a, gdsl::vertex b) { return b < a ? b : a; }

} // namespace route
