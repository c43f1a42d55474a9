// Functions of C++ for imports.gdsl, all of them constexpr, so that every target runs them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace steps {

constexpr int twice(int x) { return 2 * x; }
constexpr std::int64_t twice(std::int64_t x) { return 2 * x; }
constexpr double twice(const double &x) { return 2 * x; }

inline namespace counted {
constexpr std::array<int, 4> costs = {3, 1, 4, 1};

/// The cost of a step; reads a constant table.
constexpr int cost(int kind) { return costs[static_cast<std::size_t>(kind < 0 ? -(kind + 1) : kind) % costs.size()]; }
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

} // namespace steps

constexpr int halved(int x) { return x / 2; }
