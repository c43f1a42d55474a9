// Counts what a program does under MPI, without changing it: messages of data, their bytes, and meetings, in which all
// ranks take part. Preloaded or linked with the program, it stands before the calls that gcompile's programs make. At the
// end each rank appends "RANK MESSAGES BYTES MEETINGS" to the file in COUNT_FILE.
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static long long messages, sent_bytes, meetings;

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm group, MPI_Request *request) {
  int size;
  PMPI_Type_size(type, &size);
  ++messages;
  sent_bytes += (long long)count * size;
  return PMPI_Isend(data, count, type, to, tag, group, request);
}

int MPI_Allgather(const void *own, int own_count, MPI_Datatype own_type, void *all, int count, MPI_Datatype type,
                  MPI_Comm group) {
  ++meetings;
  return PMPI_Allgather(own, own_count, own_type, all, count, type, group);
}

int MPI_Alltoall(const void *own, int own_count, MPI_Datatype own_type, void *all, int count, MPI_Datatype type,
                 MPI_Comm group) {
  ++meetings;
  return PMPI_Alltoall(own, own_count, own_type, all, count, type, group);
}

int MPI_Allgatherv(const void *own, int own_count, MPI_Datatype own_type, void *all, const int *counts, const int *places,
                   MPI_Datatype type, MPI_Comm group) {
  ++meetings;
  return PMPI_Allgatherv(own, own_count, own_type, all, counts, places, type, group);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm group) {
  ++meetings;
  return PMPI_Bcast(data, count, type, root, group);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE *file = fopen(getenv("COUNT_FILE"), "a");
  if (file) {
    fprintf(file, "%d %lld %lld %lld\n", rank, messages, sent_bytes, meetings);
    fclose(file);
  }
  return PMPI_Finalize();
}
