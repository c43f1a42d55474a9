// The near and far lists of ordered propagates, under the emulation, against plain searches.
#include "test/cuda/device_graphs.h"

#include <gcompile/cuda/order/near_far.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace {

template <class P> struct Relax {
  P *distance;
  const std::int32_t *weight;
  template <class Next> __device__ void operator()(V u, V v, ArcId e, Next &next) const {
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
      for (ArcId e = graph.out_begin(u); distance == expected[u] && e < graph.out_end(u); ++e) {
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

template <class P> struct Widen {
  P *width;
  const std::int32_t *weight;
  template <class Next> __device__ void operator()(V u, V v, ArcId e, Next &next) const {
    const P through = static_cast<P>(weight[e] - 20);
    if (gc::atomic_max(width[v], gc::load(width[u]) < through ? gc::load(width[u]) : through))
      next.push(v);
  }
};
/// The same as a value for each arc.
template <class P> struct Widens {
  static constexpr bool relaxes = true;
  P *width;
  const std::int32_t *weight;
  __device__ P value(V u, V, ArcId e) const {
    const P through = static_cast<P>(weight[e] - 20);
    return gc::load(width[u]) < through ? gc::load(width[u]) : through;
  }
};

template <class P> void check_widest(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, double delta) {
  std::vector<P> start(graph.n, gc::lowest<P>());
  start[graph.n > 8 ? 8 : 0] = gc::inf<P>();
  std::vector<P> expected = start;
  for (bool changed = true; changed;) {
    changed = false;
    for (V u = 0; u < graph.n; ++u)
      for (ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
        changed |= gc::update_max(expected[graph.target(e)],
                                  std::min(expected[u], static_cast<P>(graph.edge_column<std::int32_t>(0)[e] - 20)));
  }
  const std::int32_t *const weight = device.view().edge_column<std::int32_t>(0);
  gc::cuda::Property<P> width(graph.n);
  const auto check = [&](const auto &push) {
    ASSERT_EQ(cudaMemcpy(width.data(), start.data(), graph.n * sizeof(P), cudaMemcpyHostToDevice), cudaSuccess);
    gc::cuda::NearFar<V, gc::Greatest<P>> work(device, width.data(), delta);
    work.run(gc::cuda::VertexSet<V>::of(device, {graph.n > 8 ? V(8) : V(0)}), push);
    EXPECT_EQ(contents(width), expected);
  };
  check(Widen<P>{width.data(), weight});
  check(Widens<P>{width.data(), weight});
}

TEST(NearFar, WidestPaths) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    check_widest<std::int64_t>(graph, device, 1);
    check_widest<float>(graph, device, 40);
  });
}

TEST(NearFar, EndsEarly) {
  std::vector<std::tuple<V, V, std::int32_t>> path;
  for (V v = 0; v + 1 < 200; ++v)
    path.push_back({v, v + 1, 10});
  const SmallGraph<V> graph(200, path, true);
  const gc::cuda::Graph<V> device(graph.graph, weighted());
  const std::int32_t far = gc::inf<std::int32_t>();
  const auto reached = [&](const gc::cuda::Ends<V> &ends) {
    gc::cuda::Property<std::int32_t> distance(200);
    std::vector<std::int32_t> start(200, far);
    start[0] = 0;
    EXPECT_EQ(cudaMemcpy(distance.data(), start.data(), 200 * sizeof(std::int32_t), cudaMemcpyHostToDevice),
              cudaSuccess);
    gc::cuda::NearFar<V, std::int32_t, true> work(device, distance.data(), 40, ends);
    work.run({V(0)}, Relax<std::int32_t>{distance.data(), device.view().edge_column<std::int32_t>(0)});
    const std::vector<std::int32_t> found = contents(distance);
    return std::count_if(found.begin(), found.end(), [&](std::int32_t d) { return d < far; });
  };
  using Ends = gc::cuda::Ends<V>;
  EXPECT_EQ(reached({}), 200);
  for (const Ends &ends : {Ends::all({5}), Ends::all({2, 7, 0}), Ends::first_of({190, 7, gc::none<V>()})}) {
    EXPECT_GE(reached(ends), 8 - 2 * (ends.vertices.size() == 1)); // the end, and those before it
    EXPECT_LE(reached(ends), 20);
  }
  EXPECT_EQ(reached(Ends::all({gc::none<V>()})), 200);
}

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
    return gc::cuda::choose_delta<std::int32_t>(device, device.view().edge_column<std::int32_t>(0));
  };
  EXPECT_DOUBLE_EQ(width(SmallGraph<V>(100, ring, true)), 32 * (50 * 20 + 49 * 40) / 99.);
  EXPECT_DOUBLE_EQ(width(SmallGraph<V>(17, complete, false)), 5);
}

} // namespace
