// The frontier of a propagate on the device, and its rounds: those of a small frontier in kernels of their own, all
// others in one cooperative kernel.
#ifndef GCOMPILE_CUDA_FRONTIER_FRONTIER_H
#define GCOMPILE_CUDA_FRONTIER_FRONTIER_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/levels.h>
#include <gcompile/cuda/frontier/rounds.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/pull/candidates.h>
#include <gcompile/cuda/sets/vertex_set.h>
#include <gcompile/cuda/small_frontier/rounds.h>

#include <initializer_list>
#include <utility>

namespace gc {
namespace cuda {

namespace detail {

/// What a block shares, in one piece: a register holds its address.
template <class V, class Push, class Pull> struct PropagateMemory {
  FrontierState state;
  unsigned due; ///< of the team
  OutboxMemory<V> outboxes;
  RoundMemory<Push, Pull> round;
  typename Culling<V, Push>::Memory cull;
};

template <class V, class Push, class Pull, class Commit>
__global__ void __launch_bounds__(team_threads)
    propagate_kernel(FrontierView<V> f, Push push, Pull pull, Commit commit) {
  using Memory = PropagateMemory<V, Push, Pull>;
  GCOMPILE_CUDA_SHARED(Memory, memory);
  FrontierState &state = memory.state;
  if (threadIdx.x == 0)
    memory.due = 0;
  Culling<V, Push>::clear(memory.cull);
  SharedTeam grid(gridDim.x, &f.meeting->grid, memory.due);
  Propagation<V> p(f, state);
  p.start(grid);
  while (p.goes_on())
    run_round<team_threads>(p, grid, push, pull, commit, memory.round, memory.outboxes, memory.cull);
  if (grid.rank() == 0)
    *f.state = state, *f.outcome = state;
}

} // namespace detail

/// The active vertices of a propagate.
template <class V> class Frontier {
public:
  explicit Frontier(const Graph<V> &graph) : graph_(&graph) { graph.expect_candidates(); }

  /// Goes along the arcs of this graph, of as many vertices, from the next start on.
  void follow(const Graph<V> &graph) { graph_ = &graph; }

  /// These vertices, before the first round.
  void start(std::initializer_list<V> from) {
    if (from.size() != 1 || *from.begin() >= graph_->num_vertices())
      return start(VertexSet<V>::of(*graph_, from));
    prepare();
    root_ = *from.begin();
    state_.size = 1;
    state_.arcs = graph_->list_length(root_);
    state_.has_long = state_.arcs > short_list;
  }
  void start(VertexSet<V> from) {
    prepare();
    from_ = std::move(from);
    if (!from_.lists(*graph_))
      from_ = VertexSet<V>::of_items(*graph_, from_.items(), static_cast<std::size_t>(from_.size()));
    state_.size = static_cast<std::uint32_t>(from_.size());
    state_.arcs = from_.arcs();
  }
  void start(const Level<V> &from) {
    start(VertexSet<V>::of_items(*graph_, from.items(), static_cast<std::size_t>(from.size())));
  }
  void start_all() { start(VertexSet<V>::all(*graph_)); }

  bool empty() const { return state_.size == 0; }
  std::size_t size() const { return state_.size; }

  /// The arcs out of it, if a push has made it, the only one of its propagate(); else a guess.
  ArcId arcs() const { return state_.arcs; }
  /// Whether the last round was a pull.
  bool has_pulled() const { return state_.pulled; }
  /// Whether it is a bitmap, and no list.
  bool is_bitmap() const { return state_.bits && !state_.listed; }
  /// Entries of its list beyond one for each vertex, after rounds of a push that claims without atomic operations.
  std::uint64_t copies() const {
    if (!state_.listed || spilled_.size() == 0)
      return 0;
    Buffer<std::uint32_t> members((static_cast<std::size_t>(graph_->num_vertices()) + 31) / 32);
    members.clear_bytes();
    Cell<unsigned long long> count(0);
    GCOMPILE_CUDA_LAUNCH((detail::count_copies_kernel<V>), blocks_for(state_.size), block_threads,
                         items_.data() + state_.first, std::uint64_t(state_.size), members.data(), count.data());
    check(cudaGetLastError(), "cannot start a kernel");
    return count.read();
  }

  /// Runs rounds until the frontier is empty or `rounds.last` has been run. `levels`, where not null, gets the frontier
  /// before each round.
  template <class Push, class Pull, class Commit>
  void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds,
                 Levels<V> *levels = nullptr) {
    const std::size_t n = graph_->num_vertices();
    state_.round = rounds.first;
    reserve(detail::MarksClaims<Push>::value, detail::Culls<Push>::value || detail::PhasesOf<Push>::lists == 2,
            !levels);
    if constexpr (detail::PhasesOf<Push>::lists_edges)
      reserve_edges(detail::PhasesOf<Push>::lists, detail::NamesEdges<Push>::value);
    if (rounds.once && !queued_clear_) {
      queued_[0].clear_bytes();
      queued_[1].clear_bytes();
    }
    queued_clear_ = true;
    if (detail::MarksClaims<Push>::value && !claimed_clear_) {
      claimed_.clear_bytes();
      claimed_clear_ = true;
    }
    const auto kernel = detail::propagate_kernel<V, Push, Pull, Commit>;
    static const unsigned resident = detail::resident_blocks(kernel);
    const unsigned blocks = std::min(resident, blocks_for((graph_->num_arcs() + n) / 4, 16));
    // The rounds of a small frontier share the arcs out evenly.
    constexpr bool takes_small = !std::is_same<Push, NoKernel>::value && !detail::WholeVertex<Push>::value &&
                                 detail::GatherOf<Push>::value == Gather::scan && !detail::PhasesOf<Push>::lists_edges;
    while (state_.size > 0 && state_.round <= rounds.last) {
      if (!counts_clear_)
        counts_.clear_bytes();
      counts_clear_ = false;
      if (levels)
        levels->make_room();
      copy_start(levels ? levels->items() : items_.data(), levels ? levels->before() : before_.data());
      detail::FrontierView<V> f = view(rounds, levels);
      if constexpr (detail::FirstOnly<Pull>::value)
        if (rounds.direction != Direction::push)
          f.candidates = detail::candidates_of(*graph_);
      if constexpr (takes_small)
        if (rounds.direction != Direction::pull)
          small_rounds(f, push, commit);
      GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::propagate_kernel<V, Push, Pull, Commit>), blocks, team_threads, f, push,
                                       pull, commit);
      check(cudaGetLastError(), "cannot start a kernel");
      synchronize();
      counts_clear_ = true;
      second_counts_ = !second_counts_;
      state_ = *static_cast<const detail::FrontierState *>(outcome_.data());
      if (levels)
        levels->set_size(state_.levels, state_.first + state_.size);
    }
  }

  /// The memory for a kernel that runs the rounds of pushes of its own; whether one marks what it claims, or culls.
  detail::FrontierView<V> lend(bool marks_claims, bool culls) {
    prepare();
    reserve(marks_claims, culls, true);
    counts_.clear_bytes();
    counts_clear_ = false;
    return view(Rounds(), nullptr);
  }

