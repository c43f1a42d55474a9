// When a GPU is worth its start: what a program of two forms, or a stage of it, takes on either side.
#ifndef GCOMPILE_HYBRID_COST_H
#define GCOMPILE_HYBRID_COST_H

#include <gcompile/hybrid/rates.h>

#include <array>

namespace gc {
namespace hybrid {

/// The graph and the machine, as far as they matter.
struct Task {
  double vertices = 0, arcs = 0;
  double bytes = 0; ///< of what the device needs of the graph
  double runs = 1, threads = 1;
  Rates rates;
};

/// How often a program, or a stage of it, goes through all edges, all edges for each vertex, all pairs, all pairs for
/// each vertex.
using Work = std::array<double, 4>;

inline double seconds_of(const Work &work, const Task &task, double arc, double pair) {
  const auto &[edges, edges_for_each, pairs, pairs_for_each] = work;
  const double arcs = task.arcs * (edges + edges_for_each * task.vertices);
  const double updates = task.vertices * task.vertices * (pairs + pairs_for_each * task.vertices);
  return arcs * arc + updates * pair;
}

/// Of one run.
inline double cpu_seconds(const Work &work, const Task &task) {
  return seconds_of(work, task, task.rates.cpu_arc, task.rates.cpu_pair) / task.threads;
}
inline double gpu_seconds(const Work &work, const Task &task) {
  return seconds_of(work, task, task.rates.gpu_arc, task.rates.gpu_pair);
}

/// Before the first run on it.
inline double start_of_gpu(const Task &task) { return task.rates.gpu_start + task.bytes * task.rates.moved_byte; }

/// To move so many bytes of a state.
inline double copy_seconds(double bytes, const Task &task) {
  return task.rates.copy_start + bytes * task.rates.moved_byte;
}

} // namespace hybrid
} // namespace gc

#endif
