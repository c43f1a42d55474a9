// Sets of vertices that a loop of kernels changes, in the memory of its one kernel.
#ifndef GCOMPILE_CUDA_LOOP_SETS_H
#define GCOMPILE_CUDA_LOOP_SETS_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// What a block shares.
template <class V, unsigned count> struct LoopSetMemory {
  OutboxMemory<V> outbox;
  LoopSet<V> sets[count]; ///< the same in all blocks
};
template <class V> struct LoopSetMemory<V, 0> {};

/// Of a loop that has no sets. DeviceSets refers to the team beside it, so that all of a loop's object would be in
/// memory, and not in registers.
template <class V> class NoSets {
public:
  __device__ NoSets(const gc::Graph<V> &graph, Team &, LoopSet<V> *, OutboxMemory<V> *, Hubs<block_threads> &,
                    unsigned long long *)
      : n_(graph.num_vertices()) {}
  __device__ Members<V> all() const { return {nullptr, n_}; }

private:
  V n_;
};

/// The sets of a loop, by their numbers, in one thread of its kernel. All threads of all blocks make the same calls;
/// they have met before one returns that looks at a bitmap or a list, or changes one.
template <class V> class DeviceSets {
public:
  /// `tallies`: three words of 0.
  __device__ DeviceSets(const gc::Graph<V> &graph, Team &team, LoopSet<V> *sets, OutboxMemory<V> *outbox,
                        Hubs<block_threads> &hubs, unsigned long long *tallies)
      : graph_(graph), team_(team), sets_(sets), outbox_(outbox), hubs_(hubs), tallies_(tallies) {}

  __device__ const LoopSet<V> &operator[](unsigned set) const { return sets_[set]; }
  __device__ bool is_all(unsigned set) const { return sets_[set].size == graph_.num_vertices(); }
  __device__ SetView<V> view(unsigned set) const {
    return {sets_[set].words, graph_.num_vertices(), static_cast<std::int64_t>(sets_[set].size)};
  }
  __device__ bool contains(unsigned set, V v) {
    const bool found = view(set).contains(v);
    team_.sync(); // nobody changes it before
    return found;
  }
  /// What a loop over the members visits.
  __device__ Members<V> members(unsigned set) {
    if (is_all(set))
      return all();
    list(set);
    return {sets_[set].items, sets_[set].size};
  }
  __device__ Members<V> all() const { return {nullptr, graph_.num_vertices()}; }

  /// Makes a set of the members for which f(v) holds; they are not of that set. `count` lanes take a short list.
  template <unsigned count, class F> __device__ void filter(unsigned to, const Members<V> &members, const F &f) {
    if (members.items || ByLanes<F>::value)
      clear(to);
    const LoopSet<V> &set = sets_[to];
    unsigned long long *const tally = next_tally();
    {
      Outbox<V> outbox(graph_, Queue<V>{set.items, set.before, tally}, *outbox_);
      if constexpr (ByLanes<F>::value)
        filter_by_lanes<count>(f, graph_, members, set.words, hubs_, outbox);
      else
        filter_each(f, members, set.words, outbox);
    }
    listed(to, tally);
  }
  __device__ void set_all(unsigned to) {
    const std::uint64_t n = graph_.num_vertices();
    for (std::uint64_t i = team_.rank(); i < words(); i += team_.size())
      sets_[to].words[i] = word_of_all(n, i);
    team_.sync([&] { become(to, n); });
  }
  /// Of vertices in any order, repeated or none.
  template <class... Vertices> __device__ void set_of(unsigned to, Vertices... vertices) {
    clear(to);
    unsigned long long *const tally = next_tally();
    const LoopSet<V> &set = sets_[to];
    const Queue<V> queue = {set.items, set.before, tally};
    [[maybe_unused]] const auto add = [&](V v) {
      if (v >= graph_.num_vertices() || (set.words[v / 32] >> (v % 32) & 1u) != 0)
        return;
      set.words[v / 32] |= 1u << (v % 32);
      queue.append(graph_, v);
    };
    if (team_.rank() == 0)
      (add(static_cast<V>(vertices)), ...);
    listed(to, tally);
  }
  /// Of lists in which a vertex may be more than once.
  template <class... Lists> __device__ void set_of_lists(unsigned to, const Lists &...lists) {
    clear(to);
    unsigned long long *const tally = next_tally();
    const LoopSet<V> &set = sets_[to];
    const Queue<V> queue = {set.items, set.before, tally};
    const auto add = [&](const Span<V> &list) {
      for (std::uint64_t i = team_.rank(); i < list.size(); i += team_.size()) {
        const V v = list.first[i];
        if ((atomicOr(&set.words[v / 32], 1u << (v % 32)) >> (v % 32) & 1u) == 0)
          queue.append(graph_, v);
      }
    };
    (add(lists), ...);
    listed(to, tally);
  }
  __device__ void copy(unsigned to, unsigned from) {
    if (to == from)
      return;
    const LoopSet<V> &source = sets_[from], &target = sets_[to];
    for (std::uint64_t i = team_.rank(); i < words(); i += team_.size())
      target.words[i] = source.words[i];
    if (source.listed)
      for (std::uint64_t i = team_.rank(); i < source.size; i += team_.size()) {
        target.items[i] = source.items[i];
        target.before[i] = source.before[i];
      }
    team_.sync([&] {
      become(to, source.size);
      sets_[to].arcs = source.arcs;
      sets_[to].listed = source.listed;
    });
  }
  /// Two sets change their numbers; nobody waits for other blocks.
  __device__ void swap(unsigned a, unsigned b) {
    __syncthreads();
    if (threadIdx.x == 0) {
      const LoopSet<V> first = sets_[a];
      sets_[a] = sets_[b];
      sets_[b] = first;
    }
    __syncthreads();
  }
  /// Combines two sets, the result in the first.
  __device__ void combine(SetKernel kind, unsigned to, unsigned from) {
    const LoopSet<V> &set = sets_[to], &other = sets_[from];
    unsigned long long *const tally = next_tally();
    const std::uint64_t before = set.size;
    const bool few = kind != SetKernel::intersect && other.listed && other.size < words() / 2;
    unsigned mine = 0; // members, or with few of them what changes
    if (few) {
      for (std::uint64_t i = team_.rank(); i < other.size; i += team_.size()) {
        const V v = other.items[i];
        const std::uint32_t bit = 1u << (v % 32);
        if (kind == SetKernel::unite)
          mine += (atomicOr(&set.words[v / 32], bit) & bit) == 0;
        else
          mine += (atomicAnd(&set.words[v / 32], ~bit) & bit) != 0;
      }
    } else {
      for (std::uint64_t i = team_.rank(); i < words(); i += team_.size()) {
        const std::uint32_t word = combined(kind, set.words[i], other.words[i]);
        set.words[i] = word;
        mine += static_cast<unsigned>(__popc(word));
      }
    }
    __syncwarp();
    mine = warp_sum(mine);
    if (mine > 0 && lane_of_warp() == 0)
      atomicAdd(tally, static_cast<unsigned long long>(mine));
    team_.sync([&] {
      const std::uint64_t counted = gc::load(*tally);
      become(to, !few ? counted : kind == SetKernel::unite ? before + counted : before - counted);
    });
  }

private:
  __device__ std::uint64_t words() const { return (std::uint64_t(graph_.num_vertices()) + 31) / 32; }
  /// For the first thread of a block: so many members, of which there is no list.
  __device__ void become(unsigned to, std::uint64_t size) {
    sets_[to].size = size;
    sets_[to].arcs = 0;
    sets_[to].listed = size == 0;
  }
  /// All have added to the list of a set, and `tally` says what.
  __device__ void listed(unsigned to, const unsigned long long *tally) {
    team_.sync([&] {
      const unsigned long long sum = gc::load(*tally);
      sets_[to].size = Tally::length(sum);
      sets_[to].arcs = Tally::arcs(sum);
      sets_[to].listed = true;
    });
  }
  __device__ void clear(unsigned to) {
    const LoopSet<V> &set = sets_[to];
    const std::uint64_t size = set.size;
    if (size == 0)
      return;
    if (set.listed && size < words() / 2)
      for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
        set.words[set.items[i] / 32] = 0;
    else
      for (std::uint64_t i = team_.rank(); i < words(); i += team_.size())
        set.words[i] = 0;
    team_.sync([&] { become(to, 0); });
  }
  __device__ void list(unsigned set) {
    const LoopSet<V> &its = sets_[set];
    if (its.listed)
      return;
    unsigned long long *const tally = next_tally();
    {
      Outbox<V> outbox(graph_, Queue<V>{its.items, its.before, tally}, *outbox_);
      list_members(its.words, words(), outbox);
    }
    listed(set, tally);
  }
  /// A counter that is 0. Two others are between its uses, so that the blocks have met after all have read it, and
  /// again after it has been cleared.
  __device__ unsigned long long *next_tally() {
    turn_ = after(turn_);
    if (team_.rank() == 0)
      tallies_[after(turn_)] = 0;
    return tallies_ + turn_;
  }
  __device__ static unsigned after(unsigned turn) { return turn == 2 ? 0 : turn + 1; }

  const gc::Graph<V> &graph_;
  Team &team_;
  LoopSet<V> *const sets_;
  OutboxMemory<V> *const outbox_;
  Hubs<block_threads> &hubs_;
  unsigned long long *const tallies_;
  unsigned turn_ = 0;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
