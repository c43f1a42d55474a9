// The work lists of asynchronous propagates: active vertices, without rounds.
#ifndef GCOMPILE_OMP_ASYNC_WORKLIST_H
#define GCOMPILE_OMP_ASYNC_WORKLIST_H

#include <gcompile/core/graph.h>
#include <gcompile/core/operators.h>
#include <gcompile/omp/async/bag.h>
#include <gcompile/omp/async/obim.h>
#include <gcompile/omp/async/termination.h>
#include <gcompile/omp/order/buckets.h>
#include <gcompile/omp/sets/vertex_set.h>
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

  std::size_t slots() const { return set_.slots(); }
  bool all() const { return set_.is_all(); }

  /// One thread's share.
  class Taker {
  public:
    explicit Taker(Seeds &seeds) : seeds_(seeds) {}

    /// The next vertex. `skipped` grows by the slots that hold none.
    bool next(V &v, std::uint64_t &skipped) {
      while (at_ != last_ || refill()) {
        v = seeds_.set_.slot(at_++);
        if (v != none<V>())
          return true;
        ++skipped;
      }
      return false;
    }

  private:
    bool refill() {
      const std::size_t slots = seeds_.slots();
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
  Worklist(const Graph<V> &graph, VertexSet<V> from, int threads = omp_get_max_threads(),
           const Topology &topology = Topology::machine())
      : topology_(topology), seeds_(std::move(from)), bag_(topology.packages()),
        termination_(static_cast<std::size_t>(threads), seeds_.slots()), waiting_(graph.num_vertices()) {
    const std::uint8_t first = seeds_.all() ? 1 : 0; // a vertex of a smaller set may wait twice, once
    const std::size_t n = graph.num_vertices();
    parallel_for(n > 65536, n, [&](std::size_t v) { waiting_[v] = first; });
  }

  /// One thread's view. Every thread of the parallel region makes one and calls next until it fails.
  class Worker {
  public:
    Worker(Worklist &list, std::size_t thread, unsigned package)
        : list_(list), counter_(list.termination_.of(thread)),
          seeds_(list.seeds_), place_{package, typename ChunkPool<V, N>::Stock(list.pool_)} {}
    Worker(const Worker &) = delete;
    ~Worker() {
      if (finished_ > 0) // an exception has left its loop
        list_.termination_.give_up();
    }

    /// The next vertex to process; false once no vertex is active and none will be.
    bool next(V &u) {
      counter_.done(finished_);
      finished_ = 0;
      const bool got = take(u) || list_.termination_.wait([&] { return take(u); });
      if (!got)
        return false;
      finished_ = 1;
      // A thread that changes the vertex from now on adds it again, and what others changed before is seen.
      __atomic_exchange_n(&list_.waiting_[u], std::uint8_t(0), __ATOMIC_ACQ_REL);
      return true;
    }

    /// Adds a vertex that has changed.
    void push(V v) {
      if (__atomic_exchange_n(&list_.waiting_[v], std::uint8_t(1), __ATOMIC_ACQ_REL))
        return;
      counter_.add();
      part_.add(list_.bag_, place_, v);
    }

  private:
    bool take(V &u) {
      std::uint64_t skipped = 0;
      const bool got = part_.take_on(place_, u) || seeds_.next(u, skipped) || part_.take(list_.bag_, place_, u);
      if (skipped)
        counter_.done(skipped);
      return got;
    }

    Worklist &list_;
    Termination::Counter &counter_;
    typename Seeds<V>::Taker seeds_;
    typename Bag<V, N>::Place place_;
    typename Bag<V, N>::Part part_;
    std::uint64_t finished_ = 0;
  };
  Worker worker() { return worker(static_cast<std::size_t>(omp_get_thread_num()), topology_.here()); }
  /// That of a thread, counted from 0, in a package.
  Worker worker(std::size_t thread, unsigned package) { return Worker(*this, thread, package); }

private:
  const Topology &topology_;
  Seeds<V> seeds_;
  ChunkPool<V, N> pool_;
  Bag<V, N> bag_;
  Termination termination_;
  Array<std::uint8_t> waiting_; // by vertex: whether it is in the bag
};

/// Active vertices in the order of a priority, the least first, as a preference.
template <class V, class P, std::size_t N> class PriorityWorklist {
  /// A vertex and the priority that it had; it is out of date when the vertex has improved since.
  struct Task {
    V vertex;
    P priority;
  };

public:
  /// `priority` has one value per vertex and changes while the list is in use; values within about `delta` of each
  /// other are one level. `from`: the vertices that are active first.
  PriorityWorklist(const Graph<V> &, VertexSet<V> from, const P *priority, double delta,
                   int threads = omp_get_max_threads(), const Topology &topology = Topology::machine())
      : topology_(topology), priority_(priority), levels_(levels(delta)), seeds_(std::move(from)),
        obim_(static_cast<std::size_t>(threads), topology.packages()),
        termination_(static_cast<std::size_t>(threads), seeds_.slots()) {}

  /// One thread's view. Every thread of the parallel region makes one and calls next until it fails.
  class Worker {
  public:
    Worker(PriorityWorklist &list, std::size_t thread, unsigned package)
        : list_(list), counter_(list.termination_.of(thread)), obim_(list.obim_, thread, package) {
      typename Seeds<V>::Taker seeds(list.seeds_);
      std::uint64_t skipped = 0;
      for (V v; seeds.next(v, skipped);) {
        push(v);
        counter_.done();
      }
      counter_.done(skipped);
    }
    Worker(const Worker &) = delete;
    ~Worker() {
      if (finished_ > 0) // an exception has left its loop
        list_.termination_.give_up();
    }

    /// The next vertex to process; false once no vertex is active and none will be.
    bool next(V &u) {
      counter_.done(finished_);
      finished_ = 0;
      return take(u) || list_.termination_.wait([&] { return take(u); });
    }

    /// Adds a vertex whose priority has improved.
    void push(V v) {
      const P priority = load(list_.priority_[v]);
      counter_.add();
      obim_.add(list_.levels_.of(priority), {v, priority});
    }

  private:
    bool take(V &u) {
      Task task;
      while (obim_.take(task)) {
        if (load(list_.priority_[task.vertex]) == task.priority) {
          u = task.vertex;
          finished_ = 1;
          return true;
        }
        counter_.done();
      }
      return false;
    }

    PriorityWorklist &list_;
    Termination::Counter &counter_;
    typename Obim<Task, N>::Worker obim_;
    std::uint64_t finished_ = 0;
  };
  Worker worker() { return worker(static_cast<std::size_t>(omp_get_thread_num()), topology_.here()); }
  /// That of a thread, counted from 0, in a package.
  Worker worker(std::size_t thread, unsigned package) { return Worker(*this, thread, package); }

private:
  /// The order is a preference: a width that shifts bits will do as well.
  static double levels(double delta) {
    return std::is_integral<P>::value && delta >= 1 ? std::exp2(std::floor(std::log2(delta))) : delta;
  }

  const Topology &topology_;
  const P *priority_;
  PriorityLevels<P> levels_;
  Seeds<V> seeds_;
  Obim<Task, N> obim_;
  Termination termination_;
};

} // namespace gc::async

#endif
