// The vertices or arcs of a list that pass a test.
#ifndef GCOMPILE_OMP_SETS_MATCHING_H
#define GCOMPILE_OMP_SETS_MATCHING_H

#include <cstddef>
#include <type_traits>
#include <utility>

namespace gc {

/// The elements of a range for which test(element) holds, in order. Many are tested before the first of them is
/// visited, and without a branch: the processor could not predict it, and would wait for what the visits of the wrong
/// ones fetch.
template <class Range, class Test> class Matching {
  static constexpr std::size_t block_size = 64;
  using Element = std::decay_t<decltype(*std::declval<const Range &>().begin())>;

public:
  Matching(const Range &range, const Test &test) : at_(range.begin()), end_(range.end()), test_(test) {}

  struct End {};
  class Iterator {
  public:
    explicit Iterator(Matching &matching) : matching_(matching) {}
    Element operator*() const { return matching_.found_[matching_.next_]; }
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
  /// Tests elements until some have passed; false: there are no more.
  bool find() {
    next_ = count_ = 0;
    while (count_ == 0 && at_ != end_) {
      for (std::size_t left = block_size; left > 0 && at_ != end_; --left, ++at_) {
        const Element element = *at_;
        found_[count_] = element;
        count_ += test_(element) ? 1 : 0;
      }
    }
    return count_ != 0;
  }

  std::decay_t<decltype(std::declval<const Range &>().begin())> at_;
  const std::decay_t<decltype(std::declval<const Range &>().end())> end_;
  const Test test_;
  std::size_t next_ = 0, count_ = 0;
  Element found_[block_size];
};

/// Of each list once: `for (const V u : gc::matching(graph.in_neighbors(v), [&](const V u) { ... }))`.
template <class Range, class Test> Matching<Range, Test> matching(const Range &range, const Test &test) {
  return {range, test};
}

} // namespace gc

#endif
