// The frontier of a propagate: the vertices that are active in a round, and those that will be in the next.
#ifndef GCOMPILE_OMP_FRONTIER_FRONTIER_H
#define GCOMPILE_OMP_FRONTIER_FRONTIER_H

#include <gcompile/core/direction.h>
#include <gcompile/omp/frontier/active_lists.h>
#include <gcompile/omp/frontier/byte_map.h>
#include <gcompile/omp/frontier/cut_lists.h>
#include <gcompile/omp/frontier/pull_work.h>
#include <gcompile/omp/frontier/push_pace.h>
#include <gcompile/omp/frontier/push_state.h>
#include <gcompile/omp/frontier/receivers.h>
#include <gcompile/omp/frontier/unvisited.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/sets/vertex_set.h>
#include <gcompile/omp/threads/chunks.h>
#include <gcompile/omp/threads/in_order.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace gc {

/// The active vertices of a round, and the next ones being collected.
///
/// They are in a list, in a bitmap, or have a mark each. begin_push, begin_pull, pulls or use_list says how the round
/// runs; kernels read the current vertices through a reader, and collect the next ones through a writer, of each
/// thread; advance makes those current. The memory is kept from one run to the next.
template <class V, class A = Plain> class Frontier {
  enum class Form { list, bits, bytes, all };
  static constexpr std::size_t most_arcs_alone = 4096;
  static constexpr std::size_t most_in_order = 2048; // for each thread, whose followers keep the order of the threads
  static constexpr std::size_t sparse_block = 1024;  // vertices of a block that are looked at, a multiple of 64

public:
  explicit Frontier(const Graph<V, A> &graph);
  ~Frontier();

  // ---- Between rounds -----------------------------------------------------------------------------------------------

  /// Goes along the arcs of this graph, of as many vertices, from the next start on.
  void follow(const Graph<V, A> &graph) {
    graph_ = graph;
    pull_work_ = detail::PullWork();
    knows_takes_out_ = false;
  }

  void start(const VertexSet<V> &from);
  void start(std::initializer_list<V> from);
  void start_all();

  /// In this propagate, vertices are collected with push_once.
  void push_each_once() { once_ = true; }
  /// In this propagate, threads may share the list of a vertex in a push: kernels ask the reader for lists.
  void share_lists() { sharing_ = true; }
  /// In this propagate, rounds that push take the states of `rule`.
  void push_by(const PushRule &rule) { rule_ = rule; }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  V num_vertices() const { return graph_.num_vertices(); }
  /// The number of the round, from 1.
  std::int32_t round() const { return round_; }
  /// How the round runs, for the profile.
  const char *state() const {
    return pulling_ ? "pull" : state_ == PushState::serial ? "serial" : state_ == PushState::queue ? "queue" : "read";
  }

  /// Makes the round push.
  void begin_push();

  /// Makes the round push on one thread from a list.
  void use_list();

  /// Before a round that pushes: makes writers claim vertices in a bitmap, as Writer::claim does. In the first round,
  /// and behind pulls, the bitmap is put together: a vertex is claimed if `is_claimed(v)`.
  template <class IsClaimed> void mark_claimed(const IsClaimed &is_claimed);

  /// Makes the round pull, from a bitmap and into one.
  void begin_pull();

  /// Chooses the direction of the round: pull once the arcs out of the frontier exceed the arcs out of vertices that
  /// were never active / alpha; push again when fewer than n / beta vertices are active and the frontier shrinks
  /// (Beamer et al. 2012).
  bool pulls(double alpha, double beta);

  /// Pulls where that is less work (PullWork), for pulls that end with their first success. More than n / beta
  /// vertices, or more than before, are many.
  bool pulls_by_work(double beta);
  /// The same for pulls that look at all arcs of vertices that were never active; behind a pull as by Beamer et al.
  bool pulls_by_work_of_all(double beta);

  /// Chooses the direction by the change of state (S5): while the frontier grows, pull once the last round has looked
  /// at more than ((n - visited) * factor + n) / alpha arcs; while it shrinks, push below ((n - visited) * factor + n)
  /// / (factor * beta) vertices and pull above. `factor` is half the average degree, `visited` the vertices so far.
  bool pulls_by_growth(double alpha, double beta);

  /// Makes the collected vertices current.
  void advance();

  // ---- In a round ---------------------------------------------------------------------------------------------------

  /// Whether the round is worth more than one thread.
  bool wide() const { return wide_; }
  /// The same for a push on packed lists, of which a kernel has a form that takes them out of their fields: parallel.
  detail::PushWidth push_width() {
    if (!knows_takes_out_)
      takes_out_ = detail::ListsTakenOut<V>::pay(graph_);
    knows_takes_out_ = true;
    return {wide_, takes_out_};
  }
  /// The i-th vertex of the current list.
  V operator[](std::size_t i) const { return list_[i]; }

  class Reader;
  template <class Lists, class... Fetched> class ActiveVertices;
  /// The current vertices that this thread pushes from along the edges of `graph`, which are all but those of other
  /// threads: a range. What a push needs is `fetched` while it works on earlier vertices: fetch, fetch_to_write,
  /// fetch_own.
  template <class... Fetched> auto active(const Graph<V, A> &graph, Fetched... fetched) {
    return ActiveVertices<detail::ListsInPlace<V, A>, Fetched...>(*this, graph, fetched...);
  }
  /// The same by a share of push_width().
  template <class Mine, class... Fetched>
  auto active(const detail::TakingOut<Mine> &, const Graph<V, A> &graph, Fetched... fetched) {
    return ActiveVertices<detail::ListsTakenOut<V>, Fetched...>(*this, graph, fetched...);
  }
  template <class... Fetched> auto active(const Share &, const Graph<V, A> &graph, Fetched... fetched) {
    return active(graph, fetched...);
  }

  /// The current bitmap.
  BitView bits() const { return bits_.view(); }
  /// One thread's way through those that a pull visits.
  UnvisitedVertices<V, A> unvisited(const Graph<V, A> &graph) const { return {graph, receiving_}; }
  /// The current vertices in any form, as those of a VertexSet.
  std::size_t slots() const { return form_ == Form::list ? size_ : graph_.num_vertices(); }
  V slot(std::size_t i) const {
    if (form_ == Form::list)
      return list_[i];
    const V v = static_cast<V>(i);
    return form_ == Form::all || (form_ == Form::bits ? bits_.contains(v) : bytes_.contains(v)) ? v : none<V>();
  }

  /// Writes the current vertices to `out`, which has room for them.
  void copy_to(V *out) const;

  class Writer;
  Writer writer() { return Writer(*this); }

  class BitWriter;
  BitWriter bit_writer() { return BitWriter(*this); }

private:
  void reset();
  void begin(bool pull);
  /// Chooses the direction of the round: begins() is asked in rounds behind a push, once the arcs are counted.
  template <class Begins> bool pulls_if(const Begins &begins, double beta);
  /// Prepares for the next vertices.
  void collect(Form form);
  void to_bits();
  /// The current vertices in blocks, which threads share in a push: parts of the list, or of all vertices.
  std::size_t blocks() const;
  /// The calling thread's way through them.
  Chunks::Way way(std::size_t blocks);
  std::size_t block_size() const;
  /// From here on the arcs out of the frontier are counted.
  void count_arcs();
  ArcId count_arcs_of_bits();
  ArcId arcs_of_list() const;

  Graph<V, A> graph_;
  Form form_ = Form::list, next_form_ = Form::list;
  PushState state_ = PushState::serial;
  PushRule rule_;
  detail::PullWork pull_work_;
  detail::PushPace pace_;
  bool pulling_ = false, counting_ = false, once_ = false, sharing_ = false, wide_ = false;
  bool cutting_ = false, cut_early_ = false;
  bool knows_takes_out_ = false, takes_out_ = false; // of the graph's lists: push_width
  bool has_long_ = true, next_has_long_ = true;      // a list that is cut, as far as is known
  std::int32_t round_ = 1;
  std::size_t size_ = 0, previous_size_ = 0, next_size_ = 0, visited_ = 0;
  ArcId arcs_ = 0, previous_arcs_ = 0, next_arcs_ = 0, unseen_ = 0;
  Array<V> list_, next_list_;
  Bitmap bits_, next_bits_, queued_;
  Receivers receivers_;
  BitView receiving_ = {}; // of the graph, in a round that pulls
  Bitmap claimed_;
  bool knows_claimed_ = false; // claimed_ is up to date
  ByteMap bytes_, next_bytes_;
  CutLists<V> cut_lists_;
  Chunks chunks_;    // blocks, of the readers
  InOrder in_order_; // next vertices, of the writers
};

} // namespace gc

#include <gcompile/omp/frontier/reader.h>
#include <gcompile/omp/frontier/writer.h>

// The library has what is done once a round or a block: programs are compiled in less time without it. A detector of
// races sees only what is compiled for it.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/frontier/rounds.h>
#endif

#endif
