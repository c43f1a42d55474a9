// In-arcs cut into segments by their sources, so that what a loop reads of the sources stays in the cache.
#ifndef GCOMPILE_OMP_SEGMENTS_H
#define GCOMPILE_OMP_SEGMENTS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/partition.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <vector>

/// For what goes over the lists of segments. GCC would copy the way from one list to the next, and then lack registers
/// in the loop over a list.
#if defined(__GNUC__) && !defined(__clang__)
#define GCOMPILE_OVER_SEGMENTS __attribute__((optimize("no-split-paths")))
#else
#define GCOMPILE_OVER_SEGMENTS
#endif

namespace gc {

namespace detail {

/// Points to a vertex that is stored by its distance from another one.
template <class V> class NearIterator {
public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = V;
  using difference_type = std::ptrdiff_t;
  using pointer = const V *;
  using reference = V;

  NearIterator() = default;
  NearIterator(const std::uint16_t *at, V first) : at_(at), first_(first) {}
  V operator*() const { return static_cast<V>(first_ + *at_); }
  NearIterator &operator++() {
    ++at_;
    return *this;
  }
  NearIterator operator++(int) { return {at_++, first_}; }
  friend NearIterator operator+(NearIterator a, std::ptrdiff_t n) { return {a.at_ + n, a.first_}; }
  friend bool operator==(const NearIterator &a, const NearIterator &b) { return a.at_ == b.at_; }
  friend bool operator!=(const NearIterator &a, const NearIterator &b) { return a.at_ != b.at_; }
  friend std::ptrdiff_t operator-(const NearIterator &a, const NearIterator &b) { return a.at_ - b.at_; }

private:
  const std::uint16_t *at_ = nullptr;
  V first_ = 0;
};

/// How lists of segments store ids: as they are.
template <class V, class Id> struct SegmentIds {
  using Source = const V *;
  static V vertex(Id id, V) { return id; }
  static Source source(const Id *at, V) { return at; }
};
/// As distances from the first of 65536 vertices.
template <class V> struct SegmentIds<V, std::uint16_t> {
  using Source = NearIterator<V>;
  static V vertex(std::uint16_t id, V first) { return static_cast<V>(first + id); }
  static Source source(const std::uint16_t *at, V first) { return {at, first}; }
};

} // namespace detail

namespace detail {

/// The number of arcs into some rows.
template <class V, class A> std::size_t arcs_into(const Graph<V, A> &graph, Rows<V> rows) {
  return rows.size() == 0 ? 0 : graph.in_end(rows.last - 1) - graph.in_begin(rows.first);
}

/// Segments with ids of some width.
template <class V, class Id> class CutArcs {
  using Ids = SegmentIds<V, Id>;
  static constexpr unsigned id_bits = 8 * sizeof(Id);

  struct Part {
    std::size_t list; ///< its first list
    ArcId arc;        ///< its first arc
    std::size_t run;  ///< its first run
  };
  /// The sources of a list, whose length may be a constant.
  template <class Length> struct SourcesOf {
    static constexpr bool is_short = !std::is_same_v<Length, std::uint32_t>;
    typename Ids::Source first;
    Length length;
    auto begin() const { return first; }
    auto end() const { return first + length; }
    bool empty() const { return length == 0; }
  };
  /// Lists that follow each other and are equally long.
  struct Run {
    std::uint32_t length, lists;
    V target, source; ///< the first of the blocks of vertices to which, and from which, the arcs lead
  };

public:
  static constexpr bool near = sizeof(Id) < sizeof(V); ///< whether ids are distances
  static constexpr std::size_t most_sources = near ? std::size_t(1) << id_bits : ~std::size_t(0); ///< of a segment

  /// Of that width, or of the next smaller power of two, and of most_sources at most. `by_targets`: all is one segment,
  /// and each part has all arcs into some vertices, those from each block of so many sources in runs of their own.
  template <class A> void cut(const Graph<V, A> &graph, Rows<V> rows, std::size_t width, bool by_targets);

  /// Number of segments.
  std::size_t size() const { return first_parts_.size() - 1; }
  /// Number of parts of segment s.
  std::size_t parts(std::size_t s) const { return first_parts_[s + 1] - first_parts_[s]; }
  /// The memory that they take.
  std::size_t bytes() const {
    return (targets_.size() + sources_.size()) * sizeof(Id) + parts_.size() * sizeof(Part) + runs_.size() * sizeof(Run);
  }

  /// Calls f(vertex, sources) for each list of part p of segment s; the sources ascend if the graph's lists do. The
  /// loops over short lists have no end to ask for.
  template <class F> [[gnu::always_inline]] void part(std::size_t s, std::size_t p, const F &f) const {
    const Part &first = parts_[first_parts_[s] + p], &last = parts_[first_parts_[s] + p + 1];
    const Id *target = targets_.data() + first.list, *source = sources_.data() + first.arc;
    for (const Run *each = runs_.data() + first.run, *end = runs_.data() + last.run; each != end; ++each) {
      const Run run = *each;
      const auto visit = [&](auto length) __attribute__((always_inline)) {
        const Id *const end = target + run.lists;
        for (; target != end; ++target, source += length)
          f(Ids::vertex(*target, run.target), SourcesOf<decltype(length)>{Ids::source(source, run.source), length});
      };
      switch (run.length) {
      case 1:
        visit(std::integral_constant<std::uint32_t, 1>());
        break;
      case 2:
        visit(std::integral_constant<std::uint32_t, 2>());
        break;
      case 3:
        visit(std::integral_constant<std::uint32_t, 3>());
        break;
      case 4:
        visit(std::integral_constant<std::uint32_t, 4>());
        break;
      default:
        visit(run.length);
      }
    }
  }

private:
  template <class A> void build(const Graph<V, A> &graph, Rows<V> rows);
  /// How many arcs and vertices a part has, about, where the segments have so many each. Few large parts would leave
  /// threads without one; in small ones the lists of one length are few.
  static std::size_t work_of_parts(std::size_t work);
  template <class A> void build_by_targets(const Graph<V, A> &graph, Rows<V> rows);
  /// From where the targets of v's block are counted.
  static V base_of(Rows<V> rows, V v) {
    if constexpr (near)
      return static_cast<V>(rows.first + ((v - rows.first) >> id_bits << id_bits));
    return 0;
  }
  /// Calls f(s, sources) for the sources of a list that are in one block s, as long as they follow each other.
  template <class Sources, class F> void split(const Sources &list, const F &f) const;

  /// Fills `order` with the numbers of as many lists, the shorter ones first.
  static void sort_by_length(const std::uint32_t *lengths, std::vector<std::uint32_t> &order);
  /// A block of lists at a place among all.
  struct Block {
    std::size_t list;
    ArcId arc;
    V target, source; ///< as those of runs
  };
  /// Stores the lists of the block in the order of their lengths: of the i-th, target(i), and as many of source(i),
  /// each `less` so much. Appends its runs.
  template <class Target, class Source>
  void store(const Block &block, const std::uint32_t *lengths, std::vector<std::uint32_t> &order, const Target &target,
             const Source &source, V less, std::vector<Run> &runs);
  /// Orders the lists of each part, which is one block, by their lengths.
  void order_lists(const Array<std::uint32_t> &lengths, const std::vector<Block> &of_parts);
  void append_runs(const std::vector<std::vector<Run>> &of_parts);

  /// For each block of rows, in parallel, calls `visit(block, lists)`; lists(f) calls `f(v, s, sources)` for the
  /// sources in segment s of the arcs into v.
  template <class A, class Visit>
  void for_blocks(const Graph<V, A> &graph, Rows<V> rows, std::size_t blocks, std::size_t block_size,
                  Visit visit) const;
  /// Calls `thread(mine)` on each thread; mine(f) calls f(i) for its share of the indices below `count`.
  template <class Thread> static void each(std::size_t count, const Thread &thread);

  unsigned shift_ = 0;
  Array<Id> targets_, sources_;
  std::vector<Part> parts_;
  std::vector<Run> runs_;
  std::vector<std::size_t> first_parts_;
};

} // namespace detail

/// The in-arcs of a graph in segments: segment s has the arcs whose sources are the vertices s * width to
/// (s + 1) * width - 1 for a power of two, as a compact CSR over the vertices that they lead to (Zhang et al., "Making
/// caches work for graph analytics", 2017). A segment consists of parts of similar work, in which each vertex occurs at
/// most once in the whole segment: threads share the parts of one segment, and all finish it before the next. The lists
/// of a part, most of them short, are in the order of their lengths: a processor foresees where each ends.
///
/// Where a segment has at most 65536 sources, as it always has of packed lists, ids take 16 bits, and a part leads to
/// vertices of one block of as many.
///
/// Where sources are near their targets, all is one segment, whose parts have all arcs into some vertices. Threads need
/// not meet between blocks of sources.
template <class V, class A = Plain> class Segments {
  using Near = detail::CutArcs<V, std::uint16_t>;

public:
  Segments(const Graph<V, A> &graph, std::size_t width, bool by_targets = false) {
    cut(graph, Rows<V>::all(graph), width, by_targets);
  }

  /// Number of segments.
  std::size_t size() const { return is_near_ ? near_.size() : wide_.size(); }
  /// Number of parts of segment s.
  std::size_t parts(std::size_t s) const { return is_near_ ? near_.parts(s) : wide_.parts(s); }
  /// The time that the construction took.
  double seconds() const { return seconds_; }
  /// The memory that they take.
  std::size_t bytes() const { return near_.bytes() + wide_.bytes(); }

  /// Calls f(vertex, sources) for the vertices in a part of segment s; the sources ascend if the graph's lists do.
  template <class F> [[gnu::always_inline]] void part(std::size_t s, std::size_t p, const F &f) const {
    if (is_near_)
      near_.part(s, p, f);
    else if constexpr (!packed)
      wide_.part(s, p, f);
  }

protected:
  static constexpr bool packed = std::is_same_v<A, Packed>;
  static constexpr std::size_t most_near = Near::most_sources; ///< of a segment
  /// Whether ids of segments of that width take 16 bits.
  static constexpr bool is_near(std::size_t width) { return packed || width < 2 * most_near; }

  /// To be cut later.
  Segments() = default;
  /// Of that width, or of the next smaller power of two.
  void cut(const Graph<V, A> &graph, Rows<V> rows, std::size_t width, bool by_targets);

private:
  bool is_near_ = packed;
  double seconds_ = 0;
  Near near_;
  detail::CutArcs<V, V> wide_;
};

/// Adds term(source) for each source of a list of segments. Of long lists to several sums, since an addition of real
/// numbers waits for the one before it.
template <class T, class Sources, class Term>
[[gnu::always_inline]] inline void add_each(T &sum, const Sources &sources, const Term &term) {
  auto source = sources.begin();
  if constexpr (!Sources::is_short) {
    T second = 0, third = 0, fourth = 0;
    for (; sources.end() - source >= 4; source = source + 4) {
      sum += term(*source);
      second += term(*(source + 1));
      third += term(*(source + 2));
      fourth += term(*(source + 3));
    }
    sum += second + (third + fourth);
  }
  for (; source != sources.end(); ++source)
    sum += term(*source);
}

/// Segments of a program that asks in each of its rounds whether to go by them. Where memory is left, they are cut
///
/// * the third time, if the values that are read of the sources exceed a processor's second-level cache, and most are
///   read far away from the last. A segment has as many sources as fit into half of that cache.
/// * the 24th time, if lists are short, and a processor cannot foresee where each ends: segments have them in the order
///   of their lengths. So too if lists are packed, or long ones are added up faster. Sources that are near each other,
///   or fit into the cache, are one segment.
template <class V, class A = Plain> class ChosenSegments : public Segments<V, A> {
public:
  /// `bytes` are read of each source.
  ChosenSegments(const Graph<V, A> &graph, std::size_t bytes) : ChosenSegments(graph, Rows<V>::all(graph), bytes) {}

  /// Whether to go by segments in this round. `long_lists`: what goes over them adds up long lists by add_each.
  bool pay(bool long_lists = false) {
    if (is_due()) {
      const Wish wish = find_wish(long_lists);
      decide(wish.pays && has_memory(1), wish);
    }
    return pays_;
  }

protected:
  /// Of a part of the vertices.
  ChosenSegments(const Graph<V, A> &graph, Rows<V> rows, std::size_t bytes)
      : graph_(graph), rows_(rows), bytes_(bytes) {}

  /// What segments would be like, and whether they save time. None do where there are no rows.
  struct Wish {
    bool pays = false;
    std::size_t width = 1;
    bool by_targets = false;
  };
  /// Whether to look in this round. It counts the rounds.
  bool is_due() { return !pays_ && rounds_ < late && (++rounds_ == soon || rounds_ == late); }
  Wish find_wish(bool long_lists = false) const;
  /// Whether there is memory for as many processes that all cut: a cut takes up to two ids and a length an arc, and
  /// leaves half of what there is.
  bool has_memory(std::size_t processes) const;
  void decide(bool pays, const Wish &wish) {
    pays_ = pays;
    if (pays)
      this->cut(graph_, rows_, wish.width, wish.by_targets);
  }
  bool pays() const { return pays_; }

private:
  // In rounds: a cut for the cache takes as long as it saves in five to fifteen, another in ten to twenty.
  static constexpr int soon = 3, late = 24;

  std::size_t num_arcs() const { return detail::arcs_into(graph_, rows_); }
  /// Whether lists cost more than the second look at each vertex that segments take: their ends, packed neighbours, or
  /// additions that wait for each other.
  bool save_time_in_lists(bool long_lists) const;

  const Graph<V, A> graph_;
  const Rows<V> rows_;
  const std::size_t bytes_;
  int rounds_ = 0;
  bool pays_ = false;
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/segments_cut.h>
#endif

#endif
