// How lists are gathered, and the phases of rounds that push, under the emulation.
#include "test/cuda/searches.h"

#include <set>

namespace {

using gc::cuda::Direction;
using gc::cuda::Gather;
using gc::cuda::Phases;

/// On the device, with lists of edges, or with room for some or none.
gc::cuda::Graph<V> with_edge_lists(const gc::Graph<V> &graph) {
  gc::ProgramInfo info = weighted();
  info.edge_lists = 2;
  info.edge_lists_number = true;
  return {graph, info};
}

/// Counts the visits of each arc, and lists where it leads.
template <Gather how, Phases in> struct CountVisits {
  static constexpr Gather gather = how;
  static constexpr Phases phases = in;
  static constexpr bool names_edges = true;
  static constexpr ArcId few_edges = 100;
  std::uint32_t *visits;
  V *source;
  template <class Next> __device__ void operator()(V u, V, ArcId e, std::int32_t, Next &) const {
    atomicAdd(&visits[e], 1u);
    gc::store(source[e], u);
  }
};

template <Gather how, Phases in = Phases::expand_contract> void visits_each_arc_once() {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &) {
    const gc::cuda::Graph<V> device = with_edge_lists(graph);
    gc::cuda::Property<std::uint32_t> visits(graph.num_arcs());
    gc::cuda::Property<V> source(graph.num_arcs());
    if (graph.num_arcs() > 0) {
      ASSERT_EQ(cudaMemset(visits.data(), 0, graph.num_arcs() * sizeof(std::uint32_t)), cudaSuccess);
    }
    gc::cuda::Frontier<V> frontier(device);
    frontier.start_all();
    frontier.propagate(CountVisits<how, in>{visits.data(), source.data()}, gc::cuda::NoKernel(), gc::cuda::NoKernel(),
                       gc::cuda::Rounds());
    EXPECT_TRUE(frontier.empty());
    EXPECT_EQ(contents(visits), std::vector<std::uint32_t>(graph.num_arcs(), 1));
    const std::vector<V> sources = contents(source);
    for (V u = 0; u < graph.n; ++u)
      for (ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
        ASSERT_EQ(sources[e], u);
  });
}

TEST(Phases, EachFormOfGatherVisitsEachArcOnce) {
  visits_each_arc_once<Gather::warp>();
  visits_each_arc_once<Gather::cta>();
  visits_each_arc_once<Gather::scan>();
  visits_each_arc_once<Gather::scan_warp_cta>();
  visits_each_arc_once<Gather::block_scan>();
  visits_each_arc_once<Gather::block_scan_warp_cta>();
}

TEST(Phases, EachFormOfGatherListsEachArcOnce) {
  visits_each_arc_once<Gather::warp, Phases::two_phase>();
  visits_each_arc_once<Gather::cta, Phases::contract_expand>();
  visits_each_arc_once<Gather::scan, Phases::hybrid>();
  visits_each_arc_once<Gather::scan_warp_cta, Phases::two_phase>();
  visits_each_arc_once<Gather::block_scan, Phases::contract_expand>();
  visits_each_arc_once<Gather::block_scan_warp_cta, Phases::two_phase>();
}

/// A search; `marks` asks a bitmap first.
template <Phases in, Gather how, bool marks> struct Search {
  static constexpr Phases phases = in;
  static constexpr Gather gather = how;
  static constexpr bool marks_claims = marks;
  static constexpr ArcId few_edges = 100;
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ bool wins(V u, V v, Next &next) const {
    if constexpr (marks)
      return next.claim(v, parent[v], gc::none<V>(), u);
    else
      return next.claim(parent[v], gc::none<V>(), u);
  }
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t, Next &next) const {
    if (wins(u, v, next)) {
      gc::store(depth[v], gc::load(depth[u]) + 1);
      next.push(v);
    }
  }
};

/// One that claims without atomic operations; each winner is pushed `times` times.
template <Phases in, Gather how, unsigned warp, unsigned history, unsigned times> struct SharedSearch {
  static constexpr Phases phases = in;
  static constexpr Gather gather = how;
  static constexpr unsigned warp_cull = warp, history_cull = history;
  static constexpr ArcId few_edges = 100;
  V *parent;
  std::int32_t *depth;
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t round, Next &next) const {
    claim_shared(parent, depth, times, u, v, round, next);
  }
};

