// The headers that generated CUDA includes, under the emulation, against the plainest code that gives the same answer.
#include "cuda_runtime.h"

#include "test/kernels/small_graph.h"

#include <gcompile/cuda/components.h>
#include <gcompile/cuda/frontier.h>
#include <gcompile/cuda/kernels.h>
#include <gcompile/cuda/near_far.h>
#include <gcompile/cuda/triangles.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <queue>
#include <set>
#include <vector>

namespace {

using V = std::uint32_t;
using gc::EdgeId;

/// What a program would say that it needs for one integer weight per arc.
gc::ProgramInfo weighted() {
  gc::ProgramInfo info;
  info.name = "test";
  info.edge_columns.push_back({});
  info.edge_columns.back().type = gc::ColumnType::int32;
  return info;
}

/// Graphs without vertices, without arcs, with hubs whose lists a block shares, long paths, and random ones.
std::vector<SmallGraph<V>> all_graphs() {
  std::vector<SmallGraph<V>> graphs;
  graphs.push_back(SmallGraph<V>(1, {}, true));
  graphs.push_back(SmallGraph<V>(70, {}, false));
  graphs.push_back(random_graph<V>(10, 30, true, false, 1));
  graphs.push_back(random_graph<V>(1000, 5000, true, true, 2));
  graphs.push_back(random_graph<V>(1000, 5000, false, false, 3));
  std::vector<std::tuple<V, V, std::int32_t>> star, path;
  for (V v = 1; v < 3000; ++v) {
    star.push_back({v % 3 == 0 ? 7 : 8, v, static_cast<std::int32_t>(v % 100 + 1)});
    if (v < 500)
      path.push_back({v, v - 1, static_cast<std::int32_t>(v % 7 + 1)});
  }
  star.push_back({7, 8, 3});
  graphs.push_back(SmallGraph<V>(3000, star, false));
  graphs.push_back(SmallGraph<V>(600, path, true));
  return graphs;
}

/// Calls check(host, device) for every graph under several seeds.
template <class Check> void on_all_graphs(Check check) {
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &graph : all_graphs()) {
    const gc::cuda::Graph<V> device(graph.graph, weighted());
    for (int repeat = 0; repeat < 3; ++repeat) {
      SCOPED_TRACE(testing::Message() << graph.graph.n << " vertices, " << graph.graph.num_arcs() << " arcs, seed "
                                      << ++seed);
      emulation::seed(seed);
      check(graph.graph, device);
    }
  }
}

