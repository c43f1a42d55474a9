// Narrow rounds: while the frontier is small, few blocks go on alone, each with its part of it. It goes back to the
// list in memory when it has grown.
#ifndef GCOMPILE_CUDA_NARROW_H
#define GCOMPILE_CUDA_NARROW_H

#include <gcompile/cuda/narrow_list.h>

namespace gc {
namespace cuda {
namespace detail {

/// The rounds. Every thread carries the same state.
template <class V, class Medium> class NarrowRun {
public:
  __device__ NarrowRun(Propagation<V> &propagation, Medium &medium, NarrowPart (&parts)[3])
      : p_(propagation), s_(propagation.s), medium_(medium), parts_(parts) {}

  /// The frontier of the start, all of whose lists of arcs are short.
  __device__ void load() {
    if (threadIdx.x < 3)
      parts_[threadIdx.x] = {0, 0};
    __syncthreads();
    NarrowNext<V> next = this->next(p_.begin_phase(medium_));
    for (std::uint32_t first = rank(); first < s_.size; first += medium_.size()) {
      if (first + lane_of_warp() < s_.size)
        next.push(s_.listed ? p_.f.items[s_.first + first + lane_of_warp()] : p_.f.root);
      next.collect();
    }
    s_.listed = 1;
    p_.end_phase();
    meet([] {});
  }

  /// Whether the frontier stays here.
  __device__ bool stays() const { return grown_ == 0 && s_.arcs <= 2 * most() && s_.size <= 2 * most(); }

  template <class Push> __device__ void push_round(const Push &push) {
    if (p_.f.levels && medium_.rank() == 0)
      p_.f.levels[s_.levels] = {s_.first, s_.size, s_.arcs};
    NarrowNext<V> next = this->next(p_.begin_phase(medium_));
    walk(push, next);
    p_.end_round();
    meet([&] { next.look_ahead(push); });
  }

  /// For each vertex of a frontier that stays.
  template <class Commit> __device__ void commit_round(const Commit &commit) {
    const std::uint32_t tally = parts_[last_turn()].tally;
    for (std::uint32_t i = threadIdx.x; i < NarrowTally::length(tally); i += blockDim.x)
      commit(medium_.part(which_)[i].v, s_.round);
    medium_.sync();
  }

  /// Puts the frontier into the list in memory, where some of it may be already.
  __device__ void leave() {
    const Queue<V> list = {p_.f.items + s_.first, p_.f.before + s_.first, &last_counts_->tally};
    const std::uint32_t kept = NarrowTally::length(parts_[last_turn()].tally);
    for (std::uint32_t first = threadIdx.x / 32 * 32; first < kept && first < capacity; first += blockDim.x) {
      const std::uint32_t i = first + lane_of_warp();
      const bool has = i < kept && i < capacity;
      list.append_warp(p_.f.graph, has, has ? medium_.part(which_)[i].v : V(0));
    }
    medium_.sync();
    p_.take_list(*last_counts_);
    s_.has_long = grown_ > 1;
  }

private:
  static constexpr unsigned capacity = narrow_capacity;

  __device__ EdgeId most() const { return Medium::most_arcs(medium_.blocks()); }
  /// The first lane of this warp, counted so that neighbouring warps are on different multiprocessors.
  __device__ std::uint32_t rank() const { return (threadIdx.x / 32 * medium_.blocks() + blockIdx.x) * 32; }
  __device__ unsigned last_turn() const { return turn_ == 0 ? 2 : turn_ - 1; }

  __device__ NarrowNext<V> next(PhaseCounts &counts) {
    if (threadIdx.x == 0)
      parts_[turn_ == 2 ? 0 : turn_ + 1] = {0, 0};
    last_counts_ = &counts;
    const std::uint64_t first = s_.listed ? p_.first_of_next() : s_.first;
    return NarrowNext<V>(p_.f.graph, medium_.part(1 - which_), parts_[turn_],
                         {p_.f.items + first, p_.f.before + first, &counts.tally}, p_.f.queued[1 - s_.current]);
  }

  /// All blocks have found their part: what there is now. meanwhile() runs while they wait for each other.
  template <class Meanwhile> __device__ void meet(Meanwhile meanwhile) {
    __syncthreads();
    medium_.post(which_, parts_[turn_]);
    meanwhile();
    medium_.settle();
    // Each lane adds up two blocks.
    std::uint64_t sums[2] = {0, 0};
    std::uint32_t grown = 0;
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned block = 2 * lane_of_warp() + k;
      if (block >= medium_.blocks())
        continue;
      const NarrowPart found = medium_.found(which_, block);
      const std::uint32_t length = NarrowTally::length(found.tally);
      sums[k] = std::uint64_t(NarrowTally::arcs(found.tally)) << 32 | (length < capacity ? length : capacity);
      grown |= found.grown;
    }
    grown_ = !__any_sync(full_warp, grown != 0) ? 0 : __any_sync(full_warp, grown > 1) ? 3 : 1;
    const std::uint64_t upto = warp_prefix_sum(sums[0] + sums[1]), total = __shfl_sync(full_warp, upto, 31);
    before_second_ = upto - sums[1];
    before_first_ = before_second_ - sums[0];
    s_.size = static_cast<std::uint32_t>(total);
    s_.arcs = total >> 32;
    s_.bits = s_.open = s_.open_listed = s_.pulled = 0;
    turn_ = turn_ == 2 ? 0 : turn_ + 1;
    which_ = 1 - which_;
  }

