// Gathers by segments under the emulation, against a loop over the lists.
#include "test/cuda/gathers.h"

#include <gcompile/cuda/loop/loop.h>

namespace {

template <class F> void expect_gathered(const gc::Graph<V> &graph, gc::cuda::Segments<V> &segments, const F &f) {
  gc::cuda::Property<typename F::Value> results(graph.n);
  segments.gather(f, results.data());
  EXPECT_EQ(contents(results), gathered(graph, f));
}

TEST(Segments, GatherWhatListsHold) {
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &small : all_graphs()) {
    emulation::seed(++seed);
    const gc::cuda::Graph<V> device(small.graph, weighted());
    gc::cuda::Segments<V> few(device, 70), most(device, 1), one(device, 1 << 20);
    expect_gathered(small.graph, few, Sum<double>());
    expect_gathered(small.graph, few, Least{small.graph});
    expect_gathered(small.graph, most, Sum<float>());
    expect_gathered(small.graph, one, Sum<std::int64_t>());
  }
}

TEST(Segments, GatherListsOfAnyLength) {
  // Few or many lists in a tile: two to eight lanes take each, a warp the longer ones, and a block the longest.
  for (const unsigned degree : {2, 10, 40, 150, 600}) {
    emulation::seed(degree);
    std::vector<std::tuple<V, V, std::int32_t>> arcs;
    for (V k = 0; k < 24000; ++k)
      arcs.push_back({k * 31 % (24000 / degree + 7), k * 7919 % (24000 / degree), 1});
    for (V k = 0; k < 1500; ++k)
      arcs.push_back({k % (24000 / degree), 3, 1});
    const SmallGraph<V> small(24000 / degree + 7, arcs, true);
    const gc::cuda::Graph<V> device(small.graph, weighted());
    gc::cuda::Segments<V> segments(device, 1 << 20);
    for (int round = 0; round < 3; ++round) // of one layout
      expect_gathered(small.graph, segments, Sum<double>());
    expect_gathered(small.graph, segments, Sum<float>());
  }
}

TEST(Segments, HaveSourcesThatArcsLeave) {
  // A third of the vertices, and all but a few: a list is made of the first only.
  for (const V each : {V(3), V(1)}) {
    std::vector<std::tuple<V, V, std::int32_t>> arcs;
    for (V k = 0; k < 20000; ++k)
      arcs.push_back({k * 31 % (3000 / each) * each, k * 7919 % 3000, 1});
    const SmallGraph<V> small(3000, arcs, true);
    const gc::cuda::Graph<V> device(small.graph, weighted());
    const gc::cuda::detail::Sources<V> sources(device, 0, device.num_arcs());
    EXPECT_EQ(sources.list() != nullptr, each == 3);
    EXPECT_EQ(sources.count(), each == 3 ? 1000 : 3000);
    gc::cuda::Segments<V> segments(device, 100);
    expect_gathered(small.graph, segments, Sum<double>());
    expect_gathered(small.graph, segments, Least{small.graph});
  }
}

TEST(Segments, LayoutsTakeSpareMemoryOnly) {
  const SmallGraph<V> small = random_graph<V>(1000, 5000, true, true, 2);
  const gc::cuda::Graph<V> device(small.graph, weighted());
  const gc::Rows<V> all = gc::Rows<V>::all(small.graph);
  gc::cuda::detail::SegmentedArcs<V> first(device, all, 100, 8);
  EXPECT_TRUE(first.fits());
  for (double bytes = 1e15; bytes >= 1; bytes /= 2)
    device.take_spare(bytes);
  gc::cuda::detail::SegmentedArcs<V> second(device, all, 100, 8);
  EXPECT_FALSE(second.fits());
  gc::cuda::Segments<V> segments(device, 100);
  expect_gathered(small.graph, segments, Sum<double>());
}

