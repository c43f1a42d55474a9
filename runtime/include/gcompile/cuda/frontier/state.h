// The state of a propagate, which one round hands to the next, and the traits of pushes and pulls.
#ifndef GCOMPILE_CUDA_FRONTIER_STATE_H
#define GCOMPILE_CUDA_FRONTIER_STATE_H

#include <gcompile/core/graph.h>
#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/graph.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace gc {
namespace cuda {

/// Which end drives the rounds: hybrid and growth choose in each, by the work that is left or by how the frontier
/// grows.
enum class Direction { push, pull, hybrid, growth };

/// Which threads walk the lists of active vertices in a push: a warp or a block each, all threads the same number of
/// arcs, found by the arcs before each vertex, or one of these by the length of each list (Merrill et al. 2012). With a
/// block_scan the threads of a block share the arcs of as many vertices out.
enum class Gather { warp, cta, scan, scan_warp_cta, block_scan, block_scan_warp_cta };

/// How a round that pushes goes through its two phases (Merrill et al. 2012): to expand a frontier of vertices to the
/// edges out of them, and to contract these to the next frontier. expand_contract does both at once. two_phase lists
/// the edges in memory. With contract_expand the frontier between the rounds is such a list. hybrid has this for few
/// edges, and two_phase for many.
enum class Phases { expand_contract, contract_expand, two_phase, hybrid };

/// Stands for a kernel that a propagate does not have.
struct NoKernel {};

/// How a propagate runs.
struct Rounds {
  Direction direction = Direction::push;
  bool once = false; ///< a vertex may be activated several times a round, and enters the frontier once
  double alpha = 15; ///< pull when the arcs out of the frontier exceed the unseen arcs / alpha (Beamer et al. 2012)
  double beta = 18;  ///< push again when fewer than n / beta vertices are active and the frontier shrinks
                     ///< growth has other rules: gc::Frontier::pulls_by_growth (S5)
  std::int32_t first = 1, last = std::numeric_limits<std::int32_t>::max();
};

namespace detail {

/// The blocks that go on without the others while little happens.
constexpr unsigned few_blocks = 32;

/// Rounds in a row after which a small frontier is left to fewer blocks: starting them costs as much as it saves then.
constexpr std::uint32_t patience = 8;

/// A kept frontier: its place in the lists, and the arcs out of its vertices.
struct KeptLevel {
  std::uint64_t first, size;
  ArcId arcs;
};

/// What the rounds carry on. Each block has the same copy.
struct FrontierState {
  std::uint64_t first;               ///< where its list begins
  ArcId arcs, unseen;                ///< out of it, guessed if it is not listed; out of vertices never in it
  ArcId previous_arcs;               ///< a round before
  std::uint64_t visited;             ///< vertices of all frontiers before
  std::uint32_t size, previous_size; ///< now and a round before
  std::uint32_t levels;              ///< kept so far
  std::uint32_t unvisited_left;      ///< vertices that the last pull looked at and did not find
  std::uint32_t unvisited_size;      ///< vertices in the list of those that a pull has to look at
  std::int32_t round;
  std::uint32_t small_rounds;              ///< so many in a row had a small frontier
  std::uint32_t turn : 2, current : 1;     ///< whose counters, and which of two bitmaps, are the frontier's
  std::uint32_t bits : 1, listed : 1;      ///< which of its forms hold it
  std::uint32_t pulled : 1;                ///< what the last round was
  std::uint32_t unvisited : 1;             ///< the bitmap of vertices that a pull has to look at is kept
  std::uint32_t unvisited_listed : 1;      ///< or a list of them, or of more
  std::uint32_t has_long : 1;              ///< a list of its vertices may be long
  std::uint32_t pulling : 1, counting : 1; ///< what the next round is; whether `unseen` is counted
  std::uint32_t clear : 2;                 ///< which of the bitmaps are known to be all zero
  std::uint32_t edges : 1;                 ///< it is a list of edges, those out of its vertices, in neither other form
};

template <class T> __device__ T load_fresh(const T *from) {
  static_assert(sizeof(T) % 8 == 0, "whole words");
  T value = T();
  std::uint64_t words[sizeof(T) / 8];
  for (std::size_t i = 0; i < sizeof(T) / 8; ++i)
    words[i] = gc::load(reinterpret_cast<const std::uint64_t *>(from)[i]);
  memcpy(static_cast<void *>(&value), words, sizeof value);
  return value;
}

/// What the threads count in a phase. Three take turns: of this phase, of the last, and one being cleared.
struct PhaseCounts {
  unsigned long long tally, found, unvisited, hubs, has_long, spilled;
};

/// Where the blocks of the kernels meet; all 0 when they start.
struct MeetingPoints {
  unsigned grid, small;               ///< blocks that have come to a barrier
  unsigned long long small_rounds[3]; ///< and the sums of what they have found, by turns
};

/// Of all vertices, and which have any, and more than one; nullptr: no pull asks them, or memory is short.
template <class V> struct PullCandidatesView {
  const V *best; ///< asked before the others; nullptr: degrees are even
  const PullCandidates<V> *lists;
  const std::uint32_t *any, *more;
  /// Whether they are those that the lists begin with.
  GCOMPILE_HD bool begin_lists() const { return lists && !best; }
};

/// An edge of a frontier that is a list of edges.
template <class V> struct alignas(2 * sizeof(V)) ListedEdge {
  V source, target; ///< none() as the source: a place that has stayed empty
};
/// Lists of edges: two that take turns, or one that each round fills and reads.
template <class V> struct EdgeListsView {
  ListedEdge<V> *edges[2];
  ArcId *numbers[2]; ///< of the edges, for a push that names them
  ArcId room;        ///< of each
};

template <class V> struct FrontierView {
  gc::Graph<V> graph;
  ArcId arcs;
  V *items;           // the lists: two that take turns, or all levels, one after another
  ArcId *before;      // of each list's vertices
  std::uint64_t room; // of both
  KeptLevel *levels;  // nullptr: they are not kept
  std::uint64_t levels_room;
  std::uint32_t *bits[2];
  std::uint32_t *queued[2]; // the members of each list, while it is collected
  std::uint32_t *unvisited;
  std::uint32_t *claimed; // of these vertices it is known that nobody can claim them
  std::uint32_t *spilled; // clear between rounds
  V *hubs, *unvisited_list;
  PullCandidatesView<V> candidates;
  static constexpr unsigned phases = 4; ///< counts of three phases that take turns, and the place of the meeting points
  PhaseCounts *counts;
  PhaseCounts *next_counts; // of the next call, which the kernel clears
  MeetingPoints *meeting;
  FrontierState *state;   // where kernels leave it
  FrontierState *outcome; // in the host's memory, once there are no more rounds
  bool resumes;           // the frontier is that of `state`, else that of `start`
  ArcId small_arcs;       // the arcs of a frontier that is small; 0: none is
  Rounds rounds;
  FrontierState start;
  V root; // the only vertex, if `start` has no form
  EdgeListsView<V> edges;
};

/// The current frontier in a pull.
template <class V> struct CurrentBits {
  const std::uint32_t *words;
  __device__ bool contains(V v) const { return (words[v / 32] >> (v % 32) & 1u) != 0; }
};

/// Takes the one vertex that a thread can activate in a pull.
struct OwnBit {
  bool value = false;
  template <class V> __device__ void set(V) { value = true; }
};

template <class F, class = void> struct GatherOf { static constexpr Gather value = Gather::scan; };
template <class F> struct GatherOf<F, std::void_t<decltype(F::gather)>> { static constexpr Gather value = F::gather; };

/// Of a push whose rounds have phases of their own. `F::few_edges`: what is few for Phases::hybrid. `F::names_edges`:
/// it wants to know the number of an edge.
template <class F, class = void> struct PhasesOf {
  static constexpr Phases value = Phases::expand_contract;
  static constexpr bool lists_edges = false;
  static constexpr unsigned lists = 0;
};
template <class F> struct PhasesOf<F, std::void_t<decltype(F::phases)>> {
  static constexpr Phases value = F::phases;
  static constexpr bool lists_edges = value != Phases::expand_contract;
  static constexpr unsigned lists = !lists_edges ? 0 : value == Phases::two_phase ? 1 : 2;
};
template <class F, class = void> struct FewEdges { static constexpr ArcId value = 0; };
template <class F> struct FewEdges<F, std::void_t<decltype(F::few_edges)>> {
  static constexpr ArcId value = F::few_edges;
};
template <class F, class = void> struct NamesEdges { static constexpr bool value = false; };
template <class F> struct NamesEdges<F, std::void_t<decltype(F::names_edges)>> {
  static constexpr bool value = F::names_edges;
};

template <class F, class = void> struct MarksClaims { static constexpr bool value = false; };
template <class F> struct MarksClaims<F, std::void_t<decltype(F::marks_claims)>> {
  static constexpr bool value = F::marks_claims;
};

/// A push that activates a target exactly by winning its only claim, of the target's own element: next.claim(v, ...).
template <class F, class = void> struct ClaimActivates { static constexpr bool value = false; };
template <class F> struct ClaimActivates<F, std::void_t<decltype(F::claim_activates)>> {
  static constexpr bool value = F::claim_activates;
};

/// A push that reads nothing that any push of its propagate() writes, but for what it claims or updates by an atomic
/// operation. There is no commit then, no levels are kept, and no vertex is activated twice in a round.
template <class F, class = void> struct RoundIndependent { static constexpr bool value = false; };
template <class F> struct RoundIndependent<F, std::void_t<decltype(F::round_independent)>> {
  static constexpr bool value = F::round_independent;
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
