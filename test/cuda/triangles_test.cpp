// Triangles by the fingerprints of successors: graphs that take this way and that do not, against the definition.
#include "cuda_runtime.h"

#include <gcompile/cuda/triangles/triangles.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace {

using gc::ArcId;

/// An undirected graph that owns its arrays, with repeated edges and self-loops as they are given.
template <class V> class Undirected {
public:
  explicit Undirected(V n) : lists_(n) {}

  void add(V u, V v) {
    lists_[u].push_back(v);
    lists_[v].push_back(u); // a self-loop twice
  }
  gc::Graph<V> graph() {
    offsets_.assign(1, 0);
    targets_.clear();
    for (std::vector<V> &list : lists_) {
      std::sort(list.begin(), list.end());
      targets_.insert(targets_.end(), list.begin(), list.end());
      offsets_.push_back(targets_.size());
    }
    gc::Graph<V> graph;
    graph.n = static_cast<V>(lists_.size());
    graph.is_directed = false;
    graph.edges = static_cast<std::int64_t>(targets_.size() / 2);
    graph.in_offsets = graph.out_offsets = offsets_.data();
    graph.in_sources = graph.out_targets = targets_.data();
    return graph;
  }
  std::int64_t triangles() const {
    std::vector<std::set<V>> greater(lists_.size());
    for (V u = 0; u < lists_.size(); ++u)
      for (const V v : lists_[u])
        if (u < v)
          greater[u].insert(v);
    std::int64_t count = 0;
    for (const std::set<V> &list : greater)
      for (const V v : list)
        for (const V w : greater[v])
          count += static_cast<std::int64_t>(list.count(w));
    return count;
  }

private:
  std::vector<std::vector<V>> lists_;
  std::vector<ArcId> offsets_;
  std::vector<V> targets_;
};

template <class V> Undirected<V> uniform(V n, unsigned degree, unsigned seed) {
  std::mt19937 random(seed);
  Undirected<V> graph(n);
  for (std::uint64_t i = 0; i < std::uint64_t(n) * degree / 2; ++i) {
    const V u = static_cast<V>(random() % n);
    graph.add(u, (u + 1 + static_cast<V>(random() % (n - 1))) % n);
  }
  return graph;
}

/// Each vertex is a neighbour of the `half` next ones.
template <class V> Undirected<V> ring(V n, V half) {
  Undirected<V> graph(n);
  for (V u = 0; u < n; ++u)
    for (V step = 1; step <= half; ++step)
      graph.add(u, (u + step) % n);
  return graph;
}

template <class V> Undirected<V> cliques(V count, V size) {
  Undirected<V> graph(count * size);
  for (V u = 0; u < count * size; ++u)
    for (V v = u + 1; v % size != 0; ++v)
      graph.add(u, v);
  return graph;
}

/// What counted: the fingerprints, or the directed lists.
struct Ways {
  bool fingerprints, lists;
  friend bool operator==(const Ways &a, const Ways &b) {
    return a.fingerprints == b.fingerprints && a.lists == b.lists;
  }
};

template <class V> class FingerprintTriangles : public testing::Test {
protected:
  /// Checks all ways to count; says which ones count_triangles goes, of which the last one gives the result.
  static Ways check(Undirected<V> edges, std::uint64_t seed = 1) {
    const gc::Graph<V> host = edges.graph();
    SCOPED_TRACE(testing::Message() << host.n << " vertices, " << host.num_arcs() << " arcs, seed " << seed);
    emulation::seed(seed);
    const gc::cuda::Graph<V> device(host, gc::ProgramInfo());
    const std::int64_t expected = edges.triangles();
    EXPECT_EQ(gc::cuda::detail::count_by_fingerprints(device, 1), expected);
    const std::size_t fingerprints = emulation::launches(gc::cuda::detail::count_fingerprints_kernel<V>);
    const std::size_t lists = emulation::launches(gc::cuda::detail::count_warp_kernel<V>);
    EXPECT_EQ(gc::cuda::count_triangles(device), expected);
    return {emulation::launches(gc::cuda::detail::count_fingerprints_kernel<V>) > fingerprints,
            emulation::launches(gc::cuda::detail::count_warp_kernel<V>) > lists};
  }
  static constexpr Ways by_fingerprints = {true, false}, by_lists = {false, true}, by_lists_after_sample = {true, true};
};
using Ids = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FingerprintTriangles, Ids, );

