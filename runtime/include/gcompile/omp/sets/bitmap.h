// Bitmaps over the vertices, and lists of their members.
#ifndef GCOMPILE_OMP_SETS_BITMAP_H
#define GCOMPILE_OMP_SETS_BITMAP_H

#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

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

/// Read access to a bitmap.
struct BitView {
  const std::uint64_t *words;

  template <class V> bool contains(V v) const { return (words[v / 64] >> (v % 64)) & 1; }
};

/// One bit per vertex.
class Bitmap {
public:
  /// Makes room for n bits; all are zero if the size changes, otherwise they stay as they are.
  void resize(std::size_t n) {
    if (n == n_ && words_.data())
      return;
    n_ = n;
    words_.resize_discard(n / 64 + 1);
    clear();
  }
  bool empty() const { return words_.empty(); }
  std::size_t bits() const { return n_; }
  std::size_t words() const { return words_.size(); }
  std::uint64_t *data() { return words_.data(); }
  const std::uint64_t *data() const { return words_.data(); }
  BitView view() const { return {words_.data()}; }

  template <class V> bool contains(V v) const { return view().contains(v); }
  template <class V> void set(V v) { words_[v / 64] |= std::uint64_t(1) << (v % 64); }
  /// Sets a bit among other threads; whether it was clear.
  template <class V> bool set_atomic(V v) { return gc::Bitmap::set_atomic(words_.data(), v); }
  template <class V> static bool set_atomic(std::uint64_t *words, V v) {
    const std::uint64_t bit = std::uint64_t(1) << (v % 64);
    if (__atomic_load_n(&words[v / 64], __ATOMIC_RELAXED) & bit)
      return false;
    return !(__atomic_fetch_or(&words[v / 64], bit, __ATOMIC_RELAXED) & bit);
  }
  /// Sets bits of a word among other threads.
  void set_bits_atomic(std::size_t word, std::uint64_t bits) {
    __atomic_fetch_or(&words_[word], bits, __ATOMIC_RELAXED);
  }
  /// Sets the bits of a list among other threads; neighbours in the list that share a word are set together.
  template <class V> void set_all_atomic(const V *list, std::size_t count) {
    for (std::size_t i = 0; i < count;) {
      const V word = list[i] / 64;
      std::uint64_t bits = 0;
      for (; i < count && list[i] / 64 == word; ++i)
        bits |= std::uint64_t(1) << (list[i] % 64);
      set_bits_atomic(word, bits);
    }
  }
  /// Clears a bit among other threads; whether it was set.
  template <class V> bool reset_atomic(V v) {
    const std::uint64_t bit = std::uint64_t(1) << (v % 64);
    return (__atomic_fetch_and(&words_[v / 64], ~bit, __ATOMIC_RELAXED) & bit) != 0;
  }
  /// Clears the whole word of a bit.
  template <class V> void reset_word(V v) { __atomic_store_n(&words_[v / 64], 0, __ATOMIC_RELAXED); }

  void clear() { fill(0); }
  /// Sets the first n bits.
  void set_all() {
    fill(~std::uint64_t(0));
    words_[n_ / 64] = (std::uint64_t(1) << (n_ % 64)) - 1;
  }

  /// The number of members.
  std::size_t count() const {
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

  /// Writes the members in ascending order to `list`, which has room for them; returns their number.
  template <class V> std::size_t list(V *list) const {
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

  /// Copies the contents of a bitmap.
  void assign(const Bitmap &other) {
    n_ = other.n_;
    words_.resize_discard(other.words_.size());
    if (!words_.empty())
      std::memcpy(words_.data(), other.words_.data(), words_.size() * sizeof(std::uint64_t));
  }

private:
  static constexpr std::size_t block_words = 1024;

  std::size_t end(std::size_t block) const {
    const std::size_t last = (block + 1) * block_words;
    return last < words_.size() ? last : words_.size();
  }
  void fill(std::uint64_t value) {
    const std::size_t words = words_.size();
    parallel_for(words > 65536, words, [this, value](std::size_t w) { words_[w] = value; });
  }

  Array<std::uint64_t> words_;
  std::size_t n_ = 0;
};

} // namespace gc

#endif
