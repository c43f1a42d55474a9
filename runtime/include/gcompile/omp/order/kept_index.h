// The vertex with the best key, kept while keys change, one by one or several in a kernel.
#ifndef GCOMPILE_OMP_ORDER_KEPT_INDEX_H
#define GCOMPILE_OMP_ORDER_KEPT_INDEX_H

#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace gc {

namespace detail {

/// A vertex with its key, or none. The best one stands before all others; of equal keys that with the smallest id.
template <class V, class K, bool least, bool packs = std::is_integral<K>::value && sizeof(K) + sizeof(V) <= 8>
struct KeptEntry {
  K key = K();
  V v = none<V>();

  static KeptEntry of(K key, V v) { return {key, v}; }
  K its_key() const { return key; }
  V vertex() const { return v; }
  static KeptEntry better(KeptEntry a, KeptEntry b) { return b < a ? b : a; }
  static KeptEntry best(const KeptEntry *entries, std::size_t count) {
    return *std::min_element(entries, entries + count);
  }
  static KeptEntry best_after(KeptEntry first, const KeptEntry *entries, std::size_t count) {
    KeptEntry best;
    for (std::size_t i = 0; i < count; ++i)
      if (!(entries[i] == first))
        best = better(best, entries[i]);
    return best;
  }
  friend bool operator==(const KeptEntry &a, const KeptEntry &b) {
    return a.v == b.v && (a.v == none<V>() || a.key == b.key);
  }
  friend bool operator<(const KeptEntry &a, const KeptEntry &b) {
    if (a.v == none<V>() || b.v == none<V>())
      return a.v != none<V>() && b.v == none<V>();
    const K &first = least ? a.key : b.key, &second = least ? b.key : a.key;
    return first < second || (!(second < first) && a.v < b.v);
  }
};

/// In one word, whose order is that of the entries: words are compared many at a time.
template <class V, class K, bool least> struct KeptEntry<V, K, least, true> {
  using Bits = std::make_unsigned_t<std::conditional_t<std::is_same<K, bool>::value, std::uint8_t, K>>;
  static constexpr Bits sign = std::is_signed<K>::value ? Bits(Bits(1) << (8 * sizeof(K) - 1)) : Bits(0);
  static constexpr Bits mask = least ? sign : Bits(~sign);

  std::uint64_t word = ~std::uint64_t(0);

  static KeptEntry of(K key, V v) { return {std::uint64_t(Bits(Bits(key) ^ mask)) << 32 | v}; }
  K its_key() const { return static_cast<K>(Bits(Bits(word >> 32) ^ mask)); }
  V vertex() const { return static_cast<V>(word); }
  static KeptEntry better(KeptEntry a, KeptEntry b) { return {std::min(a.word, b.word)}; }
  static KeptEntry best(const KeptEntry *entries, std::size_t count) {
    std::uint64_t best = entries[0].word;
    for (std::size_t i = 1; i < count; ++i)
      best = std::min(best, entries[i].word);
    return {best};
  }
  /// The best one but `first`, which is the best of all: the gap to it is the least, and its own wraps to the greatest.
  static KeptEntry best_after(KeptEntry first, const KeptEntry *entries, std::size_t count) {
    const std::uint64_t from = first.word + 1;
    std::uint64_t gap = entries[0].word - from;
    for (std::size_t i = 1; i < count; ++i)
      gap = std::min(gap, entries[i].word - from);
    return {from + gap};
  }
  friend bool operator==(const KeptEntry &a, const KeptEntry &b) { return a.word == b.word; }
  friend bool operator<(const KeptEntry &a, const KeptEntry &b) { return a.word < b.word; }
};

} // namespace detail

