// Counts what star forests of PETSc send: their broadcasts, and the messages and bytes of requests that are started again
// and again, as theirs are. Preloaded, it stands before the calls. At the end each rank appends "RANK BROADCASTS MESSAGES
// BYTES" to the file in COUNT_FILE. On rank FAIL_RANK the FAIL_CALL-th broadcast fails for want of memory.
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 4096, out_of_memory = 55 };
static struct {
  MPI_Request request;
  long long bytes;
} sends[most];
static int kept;
static long long broadcasts, messages, sent_bytes;

static int rank(void) {
  int own;
  PMPI_Comm_rank(MPI_COMM_WORLD, &own);
  return own;
}

int PetscSFBcastBegin(void *forest, MPI_Datatype type, const void *roots, void *leaves, MPI_Op op) {
  int (*call)(void *, MPI_Datatype, const void *, void *, MPI_Op) =
      (int (*)(void *, MPI_Datatype, const void *, void *, MPI_Op))dlsym(RTLD_NEXT, "PetscSFBcastBegin");
  ++broadcasts;
  if (getenv("FAIL_RANK") && rank() == atoi(getenv("FAIL_RANK")) && broadcasts == atoi(getenv("FAIL_CALL")))
    return out_of_memory;
  return call(forest, type, roots, leaves, op);
}

int MPI_Send_init(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm group, MPI_Request *request) {
  int size, status = PMPI_Send_init(data, count, type, to, tag, group, request);
  PMPI_Type_size(type, &size);
  if (kept == most)
    abort();
  sends[kept].request = *request;
  sends[kept++].bytes = (long long)count * size;
  return status;
}

int MPI_Startall(int count, MPI_Request *requests) {
  for (int i = 0; i < count; ++i)
    for (int k = kept; k-- > 0;)
      if (sends[k].request == requests[i]) {
        ++messages;
        sent_bytes += sends[k].bytes;
        break;
      }
  return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request *request) {
  for (int k = 0; k < kept; ++k)
    if (sends[k].request == *request)
      sends[k] = sends[--kept];
  return PMPI_Request_free(request);
}

int MPI_Finalize(void) {
  FILE *file = getenv("COUNT_FILE") ? fopen(getenv("COUNT_FILE"), "a") : NULL;
  if (file) {
    fprintf(file, "%d %lld %lld %lld\n", rank(), broadcasts, messages, sent_bytes);
    fclose(file);
  }
  return PMPI_Finalize();
}
