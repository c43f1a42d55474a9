// Main of a program that several processes run.
#ifndef GCOMPILE_MPI_MAIN_H
#define GCOMPILE_MPI_MAIN_H

#include <gcompile/mpi/full_values.h>
#include <gcompile/mpi/starter.h>
#include <gcompile/mpi/world.h>
#include <gcompile/program/main.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace gc::mpi {

/// Begins MPI for processes with threads, of which the first one alone calls MPI; where it serves none, a rank has one
/// thread unless it is told otherwise. Returns whether a run is possible; one process says why not.
inline bool initialise(int &argc, char **&argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  World::get().set_serves_threads(level >= MPI_THREAD_FUNNELED);
  if (level < MPI_THREAD_FUNNELED && setenv("OMP_NUM_THREADS", "1", /*overwrite=*/0) == 0 &&
      std::string(std::getenv("OMP_NUM_THREADS")) == "1")
    omp_set_num_threads(1);
  const std::string reason = why_not_started(World::get().size());
  if (!reason.empty() && speaks_for_starter())
    std::fprintf(stderr, "error: %s\n", reason.c_str());
  return reason.empty();
}

/// As gc::program_main: rank 0 prints and writes the files.
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  int status = exit_user_error;
  if (initialise(argc, argv))
    status = gc::detail::run_program(argc, argv, info, gc::detail::factories<Parallel, Serial, std::uint32_t>(),
                                     gc::detail::factories<Parallel, Serial, std::uint64_t>(), &World::get());
#ifdef GCOMPILE_PETSC
  end_petsc();
#endif
  MPI_Finalize();
  return status;
}

} // namespace gc::mpi

#endif
