// The arcs of a vertex that pass a test.
#ifndef GCOMPILE_OMP_SETS_MATCHING_H
#define GCOMPILE_OMP_SETS_MATCHING_H

#include <gcompile/core/graph.h>

#include <cstddef>

namespace gc {

/// The vertices of a list for which test(v) holds, in order. Many are tested before the first of them is visited, and
/// without a branch: the processor could not predict it, and would wait for what the visits of the wrong ones fetch.
template <class V, class P, class Test> class Matching {
  static constexpr std::size_t block_size = 64;

public:
  Matching(Span<V, P> list, const Test &test) : at_(list.begin()), end_(list.end()), test_(test) {}

  struct End {};
  class Iterator {
  public:
    explicit Iterator(Matching &matching) : matching_(matching) {}
    V operator*() const { return matching_.found_[matching_.next_]; }
    Iterator &operator++() {
      ++matching_.next_;
      return *this;
    }
    bool operator!=(End) const { return matching_.next_ != matching_.count_ || matching_.find(); }

  private:
    Matching &matching_;
  };
  Iterator begin() { return Iterator(*this); }
  End end() const { return {}; }

private:
  /// Tests vertices until some have passed; false: there are no more.
  bool find() {
    next_ = count_ = 0;
    while (count_ == 0 && at_ != end_) {
      const P stop = static_cast<std::size_t>(end_ - at_) > block_size ? at_ + block_size : end_;
      for (; at_ != stop; ++at_) {
        const V v = *at_;
        found_[count_] = v;
        count_ += test_(v) ? 1 : 0;
      }
    }
    return count_ != 0;
  }

  P at_, end_;
  const Test test_;
  std::size_t next_ = 0, count_ = 0;
  V found_[block_size];
};

/// Of each list once: `for (const V u : gc::matching(graph.in_neighbors(v), [&](const V u) { ... }))`.
template <class V, class P, class Test> Matching<V, P, Test> matching(Span<V, P> list, const Test &test) {
  return {list, test};
}

} // namespace gc

#endif
