// What has started the ranks, where it does not get along with MPI.
#ifndef GCOMPILE_MPI_STARTER_H
#define GCOMPILE_MPI_STARTER_H

#include <cstdlib>
#include <string>

namespace gc::mpi {

/// Slurm starts as many processes as it is told; without a common protocol each of them believes that it is alone, and
/// all would write the same files. Why a run of so many ranks cannot be what was meant; empty: it can.
inline std::string why_not_started(int ranks) {
  const char *const tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (ranks > 1 || !tasks || std::atoi(tasks) < 2 || std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE"))
    return {};
  return "Slurm has started " + std::string(tasks) +
         " processes, and MPI has found one in each; try srun --mpi=pmix, or mpirun in place of srun";
}

/// Whether this is the one of such processes that says so.
inline bool speaks_for_starter() {
  const char *const task = std::getenv("SLURM_PROCID");
  return !task || std::atoi(task) == 0;
}

} // namespace gc::mpi

#endif
