// Vertices in the order of a priority, on several ranks: delta-stepping (Meyer and Sanders 2003).
#ifndef GCOMPILE_MPI_BUCKETS_H
#define GCOMPILE_MPI_BUCKETS_H

#include <gcompile/mpi/ranks.h>
#include <gcompile/omp/order/buckets.h>
#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/program/kept_rounds.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <vector>

namespace gc::mpi {

/// The width of buckets, as one machine chooses it: each rank looks at its own weights and arcs, of which it has those
/// from `begin` to `end`. All ranks.
template <class P, class V, class W>
double choose_delta(const Ranks<V> &ranks, const Graph<V> &graph, const W *weights, std::uint64_t count,
                    std::uint64_t begin, std::uint64_t end) {
  WidthSample sample;
  sample.add_weights(weights, count, begin, end);
  const Graph<V> &lists = ranks.lists();
  const ArcId first = lists.out_begin(ranks.row_first()), last = lists.out_begin(ranks.row_last());
  sample.add_degrees(lists, first, last, [&](V v) { return graph.out_degree(v); });
  return gc::choose_delta<P>(ranks.combined(sample, [](WidthSample &total, const WidthSample &part) {
    total.weights += part.weights;
    total.degrees += part.degrees;
    total.finite += part.finite;
    total.ends += part.ends;
  }));
}
/// With a weight for each arc.
template <class P, class V, class W>
double choose_delta(const Ranks<V> &ranks, const Graph<V> &graph, const W *weights) {
  const Graph<V> &lists = ranks.lists();
  return choose_delta<P>(ranks, graph, weights, lists.num_arcs(), lists.out_begin(ranks.row_first()),
                         lists.out_begin(ranks.row_last()));
}
/// With a weight for each vertex.
template <class P, class V, class W>
double choose_delta(const Ranks<V> &ranks, const Graph<V> &graph, const W *weights, V vertices) {
  return choose_delta<P>(ranks, graph, weights, vertices, ranks.first(), ranks.last());
}
/// Without weights each step counts one.
template <class P, class V> double choose_delta(const Ranks<V> &, const Graph<V> &) { return 1; }

/// Each rank keeps its own vertices in buckets `delta` wide; all work on the first bucket that is not empty anywhere.
/// `P`: a number, the least first, or Greatest of one.
template <class V, class P> class Buckets {
  using Value = typename Precedence<P>::Value;
  using Lists = std::map<std::int64_t, std::vector<V>>;

  /// By the number of their bucket, vertices that a thread has put there.
  class Waiting {
  public:
    const Lists &lists() const { return lists_; }
    std::vector<V> &list(std::int64_t bucket) {
      if (!list_ || bucket != bucket_) {
        list_ = &lists_[bucket];
        bucket_ = bucket;
      }
      return *list_;
    }
    /// Moves those of a bucket to the end of `to`.
    void take(std::int64_t bucket, std::vector<V> &to) {
      const auto found = lists_.find(bucket);
      if (found == lists_.end())
        return;
      if (to.empty())
        to.swap(found->second);
      else
        to.insert(to.end(), found->second.begin(), found->second.end());
      lists_.erase(found);
      list_ = nullptr;
    }

  private:
    Lists lists_;
    std::vector<V> *list_ = nullptr; ///< the one that was asked for last
    std::int64_t bucket_ = 0;
  };

public:
  /// `priority` has one value per vertex and changes while the buckets are in use.
  Buckets(Ranks<V> &ranks, const Value *priority, double delta) : ranks_(ranks), priority_(priority), levels_(delta) {}

  void start(const VertexSet<V> &from) {
    for (const V v : from)
      activate(v);
  }

  /// Ends once all of the vertices have their final priority.
  void end_with_all(std::initializer_list<V> ends) { ends_ = ends; }
  /// Ends once the first of them has.
  void end_with_first(std::initializer_list<V> ends) {
    ends_ = ends;
    first_end_ = true;
  }

  /// Makes what is in the first bucket of all ranks current, if there is one and the end has not been reached. All
  /// ranks.
  bool advance() {
    const Step step = ranks_.combined(own_step(), [&](Step &total, const Step &part) {
      total.bucket = std::min(total.bucket, part.bucket);
      total.last = first_end_ ? std::min(total.last, part.last) : std::max(total.last, part.last);
    });
    const std::int64_t bucket = step.bucket;
    current_.clear();
    if (bucket == none || (!ends_.empty() && step.last < bucket))
      return false;
    waiting_.each([&](Waiting &mine) { mine.take(bucket, current_); });
    // A vertex that has improved since is in an earlier bucket too, or was.
    std::sort(current_.begin(), current_.end());
    current_.erase(std::unique(current_.begin(), current_.end()), current_.end());
    current_.erase(
        std::remove_if(current_.begin(), current_.end(), [&](V v) { return levels_.of(priority_[v]) != bucket; }),
        current_.end());
    return true;
  }
  /// Behind advance(), where arcs are divided: as that of a Frontier. All ranks.
  template <class... T> void spread(Property<T> &...states) {
    if (ranks_.divided())
      ranks_.share_in_row(current_, states...);
  }
  auto begin() const { return current_.begin(); }
  auto end() const { return current_.end(); }
  std::size_t size() const { return current_.size(); }
  V operator[](std::size_t i) const { return current_[i]; }
  /// Whether the current bucket is worth several threads, and how many of its vertices one takes at a time.
  bool wide() const { return current_.size() > GCOMPILE_MOST_ALONE / 32; }
  static constexpr std::size_t chunk = 64;

  /// Before advance(): passes the vertices that wait.
  void pass(StateStream &stream) {
    Lists all;
    if (!stream.reads())
      waiting_.each([&](const Waiting &mine) {
        for (const auto &[bucket, vertices] : mine.lists())
          all[bucket].insert(all[bucket].end(), vertices.begin(), vertices.end());
      });
    std::uint64_t count = all.size();
    stream.value(count);
    if (stream.reads()) {
      waiting_.each([](Waiting &mine) { mine = {}; });
      for (; count > 0; --count) {
        std::int64_t bucket = 0;
        stream.value(bucket);
        stream.list(waiting_.mine().list(bucket));
      }
      return;
    }
    for (auto &[bucket, vertices] : all) {
      std::int64_t number = bucket;
      stream.value(number);
      stream.list(vertices);
    }
  }

  /// In a kernel: where a thread puts vertices of this rank whose priority has improved.
  class Writer {
  public:
    explicit Writer(Buckets &buckets)
        : buckets_(buckets), first_(buckets.ranks_.first()), count_(buckets.ranks_.count()),
          mine_(buckets.waiting_.mine()) {}
    void activate(V v) {
      if (v - first_ < count_)
        mine_.list(buckets_.levels_.of(load(buckets_.priority_[v]))).push_back(v);
    }

  private:
    const Buckets &buckets_;
    const V first_, count_;
    Waiting &mine_;
  };
  template <class Share> Writer writer(const Share &) { return Writer(*this); }
  /// The same between kernels.
  void activate(V v) {
    if (ranks_.owns(v))
      waiting_.mine().list(levels_.of(priority_[v])).push_back(v);
  }

private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

  /// What a rank knows of the next step: its first bucket, and the one in which the last vertex lies that is asked for,
  /// or the first.
  struct Step {
    std::int64_t bucket, last;
  };
  Step own_step() const {
    Step step = {none, first_end_ ? none : std::numeric_limits<std::int64_t>::min()};
    waiting_.each([&](const Waiting &mine) {
      if (!mine.lists().empty())
        step.bucket = std::min(step.bucket, mine.lists().begin()->first);
    });
    for (const V end : ends_)
      if (end == gc::none<V>() || ranks_.owns(end)) {
        const std::int64_t at =
            end == gc::none<V>() || priority_[end] == inf<Value>() ? none : levels_.of(priority_[end]);
        step.last = first_end_ ? std::min(step.last, at) : std::max(step.last, at);
      }
    return step;
  }

  Ranks<V> &ranks_;
  const Value *priority_;
  PriorityLevels<P> levels_;
  PerThread<Waiting> waiting_;
  std::vector<V> current_;
  std::vector<V> ends_;
  bool first_end_ = false;
};

} // namespace gc::mpi

#endif
