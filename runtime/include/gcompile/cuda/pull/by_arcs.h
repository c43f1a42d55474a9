// Pulls that are taken apart: each arc from an active vertex is a call, and the runtime shares the arcs out.
#ifndef GCOMPILE_CUDA_PULL_BY_ARCS_H
#define GCOMPILE_CUDA_PULL_BY_ARCS_H

#include <gcompile/cuda/aligned/rows.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/propagate.h>

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

/// Whether that is any active neighbour: its call is always true, and activates the vertex.
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
  unsigned count_found, count_unvisited;
  unsigned long long first; ///< of what the block writes to a list
};

/// Where the vertices that look stand, by numbers from 0 on: in words of the bitmaps that a warp owns.
template <class V> struct PlacesInWords {
  V first; ///< vertex
  std::uint32_t *found_of;
  static constexpr bool best_asked = true; ///< while they were selected

  __device__ V vertex(unsigned slot) const { return first + slot; }
  template <class Write> __device__ void found(unsigned slot, V, const Write &) const { // a word at a time, at the end
    atomicOr(&found_of[slot / 32], 1u << (slot % 32));
  }
  __device__ void collect() const {}
};
/// In a list; what is found goes to another.
template <class V> struct PlacesInList {
  const V *items;
  Outbox<V> &next;
  static constexpr bool best_asked = false;

  __device__ V vertex(unsigned slot) const { return items[slot]; }
  template <class Write> __device__ void found(unsigned, V v, const Write &write) const {
    next.push(v);
    write(v);
  }
  __device__ void collect() const { next.collect(); }
};

/// When fewer than this part of the vertices look, they are listed: the bitmap has few in a warp's words. Only where
/// each is done with its first active neighbour: with the code for lists, sums over words take longer.
constexpr std::uint64_t sparse_part = 256;

/// The arcs that one thread walks before the whole warp takes the list.
constexpr unsigned few_arcs = 48;
/// Lists longer than this are left to whole blocks.
constexpr ArcId pull_hub_degree = 32 * block_threads;

/// `threads` are those of a block.
template <unsigned threads, class V, class Pull> class PullByArcs {
public:
  __device__ PullByArcs(Propagation<V> &propagation, const Pull &pull, PullMemory &memory, OutboxMemory<V> &outboxes)
      : p_(propagation), pull_(pull), memory_(memory), outboxes_(outboxes), graph_(p_.f.graph) {}

  /// `last`: nothing else happens in the round.
  __device__ void run(SharedTeam &team, bool last) {
    if (!p_.s.bits)
      p_.to_bits(team);
    current_ = {p_.f.bits[p_.s.current]};
    bool listed = false;
    if constexpr (first_only) {
      listed = p_.s.unvisited && (p_.s.unvisited_listed || p_.s.unvisited_left <= graph_.num_vertices() / sparse_part);
      if (listed && !p_.s.unvisited_listed)
        list_unvisited(team);
    }
    PhaseCounts &counts = p_.begin_phase(team);
    const std::uint64_t next_first = p_.first_of_next();
    const Queue<V> list = {p_.f.items + next_first, p_.f.before + next_first, &counts.tally};
    if (threadIdx.x == 0)
      memory_.count_found = memory_.count_unvisited = 0;
    __syncthreads();
    if constexpr (first_only) {
      if (listed)
        walk_list(team, list, counts);
      else
        walk_words(team);
    } else {
      walk_words(team);
    }
    if constexpr (has_groups)
      if (!listed && pull_.lists.groups > 0) {
        team.sync(); // all words say what is left, and what has been found
        walk_groups(team);
      }
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&counts.found, static_cast<unsigned long long>(memory_.count_found));
      atomicAdd(&counts.unvisited, static_cast<unsigned long long>(memory_.count_unvisited));
    }
    team.sync();
    const auto hubs = static_cast<std::uint32_t>(gc::load(counts.hubs));
    for (std::uint32_t i = blockIdx.x; i < hubs; i += gridDim.x) {
      const V v = gc::load(p_.f.hubs[i]);
      if (take_hub(v) && threadIdx.x == 0) {
        write_found(v);
        if (listed) {
          list.append(graph_, v);
          if (graph_.out_end(v) - graph_.out_begin(v) > short_list)
            gc::store(counts.has_long, 1ull);
        } else {
          atomicOr(&next_words()[v / 32], 1u << (v % 32));
          atomicAnd(&p_.f.unvisited[v / 32], ~(1u << (v % 32)));
          atomicAdd(&counts.found, 1ull);
        }
      }
    }
    const auto end = [&] { end_round(listed, counts, last); };
    if (hubs > 0)
      return team.sync(end);
    if (threadIdx.x == 0)
      end();
    __syncthreads();
  }

