// Main of a program that several processes run.
#ifndef GCOMPILE_MPI_MAIN_H
#define GCOMPILE_MPI_MAIN_H

#include <gcompile/mpi/starter.h>
#include <gcompile/mpi/world.h>
#include <gcompile/program/main.h>

namespace gc::mpi {

/// As gc::program_main: rank 0 prints and writes the files.
template <template <class> class Parallel, template <class> class Serial>
int program_main(int argc, char **argv, const ProgramInfo &info) {
  MPI_Init(&argc, &argv);
  if (const std::string reason = why_not_started(World::get().size()); !reason.empty()) {
    if (speaks_for_starter())
      std::fprintf(stderr, "error: %s\n", reason.c_str());
    MPI_Finalize();
    return exit_user_error;
  }
  const int status = gc::detail::run_program(argc, argv, info, gc::detail::factories<Parallel, Serial, std::uint32_t>(),
                                             gc::detail::factories<Parallel, Serial, std::uint64_t>(), &World::get());
  MPI_Finalize();
  return status;
}

} // namespace gc::mpi

#endif