TYPED_TEST(FingerprintTriangles, LinesHaveTheFingerprintsOfSuccessors) {
  using V = TypeParam;
  using Lists = gc::cuda::detail::FingerprintLines<V>;
  Undirected<V> edges = uniform<V>(301, 24, 5);
  for (V v = 0; v < 70; ++v)
    edges.add(6, 6 + 3 * v);
  edges.add(300, 299);
  const gc::Graph<V> host = edges.graph();
  const gc::cuda::Graph<V> device(host, gc::ProgramInfo());
  gc::cuda::Buffer<uint4> lines((host.n + 1) * Lists::lanes);
  gc::cuda::Buffer<unsigned> before(host.n + 1);
  GCOMPILE_CUDA_LAUNCH((gc::cuda::detail::fingerprint_kernel<V>), 2, gc::cuda::block_threads,
                       Lists{device.view(), lines.data(), before.data()}, std::uint64_t(host.n));
  std::vector<std::uint16_t> fingerprints((host.n + 1) * Lists::capacity), expected(fingerprints.size(), 0);
  std::vector<unsigned> others(host.n + 1), expected_others(host.n + 1, 0);
  ASSERT_EQ(cudaMemcpy(fingerprints.data(), lines.data(), fingerprints.size() * 2, cudaMemcpyDeviceToHost),
            cudaSuccess);
  before.download(others.data(), others.size());
  bool overflows = false;
  for (V u = 0; u < host.n; ++u) {
    std::uint16_t *const line = expected.data() + u * Lists::capacity;
    std::vector<V> successors;
    for (const V v : host.out_neighbors(u))
      if (v > u)
        successors.push_back(v);
    expected_others[u] = static_cast<unsigned>(host.degree(u) - successors.size());
    if (successors.size() > Lists::capacity) {
      line[0] = Lists::overflow;
      overflows = true;
      continue;
    }
    for (std::size_t j = 0; j < successors.size(); ++j)
      line[j % 4 * 8 + j / 4] = static_cast<std::uint16_t>(Lists::fingerprint(successors[j]));
  }
  EXPECT_TRUE(overflows);
  EXPECT_EQ(fingerprints, expected);
  EXPECT_EQ(others, expected_others);
}

TYPED_TEST(FingerprintTriangles, FingerprintsAreNeitherNothingNorOverflow) {
  using Lists = gc::cuda::detail::FingerprintLines<TypeParam>;
  for (TypeParam v = 0; v < 300000; ++v) {
    const unsigned fingerprint = Lists::fingerprint(v);
    ASSERT_LT(fingerprint, 1u << 16);
    ASSERT_GT(fingerprint % (1u << Lists::looked_up), Lists::overflow);
  }
}

TYPED_TEST(FingerprintTriangles, ManyNeighboursAndFewTriangles) {
  EXPECT_EQ(this->check(uniform<TypeParam>(3001, 17, 1), 1), this->by_fingerprints);
  EXPECT_EQ(this->check(uniform<TypeParam>(3001, 24, 2), 2), this->by_fingerprints);
}

TYPED_TEST(FingerprintTriangles, FewOrManyOrUnevenNeighbours) {
  EXPECT_EQ(this->check(uniform<TypeParam>(500, 15, 1)), this->by_lists);
  EXPECT_EQ(this->check(uniform<TypeParam>(500, 41, 1)), this->by_lists);
  Undirected<TypeParam> hub = uniform<TypeParam>(500, 20, 1);
  for (TypeParam v = 2; v < 102; ++v)
    hub.add(1, v);
  EXPECT_EQ(this->check(std::move(hub)), this->by_lists);
}

TYPED_TEST(FingerprintTriangles, ManyTriangles) {
  EXPECT_EQ(this->check(ring<TypeParam>(500, 8)), this->by_lists_after_sample);
  EXPECT_EQ(this->check(ring<TypeParam>(333, 20)), this->by_lists_after_sample);
}

TYPED_TEST(FingerprintTriangles, CliquesOfFewVerticesAndOfFullLines) {
  EXPECT_EQ(this->check(cliques<TypeParam>(1, 17)), this->by_lists_after_sample);
  EXPECT_EQ(this->check(cliques<TypeParam>(5, 33)), this->by_lists_after_sample);
  EXPECT_EQ(this->check(cliques<TypeParam>(5, 34)), this->by_lists_after_sample);
  EXPECT_EQ(this->check(cliques<TypeParam>(4, 41)), this->by_lists_after_sample);
}

TYPED_TEST(FingerprintTriangles, SuccessorsThatALineHasNoRoomFor) {
  Undirected<TypeParam> edges = uniform<TypeParam>(3001, 24, 3);
  for (TypeParam u = 100; u < 130; u += 3)
    for (TypeParam v = 1; v <= 60; ++v)
      edges.add(u, (u * 7 + v * 13) % 3001);
  EXPECT_EQ(this->check(std::move(edges)), this->by_fingerprints);
}

TYPED_TEST(FingerprintTriangles, RepeatedEdgesAndSelfLoops) {
  Undirected<TypeParam> edges = uniform<TypeParam>(2999, 18, 4);
  for (TypeParam u = 0; u < 2900; u += 4) {
    for (TypeParam times = 0; times <= u % 3; ++times)
      edges.add(u, u + 5);
    edges.add(u, u);
    edges.add(u + 1, u + 3);
    edges.add(u + 1, u + 2);
    edges.add(u + 2, u + 3);
    edges.add(u + 2, u + 3);
  }
  EXPECT_EQ(this->check(std::move(edges)), this->by_fingerprints);
  Undirected<TypeParam> twice = cliques<TypeParam>(6, 18);
  for (TypeParam u = 0; u < 6 * 18; ++u)
    for (TypeParam v = u + 1; v % 18 != 0; v += 1 + u % 2)
      twice.add(u, v);
  EXPECT_EQ(this->check(std::move(twice)), this->by_lists_after_sample);
}

TYPED_TEST(FingerprintTriangles, NoVertices) {
  EXPECT_EQ(this->check(Undirected<TypeParam>(0)), this->by_lists);
  EXPECT_EQ(this->check(Undirected<TypeParam>(45)), this->by_lists);
}

} // namespace
