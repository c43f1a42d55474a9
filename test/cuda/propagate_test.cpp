// The frontiers of propagates, under the emulation, against plain searches.
#include "test/cuda/searches.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace {

/// Reads nothing that is written in earlier rounds.
struct SettledPush {
  static constexpr bool round_independent = true;
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t round, Next &next) const {
    if (next.claim(parent[v], gc::none<V>(), u)) {
      depth[v] = round;
      next.push(v);
    }
  }
};

/// A pull that is taken apart: the runtime finds the neighbours, and asks the candidates before the lists.
struct BfsPullFirst {
  V *parent;
  std::int32_t *depth;
  bool takes_any;
  static constexpr bool by_arcs = true, first_only = true;
  __device__ bool wants(V v) const { return parent[v] == gc::none<V>(); }
  __device__ bool operator()(V u, V v, std::int32_t round, gc::cuda::detail::OwnBit &next) const {
    if (!takes_any && u % 5 == 3 && v % 2 == 1)
      return false; // such a parent is not taken
    parent[v] = u;
    next.set(v);
    depth[v] = round;
    return true;
  }
};

/// The same where any neighbour is taken: what a pull has left need not be asked again.
struct BfsPullAny {
  V *parent;
  std::int32_t *depth;
  static constexpr bool by_arcs = true, first_only = true, first_takes = true;
  __device__ bool wants(V v) const { return parent[v] == gc::none<V>(); }
  __device__ bool operator()(V u, V v, std::int32_t, gc::cuda::detail::OwnBit &next) const {
    parent[v] = u;
    next.set(v);
    return true;
  }
  __device__ void found(V v, std::int32_t round) const { depth[v] = round; }
};
/// And a push that claims by the target's bit in the next frontier, where that is a bitmap.
struct ClaimingPush {
  static constexpr bool round_independent = true, claim_activates = true;
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t round, Next &next) const {
    if (next.claim(v, parent[v], gc::none<V>(), u)) {
      depth[v] = round;
      next.push(v);
    }
  }
};

void check_taking_any(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, V root,
                      gc::cuda::Direction direction) {
  check_search(graph, device, root, any_parent, [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
    gc::cuda::Rounds rounds;
    rounds.direction = direction;
    frontier.propagate(ClaimingPush{parent, depth}, BfsPullAny{parent, depth}, gc::cuda::NoKernel(), rounds);
  });
}

TEST(Frontier, BreadthFirstSearchInAllDirections) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    for (const gc::cuda::Direction direction : {gc::cuda::Direction::push, gc::cuda::Direction::pull,
                                                gc::cuda::Direction::hybrid, gc::cuda::Direction::growth})
      check_search(graph, device, graph.n > 7 ? 7 : 0, any_parent,
                   [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
                     gc::cuda::Rounds rounds;
                     rounds.direction = direction;
                     frontier.propagate(BfsPush{parent, depth}, BfsPull{device.view(), parent, depth},
                                        gc::cuda::NoKernel(), rounds);
                   });
  });
}

TEST(Frontier, PullsTakeAnyNeighbour) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    emulation::seed(seed);
    on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
      for (const auto direction : {gc::cuda::Direction::push, gc::cuda::Direction::pull, gc::cuda::Direction::hybrid})
        check_taking_any(graph, device, graph.n > 7 ? 7 : 0, direction);
    });
  }
}

/// Searches under several seeds; look(frontier) after round `stop`.
template <class Push = BfsPush, class Look>
void check_search_under_seeds(const SmallGraph<V> &graph, V root, gc::cuda::Direction direction, std::int32_t stop,
                              Look look) {
  const gc::cuda::Graph<V> device(graph.graph, weighted());
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    emulation::seed(seed);
    check_search(
        graph.graph, device, root, any_parent, [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
          gc::cuda::Rounds rounds;
          rounds.direction = direction;
          const auto go_on = [&] {
            frontier.propagate(Push{parent, depth}, BfsPullFirst{parent, depth, true}, gc::cuda::NoKernel(), rounds);
          };
          rounds.last = stop;
          go_on();
          look(frontier);
          rounds.first = stop + 1;
          rounds.last = std::numeric_limits<std::int32_t>::max();
          go_on();
        });
  }
}

