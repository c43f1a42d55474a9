// Everything that generated OpenMP programs use, but for the frame of the program (program.h).
#ifndef GCOMPILE_OMP_H
#define GCOMPILE_OMP_H

#include <gcompile/atomics.h>
#include <gcompile/bucketed_set.h>
#include <gcompile/buckets.h>
#include <gcompile/by_target.h>
#include <gcompile/components.h>
#include <gcompile/copy.h>
#include <gcompile/error.h>
#include <gcompile/frontier.h>
#include <gcompile/graph.h>
#include <gcompile/kept_levels.h>
#include <gcompile/matching.h>
#include <gcompile/numeric.h>
#include <gcompile/open_vertices.h>
#include <gcompile/pairs.h>
#include <gcompile/property.h>
#include <gcompile/reduce.h>
#include <gcompile/replay.h>
#include <gcompile/sorted_sets.h>
#include <gcompile/team.h>
#include <gcompile/triangles.h>
#include <gcompile/types.h>
#include <gcompile/vertex_set.h>

namespace gc {

class Arguments;

/// Stands for the serial form of a program that was generated without one.
template <class V> struct WithoutSerial {
  WithoutSerial(const Graph<V> &, const Arguments &, const void *) {
    throw Error(ErrorKind::argument, "this program cannot verify itself: it was generated without its serial form");
  }
  void run() {}
  template <class Visit> void outputs(Visit &&) const {}
};

} // namespace gc

#endif
