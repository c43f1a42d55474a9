// Closures of pairs in tiles of the size that a GPU has, against the plain loop, bit by bit.
#include "cuda_runtime.h"

#include <gcompile/cuda/closure/close_pairs.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T> using Matrix = std::vector<T>;

struct LeastSum {
  template <class T> T operator()(T own, T column, T row, unsigned, unsigned, unsigned) const {
    const T infinity = gc::inf<T>();
    const T sum = column == infinity || row == infinity ? infinity : column + row;
    return sum < own ? sum : own;
  }
};
struct Widest {
  template <class T> T operator()(T own, T column, T row, unsigned, unsigned, unsigned) const {
    const T width = column < row ? column : row;
    return own < width ? width : own;
  }
};
struct Reaches {
  std::uint8_t operator()(std::uint8_t own, std::uint8_t column, std::uint8_t row, unsigned, unsigned, unsigned) const {
    return own | (column & row);
  }
};
/// Neither idempotent nor symmetric, and different for each pair and step.
struct Mixed {
  std::uint64_t operator()(std::uint64_t own, std::uint64_t column, std::uint64_t row, unsigned i, unsigned j,
                           unsigned k) const {
    return (own ^ (column * 3 + row)) * 0x9e3779b97f4a7c15 + i * 7 + j * 5 + k;
  }
};

using Pair = std::tuple<std::int32_t, std::uint32_t>;
/// With the vertex of element [i, k], or of [k, j].
template <int from> struct LeastPair {
  Pair operator()(Pair own, Pair column, Pair row, unsigned, unsigned, unsigned) const {
    return std::min(own, Pair(gc::add_inf(std::get<0>(column), std::get<0>(row)), std::get<1>(from ? row : column)));
  }
};

template <class T, class Step> Matrix<T> plain(Matrix<T> d, unsigned n, const Step &step) {
  Matrix<T> row(n), column(n);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned v = 0; v < n; ++v) {
      row[v] = d[k * n + v];
      column[v] = d[v * n + k];
    }
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j)
        d[i * n + j] = step(d[i * n + j], column[i], row[j], i, j, k);
  }
  return d;
}

template <class T> std::string text(T value) { return std::to_string(value); }
std::string text(const Pair &pair) { return text(std::get<0>(pair)) + " by " + text(std::get<1>(pair)); }

