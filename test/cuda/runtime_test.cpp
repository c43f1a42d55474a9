// The headers that generated CUDA includes, under the emulation, against the plainest code that gives the same answer:
// loops, sets and whole algorithms.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/algorithms/components.h>
#include <gcompile/cuda/device/mapped.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/triangles/triangles.h>

#include <cmath>
#include <numeric>
#include <set>

namespace {

// ---- Memory ---------------------------------------------------------------------------------------------------------

TEST(Memory, NoMoreThanTheLimit) {
  gc::cuda::detail::SpareMemory::release();
  const std::uint64_t before = gc::device_memory.used();
  gc::device_memory.limit(before + 3000);
  {
    gc::cuda::Buffer<char> first(1500);
    EXPECT_THROW(gc::cuda::Buffer<char>(1600), gc::Error);
    gc::cuda::Buffer<char> second(1000);
    EXPECT_LE(gc::device_memory.used(), before + 3000);
    EXPECT_LE(gc::device_memory.used(), emulation::peak_memory());
  }
  // What was given back makes room.
  const gc::cuda::Buffer<char> third(2500);
  EXPECT_LE(gc::device_memory.used(), before + 3000);
  gc::device_memory.limit(0);
}

TEST(Memory, ArraysStayWithTheHost) {
  unsigned stayed = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    emulation::seed(seed);
    const std::uint64_t before = gc::device_memory.used();
    gc::Array<std::uint64_t> values((std::size_t(4) << 20) / 8 + 5);
    std::iota(values.begin(), values.end(), seed);
    const gc::cuda::PlacedArray<std::uint64_t> placed(values.data(), values.size(), false);
    stayed += placed.data() == values.data();
    EXPECT_TRUE(std::equal(values.begin(), values.end(), placed.data()));
    const gc::cuda::PlacedArray<std::uint64_t> small(values.data(), 10, false), none(values.data(), 0, false);
    EXPECT_NE(small.data(), values.data()); // its pages are others' as well
    EXPECT_TRUE(std::equal(small.data(), small.data() + 10, values.data()));
    EXPECT_EQ(gc::device_memory.used(), before);
  }
  EXPECT_GT(stayed, 0u);
  EXPECT_LT(stayed, 10u); // where it cannot be pinned there, it is copied
}

TEST(Memory, WhatIsReadMostIsOnTheDevice) {
  const SmallGraph<V> host = random_graph<V>(1000, 50000, true, true, 4);
  const gc::ProgramInfo info = weighted();
  gc::device_memory.limit(std::uint64_t(1) << 30);
  { const gc::cuda::Graph<V> all(host.graph, info); }
  const gc::DevicePlan whole = gc::device_memory.plan();
  EXPECT_EQ(whole.bytes(false), 0);
  double needed = 0;
  std::string places;
  for (const gc::DevicePlan::Part &part : whole.parts) {
    needed += part.bytes;
    if (part.what == "frontiers" || part.what == "state")
      continue;
    // There is room up to this array, but for a byte.
    gc::cuda::detail::SpareMemory::release();
    gc::device_memory.limit(gc::device_memory.used() + static_cast<std::uint64_t>(needed) - 1);
    if (part.what == "offsets") {
      EXPECT_THROW((gc::cuda::Graph<V>(host.graph, info)), gc::Error);
      continue;
    }
    const gc::cuda::Graph<V> some(host.graph, info);
    for (const gc::DevicePlan::Part &placed : gc::device_memory.plan().parts)
      if (placed.what == part.what) {
        EXPECT_FALSE(placed.on_device) << part.what;
      }
    EXPECT_TRUE(std::equal(host.out_targets.begin(), host.out_targets.end(), some.view().out_targets));
    EXPECT_TRUE(std::equal(host.in_edges.begin(), host.in_edges.end(), some.view().in_edges));
    places += part.what + " ";
  }
  EXPECT_EQ(places, "targets sources  numbers of edges ");
  gc::device_memory.limit(0);
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

struct Sums {
  std::int64_t visits = 0;
  std::int64_t total = 0;
  GCOMPILE_HD void merge(const Sums &other) {
    visits += other.visits;
    total += other.total;
  }
};

struct VisitVertex {
  using Parts = Sums;
  std::int64_t *value;
  __device__ void operator()(V v, Sums &sums) const {
    value[v] += v + 1;
    ++sums.visits;
    sums.total += v;
  }
};

TEST(Loops, EveryVertexOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    gc::cuda::Property<std::int64_t> value(graph.n);
    ASSERT_EQ(cudaMemset(value.data(), 0, graph.n * sizeof(std::int64_t)), cudaSuccess);
    const Sums sums = gc::cuda::for_vertices(device, VisitVertex{value.data()});
    EXPECT_EQ(sums.visits, graph.n);
    EXPECT_EQ(sums.total, std::int64_t(graph.n) * (graph.n - 1) / 2);
    std::vector<std::int64_t> expected(graph.n);
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_EQ(contents(value), expected);
  });
}