/// The vertex whose key is the least, or else the greatest, of those that have one: a tree whose inner nodes hold the
/// best of 16 entries each. Where the best entry of nodes gets worse, the next best one of each is found for itself: no
/// level waits for the one below. An entry that gets better is compared with all nodes above it. Threads of a kernel
/// note what they change, and nobody asks before update_noted. Source of the use: S6.
template <class V, class K, bool least> class KeptIndex {
  using Entry = detail::KeptEntry<V, K, least>;
  static constexpr std::size_t fan = 16;

  /// Vertices whose keys may be others, as one thread has noted them.
  struct alignas(64) Notes {
    std::vector<V> vertices;
    bool too_many = false; // and there are more
  };

public:
  template <class A> explicit KeptIndex(const Graph<V, A> &graph) {
    std::size_t size = std::max<std::size_t>(graph.num_vertices(), 1);
    do {
      levels_.emplace_back((size + fan - 1) / fan * fan);
      rows_[depth_++] = levels_.back().data();
      size = (size + fan - 1) / fan;
    } while (size > 1);
  }

  /// `key(v)`: the key of each of `n` vertices, as std::optional<K>.
  template <class Key> void start(std::size_t n, const Key &key) {
    n_ = n;
    notes_.resize(static_cast<std::size_t>(omp_get_max_threads()));
    forget();
    for (std::size_t i = 0; i < depth_; ++i) {
      Array<Entry> &level = levels_[i];
      parallel_for(level.size() > 4096, level.size(), [&](std::size_t at) {
        if (i > 0)
          level[at] = at * fan < levels_[i - 1].size() ? best_of(i - 1, at) : Entry();
        else
          level[at] = at < n ? entry(static_cast<V>(at), key(static_cast<V>(at))) : Entry();
      });
    }
    best_ = best_of(depth_ - 1, 0);
  }

  /// The key of v is another, or v has none.
  void update(V v, std::optional<K> key) {
    Entry now = entry(v, key);
    std::size_t at = v;
    const std::size_t depth = depth_;
    const Entry before = rows_[0][at];
    if (now == before)
      return;
    if (now < before) { // how far up it is the best is a surprise each time: no branch asks
      rows_[0][at] = now;
      for (std::size_t i = 1; i < depth; ++i) {
        at /= fan;
        rows_[i][at] = Entry::better(rows_[i][at], now);
      }
      best_ = Entry::better(best_, now);
      return;
    }
    for (std::size_t i = 0; i < depth; ++i) {
      const std::size_t node = at / fan;
      if (!((i + 1 < depth ? rows_[i + 1][node] : best_) == before)) {
        rows_[i][at] = now;
        return;
      }
      const Entry next = Entry::best_after(before, rows_[i] + node * fan, fan);
      rows_[i][at] = now; // not before: wide loads of the node would wait for it
      now = Entry::better(now, next);
      at = node;
    }
    best_ = now;
  }

  /// What one thread notes.
  class Noter {
  public:
    explicit Noter(KeptIndex &index)
        : own_(index.notes_[static_cast<std::size_t>(omp_get_thread_num())]), most_(index.most_notes()) {}
    /// The key of v may be another.
    void note(V v) {
      if (own_.vertices.size() < most_)
        own_.vertices.push_back(v);
      else
        own_.too_many = true;
    }

  private:
    Notes &own_;
    std::size_t most_;
  };
  Noter noter() { return Noter(*this); }

  /// Computes the keys of the noted vertices anew, or of all where they are many.
  template <class Key> void update_noted(const Key &key) {
    if (std::any_of(notes_.begin(), notes_.end(), [](const Notes &own) { return own.too_many; }))
      return start(n_, key);
    for (const Notes &own : notes_)
      for (V v : own.vertices)
        update(v, key(v));
    forget();
  }

  /// The vertex with the best key; none if no vertex has one.
  V vertex() const { return best_.vertex(); }
  /// Its key; `otherwise` if no vertex has one.
  K key_or(K otherwise) const { return best_ == Entry() ? otherwise : best_.its_key(); }

private:
  /// How many notes of a thread are followed one by one: those of all threads cost no more than a new tree.
  std::size_t most_notes() const { return n_ / fan / notes_.size() + 1; }
  void forget() {
    for (Notes &own : notes_) {
      own.vertices.clear();
      own.too_many = false;
    }
  }
  static Entry entry(V v, std::optional<K> key) { return key ? Entry::of(*key, v) : Entry(); }
  /// The best of the entries that node `at` stands for.
  Entry best_of(std::size_t level, std::size_t at) const { return Entry::best(levels_[level].data() + at * fan, fan); }

  std::vector<Array<Entry>> levels_; // of a multiple of `fan` entries each, the last of `fan`
  Entry *rows_[16];                  // the same
  std::size_t depth_ = 0;
  Entry best_;
  std::size_t n_ = 0;
  std::vector<Notes> notes_; // by threads
};

} // namespace gc

#endif
