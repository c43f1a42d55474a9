// The vertices or arcs of a list that pass a test.
#ifndef GCOMPILE_OMP_SETS_MATCHING_H
#define GCOMPILE_OMP_SETS_MATCHING_H

#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace gc {

namespace detail {

/// Elements for which a test holds, in order, to be visited once. Many are tested before the first of them is visited,
/// and without a branch: the processor could not predict it, and would wait for what the visits of the wrong ones
/// fetch. `Finder` derives from it: find() sets found_, count_ and next_, and gives false if there are no more.
template <class Element, class Finder> class Found {
public:
  struct End {};
  class Iterator {
  public:
    explicit Iterator(Finder &finder) : finder_(finder) {}
    Element operator*() const { return finder_.found_[finder_.next_]; }
    Iterator &operator++() {
      ++finder_.next_;
      return *this;
    }
    bool operator!=(End) const { return finder_.next_ != finder_.count_ || finder_.find(); }

  private:
    Finder &finder_;
  };
  Iterator begin() { return Iterator(static_cast<Finder &>(*this)); }
  End end() const { return {}; }

protected:
  static constexpr std::size_t block_size = 64;

  std::size_t next_ = 0, count_ = 0;
  Element found_[block_size];
};

} // namespace detail

/// The elements of a range for which test(element) holds.
template <class Range, class Test>
class Matching
    : public detail::Found<std::decay_t<decltype(*std::declval<const Range &>().begin())>, Matching<Range, Test>> {
  using Element = std::decay_t<decltype(*std::declval<const Range &>().begin())>;
  using Base = detail::Found<Element, Matching>;
  friend Base;
  using Base::block_size, Base::next_, Base::count_, Base::found_;

public:
  Matching(const Range &range, const Test &test) : at_(range.begin()), end_(range.end()), test_(test) {}

private:
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
};

/// The arcs out of a vertex for which test(arc, target) holds. Where the targets of many follow each other, as in dense
/// graphs, the test gets them as numbers that count on: the compiler then tests several at once. A long list of such
/// targets is tested by all threads before its first arc is visited: then memory bounds what one of them does.
template <class V, class A, class Test> class MatchingArcs : public detail::Found<ArcId, MatchingArcs<V, A, Test>> {
  using Base = detail::Found<ArcId, MatchingArcs>;
  friend Base;
  using Base::block_size, Base::next_, Base::count_, Base::found_;

public:
  MatchingArcs(const Graph<V, A> &graph, V u, const Test &test)
      : targets_(graph.out_targets), at_(graph.out_begin(u)), end_(graph.out_end(u)), test_(test) {
    if (__builtin_expect(end_ - at_ >= worth_sharing, 0) && is_dense() && omp_get_max_threads() > 1)
      test_all();
  }

private:
  static constexpr ArcId worth_sharing = 8192;

  bool find() {
    next_ = count_ = 0;
    if (__builtin_expect(passed_ != nullptr, 0))
      return find_passed();
    while (count_ == 0 && at_ != end_) {
      const ArcId stop = end_ - at_ < block_size ? end_ : at_ + block_size;
      if (__builtin_expect(stop - at_ == block_size, 0) && counts_on(at_)) {
        bool passes[block_size];
        test_consecutive(at_, passes);
        for (std::size_t k = 0; k < block_size; k += 8) {
          std::uint64_t some;
          std::memcpy(&some, passes + k, 8);
          for (ArcId arc = at_ + k; some != 0; some >>= 8, ++arc)
            if ((some & 1) != 0)
              found_[count_++] = arc;
        }
        at_ = stop;
        continue;
      }
      std::size_t count = 0;
      for (ArcId arc = at_; arc != stop; ++arc) {
        found_[count] = arc;
        count += test_(arc, targets_[arc]) ? 1 : 0;
      }
      count_ = count;
      at_ = stop;
    }
    return count_ != 0;
  }
  /// Whether hardly a number between the first target and the last is missing, if they ascend. In another order the
  /// threads share what gains little by it.
  bool is_dense() const {
    const ArcId all = static_cast<V>(targets_[end_ - 1] - targets_[at_]);
    return all < end_ - at_ + (end_ - at_) / block_size;
  }
  /// Whether the targets of the block of arcs from `first` on do: a list may have copies, or another order.
  bool counts_on(ArcId first) const {
    const V *const targets = targets_ + first;
    if (targets[block_size - 1] - targets[0] != block_size - 1)
      return false;
    V other = 0;
    for (std::size_t k = 0; k < block_size; ++k)
      other |= targets[k] ^ static_cast<V>(targets[0] + k);
    return other == 0;
  }
  /// Tests the arcs of such a block.
  void test_consecutive(ArcId first, bool (&passes)[block_size]) const {
    const Test test = test_; // a local copy: the compiler then knows that the loop does not change it
    const std::size_t target = targets_[first];
    for (std::size_t k = 0; k < block_size; ++k)
      passes[k] = test(first + k, target + k);
  }

  [[gnu::noinline]] void test_all() {
    words_ = static_cast<std::size_t>((end_ - at_ + block_size - 1) / block_size);
    passed_.reset(new std::uint64_t[words_]);
    parallel(true, [this](const Share &mine) {
      for (auto part = mine.equal(words_); part.next();)
        for (std::size_t word = part.begin; word < part.end; ++word)
          passed_[word] = test_word(at_ + word * block_size);
    });
  }
  /// A bit for each arc of a block.
  std::uint64_t test_word(ArcId first) const {
    const ArcId stop = std::min<ArcId>(end_, first + block_size);
    std::uint64_t bits = 0;
    if (stop - first == block_size && counts_on(first)) {
      bool passes[block_size];
      test_consecutive(first, passes);
      for (std::size_t k = 0; k < block_size; k += 8) {
        std::uint64_t some;
        std::memcpy(&some, passes + k, 8);
        if (some != 0)
          bits |= (some * 0x0102040810204080 >> 56) << k; // the low bits of the bytes
      }
      return bits;
    }
    for (ArcId arc = first; arc != stop; ++arc)
      bits |= std::uint64_t(test_(arc, targets_[arc]) ? 1 : 0) << (arc - first);
    return bits;
  }
  bool find_passed() {
    for (; count_ == 0 && word_ != words_; ++word_)
      for (std::uint64_t bits = passed_[word_]; bits != 0; bits &= bits - 1)
        found_[count_++] = at_ + word_ * block_size + static_cast<unsigned>(__builtin_ctzll(bits));
    return count_ != 0;
  }

  const V *const targets_;
  ArcId at_;
  const ArcId end_;
  const Test test_;
  std::unique_ptr<std::uint64_t[]> passed_; ///< a bit for each arc, if all are tested
  std::size_t words_ = 0, word_ = 0;        ///< of them, and the next one
};

/// `for (const V u : gc::matching(graph.in_neighbors(v), [&](const V u) { ... }))`.
template <class Range, class Test> Matching<Range, Test> matching(const Range &range, const Test &test) {
  return {range, test};
}
/// `for (const gc::ArcId e : gc::matching_arcs(graph, u, [&](const gc::ArcId e, const auto v) { ... }))`. The test uses
/// v to find values by it.
template <class V, class A, class Test>
MatchingArcs<V, A, Test> matching_arcs(const Graph<V, A> &graph, detail::SameAs<V> u, const Test &test) {
  return {graph, u, test};
}

} // namespace gc

#endif