  template <class Push> __device__ void walk(const Push &push, NarrowNext<V> &next) {
    const gc::Graph<V> &graph = p_.f.graph;
    // As many neighbouring lanes for each vertex as it has arcs on average.
    unsigned shift = 0;
    while (shift < 5 && s_.size << shift < s_.arcs)
      ++shift;
    const unsigned lane = lane_of_warp(), part = lane & ((1u << shift) - 1);
    for (std::uint32_t first = rank(); first < s_.size << shift; first += medium_.size()) {
      const std::uint32_t i = (first + lane) >> shift;
      // Which block has it: the last with no more vertices before its own.
      unsigned owner = 0;
      for (unsigned half = 16; half > 0; half /= 2)
        if (shuffled(static_cast<std::uint32_t>(before_first_), owner + half) <= i)
          owner += half;
      const std::uint32_t before_first = shuffled(static_cast<std::uint32_t>(before_first_), owner);
      const std::uint32_t before_second = shuffled(static_cast<std::uint32_t>(before_second_), owner);
      const bool second = before_second <= i;
      EdgeId arcs_before = 0;
      if (p_.f.levels) {
        const std::uint64_t arcs_first = shuffled(before_first_, owner), arcs_second = shuffled(before_second_, owner);
        arcs_before = (second ? arcs_second : arcs_first) >> 32;
      }
      V u = 0;
      EdgeId at = 0, end = 0;
      if (i < s_.size) {
        const NarrowItem<V> item =
            medium_.item(which_, 2 * owner + (second ? 1 : 0), i - (second ? before_second : before_first));
        u = item.v;
        at = item.first() + part;
        end = item.first() + item.own();
        if (part == 0)
          note(i, u, arcs_before + item.before());
      }
      while (__any_sync(full_warp, at < end)) {
        if (at < end) {
          const V v = graph.target(at);
          prefetch(graph.out_offsets + v);
          push(u, v, edge_of(push, graph, at), s_.round, next);
        }
        at += 1u << shift;
        next.collect();
      }
    }
  }

  template <class T> __device__ static T shuffled(T value, unsigned lane) {
    return __shfl_sync(full_warp, value, static_cast<int>(lane));
  }

  /// Each vertex of the frontier once a round.
  __device__ void note(std::uint32_t i, V u, EdgeId before) const {
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
  NarrowPart (&parts_)[3]; // of this block: of this round, of the last, and one being cleared
  // Vertices before the two blocks that this lane adds up; in the higher half their arcs.
  std::uint64_t before_first_ = 0, before_second_ = 0;
  PhaseCounts *last_counts_ = nullptr;
  std::uint32_t grown_ = 0;
  unsigned which_ = 0, turn_ = 0;
};

template <class V, class Medium, class Push, class Commit>
__global__ void __launch_bounds__(Medium::threads, 1)
    narrow_kernel(FrontierView<V> f, typename Medium::View view, Push push, Commit commit) {
  constexpr bool commits = !std::is_same<Commit, NoKernel>::value;
  GCOMPILE_CUDA_SHARED(typename Medium::Memory, memory);
  GCOMPILE_CUDA_SHARED(NarrowParts, parts);
  FrontierState state = f.start;
  state.narrow_rounds = 0;
  Propagation<V> p(f, state);
  Medium medium(view, memory);
  NarrowRun<V, Medium> run(p, medium, parts.of_turn);
  run.load();
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