/// Marks by which signs the lanes of a vertex know the least, and the greatest, of values that are all equal.
struct SignsOfZero {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  unsigned *least, *greatest;
  template <class Lanes> __device__ void operator()(V v, Lanes lanes) const {
    const double mine = lanes.rank() % 3 == 1 ? 0.0 : -0.0;
    atomicOr(&least[v], std::signbit(lanes.min(mine)) ? 1u : 2u);
    atomicOr(&greatest[v], std::signbit(lanes.max(mine)) ? 1u : 2u);
  }
};

TEST(Loops, AllLanesHaveTheSameLeastAndGreatest) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    gc::cuda::Property<unsigned> least(graph.n), greatest(graph.n);
    ASSERT_EQ(cudaMemset(least.data(), 0, graph.n * sizeof(unsigned)), cudaSuccess);
    ASSERT_EQ(cudaMemset(greatest.data(), 0, graph.n * sizeof(unsigned)), cudaSuccess);
    gc::cuda::for_vertices(device, SignsOfZero{device.view(), least.data(), greatest.data()});
    for (const std::vector<unsigned> &signs : {contents(least), contents(greatest)})
      for (V v = 0; v < graph.n; ++v)
        ASSERT_NE(signs[v], 3U) << v;
  });
}

/// The sum and the least of the neighbours, by several lanes.
struct NeighbourSum {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  std::uint64_t *sum;
  std::uint64_t *least;
  template <class Lanes> __device__ void operator()(V v, Lanes lanes) const {
    std::uint64_t mine = 0;
    std::uint64_t smallest = ~std::uint64_t(0);
    bool own = false;
    for (const V u : lanes.share(graph.out_neighbors(v))) {
      mine += u;
      smallest = u < smallest ? u : smallest;
      own = own || u == v;
    }
    mine = lanes.sum(mine);
    smallest = lanes.min(smallest);
    if (lanes.any(own))
      mine += 1'000'000;
    if (lanes.leader()) {
      sum[v] = mine;
      least[v] = smallest;
    }
  }
};

TEST(Loops, LanesShareLists) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    gc::cuda::Property<std::uint64_t> sum(graph.n), least(graph.n);
    gc::cuda::for_vertices(device, NeighbourSum{device.view(), sum.data(), least.data()});
    std::vector<std::uint64_t> sums(graph.n), leasts(graph.n, ~std::uint64_t(0));
    for (V v = 0; v < graph.n; ++v)
      for (const V u : graph.out_neighbors(v)) {
        sums[v] += u + (u == v ? 1'000'000 : 0);
        leasts[v] = std::min<std::uint64_t>(leasts[v], u);
      }
    EXPECT_EQ(contents(sum), sums);
    EXPECT_EQ(contents(least), leasts);
  });
}

/// The arc to another vertex with the least key; of several the first.
struct LeastArc {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  ArcId *arc;
  V *most; ///< the greatest neighbour
  template <class Lanes> __device__ void operator()(V v, Lanes lanes) const {
    gc::ArgMin<std::int32_t, ArcId> best;
    gc::cuda::best_where(
        lanes, graph.out_targets, graph.out_begin(v), graph.out_end(v), [&](V u, ArcId) { return u != v; },
        [&](V, ArcId e) { return key(e); },
        [&](V u, ArcId e, std::int32_t value) { best.add(u == graph.target(e) ? value : -1, e); });
    best = gc::cuda::found(lanes, best);
    std::int64_t greatest = -1;
    gc::cuda::best_of(
        lanes, graph.out_targets, graph.out_begin(v), graph.out_end(v), [&](V u, ArcId) { return std::int64_t(u); },
        [&](V, ArcId, std::int64_t value) { greatest = value > greatest ? value : greatest; });
    greatest = lanes.max(greatest);
    if (lanes.leader()) {
      arc[v] = best.witness();
      most[v] = static_cast<V>(greatest);
    }
  }
  GCOMPILE_HD static std::int32_t key(ArcId e) { return static_cast<std::int32_t>(e * 7 % 13); }
};

TEST(Loops, LanesCompareSeveralAtOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    gc::cuda::Property<ArcId> arc(graph.n);
    gc::cuda::Property<V> most(graph.n);
    gc::cuda::for_vertices(device, LeastArc{device.view(), arc.data(), most.data()});
    std::vector<ArcId> arcs(graph.n, gc::none<ArcId>());
    std::vector<V> greatest(graph.n, gc::none<V>());
    for (V v = 0; v < graph.n; ++v)
      for (ArcId e = graph.out_begin(v); e < graph.out_end(v); ++e) {
        const V u = graph.target(e);
        if (greatest[v] == gc::none<V>() || u > greatest[v])
          greatest[v] = u;
        if (u != v && (arcs[v] == gc::none<ArcId>() || LeastArc::key(e) < LeastArc::key(arcs[v])))
          arcs[v] = e;
      }
    EXPECT_EQ(contents(arc), arcs);
    EXPECT_EQ(contents(most), greatest);
  });
}

struct VisitArc {
  using Parts = Sums;
  unsigned *visits;
  V *source;
  __device__ void operator()(V u, V v, ArcId e, Sums &sums) const {
    atomicAdd(&visits[e], 1u);
    source[e] = u;
    ++sums.visits;
    sums.total += v;
  }
};

void test_arcs(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, const std::set<V> &from, bool all) {
  gc::cuda::Property<unsigned> visits(graph.num_arcs());
  gc::cuda::Property<V> source(graph.num_arcs());
  const VisitArc kernel = {visits.data(), source.data()};
  ASSERT_EQ(cudaMemset(visits.data(), 0, graph.num_arcs() * sizeof(unsigned)), cudaSuccess);
  ASSERT_EQ(cudaMemset(source.data(), 255, graph.num_arcs() * sizeof(V)), cudaSuccess);
  const Sums sums = all ? gc::cuda::for_out_edges(device, kernel)
                        : gc::cuda::for_out_edges(device, gc::cuda::VertexSet<V>::of(device, from), kernel);
  std::vector<unsigned> expected(graph.num_arcs());
  std::vector<V> sources(graph.num_arcs(), gc::none<V>());
  Sums total;
  for (const V u : from)
    for (ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e) {
      expected[e] = 1;
      sources[e] = u;
      ++total.visits;
      total.total += graph.target(e);
    }
  EXPECT_EQ(contents(visits), expected);
  EXPECT_EQ(contents(source), sources);
  EXPECT_EQ(sums.visits, total.visits);
  EXPECT_EQ(sums.total, total.total);
}

TEST(Loops, EveryArcOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    std::set<V> all, some, few;
    for (V v = 0; v < graph.n; ++v) {
      all.insert(v);
      if (v % 3 != 1)
        some.insert(v);
      if (v % 50 == 7)
        few.insert(v);
    }
    test_arcs(graph, device, all, true);
    test_arcs(graph, device, some, false);
    test_arcs(graph, device, few, false);
    test_arcs(graph, device, {}, false);
  });
}

struct FailsAtSeven {
  __device__ void operator()(V v) const {
    if (v == 7)
      gc::fail_runtime("seven.gdsl:3", "7 is no good");
  }
};

TEST(FailureDeathTest, AKernelEndsTheProgramWithItsMessage) {
  const SmallGraph<V> graph = random_graph<V>(100, 300, true, false, 1);
  const gc::cuda::Graph<V> device(graph.graph, weighted());
  EXPECT_EXIT(
      {
        gc::cuda::for_vertices(device, FailsAtSeven());
        gc::cuda::synchronize();
      },
      testing::ExitedWithCode(3), "^error: seven.gdsl:3: 7 is no good\n$");
  EXPECT_EXIT(gc::fail_runtime("host.gdsl:4", "no"), testing::ExitedWithCode(3), "^error: host.gdsl:4: no\n$");
}

// ---- Sets -----------------------------------------------------------------------------------------------------------

