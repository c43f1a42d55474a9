// The vertices of a rank, its copies of those of others, and what moves between owners and copies.
#ifndef GCOMPILE_MPI_RANKS_H
#define GCOMPILE_MPI_RANKS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/partition.h>
#include <gcompile/core/property.h>
#include <gcompile/mpi/full_values.h>
#include <gcompile/mpi/gifts.h>
#include <gcompile/mpi/mail.h>
#include <gcompile/mpi/row_news.h>
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
/// rank uses its own and its copies: the vertices of others at the other ends of its arcs. Where ranks divide the arcs
/// at a vertex, a rank has some of the arcs at the vertices of its row, and copies of these, too.
template <class V> class Ranks {
public:
  /// All ranks. Copies are made of the vertices that the arcs out of own ones lead to and, where the graph has
  /// in-arrays, that those into them come from. `lists`: of touched copies.
  explicit Ranks(const Graph<V> &graph, int lists = 1)
      : n_(graph.num_vertices()), grid_(World::get().grid()), lists_(graph.divided ? *graph.divided : graph),
        partition_(World::get().partition(graph)), asked_(size()), held_(size()), gifts_(mail_, asked_),
        full_values_(asked_, held_, mail_, gifts_) {
    for (int i = 0; i < lists; ++i)
      touched_.emplace_back(first(), count(), n_);
    World::get().check_threads();
    find_copies();
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
  /// Whether several ranks, which are in one row, divide the arcs at a vertex.
  bool divided() const { return grid_.divided(); }
  /// The arcs that it has, at the vertices of its row: else its own.
  const Graph<V> &lists() const { return lists_; }
  V row_first() const { return partition_.begin(grid_.first_of_row(rank())); }
  V row_last() const { return partition_.end(grid_.last_of_row(rank()) - 1); }
  V row_count() const { return row_last() - row_first(); }
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
  /// Where arcs are divided, also the members that other ranks own and at which this one has some of the arcs. Valid
  /// until the next call. All ranks.
  const VertexSet<V> &in_row(const VertexSet<V> &set) {
    if (!divided())
      return set;
    std::vector<V> members;
    for (const V v : set)
      members.push_back(v);
    share_in_row(members);
    return in_row_ = VertexSet<V>::of(n_, members);
  }
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

  /// Where arcs are divided: the copies at which this rank has some of the arcs, all of them, go to their owners, which
  /// call apply(v, value) for each, in the order of the ranks that send. All ranks.
  template <class Apply, class T> void reduce_lists(const Apply &apply, const Property<T> &state) {
    full_values_.bring_lists(
        state, [&](int r) { return are(r, Copies::of_lists); }, apply);
  }
  /// Puts into a list of own vertices those that other ranks own and have in theirs, and at which this rank has some of
  /// the arcs; with their values of these states. All ranks.
  template <class... T> void share_in_row(std::vector<V> &list, Property<T> &...states) {
    RowNews<V>(mail_, first(), count())
        .share(
            list, [&](int r) { return are(r, Copies::of_lists); }, asked_, held_, states...);
  }

  /// Gives all copies of vertices at other ends of arcs this value.
  template <class T, class U> void reset_copies(Property<T> &state, const U &value) const {
    for (int r = 0; r < size(); ++r)
      if (are(r, Copies::of_ends))
        for (const V v : held_[r])
          state[v] = static_cast<T>(value);
  }

  /// Gives all vertices of others this value.
  template <class T, class U> void reset_others(Property<T> &state, const U &value) const {
    std::fill(state.data(), state.data() + first(), static_cast<T>(value));
    std::fill(state.data() + last(), state.data() + n_, static_cast<T>(value));
  }

  /// Owners send their values to those that hold copies. All ranks.
  template <class T> void give_to_copies(Property<T> &state, Copies copies = Copies::of_ends) {
    if (copies == Copies::of_lists && !divided())
      return;
    full_values_.give(state, copies, [&](int r) { return are(r, copies); });
  }
  /// Owners tell which of their vertices are marked, a bit for each copy, and the values that these have; a rank
  /// without a mark sends nothing. All ranks.
  template <class... T> void give_marks(std::vector<char> &marks, Property<T> &...states) {
    gifts_.give(MarkedValues<V, T...>(marks, states...), [](int) { return true; });
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

  /// Whether the copies that another rank and this one have of each other's vertices are such.
  bool are(int other, Copies copies) const {
    return copies == Copies::all || (grid_.row(other) == grid_.row(rank())
                                         ? copies == Copies::of_lists
                                         : copies == Copies::of_ends && grid_.column(other) == grid_.column(rank()));
  }

  void find_copies() {
    arcs_ = lists_.out_begin(row_last()) - lists_.out_begin(row_first());
    std::vector<char> met(n_, 0);
    for (V v = row_first(); v < row_last(); ++v) {
      bool any = false;
      const auto meet = [&](V u) {
        met[u] = 1;
        any = true;
      };
      for (const V u : lists_.out_neighbors(v))
        meet(u);
      if (lists_.in_offsets)
        for (const V u : lists_.in_neighbors(v))
          meet(u);
      if (any)
        met[v] = 1;
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
  Grid grid_;
  const Graph<V> lists_;
  Partition<V> partition_;
  Mail mail_;
  std::vector<std::vector<V>> asked_; ///< own vertices, by the rank that has copies of them
  std::vector<std::vector<V>> held_;  ///< copies, by the rank that owns them
  Gifts<V> gifts_;                    ///< of asked_
  FullValues<V> full_values_;
  ArcId arcs_ = 0;                 ///< out of own vertices
  std::deque<Touched<V>> touched_; ///< by the number of a list
  VertexSet<V> in_row_;            ///< what in_row() has made
};

} // namespace gc::mpi

#endif
