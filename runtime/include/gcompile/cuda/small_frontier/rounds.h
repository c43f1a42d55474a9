// The rounds of a small frontier: while the frontier is small, few blocks go on alone, each with the part of it that it
// has found itself, until one has too much: then they share it out. It goes back to the list in memory when it has
// grown.
#ifndef GCOMPILE_CUDA_SMALL_FRONTIER_ROUNDS_H
#define GCOMPILE_CUDA_SMALL_FRONTIER_ROUNDS_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/small_frontier/blocks.h>
#include <gcompile/cuda/small_frontier/next.h>

namespace gc {
namespace cuda {
namespace detail {

/// The rounds. Every thread carries the same state.
template <class V, class Medium> class SmallRun {
public:
  __device__ SmallRun(Propagation<V> &propagation, Medium &medium, SmallPart (&parts)[3])
      : p_(propagation), s_(propagation.s), medium_(medium), parts_(parts) {}

  /// The frontier of the start, all of whose lists of arcs are short.
  __device__ void load() {
    if (threadIdx.x < 3)
      parts_[threadIdx.x] = {0, 0};
    __syncthreads();
    SmallNext<V> next = this->next();
    for (std::uint32_t first = rank(); first < s_.size; first += medium_.size()) {
      if (first + lane_of_warp() < s_.size)
        next.push(s_.listed ? p_.f.items[s_.first + first + lane_of_warp()] : p_.f.root);
      next.collect();
    }
    s_.listed = 1;
    p_.end_phase();
    meet(Order::release_acquire, [] {});
  }

  /// Whether a part had no room for what its block has found, or been given.
  __device__ bool has_grown() const { return grown_; }
  /// Whether the frontier stays here.
  __device__ bool stays() const { return !grown_ && s_.arcs <= 2 * most() && s_.size <= 2 * most(); }

  template <class Push> __device__ void push_round(const Push &push) {
    if (p_.f.levels && medium_.rank() == 0)
      p_.f.levels[s_.levels] = {s_.first, s_.size, s_.arcs};
    SmallNext<V> next = this->next();
    walk(push, next);
    p_.end_round();
    // Where the push reads nothing that changes, the words at which blocks meet say all that they must know now. What
    // they have stored is seen after the next sync(), or at the kernel's end: the threads of a block meet before the
    // one that releases it arrives, and a release covers all that has come to it before.
    meet(RoundIndependent<Push>::value ? Order::relaxed : Order::release_acquire, [&] { next.look_ahead(push); });
  }

  /// For each vertex of a frontier that stays.
  template <class Commit> __device__ void commit_round(const Commit &commit) {
    for (std::uint32_t i = threadIdx.x; i < parts_[last_turn()].size(); i += blockDim.x)
      commit(list()[i].v, s_.round);
    medium_.sync();
  }

  /// Puts the frontier into the list in memory, where some of it may be already.
  __device__ void leave() {
    const Queue<V> list = {p_.f.items + s_.first, p_.f.before + s_.first, &last_counts_->tally};
    const std::uint32_t kept = parts_[last_turn()].size();
    if (threadIdx.x == 0 && parts_[last_turn()].grown > 1)
      gc::store(last_counts_->has_long, 1ull);
    for (std::uint32_t first = threadIdx.x / 32 * 32; first < kept; first += blockDim.x) {
      const std::uint32_t i = first + lane_of_warp();
      list.append_warp(p_.f.graph, i < kept, i < kept ? this->list()[i].v : V(0));
    }
    medium_.sync();
    p_.take_list(*last_counts_);
    s_.has_long = gc::load(last_counts_->has_long) != 0;
  }

private:
  __device__ ArcId most() const { return Medium::most_arcs(medium_.blocks()); }
  /// The first lane of this warp, counted so that neighbouring warps are on different multiprocessors.
  __device__ std::uint32_t rank() const { return (threadIdx.x / 32 * medium_.blocks() + blockIdx.x) * 32; }
  __device__ unsigned last_turn() const { return turn_ == 0 ? 2 : turn_ - 1; }
  /// This block's part of the frontier.
  __device__ SmallItem<V> *list() const { return medium_.lists().items[which_]; }

  __device__ SmallNext<V> next() {
    if (threadIdx.x == 0)
      parts_[turn_ == 2 ? 0 : turn_ + 1] = {0, 0};
    last_counts_ = &p_.counts(); // all are 0 before something goes to the list in memory, which ends these rounds
    const std::uint64_t first = s_.listed ? p_.first_of_next() : s_.first;
    return SmallNext<V>(p_.f.graph, medium_.lists(), 1 - which_, parts_[turn_],
                        {p_.f.items + first, p_.f.before + first, &last_counts_->tally}, p_.f.queued[1 - s_.current]);
  }

  /// All blocks have found their part: what there is now. meanwhile() runs while they wait for each other.
  template <class Meanwhile> __device__ void meet(Order order, Meanwhile meanwhile) {
    __syncthreads();
    medium_.post(parts_[turn_], order);
    meanwhile();
    const SmallSum sum = medium_.settle(order);
    s_.previous_arcs = s_.arcs;
    s_.size = sum.size;
    s_.arcs = sum.arcs;
    s_.bits = s_.unvisited = s_.unvisited_listed = s_.pulled = 0;
    grown_ = sum.grown;
    uneven_ = sum.uneven;
    turn_ = turn_ == 2 ? 0 : turn_ + 1;
    which_ = 1 - which_;
  }

  /// Where each block's part begins among all. Each lane adds up two blocks.
  __device__ void place_parts() {
    std::uint64_t sums[2] = {0, 0};
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned block = 2 * lane_of_warp() + k;
      if (block >= medium_.blocks())
        continue;
      const SmallPart found = medium_.found(block);
      sums[k] = std::uint64_t(SmallTally::arcs(found.tally)) << 32 | found.size();
    }
    before_second_ = warp_prefix_sum(sums[0] + sums[1]) - sums[1];
    before_first_ = before_second_ - sums[0];
  }

