// Pulls that are taken apart: each arc from an active vertex is a call, and the runtime shares the arcs out.
#ifndef GCOMPILE_CUDA_PULL_ARCS_H
#define GCOMPILE_CUDA_PULL_ARCS_H

#include <gcompile/cuda/propagate.h>

namespace gc {
namespace cuda {

namespace detail {

/// What a pull by arcs does not add up.
struct NoSum {
  template <class Lanes> __device__ void combine(const Lanes &) {}
};
template <class F, class = void> struct SumOf { using type = NoSum; };
template <class F> struct SumOf<F, std::void_t<typename F::Sum>> { using type = typename F::Sum; };

/// Whether each vertex is done with an active neighbour.
template <class F, class = void> struct FirstOnly { static constexpr bool value = false; };
template <class F> struct FirstOnly<F, std::void_t<decltype(F::first_only)>> {
  static constexpr bool value = F::first_only;
};

/// Whether that is any active neighbour: its call is always true.
template <class F, class = void> struct FirstTakes { static constexpr bool value = false; };
template <class F> struct FirstTakes<F, std::void_t<decltype(F::first_takes)>> {
  static constexpr bool value = F::first_takes;
};

/// Whether it writes what is the same whichever neighbour that is: found(v, round).
template <class F, class V, class = void> struct WritesFound { static constexpr bool value = false; };
template <class F, class V>
struct WritesFound<F, V, std::void_t<decltype(std::declval<const F &>().found(std::declval<V>(), 0))>> {
  static constexpr bool value = true;
};

/// Of a block: the vertices that look, of each warp's words; which of them were found; how many in all.
struct PullMemory {
  static constexpr unsigned words = 8; ///< that a warp takes at a time
  unsigned char slots[32][words * 32];
  std::uint32_t found[32][words];
  unsigned count_found, count_open;
  unsigned long long first; ///< of what the block writes to a list
};

/// Where the vertices that look stand, by numbers from 0 on: in words of the bitmaps that a warp owns.
template <class V> struct PlacesInWords {
  std::uint64_t first; ///< vertex
  std::uint32_t *found_of;

  __device__ V vertex(unsigned slot) const { return static_cast<V>(first + slot); }
  template <class Write> __device__ void found(unsigned slot, V, const Write &) const { // a word at a time, at the end
    atomicOr(&found_of[slot / 32], 1u << (slot % 32));
  }
  __device__ void collect() const {}
};
/// In a list; what is found goes to another.
template <class V> struct PlacesInList {
  const V *items;
  Outbox<V> &next;

  __device__ V vertex(unsigned slot) const { return items[slot]; }
  template <class Write> __device__ void found(unsigned, V v, const Write &write) const {
    next.push(v);
    write(v);
  }
  __device__ void collect() const { next.collect(); }
};

/// When fewer than this part of the vertices look, they are listed: the bitmap has few in a warp's words. Only where
/// each is done with its first active neighbour: with the code for lists, sums over words take longer.
constexpr std::uint64_t sparse_part = 16;

/// The arcs that one thread walks before the whole warp takes the list.
constexpr EdgeId few_arcs = 48;
/// Lists longer than this are left to whole blocks.
constexpr EdgeId pull_hub_degree = 32 * block_threads;

template <class V, class Pull> class PullByArcs {
public:
  __device__ PullByArcs(Propagation<V> &propagation, const Pull &pull, PullMemory &memory, OutboxMemory<V> &outboxes)
      : p_(propagation), pull_(pull), memory_(memory), outboxes_(outboxes), graph_(p_.f.graph) {}

  /// `last`: nothing else happens in the round.
  __device__ void run(Team &team, bool last) {
    if (!p_.s.bits)
      p_.to_bits(team);
    current_ = {p_.f.bits[p_.s.current]};
    if constexpr (first_only)
      if (p_.s.open && (p_.s.open_listed || p_.s.open_left <= graph_.num_vertices() / sparse_part))
        return run_list(team, last);
    run_words(team, last);
  }

private:
  using Sum = typename SumOf<Pull>::type;
  static constexpr unsigned words = PullMemory::words;
  static constexpr bool first_only = Pull::first_only, first_takes = FirstTakes<Pull>::value;

  /// All words of the bitmaps; the next frontier is a bitmap.
  __device__ void run_words(Team &team, bool last) {
    next_words_ = p_.f.bits[1 - p_.s.current];
    PhaseCounts &counts = p_.begin_phase(team);
    if (threadIdx.x == 0)
      memory_.count_found = memory_.count_open = 0;
    __syncthreads();
    for (std::uint64_t first = team.rank() / 32 * words; first < p_.count_words(); first += team.size() / 32 * words)
      take_words(first);
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&counts.found, static_cast<unsigned long long>(memory_.count_found));
      atomicAdd(&counts.open, static_cast<unsigned long long>(memory_.count_open));
    }
    team.sync();
    const unsigned long long hubs = gc::load(counts.hubs);
    for (std::uint64_t i = blockIdx.x; i < hubs; i += gridDim.x) {
      const V v = gc::load(p_.f.hubs[i]);
      if (take_hub(v) && threadIdx.x == 0) {
        atomicOr(&next_words_[v / 32], 1u << (v % 32));
        atomicAdd(&counts.found, 1ull);
        write_found(v);
      }
    }
    const auto end = [&] {
      p_.end_round();
      p_.s.size = static_cast<std::uint32_t>(gc::load(counts.found));
      p_.s.open_left = static_cast<std::uint32_t>(gc::load(counts.open));
      p_.s.bits = p_.s.open = p_.s.pulled = 1;
      p_.s.listed = p_.s.open_listed = p_.s.clear = 0;
      if (last)
        p_.next_round();
    };
    if (hubs > 0)
      return team.sync(end);
    if (threadIdx.x == 0)
      end();
    __syncthreads();
  }

