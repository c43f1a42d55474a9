// Packed lists of neighbours against the plain ones that they are made of.
#include "helpers.h"
#include "runtime/src/pack.h"

#include <gcompile/core/adjacency.h>
#include <gcompile/core/packed_graph.h>
#include <gcompile/omp/segments.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace test;
using gc::ArcId;
using gc::LoadOptions;

/// Everything that packed lists give of the vertices.
template <class V> void expect_same(const std::vector<std::vector<V>> &lists, std::uint64_t n) {
  std::vector<ArcId> offsets{0};
  std::vector<V> all;
  for (const std::vector<V> &list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    offsets.push_back(all.size());
  }
  offsets.resize(n + 1, all.size());
  const gc::detail::PackedStore store = gc::detail::pack_lists<V>(n, offsets.data(), all.data());
  const auto packed = store.parts.view<V>(n);
  ASSERT_EQ(packed.num_arcs(), all.size());
  for (std::uint64_t v = 0; v < n; ++v) {
    const V vertex = static_cast<V>(v);
    ASSERT_EQ(packed.begin(vertex), offsets[v]) << v;
    ASSERT_EQ(packed.end(vertex), offsets[v + 1]) << v;
    ASSERT_EQ(packed.size(vertex), offsets[v + 1] - offsets[v]);
    const gc::PackedList<V> list = packed.list(vertex);
    ASSERT_EQ(list.size(), offsets[v + 1] - offsets[v]);
    ASSERT_TRUE(std::equal(list.begin(), list.end(), all.begin() + static_cast<std::ptrdiff_t>(offsets[v]))) << v;
    const auto ends = packed.ends_at(vertex);
    for (ArcId e = offsets[v]; e < offsets[v + 1]; ++e) {
      ASSERT_EQ(ends[e], all[e]);
      ASSERT_EQ(list[e - offsets[v]], all[e]);
      ASSERT_EQ(packed.owner(e), vertex);
    }
  }
}

TEST(Packed, EveryWidth) {
  for (std::uint64_t n : {1u, 2u, 15u, 16u, 17u, 32u, 33u, 100000u}) {
    std::mt19937_64 random(n);
    for (unsigned bits = 0; bits <= 17; ++bits) {
      std::vector<std::vector<std::uint32_t>> narrow(n);
      std::vector<std::vector<std::uint64_t>> wide(n);
      for (std::uint64_t v = 0; v < n; ++v)
        for (std::uint64_t i = random() % (n > 1000 ? 3 : 40); i > 0; --i) {
          const std::uint64_t reach = (std::uint64_t(1) << bits) - 1, far = i % 3 == 0 ? reach : random() & reach;
          const std::uint64_t u = i % 2 ? std::min(v + far, n - 1) : v > far ? v - far : 0;
          narrow[v].push_back(static_cast<std::uint32_t>(u));
          wide[v].push_back(u);
        }
      for (std::uint64_t v = 0; v < n; v += 2) // others stand in any order
        std::sort(narrow[v].begin(), narrow[v].end());
      expect_same(narrow, n);
      expect_same(wide, n);
    }
  }
}

TEST(Packed, LongLists) {
  // Groups with more arcs than a place can count, and just as many.
  for (std::size_t length : {65531u, 65532u, 65533u, 65536u, 200000u})
    for (std::uint32_t at : {0u, 15u, 16u, 40u}) {
      const std::uint32_t n = 100;
      std::vector<std::vector<std::uint32_t>> lists(n);
      for (std::size_t i = 0; i < length; ++i)
        lists[at].push_back(static_cast<std::uint32_t>(i * n / length));
      lists[at == 15 ? 14 : at + 1] = {1, 2, 99};
      expect_same(lists, n);
    }
}

/// Fields of all widths, with the greatest values, by themselves.
TEST(Packed, EveryField) {
  for (unsigned width = 1; width <= gc::PackedLists<std::uint64_t>::most_bits; ++width) {
    std::vector<std::uint64_t> words(width + 2, 0);
    const std::uint64_t greatest = (std::uint64_t(1) << width) - 1;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::uint64_t field = i % 3 == 0 ? greatest : (i * 0x9e3779b97f4a7c15u) & greatest;
      for (unsigned bit = 0; bit < width; ++bit)
        words[(i * width + bit) / 64] |= (field >> bit & 1) << (i * width + bit) % 64;
      expected.push_back(field);
    }
    const gc::PackedIterator<std::uint64_t> wide(reinterpret_cast<const std::uint8_t *>(words.data()), 0, width, 5);
    const gc::PackedIterator<std::uint32_t> narrow(reinterpret_cast<const std::uint8_t *>(words.data()), 0, width,
                                                   0xfffffff0u);
    for (std::uint64_t i = 0; i < 64; ++i) {
      EXPECT_EQ(wide[i], expected[i] + 5);
      EXPECT_EQ(narrow[i], static_cast<std::uint32_t>(expected[i]) + 0xfffffff0u);
      EXPECT_EQ(*(wide + i), wide[i]);
    }
    EXPECT_EQ((wide + 9) - (wide + 4), 5);
  }
}