private:
  using Sum = typename SumOf<Pull>::type;
  static constexpr unsigned words = PullMemory::words;
  static constexpr bool first_only = Pull::first_only, first_takes = FirstTakes<Pull>::value;
  static constexpr bool has_groups = IsAligned<Pull>::value && sizeof(V) == 4; // longer ids leave too few registers

  __device__ std::uint32_t *next_words() const { return p_.f.bits[1 - p_.s.current]; }

  /// The books, once all blocks have come.
  __device__ void end_round(bool listed, const PhaseCounts &counts, bool last) {
    p_.end_round();
    p_.s.unvisited_left = static_cast<std::uint32_t>(gc::load(counts.unvisited));
    p_.s.pulled = 1;
    if (listed) {
      p_.take_list(counts);
      p_.s.has_long = gc::load(counts.has_long) != 0;
      p_.s.unvisited_left -= p_.s.size;
      p_.s.bits = 0;
    } else {
      p_.s.size = static_cast<std::uint32_t>(gc::load(counts.found));
      p_.s.bits = p_.s.unvisited = 1;
      p_.s.listed = p_.s.unvisited_listed = p_.s.clear = 0;
    }
    if (last)
      p_.next_round();
  }

  /// All words of the bitmaps; the next frontier is a bitmap.
  __device__ void walk_words(const SharedTeam &team) {
    const auto count = static_cast<std::uint32_t>(p_.count_words()); // a graph has fewer than 2^31 vertices
    const std::uint32_t step = team.size() / 32 * words;
    std::uint32_t first = team.rank() / 32 * words, unvisited = unvisited_of(first, count);
    for (; first < count; first += step) {
      const std::uint32_t next = unvisited_of(first + step, count); // while these are taken
      take_words(first, unvisited);
      unvisited = next;
    }
  }
  /// Those of word first + lane, for the first lanes of a warp, that may look.
  __device__ std::uint32_t unvisited_of(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t word = first + lane_of_warp();
    return lane_of_warp() >= words || word >= count ? 0
           : p_.s.unvisited                         ? p_.f.unvisited[word]
           : asks_candidates()                      ? p_.f.candidates.any[word]
                                                    : all_of_word(word);
  }

  /// The vertices that few words hold; the next frontier is a list.
  __device__ void walk_list(const SharedTeam &team, const Queue<V> &list, PhaseCounts &counts) {
    Outbox<V> next(graph_, list, outboxes_);
    // Warps that run side by side ask for neighbouring memory.
    constexpr std::uint64_t step = 32;
    for (std::uint64_t at = team.rank() / 32 * step; at < p_.s.unvisited_size; at += team.size() / 32 * step) {
      const PlacesInList<V> places = {p_.f.unvisited_list + at, next};
      const unsigned looking = select_listed(places, p_.s.unvisited_size - at < step ? p_.s.unvisited_size - at : step);
      if (looking > 0)
        look(places, looking);
    }
    next.finish();
    if (__any_sync(full_warp, next.has_long()) && lane_of_warp() == 0)
      gc::store(counts.has_long, 1ull);
  }

  /// Lists the vertices that have to look.
  __device__ void list_unvisited(SharedTeam &team);

  /// The 32 * words vertices from word `first` on, of which these are `unvisited`, a word a lane.
  __device__ void take_words(std::uint32_t first, std::uint32_t unvisited);

  /// The vertices with aligned lists, after the words have left them out (cuda/aligned/pull.h).
  __device__ void walk_groups(const SharedTeam &team);
  /// The list of one of them a lane, as far as it `looks`; the whole warp calls. Whether a neighbour was active.
  template <class Row> __device__ bool look_in_row(const Row &row, bool looks, OwnBit &next, Sum &sum);
  /// Those of a word.
  __device__ std::uint32_t in_groups([[maybe_unused]] std::uint32_t word) const {
    if constexpr (has_groups)
      return pull_.lists.groups > 0 ? pull_.lists.members[word] : 0;
    else
      return 0;
  }

  /// The vertices of a word of the bitmaps.
  __device__ std::uint32_t all_of_word(std::uint32_t word) const {
    const V count = graph_.num_vertices() - V(word) * 32;
    return count < 32 ? (1u << count) - 1 : full_warp;
  }

  /// Which of these are active. Their words are read before any is looked at: no read waits for another, as it would if
  /// it depended on whether there is one.
  template <unsigned count> __device__ void ask(const V (&u)[count], bool (&active)[count]) const {
    std::uint32_t word[count];
    for (unsigned k = 0; k < count; ++k)
      word[k] = current_.words[(u[k] != none<V>() ? u[k] : V(0)) / 32];
    for (unsigned k = 0; k < count; ++k)
      active[k] = u[k] != none<V>() && (word[k] >> (u[k] % 32) & 1u) != 0;
  }

  /// Asks the best sources of the vertices that look, of those that lane k says are unvisited in word first + k, and
  /// notes those that they do not find; gives their number. Lane k gets those that look and those that are found.
  __device__ unsigned select(std::uint32_t first, std::uint32_t unvisited, std::uint32_t &wanted, std::uint32_t &found);
  /// The same where any active source is enough, and each vertex has a best one: those without `more` are not noted.
  /// `known`: all of them look.
  template <bool known>
  __device__ unsigned select_by_best(std::uint32_t first, std::uint32_t unvisited, std::uint32_t more,
                                     std::uint32_t &wanted, std::uint32_t &found);
  /// Notes those that look among the first `size` vertices of a list, at most 32, and counts them. Nobody is asked yet.
  __device__ unsigned select_listed(const PlacesInList<V> &places, std::uint64_t size);
  /// Adds the slots of the lanes whose vertex v looks further to the warp's `count`. Gives how many there are then.
  __device__ unsigned note(unsigned count, bool looks, V v, unsigned slot);

  /// What a thread knows of the vertex that it looks for.
  struct Looker {
    V v = 0;
    unsigned slot = 0;
    ArcId at = 0;      ///< the next arc
    unsigned left = 0; ///< from it on, of the list or of what a thread walks of it before it waits for the warp
    OwnBit next;
    Sum sum;
    bool seen = false; ///< an active neighbour
  };

  /// Asks the candidates of all selected vertices. Gives the number of those that have to look in their lists; their
  /// slots come first now.
  template <class Places> __device__ unsigned ask_candidates(const Places &places, unsigned looking);

  /// All selected vertices, one a lane: a lane that has finished takes the next. Long lists wait for the whole warp.
  template <class Places> __device__ void look(const Places &places, unsigned looking);

  template <class Places> __device__ Looker start(const Places &places, unsigned slot) const {
    Looker looker;
    looker.slot = slot;
    looker.v = places.vertex(slot);
    return looker;
  }

  /// Goes to a place in the vertex's list; false: whole blocks take it.
  __device__ bool begin_list(Looker &looker, unsigned place) const {
    looker.at = graph_.in_begin(looker.v) + place;
    const ArcId end = graph_.in_end(looker.v);
    looker.left = static_cast<unsigned>(end - looker.at);
    if (end <= looker.at + pull_hub_degree)
      return true;
    gc::store(p_.f.hubs[atomicAdd(&p_.counts().hubs, 1ull)], looker.v);
    return false;
  }
  __device__ bool asks_best() const { return first_only && p_.f.candidates.best; }
  __device__ bool asks_candidates() const { return first_only && p_.f.candidates.lists; }

  template <class Places> __device__ void settle(const Places &places, Looker &looker) {
    if constexpr (!first_only)
      if (looker.seen)
        pull_.finish(looker.v, p_.s.round, looker.next, looker.sum);
    if (looker.next.value)
      places.found(looker.slot, looker.v, [&](V w) { write_found(w); });
  }

  /// The next four neighbours, which are read together and asked together. Whether the vertex is done with one.
  __device__ bool take_four(Looker &looker);

  /// The rest of one list by all lanes of a warp.
  __device__ void take_together(Looker &looker);

  /// One vertex by the whole block; whether it was found.
  __device__ bool take_hub(V v);

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
};

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