TEST(Segments, LeaveOutWhatOneBlockWouldTake) {
  // Vertices without arcs are the last ones, as in the order of degrees, or among others.
  for (const bool together : {true, false}) {
    std::vector<std::tuple<V, V, std::int32_t>> arcs;
    for (V v = 0; v < 500; ++v)
      for (V k = 1; k <= 20; ++k)
        arcs.push_back({(together ? 1 : 40) * ((v * k + 7) % 500), (together ? 1 : 40) * v, 1});
    const SmallGraph<V> small(20000, arcs, true);
    const gc::cuda::Graph<V> device(small.graph, weighted());
    EXPECT_EQ(gc::cuda::detail::SegmentedArcs<V>(device, gc::Rows<V>::all(small.graph), 100, 8).fits(), !together);
    gc::cuda::Segments<V> segments(device, 100);
    expect_gathered(small.graph, segments, Sum<double>());
  }
}

TEST(Segments, PayForManyScatteredSources) {
  const Sure sure;
  // 64 bytes are read of each source: 16384 of them take a quarter of the emulated second-level cache.
  const auto pays = [](const SmallGraph<V> &small) {
    const gc::cuda::Graph<V> device(small.graph, weighted());
    gc::cuda::ChosenSegments<V> segments(device, 64);
    EXPECT_FALSE(segments.pay(8));
    EXPECT_FALSE(segments.pay(8));
    const bool result = segments.pay(8);
    EXPECT_EQ(segments.pay(8), result);
    return result;
  };
  EXPECT_TRUE(pays(random_graph<V>(18000, 180000, true, false, 5)));
  EXPECT_FALSE(pays(random_graph<V>(15000, 150000, true, false, 5))) << "the cache holds them";
  EXPECT_FALSE(pays(random_graph<V>(18000, 60000, true, false, 5))) << "few arcs for each vertex";
  std::vector<std::tuple<V, V, std::int32_t>> near, uneven;
  for (V v = 0; v < 18000; ++v)
    for (V k = 1; k <= 10; ++k) {
      near.push_back({(v + k) % 18000, v, 1});
      uneven.push_back({k == 1 ? 3 : (v * 31 + k * 977) % 18000, v, 1});
    }
  EXPECT_FALSE(pays(SmallGraph<V>(18000, near, true))) << "sources are near their targets";
  EXPECT_TRUE(pays(SmallGraph<V>(18000, uneven, true))) << "one vertex has many arcs";
}

/// A loop of a program, which counts its rounds by segments.
struct Rounds {
  using Plain = gc::cuda::detail::GatherPlainly<V, Sum<double>>;
  using Kernels = gc::cuda::Kernels<Plain>;
  gc::Graph<V> graph;
  gc::cuda::ChosenSegments<V> *segments;
  double *results;
  struct Scalars {
    int by_segments;
  };

  template <class Device> __host__ __device__ void operator()(Device &device, Scalars &scalars) const {
    for (int round = 0; round < 4; ++round)
      if (device.segments_pay(segments, 8)) {
        device.segments_gather(segments, Sum<double>(), results);
        ++scalars.by_segments;
      } else {
        device.for_vertices(Plain{Sum<double>(), graph, results});
      }
  }
};

TEST(Segments, LoopsOfTheHostChoose) {
  const Sure sure;
  const SmallGraph<V> small = random_graph<V>(18000, 180000, true, false, 5);
  const gc::cuda::Graph<V> device(small.graph, weighted());
  const std::vector<double> expected = gathered(small.graph, Sum<double>());
  for (const auto &[where, rounds] : {std::pair(gc::cuda::LoopOn::device, 0), std::pair(gc::cuda::LoopOn::host, 2)}) {
    gc::cuda::ChosenSegments<V> segments(device, 64);
    gc::cuda::Property<double> results(small.graph.n);
    const Rounds loop{device.view(), &segments, results.data()};
    EXPECT_EQ(gc::cuda::run_loop(device, loop, {0}, where).by_segments, rounds);
    EXPECT_EQ(contents(results), expected);
  }
}

} // namespace
