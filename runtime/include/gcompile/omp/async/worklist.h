// The work lists of asynchronous propagates: active vertices, without rounds.
#ifndef GCOMPILE_OMP_ASYNC_WORKLIST_H
#define GCOMPILE_OMP_ASYNC_WORKLIST_H

#include <gcompile/core/graph.h>
#include <gcompile/core/operators.h>
#include <gcompile/omp/async/bag.h>
#include <gcompile/omp/async/obim.h>
#include <gcompile/omp/async/phases.h>
#include <gcompile/omp/order/buckets.h>
#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/omp/threads/share.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/omp/threads/topology.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gc::async {

/// The vertices that are active first, handed out a few at a time.
template <class V> class Seeds {
public:
  explicit Seeds(VertexSet<V> set) : set_(std::move(set)) {}

  bool all() const { return set_.is_all(); }
  /// The slots that no thread has taken.
  std::size_t left() const { return set_.slots() - std::min(taken_.load(std::memory_order_relaxed), set_.slots()); }

  /// One thread's share.
  class Taker {
  public:
    explicit Taker(Seeds &seeds) : seeds_(seeds) {}

    /// The next vertex.
    bool next(V &v) {
      while (at_ != last_ || refill()) {
        v = seeds_.set_.slot(at_++);
        if (v != none<V>())
          return true;
      }
      return false;
    }

  private:
    bool refill() {
      const std::size_t slots = seeds_.set_.slots();
      if (seeds_.taken_.load(std::memory_order_relaxed) >= slots)
        return false;
      at_ = std::min(seeds_.taken_.fetch_add(64, std::memory_order_relaxed), slots);
      last_ = std::min(at_ + 64, slots);
      return at_ != last_;
    }

    Seeds &seeds_;
    std::size_t at_ = 0, last_ = 0;
  };

private:
  const VertexSet<V> set_;
  std::atomic<std::size_t> taken_{0};
};

/// Active vertices in no order. A vertex that waits is not added again.
template <class V, std::size_t N> class Worklist {
public:
  /// `from`: the vertices that are active first.
  template <class A>
  Worklist(const Graph<V, A> &graph, VertexSet<V> from, const Topology &topology = Topology::machine())
      : topology_(topology), seeds_(std::move(from)), bag_(topology.groups()), waiting_(graph.num_vertices()) {
    const std::uint8_t first = seeds_.all() ? 1 : 0; // a vertex of a smaller set may wait twice, once
    const std::size_t n = graph.num_vertices();
    parallel_for(n > 65536, n, [&](std::size_t v) { waiting_[v] = first; });
  }

  /// Begins a phase, if a vertex is active.
  bool advance() { return phases_.begin(tasks()); }
  /// Whether the phase is worth more than one thread.
  bool wide() const { return phases_.shared(); }

  /// One thread's view. Every thread of the phase makes one and calls next until it fails. `alone`: no other does.
  template <bool alone> class Worker {
  public:
    Worker(Worklist &list, unsigned group)
        : list_(list), turn_(list.phases_),
          seeds_(list.seeds_), place_{group, typename ChunkPool<V, N>::Stock(list.pool_)} {}

    /// The next vertex to process; false once the thread leaves the phase.
    bool next(V &u) {
      if (!turn_.next(alone, [&] { return take_on(u) || take(u); })) {
        part_.leave(list_.bag_, place_);
        return false;
      }
      if (alone)
        list_.waiting_[u] = 0;
      else // A thread that changes the vertex from now on adds it again, and what others changed before is seen.
        __atomic_exchange_n(&list_.waiting_[u], std::uint8_t(0), __ATOMIC_ACQ_REL);
      return true;
    }

    /// Adds a vertex that has changed.
    void push(V v) {
      std::uint8_t &waits = list_.waiting_[v];
      if (alone ? std::exchange(waits, std::uint8_t(1))
                : __atomic_exchange_n(&waits, std::uint8_t(1), __ATOMIC_ACQ_REL))
        return;
      part_.add(list_.bag_, place_, v);
    }

  private:
    bool take_on(V &u) { return part_.take_on(place_, u) || seeds_.next(u); }
    bool take(V &u) { return !list_.phases_.over(list_.tasks(), alone) && part_.take(list_.bag_, place_, u); }

    Worklist &list_;
    Turn turn_;
    typename Seeds<V>::Taker seeds_;
    typename Bag<V, N>::Place place_;
    typename Bag<V, N>::Part part_;
  };
  Worker<false> worker(const Share &) { return Worker<false>(*this, topology_.here()); }
  Worker<true> worker(const Alone &) { return Worker<true>(*this, topology_.here()); }

private:
  std::size_t tasks() const { return pool_.waiting() * N + seeds_.left(); }

  const Topology &topology_;
  Seeds<V> seeds_;
  ChunkPool<V, N> pool_;
  Bag<V, N> bag_;
  Phases phases_;
  Array<std::uint8_t> waiting_; // by vertex: whether it is in the bag
};

/// Active vertices in the order of a priority, as a preference. `P`: a number, the least first, or Greatest of one.
template <class V, class P, std::size_t N> class PriorityWorklist {
  using Value = typename Precedence<P>::Value;

  /// A vertex and the priority that it had; it is out of date when the vertex has improved since.
  struct Task {
    V vertex;
    Value priority;
  };

public:
  /// `priority` has one value per vertex and changes while the list is in use; values within about `delta` of each
  /// other are one level. `from`: the vertices that are active first.
  template <class A>
  PriorityWorklist(const Graph<V, A> &, VertexSet<V> from, const Value *priority, double delta,
                   int threads = omp_get_max_threads(), const Topology &topology = Topology::machine())
      : topology_(topology), priority_(priority), levels_(levels(delta)), seeds_(std::move(from)),
        obim_(static_cast<std::size_t>(threads), topology.groups()) {}

  /// Begins a phase, if a vertex is active.
  bool advance() { return phases_.begin(tasks()); }
  /// Whether the phase is worth more than one thread.
  bool wide() const { return phases_.shared(); }

  /// One thread's view. Every thread of the phase makes one and calls next until it fails. `alone`: no other does.
  template <bool alone> class Worker {
  public:
    Worker(PriorityWorklist &list, std::size_t thread, unsigned group)
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

    /// Adds a vertex whose priority has improved.
    void push(V v) {
      const Value priority = load(list_.priority_[v]);
      obim_.add(list_.levels_.of(priority), {v, priority});
    }

  private:
    bool take(V &u) {
      Task task;
      while (obim_.take_on(task) || (!list_.phases_.over(list_.tasks(), alone) && obim_.take_best(task)))
        if (load(list_.priority_[task.vertex]) == task.priority) {
          u = task.vertex;
          return true;
        }
      return false;
    }

    PriorityWorklist &list_;
    Turn turn_;
    typename Obim<Task, N>::Worker &obim_;
  };
  Worker<false> worker(const Share &mine) { return Worker<false>(*this, mine.thread(), topology_.here()); }
  Worker<true> worker(const Alone &mine) { return Worker<true>(*this, mine.thread(), topology_.here()); }

private:
  /// The order is a preference: a width that shifts bits will do as well.
  static double levels(double delta) {
    return std::is_integral<Value>::value && delta >= 1 ? std::exp2(std::floor(std::log2(delta))) : delta;
  }

  std::size_t tasks() const { return obim_.waiting() * N + seeds_.left(); }

  const Topology &topology_;
  const Value *priority_;
  PriorityLevels<P> levels_;
  Seeds<V> seeds_;
  Obim<Task, N> obim_;
  Phases phases_;
};

} // namespace gc::async

#endif
