// The vertices of a rank, its copies of those of others, and what moves between owners and copies.
#ifndef GCOMPILE_MPI_RANKS_H
#define GCOMPILE_MPI_RANKS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/partition.h>
#include <gcompile/core/property.h>
#include <gcompile/mpi/gifts.h>
#include <gcompile/mpi/mail.h>
#include <gcompile/mpi/touched.h>
#include <gcompile/mpi/world.h>
#include <gcompile/omp/sets/vertex_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <vector>

namespace gc::mpi {

/// One rank's view of the graph. Every rank calls the functions that are marked "all ranks" in the same order.
///
/// A vertex has the same number everywhere, and properties have an element for each vertex of the graph, of which this
/// rank uses its own and its copies: the vertices of others at the other ends of its arcs.
template <class V> class Ranks {
public:
  /// All ranks. Copies are made of the vertices that the arcs out of own ones lead to and, where the graph has
  /// in-arrays, that those into them come from. `lists`: of touched copies.
  explicit Ranks(const Graph<V> &graph, int lists = 1)
      : n_(graph.num_vertices()), partition_(World::get().partition(graph)), asked_(size()), held_(size()),
        gifts_(mail_, asked_) {
    for (int i = 0; i < lists; ++i)
      touched_.emplace_back(first(), count(), n_);
    World::get().check_threads();
    find_copies(graph);
    mail_.choose(World::get().routes(partners()));
    gifts_.find_ways();
  }

  int rank() const { return World::get().rank(); }
  int size() const { return World::get().size(); }
  V num_vertices() const { return n_; }
  V first() const { return partition_.begin(rank()); }
  V last() const { return partition_.end(rank()); }
  /// How many it owns.
  V count() const { return last() - first(); }
  /// Whether a kernel over its vertices is worth several threads.
  bool wide() const { return count() + arcs_ > GCOMPILE_MOST_ALONE; }
  /// Whether it is a vertex of the graph.
  bool has(V v) const { return v < n_; }
  bool owns(V v) const { return v - first() < last() - first(); }
  int owner(V v) const { return partition_.owner(v); }
  const Partition<V> &partition() const { return partition_; }
  /// Own vertices of which the rank holds a copy, ascending.
  const std::vector<V> &held_by(int rank) const { return asked_[rank]; }
  /// The copies that this rank holds of vertices of another one, ascending.
  const std::vector<V> &copies_of(int rank) const { return held_[rank]; }

  // ---- Sets: each rank has the members that it owns -----------------------------------------------------------------

  VertexSet<V> all() const {
    std::vector<V> members(last() - first());
    for (V v = first(); v < last(); ++v)
      members[v - first()] = v;
    return VertexSet<V>::from_sorted(n_, members.data(), members.size());
  }
  template <class Range> VertexSet<V> own(const Range &range) const {
    std::vector<V> members;
    for (const V v : range)
      if (v < n_ && owns(v))
        members.push_back(v);
    return VertexSet<V>::of(n_, members);
  }
  VertexSet<V> own(std::initializer_list<V> members) const { return own<std::initializer_list<V>>(members); }
  /// The number of members. All ranks.
  std::int64_t size_of(const VertexSet<V> &set) const {
    return combined(set.size(), [](std::int64_t &total, std::int64_t part) { total += part; });
  }

  // ---- Values of all ranks ------------------------------------------------------------------------------------------

  /// What `combine` makes of the values of all ranks, in their order: the same on each of them. All ranks.
  template <class T, class Combine> T combined(const T &own, const Combine &combine) const {
    struct Part {
      T value;
    };
    const std::vector<Part> parts = World::get().meet(Part{own});
    T total = parts[0].value;
    for (std::size_t i = 1; i < parts.size(); ++i)
      combine(total, parts[i].value);
    return total;
  }

  // ---- Between copies and owners ------------------------------------------------------------------------------------

  /// Copies that kernels have updated, and that are to be sent to their owners.
  class List {
  public:
    List(Ranks &ranks, Touched<V> &touched) : ranks_(ranks), touched_(touched) {}

    /// In a kernel: where a thread notes which vertices have been updated.
    template <class Share> auto touches(const Share &) { return typename Touched<V>::template Writer<Share>(touched_); }
    /// The same in a kernel of one thread.
    void touch(V v) { touched_.touch(v); }
    /// Sends the touched copies; their owners call apply(v, values...) for each, in the order of the ranks that send.
    /// All ranks.
    template <class Apply, class... T> void reduce_to_owner(const Apply &apply, Property<T> &...states) {
      send([](V) {}, apply, states...);
    }
    /// The same for copies that collect: those sent become `neutral`. All ranks.
    template <class Apply, class T, class U>
    void collect_at_owner(const U &neutral, const Apply &apply, Property<T> &state) {
      send([&](V v) { state[v] = static_cast<T>(neutral); }, apply, state);
    }

  private:
    template <class Sent, class Apply, class... T>
    void send(const Sent &sent, const Apply &apply, Property<T> &...states) {
      touched_.send(
          ranks_.mail_, [this](V v) { return ranks_.owner(v); }, sent, states...);
      touched_.template receive<T...>(ranks_.mail_, apply);
    }

    Ranks &ranks_;
    Touched<V> &touched_;
  };
  /// A kernel that updates several states at the other ends of edges has a list for each. Without a number, the first.
  List list(int number) { return List(*this, touched_[static_cast<std::size_t>(number)]); }
  template <class Share> auto touches(const Share &mine) { return list(0).touches(mine); }
  void touch(V v) { list(0).touch(v); }
  template <class Apply, class... T> void reduce_to_owner(const Apply &apply, Property<T> &...states) {
    list(0).reduce_to_owner(apply, states...);
  }
  template <class Apply, class T, class U>
  void collect_at_owner(const U &neutral, const Apply &apply, Property<T> &state) {
    list(0).collect_at_owner(neutral, apply, state);
  }

  /// Gives all copies this value.
  template <class T, class U> void reset_copies(Property<T> &state, const U &value) const {
    for (const std::vector<V> &copies : held_)
      for (const V v : copies)
        state[v] = static_cast<T>(value);
  }

  /// Gives all vertices of others this value.
  template <class T, class U> void reset_others(Property<T> &state, const U &value) const {
    std::fill(state.data(), state.data() + first(), static_cast<T>(value));
    std::fill(state.data() + last(), state.data() + n_, static_cast<T>(value));
  }

  /// Owners send their values to those that hold copies. All ranks.
  template <class T> void give_to_copies(Property<T> &state) {
    gifts_.give(AllValues<V, T>(state));
    for (int r = 0; r < size(); ++r) {
      const char *at = mail_.from(r).data();
      for (std::size_t i = 0; i < held_[r].size(); ++i)
        state[held_[r][i]] = Mail::take<T>(at);
    }
  }
  /// Owners tell which of their vertices are marked, a bit for each copy, and the values that these have; a rank
  /// without a mark sends nothing. All ranks.
  template <class... T> void give_marks(std::vector<char> &marks, Property<T> &...states) {
    gifts_.give(MarkedValues<V, T...>(marks, states...));
    for (int r = 0; r < size(); ++r) {
      const Bytes &bits = mail_.from(r);
      [[maybe_unused]] const char *at = bits.empty() ? nullptr : bits.data() + (held_[r].size() + 7) / 8;
      for (std::size_t i = 0; i < held_[r].size(); ++i) {
        const V v = held_[r][i];
        marks[v] = !bits.empty() && (bits.data()[i / 8] >> (i % 8) & 1);
        if (marks[v])
          ((states[v] = Mail::take<T>(at)), ...);
      }
    }
  }
  /// Sends single vertices to those that hold copies of them: `each(r, send)` calls send(v) for those of rank r;
  /// `got(v)` takes what arrives. All ranks.
  template <class Each, class Got> void send_vertices(const Each &each, const Got &got) {
    for (int r = 0; r < size(); ++r)
      each(r, [&](V v) { mail_.put(r, v); });
    mail_.exchange();
    for (int r = 0; r < size(); ++r)
      for (const char *at = mail_.from(r).data(), *end = at + mail_.from(r).size(); at < end;)
        got(Mail::take<V>(at));
  }

  /// Brings the values of all vertices to rank 0. All ranks.
  template <class T> void gather(Property<T> &state) { gather(state.data(), 1); }
  /// The same of all pairs, row by row.
  template <class T> void gather(Dense<T> &state) { gather(state.data(), state.size()); }

  /// Messages to other ranks.
  Mail &mail() { return mail_; }

private:
  /// Of `width` values for each vertex.
  template <class T> void gather(T *values, std::size_t width) {
    Mail::gather(values, [&](int rank) { return partition_.begin(rank) * width; });
  }

  void find_copies(const Graph<V> &graph) {
    arcs_ = graph.out_begin(last()) - graph.out_begin(first());
    std::vector<char> met(n_, 0);
    for (V v = first(); v < last(); ++v) {
      for (const V u : graph.out_neighbors(v))
        met[u] = 1;
      if (graph.in_offsets)
        for (const V u : graph.in_neighbors(v))
          met[u] = 1;
    }
    for (int r = 0; r < size(); ++r)
      for (V v = partition_.begin(r); r != rank() && v < partition_.end(r); ++v)
        if (met[v])
          held_[r].push_back(v);
    for (int r = 0; r < size(); ++r)
      for (const V v : held_[r])
        mail_.put(r, v);
    mail_.exchange();
    for (int r = 0; r < size(); ++r)
      for (const char *at = mail_.from(r).data(), *end = at + mail_.from(r).size(); at < end;)
        asked_[r].push_back(Mail::take<V>(at));
  }

  /// How many ranks have copies of own vertices, or own copies of this one, and get no long gifts.
  int partners() const {
    int count = 0;
    for (int r = 0; r < size(); ++r)
      count += !(asked_[r].empty() && held_[r].empty()) && !Gifts<V>::is_long(asked_[r]);
    return count;
  }

  V n_;
  Partition<V> partition_;
  Mail mail_;
  std::vector<std::vector<V>> asked_; ///< own vertices, by the rank that has copies of them
  std::vector<std::vector<V>> held_;  ///< copies, by the rank that owns them
  Gifts<V> gifts_;                    ///< of asked_
  ArcId arcs_ = 0;                    ///< out of own vertices
  std::deque<Touched<V>> touched_;    ///< by the number of a list
};

} // namespace gc::mpi

#endif
