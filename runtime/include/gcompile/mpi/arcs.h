// The arcs of a rank, and what moves between the owners of arcs and copies of their values.
#ifndef GCOMPILE_MPI_ARCS_H
#define GCOMPILE_MPI_ARCS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/property.h>
#include <gcompile/mpi/mail.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/mpi/touched.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gc::mpi {

/// A rank owns the arcs out of its vertices. They have the same numbers everywhere, and properties have an element for
/// each arc of the graph, of which this rank uses its own and copies: those out of the vertices that it has copies of,
/// or all.
template <class V> class Arcs {
public:
  Arcs(Ranks<V> &ranks, const Graph<V> &graph)
      : ranks_(ranks), offsets_(graph.out_offsets), begins_(begins(ranks, graph)),
        touched_(first(), last() - first(), num_arcs()) {}

  Ranks<V> &ranks() const { return ranks_; }
  ArcId num_arcs() const { return begins_.back(); }
  ArcId first() const { return begins_[ranks_.rank()]; }
  ArcId last() const { return begins_[ranks_.rank() + 1]; }
  /// The first arc of a rank; behind the last rank, the number of arcs.
  ArcId begin(int rank) const { return begins_[rank]; }
  /// Whether it is an arc of the graph.
  bool has(ArcId arc) const { return arc < num_arcs(); }
  bool owns(ArcId arc) const { return arc - first() < last() - first(); }
  int owner(ArcId arc) const {
    return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), arc) - begins_.begin()) - 1;
  }
  /// Calls f(begin, end) for the arcs out of each of the vertices.
  template <class F> void each_list(const std::vector<V> &vertices, const F &f) const {
    for (const V v : vertices)
      f(offsets_[v], offsets_[v + 1]);
  }

  /// In a kernel: where a thread notes which arcs have been updated.
  template <class Share> auto touches(const Share &) {
    return typename Touched<ArcId>::template Writer<Share>(touched_);
  }
  /// The same in a kernel of one thread.
  void touch(ArcId arc) { touched_.touch(arc); }
  Touched<ArcId> &touched() { return touched_; }

  /// Copies the values of own arcs.
  template <class T> void copy(Property<T> &to, const Property<T> &from) const {
    std::copy(from.data() + first(), from.data() + last(), to.data() + first());
  }
  /// Brings the values of all arcs to rank 0. All ranks.
  template <class T> void gather(Property<T> &state) const {
    Mail::gather(state.data(), [&](int rank) { return begin(rank); });
  }

private:
  static std::vector<ArcId> begins(const Ranks<V> &ranks, const Graph<V> &graph) {
    std::vector<ArcId> result;
    for (int r = 0; r <= ranks.size(); ++r)
      result.push_back(graph.out_offsets[ranks.partition().begin(r)]);
    return result;
  }

  Ranks<V> &ranks_;
  const ArcId *offsets_;
  std::vector<ArcId> begins_;
  Touched<ArcId> touched_;
};

