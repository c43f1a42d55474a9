// Everything that generated programs of one thread use, but for the frame of the program (program.h). It compiles with
// OpenMP and without.
#ifndef GCOMPILE_SERIAL_H
#define GCOMPILE_SERIAL_H

#include <gcompile/core/adjacency.h>
#include <gcompile/core/array.h>
#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/operators.h>
#include <gcompile/core/packed_graph.h>
#include <gcompile/core/property.h>
#include <gcompile/core/types.h>
#include <gcompile/omp/algorithms/mode.h>
#include <gcompile/omp/copy.h>
#include <gcompile/omp/frontier/frontier.h>
#include <gcompile/omp/frontier/kept_levels.h>
#include <gcompile/omp/order/bucketed_set.h>
#include <gcompile/omp/order/buckets.h>
#include <gcompile/omp/order/kept_index.h>
#include <gcompile/omp/sets/arcs.h>
#include <gcompile/omp/sets/matching.h>
#include <gcompile/omp/sets/pairs.h>
#include <gcompile/omp/sets/stored_sets.h>
#include <gcompile/omp/sets/vertex_set_builder.h>
#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/program/replay.h>

#endif
