// Everything that generated OpenMP programs use, but for the frame of the program (program.h).
#ifndef GCOMPILE_OMP_H
#define GCOMPILE_OMP_H

#include <gcompile/core/adjacency.h>
#include <gcompile/core/array.h>
#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/hand_over.h>
#include <gcompile/core/numeric.h>
#include <gcompile/core/operators.h>
#include <gcompile/core/packed_graph.h>
#include <gcompile/core/property.h>
#include <gcompile/core/types.h>
#include <gcompile/omp/algorithms/components.h>
#include <gcompile/omp/algorithms/mode.h>
#include <gcompile/omp/algorithms/triangles.h>
#include <gcompile/omp/by_target.h>
#include <gcompile/omp/copy.h>
#include <gcompile/omp/frontier/frontier.h>
#include <gcompile/omp/frontier/kept_levels.h>
#include <gcompile/omp/frontier/unvisited.h>
#include <gcompile/omp/order/bucketed_set.h>
#include <gcompile/omp/order/buckets.h>
#include <gcompile/omp/order/kept_index.h>
#include <gcompile/omp/sets/arcs.h>
#include <gcompile/omp/sets/matching.h>
#include <gcompile/omp/sets/pairs.h>
#include <gcompile/omp/sets/stored_sets.h>
#include <gcompile/omp/sets/vertex_set_builder.h>
#include <gcompile/omp/threads/array_parts.h>
#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/program/replay.h>

namespace gc {

class Arguments;

/// Stands for the serial form of a program that was generated without one.
template <class V> struct WithoutSerial {
  template <class A> WithoutSerial(const Graph<V, A> &, const Arguments &, const void *) {
    throw Error(ErrorKind::argument, "this program cannot verify itself: it was generated without its serial form");
  }
  void run() {}
  template <class Visit> void outputs(Visit &&) const {}
};

} // namespace gc

#endif
