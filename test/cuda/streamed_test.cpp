// Loops over all vertices whose lists stay with the host, under the emulation: blocks of lists are copied ahead.
#include "test/cuda/gathers.h"

#include <gcompile/cuda.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using gc::cuda::detail::Members;

/// Adds up numbers of sources, and counts the arcs, those of them that were read in a copy, and the vertices.
struct AddUp {
  static constexpr bool by_lanes = true;
  static constexpr gc::Along walks = gc::Along::in;
  gc::Graph<V> graph;
  std::int64_t *sums;

  struct Parts {
    std::int64_t arcs = 0, copied = 0, vertices = 0;
    GCOMPILE_HD void merge(const Parts &other) {
      arcs += other.arcs;
      copied += other.copied;
      vertices += other.vertices;
    }
  };

  template <class Lanes> __device__ void operator()(const V v, const Lanes lanes, Parts &parts) const {
    const gc::Span<V> list = graph.in_neighbors(v);
    const auto share = lanes.share(list);
    const bool copied = share.first != list.first + lanes.rank();
    std::int64_t sum = gc::cuda::sum_of<std::int64_t>(share, [](V u) { return Number<std::int64_t>::of(u); });
    sum = lanes.sum(sum);
    if (!lanes.leader())
      return;
    sums[v] = sum;
    parts.arcs += static_cast<std::int64_t>(list.size());
    parts.copied += copied ? static_cast<std::int64_t>(list.size()) : 0;
    ++parts.vertices;
  }
};

/// The greatest number of an arc out of each vertex, which adds nothing up.
struct Greatest {
  static constexpr bool by_lanes = true;
  static constexpr gc::Along walks = gc::Along::out;
  gc::Graph<V> graph;
  std::int32_t *results;

  template <class Lanes> __device__ void operator()(const V v, const Lanes lanes) const {
    std::int32_t best = 0;
    gc::cuda::best_of(
        lanes, graph.out_targets, graph.out_begin(v), graph.out_end(v),
        [&](V u, ArcId e) { return graph.target(e) == u ? Number<std::int32_t>::of(u) : -1; },
        [&](V, ArcId, std::int32_t value) { best = best < value ? value : best; });
    best = lanes.max(best);
    if (lanes.leader())
      results[v] = best;
  }
};

gc::ProgramInfo walking() {
  gc::ProgramInfo info;
  info.name = "test";
  info.walks_all_lists = true;
  return info;
}

double planned(const std::string &what) {
  double bytes = 0;
  for (const gc::DevicePlan::Part &part : gc::device_memory.plan().parts)
    bytes += part.what == what ? part.bytes : 0;
  return bytes;
}

/// While it stands, programs may use so many bytes beyond what belongs to the vertices of a graph.
class Limit {
public:
  Limit(const gc::Graph<V> &graph, double bytes) {
    gc::cuda::detail::SpareMemory::release();
    gc::device_memory.limit(std::uint64_t(1) << 30);
    { const gc::cuda::Graph<V> whole(graph, walking()); }
    gc::cuda::detail::SpareMemory::release();
    double must = 0;
    for (const char *part : {"state", "frontiers", "offsets"})
      must += planned(part);
    gc::device_memory.limit(gc::device_memory.used() + static_cast<std::uint64_t>(must + bytes) + 1);
  }
  Limit(const Limit &) = delete;
  Limit &operator=(const Limit &) = delete;
  ~Limit() { gc::device_memory.limit(0); }
};

/// What one call of a loop does: how many arcs it reads in copies.
std::int64_t check_call(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
  gc::cuda::Property<std::int64_t> sums(graph.n);
  const AddUp::Parts parts = gc::cuda::for_vertices(device, AddUp{device.view(), sums.data()});
  EXPECT_EQ(contents(sums), gathered(graph, Sum<std::int64_t>()));
  EXPECT_EQ(parts.vertices, static_cast<std::int64_t>(graph.n));
  EXPECT_EQ(parts.arcs, static_cast<std::int64_t>(graph.num_arcs()));

  gc::cuda::Property<std::int32_t> greatest(graph.n);
  gc::cuda::for_vertices(device, Greatest{device.view(), greatest.data()});
  std::vector<std::int32_t> expected(graph.n, 0);
  for (V v = 0; v < graph.n; ++v)
    for (const V u : graph.out_neighbors(v))
      expected[v] = std::max(expected[v], Number<std::int32_t>::of(u));
  EXPECT_EQ(contents(greatest), expected);
  return parts.copied;
}

TEST(Streamed, LoopsOverAllVerticesGetCopies) {
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &small : all_graphs()) {
    const gc::Graph<V> &graph = small.graph;
    const double list_bytes = static_cast<double>(graph.num_arcs()) * sizeof(V);
    // Room for a few slots alone, and for some of the lists beside them.
    for (const double share : {0.35, 0.95}) {
      SCOPED_TRACE(testing::Message() << graph.n << " vertices, " << graph.num_arcs() << " arcs, room for " << share);
      emulation::seed(++seed);
      const Limit limit(graph, share * list_bytes);
      const gc::cuda::Graph<V> device(graph, walking());
      const gc::DeviceMemory::Loops before = gc::device_memory.loops();
      const bool streams = planned("blocks of edges") > 0;
      EXPECT_EQ(device.list_room() != nullptr, streams);
      const std::int64_t copied = check_call(graph, device);
      EXPECT_EQ(copied > 0, streams);
      for (int repeat = 0; repeat < 4; ++repeat)
        check_call(graph, device);
      const gc::DeviceMemory::Loops after = gc::device_memory.loops();
      if (streams) { // two calls of each kernel at least
        EXPECT_GE(after.streamed - before.streamed, 4);
      }
      if (graph.num_arcs() > 0) {
        EXPECT_EQ(after.streamed + after.in_place - before.streamed - before.in_place, 10);
      }
    }
  }
}