// A hub's long list keeps its round in the kernel of the grid. A push leaves a bitmap where a pull is to follow.
TEST(Frontier, PushesLeaveABitmapForAPull) {
  constexpr V n = 3000, root = n;
  std::vector<std::tuple<V, V, std::int32_t>> edges = {{root, 0, 1}};
  for (V v = 1; v <= 400; ++v)
    edges.push_back({0, v, 1});
  for (V v = 1; v < n; ++v)
    for (V k = 1; k <= 5; ++k)
      edges.push_back({v, v * k * 7919 % n, 1});
  const SmallGraph<V> graph(n + 1, edges, true);
  using Frontier = gc::cuda::Frontier<V>;
  const auto check = [&](auto push) {
    using Push = decltype(push);
    check_search_under_seeds<Push>(graph, root, gc::cuda::Direction::hybrid, 2, [](const Frontier &frontier) {
      EXPECT_TRUE(frontier.is_bitmap() && !frontier.has_pulled());
    });
    check_search_under_seeds<Push>(graph, root, gc::cuda::Direction::hybrid, 3,
                                   [](const Frontier &frontier) { EXPECT_TRUE(frontier.has_pulled()); });
  };
  check(BfsPush{});
  check(ClaimingPush{});
}

// Where a push finds fewer than it was thought to, no pull follows: the bitmap becomes a list. Here 100 vertices have
// arcs to each other and to five new ones; most arcs of the graph are out of reach.
TEST(Frontier, PushesFollowABitmapToo) {
  constexpr V n = 3000, reached = 200;
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V v = 1; v <= 100; ++v) {
    edges.push_back({0, v, 1});
    for (V k = 1; k <= 105; ++k)
      edges.push_back({v, k, 1});
  }
  for (V v = 101; v <= 105; ++v)
    for (V k = 110 + v % 5; k < reached; k += 5)
      edges.push_back({v, k, 1});
  for (V v = reached; v < n; ++v)
    for (V k = 1; k <= 215; ++k)
      edges.push_back({v, reached + (v + k * 13) % (n - reached), 1});
  const SmallGraph<V> graph(n, edges, true);
  using Frontier = gc::cuda::Frontier<V>;
  const auto check = [&](auto push) {
    using Push = decltype(push);
    check_search_under_seeds<Push>(graph, 0, gc::cuda::Direction::hybrid, 2, [](const Frontier &frontier) {
      EXPECT_TRUE(frontier.is_bitmap() && !frontier.has_pulled());
    });
    check_search_under_seeds<Push>(graph, 0, gc::cuda::Direction::hybrid, 3, [](const Frontier &frontier) {
      EXPECT_FALSE(frontier.is_bitmap() || frontier.has_pulled());
    });
  };
  check(BfsPush{});
  check(ClaimingPush{});
}

/// A tree with its root at vertex 0.
struct Tree {
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  V n = 1;

  /// As many children of each of these; all children.
  std::vector<V> grow(const std::vector<V> &from, V each) {
    std::vector<V> grown;
    for (const V u : from)
      for (V k = 0; k < each; ++k) {
        edges.push_back({u, n, 1});
        grown.push_back(n++);
      }
    return grown;
  }
  /// A path on from each of these; their ends.
  std::vector<V> lengthen(std::vector<V> ends, int steps) {
    for (int step = 0; step < steps; ++step)
      ends = grow(ends, 1);
    return ends;
  }
  /// Searches it, with pushes that need order between rounds and with others.
  void check() const {
    const SmallGraph<V> graph(n, edges, true);
    check_search_under_seeds<BfsPush>(graph, 0, gc::cuda::Direction::push, 40, [](auto &) {});
    check_search_under_seeds<SettledPush>(graph, 0, gc::cuda::Direction::push, 40, [](auto &) {});
    check_search_under_seeds<ClaimingPush>(graph, 0, gc::cuda::Direction::push, 40, [](auto &) {});
  }
};

// What one block has found is in its own memory, until it is too much for one. In a cluster: of one root's tree all is
// found by one block at first. In blocks on all multiprocessors: hundreds of paths, of which one ends in such a tree.
TEST(Frontier, BlocksShareOutWhatOneHasFound) {
  Tree tree;
  std::vector<V> level = {0};
  for (int depth = 0; depth < 4; ++depth)
    level = tree.grow(level, 7);
  tree.check();

  Tree paths;
  level = paths.lengthen(paths.grow(paths.grow(paths.grow({0}, 10), 30), 3), 14);
  paths.grow(paths.grow(paths.grow({level[432]}, 60), 30), 2);
  paths.check();
}