std::set<V> members(const gc::cuda::VertexSet<V> &set) {
  const std::vector<V> list = set.members();
  const std::set<V> result(list.begin(), list.end());
  EXPECT_EQ(static_cast<std::int64_t>(result.size()), set.size());
  std::vector<V> items(list.size());
  if (!items.empty()) {
    EXPECT_EQ(cudaMemcpy(items.data(), set.items(), items.size() * sizeof(V), cudaMemcpyDeviceToHost), cudaSuccess);
  }
  EXPECT_EQ(std::set<V>(items.begin(), items.end()), result);
  return result;
}

struct Divisible {
  V by;
  __device__ bool operator()(V v) const { return v % by == 0; }
};
struct HasSmallNeighbour {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  template <class Lanes> __device__ bool operator()(V v, Lanes lanes) const {
    bool found = false;
    for (const V u : lanes.share(graph.out_neighbors(v)))
      found = found || u < 10;
    return lanes.any(found);
  }
};

TEST(Sets, FilterAndAlgebra) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    std::set<V> twos, threes, both, either, only_twos, near, near_twos;
    for (V v = 0; v < graph.n; ++v) {
      bool small = false;
      for (const V u : graph.out_neighbors(v))
        small = small || u < 10;
      if (v % 2 == 0)
        twos.insert(v);
      if (v % 3 == 0)
        threes.insert(v);
      if (v % 6 == 0)
        both.insert(v);
      if (v % 2 == 0 || v % 3 == 0)
        either.insert(v);
      if (v % 2 == 0 && v % 3 != 0)
        only_twos.insert(v);
      if (small)
        near.insert(v);
      if (small && v % 2 == 0)
        near_twos.insert(v);
    }
    const gc::cuda::VertexSet<V> two = gc::cuda::filter(device, Divisible{2});
    const gc::cuda::VertexSet<V> three = gc::cuda::filter(device, Divisible{3});
    EXPECT_EQ(members(two), twos);
    EXPECT_EQ(members(three), threes);
    EXPECT_EQ(members(two.intersected(three)), both);
    EXPECT_EQ(members(two.united(three)), either);
    EXPECT_EQ(members(two.subtracted(three)), only_twos);
    EXPECT_EQ(members(gc::cuda::filter(device, two, Divisible{3})), both);
    EXPECT_EQ(members(gc::cuda::filter(device, HasSmallNeighbour{device.view()})), near);
    EXPECT_EQ(members(gc::cuda::filter(device, two, HasSmallNeighbour{device.view()})), near_twos);
    EXPECT_EQ(members(gc::cuda::VertexSet<V>::of(device, threes)), threes);
    EXPECT_EQ(members(gc::cuda::VertexSet<V>::all(device)).size(), graph.n);
  });
}

// ---- Whole algorithms -----------------------------------------------------------------------------------------------

TEST(Components, SmallestIdOfEach) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    std::vector<V> expected(graph.n);
    std::iota(expected.begin(), expected.end(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (V u = 0; u < graph.n; ++u)
        for (const V v : graph.out_neighbors(u)) {
          const V least = std::min(expected[u], expected[v]);
          changed = changed || expected[u] != least || expected[v] != least;
          expected[u] = expected[v] = least;
        }
    }
    gc::cuda::Property<V> label(graph.n);
    std::vector<V> start(graph.n);
    std::iota(start.begin(), start.end(), 0);
    ASSERT_EQ(cudaMemcpy(label.data(), start.data(), graph.n * sizeof(V), cudaMemcpyHostToDevice), cudaSuccess);
    gc::cuda::connect_components(device, label.data());
    EXPECT_EQ(contents(label), expected);
  });
}

TEST(Triangles, EachOnce) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    if (graph.directed())
      return;
    std::vector<std::set<V>> neighbours(graph.n);
    for (V v = 0; v < graph.n; ++v)
      for (const V u : graph.out_neighbors(v))
        if (u != v)
          neighbours[v].insert(u);
    std::int64_t expected = 0;
    for (V a = 0; a < graph.n; ++a)
      for (const V b : neighbours[a])
        for (const V c : neighbours[b])
          expected += a < b && b < c && neighbours[a].count(c) != 0;
    EXPECT_EQ(gc::cuda::count_triangles(device), expected);
  });
}

} // namespace
