// The frontier of a propagate, of which each rank has the vertices that it owns.
#ifndef GCOMPILE_MPI_FRONTIER_H
#define GCOMPILE_MPI_FRONTIER_H

#include <gcompile/mpi/direction.h>
#include <gcompile/mpi/marked_list.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/program/kept_rounds.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gc::mpi {

/// The own vertices that are active in a round, and the next ones being collected: each once, however often activated.
template <class V> class Frontier {
public:
  Frontier(Ranks<V> &ranks, const Graph<V> &graph)
      : ranks_(ranks), graph_(graph), next_(ranks.first(), ranks.last()),
        direction_(graph.num_vertices(), graph.num_arcs()) {}

  void start(const VertexSet<V> &from) {
    restart();
    for (const V v : from)
      if (ranks_.owns(v))
        list_.push_back(v);
  }
  void start(std::initializer_list<V> from) { start(ranks_.own(from)); }
  void start_all() {
    restart();
    for (V v = ranks_.first(); v < ranks_.last(); ++v)
      list_.push_back(v);
  }

  /// Behind start(): rounds that may pull go along these arcs; without it, along those out of vertices.
  void follow(Along along) {
    along_ = along;
    direction_ =
        Direction(graph_.num_vertices(), graph_.num_arcs() * (along == Along::both && graph_.directed() ? 2 : 1));
  }

  /// Whether a vertex is active on any rank. All ranks.
  bool anywhere() {
    arcs_ = along_ == Along::out  ? sum_of_list([this](V v) { return graph_.out_degree(v); })
            : along_ == Along::in ? sum_of_list([this](V v) { return graph_.in_degree(v); })
                                  : sum_of_list([this](V v) { return graph_.degree(v); });
    size_ = ranks_.combined(FrontierSize{list_.size(), arcs_}, FrontierSize::add);
    return size_.vertices > 0;
  }

  /// Behind anywhere(): chooses the direction of the round. Before a pull each rank learns which copies are active, and
  /// their values of these states. All ranks.
  template <class... T> bool pulls(double alpha, double beta, Property<T> &...states) {
    return told_if(direction_.pulls(size_, alpha, beta), states...);
  }
  /// The same where a pull ends with its first success, by the work that it is expected to be.
  template <class... T> bool pulls_by_work(double beta, Property<T> &...states) {
    return told_if(direction_.pulls_by_work(size_, graph_, along_, beta), states...);
  }
  /// Before a round that pushes: gives copies the values of active vertices. Behind start(), and where a run is
  /// resumed, of all vertices. All ranks.
  template <class... T> void give_active(Property<T> &...states) {
    if (complete_)
      tell_copies(states...);
    else
      (ranks_.give_to_copies(states), ...);
    complete_ = true;
  }
  /// Before a round that pushes, where arcs are divided: until advance() also the active vertices that other ranks own
  /// and at which this one has some of the arcs, with their values of these states. All ranks.
  template <class... T> void spread(Property<T> &...states) {
    if (!ranks_.divided())
      return;
    ranks_.share_in_row(list_, states...);
    const Graph<V> &lists = ranks_.lists();
    arcs_ = sum_of_list([&](V v) { return lists.out_degree(v) + (lists.in_offsets ? lists.in_degree(v) : 0); });
  }
  /// In a round that pulls: whether an own vertex, or a copy, is active.
  bool contains(V v) const { return active_[v]; }

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  std::size_t size() const { return list_.size(); }
  V operator[](std::size_t i) const { return list_[i]; }
  /// Whether a kernel over the active vertices is worth several threads, and how many of them one takes at a time.
  bool wide() const { return list_.size() + arcs_ > GCOMPILE_MOST_ALONE; }
  static constexpr std::size_t chunk = 64;

  /// Between rounds: passes what is active, and what the choice of a direction goes by.
  void pass(StateStream &stream) {
    stream.list(list_);
    stream.value(direction_);
    complete_ = complete_ && !stream.reads();
  }

  /// In a kernel: where a thread collects the next vertices. A copy is not activated, but its owner's vertex.
  template <class Share> class Writer {
  public:
    explicit Writer(Frontier &frontier)
        : first_(frontier.ranks_.first()), count_(frontier.ranks_.count()), next_(frontier.next_) {}
    void activate(V v) {
      if (v - first_ < count_)
        next_.add(v);
    }
    /// Of a vertex of this rank that no other thread activates.
    void activate_own(V v) { next_.add_own(v); }

  private:
    const V first_, count_;
    typename MarkedList<V>::template Writer<Share> next_;
  };
  template <class Share> Writer<Share> writer(const Share &) { return Writer<Share>(*this); }
  /// In a kernel of one thread, or when a contribution arrives.
  void activate(V v) {
    if (ranks_.owns(v))
      next_.add(v);
  }
  /// Makes the collected vertices current.
  void advance() {
    list_.clear();
    next_.move_to(list_);
    arcs_ = 0;
    parallel_for(wide(), list_.size(), [this](std::size_t i) { next_.unmark(list_[i]); });
  }

private:
  template <class Value> ArcId sum_of_list(const Value &value) const {
    PerThread<ArcId> sums(0);
    parallel(list_.size() > GCOMPILE_MOST_ALONE, [&](const Share &mine) {
      ArcId sum = 0; // in a register
      for (auto part = mine.equal(list_.size()); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          sum += value(list_[i]);
      sums.mine() = sum;
    });
    return sums.sum();
  }
  void restart() {
    list_.clear();
    arcs_ = 0;
    complete_ = false;
    follow(Along::out);
  }
  /// Where arcs are divided, all rounds push: no rank could end a pull.
  template <class... T> bool told_if(bool pulls, Property<T> &...states) {
    pulls = pulls && !ranks_.divided();
    if (pulls)
      tell_copies(states...);
    return pulls;
  }
  template <class... T> void tell_copies(Property<T> &...states) {
    if (active_.empty())
      active_.resize(graph_.num_vertices(), 0);
    for (const V v : told_)
      active_[v] = 0;
    for (const V v : list_)
      active_[v] = 1;
    told_ = list_;
    ranks_.give_marks(active_, states...);
  }

  Ranks<V> &ranks_;
  const Graph<V> &graph_;
  Along along_ = Along::out;
  std::vector<V> list_;
  MarkedList<V> next_;
  ArcId arcs_ = 0;           ///< at the own active vertices, behind anywhere()
  std::vector<char> active_; ///< in rounds that pull, own vertices and copies
  std::vector<V> told_;      ///< the own ones among them
  FrontierSize size_;        ///< on all ranks
  bool complete_ = false;    ///< whether copies have had the values of all vertices
  Direction direction_;
};

} // namespace gc::mpi

#endif
