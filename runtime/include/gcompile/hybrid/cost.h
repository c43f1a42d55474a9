// When a GPU is worth its start: the one place with the numbers by which a program of two forms chooses.
#ifndef GCOMPILE_HYBRID_COST_H
#define GCOMPILE_HYBRID_COST_H

#include <gcompile/program/placement.h>

namespace gc {
namespace hybrid {

/// Seconds until a GPU takes its first kernel, in a process that has not used it.
constexpr double start_seconds = 0.3;
/// Bytes of a graph that are copied to it in a second, from memory that is not pinned.
constexpr double copied_bytes = 10e9;
/// Seconds for an arc and for an update of a pair: on one thread of a CPU, and on all of a GPU.
constexpr double cpu_arc = 4e-9, gpu_arc = 2e-11;
constexpr double cpu_pair = 4e-10, gpu_pair = 4e-13;

/// The graph and the machine, as far as they matter.
struct Task {
  double vertices = 0, arcs = 0;
  double bytes = 0; ///< of what the device needs of the graph
  double runs = 1, threads = 1;
};

inline double seconds_of(const Sides &sides, const Task &task, double arc, double pair) {
  const auto &[edges, edges_for_each, pairs, pairs_for_each] = sides.work;
  const double arcs = task.arcs * (edges + edges_for_each * task.vertices);
  const double updates = task.vertices * task.vertices * (pairs + pairs_for_each * task.vertices);
  return task.runs * (arcs * arc + updates * pair);
}

inline double cpu_seconds(const Sides &sides, const Task &task) {
  return seconds_of(sides, task, cpu_arc, cpu_pair) / task.threads;
}

inline double gpu_seconds(const Sides &sides, const Task &task) {
  return start_seconds + task.bytes / copied_bytes + seconds_of(sides, task, gpu_arc, gpu_pair);
}

} // namespace hybrid
} // namespace gc

#endif