  /// Each block its own part, which is in its shared memory; if one has too much, all of them what all have.
  template <class Push> __device__ void walk(const Push &push, SmallNext<V> &next) {
    const SmallPart &part = parts_[last_turn()];
    if (uneven_)
      medium_.share(which_, part);
    if (uneven_ || p_.f.levels)
      place_parts();
    if (uneven_) {
      const auto at = [&](std::uint32_t i) { return shared_item(i); };
      return walk_items(push, next, s_.size, s_.arcs, rank(), medium_.size(), at);
    }
    const std::uint64_t before = shuffled(blockIdx.x % 2 == 0 ? before_first_ : before_second_, blockIdx.x / 2);
    const SmallLists<V> &lists = medium_.lists();
    const auto at = [&](std::uint32_t i) {
      const SmallItem<V> item = i < part.size() ? list()[i] : SmallItem<V>{0, 0};
      return Place{item, static_cast<std::uint32_t>(before) + i, before >> 32, lists.targets_of(which_, i)};
    };
    walk_items(push, next, part.size(), SmallTally::arcs(part.tally), threadIdx.x / 32 * 32, blockDim.x, at);
  }

  /// A vertex of the frontier: which of all it is, the arcs before those of its block, and its first targets if they
  /// are noted.
  struct Place {
    SmallItem<V> item;
    std::uint32_t index;
    ArcId before;
    const V *targets;
  };

  /// Vertex i of all; a warp calls.
  __device__ Place shared_item(std::uint32_t i) const {
    // Which block has it: the last with no more vertices before its own.
    unsigned owner = 0;
    for (unsigned half = 16; half > 0; half /= 2)
      if (shuffled(static_cast<std::uint32_t>(before_first_), owner + half) <= i)
        owner += half;
    const std::uint64_t first = shuffled(before_first_, owner), second = shuffled(before_second_, owner);
    const bool in_second = static_cast<std::uint32_t>(second) <= i;
    const std::uint64_t before = in_second ? second : first;
    Place place = {{0, 0}, i, before >> 32, nullptr};
    if (i < s_.size)
      place.item = medium_.item(which_, 2 * owner + (in_second ? 1 : 0), i - static_cast<std::uint32_t>(before));
    return place;
  }

