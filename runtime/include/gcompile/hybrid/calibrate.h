// Measures how fast the sides of this machine are.
#ifndef GCOMPILE_HYBRID_CALIBRATE_H
#define GCOMPILE_HYBRID_CALIBRATE_H

#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/hybrid/rates.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/load.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gc {
namespace hybrid {

namespace detail {

/// Sums a value over the neighbours of each vertex, as pulls do.
template <class V> struct SumNeighbors {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  const double *values;
  double *sums;

  template <class Lanes> __device__ void operator()(const V v, const Lanes lanes) const {
    const double sum =
        lanes.sum(cuda::sum_of<double>(lanes.share(graph.out_neighbors(v)), [this](const V u) { return values[u]; }));
    if (lanes.leader())
      sums[v] = sum;
  }
};

/// The shortest of some turns, in seconds.
template <class Work> double shortest(int turns, const Work &work) {
  double least = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    least = turn == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

} // namespace detail

/// Measures the start of the GPU, which this process must not have used, copies, and sums over the edges of a Kronecker
/// graph. What pairs take is scaled as the edges are.
inline Rates measure() {
  using V = std::uint32_t;
#ifdef GCOMPILE_CUDA_EMULATION
  const char *const spec = "kronecker:scale=8,degree=16,seed=1";
  constexpr std::size_t buffer = std::size_t(1) << 16;
#else
  const char *const spec = "kronecker:scale=20,degree=16,seed=1";
  constexpr std::size_t buffer = std::size_t(1) << 28;
#endif
  constexpr int turns = 7;
  Rates rates;
  rates.gpu_start = detail::shortest(1, [] {
    cuda::Property<char> first(1);
    cuda::synchronize();
  });

  Array<char> here(buffer);
  std::fill(here.begin(), here.end(), 0);
  cuda::Property<char> there(buffer);
  Array<char> little(1);
  little[0] = 0;
  cuda::Property<char> small(1);
  rates.copy_start = detail::shortest(turns, [&] {
    small = little;
    cuda::synchronize();
  });
  rates.moved_byte = detail::shortest(turns,
                                      [&] {
                                        there = here;
                                        cuda::synchronize();
                                      }) /
                     static_cast<double>(buffer);

  LoadOptions options;
  options.progress = options.notes = false;
  const LoadedGraph loaded = load_graph(spec, options);
  const Graph<V> &graph = loaded.view<V>();
  const double arcs = static_cast<double>(graph.num_arcs());
  Array<double> values(graph.num_vertices()), sums(graph.num_vertices());
  std::fill(values.begin(), values.end(), 1.0);
  const double on_cpu = detail::shortest(turns, [&] {
    parallel_for(true, graph.num_vertices(), [&](std::size_t v) {
      double sum = 0;
      for (const V u : graph.out_neighbors(static_cast<V>(v)))
        sum += values[u];
      sums[v] = sum;
    });
  });
  const cuda::Graph<V> device(graph, ProgramInfo());
  cuda::Property<double> device_values(0), device_sums(graph.num_vertices());
  device_values = values;
  const double on_gpu = detail::shortest(turns, [&] {
    cuda::for_vertices(device, detail::SumNeighbors<V>{device.view(), device_values.data(), device_sums.data()});
    cuda::synchronize();
  });
  const Rates before;
  rates.cpu_arc = on_cpu * omp_get_max_threads() / arcs;
  rates.gpu_arc = on_gpu / arcs;
  rates.cpu_pair = before.cpu_pair * rates.cpu_arc / before.cpu_arc;
  rates.gpu_pair = before.gpu_pair * rates.gpu_arc / before.gpu_arc;
  return rates;
}

} // namespace hybrid
} // namespace gc

#endif
