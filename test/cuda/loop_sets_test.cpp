// Sets of vertices that a loop of kernels changes, in one kernel under the emulation: the same as on the host.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/kernels/both_ways.h>
#include <gcompile/cuda/loop/loop.h>

#include <algorithm>

namespace {

struct Few {
  unsigned every, turn;
  __device__ bool operator()(V v) const { return (v * 7 + turn) % every == 0; }
};
/// By lanes: with hubs, whose lists a block walks.
struct OddSums {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  gc::cuda::SetView<V> among;
  template <class Lanes> __device__ bool operator()(V v, const Lanes lanes) const {
    std::uint64_t sum = 0;
    for (const V u : lanes.share(graph.out_neighbors(v)))
      sum += among.contains(u) ? u + 1 : 0;
    return lanes.sum(sum) % 2 == 1;
  }
};
struct Total {
  std::uint64_t total = 0;
  GCOMPILE_HD void merge(const Total &other) { total += other.total; }
};
struct SumOfNeighbors {
  static constexpr bool by_lanes = true;
  using Parts = Total;
  gc::Graph<V> graph;
  template <class Lanes> __device__ void operator()(V v, const Lanes lanes, Parts &parts) const {
    for (const V u : lanes.share(graph.out_neighbors(v)))
      parts.total += u + 1;
    if (lanes.leader())
      parts.total += 1000000 * std::uint64_t(v);
  }
};
struct CountVisits {
  unsigned *visits;
  __device__ void operator()(V v) const { visits[v] += 1; }
};
struct CountArcs {
  using Parts = Total;
  unsigned *visits;
  __device__ void operator()(V u, V v, ArcId, Parts &parts) const {
    atomicAdd(&visits[v], 16u);
    parts.total += u;
  }
};

/// What a loop asks about its sets goes into `found`.
struct Changes {
  using Kernels = gc::cuda::Kernels<Few, OddSums, SumOfNeighbors, CountVisits, CountArcs>;
  enum Sets : unsigned { some, never_made, other, given };
  static constexpr unsigned num_sets = 4;
  gc::Graph<V> graph;
  unsigned *visits;
  gc::cuda::LoopLists<V> both_ways, same;

  struct Scalars {
    std::uint64_t found;
    unsigned turn;
  };

  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    const auto note = [&](std::uint64_t value) { scalars.found = scalars.found * 31 + value; };
    const V n = device.graph().num_vertices(), last = n - 1;
    for (; scalars.turn < 3; ++scalars.turn) {
      device.filter(some, Few{3, scalars.turn});
      note(device.size(some));
      note(device.for_vertices(some, SumOfNeighbors{graph}).total);
      device.copy_set(other, never_made);
      note(device.size(other));
      // Few of a list, then a bitmap without one, then a list again.
      device.filter(other, some, Few{scalars.turn == 1 ? 90u : 5u, 1});
      device.subtract(some, other);
      note(device.size(some));
      note(device.for_out_edges(some, CountArcs{visits}).total);
      note(device.for_out_edges(both_ways, other, CountArcs{visits}).total);
      note(device.for_out_edges(same, other, CountArcs{visits}).total);
      device.unite(some, other);
      device.filter(given, some, OddSums{graph, device.view(some)});
      note(device.size(given));
      device.for_vertices(given, CountVisits{visits});
      device.unite(given, device.set_of(other, V(0), last, V(0), gc::none<V>()));
      note(device.size(other));
      note(device.contains(given, last));
      note(device.contains(given, n));
      device.copy_set(some, given); // what a slow block still asks for would change
      note(device.contains(some, last));
      device.subtract(some, some);
      device.move_set(some, device.filter(other, given, Few{2, 0}));
      device.intersect(given, some);
      device.copy_set(other, given);
      device.unite(other, device.out_neighbors(some, n > 8 ? V(8) : V(0)));
      device.for_vertices(other, CountVisits{visits});
      note(device.size(other));
      device.subtract(device.set_all(some), other);
      note(device.for_vertices(some, SumOfNeighbors{graph}).total);
      device.subtract(other, device.set_all(other));
      device.unite(some, given);
      device.set_all(given);
      note(device.for_out_edges(given, CountArcs{visits}).total);
      device.filter(other, given, OddSums{graph, device.view(some)});
      note(device.size(other));
      note(device.read(&visits[last]));
      device.write(&visits[last], scalars.turn);
      if (scalars.found % 2 == 1) // all blocks have found the same
        device.for_vertices(CountVisits{visits});
      device.filter(given, Few{11, scalars.turn});
    }
  }
};

struct Outcome {
  Changes::Scalars scalars;
  std::vector<unsigned> visits;
  std::vector<std::vector<V>> sets;
};

Outcome outcome(const gc::cuda::Graph<V> &graph, const gc::cuda::Graph<V> &both, gc::cuda::LoopOn where) {
  gc::cuda::Property<unsigned> visits(graph.num_vertices());
  cudaMemset(visits.data(), 0, graph.num_vertices() * sizeof(unsigned));
  using Set = gc::cuda::VertexSet<V>;
  Set some = Set::of(graph, {0}), never_made, other = Set::all(graph);
  const Changes loop = {graph.view(), visits.data(), gc::cuda::LoopLists<V>(both), gc::cuda::LoopLists<V>(graph)};
  const Changes::Scalars left = gc::cuda::run_loop(graph, loop, {1, 0}, where, {&some, &never_made, &other});
  Outcome outcome = {left, contents(visits), {}};
  for (const Set *set : {&some, &other}) {
    outcome.sets.push_back(set->members());
    EXPECT_EQ(set->size(), static_cast<std::int64_t>(outcome.sets.back().size()));
    // The list has the same members.
    std::vector<V> listed(outcome.sets.back().size());
    cudaMemcpy(listed.data(), set->items(), listed.size() * sizeof(V), cudaMemcpyDeviceToHost);
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, outcome.sets.back());
  }
  EXPECT_EQ(never_made.size(), 0);
  return outcome;
}

TEST(LoopsWithSets, OneKernelDoesWhatTheHostDoes) {
  on_all_graphs([](const gc::Graph<V> &, const gc::cuda::Graph<V> &device) {
    const gc::cuda::Graph<V> both = gc::cuda::both_ways(device);
    const Outcome one = outcome(device, both, gc::cuda::LoopOn::device),
                  many = outcome(device, both, gc::cuda::LoopOn::host);
    EXPECT_EQ(one.scalars.found, many.scalars.found);
    EXPECT_EQ(one.scalars.turn, 3u);
    EXPECT_EQ(one.visits, many.visits);
    EXPECT_EQ(one.sets, many.sets);
  });
}

struct Small {
  using Kernels = gc::cuda::Kernels<CountVisits>;
  static constexpr bool by_sets = true;
  static constexpr unsigned num_sets = 1;
  unsigned *visits;
  struct Scalars {};
  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &) const {
    device.for_vertices(0, CountVisits{visits});
  }
};
static_assert(gc::cuda::detail::BySets<Small>::value && !gc::cuda::detail::BySets<Changes>::value);

} // namespace