  /// The arcs of `size` vertices at(i), by every `step`-th thread from `rank` on.
  template <class Push, class At>
  __device__ void walk_items(const Push &push, SmallNext<V> &next, std::uint32_t size, ArcId arcs, std::uint32_t rank,
                             std::uint32_t step, const At &at) {
    const gc::Graph<V> &graph = p_.f.graph;
    // As many neighbouring lanes for each vertex as it has arcs on average.
    unsigned shift = 0;
    while (shift < 5 && size << shift < arcs)
      ++shift;
    const unsigned lane = lane_of_warp(), part = lane & ((1u << shift) - 1);
    for (std::uint32_t first = rank; first < size << shift; first += step) {
      const std::uint32_t i = (first + lane) >> shift;
      const Place place = at(i);
      const SmallItem<V> &item = place.item;
      const std::uint32_t count = i < size ? item.own() : 0;
      if (i < size && part == 0)
        note(place.index, item.v, place.before + item.before());
      for (std::uint32_t k = part; __any_sync(full_warp, k < count); k += 1u << shift) {
        if (k < count) {
          const ArcId arc = item.first() + k;
          const V v = place.targets && k < FirstTargets<V>::count ? place.targets[k] : graph.target(arc);
          next.expect(v);
          push(item.v, v, edge_of(push, graph, arc), s_.round, next);
        }
        next.collect();
      }
    }
  }

  template <class T> __device__ static T shuffled(T value, unsigned lane) {
    return __shfl_sync(full_warp, value, static_cast<int>(lane));
  }

  /// Each vertex of the frontier once a round.
  __device__ void note(std::uint32_t i, V u, ArcId before) const {
    if (p_.f.levels) {
      p_.f.items[s_.first + i] = u;
      p_.f.before[s_.first + i] = before;
    }
    if (p_.f.rounds.once)
      p_.f.queued[s_.current][u / 32] = 0;
  }

  Propagation<V> &p_;
  FrontierState &s_;
  Medium &medium_;
  SmallPart (&parts_)[3]; // of this block: of this round, of the last, and one being cleared
  // Vertices before the two blocks that this lane adds up; in the higher half their arcs. Only where they are needed.
  std::uint64_t before_first_ = 0, before_second_ = 0;
  PhaseCounts *last_counts_ = nullptr;
  bool grown_ = false, uneven_ = false;
  unsigned which_ = 0, turn_ = 0;
};

template <class V, class Medium, class Push, class Commit>
__global__ void __launch_bounds__(Medium::threads, 1)
    small_frontier_kernel(FrontierView<V> f, typename Medium::View view, Push push, Commit commit) {
  constexpr bool commits = !std::is_same<Commit, NoKernel>::value;
  GCOMPILE_CUDA_SHARED(typename Medium::Memory, memory);
  GCOMPILE_CUDA_SHARED(SmallParts, parts);
  FrontierState state = f.start;
  state.small_rounds = 0;
  Propagation<V> p(f, state);
  Medium medium(view, memory);
  SmallRun<V, Medium> run(p, medium, parts.of_turn);
  run.load();
  if (run.has_grown()) { // the list in memory is whole
    if (medium.rank() == 0) {
      *f.state = f.start;
      f.state->small_rounds = 0;
      f.state->turn = state.turn; // what has been counted so far is not wanted
    }
    return;
  }
  bool due = false; // a commit, once the list is whole
  while (p.goes_on() && run.stays() && !p.decide()) {
    run.push_round(push);
    due = commits && !run.stays();
    if (due)
      break;
    if constexpr (commits)
      run.commit_round(commit);
    ++state.round;
  }
  run.leave();
  if constexpr (commits) {
    if (due) {
      p.commit_list(medium, commit);
      ++state.round;
    }
  }
  if (medium.rank() == 0)
    *f.state = state;
}

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
