// The values of all copies of a kind, between them and their owners.
#ifndef GCOMPILE_MPI_FULL_VALUES_H
#define GCOMPILE_MPI_FULL_VALUES_H

#include <gcompile/core/property.h>
#include <gcompile/mpi/gifts.h>
#include <gcompile/mpi/mail.h>
#ifdef GCOMPILE_PETSC
#include <gcompile/mpi/star_forest.h>
#endif

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace gc::mpi {

/// Of ranks in a grid, which copies: of vertices at the other ends of arcs, whose owners are in the same column; of
/// those at which a rank has some of the arcs, whose owners are in the same row; or both. In one column all are of
/// ends.
enum class Copies { of_ends, of_lists, all };

/// Sends them by messages. Programs that are compiled with --exchange=petsc send them by star forests, one for each
/// kind of copies, straight from each rank to each; but not where ranks wait with a limit, since PETSc waits without
/// one.
template <class V> class FullValues {
public:
  /// By rank, `asked` are the own vertices that it has copies of, and `held` the copies of its vertices, both
  /// ascending.
  FullValues(const std::vector<std::vector<V>> &asked, const std::vector<std::vector<V>> &held, Mail &mail,
             Gifts<V> &gifts)
      : asked_(asked), held_(held), mail_(mail), gifts_(gifts) {}

  /// Owners send their values to copies of a kind. `are(rank)`: whether those that the rank and this one have of each
  /// other's vertices are of the kind. All ranks.
  template <class T, class Are> void give(Property<T> &state, [[maybe_unused]] Copies kind, const Are &are) {
#ifdef GCOMPILE_PETSC
    if (!World::get().limits_waiting()) {
      std::optional<StarForest> &forest = given_[static_cast<std::size_t>(kind)];
      if (!forest)
        forest.emplace(held_, asked_, are, state.size(), Leaves::in_place);
      forest->give(state.data());
      return;
    }
#endif
    gifts_.give(AllValues<V, T>(state), are);
    each(are, [&](int r) {
      const char *at = mail_.from(r).data();
      for (const V v : held_[r])
        state[v] = Mail::take<T>(at);
    });
  }
  /// Copies of lists send theirs to their owners, which call apply(v, value) for each, in the order of the ranks that
  /// send. A reduction of PETSc has operations of its own, and an order that it does not promise. All ranks.
  template <class T, class Are, class Apply>
  void bring_lists(const Property<T> &state, const Are &are, const Apply &apply) {
    const auto apply_all = [&](int r, const char *&at) {
      for (const V v : asked_[r])
        apply(v, Mail::take<T>(at));
    };
#ifdef GCOMPILE_PETSC
    if (!World::get().limits_waiting()) {
      if (!brought_)
        brought_.emplace(asked_, held_, are, state.size(), Leaves::in_turn);
      const char *at = brought_->give(state.data());
      each(are, [&](int r) { apply_all(r, at); });
      return;
    }
#endif
    each(are, [&](int r) { AllValues<V, T>(state).write(held_[r], mail_.to(r)); });
    mail_.exchange();
    each(are, [&](int r) {
      const char *at = mail_.from(r).data();
      apply_all(r, at);
    });
  }

private:
  template <class Are, class One> static void each(const Are &are, const One &one) {
    for (int r = 0; r < World::get().size(); ++r)
      if (are(r))
        one(r);
  }

  const std::vector<std::vector<V>> &asked_, &held_;
  Mail &mail_;
  Gifts<V> &gifts_;
#ifdef GCOMPILE_PETSC
  std::array<std::optional<StarForest>, 3> given_; ///< by kind
  std::optional<StarForest> brought_;
#endif
};

} // namespace gc::mpi

#endif
