// The list that a push collects: how it claims, and what keeps a vertex from entering twice.
#ifndef GCOMPILE_CUDA_FRONTIER_NEXT_LIST_H
#define GCOMPILE_CUDA_FRONTIER_NEXT_LIST_H

#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/frontier/culling.h>
#include <gcompile/cuda/frontier/state.h>
#include <gcompile/cuda/sets/queue.h>

#include <type_traits>

namespace gc {
namespace cuda {
namespace detail {

/// A list with as many places as there are vertices, to which vertices are added several times: what it cannot take
/// goes to a bitmap. A tally never overflows: once it is full, each warp adds what it has in hand at most.
struct SpillingRoom {
  std::uint64_t most;
  ArcId most_arcs;
  std::uint32_t *words;
  unsigned long long *spilled; ///< set where anything is

  __device__ unsigned long long reserve(unsigned long long *tally, unsigned long long weight) const {
    const unsigned long long now = gc::load(*tally);
    return Tally::length(now) >= most || Tally::arcs(now) > most_arcs ? most : atomicAdd(tally, weight);
  }
  template <class V> __device__ bool takes(V v, unsigned long long at) const {
    if (Tally::length(at) < most)
      return true;
    atomicOr(&words[v / 32], 1u << (v % 32));
    gc::store(*spilled, 1ull);
    return false;
  }
};

/// How a push goes on, which nothing but the time that it takes depends on. Of a block, in its shared memory.
struct PushManner {
  std::uint32_t *bits; ///< the next frontier is this bitmap, all zero before; nullptr: it is a list
  bool likely;         ///< most claims are won: a look before only takes time
  bool by_bits;        ///< that bitmap is wanted, and several arcs lead to many targets: claims may go by it
};

/// How a push claims. `marks`: MarksClaims.
template <class V, bool marks> class Claims {
public:
  __device__ Claims(std::uint32_t *claimed, const PushManner &manner) : claimed_(claimed), manner_(manner) {}
  template <class T>
  __device__ bool claim(T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    if constexpr (gc::detail::is_word<T>)
      if (manner_.likely)
        return gc::detail::exchange_word(target, expected, desired, false);
    return gc::claim(target, expected, desired);
  }
  /// The same for what belongs to v. With `marks` a bitmap, which caches hold, is asked first. It is written without
  /// atomics: a bit that another thread overwrites costs a look at the target.
  template <class T>
  __device__ bool claim(V v, T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    if constexpr (!marks)
      return claim(target, expected, desired);
    std::uint32_t *const word = &claimed_[v / 32];
    const std::uint32_t bit = 1u << (v % 32);
    if (gc::load(*word) & bit)
      return false;
    const bool won = gc::claim(target, expected, desired);
    gc::store(*word, gc::load(*word) | bit);
    return won;
  }
  /// Claims without an atomic operation: several threads of a round may win.
  template <class T>
  __device__ bool claim_shared(T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    if (!(gc::load(target) == expected))
      return false;
    pause(); // the others look as well
    gc::store(target, desired);
    return true;
  }
  template <class T>
  __device__ bool claim_shared(V v, T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) const {
    std::uint32_t *const word = &claimed_[v / 32];
    const std::uint32_t bit = 1u << (v % 32);
    if (gc::load(*word) & bit)
      return false;
    const bool won = claim_shared(target, expected, desired);
    gc::store(*word, gc::load(*word) | bit);
    return won;
  }

protected:
  std::uint32_t *claimed_;
  const PushManner &manner_;
};

/// Collects the next frontier of a push. `may_set_bits`: a bitmap can be wanted.
template <class V, class Push, bool may_set_bits> class NextList : public Claims<V, MarksClaims<Push>::value> {
  using Base = Claims<V, MarksClaims<Push>::value>;

public:
  static constexpr bool culls = Culls<Push>::value;
  using Room = std::conditional_t<culls, SpillingRoom, EnoughRoom>;

  __device__ NextList(const gc::Graph<V> &graph, const Queue<V> &queue, OutboxMemory<V> &memory, std::uint32_t *queued,
                      std::uint32_t *claimed, const Room &room, const Culling<V, Push> &culling,
                      const PushManner &manner)
      : Base(claimed, manner), outbox_(graph, queue, memory, false, room), queued_(queued), culling_(culling) {}
  using Base::claim;
  /// As Claims::claim; or the thread that sets v's bit in the next frontier has won: caches hold that bitmap, and few
  /// of those that come too late go to the target.
  template <class T>
  __device__ bool claim(V v, T &target, gc::detail::SameAs<T> expected, gc::detail::SameAs<T> desired) {
    if constexpr (may_go_by_bits)
      if (goes_by_bits()) {
        std::uint32_t *const word = &manner_.bits[v / 32];
        const std::uint32_t bit = 1u << (v % 32);
        if ((gc::load(*word) & bit) != 0 || !(gc::load(target) == expected) || (atomicOr(word, bit) & bit) != 0)
          return false;
        gc::store(target, desired);
        return true;
      }
    return Base::claim(v, target, expected, desired);
  }
  __device__ void push(V v) {
    if (may_set_bits && manner_.bits)
      goes_by_bits() ? void(++count_) : set_bit(v);
    else if (!culls || culling_.admits(v))
      outbox_.push(v);
  }
  __device__ void push_once(V v) {
    if (may_set_bits && manner_.bits)
      return set_bit(v);
    std::uint32_t *const word = &queued_[v / 32];
    const std::uint32_t bit = 1u << (v % 32);
    if (!(gc::load(*word) & bit) && !(atomicOr(word, bit) & bit))
      outbox_.push(v);
  }
  /// After each step of a warp, all of whose lanes call.
  __device__ void collect() {
    if constexpr (culls)
      outbox_.cull([&](bool has, V v) { return culling_.stays(has, v); });
    outbox_.collect();
  }
  /// At the end: every thread of the block calls. Whether this thread has written a vertex with a long list.
  __device__ bool finish() {
    outbox_.finish();
    return outbox_.has_long();
  }
  /// The vertices that this thread has added to the bitmap.
  __device__ unsigned count() const { return count_; }

private:
  using Base::manner_;
  static constexpr bool may_go_by_bits = may_set_bits && ClaimActivates<Push>::value;

  __device__ bool goes_by_bits() const { return may_go_by_bits && manner_.by_bits; }
  __device__ void set_bit(V v) {
    const std::uint32_t bit = 1u << (v % 32);
    count_ += (atomicOr(&manner_.bits[v / 32], bit) & bit) == 0;
  }

  Outbox<V, Room> outbox_;
  std::uint32_t *queued_;
  const Culling<V, Push> culling_;
  unsigned count_ = 0;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