/// All rounds in one kernel, and each in one of its own, with room for all edges, and less.
template <class Push> void search(Direction direction = Direction::push) {
  std::set<bool> roomy;
  on_all_graphs([&](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &) {
    const gc::cuda::Graph<V> device = with_edge_lists(graph);
    if (graph.num_arcs() > 1000)
      roomy.insert(device.edge_room() == graph.num_arcs());
    for (const bool single : {false, true}) {
      if (single && graph.num_arcs() < ArcId(graph.n))
        continue; // many rounds of few vertices
      check_search(graph, device, graph.n > 7 ? 7 : 0, any_parent,
                   [&](gc::cuda::Frontier<V> &frontier, V *parent, std::int32_t *depth) {
                     gc::cuda::Rounds rounds;
                     rounds.direction = direction;
                     for (; !frontier.empty(); ++rounds.first) {
                       if (single)
                         rounds.last = rounds.first;
                       frontier.propagate(Push{parent, depth}, BfsPull{device.view(), parent, depth},
                                          gc::cuda::NoKernel(), rounds);
                     }
                   });
    }
  });
  EXPECT_EQ(roomy.size(), 2U);
}

TEST(Phases, Searches) {
  search<Search<Phases::two_phase, Gather::scan, false>>();
  search<Search<Phases::contract_expand, Gather::scan, false>>();
  search<Search<Phases::hybrid, Gather::block_scan_warp_cta, false>>();
  search<Search<Phases::contract_expand, Gather::warp, true>>();
  search<Search<Phases::hybrid, Gather::scan, true>>();
}

// A pull wants a bitmap of the vertices in the frontier, of which there may be nothing but edges.
TEST(Phases, SearchesThatPullAsWell) {
  search<Search<Phases::two_phase, Gather::scan, false>>(Direction::hybrid);
  search<Search<Phases::contract_expand, Gather::scan, false>>(Direction::hybrid);
  search<Search<Phases::hybrid, Gather::cta, true>>(Direction::growth);
}

TEST(Phases, SharedClaimsAndCulling) {
  search<SharedSearch<Phases::two_phase, Gather::scan, 128, 1024, 1>>();
  search<SharedSearch<Phases::contract_expand, Gather::scan, 128, 1024, 1>>();
  search<SharedSearch<Phases::hybrid, Gather::warp, 4, 4, 1>>(Direction::hybrid);
  // Copies for which neither list has a place.
  search<SharedSearch<Phases::contract_expand, Gather::scan, 0, 0, 3>>();
  search<SharedSearch<Phases::hybrid, Gather::block_scan, 0, 0, 3>>();
  search<SharedSearch<Phases::two_phase, Gather::scan, 1, 0, 3>>();
}

/// Labels that fall, of which a vertex may get several in a round.
struct Lower {
  static constexpr Phases phases = Phases::two_phase;
  V *label;
  template <class Next> __device__ void operator()(V u, V v, ArcId, std::int32_t, Next &next) const {
    if (gc::atomic_min(label[v], gc::load(label[u])))
      next.push_once(v);
  }
};

TEST(Phases, VerticesThatAreLoweredSeveralTimesInARound) {
  on_all_graphs([](const gc::Graph<V> &graph, const gc::cuda::Graph<V> &) {
    const gc::cuda::Graph<V> device = with_edge_lists(graph);
    std::vector<V> expected(graph.n);
    for (V v = 0; v < graph.n; ++v)
      expected[v] = v;
    gc::cuda::Property<V> label(graph.n);
    ASSERT_EQ(cudaMemcpy(label.data(), expected.data(), graph.n * sizeof(V), cudaMemcpyHostToDevice), cudaSuccess);
    for (bool falls = true; falls;) {
      falls = false;
      for (V u = 0; u < graph.n; ++u)
        for (const V v : graph.out_neighbors(u))
          if (expected[u] < expected[v]) {
            expected[v] = expected[u];
            falls = true;
          }
    }
    gc::cuda::Frontier<V> frontier(device);
    frontier.start_all();
    gc::cuda::Rounds rounds;
    rounds.once = true;
    frontier.propagate(Lower{label.data()}, gc::cuda::NoKernel(), gc::cuda::NoKernel(), rounds);
    EXPECT_EQ(contents(label), expected);
  });
}

} // namespace