template <class T> std::vector<T> contents(const gc::cuda::Property<T> &property) {
  const auto &values = property.host();
  return std::vector<T>(values.data(), values.data() + property.size());
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

struct VisitArc {
  using Parts = Sums;
  unsigned *visits;
  V *source;
  __device__ void operator()(V u, V v, EdgeId e, Sums &sums) const {
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
    for (EdgeId e = graph.out_begin(u); e < graph.out_end(u); ++e) {
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

// ---- Propagation ----------------------------------------------------------------------------------------------------

struct BfsPush {
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V u, V v, EdgeId, std::int32_t, Next &next) const {
    if (gc::claim(parent[v], gc::none<V>(), u)) {
      gc::store(depth[v], gc::load(depth[u]) + 1);
      next.push(v);
    }
  }
};

struct BfsPull {
  gc::Graph<V> graph;
  V *parent;
  std::int32_t *depth;
  template <class Current, class Next>
  __device__ void operator()(V v, std::int32_t, const Current &current, Next &next) const {
    if (parent[v] != gc::none<V>())
      return;
    for (const V u : graph.in_neighbors(v))
      if (current.contains(u)) {
        parent[v] = u;
        gc::store(depth[v], gc::load(depth[u]) + 1);
        next.set(v);
        return;
      }
  }
};

/// The same, taken apart: the runtime finds the neighbours, and asks the first sources before the lists.
struct BfsPullFirst {
  V *parent;
  std::int32_t *depth;
  static constexpr bool by_arcs = true, first_only = true;
  __device__ bool wants(V v) const { return parent[v] == gc::none<V>(); }
  __device__ bool operator()(V u, V v, std::int32_t round, gc::cuda::detail::OwnBit &next) const {
    if (u % 5 == 3 && v % 2 == 1)
      return false; // such a parent is not taken
    parent[v] = u;
    next.set(v);
    depth[v] = round;
    return true;
  }
};

/// Any neighbour is taken.
constexpr auto any_parent = [](V, V) { return true; };

/// Depths from `root` along the arcs from u to v for which takes(u, v); -1 where none leads.
template <class Takes = decltype(any_parent)>
std::vector<std::int32_t> serial_depths(const gc::Graph<V> &graph, V root, const Takes &takes = any_parent) {
  std::vector<std::int32_t> depth(graph.n, -1);
  std::queue<V> open;
  depth[root] = 0;
  for (open.push(root); !open.empty(); open.pop())
    for (const V v : graph.out_neighbors(open.front()))
      if (depth[v] < 0 && takes(open.front(), v)) {
        depth[v] = depth[open.front()] + 1;
        open.push(v);
      }
  return depth;
}

/// Searches from `root` by propagate(frontier, parent, depth), and checks both results.
template <class Takes, class Propagate>
void check_search(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, V root, const Takes &takes,
                  Propagate propagate) {
  const std::vector<std::int32_t> expected = serial_depths(graph, root, takes);
  gc::cuda::Property<V> parent(graph.n);
  gc::cuda::Property<std::int32_t> depth(graph.n);
  ASSERT_EQ(cudaMemset(parent.data(), 255, graph.n * sizeof(V)), cudaSuccess);
  ASSERT_EQ(cudaMemset(depth.data(), 255, graph.n * sizeof(std::int32_t)), cudaSuccess);
  const std::int32_t zero = 0;
  ASSERT_EQ(cudaMemcpy(parent.data() + root, &root, sizeof root, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(depth.data() + root, &zero, sizeof zero, cudaMemcpyHostToDevice), cudaSuccess);
  gc::cuda::Frontier<V> frontier(device);
  frontier.start({root});
  propagate(frontier, parent.data(), depth.data());
  EXPECT_EQ(contents(depth), expected);
  const std::vector<V> parents = contents(parent);
  for (V v = 0; v < graph.n; ++v) {
    if (expected[v] < 0) {
      EXPECT_EQ(parents[v], gc::none<V>());
    } else if (v != root) {
      ASSERT_LT(parents[v], graph.n);
      EXPECT_TRUE(takes(parents[v], v));
      EXPECT_EQ(expected[parents[v]], expected[v] - 1);
    }
  }
}

TEST(Frontier, BreadthFirstSearchInAllDirections) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    for (const gc::cuda::Direction direction :
         {gc::cuda::Direction::push, gc::cuda::Direction::pull, gc::cuda::Direction::hybrid})
      check_search(graph, device, graph.n > 7 ? 7 : 0, any_parent,
                   [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
                     gc::cuda::Rounds rounds;
                     rounds.direction = direction;
                     frontier.propagate(BfsPush{parent, depth}, BfsPull{device.view(), parent, depth},
                                        gc::cuda::NoKernel(), rounds);
                   });
  });
}

/// A search that only pulls, by BfsPullFirst.
void check_first_only(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, V root) {
  const auto takes = [](V u, V v) { return u % 5 != 3 || v % 2 == 0; };
  check_search(graph, device, root, takes, [](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
    gc::cuda::Rounds rounds;
    rounds.direction = gc::cuda::Direction::pull;
    frontier.propagate(gc::cuda::NoKernel(), BfsPullFirst{parent, depth}, gc::cuda::NoKernel(), rounds);
  });
}

TEST(Frontier, PullsAskTheFirstSourcesOfEach) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    const gc::cuda::detail::FirstSourcesView<V> first = gc::cuda::detail::first_sources_of(device);
    ASSERT_NE(first.lists, nullptr);
    gc::cuda::synchronize();
    for (V v = 0; v < graph.n; ++v) {
      const gc::Span<V> list = graph.in_neighbors(v);
      EXPECT_EQ(first.any[v / 32] >> (v % 32) & 1, !list.empty());
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(first.lists[v].u[k], k < list.size() ? list[k] : gc::none<V>());
    }
    const V root = graph.n > 7 ? 7 : 0;
    check_first_only(graph, device, root);
  });
  // A hub, whose list whole blocks walk, and whose only active source is far behind the first ones.
  constexpr V n = 40 * gc::cuda::block_threads;
  static_assert(n - 1 > gc::cuda::detail::pull_hub_degree + 4, "a list that is left to blocks");
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 1; u < n; ++u)
    edges.push_back({u, 0, 1});
  for (V v = 1; v < 60; v += 9)
    edges.push_back({0, v, 1});
  const SmallGraph<V> star(n, edges, true);
  check_first_only(star.graph, gc::cuda::Graph<V>(star.graph, weighted()), n - 256);
}

