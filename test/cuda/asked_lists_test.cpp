// Kernels that ask first which vertices have lists to walk: each is asked, walked and finished once, in this order.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/loop/loop.h>

#include <set>

namespace {

struct Counts {
  std::uint64_t total = 0, visits = 0;
  GCOMPILE_HD void merge(const Counts &other) {
    total += other.total;
    visits += other.visits;
  }
};

/// The neighbours' numbers, for vertices that `every` does not divide; the rest doubles what it finds.
struct SumSome {
  static constexpr bool by_lanes = true, asks_first = true;
  using Parts = Counts;
  gc::Graph<V> graph;
  V every;
  std::uint64_t *sum;

  template <class Lanes> __device__ void operator()(V v, const Lanes lanes, Parts &parts) const {
    std::uint64_t mine = 0;
    for (const V u : lanes.share(graph.out_neighbors(v)))
      mine += u + 1;
    mine = lanes.sum(mine);
    lanes.sync();
    if (lanes.leader()) {
      sum[v] = mine;
      parts.total += mine;
    }
    lanes.sync();
  }
  __device__ bool asks(V v) const { return v % every != 0 && sum[v] == 3; }
  __device__ void rest(V v, Parts &parts) const {
    sum[v] = 2 * sum[v] + 1;
    ++parts.visits;
  }
};
/// The same without parts, and without anything else.
struct SumAlone {
  static constexpr bool by_lanes = true, asks_first = true;
  gc::Graph<V> graph;
  V every;
  std::uint64_t *sum;

  template <class Lanes> __device__ void operator()(V v, const Lanes lanes) const {
    std::uint64_t mine = 0;
    for (const V u : lanes.share(graph.out_neighbors(v)))
      mine += u + 1;
    mine = lanes.sum(mine);
    lanes.sync();
    if (lanes.leader())
      sum[v] = mine;
    lanes.sync();
  }
  __device__ bool asks(V v) const { return v % every != 0 && sum[v] == 3; }
};

/// What the kernels leave of a property of threes, of these vertices.
template <class Of>
std::vector<std::uint64_t> expected(const gc::Graph<V> &graph, V every, bool rest, const Of &of, Counts &counts) {
  std::vector<std::uint64_t> sums(graph.n, 3);
  for (const V v : of) {
    if (v % every != 0) {
      sums[v] = 0;
      for (const V u : graph.out_neighbors(v))
        sums[v] += u + 1;
      counts.total += sums[v];
    }
    if (rest)
      sums[v] = 2 * sums[v] + 1;
    ++counts.visits;
  }
  return sums;
}

void fill(gc::cuda::Property<std::uint64_t> &property, V n) {
  const std::vector<std::uint64_t> threes(n, 3);
  ASSERT_EQ(cudaMemcpy(property.data(), threes.data(), n * sizeof threes[0], cudaMemcpyHostToDevice), cudaSuccess);
}

TEST(AskedLists, EveryVertexOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    std::vector<V> all;
    for (V v = 0; v < graph.n; ++v)
      all.push_back(v);
    for (const V every : {1, 2, 3, 5, 1000000}) {
      gc::cuda::Property<std::uint64_t> sum(graph.n);
      fill(sum, graph.n);
      const Counts counts = gc::cuda::for_vertices(device, SumSome{device.view(), every, sum.data()});
      Counts wanted;
      EXPECT_EQ(contents(sum), expected(graph, every, true, all, wanted)) << every;
      EXPECT_EQ(counts.total, wanted.total);
      EXPECT_EQ(counts.visits, wanted.visits);
      fill(sum, graph.n);
      gc::cuda::for_vertices(device, SumAlone{device.view(), every, sum.data()});
      EXPECT_EQ(contents(sum), expected(graph, every, false, all, wanted)) << every;
    }
  });
}

TEST(AskedLists, EveryMemberOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    for (const V step : {2, 7}) {
      std::set<V> some;
      for (V v = 0; v < graph.n; ++v)
        if (v % step != 0)
          some.insert(v);
      const auto set = gc::cuda::VertexSet<V>::of(device, some);
      gc::cuda::Property<std::uint64_t> sum(graph.n);
      fill(sum, graph.n);
      const Counts counts = gc::cuda::for_vertices(device, set, SumSome{device.view(), 3, sum.data()});
      Counts wanted;
      EXPECT_EQ(contents(sum), expected(graph, 3, true, some, wanted)) << step;
      EXPECT_EQ(counts.total, wanted.total);
      EXPECT_EQ(counts.visits, wanted.visits);
    }
  });
}

/// Over all vertices, and over those of a set.
struct Twice {
  using Kernels = gc::cuda::Kernels<SumSome, SumAlone>;
  static constexpr unsigned num_sets = 1;
  gc::Graph<V> graph;
  std::uint64_t *sum, *alone;

  struct Scalars {
    std::uint64_t total, visits;
  };

  GCOMPILE_CUDA_EITHER_SIDE
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    const Counts counts = device.for_vertices(SumSome{graph, 3, sum});
    scalars.total += counts.total;
    scalars.visits += counts.visits;
    device.for_vertices(0, SumAlone{graph, 5, alone});
  }
};

TEST(AskedLists, InsideOfALoop) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    std::vector<V> all;
    std::set<V> some;
    for (V v = 0; v < graph.n; ++v) {
      all.push_back(v);
      if (v % 4 != 1)
        some.insert(v);
    }
    for (const gc::cuda::LoopOn where : {gc::cuda::LoopOn::device, gc::cuda::LoopOn::host}) {
      gc::cuda::VertexSet<V> set = gc::cuda::VertexSet<V>::of(device, some);
      gc::cuda::Property<std::uint64_t> sum(graph.n), alone(graph.n);
      fill(sum, graph.n);
      fill(alone, graph.n);
      const Twice::Scalars scalars =
          gc::cuda::run_loop(device, Twice{device.view(), sum.data(), alone.data()}, {0, 0}, where, {&set});
      Counts wanted, ignored;
      EXPECT_EQ(contents(sum), expected(graph, 3, true, all, wanted));
      EXPECT_EQ(contents(alone), expected(graph, 5, false, some, ignored));
      EXPECT_EQ(scalars.total, wanted.total);
      EXPECT_EQ(scalars.visits, wanted.visits);
    }
  });
}

} // namespace