// Hundreds of paths: even rounds of few vertices. A tree on one of them makes rounds uneven, and one on another grows
// too much for few blocks; then there are the paths alone again.
TEST(Frontier, SmallFrontiersComeBack) {
  Tree tree;
  std::vector<V> level = tree.lengthen(tree.grow(tree.grow({0}, 30), 30), 12);
  tree.grow(tree.grow({level[17]}, 40), 15);
  level = tree.lengthen(level, 6);
  tree.grow(tree.grow({level[432]}, 60), 50);
  tree.lengthen(level, 30);
  tree.check();
}

using GridBlocks = gc::cuda::detail::GridBlocks<V>;
using gc::cuda::detail::SmallPart;

/// What a block has found in a round: anything.
__device__ SmallPart found_by(unsigned block, unsigned round) {
  const std::uint32_t x = (block + 1) * 2654435761U ^ (round + 1) * 40503U;
  return {x * 2246822519U, x % 5 == 0};
}

__global__ void meet_kernel(GridBlocks::View view, unsigned rounds, unsigned *wrong) {
  GCOMPILE_CUDA_SHARED(GridBlocks::Memory, memory);
  GridBlocks medium(view, memory);
  for (unsigned round = 0; round < rounds; ++round) {
    const gc::cuda::Order order = round % 4 == 1 ? gc::cuda::Order::release_acquire : gc::cuda::Order::relaxed;
    __syncthreads();
    medium.post(found_by(blockIdx.x, round), order);
    const gc::cuda::detail::SmallSum sum = medium.settle(order);
    std::uint32_t size = 0, arcs = 0;
    bool grown = false, uneven = false;
    for (unsigned block = 0; block < gridDim.x; ++block) {
      const SmallPart part = found_by(block, round);
      size += part.size();
      arcs += gc::cuda::detail::SmallTally::arcs(part.tally);
      grown = grown || part.grown;
      uneven = uneven || part.steps(GridBlocks::threads) > GridBlocks::most_steps;
    }
    if (sum.size != size || sum.arcs != arcs || sum.grown != grown || sum.uneven != uneven)
      atomicAdd(wrong, 1u);
  }
}

// The words at which blocks meet are never reset, and overflow.
TEST(Frontier, BlocksMeetAtWordsThatOnlyGrow) {
  gc::cuda::Buffer<gc::cuda::detail::MeetingPoints> meeting(1);
  gc::cuda::Buffer<SmallPart> inbox(2 * GridBlocks::most_blocks);
  gc::cuda::Cell<unsigned> wrong(0);
  for (std::uint64_t seed = 1; seed < 3; ++seed) {
    emulation::seed(seed);
    meeting.clear_bytes();
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE(meet_kernel, gc::cuda::detail::resident_blocks(meet_kernel, GridBlocks::threads),
                                     GridBlocks::threads, GridBlocks::View{nullptr, inbox.data(), meeting.data()},
                                     1500U, wrong.data());
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  }
  EXPECT_EQ(wrong.read(), 0U);
}

/// A search that only pulls, by BfsPullFirst.
void check_first_only(const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device, V root) {
  const auto takes = [](V u, V v) { return u % 5 != 3 || v % 2 == 0; };
  check_search(graph, device, root, takes, [](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
    gc::cuda::Rounds rounds;
    rounds.direction = gc::cuda::Direction::pull;
    frontier.propagate(gc::cuda::NoKernel(), BfsPullFirst{parent, depth, false}, gc::cuda::NoKernel(), rounds);
  });
}

/// The four that the list of v begins with, or where degrees are uneven, the five of the highest among the first 64.
void expect_candidates(const gc::Graph<V> &graph, const gc::cuda::detail::PullCandidatesView<V> &first, V v) {
  std::vector<V> expected, got;
  for (const V u : graph.in_neighbors(v))
    expected.push_back(u);
  if (first.best && first.best[v] != gc::none<V>())
    got.push_back(first.best[v]);
  for (const V u : first.lists[v].u)
    if (u != gc::none<V>())
      got.push_back(u);
  const auto most = [](std::vector<V> &list, std::size_t count) { list.resize(std::min(list.size(), count)); };
  if (!first.begin_lists()) {
    most(expected, 64);
    // Of equal degrees, any may stand there.
    for (V &u : expected)
      u = static_cast<V>(graph.out_degree(u));
    for (V &u : got)
      u = static_cast<V>(graph.out_degree(u));
    std::sort(expected.begin(), expected.end(), std::greater<>());
  }
  most(expected, first.best ? 5 : 4);
  EXPECT_EQ(got, expected);
}

