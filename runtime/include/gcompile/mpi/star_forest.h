// Values between owners and copies by star forests of PETSc, for programs that are compiled with --exchange=petsc.
#ifndef GCOMPILE_MPI_STAR_FOREST_H
#define GCOMPILE_MPI_STAR_FOREST_H

#include <gcompile/core/bytes.h>
#include <gcompile/core/error.h>
#include <gcompile/mpi/world.h>

// PETSc counts calls of MPI by macros of their names, which would be there for all headers that follow.
#ifndef PETSC_HAVE_BROKEN_RECURSIVE_MACRO
#define PETSC_HAVE_BROKEN_RECURSIVE_MACRO 1
#endif
#include <petscsf.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace gc::mpi {

/// Throws Error where a call of PETSc has failed.
inline void check_petsc(PetscErrorCode code) {
  if (code == 0)
    return;
  const char *what = nullptr;
  char *details = nullptr;
  PetscErrorMessage(code, &what, &details);
  throw Error(ErrorKind::resource, std::string("PETSc: ") + (details && *details ? details : what ? what : "an error"));
}

/// Begins PETSc beside MPI, unless that has been done. It takes no options, from files or the environment, handles no
/// signals, prints no errors, and leaves errors of MPI to MPI. All ranks.
inline void begin_petsc() {
  PetscBool begun = PETSC_FALSE;
  check_petsc(PetscInitialized(&begun));
  if (begun)
    return;
  unsetenv("PETSC_OPTIONS");
  unsetenv("PETSC_OPTIONS_YAML");
  std::string words[] = {"gcompile", "-skip_petscrc", "-no_signal_handler"};
  char *pointers[] = {words[0].data(), words[1].data(), words[2].data(), nullptr}, **arguments = pointers;
  int count = 3;
  PETSC_COMM_WORLD = World::get().communicator();
  check_petsc(PetscInitialize(&count, &arguments, nullptr, nullptr));
  MPI_Comm_set_errhandler(World::get().communicator(), MPI_ERRORS_ARE_FATAL);
  check_petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
}

/// Before MPI ends. All ranks.
inline void end_petsc() {
  PetscBool begun = PETSC_FALSE;
  if (PetscInitialized(&begun) == 0 && begun)
    PetscFinalize();
}

/// Where leaves are: at the numbers of their roots, in an array that ranks have alike; or one behind the other, by the
/// ranks of their roots.
enum class Leaves { in_place, in_turn };

/// Sends values of elements, the roots, to other ranks, which have a leaf for each that they get. Those of all leaves
/// are sent each time.
class StarForest {
public:
  /// By rank, the elements that come from it and those that go to it, ascending; only of ranks with takes_part(rank).
  /// `elements`: of the arrays. Throws Error where PETSc counts in too few bits. All ranks.
  template <class V, class TakesPart>
  StarForest(const std::vector<std::vector<V>> &from, const std::vector<std::vector<V>> &to,
             const TakesPart &takes_part, std::uint64_t elements, Leaves leaves) {
    check_count(elements);
    World::get().meet(0);
    World::get().together([&] {
      std::vector<PetscInt> places;
      std::vector<PetscSFNode> roots;
      for (int r = 0; r < World::get().size(); ++r) {
        if (!takes_part(r))
          continue;
        for (const V v : from[r]) {
          if (leaves == Leaves::in_place)
            places.push_back(static_cast<PetscInt>(v));
          roots.push_back({r, static_cast<PetscInt>(v)});
        }
        if (!to[r].empty())
          sent_.push_back(to[r].size());
      }
      check_count(leaves_ = roots.size());
      begin_petsc();
      check_petsc(PetscSFCreate(PETSC_COMM_WORLD, &forest_));
      check_petsc(PetscSFSetType(forest_, PETSCSFBASIC));
      check_petsc(PetscSFSetGraph(forest_, static_cast<PetscInt>(elements), static_cast<PetscInt>(leaves_),
                                  leaves == Leaves::in_place ? places.data() : nullptr, PETSC_COPY_VALUES, roots.data(),
                                  PETSC_COPY_VALUES));
      check_petsc(PetscSFSetUp(forest_));
    });
  }
  StarForest(const StarForest &) = delete;
  ~StarForest() { PetscSFDestroy(&forest_); }

  /// Leaves::in_place: gives the values of roots to leaves of the same array. All ranks.
  template <class T> void give(T *values) { send(values, values); }
  /// Leaves::in_turn: the values of all leaves, until the next call. All ranks.
  template <class T> const char *give(const T *roots) {
    in_turn_.clear();
    char *const bytes = in_turn_.add(leaves_ * sizeof(T));
    send(roots, bytes);
    return bytes;
  }

private:
  template <class T> void send(const T *roots, void *leaves) {
    World &world = World::get();
    world.meet(0);
    world.together([&] {
      MPI_Datatype value;
      MPI_Type_contiguous(sizeof(T), MPI_BYTE, &value);
      MPI_Type_commit(&value);
      check_petsc(PetscSFBcastBegin(forest_, value, roots, leaves, MPI_REPLACE));
      const World::Measured waiting(world);
      check_petsc(PetscSFBcastEnd(forest_, value, roots, leaves, MPI_REPLACE));
      MPI_Type_free(&value);
    });
    for (const std::size_t count : sent_)
      world.count_message(count * sizeof(T));
  }
  static void check_count(std::uint64_t count) {
    if (count > static_cast<std::uint64_t>(PETSC_MAX_INT))
      throw Error(ErrorKind::argument,
                  "--exchange=petsc: this PETSc counts in " + std::to_string(8 * sizeof(PetscInt)) +
                      " bits, too few for " + std::to_string(count) +
                      " vertices or copies: compile with a PETSc of 64-bit indices, or without the option");
  }

  PetscSF forest_ = nullptr;
  std::size_t leaves_ = 0;
  std::vector<std::size_t> sent_; ///< values, by the rank that gets them, if any
  Bytes in_turn_;                 ///< what has come last
};

} // namespace gc::mpi

#endif
