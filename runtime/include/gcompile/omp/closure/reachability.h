// The closure of flags: D[i, j] |= D[i, k] && D[k, j] for every k, 64 pairs in a word.
#ifndef GCOMPILE_OMP_CLOSURE_REACHABILITY_H
#define GCOMPILE_OMP_CLOSURE_REACHABILITY_H

#include <gcompile/core/property.h>
#include <gcompile/omp/closure/tile.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc::detail {
inline namespace GCOMPILE_CLOSURES {

/// Eight steps at a time. Their eight rows, as they stood before their steps, give 256 unions; which of them a row i
/// takes is decided by its flags in the eight columns, followed through the steps. Sources: Warshall; the four
/// Russians.
class Reachability {
public:
  Reachability(std::uint8_t *flags, std::size_t n)
      : flags_(flags), n_(n), words_((n + lanes * 64 - 1) / (lanes * 64) * lanes), bits_(n * words_),
        unions_(256 * words_) {}

  void run() {
    parallel_for(n_ > 256, n_, [&](std::size_t i) { pack(i); });
    for (std::size_t first = 0; first < n_; first += 8)
      close(first, std::min<std::size_t>(8, n_ - first));
    parallel_for(n_ > 256, n_, [&](std::size_t i) { unpack(i); });
  }

private:
  static constexpr std::size_t lanes = 8; ///< words that are taken together

  /// Several threads are worth their meeting for some ten thousand words.
  template <class Body> void each_row(const Body &body) { parallel_for(n_ * words_ > 100000, n_, body); }
  std::uint64_t *row(std::size_t i) { return bits_.data() + i * words_; }

  void pack(std::size_t i) {
    const std::uint8_t *const from = flags_ + i * n_;
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t word = 0;
      const std::size_t begin = std::min(w * 64, n_), end = std::min(begin + 64, n_);
      for (std::size_t j = begin; j < end; ++j)
        word |= std::uint64_t(from[j] != 0) << (j - begin);
      row(i)[w] = word;
    }
  }
  void unpack(std::size_t i) {
    std::uint8_t *const to = flags_ + i * n_;
    for (std::size_t j = 0; j < n_; ++j)
      to[j] = row(i)[j / 64] >> j % 64 & 1;
  }

  /// The flags of row i in the columns from `first` on, a multiple of 8.
  unsigned eight(std::size_t i, std::size_t first) { return row(i)[first / 64] >> first % 64 & 255; }

  /// The rows that row i takes, where it begins with these flags: each step may set those of later columns.
  static unsigned taken(unsigned flags, const unsigned (&steps)[8]) {
    unsigned rows = 0;
    for (unsigned t = 0; t < 8; ++t)
      if (flags >> t & 1) {
        rows |= 1u << t;
        flags |= steps[t];
      }
    return rows;
  }

  void close(std::size_t first, std::size_t count) {
    // The eight rows themselves: union u holds those of the rows in u, as they stood before their steps.
    unsigned steps[8] = {};
    std::uint64_t *const unions = unions_.data();
    for (std::size_t t = 0; t < count; ++t) {
      std::uint64_t *const before = unions + (std::size_t(1) << t) * words_;
      std::memcpy(before, row(first + t), words_ * sizeof(std::uint64_t));
      steps[t] = eight(first + t, first);
      for (std::size_t i = first; i < first + count; ++i)
        if (eight(i, first) >> t & 1)
          for (std::size_t w = 0; w < words_; ++w)
            row(i)[w] |= before[w];
    }
    const std::size_t sets = std::size_t(1) << count, block = 64 * lanes; // of words: what a thread makes at a time
    parallel(n_ > 1024, [&](const Share &mine) {
      for (auto part = mine.dynamic((words_ + block - 1) / block, 1); part.next();)
        for (std::size_t u = 1; u < sets; ++u)
          if (const std::size_t rest = u & (u - 1))
            for (std::size_t w = part.begin * block; w < std::min(part.end * block, words_); ++w)
              unions[u * words_ + w] = unions[rest * words_ + w] | unions[(u & -u) * words_ + w];
    });
    each_row([&](std::size_t i) {
      if (i - first < count) // done above
        return;
      if (const unsigned rows = taken(eight(i, first), steps))
        unite(row(i), unions + rows * words_);
    });
  }
  void unite(std::uint64_t *to, const std::uint64_t *from) const {
    for (std::size_t w = 0; w < words_; ++w)
      to[w] |= from[w];
  }

  std::uint8_t *const flags_;
  const std::size_t n_, words_;
  Array<std::uint64_t> bits_, unions_;
};

} // namespace GCOMPILE_CLOSURES
} // namespace gc::detail

#endif