/// Counts the visits of each arc, and lists where it leads.
template <gc::cuda::Gather how> struct CountVisits {
  static constexpr gc::cuda::Gather gather = how;
  std::uint32_t *visits;
  V *source;
  template <class Next> __device__ void operator()(V u, V, EdgeId e, std::int32_t, Next &) const {
    atomicAdd(&visits[e], 1u);
    gc::store(source[e], u);
  }
};

template <gc::cuda::Gather how> void visits_each_arc_once() {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    gc::cuda::Property<std::uint32_t> visits(graph.num_arcs());
    gc::cuda::Property<V> source(graph.num_arcs());
    if (graph.num_arcs() > 0) {
      ASSERT_EQ(cudaMemset(visits.data(), 0, graph.num_arcs() * sizeof(std::uint32_t)), cudaSuccess);
    }
    gc::cuda::Frontier<V> frontier(device);
    frontier.start_all();
    frontier.propagate(CountVisits<how>{visits.data(), source.data()}, gc::cuda::NoKernel(), gc::cuda::NoKernel(),
                       gc::cuda::Rounds());
    EXPECT_TRUE(frontier.empty());
    EXPECT_EQ(contents(visits), std::vector<std::uint32_t>(graph.num_arcs(), 1));
    const std::vector<V> sources = contents(source);
    for (V u = 0; u < graph.n; ++u)
      for (EdgeId e = graph.out_begin(u); e < graph.out_end(u); ++e)
        ASSERT_EQ(sources[e], u);
  });
}

TEST(Frontier, EachFormOfGatherVisitsEachArcOnce) {
  using gc::cuda::Gather;
  visits_each_arc_once<Gather::warp>();
  visits_each_arc_once<Gather::cta>();
  visits_each_arc_once<Gather::scan>();
  visits_each_arc_once<Gather::scan_warp_cta>();
}

/// Claims without atomic operations; the list gets each winner `times` times.
template <unsigned warp, unsigned history, gc::cuda::Gather how, bool whole> struct SharedPush {
  static constexpr unsigned warp_cull = warp, history_cull = history;
  static constexpr gc::cuda::Gather gather = how;
  static constexpr bool whole_vertex = whole;
  gc::Graph<V> graph;
  V *parent;
  std::int32_t *depth;
  unsigned times;
  template <class Next> __device__ void operator()(V u, V v, EdgeId, std::int32_t round, Next &next) const {
    if (!next.claim_shared(parent[v], gc::none<V>(), u))
      return;
    gc::store(depth[v], round);
    for (unsigned i = 0; i < times; ++i)
      next.push(v);
  }
  template <class Next> __device__ void operator()(V u, std::int32_t round, Next &next) const {
    for (EdgeId e = graph.out_begin(u); e < graph.out_end(u); ++e)
      (*this)(u, graph.target(e), e, round, next);
  }
};

