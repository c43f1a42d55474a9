// Gathers by segments on several devices of the emulation: each has the arcs into its own vertices.
#include "test/cuda/gathers.h"

#include <gcompile/gpus/segments.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

/// Calls f(devices, graph) on each of so many devices, which have their parts of a graph.
template <class F> void on_devices(int count, const gc::Graph<V> &graph, const F &f) {
  SCOPED_TRACE(testing::Message() << count << " devices");
  gc::detail::prepare_failure_record();
  setenv("GCOMPILE_EMULATION_DEVICES", std::to_string(count).c_str(), 1);
  {
    gc::gpus::Team team(count);
    team.run([&](int) {
      const gc::cuda::Graph<V> own = gc::gpus::own_graph(graph, weighted());
      gc::gpus::Devices<V> devices(own);
      f(devices, own);
    });
  }
  unsetenv("GCOMPILE_EMULATION_DEVICES");
}

/// Own vertices have what their lists hold, and no other vertex is written.
template <class F>
void expect_gathered(const gc::Graph<V> &graph, const gc::gpus::Devices<V> &devices, gc::cuda::Segments<V> &segments,
                     const F &f) {
  using T = typename F::Value;
  std::vector<T> expected = gathered(graph, f), found(graph.n, 77);
  for (V v = 0; v < graph.n; ++v)
    if (!devices.own_range().owns(v))
      expected[v] = found[v];
  gc::cuda::Buffer<T> results(graph.n);
  results.upload(found.data(), graph.n);
  segments.gather(f, results.data());
  results.download(found.data(), graph.n);
  EXPECT_EQ(found, expected) << "device " << devices.rank();
}

TEST(GpusSegments, GatherWhatListsOfOwnVerticesHold) {
  std::uint64_t seed = 0;
  for (const SmallGraph<V> &small : all_graphs())
    for (const int count : {1, 2, 3, 5}) {
      emulation::seed(++seed);
      on_devices(count, small.graph, [&](gc::gpus::Devices<V> &devices, const gc::cuda::Graph<V> &own) {
        const gc::Rows<V> rows = {devices.own_range().first, devices.own_range().last};
        gc::cuda::Segments<V> segments(own, rows, count == 3 ? 1 << 20 : 70);
        for (int round = 0; round < 2; ++round) // of one layout
          expect_gathered(small.graph, devices, segments, Sum<double>());
        expect_gathered(small.graph, devices, segments, Least{small.graph});
        expect_gathered(small.graph, devices, segments, Sum<std::int64_t>());
      });
    }
}

TEST(GpusSegments, GatherListsOfAnyLength) {
  // Lists of one to several tiles, of which those of each device begin anywhere.
  for (const unsigned degree : {2, 40, 600}) {
    emulation::seed(degree);
    const V n = 24000 / degree + 7;
    std::vector<std::tuple<V, V, std::int32_t>> arcs;
    for (V k = 0; k < 24000; ++k)
      arcs.push_back({k * 31 % n, k * 7919 % (n - 7), 1});
    for (V k = 0; k < 9000; ++k)
      arcs.push_back({k % n, k % 2 == 0 ? 3 : n - 9, 1});
    const SmallGraph<V> small(n, arcs, true);
    on_devices(3, small.graph, [&](gc::gpus::Devices<V> &devices, const gc::cuda::Graph<V> &own) {
      gc::cuda::Segments<V> segments(own, {devices.own_range().first, devices.own_range().last}, 1 << 20);
      expect_gathered(small.graph, devices, segments, Sum<double>());
      expect_gathered(small.graph, devices, segments, Least{small.graph});
    });
  }
}

/// Whether so many devices go by segments in the third round: all, or none. 64 bytes are read of each source: 16384 of
/// them take a quarter of the emulated second-level cache. `prepare` is called first on each device.
template <class Prepare> bool pays(const gc::Graph<V> &graph, int count, const Prepare &prepare) {
  std::vector<char> found(static_cast<std::size_t>(count));
  on_devices(count, graph, [&](gc::gpus::Devices<V> &devices, const gc::cuda::Graph<V> &own) {
    prepare(devices, own);
    gc::gpus::ChosenSegments<V> segments(devices, own, 64);
    EXPECT_FALSE(segments.pay(8));
    EXPECT_FALSE(segments.pay(8));
    const bool result = segments.pay(8);
    EXPECT_EQ(segments.pay(8), result);
    found[static_cast<std::size_t>(devices.rank())] = result;
    if (result)
      expect_gathered(graph, devices, segments, Sum<double>());
  });
  EXPECT_EQ(std::count(found.begin(), found.end(), found[0]), count) << "all go the same way";
  return found[0];
}

TEST(GpusSegments, PayForAllDevicesOrNone) {
  const Sure sure;
  const auto nothing = [](const auto &, const auto &) {};
  const V n = 18000;
  const SmallGraph<V> scattered = random_graph<V>(n, 180000, true, false, 5);
  for (const int count : {1, 2, 5})
    EXPECT_TRUE(pays(scattered.graph, count, nothing)) << count << " devices";
  EXPECT_FALSE(pays(random_graph<V>(15000, 150000, true, false, 5).graph, 2, nothing)) << "the cache holds them";

  const auto without_memory = [](const gc::gpus::Devices<V> &devices, const gc::cuda::Graph<V> &own) {
    for (double bytes = 1e15; devices.rank() == 1 && bytes >= 1; bytes /= 2)
      own.take_spare(bytes);
  };
  EXPECT_FALSE(pays(scattered.graph, 2, without_memory)) << "one device has no memory left";

  // Sources of the first half of the vertices are scattered, and those of the others are near; none at all.
  std::vector<std::tuple<V, V, std::int32_t>> half, none;
  for (V v = 0; v < n; ++v)
    for (V k = 1; k <= 10; ++k) {
      half.push_back({v < n / 2 ? (v * 31 + k * 977) % n : (v + k) % n, v, 1});
      none.push_back({(v * 31 + k * 977) % n, v / 2, 1});
    }
  EXPECT_TRUE(pays(SmallGraph<V>(n, half, true).graph, 2, nothing)) << "it saves time for one device";
  EXPECT_TRUE(pays(SmallGraph<V>(n, none, true).graph, 2, nothing)) << "no arc goes into the vertices of one device";
}

} // namespace