  /// The vertices that few words hold; the next frontier is a list.
  __device__ void run_list(Team &team, bool last) {
    if (!p_.s.open_listed)
      list_open(team);
    PhaseCounts &counts = p_.begin_phase(team);
    const std::uint64_t next_first = p_.first_of_next();
    Outbox<V> next(graph_, {p_.f.items + next_first, p_.f.before + next_first, &counts.tally}, outboxes_);
    if (threadIdx.x == 0)
      memory_.count_open = 0;
    __syncthreads();
    // Warps that run side by side ask for neighbouring memory.
    constexpr std::uint64_t step = 32;
    for (std::uint64_t at = team.rank() / 32 * step; at < p_.s.open_size; at += team.size() / 32 * step) {
      const std::uint64_t count = p_.s.open_size - at < step ? p_.s.open_size - at : step;
      const std::uint32_t open = lane_of_warp() > 0 ? 0 : count == step ? full_warp : (1u << count) - 1;
      const PlacesInList<V> places = {p_.f.open_list + at, next};
      std::uint32_t wanted = 0;
      const unsigned looking = select(places, open, wanted);
      if (wanted != 0)
        atomicAdd(&memory_.count_open, static_cast<unsigned>(__popc(wanted)));
      if (looking > 0)
        look(places, looking);
    }
    __syncthreads();
    if (threadIdx.x == 0)
      atomicAdd(&counts.open, static_cast<unsigned long long>(memory_.count_open));
    team.sync();
    const unsigned long long hubs = gc::load(counts.hubs);
    for (std::uint64_t i = blockIdx.x; i < hubs; i += gridDim.x) {
      const V v = gc::load(p_.f.hubs[i]);
      if (take_hub(v) && threadIdx.x == 0) {
        next.push(v);
        write_found(v);
      }
      if (threadIdx.x < 32)
        next.collect();
    }
    next.finish();
    if (__any_sync(full_warp, next.has_long()) && lane_of_warp() == 0)
      gc::store(counts.has_long, 1ull);
    team.sync([&] {
      p_.end_round();
      p_.take_list(counts);
      p_.s.has_long = gc::load(counts.has_long) != 0;
      p_.s.open_left = static_cast<std::uint32_t>(gc::load(counts.open)) - p_.s.size;
      p_.s.bits = 0;
      p_.s.pulled = 1;
      if (last)
        p_.next_round();
    });
  }

  /// Lists who has to look.
  __device__ void list_open(Team &team) {
    PhaseCounts &counts = p_.begin_phase(team);
    for (std::uint64_t first = blockIdx.x * std::uint64_t(blockDim.x); first < p_.count_words(); first += team.size()) {
      if (threadIdx.x == 0)
        memory_.count_open = 0;
      __syncthreads();
      const std::uint64_t word = first + threadIdx.x;
      std::uint32_t rest = word < p_.count_words() ? p_.f.open[word] : 0;
      const unsigned mine = static_cast<unsigned>(__popc(rest)), sum = warp_prefix_sum(mine);
      unsigned before = 0;
      if (lane_of_warp() == 31)
        before = atomicAdd(&memory_.count_open, sum);
      before = __shfl_sync(full_warp, before, 31) + sum - mine;
      __syncthreads();
      if (threadIdx.x == 0)
        memory_.first = atomicAdd(&counts.open, static_cast<unsigned long long>(memory_.count_open));
      __syncthreads();
      for (V *to = p_.f.open_list + memory_.first + before; rest != 0; rest &= rest - 1)
        *to++ = static_cast<V>(word * 32 + static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1));
      __syncthreads();
    }
    team.sync([&] {
      p_.end_phase();
      p_.s.open_size = static_cast<std::uint32_t>(gc::load(counts.open));
      p_.s.open_listed = 1;
    });
  }

