// Main of a program that several processes run.
#ifndef GCOMPILE_MPI_MAIN_H
#define GCOMPILE_MPI_MAIN_H

#include <gcompile/mpi/starter.h>
#include <gcompile/mpi/world.h>
#include <gcompile/program/main.h>

#include <cstdint>
#include <cstdio>

namespace gc::mpi {

/// Begins MPI for processes with threads, of which the first one alone calls MPI. Returns whether that is possible; one
/// process says why not.
inline bool initialise(int &argc, char **&argv) {
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  if (const std::string reason = why_not_started(World::get().size()); !reason.empty()) {
    if (speaks_for_starter())
      std::fprintf(stderr, "error: %s\n", reason.c_str());
    return false;
  }
  if (level >= MPI_THREAD_FUNNELED)
    return true;
  if (World::get().speaks())
    std::fprintf(stderr, "error: this MPI does not serve processes with threads: it gives MPI_THREAD_SINGLE, and "
                         "MPI_THREAD_FUNNELED is needed\n");
  return false;
}

/// As gc::program_main: rank 0 prints and writes the files.
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  int status = exit_user_error;
  if (initialise(argc, argv))
    status = gc::detail::run_program(argc, argv, info, gc::detail::factories<Parallel, Serial, std::uint32_t>(),
                                     gc::detail::factories<Parallel, Serial, std::uint64_t>(), &World::get());
  MPI_Finalize();
  return status;
}

} // namespace gc::mpi

#endif