template <class V> void expect_same_graph(const std::string &spec, LoadOptions options) {
  options.vertex_bits = 8 * sizeof(V);
  options.in_edges = options.in_edge_ids = true;
  const gc::LoadedGraph loaded = gc::load_graph(spec, options);
  options.packed = true;
  const gc::LoadedGraph other = gc::load_graph(spec, options);
  const gc::Graph<V> &plain = loaded.view<V>();
  EXPECT_THROW(gc::PackedGraph<V>{plain}, gc::Error);
  EXPECT_EQ(other.view<V>().out_targets, nullptr);
  const gc::PackedGraph<V> packed = other.view<V>();
  EXPECT_EQ(other.num_arcs(), loaded.num_arcs());
  EXPECT_EQ(other.plain_adjacency_bytes(), loaded.adjacency_bytes());
  EXPECT_GT(other.layout_seconds(), 0);
  ASSERT_EQ(packed.num_arcs(), plain.num_arcs());
  EXPECT_EQ(packed.num_edges(), plain.num_edges());
  const auto arcs_of = [](const auto &range) {
    std::vector<std::pair<V, ArcId>> arcs;
    for (const auto arc : range)
      arcs.emplace_back(arc.vertex, arc.edge);
    return arcs;
  };
  const auto vertices_of = [](const auto &range) {
    std::vector<V> vertices;
    for (const V v : range)
      vertices.push_back(v);
    return vertices;
  };
  for (V v = 0; v < plain.n; ++v) {
    const V u = (v * 7 + 3) % plain.n;
    EXPECT_EQ(packed.degree(v), plain.degree(v));
    EXPECT_EQ(arcs_of(gc::out_arcs(packed, v)), arcs_of(gc::out_arcs(plain, v)));
    EXPECT_EQ(arcs_of(gc::in_arcs(packed, v)), arcs_of(gc::in_arcs(plain, v)));
    EXPECT_EQ(arcs_of(gc::in_places(packed, v)), arcs_of(gc::in_places(plain, v)));
    EXPECT_EQ(arcs_of(gc::either_arcs(packed, v)), arcs_of(gc::either_arcs(plain, v)));
    EXPECT_EQ(arcs_of(gc::above(gc::out_arcs(packed, v), u)), arcs_of(gc::above(gc::out_arcs(plain, v), u)));
    EXPECT_EQ(arcs_of(gc::below(gc::in_arcs(packed, v), u)), arcs_of(gc::below(gc::in_arcs(plain, v), u)));
    EXPECT_EQ(vertices_of(gc::either(packed, v)), vertices_of(gc::either(plain, v)));
    EXPECT_EQ(vertices_of(gc::both_neighbors(packed, v)), vertices_of(gc::both_neighbors(plain, v)));
    EXPECT_EQ(vertices_of(gc::intersected(packed.out_neighbors(v), packed.in_neighbors(u))),
              vertices_of(gc::intersected(plain.out_neighbors(v), plain.in_neighbors(u))));
    EXPECT_EQ(vertices_of(gc::subtracted(gc::above(packed.out_neighbors(v), u), packed.in_neighbors(u))),
              vertices_of(gc::subtracted(gc::above(plain.out_neighbors(v), u), plain.in_neighbors(u))));
    EXPECT_EQ(gc::edge(packed, v, u), gc::edge(plain, v, u));
    for (const std::int64_t place : {-1, 0, 1, 5}) {
      EXPECT_EQ(gc::out_neighbor(packed, v, place), gc::out_neighbor(plain, v, place));
      EXPECT_EQ(gc::in_neighbor(packed, v, place), gc::in_neighbor(plain, v, place));
    }
    for (const V w : plain.out_neighbors(v)) {
      EXPECT_EQ(gc::edge(packed, v, w), gc::edge(plain, v, w));
      EXPECT_TRUE(gc::contains(packed.out_neighbors(v), w));
    }
  }
  for (ArcId e = 0; e < plain.num_arcs(); ++e) {
    EXPECT_EQ(gc::source(packed, e), gc::source(plain, e));
    EXPECT_EQ(packed.target(e), plain.target(e));
    EXPECT_EQ(packed.transposed().target(e), plain.in_source(e));
  }
}