private:
  /// Starts the rounds of a small frontier if the frontier is small. The kernel for all others follows, whatever has
  /// become of it.
  template <class Push, class Commit>
  void small_rounds(detail::FrontierView<V> &f, const Push &push, const Commit &commit) {
    using OnCluster = detail::ClusterBlocks<V>;
    using OnGrid = detail::GridBlocks<V>;
    static const unsigned cluster =
        detail::cluster_blocks(detail::small_frontier_kernel<V, OnCluster, Push, Commit>, OnCluster::threads);
    static const unsigned grid =
        std::min(OnGrid::most_blocks,
                 detail::resident_blocks(detail::small_frontier_kernel<V, OnGrid, Push, Commit>, OnGrid::threads));
    f.small_arcs = OnGrid::most_arcs(grid);
    const ArcId work = std::max<ArcId>(state_.arcs, state_.size);
    f.resumes = !state_.bits && !state_.has_long && work <= f.small_arcs;
    if (!f.resumes)
      return;
    if (work <= OnCluster::most_arcs(cluster)) {
      GCOMPILE_CUDA_LAUNCH_CLUSTER((detail::small_frontier_kernel<V, OnCluster, Push, Commit>), cluster,
                                   OnCluster::threads, f, typename OnCluster::View(), push, commit);
      return;
    }
    small_items_.reserve_discard(2 * OnGrid::most_blocks * detail::small_capacity);
    small_inbox_.reserve_discard(2 * OnGrid::most_blocks);
    const typename OnGrid::View view = {small_items_.data(), small_inbox_.data(), f.meeting};
    GCOMPILE_CUDA_LAUNCH_COOPERATIVE((detail::small_frontier_kernel<V, OnGrid, Push, Commit>), grid, OnGrid::threads, f,
                                     view, push, commit);
    check(cudaGetLastError(), "cannot start a kernel");
  }
  void prepare() {
    const std::size_t n = graph_->num_vertices(), words = (n + 31) / 32;
    for (int i = 0; i < 2; ++i) {
      bits_[i].reserve_discard(words);
      queued_[i].reserve_discard(words);
    }
    unvisited_.reserve_discard(words);
    hubs_.reserve_discard(n + n / detail::sparse_part);
    queued_clear_ = claimed_clear_ = false;
    counts_.reserve_discard(2 * detail::FrontierView<V>::phases);
    state_device_.reserve_discard(1);
    outcome_.reserve(sizeof(detail::FrontierState));
    state_ = {};
    state_.has_long = 1;
    from_ = VertexSet<V>();
  }
  void reserve(bool marks_claims, bool culls, bool lists) {
    const std::size_t n = graph_->num_vertices(), words = (n + 31) / 32;
    if (marks_claims)
      claimed_.reserve_discard(words);
    if (culls && spilled_.size() < words) {
      spilled_ = Buffer<std::uint32_t>(words);
      spilled_.clear_bytes();
    }
    if (lists) {
      items_.reserve_discard(2 * n);
      before_.reserve_discard(2 * n);
    }
  }
  /// As many lists of edges, as long as the graph's plan has room for.
  void reserve_edges(unsigned lists, bool with_numbers) {
    for (unsigned i = 0; i < lists; ++i) {
      edges_[i].reserve_discard(graph_->edge_room());
      if (with_numbers)
        edge_numbers_[i].reserve_discard(graph_->edge_room());
    }
    two_edge_lists_ = lists == 2;
  }
  /// Puts a set to start from into its list, once.
  void copy_start(V *items, ArcId *before) {
    if (state_.bits || state_.listed || state_.edges || from_.size() == 0)
      return;
    state_.listed = 1;
    check(cudaMemcpyAsync(items, from_.items(), state_.size * sizeof(V), cudaMemcpyDeviceToDevice, 0),
          "copy on the device");
    check(cudaMemcpyAsync(before, from_.before(), state_.size * sizeof(ArcId), cudaMemcpyDeviceToDevice, 0),
          "copy on the device");
  }
  detail::FrontierView<V> view(const Rounds &rounds, const Levels<V> *levels) {
    detail::FrontierView<V> f = {};
    f.graph = graph_->view();
    f.arcs = graph_->num_arcs();
    f.items = levels ? levels->items() : items_.data();
    f.before = levels ? levels->before() : before_.data();
    f.room = levels ? levels->room() : items_.size();
    f.levels = levels ? levels->table() : nullptr;
    f.levels_room = levels ? levels->table_room() : 0;
    for (int i = 0; i < 2; ++i) {
      f.bits[i] = bits_[i].data();
      f.queued[i] = queued_[i].data();
    }
    f.unvisited = unvisited_.data();
    f.claimed = claimed_.data();
    f.spilled = spilled_.data();
    f.hubs = hubs_.data();
    f.unvisited_list = hubs_.data() + graph_->num_vertices();
    constexpr unsigned phases = detail::FrontierView<V>::phases;
    f.counts = counts_.data() + (second_counts_ ? phases : 0);
    f.next_counts = counts_.data() + (second_counts_ ? 0 : phases);
    static_assert(sizeof(detail::MeetingPoints) <= sizeof(detail::PhaseCounts), "one of the counts' places");
    f.meeting = reinterpret_cast<detail::MeetingPoints *>(f.counts + phases - 1);
    f.state = state_device_.data();
    f.outcome = static_cast<detail::FrontierState *>(outcome_.data());
    f.rounds = rounds;
    f.start = state_;
    f.root = root_;
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned list = two_edge_lists_ ? i : 0;
      f.edges.edges[i] = edges_[list].data();
      f.edges.numbers[i] = edge_numbers_[list].data();
    }
    f.edges.room = edges_[0].size();
    return f;
  }

  const Graph<V> *graph_;
  detail::FrontierState state_ = {};
  VertexSet<V> from_;
  V root_ = 0;
  Buffer<V> items_, hubs_;
  Buffer<ArcId> before_;
  Buffer<std::uint32_t> bits_[2], queued_[2], unvisited_, claimed_, spilled_;
  bool queued_clear_ = false, claimed_clear_ = false;
  // Of phases, and the meeting points. Two sets take turns: kernels clear the one that the next call has.
  Buffer<detail::PhaseCounts> counts_;
  bool second_counts_ = false, counts_clear_ = false; // which the next call has; whether it is clear
  Buffer<detail::FrontierState> state_device_;
  HostRoom outcome_; // a copy of it would take longer than it does to write it there
  Buffer<detail::ListedEdge<V>> edges_[2];
  Buffer<ArcId> edge_numbers_[2];
  bool two_edge_lists_ = false;
  Buffer<detail::SmallItem<V>> small_items_;
  Buffer<detail::SmallPart> small_inbox_;
};

} // namespace cuda
} // namespace gc

#endif
