// Packed lists taken out of their fields, against the plain lists that they are made of.
#include "runtime/src/pack.h"

#include <gcompile/core/unpacked_choice.h>
#include <gcompile/core/unpacked_lists.h>
#include <gcompile/omp.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace {

using gc::ArcId;

template <class V> using Lists = std::vector<std::vector<V>>;

template <class V> gc::detail::PackedStore packed(const Lists<V> &lists) {
  std::vector<ArcId> offsets{0};
  std::vector<V> all;
  for (const std::vector<V> &list : lists) {
    all.insert(all.end(), list.begin(), list.end());
    offsets.push_back(all.size());
  }
  return gc::detail::pack_lists<V>(lists.size(), offsets.data(), all.data());
}

/// Goes over all vertices in such parts as threads get.
template <class V, class Unpacked, class Test> void each_block(Unpacked &unpacked, V n, V part, const Test &test) {
  V next = 0;
  for (V first = 0; first < n; first += std::min<V>(part, n - first))
    for (const auto &block : unpacked.blocks(first, std::min<V>(n, first + part))) {
      ASSERT_EQ(block.first(), next);
      ASSERT_GT(block.last(), block.first());
      ASSERT_LE(block.last(), std::min<V>(n, first + part));
      for (; next < block.last(); ++next)
        test(block, next);
    }
  ASSERT_EQ(next, n);
}

template <class V> void expect_lists(const Lists<V> &out, const Lists<V> &in) {
  const auto n = static_cast<V>(out.size());
  const gc::detail::PackedStore out_store = packed(out), in_store = packed(in);
  const gc::PackedArcs<V> arcs{out_store.parts.view<V>(n), in_store.parts.view<V>(n)};
  gc::Graph<V> graph{};
  graph.n = n;
  graph.packed = &arcs;
  const gc::PackedGraph<V> view = graph;
  const auto same = [](const gc::Span<V> &found, const std::vector<V> &wanted, V v) {
    ASSERT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end())) << v;
  };
  for (V part : {V(1), V(7), V(16), V(100), V(256), V(300), n}) {
    gc::UnpackedLists<V, gc::unpack_in_lists | gc::unpack_out_degrees> sums(view);
    each_block<V>(sums, n, part, [&](const auto &block, V v) {
      same(block.in_neighbors(v), in[v], v);
      ASSERT_EQ(block.out_degree(v), static_cast<std::int32_t>(out[v].size())) << v;
    });
    gc::UnpackedLists<V, gc::unpack_out_lists | gc::unpack_in_lists | gc::unpack_in_degrees> both(view);
    each_block<V>(both, n, part, [&](const auto &block, V v) {
      same(block.out_neighbors(v), out[v], v);
      same(block.in_neighbors(v), in[v], v);
      ASSERT_EQ(block.in_degree(v), static_cast<std::int32_t>(in[v].size())) << v;
    });
  }
}

