// Aligned lists of neighbours under the emulation: what they hold, and kernels that read them.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/aligned.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/loop/loop.h>

#include <algorithm>
#include <queue>

namespace {

constexpr double parts[] = {0.05, 0.4, 1};

/// Few lists are longer than a row; most are shorter, in groups of one length and of several.
SmallGraph<V> with_long_lists() {
  constexpr V n = 2000;
  std::vector<std::tuple<V, V, std::int32_t>> arcs;
  for (V v = 0; v < n; ++v)
    for (V k = 0; k < (v < 4 ? 700U : v % 17); ++k)
      arcs.push_back({(v * 31 + k * 7) % n, v, 1});
  return SmallGraph<V>(n, arcs, true);
}

/// Calls check(host, device, lists) for graphs of many shapes and for shares of their vertices.
template <class Check> void on_aligned_graphs(Check check) {
  std::vector<SmallGraph<V>> graphs = all_graphs();
  graphs.push_back(with_long_lists());
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &small : graphs)
    for (const double part : parts) {
      SCOPED_TRACE(testing::Message() << small.graph.n << " vertices, a share of " << part);
      emulation::seed(++seed);
      const gc::cuda::Graph<V> device(small.graph, weighted());
      const gc::cuda::AlignedLists<V> lists(device, part);
      check(small.graph, device, lists.view());
    }
}

std::vector<V> sorted(std::vector<V> values) {
  std::sort(values.begin(), values.end());
  return values;
}
std::vector<V> list_of(const gc::Graph<V> &graph, V v) {
  const auto list = graph.in_neighbors(v);
  return {list.begin(), list.end()};
}

// The emulated device's memory can be read here.
TEST(Aligned, RowsHoldTheLists) {
  on_aligned_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &, const gc::cuda::AlignedView<V> &lists) {
    if (graph.num_arcs() == 0) {
      EXPECT_EQ(lists.groups, 0U);
      return;
    }
    std::vector<V> all(lists.others, lists.others + lists.count_others);
    unsigned before = gc::cuda::detail::longest_row;
    for (std::size_t place = 0; place < lists.groups * std::size_t(32); ++place) {
      const unsigned length = lists.lengths[place];
      EXPECT_LE(length, before) << "the longest first";
      before = length;
      if (length == 0)
        continue;
      const V v = lists.vertices[place];
      all.push_back(v);
      EXPECT_TRUE(lists.members[v / 32] >> (v % 32) & 1U);
      std::vector<V> row;
      for (unsigned k = 0; k < length; ++k)
        row.push_back(lists.sources[lists.begins[place / 32] + place % 32 + 32 * k]);
      EXPECT_EQ(sorted(row), sorted(list_of(graph, v)));
    }
    std::vector<V> vertices;
    for (V v = 0; v < graph.n; ++v)
      vertices.push_back(v);
    EXPECT_EQ(sorted(all), vertices) << "each vertex once";
    for (std::uint64_t i = 0; i < lists.count_others; ++i)
      EXPECT_FALSE(lists.members[lists.others[i] / 32] >> (lists.others[i] % 32) & 1U);
  });
}

TEST(Aligned, PartIsAShareOfAllVertices) {
  const SmallGraph<V> small = with_long_lists();
  const gc::cuda::Graph<V> device(small.graph, weighted());
  const gc::cuda::AlignedLists<V> some(device, 0.1), all(device, 1);
  // The first 200 of them, of which four have lists that are too long.
  EXPECT_EQ(some.view().count_others, 2000U - 196U);
  EXPECT_EQ(some.view().groups, 7U);
  V empty = 0;
  for (V v = 0; v < small.graph.n; ++v)
    empty += list_of(small.graph, v).empty();
  EXPECT_EQ(all.view().count_others, 4U + empty);
}

TEST(Aligned, ListsTakeSpareMemoryOnly) {
  const SmallGraph<V> small = with_long_lists();
  const gc::cuda::Graph<V> device(small.graph, weighted());
  for (double bytes = 1e15; bytes >= 1; bytes /= 2)
    device.take_spare(bytes);
  EXPECT_EQ(gc::cuda::AlignedLists<V>(device, 1).view().groups, 0U);
}

/// Adds up what the sources of a vertex have, and counts the vertices.
struct Gather {
  static constexpr bool by_lanes = true;
  gc::Graph<V> graph;
  std::int64_t *sums;
  struct Parts {
    std::int64_t vertices = 0;
    GCOMPILE_HD void merge(const Parts &other) { vertices += other.vertices; }
  };
  template <class Lanes> __device__ void operator()(V v, const Lanes lanes, Parts &parts) const {
    std::int64_t sum = gc::cuda::sum_of<std::int64_t>(gc::cuda::share_aligned(lanes, graph.in_neighbors(v)),
                                                      [](V u) { return std::int64_t(u) + 1; });
    sum = lanes.sum(sum);
    if (lanes.leader()) {
      ++parts.vertices;
      sums[v] = sum;
    }
  }
};
struct GatherOnce {
  using Kernels = gc::cuda::Kernels<Gather>;
  gc::cuda::Aligned<V, Gather> gather;
  struct Scalars {
    std::int64_t vertices;
  };
  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    scalars.vertices = device.for_vertices(gather).vertices;
  }
};