TEST(Frontier, PullsSoonerWherePushesGoToMemoryAndEachVertexHasABestSource) {
  const auto alpha_of = [](V n, V hub_arcs, V arcs_of_others) {
    std::vector<ArcId> offsets(n + 1);
    std::vector<V> targets;
    for (V v = 0; v < n; ++v) {
      const V last = static_cast<V>(v == 0 ? hub_arcs : arcs_of_others);
      for (V u = 1; u <= last; ++u)
        targets.push_back((v + u) % n);
      offsets[v + 1] = targets.size();
    }
    std::sort(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(offsets[1]));
    gc::Graph<V> graph;
    graph.n = n;
    graph.is_directed = false;
    graph.out_offsets = graph.in_offsets = offsets.data();
    graph.out_targets = graph.in_sources = targets.data();
    graph.edges = static_cast<std::int64_t>(targets.size());
    return gc::cuda::alpha_beyond_cache(gc::cuda::Graph<V>(graph, gc::ProgramInfo()), 15);
  };
  const auto held = static_cast<V>(gc::cuda::second_level_cache() / sizeof(V));
  EXPECT_EQ(alpha_of(held + 1, 5000, 0), 30);
  EXPECT_EQ(alpha_of(held, 5000, 0), 15) << "the cache holds what is written";
  EXPECT_EQ(alpha_of(held + 1, 1, 1), 15) << "degrees are even";
}

TEST(Frontier, PullsAskTheCandidatesOfEach) {
  std::set<bool> kinds;
  on_all_graphs([&](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &device) {
    const gc::cuda::detail::PullCandidatesView<V> first = gc::cuda::detail::candidates_of(device);
    ASSERT_NE(first.lists, nullptr);
    std::uint64_t most = 0;
    for (V v = 0; v < graph.n; ++v)
      most = std::max<std::uint64_t>(most, graph.out_degree(v));
    EXPECT_EQ(first.begin_lists(), gc::cuda::are_even(most, graph.n, graph.num_arcs()));
    kinds.insert(first.begin_lists());
    gc::cuda::synchronize();
    for (V v = 0; v < graph.n; ++v) {
      const gc::Span<V> list = graph.in_neighbors(v);
      EXPECT_EQ(first.any[v / 32] >> (v % 32) & 1, !list.empty());
      EXPECT_EQ(first.more[v / 32] >> (v % 32) & 1, list.size() > 1);
      expect_candidates(graph, first, v);
    }
    const V root = graph.n > 7 ? 7 : 0;
    check_first_only(graph, device, root);
  });
  EXPECT_EQ(kinds.size(), 2U);
  // A hub, whose list whole blocks walk, and whose only active source is far behind the first ones.
  constexpr V n = 40 * gc::cuda::block_threads;
  static_assert(n - 1 > gc::cuda::detail::pull_hub_degree + 4, "a list that is left to blocks");
  std::vector<std::tuple<V, V, std::int32_t>> edges;
  for (V u = 1; u < n; ++u)
    edges.push_back({u, 0, 1});
  for (V v = 1; v < 60; v += 9)
    edges.push_back({0, v, 1});
  for (V v = n / 2; v < n / 2 + n / 50; ++v) // look in vain, too many for a list
    edges.push_back({v, v + 1, 1});
  const SmallGraph<V> star(n, edges, true);
  const gc::cuda::Graph<V> device(star.graph, weighted());
  check_first_only(star.graph, device, n - 256);
  // A block has found the hub: the pulls after that leave it alone, though its sources become active.
  check_taking_any(star.graph, device, n - 256, gc::cuda::Direction::pull);
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
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t round, Next &next) const {
    claim_shared(parent, depth, times, u, v, round, next);
  }
  template <class Next> __device__ void operator()(V u, std::int32_t round, Next &next) const {
    for (ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
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
    if (graph.num_arcs() < 4 * ArcId(graph.n))
      return; // many rounds of few vertices
    check_search(graph, device, graph.n > 7 ? 7 : 0, any_parent,
                 [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
                   gc::cuda::Rounds rounds;
                   rounds.direction = direction;
                   const SharedPush<warp, history, how, whole> push = {device.view(), parent, depth, times};
                   for (rounds.first = 1; !frontier.empty(); ++rounds.first) {
                     if (counts)
                       rounds.last = rounds.first;
                     frontier.propagate(push, BfsPull{device.view(), parent, depth}, gc::cuda::NoKernel(), rounds);
                     entries.all += frontier.size();
                     entries.copies += frontier.copies();
                   }
                 });
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

} // namespace