  /// The 32 * words vertices from word `first` on.
  __device__ void take_words(std::uint64_t first) {
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
    const bool owner = lane < words && first + lane < p_.count_words();
    const std::uint32_t open = !owner         ? 0
                               : p_.s.open    ? p_.f.open[first + lane]
                               : asks_first() ? p_.f.first_sources.any[first + lane]
                                              : full_warp;
    std::uint32_t wanted = 0, found = 0;
    const PlacesInWords<V> places = {first * 32, memory_.found[warp]};
    const unsigned looking = __any_sync(full_warp, open != 0) ? select(places, open, wanted) : 0;
    if (looking > 0) {
      if (lane < words)
        memory_.found[warp][lane] = 0;
      __syncwarp();
      look(places, looking);
      __syncwarp();
      found = lane < words ? memory_.found[warp][lane] : 0;
      __syncwarp();
      // Neighbouring vertices together: what they have is in the same sectors.
      if constexpr (WritesFound<Pull, V>::value)
        for (unsigned k = 0; k < words; ++k)
          if ((__shfl_sync(full_warp, found, static_cast<int>(k)) >> lane & 1u) != 0)
            write_found(places.vertex(k * 32 + lane));
    }
    if (!owner)
      return;
    next_words_[first + lane] = found;
    p_.f.open[first + lane] = first_only ? wanted & ~found : wanted;
    if (found != 0)
      atomicAdd(&memory_.count_found, static_cast<unsigned>(__popc(found)));
    if (wanted & ~found)
      atomicAdd(&memory_.count_open, static_cast<unsigned>(__popc(wanted & ~found)));
  }