/// Takes the lists of vertices in any order, as many at a time as there is room for, those up to some lengths.
template <class V> void expect_choice(const Lists<V> &lists, unsigned seed) {
  const gc::detail::PackedStore store = packed(lists);
  const gc::PackedLists<V> view = store.parts.view<V>(lists.size());
  std::mt19937 random(seed);
  std::vector<V> chosen(3 * lists.size());
  for (V &v : chosen)
    v = static_cast<V>(random() % lists.size());
  gc::detail::UnpackedChoice<V> choice;
  for (const ArcId longest : {ArcId(0), ArcId(5), ~ArcId(0)})
    for (std::size_t at = 0, taken = 0; at < chosen.size(); at += taken) {
      taken = choice.take(view, chosen.data() + at, chosen.size() - at, longest);
      ASSERT_GE(taken, 1u);
      ASSERT_LE(taken, std::min<std::size_t>(chosen.size() - at, choice.most_vertices));
      for (std::size_t k = 0; k < taken; ++k) {
        const std::vector<V> &wanted = lists[chosen[at + k]];
        if (wanted.size() <= 256 || wanted.size() > longest) {
          ASSERT_EQ(choice.has(k), wanted.size() <= longest);
        }
        if (choice.has(k)) {
          const gc::Span<V> found = choice.list(k);
          ASSERT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end())) << at + k;
          if (!wanted.empty()) {
            ASSERT_EQ(choice.near(k)[0], wanted[0]);
          }
        }
      }
      for (std::size_t i = 0; i < choice.most_near; ++i)
        ASSERT_EQ(choice.near(taken + 3)[i], V(0)) << "behind the last";
      // All of them as one list, with their vertices.
      std::vector<V> sources, targets;
      std::uint64_t left = 0;
      for (std::size_t k = 0; k < taken; ++k) {
        if (!choice.has(k)) {
          left |= std::uint64_t(1) << k;
          continue;
        }
        const std::vector<V> &wanted = lists[chosen[at + k]];
        sources.insert(sources.end(), wanted.size(), chosen[at + k]);
        targets.insert(targets.end(), wanted.begin(), wanted.end());
      }
      ASSERT_EQ(choice.take_with_sources(view, chosen.data() + at, chosen.size() - at, longest), taken);
      ASSERT_EQ(choice.left(), left);
      ASSERT_EQ(choice.arcs(), targets.size());
      ASSERT_TRUE(std::equal(targets.begin(), targets.end(), choice.targets()));
      ASSERT_TRUE(std::equal(sources.begin(), sources.end(), choice.sources()));
      for (std::size_t i = 0; i < choice.most_ahead; ++i)
        ASSERT_EQ(choice.targets()[choice.arcs() + i], V(0)) << "what may be fetched";
    }
  for (const V v : chosen) {
    const ArcId first = view.begin(v), size = lists[v].size(), begin = random() % (size + 1),
                end = begin + random() % (size + 1 - begin);
    for (const auto &[from, to] : {std::pair<ArcId, ArcId>{0, size}, {begin, end}, {begin, begin}}) {
      const gc::Span<V> found = choice.take_arcs(view, v, first + from, first + to);
      ASSERT_TRUE(std::equal(found.begin(), found.end(), lists[v].begin() + static_cast<std::ptrdiff_t>(from),
                             lists[v].begin() + static_cast<std::ptrdiff_t>(to)));
    }
    ASSERT_TRUE(choice.take_arcs(view, v, 0, 0).empty()) << "as of a list that other threads walk";
  }
}

/// Lists of up to `longest` neighbours less than `reach` apart.
template <class V> Lists<V> random_lists(V n, std::uint64_t reach, std::uint64_t longest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Lists<V> lists(n);
  for (V v = 0; v < n; ++v)
    for (std::uint64_t i = random() % (longest + 1); i > 0; --i)
      lists[v].push_back(static_cast<V>(std::min<std::uint64_t>(v / 2 + random() % reach, ~V(0))));
  return lists;
}

TEST(Unpacked, EveryWidth) {
  for (unsigned bits = 0; bits <= 31; ++bits)
    for (std::uint32_t n : {1u, 15u, 16u, 17u, 300u, 700u}) {
      const std::uint64_t reach = std::uint64_t(1) << bits;
      expect_lists(random_lists<std::uint32_t>(n, reach, 9, n), random_lists<std::uint32_t>(n, reach, 5, n + bits));
    }
  for (unsigned bits : {0u, 8u, 25u, 26u, 33u, 57u}) {
    const std::uint64_t reach = std::uint64_t(1) << bits;
    expect_lists(random_lists<std::uint64_t>(300, reach, 9, bits), random_lists<std::uint64_t>(300, reach, 5, 1));
  }
}

TEST(Unpacked, LongLists) {
  // Blocks that end early, and groups with more arcs than a place can count.
  for (std::size_t length : {1000u, 4095u, 4096u, 5000u, 65535u, 65536u, 200000u})
    for (std::uint32_t at : {0u, 15u, 16u, 299u}) {
      Lists<std::uint32_t> lists = random_lists<std::uint32_t>(300, 1000, 3, length);
      for (std::size_t i = 0; i < length; ++i)
        lists[at].push_back(static_cast<std::uint32_t>(i / 3));
      expect_lists(lists, random_lists<std::uint32_t>(300, 1000, 40, at));
      expect_lists(random_lists<std::uint32_t>(300, 1000, 40, at), lists);
    }
}

