// Bitmaps over the vertices, and lists of their members.
#ifndef GCOMPILE_OMP_SETS_BITMAP_H
#define GCOMPILE_OMP_SETS_BITMAP_H

#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// Read access to a bitmap.
struct BitView {
  const std::uint64_t *words;

  template <class V> bool contains(V v) const { return (words[v / 64] >> (v % 64)) & 1; }
};

/// One bit per vertex.
class Bitmap {
public:
  /// Makes room for n bits; all are zero if the size changes, otherwise they stay as they are.
  void resize(std::size_t n);
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
  template <class V> static bool set_atomic(std::uint64_t *words, V v) { return Share::claim_bit(words, v); }
  /// Sets bits of a word among other threads.
  void set_bits_atomic(std::size_t word, std::uint64_t bits) { Share::set_bits(words_[word], bits); }
  /// Clears a bit among other threads; whether it was set.
  template <class V> bool reset_atomic(V v) {
    const std::uint64_t bit = std::uint64_t(1) << (v % 64);
    return (__atomic_fetch_and(&words_[v / 64], ~bit, __ATOMIC_RELAXED) & bit) != 0;
  }
  /// Clears the whole word of a bit.
  template <class V> void reset_word(V v) { __atomic_store_n(&words_[v / 64], 0, __ATOMIC_RELAXED); }

  void clear() { fill(0); }
  /// Clears the words of all bits of a list, and no others of a list that is short.
  template <class V> void clear_words(const V *list, std::size_t count) {
    if (count > words_.size())
      return clear();
    parallel_for(count > 16384 && words_.size() > small_words, count, [&](std::size_t i) { reset_word(list[i]); });
  }
  /// Sets the first n bits.
  void set_all();
  /// Sets the bits of a list; neighbours in the list that share a word are set together. Threads share a long one, but
  /// not for a small bitmap, whose lines would move between their caches at every other bit.
  template <class V> void set_all(const V *list, std::size_t count) {
    parallel(count > 16384 && words_.size() > small_words, [&](const auto &mine) {
      for (auto part = mine.equal(count); part.next();)
        for (std::size_t i = part.begin; i < part.end;) {
          const V word = list[i] / 64;
          std::uint64_t bits = 0;
          for (; i < part.end && list[i] / 64 == word; ++i)
            bits |= std::uint64_t(1) << (list[i] % 64);
          mine.set_bits(words_[word], bits);
        }
    });
  }

  /// Makes room for n bits, and sets those for which test(v) holds, and no others. Threads share a wide one.
  template <class V, class Test> void set_where(bool wide, V n, const Test &test) {
    resize(n);
    parallel(wide, [&](const Share &mine) {
      for (auto part = mine.equal(words_.size()); part.next();)
        for (std::size_t word = part.begin; word < part.end; ++word) {
          std::uint64_t bits = 0;
          for (std::size_t v = word * 64, end = std::min<std::size_t>(v + 64, n); v < end; ++v)
            bits |= std::uint64_t(test(static_cast<V>(v))) << (v % 64);
          words_[word] = bits;
        }
    });
  }

  /// The number of members.
  std::size_t count() const;

  /// Writes the members in ascending order to `list`, which has room for them; returns their number.
  template <class V> std::size_t list(V *list) const;

  /// Copies the contents of a bitmap.
  void assign(const Bitmap &other);

private:
  static constexpr std::size_t block_words = 1024, small_words = 32768;

  std::size_t end(std::size_t block) const;
  void fill(std::uint64_t value);

  Array<std::uint64_t> words_;
  std::size_t n_ = 0;
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/sets/bitmap_scans.h>
#endif

#endif