/// `known`: what the runtime is told of the step, if anything.
template <class T, class Step, class... Known>
void compare(const Matrix<T> &before, unsigned n, const Step &step, Known... known) {
  gc::cuda::Dense<T> d(n);
  ASSERT_EQ(cudaMemcpy(d.view().values, before.data(), before.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  gc::cuda::close_pairs(d, known..., step);
  Matrix<T> found(before.size());
  ASSERT_EQ(cudaMemcpy(found.data(), d.view().values, found.size() * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  const Matrix<T> expected = plain(before, n, step);
  for (std::size_t e = 0; e < found.size(); ++e)
    ASSERT_EQ(std::memcmp(&found[e], &expected[e], sizeof(T)), 0)
        << n << " vertices, " << text(found[e]) << " for " << text(expected[e]) << " at [" << e / n << ", " << e % n
        << ']';
}

template <class T, class F> Matrix<T> matrix(unsigned n, const F &element) {
  std::mt19937 random(n);
  Matrix<T> result(std::size_t(n) * n);
  for (T &value : result)
    value = element(random);
  return result;
}
template <class T> Matrix<T> lengths(unsigned n, T unit) {
  return matrix<T>(n, [&](std::mt19937 &random) { return random() % 8 ? gc::inf<T>() : T(random() % 500) * unit; });
}

// A tile has 128 rows of up to 4 bytes, or 64 of longer elements.
constexpr unsigned edges[] = {1, 127, 128, 129, 260, 385};

TEST(Closures, LeastSums) {
  for (const unsigned n : edges) {
    compare(lengths<std::int32_t>(n, 1), n, LeastSum(), gc::ShortestPaths());
    compare(lengths<float>(n, 0.3F), n, LeastSum(), gc::ShortestPaths());
  }
  for (const unsigned n : {63u, 65u, 131u}) {
    compare(lengths<std::int64_t>(n, 1), n, LeastSum(), gc::ShortestPaths());
    compare(lengths<double>(n, 0.3), n, LeastSum(), gc::ShortestPaths());
  }
}

// 16 bits hold numbers whose closure is less than 2^15 - 1 less the greatest one of them; two tiles have 512 columns.
TEST(Closures, LeastSumsInFewerBits) {
  for (const unsigned n : {257u, 520u}) {
    compare(lengths<std::int32_t>(n, 1), n, LeastSum(), gc::ShortestPaths());
    compare(lengths<std::int64_t>(n, 1), n, LeastSum(), gc::ShortestPaths());
  }
  for (const unsigned n : {1u, 131u, 260u})
    compare(lengths<std::int64_t>(n, 1 << 21), n, LeastSum(), gc::ShortestPaths());
  const unsigned n = 258, arcs = n - 1;
  for (const unsigned total : {arcs * 127, 32767u - 129, 32767u - 128, 32766u, 32767u, 40000u}) {
    Matrix<std::int32_t> path(std::size_t(n) * n, gc::inf<std::int32_t>());
    for (unsigned v = 0; v < arcs; ++v) // against the order of steps
      path[(v + 1) * n + v] = std::int32_t(total / arcs + (v < total % arcs));
    compare(path, n, LeastSum(), gc::ShortestPaths());
  }
  for (const std::int32_t greatest : {255, 256, 16383, 16384, 32766, 32767})
    compare(matrix<std::int32_t>(n,
                                 [&](std::mt19937 &random) {
                                   return random() % 90 ? gc::inf<std::int32_t>() : greatest - int(random() % 3);
                                 }),
            n, LeastSum(), gc::ShortestPaths());
}

TEST(Closures, FloatsThatAreNotInTheOrderOfTheirBits) {
  for (const float other : {-0.0F, -1.5F, -gc::inf<float>(), std::numeric_limits<float>::quiet_NaN(),
                            -std::numeric_limits<float>::quiet_NaN()})
    for (const unsigned place : {0u, 1u, 131u, 16899u}) {
      Matrix<float> d = matrix<float>(130, [](std::mt19937 &random) { return random() % 3 ? 8.0F : 0.0F; });
      d[place] = other;
      compare(d, 130, LeastSum(), gc::ShortestPaths());
    }
}

TEST(Closures, SumsOfFloatsToInfinity) {
  const float greatest = std::numeric_limits<float>::max();
  compare(matrix<float>(129,
                        [&](std::mt19937 &random) {
                          const unsigned kind = random() % 5;
                          return kind == 0   ? 0
                                 : kind == 1 ? greatest
                                 : kind == 2 ? greatest / 3
                                 : kind == 3 ? 1e-42F
                                             : gc::inf<float>();
                        }),
          129, LeastSum(), gc::ShortestPaths());
}

TEST(Closures, NegativeNumbers) {
  compare(
      matrix<std::int32_t>(
          130, [](std::mt19937 &random) { return random() % 9 ? gc::inf<std::int32_t>() : int(random() % 90) - 3; }),
      130, LeastSum(), gc::ShortestPaths());
}

// Lengths whose sums pass infinity, too, and infinite ones with vertices, which count.
TEST(Closures, PathsWithVertices) {
  const auto greatest = std::int64_t(gc::inf<std::int32_t>());
  for (const unsigned n : {1u, 63u, 64u, 65u, 131u, 200u})
    for (const std::int64_t most : {std::int64_t(5), std::int64_t(100), greatest / 3, greatest - 1})
      for (const unsigned one_in : {1u, 4u, 40u}) {
        const Matrix<Pair> pairs = matrix<Pair>(n, [&](std::mt19937 &random) {
          const bool there = random() % one_in == 0;
          return Pair(there ? std::int32_t(random() % std::uint64_t(most + 1)) : gc::inf<std::int32_t>(),
                      there || random() % 4 == 0 ? random() % n : gc::none<std::uint32_t>());
        });
        compare(pairs, n, LeastPair<0>(), gc::PathsByFirst());
        compare(pairs, n, LeastPair<1>(), gc::PathsByLast());
        if (HasFatalFailure())
          FAIL() << "lengths up to " << most << ", one in " << one_in;
      }
}

TEST(Closures, PathsThatAreNoNumbers) {
  for (const Pair &other :
       {Pair(-1, 3), Pair(gc::lowest<std::int32_t>(), 0), Pair(7, (1u << 22) - 1), Pair(7, 1u << 22)})
    for (const unsigned place : {0u, 17u, 4224u}) {
      Matrix<Pair> d = matrix<Pair>(65, [](std::mt19937 &random) { return Pair(random() % 90, random() % 65); });
      d[place] = other;
      compare(d, 65, LeastPair<1>(), gc::PathsByLast());
    }
}

TEST(Closures, WidestPaths) {
  for (const unsigned n : edges)
    compare(
        matrix<std::int32_t>(
            n, [](std::mt19937 &random) { return random() % 8 ? gc::lowest<std::int32_t>() : std::int32_t(random()); }),
        n, Widest(), gc::WidestPaths());
  compare(matrix<std::int64_t>(66, [](std::mt19937 &random) { return std::int64_t(random()); }), 66, Widest(),
          gc::WidestPaths());
}

TEST(Closures, Flags) {
  for (const unsigned n : edges)
    compare(matrix<std::uint8_t>(n, [&](std::mt19937 &random) { return random() % (n / 2 + 1) == 0; }), n, Reaches(),
            gc::TransitiveClosure());
}

// A tile has 2048 columns.
TEST(Closures, FlagsOfSeveralTilesInARow) {
  const unsigned n = 2100;
  Matrix<std::uint8_t> d(std::size_t(n) * n);
  for (const unsigned v : {5u, 130u, 700u, 2047u, 2048u, 2098u}) {
    d[v * n + (v * 7 + 3) % n] = 1;
    for (unsigned other : {5u, 130u, 700u, 2047u, 2048u, 2098u})
      d[other * n + v] = other < v;
    d[(v + 1) * n + v] = 1;
  }
  gc::cuda::Dense<std::uint8_t> device(n);
  ASSERT_EQ(cudaMemcpy(device.view().values, d.data(), d.size(), cudaMemcpyHostToDevice), cudaSuccess);
  gc::cuda::close_pairs(device, gc::TransitiveClosure(), Reaches());
  Matrix<std::uint8_t> found(d.size());
  ASSERT_EQ(cudaMemcpy(found.data(), device.view().values, d.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  for (unsigned k = 0; k < n; ++k) // a row by itself changes nothing
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; d[i * n + k] && j < n; ++j)
        d[i * n + j] |= d[k * n + j];
  EXPECT_TRUE(found == d);
}

TEST(Closures, AnyStep) {
  for (const unsigned n : {1u, 64u, 130u, 195u})
    compare(matrix<std::uint64_t>(n, [](std::mt19937 &random) { return random(); }), n, Mixed());
}

} // namespace
