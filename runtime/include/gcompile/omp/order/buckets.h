// Vertices in the order of a priority: delta-stepping (Meyer and Sanders 2003) with bucket fusion (Zhang et al. 2020).
#ifndef GCOMPILE_OMP_ORDER_BUCKETS_H
#define GCOMPILE_OMP_ORDER_BUCKETS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/operators.h>
#include <gcompile/core/priority_levels.h>
#include <gcompile/omp/order/entry_list.h>
#include <gcompile/omp/order/swept_vertices.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <vector>

namespace gc {

/// Weights and degrees, looked at here and there.
struct WidthSample {
  double weights = 0, degrees = 0;
  std::uint64_t finite = 0, ends = 0; ///< how many

  /// Adds those of every step-th weight from `begin` to `end`, of `count`.
  template <class W> void add_weights(const W *all, std::uint64_t count, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t step = std::max<std::uint64_t>(count / most, 1);
    for (std::uint64_t i = (begin + step - 1) / step * step; i < end; i += step)
      if (all[i] < inf<W>()) {
        weights += static_cast<double>(all[i]);
        ++finite;
      }
  }
  /// The same for the degrees at the ends of arcs.
  template <class V, class A> void add_degrees(const Graph<V, A> &graph, ArcId begin, ArcId end) {
    add_degrees(graph, begin, end, [&](V v) { return graph.out_degree(v); });
  }
  /// The same where `degree` knows them.
  template <class V, class A, class Degree>
  void add_degrees(const Graph<V, A> &graph, ArcId begin, ArcId end, const Degree &degree) {
    const ArcId step = std::max<ArcId>(graph.num_arcs() / most, 1);
    for (ArcId e = (begin + step - 1) / step * step; e < end; e += step)
      add_degree(degree(graph.target(e)));
  }
  template <class Degree> void add_degree(Degree degree) {
    degrees += static_cast<double>(degree);
    ++ends;
  }

private:
  static constexpr std::uint64_t most = 4096;
};

/// The width of buckets for a graph with `count` weights of arcs or vertices: 7 times the mean finite weight /
/// the 1.5th power of the degree that the ends of arcs have on average, which hubs raise; at least a 32nd of the mean
/// weight. Both are sampled, since it is a guess anyway: the widths that were fastest on grids, roads, uniform and
/// Kronecker graphs. Whole priorities get a power of two, which shifts bits.
template <class P> double choose_delta(const WidthSample &sample) {
  const double weight = sample.weights / static_cast<double>(sample.finite ? sample.finite : 1);
  const double degree = std::max(sample.degrees / static_cast<double>(sample.ends ? sample.ends : 1), 1.0);
  const double delta = usable_width<P>(weight * std::max(7 / (degree * std::sqrt(degree)), 1 / 32.));
  return std::is_floating_point<P>::value ? delta : std::exp2(std::round(std::log2(delta)));
}
template <class P, class V, class A, class W>
double choose_delta(const Graph<V, A> &graph, const W *weights, std::uint64_t count) {
  WidthSample sample;
  if (graph.lists_in_file) { // few blocks of it
    for (std::uint64_t k = 0; k < 16; ++k) {
      const ArcId begin = graph.num_arcs() / 16 * k, end = std::min<ArcId>(begin + 256, graph.num_arcs());
      const std::uint64_t weight = count / 16 * k;
      sample.add_weights(weights, 1, weight, std::min<std::uint64_t>(weight + 256, count));
      for (ArcId e = begin; e < end; ++e)
        sample.add_degree(graph.out_degree(graph.target(e)));
    }
    return choose_delta<P>(sample);
  }
  sample.add_weights(weights, count, 0, count);
  sample.add_degrees(graph, 0, graph.num_arcs());
  return choose_delta<P>(sample);
}
/// With a weight for each arc.
template <class P, class V, class A, class W> double choose_delta(const Graph<V, A> &graph, const W *weights) {
  return choose_delta<P>(graph, weights, graph.num_arcs());
}
/// Without weights each step counts one.
template <class P, class V, class A> double choose_delta(const Graph<V, A> &) { return 1; }

/// The work list of an ordered propagate: each thread keeps the vertices it has improved in buckets of its own, and
/// threads process the first bucket that is not empty anywhere, one thread alone where that is short. The memory is
/// kept from one run to the next. `P`: a number, the least first, or Greatest of one.
template <class V, class P> class Buckets {
  using Value = typename Precedence<P>::Value;
  using Index = std::int64_t;
  static constexpr Index no_bucket = std::numeric_limits<Index>::max();
  static constexpr std::uint64_t window = 2048; // buckets that are kept apart; later ones wait in one list
  static constexpr std::size_t chunk = 64;      // entries that a thread takes at a time
  static constexpr std::size_t most_alone = GCOMPILE_MOST_ALONE / 32; // entries that one thread processes

  /// A vertex and the priority that it had; it is out of date when the vertex has improved since.
  struct Entry {
    V vertex;
    Value priority;
  };

public:
  Buckets();
  ~Buckets();

  // ---- Between rounds -----------------------------------------------------------------------------------------------

  /// Begins a run, with buckets of that width. `priority` has one value per vertex, and changes in the run. A thread
  /// goes on with what it has added to the current bucket while that is shorter than `fused`. Where the graph's lists
  /// stay in a file, vertices are taken in the order of their lists instead, whatever their priority, and a run ends
  /// where nothing changes.
  template <class A>
  void order_by([[maybe_unused]] const Graph<V, A> &graph, const Value *priority, double delta,
                std::size_t fused = 1000) {
    begin(priority, delta, fused);
    if constexpr (std::is_same<A, Plain>::value)
      if (graph.lists_in_file)
        swept_.start(graph.num_vertices(), graph.out_offsets);
  }

  /// Puts the vertices where their priority belongs.
  void start(const VertexSet<V> &from);

  /// Ends once all of the vertices have their final priority.
  void end_with_all(std::initializer_list<V> ends) {
    ends_ = ends;
    first_end_ = false;
  }
  /// Ends once the first of them has.
  void end_with_first(std::initializer_list<V> ends) {
    ends_ = ends;
    first_end_ = true;
  }

  /// Makes the first bucket that is not empty current, if there is one and the end has not been reached.
  bool advance();

  // ---- In a round ---------------------------------------------------------------------------------------------------

  /// Whether the current bucket is worth more than one thread.
  bool wide() const { return size_ > most_alone; }

  class Bins;
  /// The calling thread's view.
  Bins bins() { return Bins(*this); }

private:
  void begin(const Value *priority, double delta, std::size_t fused);

  /// One thread's part of the current bucket, and what it has added to the others.
  struct alignas(64) Share {
    EntryList<Entry> current;
    std::size_t taken = 0;
    std::vector<EntryList<Entry>> bins;
    EntryList<Entry> later, own;
    std::vector<EntryList<Entry>> emptied; // bins whose memory others take, the last one first: it is in the cache
  };

  /// Entries for a thread, and whose they are.
  struct Taken {
    const Entry *first, *last;
    std::size_t victim;
  };
  /// Takes entries of the current bucket, those of `victim` first; else what the thread with `own` has added to the
  /// current bucket, as long as that is little. Of the buckets, not of the thread: its view stays in registers.
  Taken take(std::size_t victim, Share &own);

  /// The greatest priority that is asked for. What lies in earlier buckets than the current one is final.
  Value last_wanted() const;

  /// How far behind the first bucket of the window a later one lies: it may be further than an Index holds.
  std::uint64_t place(Index bucket) const {
    return static_cast<std::uint64_t>(bucket) - static_cast<std::uint64_t>(base_);
  }

  /// The first bucket among the entries beyond the window that are still up to date.
  Index first_later();

  void move_window(Index base);

  static void add(Share &share, EntryList<Entry> &bin, const Entry &entry) {
    if (bin.full())
      make_room(share, bin);
    bin.add(entry);
  }
  /// Gives a full bin of a thread memory for more.
  static void make_room(Share &share, EntryList<Entry> &bin);

  const Value *priority_ = nullptr;
  PriorityLevels<P> levels_{1};
  std::vector<V> ends_;
  bool first_end_ = false;
  std::size_t fused_ = 0, size_ = 0;
  Index base_ = 0, now_ = 0;
  std::vector<Share> shares_;
  SweptVertices<V> swept_; // in use where lists stay in a file: then the buckets are empty
};

/// One thread's view of the current bucket, and of those that it adds to.
template <class V, class P> class Buckets<V, P>::Bins {
public:
  explicit Bins(Buckets &buckets)
      : buckets_(buckets), victim_(static_cast<std::size_t>(omp_get_thread_num())), mine_(buckets.shares_[victim_]) {}

  /// The next vertex to process, if there is one.
  bool next(V &u) {
    return next_after(u, [](std::size_t) {});
  }
  /// And has what pushes from later vertices need fetched: prefetch_push.
  template <class A, class T, class... Columns>
  bool next(V &u, const Graph<V, A> &graph, const T *values, const Columns *...columns) {
    return next_after(u, [&](std::size_t follow) {
      if (follow > 16)
        __builtin_prefetch(buckets_.priority_ + at_[16].vertex);
      prefetch_push<4>(
          follow, [&](std::size_t k) { return at_[k].vertex; }, graph, fetch(values, columns...));
    });
  }

  /// Adds a vertex whose priority has improved.
  void push(V v) {
    if (buckets_.swept_.in_use())
      return buckets_.swept_.add(v);
    const Value priority = load(buckets_.priority_[v]);
    const std::uint64_t at = buckets_.place(std::max(buckets_.levels_.of(priority), buckets_.now_));
    add(mine_, at < window ? mine_.bins[at] : mine_.later, {v, priority});
  }

private:
  /// `fetch(follow)`: with `at_` at the first of `follow` entries to come.
  template <class Fetch> bool next_after(V &u, const Fetch &fetch) {
    while (true) {
      while (at_ != last_) {
        const Entry entry = *at_;
        fetch(static_cast<std::size_t>(last_ - at_));
        ++at_;
        if (load(buckets_.priority_[entry.vertex]) == entry.priority) {
          u = entry.vertex;
          return true;
        }
      }
      const Taken taken = buckets_.take(victim_, mine_);
      if (taken.first == taken.last)
        return false;
      at_ = taken.first;
      last_ = taken.last;
      victim_ = taken.victim;
    }
  }

  Buckets &buckets_;
  std::size_t victim_;
  Share &mine_;
  const Entry *at_ = nullptr, *last_ = nullptr;
};

} // namespace gc

// As frontier.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/order/bucket_rounds.h>
#endif

#endif
