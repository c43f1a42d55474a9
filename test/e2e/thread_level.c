// An MPI that does not serve processes with threads: preloaded, it says so, and else is the one that is there.
#include <mpi.h>

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)required;
  int status = PMPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, provided);
  *provided = MPI_THREAD_SINGLE;
  return status;
}