/// Entries of all frontiers, and those of them that are copies.
struct Entries {
  std::uint64_t all = 0, copies = 0;
};

template <unsigned warp, unsigned history, gc::cuda::Gather how, bool whole = false>
Entries search_shared(unsigned times, bool counts, gc::cuda::Direction direction = gc::cuda::Direction::push) {
  Entries entries;
  on_all_graphs([&](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    if (graph.num_arcs() < 4 * EdgeId(graph.n))
      return; // many rounds of few vertices
    const V root = graph.n > 7 ? 7 : 0;
    const std::vector<std::int32_t> expected = serial_depths(graph, root);
    gc::cuda::Property<V> parent(graph.n);
    gc::cuda::Property<std::int32_t> depth(graph.n);
    ASSERT_EQ(cudaMemset(parent.data(), 255, graph.n * sizeof(V)), cudaSuccess);
    ASSERT_EQ(cudaMemset(depth.data(), 255, graph.n * sizeof(std::int32_t)), cudaSuccess);
    const std::int32_t zero = 0;
    ASSERT_EQ(cudaMemcpy(parent.data() + root, &root, sizeof root, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(depth.data() + root, &zero, sizeof zero, cudaMemcpyHostToDevice), cudaSuccess);
    gc::cuda::Frontier<V> frontier(device);
    frontier.start({root});
    gc::cuda::Rounds rounds;
    rounds.direction = direction;
    const SharedPush<warp, history, how, whole> push = {device.view(), parent.data(), depth.data(), times};
    const BfsPull pull = {device.view(), parent.data(), depth.data()};
    for (rounds.first = 1; !frontier.empty(); ++rounds.first) {
      if (counts)
        rounds.last = rounds.first;
      frontier.propagate(push, pull, gc::cuda::NoKernel(), rounds);
      entries.all += frontier.size();
      entries.copies += frontier.copies();
    }
    EXPECT_EQ(contents(depth), expected);
    const std::vector<V> parents = contents(parent);
    for (V v = 0; v < graph.n; ++v) {
      if (expected[v] < 0) {
        EXPECT_EQ(parents[v], gc::none<V>());
      } else if (v != root) {
        ASSERT_LT(parents[v], graph.n);
        EXPECT_EQ(expected[parents[v]], expected[v] - 1);
      }
    }
  });
  return entries;
}

TEST(Frontier, SharedClaimsAndCulling) {
  using gc::cuda::Gather;
  // Without culling, some vertices are in a frontier several times; culling removes most copies.
  const Entries plain = search_shared<0, 0, Gather::warp>(1, true),
                culled = search_shared<128, 1024, Gather::warp>(1, true);
  EXPECT_GT(plain.copies, plain.all / 100);
  EXPECT_LT(culled.copies * 2, plain.copies);
  search_shared<1, 1, Gather::cta>(1, false);
  search_shared<4, 4, Gather::scan, true>(1, false);
  search_shared<2, 8, Gather::scan>(1, false, gc::cuda::Direction::hybrid);
  // A list has no place for three copies of each vertex; what it cannot take is not lost.
  search_shared<0, 0, Gather::warp>(3, false);
  search_shared<0, 0, Gather::scan, true>(3, false);
  search_shared<0, 0, Gather::cta>(3, false, gc::cuda::Direction::hybrid);
  search_shared<2, 8, Gather::scan_warp_cta>(3, false);
}

template <class P> struct Relax {
  P *distance;
  const std::int32_t *weight;
  template <class Next> __device__ void operator()(V u, V v, EdgeId e, Next &next) const {
    if (gc::atomic_min(distance[v], gc::load(distance[u]) + static_cast<P>(weight[e])))
      next.push(v);
  }
};

TEST(NearFar, ShortestPaths) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    const V source = graph.n > 8 ? 8 : 0;
    const std::int64_t far = std::int64_t(1) << 60;
    std::vector<std::int64_t> expected(graph.n, far);
    using Entry = std::pair<std::int64_t, V>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    expected[source] = 0;
    open.push({0, source});
    while (!open.empty()) {
      const auto [distance, u] = open.top();
      open.pop();
      for (EdgeId e = graph.out_begin(u); distance == expected[u] && e < graph.out_end(u); ++e) {
        const std::int64_t next = distance + graph.edge_column<std::int32_t>(0)[e];
        if (next < expected[graph.target(e)]) {
          expected[graph.target(e)] = next;
          open.push({next, graph.target(e)});
        }
      }
    }
    for (const double delta : {1.0, 40.0, 1e9}) {
      gc::cuda::Property<std::int64_t> distance(graph.n);
      std::vector<std::int64_t> start(graph.n, far);
      start[source] = 0;
      ASSERT_EQ(cudaMemcpy(distance.data(), start.data(), graph.n * sizeof(std::int64_t), cudaMemcpyHostToDevice),
                cudaSuccess);
      gc::cuda::NearFar<V, std::int64_t> work(device, distance.data(), delta);
      work.run(gc::cuda::VertexSet<V>::of(device, {source}),
               Relax<std::int64_t>{distance.data(), device.view().edge_column<std::int32_t>(0)});
      EXPECT_EQ(contents(distance), expected);
    }
    // Every vertex is active first, those of no distance and one whose distance is no number as well.
    for (const float delta : {20.0F}) {
      std::vector<float> start(graph.n, gc::inf<float>()), reached(graph.n);
      for (V v = 0; v < graph.n; ++v)
        reached[v] = expected[v] == far ? gc::inf<float>() : static_cast<float>(expected[v]);
      start[source] = 0;
      const bool odd = graph.n > 60 && graph.out_degree(60) == 0 && expected[60] == far;
      if (odd)
        start[60] = std::numeric_limits<float>::quiet_NaN();
      gc::cuda::Property<float> distance(graph.n);
      ASSERT_EQ(cudaMemcpy(distance.data(), start.data(), graph.n * sizeof(float), cudaMemcpyHostToDevice),
                cudaSuccess);
      gc::cuda::NearFar<V, float> work(device, distance.data(), delta);
      work.run(gc::cuda::VertexSet<V>::all(device),
               Relax<float>{distance.data(), device.view().edge_column<std::int32_t>(0)});
      std::vector<float> got = contents(distance);
      if (odd) {
        EXPECT_TRUE(std::isnan(got[60]));
        got[60] = reached[60];
      }
      EXPECT_EQ(got, reached);
    }
  });
}

// ---- Whole algorithms -----------------------------------------------------------------------------------------------

TEST(NearFar, WidthOfTheDefault) {
  std::vector<std::tuple<V, V, std::int32_t>> ring, complete;
  for (V v = 0; v < 100; ++v)
    ring.push_back({v, (v + 1) % 100, v == 3 ? gc::inf<std::int32_t>() : v % 2 == 0 ? 20 : 40});
  for (V u = 0; u < 17; ++u)
    for (V v = 0; v < u; ++v)
      complete.push_back({u, v, 10});
  // 32 times the mean of the finite weights; the 16 arcs of each vertex make it half of the mean.
  const auto width = [](const SmallGraph<V> &graph) {
    const gc::cuda::Graph<V> device(graph.graph, weighted());
    return gc::cuda::choose_window<std::int32_t>(device, device.view().edge_column<std::int32_t>(0));
  };
  EXPECT_DOUBLE_EQ(width(SmallGraph<V>(100, ring, true)), 32 * (50 * 20 + 49 * 40) / 99.);
  EXPECT_DOUBLE_EQ(width(SmallGraph<V>(17, complete, false)), 5);
}

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