TEST(Unpacked, ChosenLists) {
  for (unsigned bits = 0; bits <= 31; ++bits)
    for (std::uint32_t n : {1u, 16u, 300u})
      expect_choice(random_lists<std::uint32_t>(n, std::uint64_t(1) << bits, 9 + bits, n), bits);
  for (unsigned bits : {0u, 25u, 33u, 57u})
    expect_choice(random_lists<std::uint64_t>(300, std::uint64_t(1) << bits, 20, bits), bits);
  for (std::size_t length : {255u, 256u, 257u, 5000u, 65536u, 200000u}) {
    Lists<std::uint32_t> lists = random_lists<std::uint32_t>(300, 1000, 300, length);
    for (std::size_t i = 0; i < length; ++i)
      lists[17].push_back(static_cast<std::uint32_t>(i / 3));
    expect_choice(lists, static_cast<unsigned>(length));
  }
  expect_choice(Lists<std::uint32_t>(40), 1);
}

/// Pushes from some vertices go along each of their arcs once, whether lists are taken out or not.
template <class V> void expect_arcs(const Lists<V> &lists, std::size_t from) {
  const auto n = static_cast<V>(lists.size());
  const gc::detail::PackedStore store = packed(lists);
  const gc::PackedArcs<V> arcs{store.parts.view<V>(n), store.parts.view<V>(n)};
  gc::Graph<V> graph{};
  graph.n = n;
  graph.packed = &arcs;
  const gc::PackedGraph<V> view = graph;
  std::vector<V> all(n), values(n);
  std::iota(all.begin(), all.end(), V(0));
  std::shuffle(all.begin(), all.end(), std::mt19937(static_cast<unsigned>(from)));
  all.resize(from);
  Lists<V> wanted(n);
  for (const V v : all) {
    wanted[v] = lists[v];
    std::sort(wanted[v].begin(), wanted[v].end());
  }
  gc::Frontier<V, gc::Packed> frontier(view);
  for (const bool shares : {false, true})
    for (const bool takes_out : {false, true}) {
      frontier.start(gc::VertexSet<V>::of(n, all));
      if (shares)
        frontier.share_lists();
      frontier.begin_push();
      Lists<V> found(n);
      std::mutex mutex;
      gc::parallel(gc::detail::PushWidth{frontier.wide(), takes_out}, [&](const auto &mine) {
        frontier.active(mine, view, gc::fetch(values.data()), gc::fetch_own(values.data()))
            .each_arc([&](const V &u, const V &v) {
              const std::lock_guard<std::mutex> lock(mutex);
              found[u].push_back(v);
            });
      });
      for (V v = 0; v < n; ++v) {
        std::sort(found[v].begin(), found[v].end());
        ASSERT_EQ(found[v], wanted[v]) << v;
      }
    }
}

TEST(Unpacked, PushesGoAlongEachArcOnce) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    for (const std::size_t from : {0u, 1u, 63u, 64u, 65u, 2000u}) {
      expect_arcs(random_lists<std::uint32_t>(2000, 1000, 30, from), from);
      expect_arcs(random_lists<std::uint64_t>(2000, 1000, 5, from), from);
    }
    // Lists that are taken out by themselves, and such that threads share.
    Lists<std::uint32_t> lists = random_lists<std::uint32_t>(2000, 1000, 5, 9);
    for (std::uint32_t v = 0; v < 2000; v += 100)
      for (std::uint32_t i = 0; i < 250 + v * 10; ++i)
        lists[v].push_back(i % 2000);
    expect_arcs(lists, 2000);
    expect_arcs(lists, 300);
  }
  // Where caches do not hold a value for each vertex, they are fetched.
  const auto n = static_cast<std::uint32_t>(gc::detail::second_level_cache() / 2 + 1);
  expect_arcs(random_lists<std::uint32_t>(n, n / 2, 3, 1), 5000);
  omp_set_num_threads(before);
}

TEST(Unpacked, NoArcs) {
  expect_lists(Lists<std::uint32_t>(40), Lists<std::uint32_t>(40));
  const gc::PackedGraph<std::uint32_t> none = [] {
    static const gc::PackedArcs<std::uint32_t> arcs;
    gc::Graph<std::uint32_t> graph{};
    graph.packed = &arcs;
    return gc::PackedGraph<std::uint32_t>(graph);
  }();
  gc::UnpackedLists<std::uint32_t, gc::unpack_out_lists> unpacked(none);
  for (const auto &block : unpacked.blocks(0, 0))
    FAIL() << block.first();
}

} // namespace
