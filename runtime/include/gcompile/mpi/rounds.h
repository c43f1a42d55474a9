// The rounds of a statement on several ranks, behind which a run can be resumed.
#ifndef GCOMPILE_MPI_ROUNDS_H
#define GCOMPILE_MPI_ROUNDS_H

#include <gcompile/mpi/arcs.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/program/kept_rounds.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc::mpi {

template <class State, class = void> struct PassesItself : std::false_type {};
template <class State>
struct PassesItself<State, std::void_t<decltype(std::declval<State &>().pass(std::declval<StateStream &>()))>>
    : std::true_type {};

/// Passes through a stream: active vertices as they know how; a value that all ranks have; of a property the elements
/// that this rank owns and its copies, of pairs the rows; of a set the members.
template <class V, class State> void pass_state(StateStream &stream, const Ranks<V> &, State &state) {
  if constexpr (PassesItself<State>::value)
    state.pass(stream);
  else
    stream.value(state);
}
template <class V, class T> void pass_state(StateStream &stream, const Ranks<V> &ranks, Property<T> &state) {
  stream.bytes(static_cast<void *>(state.data() + ranks.first()), (ranks.last() - ranks.first()) * sizeof(T));
  for (int r = 0; r < ranks.size(); ++r) {
    std::vector<T> copies;
    for (const V v : ranks.copies_of(r))
      copies.push_back(state[v]);
    if (copies.empty())
      continue;
    stream.bytes(static_cast<void *>(copies.data()), copies.size() * sizeof(T));
    for (std::size_t i = 0; i < copies.size(); ++i)
      state[ranks.copies_of(r)[i]] = copies[i];
  }
}
template <class V, class T> void pass_state(StateStream &stream, const Ranks<V> &ranks, Dense<T> &state) {
  if (ranks.first() < ranks.last())
    stream.bytes(static_cast<void *>(state.row(ranks.first())),
                 (ranks.last() - ranks.first()) * state.size() * sizeof(T));
}
template <class V> void pass_state(StateStream &stream, const Ranks<V> &ranks, VertexSet<V> &set) {
  std::vector<V> members;
  if (!stream.reads())
    for (const V v : set)
      members.push_back(v);
  stream.list(members);
  if (stream.reads())
    set = VertexSet<V>::of(ranks.num_vertices(), members);
}
/// An array that all ranks have.
template <class T> class WholeArray {
public:
  explicit WholeArray(Array<T> &array) : array_(array) {}

  void pass(StateStream &stream) {
    std::uint64_t size = array_.size();
    stream.value(size);
    array_.resize_discard(static_cast<std::size_t>(size));
    if (size > 0)
      stream.bytes(static_cast<void *>(array_.data()), static_cast<std::size_t>(size) * sizeof(T));
  }

private:
  Array<T> &array_;
};

/// The values of a property at own arcs. Owners give them before a statement that reads copies, in each round.
template <class V, class T> class OwnArcs {
public:
  OwnArcs(const Arcs<V> &arcs, Property<T> &state) : arcs_(arcs), state_(state) {}

  void pass(StateStream &stream) {
    stream.bytes(static_cast<void *>(state_.data() + arcs_.first()), (arcs_.last() - arcs_.first()) * sizeof(T));
  }

private:
  const Arcs<V> &arcs_;
  Property<T> &state_;
};

/// Asked before each round of a statement, while no message is under way. Where the run is resumed, the states are then
/// what they were behind a round. Else they are written behind each round whose number says so.
template <class V, class... State> class Rounds {
public:
  /// `states`: what rounds change and later ones need, the active vertices among them.
  Rounds(const Ranks<V> &ranks, int statement, State &...states)
      : ranks_(ranks), states_(states...), statement_(statement),
        found_(round_keeper ? round_keeper->found(statement) : nullptr), done_(found_ ? found_->done : 0) {}
  Rounds(const Rounds &) = delete;

  /// The rounds that are done.
  std::int64_t done() const { return done_; }

  /// Whether there may be a further round. All ranks.
  bool next() {
    if (!round_keeper)
      return true;
    if (!began_) {
      began_ = true;
      if (!found_)
        return true;
      round_keeper->restore(statement_, [&](StateStream &stream) { pass(stream); });
      return !found_->ended;
    }
    ++done_;
    if (done_ % round_keeper->every() == 0)
      keep(false);
    return true;
  }
  /// Behind the statement, if another one with rounds comes. All ranks.
  void end() {
    if (round_keeper && !(found_ && found_->ended))
      keep(true);
  }

private:
  void keep(bool ended) {
    round_keeper->keep(statement_, {done_, ended}, [&](StateStream &stream) { pass(stream); });
  }
  void pass(StateStream &stream) {
    std::apply([&](State &...each) { (pass_state(stream, ranks_, each), ...); }, states_);
  }

  const Ranks<V> &ranks_;
  std::tuple<State &...> states_;
  int statement_;
  const KeptRound *found_;
  std::int64_t done_;
  bool began_ = false;
};

} // namespace gc::mpi

#endif
