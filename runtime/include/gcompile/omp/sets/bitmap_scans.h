// What is done to all words of bitmaps. The library has it (bitmap.cpp), and programs only if a detector
// of races is to see it.
#ifndef GCOMPILE_OMP_SETS_BITMAP_SCANS_H
#define GCOMPILE_OMP_SETS_BITMAP_SCANS_H

#include <gcompile/omp/sets/bitmap.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gc {

namespace detail {
/// The number of bits that are set. Without an instruction for it, as in the library, by sums of ever wider fields: the
/// compiler would call a function that looks bytes up in a table.
inline std::size_t count_bits(std::uint64_t word) {
#ifdef __POPCNT__
  return static_cast<std::size_t>(__builtin_popcountll(word));
#else
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::size_t>((word * 0x0101010101010101) >> 56);
#endif
}
} // namespace detail

GCOMPILE_OF_LIBRARY void Bitmap::resize(std::size_t n) {
  if (n == n_ && words_.data())
    return;
  n_ = n;
  words_.resize_discard(n / 64 + 1);
  clear();
}

GCOMPILE_OF_LIBRARY void Bitmap::set_all() {
  fill(~std::uint64_t(0));
  words_[n_ / 64] = (std::uint64_t(1) << (n_ % 64)) - 1;
}

GCOMPILE_OF_LIBRARY std::size_t Bitmap::count() const {
  std::size_t total = 0;
  parallel(words_.size() > 16384, [&](const Share &mine) {
    std::size_t own = 0;
    for (auto part = mine.equal(words_.size()); part.next();)
      for (std::size_t w = part.begin; w < part.end; ++w)
        own += detail::count_bits(words_[w]);
    __atomic_fetch_add(&total, own, __ATOMIC_RELAXED);
  });
  return total;
}

template <class V> std::size_t Bitmap::list(V *list) const {
  const std::size_t blocks = (words_.size() + block_words - 1) / block_words;
  std::vector<std::size_t> starts(blocks + 1, 0);
  parallel_for(blocks > 8, blocks, [&](std::size_t b) {
    std::size_t count = 0;
    for (std::size_t w = b * block_words; w < end(b); ++w)
      count += detail::count_bits(words_[w]);
    starts[b + 1] = count;
  });
  for (std::size_t b = 0; b < blocks; ++b)
    starts[b + 1] += starts[b];
  parallel_for(blocks > 8, blocks, [&](std::size_t b) {
    V *out = list + starts[b];
    for (std::size_t w = b * block_words; w < end(b); ++w)
      for (std::uint64_t word = words_[w]; word; word &= word - 1)
        *out++ = static_cast<V>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
  });
  return starts[blocks];
}

GCOMPILE_OF_LIBRARY void Bitmap::assign(const Bitmap &other) {
  n_ = other.n_;
  words_.resize_discard(other.words_.size());
  if (!words_.empty())
    std::memcpy(words_.data(), other.words_.data(), words_.size() * sizeof(std::uint64_t));
}

inline std::size_t Bitmap::end(std::size_t block) const {
  const std::size_t last = (block + 1) * block_words;
  return last < words_.size() ? last : words_.size();
}

GCOMPILE_OF_LIBRARY void Bitmap::fill(std::uint64_t value) {
  const std::size_t words = words_.size();
  parallel_for(words > 65536, words, [this, value](std::size_t w) { words_[w] = value; });
}

} // namespace gc

#endif