  /// Notes the vertices that look and have somewhere to look, of those that lane k says are open among 32 * k to 32 * k
  /// + 31; gives their number.
  template <class Places> __device__ unsigned select(const Places &places, std::uint32_t open, std::uint32_t &wanted) {
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
    unsigned count = 0;
    for (unsigned from = 0; from < words; from += 4) {
      bool wants[4];
      V v[4];
      std::uint32_t word[4], any = 0;
      for (unsigned k = 0; k < 4; ++k) {
        word[k] = __shfl_sync(full_warp, open, static_cast<int>(from + k));
        any |= word[k];
      }
      if (any == 0)
        continue;
      // Four at a time: their reads do not wait for each other.
      for (unsigned k = 0; k < 4; ++k) {
        wants[k] = (word[k] >> lane & 1u) != 0;
        v[k] = wants[k] ? places.vertex((from + k) * 32 + lane) : V(0);
      }
      for (unsigned k = 0; k < 4; ++k)
        wants[k] = wants[k] && v[k] < graph_.num_vertices() && pull_.wants(v[k]);
      for (unsigned k = 0; k < 4; ++k)
        wants[k] = wants[k] && (asks_first() || graph_.in_begin(v[k]) < graph_.in_end(v[k]));
      for (unsigned k = 0; k < 4; ++k) {
        if (asks_first() && wants[k])
          prefetch(p_.f.first_sources.lists + v[k]);
        const unsigned lanes = __ballot_sync(full_warp, wants[k]);
        if (wants[k])
          memory_.slots[warp][count + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)))] =
              static_cast<unsigned char>((from + k) * 32 + lane);
        count += static_cast<unsigned>(__popc(lanes));
        if (lane == from + k)
          wanted = lanes;
      }
    }
    return count;
  }

  /// What a thread knows of the vertex that it looks for.
  struct Looker {
    V v = 0;
    unsigned slot = 0;
    EdgeId at = 0, end = 0;
    OwnBit next;
    Sum sum;
    bool seen = false; ///< an active neighbour
  };

  /// Asks the first sources of all selected vertices. Gives the number of those that have to look in their lists; their
  /// slots come first now.
  template <class Places> __device__ unsigned ask_first(const Places &places, unsigned looking) {
    const unsigned lane = lane_of_warp();
    unsigned char *const slots = memory_.slots[threadIdx.x / 32];
    unsigned left = 0; // of the warp
    for (unsigned from = 0; from < looking; from += 32) {
      bool looks = from + lane < looking;
      unsigned slot = 0;
      V v = 0, u = none<V>();
      OwnBit found;
      Sum sum;
      if (looks) {
        slot = slots[from + lane];
        v = places.vertex(slot);
        const FirstSources<V> first = p_.f.first_sources.lists[v];
        for (unsigned pair = 0; pair < 4; pair += 2) {
          if (first_takes && u != none<V>())
            break;
          const bool active[2] = {first.u[pair] != none<V>() && current_.contains(first.u[pair]),
                                  first.u[pair + 1] != none<V>() && current_.contains(first.u[pair + 1])};
          for (unsigned i = 0; i < 2; ++i) {
            if constexpr (first_takes)
              u = u == none<V>() && active[i] ? first.u[pair + i] : u;
            else if (looks && active[i])
              looks = !visit(first.u[pair + i], v, found, sum);
          }
        }
        looks = looks && first.u[3] != none<V>();
      }
      if constexpr (first_takes) {
        // All lanes that have found one write together: what neighbouring vertices have is in the same sectors.
        __syncwarp();
        if (u != none<V>()) {
          visit(u, v, found, sum);
          looks = false;
        }
      }
      if (found.value)
        places.found(slot, v, [&](V w) { write_found(w); });
      places.collect();
      const unsigned lanes = __ballot_sync(full_warp, looks);
      __syncwarp(); // all slots of this step have been read
      if (looks)
        slots[left + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)))] = static_cast<unsigned char>(slot);
      left += static_cast<unsigned>(__popc(lanes));
    }
    __syncwarp();
    return left;
  }

  /// All selected vertices, one a lane: who has finished takes the next. Long lists wait for the whole warp.
  template <class Places> __device__ void look(const Places &places, unsigned looking) {
    if (asks_first())
      looking = ask_first(places, looking);
    const unsigned warp = threadIdx.x / 32, lane = lane_of_warp(), before = (1u << lane) - 1;
    unsigned char *const slots = memory_.slots[warp];
    unsigned taken = 0, waiting = 0; // of the warp
    bool busy = false, waits = false;
    EdgeId walked = 0;
    Looker mine;
    while (true) {
      if (busy && mine.at >= mine.end) {
        settle(places, mine);
        busy = false;
      }
      places.collect();
      const unsigned free = __ballot_sync(full_warp, !busy);
      const unsigned index = taken + static_cast<unsigned>(__popc(free & before));
      if (!busy && index < looking) {
        mine = start(places, slots[index]);
        walked = first_only && p_.f.first_sources.begin_lists ? 4 : 0;
        busy = open_list(mine, walked);
        waits = !first_only && mine.end - mine.at > few_arcs;
      }
      taken =
          taken + static_cast<unsigned>(__popc(free)) < looking ? taken + static_cast<unsigned>(__popc(free)) : looking;
      // No more wait than have been taken: their slots are free.
      __syncwarp();
      const unsigned waiters = __ballot_sync(full_warp, busy && waits);
      if (busy && waits) {
        slots[waiting + static_cast<unsigned>(__popc(waiters & before))] = static_cast<unsigned char>(mine.slot);
        busy = false;
      }
      waiting += static_cast<unsigned>(__popc(waiters));
      if (!__any_sync(full_warp, busy)) {
        if (taken == looking)
          break;
        continue;
      }
      if (busy) {
        take_four(mine);
        walked += 4;
        waits = busy && first_only && walked >= few_arcs && mine.at < mine.end;
      }
    }
    __syncwarp();
    for (unsigned i = 0; i < waiting; ++i) {
      Looker one = start(places, slots[i]);
      one.at = graph_.in_begin(one.v) + (first_only ? few_arcs : 0);
      one.end = graph_.in_end(one.v);
      take_together(one);
      if (lane == 0)
        settle(places, one);
      places.collect();
    }
  }

  template <class Places> __device__ Looker start(const Places &places, unsigned slot) const {
    Looker looker;
    looker.slot = slot;
    looker.v = places.vertex(slot);
    return looker;
  }

  /// Goes to a place in the vertex's list; false: whole blocks take it.
  __device__ bool open_list(Looker &looker, EdgeId place) const {
    looker.at = graph_.in_begin(looker.v) + place;
    looker.end = graph_.in_end(looker.v);
    if (looker.end <= looker.at + pull_hub_degree)
      return true;
    gc::store(p_.f.hubs[atomicAdd(&p_.counts().hubs, 1ull)], looker.v);
    return false;
  }
  __device__ bool asks_first() const { return first_only && p_.f.first_sources.lists; }

  template <class Places> __device__ void settle(const Places &places, Looker &looker) {
    if constexpr (!first_only)
      if (looker.seen)
        pull_.finish(looker.v, p_.s.round, looker.next, looker.sum);
    if (looker.next.value)
      places.found(looker.slot, looker.v, [&](V w) { write_found(w); });
  }

  /// The next four neighbours, which are read together and asked in pairs.
  __device__ void take_four(Looker &looker) {
    V u[4];
    for (unsigned k = 0; k < 4; ++k)
      u[k] = looker.at + k < looker.end ? graph_.in_source(looker.at + k) : none<V>();
    for (unsigned k = 0; k < 4; k += 2) {
      bool active[2];
      for (unsigned i = 0; i < 2; ++i)
        active[i] = u[k + i] != none<V>() && current_.contains(u[k + i]);
      if constexpr (first_takes) {
        if (active[0] || active[1]) {
          visit(active[0] ? u[k] : u[k + 1], looker.v, looker.next, looker.sum);
          looker.at = looker.end;
          return;
        }
      } else {
        for (unsigned i = 0; i < 2; ++i) {
          if (!active[i])
            continue;
          looker.seen = true;
          if (visit(u[k + i], looker.v, looker.next, looker.sum)) {
            looker.at = looker.end;
            return;
          }
        }
      }
    }
    looker.at += 4;
  }

  /// The rest of one list by all lanes of a warp.
  __device__ void take_together(Looker &looker) {
    const unsigned lane = lane_of_warp();
    bool done = false;
    for (EdgeId k = looker.at; k < looker.end && !done; k += 128) {
      V u[4];
      bool active[4];
      for (unsigned i = 0; i < 4; ++i) {
        active[i] = k + 32 * i + lane < looker.end;
        u[i] = active[i] ? graph_.in_source(k + 32 * i + lane) : V(0);
      }
      for (unsigned i = 0; i < 4; ++i) {
        active[i] = active[i] && current_.contains(u[i]);
        looker.seen = looker.seen || active[i];
      }
      for (unsigned i = 0; i < 4; ++i) {
        if constexpr (first_only) {
          // One lane after another.
          for (unsigned rest = __ballot_sync(full_warp, active[i]); rest != 0 && !done; rest &= rest - 1) {
            const int leader = __ffs(static_cast<int>(rest)) - 1;
            const bool taken = static_cast<int>(lane) == leader && visit(u[i], looker.v, looker.next, looker.sum);
            done = __shfl_sync(full_warp, static_cast<int>(taken), leader) != 0;
          }
        } else if (active[i]) {
          visit(u[i], looker.v, looker.next, looker.sum);
        }
      }
    }
    __syncwarp();
    looker.sum.combine(WarpLanes<32>());
    looker.next.value = __any_sync(full_warp, looker.next.value) != 0;
    looker.seen = __any_sync(full_warp, looker.seen) != 0;
  }

  /// One vertex by the whole block; whether it was found.
  __device__ bool take_hub(V v) {
    const BlockLanes<team_threads> lanes;
    OwnBit next;
    Sum sum;
    bool seen = false, done = false;
    const EdgeId end = graph_.in_end(v);
    for (EdgeId k = graph_.in_begin(v); k < end && !done; k += lanes.size()) {
      V u = 0;
      bool active = k + lanes.rank() < end;
      if (active) {
        u = graph_.in_source(k + lanes.rank());
        active = current_.contains(u);
      }
      seen = seen || active;
      if constexpr (first_only) {
        while (!done) {
          const unsigned leader = lanes.min(active ? threadIdx.x : lanes.size());
          if (leader == lanes.size())
            break;
          const bool taken = threadIdx.x == leader && visit(u, v, next, sum);
          active = active && threadIdx.x != leader;
          done = lanes.any(taken);
        }
      } else if (active) {
        visit(u, v, next, sum);
      }
    }
    sum.combine(lanes);
    next.value = lanes.any(next.value);
    seen = lanes.any(seen);
    if constexpr (!first_only)
      if (lanes.leader() && seen)
        pull_.finish(v, p_.s.round, next, sum);
    return next.value;
  }

  __device__ void write_found([[maybe_unused]] V v) const {
    if constexpr (WritesFound<Pull, V>::value)
      pull_.found(v, p_.s.round);
  }
  __device__ bool visit(V u, V v, OwnBit &next, Sum &sum) const {
    if constexpr (first_only) {
      return pull_(u, v, p_.s.round, next);
    } else {
      pull_(u, v, p_.s.round, next, sum);
      return false;
    }
  }

  Propagation<V> &p_;
  const Pull &pull_;
  PullMemory &memory_;
  OutboxMemory<V> &outboxes_;
  const gc::Graph<V> &graph_;
  CurrentBits<V> current_ = {};
  std::uint32_t *next_words_ = nullptr;
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