/// The copies of one property of arcs. Owners give only what has changed since they last did.
template <class V, class T> class ArcCopies {
public:
  ArcCopies(Arcs<V> &arcs, Property<T> &state) : arcs_(arcs), ranks_(arcs.ranks()), state_(state) {}

  /// Owners send their values to the ranks with a copy of the vertex that the arc leaves. All ranks.
  void give() {
    give([&](int r, const auto &f) { arcs_.each_list(ranks_.held_by(r), f); },
         [&](int r, const auto &f) { arcs_.each_list(ranks_.copies_of(r), f); });
  }
  /// The same to all ranks. Of one property, owners always give either so or in the other way. All ranks.
  void give_to_all() {
    const auto of_others = [&](int r, int owner, const auto &f) {
      if (r != ranks_.rank())
        f(arcs_.begin(owner), arcs_.begin(owner + 1));
    };
    give([&](int r, const auto &f) { of_others(r, ranks_.rank(), f); },
         [&](int r, const auto &f) { of_others(r, r, f); });
  }

  /// Gives the arcs out of copies this value.
  template <class U> void reset(const U &value) {
    for (int r = 0; r < ranks_.size(); ++r)
      arcs_.each_list(ranks_.copies_of(r), [&](ArcId begin, ArcId end) { fill(begin, end, value); });
    known_ = false;
  }
  /// Gives all arcs of others this value.
  template <class U> void reset_others(const U &value) {
    fill(0, arcs_.first(), value);
    fill(arcs_.last(), arcs_.num_arcs(), value);
    known_ = false;
  }

  /// Sends the touched copies; their owners call apply(arc, value) for each, in the order of the ranks that send. All
  /// ranks.
  template <class Apply> void reduce_to_owner(const Apply &apply) {
    send_touched([](ArcId) {}, apply);
  }
  /// The same for copies that collect: those sent become `neutral`. All ranks.
  template <class Apply, class U> void collect_at_owner(const U &neutral, const Apply &apply) {
    send_touched([&](ArcId arc) { state_[arc] = static_cast<T>(neutral); }, apply);
  }

  /// Brings the values of all arcs to rank 0. All ranks.
  void gather() {
    arcs_.gather(state_);
    known_ = false; // the copies of rank 0 are as new as their owners'
  }

private:
  template <class U> void fill(ArcId begin, ArcId end, const U &value) {
    std::fill(state_.data() + begin, state_.data() + end, static_cast<T>(value));
  }
  template <class Sent, class Apply> void send_touched(const Sent &sent, const Apply &apply) {
    Mail &mail = ranks_.mail();
    arcs_.touched().send(
        mail, [&](ArcId arc) { return arcs_.owner(arc); }, sent, state_);
    Touched<ArcId>::template receive<T>(mail, apply);
    known_ = false;
  }

  /// `held(r, f)` and `copies(r, f)` call f(begin, end) for the own arcs that rank r has copies of, and for the copies
  /// of its arcs, in the same order.
  template <class Held, class Copies> void give(const Held &held, const Copies &copies) {
    find_changed();
    Mail &mail = ranks_.mail();
    for (int r = 0; r < ranks_.size(); ++r)
      put(mail, r, held);
    known_ = true;
    mail.exchange();
    for (int r = 0; r < ranks_.size(); ++r)
      take(mail, r, copies);
  }

  /// Lists the own arcs whose values copies do not have, if it is known which these are.
  void find_changed() {
    const ArcId first = arcs_.first(), count = arcs_.last() - first;
    const T *const own = state_.data() + first;
    changed_.clear();
    given_.resize_discard(count);
    if (!known_)
      std::copy(own, own + count, given_.data());
    else
      for (ArcId i = 0; i < count; ++i)
        if (!(own[i] == given_[i])) {
          given_[i] = own[i];
          changed_.push_back(first + i);
        }
  }

  /// Puts what has changed into the message to a rank: each with its arc, or all values where that takes less.
  template <class Held> void put(Mail &mail, int rank, const Held &held) const {
    if (known_ && changed_.empty())
      return;
    std::size_t values = 0;
    std::vector<ArcId> news;
    auto next = changed_.begin();
    held(rank, [&](ArcId begin, ArcId end) {
      values += end - begin;
      for (next = std::lower_bound(next, changed_.end(), begin); next != changed_.end() && *next < end; ++next)
        news.push_back(*next);
    });
    if (known_ ? news.empty() : values == 0)
      return;
    const bool whole = !known_ || values * sizeof(T) <= news.size() * (sizeof(ArcId) + sizeof(T));
    mail.put(rank, whole);
    if (whole)
      held(rank, [&](ArcId begin, ArcId end) {
        for (ArcId arc = begin; arc < end; ++arc)
          mail.put(rank, state_[arc]);
      });
    else
      for (const ArcId arc : news) {
        mail.put(rank, arc);
        mail.put(rank, state_[arc]);
      }
  }
  template <class Copies> void take(const Mail &mail, int rank, const Copies &copies) {
    const char *at = mail.from(rank).data(), *const end = at + mail.from(rank).size();
    if (at == end)
      return;
    if (Mail::take<bool>(at))
      copies(rank, [&](ArcId first, ArcId last) {
        for (ArcId arc = first; arc < last; ++arc)
          state_[arc] = Mail::take<T>(at);
      });
    else
      while (at < end) {
        const ArcId arc = Mail::take<ArcId>(at);
        state_[arc] = Mail::take<T>(at);
      }
  }

  Arcs<V> &arcs_;
  Ranks<V> &ranks_;
  Property<T> &state_;
  Property<T> given_;          ///< of own arcs, what copies hold,
  bool known_ = false;         ///< if that is known
  std::vector<ArcId> changed_; ///< ascending
};

} // namespace gc::mpi

#endif