TEST(Streamed, AListThatIsLongerThanABlockIsReadInPlace) {
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V v = 0; v < 3000; ++v) {
    edges.push_back({v, 5, 1}); // 3000 arcs into 5, of 4500
    if (v % 2 == 0)
      edges.push_back({v, (v + 1) % 3000, 1});
  }
  const SmallGraph<V> small(3000, edges, true);
  const Limit limit(small.graph, 0.5 * 4500 * sizeof(V));
  const gc::cuda::Graph<V> device(small.graph, walking());
  ASSERT_TRUE(device.list_room());
  EXPECT_LT(device.list_room()->block_arcs(), 3000);
  const std::int64_t copied = check_call(small.graph, device);
  EXPECT_GT(copied, 0);
  EXPECT_LE(copied, 1500);
}

TEST(Streamed, PartsOfTheVerticesHaveTheirLists) {
  const SmallGraph<V> small = random_graph<V>(1000, 9000, true, false, 4);
  const gc::Graph<V> &graph = small.graph;
  const std::vector<std::int64_t> expected = gathered(graph, Sum<std::int64_t>());
  const Limit limit(graph, 0.5 * 9000 * sizeof(V));
  for (const auto &[first, last] : {std::pair<V, V>(0, 400), std::pair<V, V>(400, 1000), std::pair<V, V>(7, 7)}) {
    const gc::cuda::Graph<V> device(graph, walking(), false, {first, last, false});
    gc::cuda::Property<std::int64_t> sums(graph.n);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const AddUp::Parts parts = gc::cuda::detail::run_vertices<V>(
          device, AddUp{device.view(), sums.data()}, Members<V>{nullptr, std::uint64_t(last - first), first});
      EXPECT_EQ(parts.vertices, last - first);
      const std::vector<std::int64_t> all = contents(sums);
      for (V v = first; v < last; ++v)
        ASSERT_EQ(all[v], expected[v]) << v;
    }
  }
}

TEST(Streamed, TheFirstListsStayOnTheDevice) {
  const SmallGraph<V> small = random_graph<V>(1000, 9000, true, false, 4);
  const Limit limit(small.graph, 0.95 * 9000 * sizeof(V));
  const gc::cuda::Graph<V> device(small.graph, walking());
  ASSERT_TRUE(device.list_room());
  EXPECT_GT(device.list_room()->kept_arcs(), 1000);
  EXPECT_EQ(check_call(small.graph, device), static_cast<std::int64_t>(small.graph.num_arcs()));
  EXPECT_LE(gc::device_memory.used(), gc::device_memory.limit());
}

TEST(Streamed, WithoutFrontiersMoreListsStay) {
  const SmallGraph<V> small = random_graph<V>(1000, 40000, true, false, 4);
  const Limit limit(small.graph, 0.5 * static_cast<double>(small.graph.num_arcs()) * sizeof(V));
  ArcId with = 0;
  {
    const gc::cuda::Graph<V> device(small.graph, walking());
    ASSERT_TRUE(device.list_room());
    with = device.list_room()->kept_arcs();
  }
  gc::cuda::detail::SpareMemory::release();
  gc::ProgramInfo info = walking();
  info.has_frontiers = false;
  const gc::cuda::Graph<V> device(small.graph, info);
  ASSERT_TRUE(device.list_room());
  EXPECT_GT(device.list_room()->kept_arcs(), with + 2000); // some 24 bytes for each of 1000 vertices
  check_call(small.graph, device);
  EXPECT_LE(gc::device_memory.used(), gc::device_memory.limit());
}

TEST(Streamed, PullsHaveTheirMemoryFirst) {
  const SmallGraph<V> small = random_graph<V>(1000, 40000, true, false, 4);
  const double list_bytes = static_cast<double>(small.graph.num_arcs()) * sizeof(V);
  const Limit limit(small.graph, 0.9 * list_bytes);
  const gc::cuda::Graph<V> device(small.graph, walking());
  ASSERT_TRUE(device.list_room());
  const ArcId alone = device.list_room()->kept_arcs();
  const gc::cuda::Frontier<V> frontier(device);
  EXPECT_LT(device.list_room()->kept_arcs(), alone);
  check_call(small.graph, device);
  EXPECT_TRUE(device.expect_candidates());
}

TEST(Streamed, KeptListsHaveTheMemoryThatNoPullWants) {
  const SmallGraph<V> small = random_graph<V>(1000, 40000, true, false, 4);
  const Limit limit(small.graph, 0.9 * static_cast<double>(small.graph.num_arcs()) * sizeof(V));
  const gc::cuda::Graph<V> device(small.graph, walking());
  ASSERT_TRUE(device.list_room());
  EXPECT_GT(device.list_room()->kept_arcs(), small.graph.num_arcs() / 2);
  check_call(small.graph, device);
  EXPECT_FALSE(device.expect_candidates());
  EXPECT_LE(gc::device_memory.used(), gc::device_memory.limit());
}

TEST(Streamed, SetsOfVerticesReadInPlace) {
  const SmallGraph<V> small = random_graph<V>(1000, 9000, true, false, 4);
  const Limit limit(small.graph, 0.5 * 9000 * sizeof(V));
  const gc::cuda::Graph<V> device(small.graph, walking());
  gc::cuda::Property<std::int64_t> sums(1000);
  const auto set = gc::cuda::VertexSet<V>::of(device, {V(3), V(500)});
  const AddUp::Parts parts = gc::cuda::for_vertices(device, set, AddUp{device.view(), sums.data()});
  EXPECT_EQ(parts.vertices, 2);
  EXPECT_EQ(parts.copied, 0);
}

} // namespace
