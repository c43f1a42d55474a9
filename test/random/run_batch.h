// The main function of a compiled batch: every algorithm on every graph with every number of threads, and once more
// after a run with other arguments.
#pragma once

#ifdef RANDOM_MPI
#include <gcompile/mpi.h> // before all others

#include "runtime/src/storage.h"
#include "test/random/resumed_runs.h"
#endif

#include "test/random/outputs.h"

#ifdef _OPENMP
#include <omp.h>
#else
inline void omp_set_num_threads(int) {}
#endif

#ifdef RANDOM_GPUS
#include <gcompile/gpus.h>
#endif

#ifndef RANDOM_VERTEX_BITS
#define RANDOM_VERTEX_BITS 32
#endif
using RandomVertex = std::conditional_t<RANDOM_VERTEX_BITS == 64, std::uint64_t, std::uint32_t>;

/// Whether this process prints: of several ranks, the first one has the results.
inline bool prints() {
#ifdef RANDOM_MPI
  return gc::mpi::World::get().speaks();
#else
  return true;
#endif
}

template <template <class> class Algorithm>
void runAlgorithm(const char *name, const gc::ProgramInfo &info, const char *directedness, int graphs, char **paths) {
  for (bool directed : {true, false}) {
    if (std::string(directedness) == (directed ? "undirected" : "directed"))
      continue;
    for (int i = 0; i < graphs; ++i) {
      gc::LoadOptions options;
      options.vertex_bits = RANDOM_VERTEX_BITS;
      options.vertex_order = info.vertex_order;
      options.packed = info.packed;
#ifdef RANDOM_MPI
      // Two of three programs that may be run on divided lists, and half of the others that may be divided in any way
      // on random parts.
      options.parts = gc::mpi::World::get().size();
      const bool divided = info.whole_lists.empty() && std::hash<std::string>()(std::string(name) + paths[i]) % 3 != 0;
      if (!divided && info.numbers_used.empty() && std::hash<std::string>()(name) % 2 == 0)
        options.partition = std::string(paths[i]) + ".parts";
#endif
      const gc::LoadedGraph whole = loadRandomGraph(paths[i], directed, options);
      const InputOrder order = options.renumbers() ? InputOrder(info, whole, whole.view<RandomVertex>()) : InputOrder();
#ifdef RANDOM_MPI
      // A rank has its part alone, as in a program's main.
      gc::mpi::World::get().divide({});
      options.group = &gc::mpi::World::get();
      options.divides_lists = divided;
      options.out_of_copies = info.needs_out_of_copies;
      options.into_copies = info.needs_into_copies;
      options.keeps_all = info.needs_edges_of_all;
      gc::whole_results.clear(); // rank 0 prints all of them
      for (const gc::OutputInfo &output : info.outputs)
        gc::whole_results.push_back(output.name);
      const gc::LoadedGraph graph = loadRandomGraph(paths[i], directed, options);
#else
      const gc::LoadedGraph &graph = whole;
#endif
#ifdef RANDOM_GPUS
      using Instance = gc::gpus::InstanceOf<Algorithm<RandomVertex>>;
      for (int threads : {2, 3}) {
        gc::wanted_gpus = threads;
#elif defined(RANDOM_MPI)
      using Instance = gc::detail::InstanceOf<Algorithm<RandomVertex>>;
      for (int threads : {gc::mpi::World::get().size()}) {
#elif defined(GCOMPILE_CUDA_EMULATION) || defined(__CUDACC__) || !defined(_OPENMP)
      using Instance = gc::detail::InstanceOf<Algorithm<RandomVertex>>;
      for (int threads : {1}) {
#else
      using Instance = gc::detail::InstanceOf<Algorithm<RandomVertex>>;
      for (int threads : {1, 2, 4}) {
#endif
#ifdef RANDOM_MPI
        // Half of the programs send by way of other ranks, and half run on three threads a rank.
        gc::mpi::World::get().choose_routes(std::hash<std::string>()(std::string(name) + paths[i]) / 4 % 2 == 0
                                                ? gc::RouteChoice::grid
                                                : gc::RouteChoice::direct);
        omp_set_num_threads(std::hash<std::string>()(std::string(name) + paths[i]) / 2 % 2 == 0 ? 3 : 1);
#else
        omp_set_num_threads(threads);
#endif
        const std::string run =
            std::string(paths[i]) + (directed ? ":directed:" : ":undirected:") + std::to_string(threads);
        // A runtime error would end the process: what ran last is named first.
        std::fprintf(stderr, "%s %s\n", name, run.c_str());
        const gc::Arguments arguments = randomArguments(graph, paths[i]);
        Instance instance(graph.view<RandomVertex>(), arguments);
        instance.run();
        if (prints())
          printOutputs(name, run, instance.outputs(), order);
        if (threads == 4)
          continue;
        std::fprintf(stderr, "%s %s\n", name, (run + "again").c_str());
        instance.set_arguments(otherArguments(graph));
        instance.run();
        instance.set_arguments(arguments);
        instance.run();
        if (prints())
          printOutputs(name, run + "again", instance.outputs(), order);
#ifdef RANDOM_MPI
        std::fprintf(stderr, "%s %s\n", name, (run + "resumed").c_str());
        runResumed(
            std::string(name) + run, [&] { return std::make_unique<Instance>(graph.view<RandomVertex>(), arguments); },
            [&](const std::vector<gc::detail::OutputView> &views) {
              if (prints())
                printOutputs(name, run + "resumed", views, order);
            });
#endif
      }
    }
  }
}
