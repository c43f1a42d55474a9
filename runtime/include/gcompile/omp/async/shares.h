// The work list of asynchronous sums: vertices by what they have to hand on, the most first.
#ifndef GCOMPILE_OMP_ASYNC_SHARES_H
#define GCOMPILE_OMP_ASYNC_SHARES_H

#include <gcompile/core/graph.h>
#include <gcompile/omp/async/obim.h>
#include <gcompile/omp/async/phases.h>
#include <gcompile/omp/async/worklist.h>
#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/omp/threads/share.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/omp/threads/topology.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace gc::async {

/// Active vertices in the order of (total - given) / out-degree, the greatest first, as a preference. A vertex waits
/// once, or again where it has come to have so much that it comes earlier.
template <class V, class T, std::size_t N, class A = Plain> class ShareWorklist {
  using Level = std::int32_t;
  static constexpr Level not_waiting = std::numeric_limits<Level>::max();

  struct Task {
    V vertex;
    Level level;
  };

public:
  /// `total`, `given`: a value of each vertex, which change while the list is in use. `levels`: how many there are for
  /// each doubling. `from`: the vertices that are active first.
  ShareWorklist(const Graph<V, A> &graph, VertexSet<V> from, const T *total, const T *given, int levels,
                int threads = omp_get_max_threads(), const Topology &topology = Topology::machine())
      : topology_(topology), graph_(graph), total_(total), given_(given), levels_(levels), seeds_(std::move(from)),
        obim_(static_cast<std::size_t>(threads), topology.groups()), waiting_(graph.num_vertices()) {
    const std::size_t n = graph.num_vertices();
    parallel_for(n > 65536, n, [&](std::size_t v) { waiting_[v] = not_waiting; });
  }

  /// Begins a phase, if a vertex is active.
  bool advance() { return phases_.begin(tasks()); }
  /// Whether the phase is worth more than one thread.
  bool wide() const { return phases_.shared(); }

  /// One thread's view. Every thread of the phase makes one and calls next until it fails. `alone`: no other does.
  template <bool alone> class Worker {
  public:
    Worker(ShareWorklist &list, std::size_t thread, unsigned group)
        : list_(list), turn_(list.phases_), obim_(list.obim_.worker(thread, group)) {
      typename Seeds<V>::Taker seeds(list.seeds_);
      for (V v; seeds.next(v);)
        push(v);
    }

    /// The next vertex to process; false once the thread leaves the phase.
    bool next(V &u) {
      if (turn_.next(alone, [&] { return take(u); }))
        return true;
      obim_.leave();
      return false;
    }

    /// Adds a vertex that has more to hand on.
    void push(V v) {
      const Level level = list_.level(v);
      Level &waits = list_.waiting_[v];
      Level before = not_waiting;
      if (alone) {
        before = waits;
        waits = std::min(level, before);
      } else { // Also where nothing changes: the thread that takes the vertex is to see what this one has added.
        __atomic_load(&waits, &before, __ATOMIC_RELAXED);
        for (Level wanted = std::min(level, before);
             !__atomic_compare_exchange(&waits, &before, &wanted, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);)
          wanted = std::min(level, before);
      }
      if (level < before)
        obim_.add(level, {v, level});
    }

  private:
    bool take(V &u) {
      Task task;
      while (obim_.take_on(task) || (!list_.phases_.over(list_.tasks(), alone) && obim_.take_best(task)))
        if (claim(task)) {
          u = task.vertex;
          return true;
        }
      return false;
    }
    /// Whether the vertex still waits at the level. From now on, a thread that adds to it adds it to the list again.
    bool claim(const Task &task) {
      Level &waits = list_.waiting_[task.vertex];
      if (alone) {
        if (waits != task.level)
          return false;
        waits = not_waiting;
        return true;
      }
      Level expected = task.level, none = not_waiting;
      return __atomic_compare_exchange(&waits, &expected, &none, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }

    ShareWorklist &list_;
    Turn turn_;
    typename Obim<Task, N>::Worker &obim_;
  };
  Worker<false> worker(const Share &mine) { return Worker<false>(*this, mine.thread(), topology_.here()); }
  Worker<true> worker(const Alone &mine) { return Worker<true>(*this, mine.thread(), topology_.here()); }

private:
  /// Nothing to hand on is no level: the vertex need not wait.
  Level level(V v) const {
    const double share = (static_cast<double>(load(total_[v])) - static_cast<double>(load(given_[v]))) /
                         static_cast<double>(std::max<std::size_t>(graph_.out_degree(v), 1));
    if (!(share > 0))
      return not_waiting;
    if (!std::isfinite(share))
      return std::numeric_limits<Level>::min();
    int exponent = 0;
    const double half = std::frexp(share, &exponent); // from 0.5 to below 1
    return -(exponent * levels_ + static_cast<int>((2 * half - 1) * levels_));
  }

  std::size_t tasks() const { return obim_.waiting() * N + seeds_.left(); }

  const Topology &topology_;
  const Graph<V, A> graph_;
  const T *total_, *given_;
  const int levels_;
  Seeds<V> seeds_;
  Obim<Task, N> obim_;
  Phases phases_;
  Array<Level> waiting_; // by vertex: the level at which it waits
};

} // namespace gc::async

#endif