TEST(Aligned, LoopsVisitEachVertexOnce) {
  on_aligned_graphs(
      [](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, const gc::cuda::AlignedView<V> &lists) {
        std::vector<std::int64_t> expected;
        for (V v = 0; v < graph.n; ++v) {
          expected.push_back(0);
          for (const V u : list_of(graph, v))
            expected.back() += std::int64_t(u) + 1;
        }
        for (const gc::cuda::LoopOn where : {gc::cuda::LoopOn::host, gc::cuda::LoopOn::device}) {
          gc::cuda::Property<std::int64_t> sums(graph.n);
          const GatherOnce loop{gc::cuda::aligned(lists, Gather{device.view(), sums.data()})};
          EXPECT_EQ(gc::cuda::run_loop(device, loop, {0}, where).vertices, std::int64_t(graph.n));
          EXPECT_EQ(contents(sums), expected);
        }
      });
}

struct Push {
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V, V v, ArcId, std::int32_t round, Next &next) const {
    if (next.claim(depth[v], -1, round))
      next.push(v);
  }
};
/// Ends with the first active source.
struct PullFirst {
  std::int32_t *depth;
  static constexpr bool by_arcs = true, first_only = true, first_takes = true;
  __device__ bool wants(V v) const { return depth[v] < 0; }
  __device__ bool operator()(V, V v, std::int32_t, gc::cuda::detail::OwnBit &next) const {
    next.set(v);
    return true;
  }
  __device__ void found(V v, std::int32_t round) const { depth[v] = round; }
};
/// The same, where a call says that the vertex is done.
struct PullSome {
  std::int32_t *depth;
  static constexpr bool by_arcs = true, first_only = true;
  __device__ bool wants(V v) const { return depth[v] < 0; }
  __device__ bool operator()(V, V v, std::int32_t round, gc::cuda::detail::OwnBit &next) const {
    depth[v] = round;
    next.set(v);
    return true;
  }
};
/// Looks at all sources.
struct PullAll {
  std::int32_t *depth;
  static constexpr bool by_arcs = true, first_only = false;
  struct Sum {
    std::int64_t active = 0;
    template <class Lanes> __device__ void combine(const Lanes &lanes) { active = lanes.sum(active); }
    __device__ void merge(const Sum &other) { active += other.active; }
  };
  __device__ bool wants(V v) const { return depth[v] < 0; }
  __device__ void operator()(V, V, std::int32_t, gc::cuda::detail::OwnBit &, Sum &sum) const { ++sum.active; }
  __device__ void finish(V v, std::int32_t round, gc::cuda::detail::OwnBit &next, Sum &sum) const {
    if (sum.active == 0)
      return;
    depth[v] = round;
    next.set(v);
  }
};

template <class Pull>
void check_search(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, const gc::cuda::AlignedView<V> &lists,
                  gc::cuda::Direction direction) {
  const V root = graph.n > 7 ? 7 : 0;
  std::vector<std::int32_t> expected(graph.n, -1);
  std::queue<V> open;
  expected[root] = 0;
  for (open.push(root); !open.empty(); open.pop())
    for (const V v : graph.out_neighbors(open.front()))
      if (expected[v] < 0) {
        expected[v] = expected[open.front()] + 1;
        open.push(v);
      }
  gc::cuda::Property<std::int32_t> depth(graph.n);
  ASSERT_EQ(cudaMemset(depth.data(), 255, graph.n * sizeof(std::int32_t)), cudaSuccess);
  const std::int32_t zero = 0;
  ASSERT_EQ(cudaMemcpy(depth.data() + root, &zero, sizeof zero, cudaMemcpyHostToDevice), cudaSuccess);
  gc::cuda::Frontier<V> frontier(device);
  frontier.start({root});
  gc::cuda::Rounds rounds;
  rounds.direction = direction;
  frontier.propagate(Push{depth.data()}, gc::cuda::aligned(lists, Pull{depth.data()}), gc::cuda::NoKernel(), rounds);
  EXPECT_EQ(contents(depth), expected);
}

TEST(Aligned, PullsFindWhatListsHold) {
  on_aligned_graphs(
      [](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, const gc::cuda::AlignedView<V> &lists) {
        check_search<PullFirst>(graph, device, lists, gc::cuda::Direction::hybrid);
        check_search<PullFirst>(graph, device, lists, gc::cuda::Direction::pull);
        check_search<PullSome>(graph, device, lists, gc::cuda::Direction::pull);
        check_search<PullAll>(graph, device, lists, gc::cuda::Direction::pull);
      });
}

} // namespace
