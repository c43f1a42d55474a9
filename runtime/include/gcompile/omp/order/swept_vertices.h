// Vertices that wait for lists which stay in a file.
#ifndef GCOMPILE_OMP_ORDER_SWEPT_VERTICES_H
#define GCOMPILE_OMP_ORDER_SWEPT_VERTICES_H

#include <gcompile/core/graph.h>
#include <gcompile/core/property.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

/// A work list in the order of the lists of neighbours: passes go over the file from its beginning to its end. A pass
/// takes the vertices that wait in a span of it until none is left there, and goes on to the next span where some wait.
/// So a block that has been read serves all that is asked of it, and what comes to wait further on is reached by the
/// same pass. Source: S2 (the out-of-core passes).
template <class V> class SweptVertices {
public:
  /// From here on nobody waits, of `n` vertices whose lists begin at `offsets`.
  void start(V n, const ArcId *offsets) {
    n_ = n;
    offsets_ = offsets;
    words_.resize_discard((static_cast<std::size_t>(n) + 63) / 64);
    std::fill(words_.begin(), words_.end(), 0);
    begin_ = end_ = taken_ = waiting_ = 0;
  }
  void stop() { offsets_ = nullptr; }
  bool in_use() const { return offsets_ != nullptr; }

  /// v waits. Whoever takes it sees what this thread has written.
  void add(V v) { __atomic_fetch_or(&words_[v / 64], std::uint64_t(1) << (v % 64), __ATOMIC_ACQ_REL); }

  // ---- Between rounds -----------------------------------------------------------------------------------------------

  /// Goes to the next span where vertices wait, which may be the same one, if there is any.
  bool advance() {
    const auto waits = [](std::uint64_t word) { return word != 0; };
    auto first = std::find_if(words_.begin() + begin_, words_.end(), waits);
    if (first == words_.end())
      first = std::find_if(words_.begin(), words_.begin() + begin_, waits);
    begin_ = static_cast<std::size_t>(first - words_.begin());
    if (begin_ == words_.size() || !waits(*first))
      return false;
    const ArcId most = list_of(begin_) + most_arcs;
    end_ = begin_ + 1;
    for (std::size_t step = words_.size() - end_; step > 0; step /= 2)
      while (end_ + step <= words_.size() && list_of(end_ + step) <= most)
        end_ += step;
    taken_ = begin_;
    waiting_ = 0;
    for (std::size_t word = begin_; word < end_; ++word)
      waiting_ += static_cast<std::size_t>(__builtin_popcountll(words_[word]));
    return true;
  }
  /// How many waited when the span was reached.
  std::size_t size() const { return waiting_; }

  // ---- In a round ---------------------------------------------------------------------------------------------------

  /// Calls visit(v) for some that wait in the span, up to 64, whom no other thread takes; false: the span has been gone
  /// through, and those that have come to wait meanwhile are taken in the next round.
  template <class Visit> bool take(const Visit &visit) {
    while (true) {
      const std::size_t word = __atomic_fetch_add(&taken_, 1, __ATOMIC_RELAXED);
      if (word >= end_)
        return false;
      if (__atomic_load_n(&words_[word], __ATOMIC_RELAXED) == 0)
        continue;
      for (std::uint64_t bits = __atomic_exchange_n(&words_[word], 0, __ATOMIC_ACQ_REL); bits != 0; bits &= bits - 1)
        visit(static_cast<V>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))));
      return true;
    }
  }

private:
  /// What a span has at most, unless 64 vertices have more: few blocks of the file.
  static constexpr ArcId most_arcs = ArcId(1) << 16;

  /// Where the lists of a word's vertices begin.
  ArcId list_of(std::size_t word) const { return offsets_[std::min<std::uint64_t>(std::uint64_t(word) * 64, n_)]; }

  V n_ = 0;
  const ArcId *offsets_ = nullptr;
  Array<std::uint64_t> words_;                                // a bit for each vertex
  std::size_t begin_ = 0, end_ = 0, taken_ = 0, waiting_ = 0; // words, but for the last
};

} // namespace gc

#endif
