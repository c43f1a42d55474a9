// When a GPU is worth its start: the one place with the numbers by which a program of two forms chooses.
#ifndef GCOMPILE_HYBRID_COST_H
#define GCOMPILE_HYBRID_COST_H

#include <array>

namespace gc {
namespace hybrid {

/// Seconds until a GPU takes its first kernel, in a process that has not used it.
constexpr double start_seconds = 0.3;
/// Bytes that are copied to it in a second, from memory that is not pinned, and what begins each copy.
constexpr double copied_bytes = 10e9, copy_seconds = 2e-5;
/// Seconds for an arc and for an update of a pair: on one thread of a CPU, and on all of a GPU.
constexpr double cpu_arc = 4e-9, gpu_arc = 2e-11;
constexpr double cpu_pair = 4e-10, gpu_pair = 4e-13;

/// The graph and the machine, as far as they matter.
struct Task {
  double vertices = 0, arcs = 0;
  double bytes = 0; ///< of what the device needs of the graph
  double runs = 1, threads = 1;
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
  return seconds_of(work, task, cpu_arc, cpu_pair) / task.threads;
}
inline double gpu_seconds(const Work &work, const Task &task) { return seconds_of(work, task, gpu_arc, gpu_pair); }

/// Before the first run on it.
inline double start_of_gpu(const Task &task) { return start_seconds + task.bytes / copied_bytes; }

} // namespace hybrid
} // namespace gc

#endif