/// The arcs of all segments: those into each vertex, in the order of the segments, which have so many sources each.
template <class V, class A>
std::vector<std::vector<V>> gathered(const gc::Segments<V, A> &segments, std::size_t n, std::size_t step) {
  EXPECT_EQ(segments.size(), (n + step - 1) / step);
  std::vector<std::vector<V>> found(n);
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (std::size_t p = 0; p < segments.parts(s); ++p)
      segments.part(s, p, [&](V v, const auto &sources) {
        for (const V u : sources) {
          EXPECT_EQ(u / step, s);
          found[v].push_back(u);
        }
      });
  return found;
}
template <class V, class A>
std::vector<std::vector<V>> gathered(const gc::Graph<V, A> &graph, std::size_t width, std::size_t widest) {
  return gathered(gc::Segments<V, A>(graph, width), graph.num_vertices(), std::min(width, widest));
}

/// A graph with lists of arcs into vertices.
gc::LoadedGraph with_in_edges(const std::string &spec, bool packed) {
  LoadOptions options;
  options.in_edges = true;
  options.packed = packed;
  return gc::load_graph(spec, options);
}

TEST(Packed, Segments) {
  for (const char *spec : {"uniform:scale=18,degree=2", "grid:301x307", "path:1", "star:70000"}) {
    const gc::LoadedGraph plain = with_in_edges(spec, false), loaded = with_in_edges(spec, true);
    const gc::PackedGraph<std::uint32_t> packed = loaded.view<std::uint32_t>();
    for (const std::size_t width : {std::size_t(1) << 10, std::size_t(1) << 16, std::size_t(1) << 20})
      EXPECT_EQ(gathered(packed, width, 1 << 16), gathered(plain.view<std::uint32_t>(), width, width)) << spec;
  }
}

TEST(Packed, OneSegmentWhereAllIsNear) {
  for (const char *spec : {"complete:300", "grid:300x300", "grid:1000x200"}) { // one block of sources, two and four
    const gc::LoadedGraph plain = with_in_edges(spec, false), loaded = with_in_edges(spec, true);
    const gc::PackedGraph<std::uint32_t> packed = loaded.view<std::uint32_t>();
    gc::ChosenSegments<std::uint32_t, gc::Packed> segments(packed, 8);
    bool pays = false;
    for (int round = 0; round < 30 && !pays; ++round)
      pays = segments.pay();
    EXPECT_TRUE(pays);
    const std::size_t n = packed.num_vertices(), all = std::size_t(1) << 20; // one segment
    EXPECT_EQ(gathered<std::uint32_t>(segments, n, all), gathered(plain.view<std::uint32_t>(), all, all)) << spec;
  }
}

TEST(Packed, Graphs) {
  for (const char *spec :
       {"kronecker:scale=9,degree=16", "grid:17x23", "star:9000", "path:1", "uniform:scale=8,degree=1"})
    for (gc::Directedness direction : {gc::Directedness::directed, gc::Directedness::undirected}) {
      LoadOptions options;
      options.user = direction;
      options.duplicates = options.self_loops = gc::Keep::keep;
      expect_same_graph<std::uint32_t>(spec, options);
      expect_same_graph<std::uint64_t>(spec, options);
      options.vertex_order = gc::VertexOrder::by_bfs;
      expect_same_graph<std::uint32_t>(spec, options);
    }
}

TEST(Packed, FewerBytes) {
  const auto part_of = [](const char *spec, bool by_bfs) {
    LoadOptions options;
    options.packed = true;
    options.vertex_order = by_bfs ? gc::VertexOrder::by_bfs : gc::VertexOrder::input;
    const gc::LoadedGraph graph = gc::load_graph(spec, options);
    return static_cast<double>(graph.adjacency_bytes()) / static_cast<double>(graph.plain_adjacency_bytes());
  };
  EXPECT_LT(part_of("kronecker:scale=16,degree=16", false), 0.6);
  EXPECT_LT(part_of("grid:300x300", true), 0.4);
}

} // namespace
