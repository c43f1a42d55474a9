// Everything that generated programs for several machines use, but for the frame of the program (program.h).
#ifndef GCOMPILE_MPI_H
#define GCOMPILE_MPI_H

#include <gcompile/mpi/failures.h>

#include <gcompile/core/array.h>
#include <gcompile/core/sums.h>
#include <gcompile/mpi/arcs.h>
#include <gcompile/mpi/buckets.h>
#include <gcompile/mpi/frontier.h>
#include <gcompile/mpi/levels.h>
#include <gcompile/mpi/main.h>
#include <gcompile/mpi/profile.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/mpi/rounds.h>
#include <gcompile/mpi/set_copies.h>
#include <gcompile/mpi/whole.h>
#include <gcompile/omp/threads/array_parts.h>
#include <gcompile/omp/threads/blocks.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/program/whole_results.h>
#include <gcompile/serial.h>

#endif
