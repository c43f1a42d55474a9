// Threads that work together: a few lanes of a warp, a warp, a block.
#ifndef GCOMPILE_CUDA_DEVICE_LANES_H
#define GCOMPILE_CUDA_DEVICE_LANES_H

#include <gcompile/core/adjacency.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/operators.h>
#include <gcompile/core/operators/witness.h>
#include <gcompile/cuda/device/device.h>
#include <gcompile/cuda/sets/set_view.h>

#include <type_traits>

namespace gc {
namespace cuda {

constexpr unsigned full_warp = 0xffffffffu;

__device__ inline unsigned lane_of_warp() { return threadIdx.x % 32; }

/// The sum of the values of the lanes up to this one; the whole warp calls.
template <class T> __device__ inline T warp_prefix_sum(T value) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const T other = __shfl_up_sync(full_warp, value, step);
    if (lane_of_warp() >= step)
      value += other;
  }
  return value;
}

/// The sum of the values of all lanes; the whole warp calls.
__device__ inline std::uint32_t warp_sum(std::uint32_t value) {
#if !defined(GCOMPILE_CUDA_EMULATION) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(full_warp, value);
#else
  return __shfl_sync(full_warp, warp_prefix_sum(value), 31);
#endif
}

/// Every `step`-th element of a range, from the first on: one lane's share. The number of elements is known before, so
/// that the compiler unrolls loops over them.
template <class T, unsigned step> struct Share {
  const T *first;
  std::size_t count;
  struct Iterator {
    const T *first;
    std::size_t at;
    __device__ T operator*() const { return first[at * step]; }
    __device__ Iterator &operator++() {
      ++at;
      return *this;
    }
    __device__ bool operator!=(const Iterator &other) const { return at != other.at; }
  };
  __device__ Share(const Span<T> &span, unsigned rank)
      : first(span.first + rank), count(span.size() > rank ? (span.size() - rank - 1) / step + 1 : 0) {}
  __device__ Iterator begin() const { return {first, 0}; }
  __device__ Iterator end() const { return {first, count}; }
};

/// The same of a range that is made as it is walked: each lane walks it all.
template <class Cursor> struct CursorShare {
  gc::detail::CursorRange<Cursor> range;
  unsigned first, step;
  struct Iterator {
    Cursor cursor;
    unsigned step;
    __device__ void skip(unsigned count) {
      for (; count > 0 && !cursor.done(); --count)
        cursor.next();
    }
    __device__ auto operator*() const { return cursor.value(); }
    __device__ Iterator &operator++() {
      skip(step);
      return *this;
    }
    __device__ bool operator!=(gc::detail::End) const { return !cursor.done(); }
  };
  __device__ Iterator begin() const {
    Iterator at = {range.cursor(), step};
    at.skip(first);
    return at;
  }
  __device__ gc::detail::End end() const { return {}; }
};

/// Several elements of a lane's share: read at once, past the caches, then asked.
template <class T> struct Batch {
  static constexpr unsigned size = 4;
  T x[size];
  bool kept[size];
  /// The first `rest` of them, `step` apart.
  template <class Asks> __device__ Batch(const T *first, unsigned step, std::size_t rest, const Asks &asks) {
    for (unsigned i = 0; i < size; ++i)
      x[i] = i < rest ? __ldcs(first + i * step) : T(0);
    for (unsigned i = 0; i < size; ++i)
      kept[i] = i < rest && asks(x[i]);
  }
};

/// The sum of get(x) over the elements x of a lane's share for which asks(x). No load waits for one of another element.
template <class Sum, class T, unsigned step, class Asks, class Get>
__device__ inline Sum sum_where(const Share<T, step> &share, const Asks &asks, const Get &get) {
  constexpr std::size_t size = Batch<T>::size;
  Sum sum = 0;
  const T *at = share.first;
  for (std::size_t rest = share.count; rest > 0; rest -= rest < size ? rest : size, at += size * step) {
    const Batch<T> batch(at, step, rest, asks);
    Sum values[size];
    for (unsigned i = 0; i < size; ++i)
      values[i] = batch.kept[i] ? get(batch.x[i]) : Sum(0);
    for (unsigned i = 0; i < size; ++i)
      sum += values[i];
  }
  return sum;
}

/// The same over all elements.
template <class Sum, class T, unsigned step, class Get>
__device__ inline Sum sum_of(const Share<T, step> &share, const Get &get) {
  return sum_where<Sum>(
      share, [](T) { return true; }, get);
}

/// take(x) for these elements. It changes nothing that asks() looks at.
template <class T, unsigned step, class Asks, class Take>
__device__ inline void each_where(const Share<T, step> &share, const Asks &asks, const Take &take) {
  constexpr std::size_t size = Batch<T>::size;
  const T *at = share.first;
  for (std::size_t rest = share.count; rest > 0; rest -= rest < size ? rest : size, at += size * step) {
    const Batch<T> batch(at, step, rest, asks);
    for (unsigned i = 0; i < size; ++i)
      if (batch.kept[i])
        take(batch.x[i]);
  }
}

/// Where lanes read arcs begin to end of a list: as it stands, unless they have a copy (cuda/streamed/lanes.h).
template <class Lanes, class T> __device__ inline const T *list_at(const Lanes &, const T *list, ArcId, ArcId) {
  return list;
}

/// take(x, e, value(x, e)) for the elements x = list[e], begin <= e < end, of this lane's share for which asks(x, e).
/// Nothing that is asked or valued changes: no load waits for one of another element.
template <class Lanes, class T, class Asks, class Value, class Take>
__device__ inline void best_where(const Lanes &lanes, const T *list, ArcId begin, ArcId end, const Asks &asks,
                                  const Value &value, const Take &take) {
  constexpr unsigned step = Lanes::size(), several = step <= 2 ? 2 : 4; // few lanes share lists that are short
  using Of = std::decay_t<decltype(value(T(), begin))>;
  const T *const from = list_at(lanes, list, begin, end);
  for (ArcId e = begin + lanes.rank(); e < end; e += several * step) {
    T x[several];
    bool kept[several];
    Of values[several];
    for (unsigned i = 0; i < several; ++i)
      x[i] = e + i * step < end ? from[e + i * step] : T(0);
    for (unsigned i = 0; i < several; ++i)
      kept[i] = e + i * step < end && asks(x[i], e + i * step);
    for (unsigned i = 0; i < several; ++i)
      values[i] = kept[i] ? value(x[i], e + i * step) : Of();
    for (unsigned i = 0; i < several; ++i)
      if (kept[i])
        take(x[i], e + i * step, values[i]);
  }
}
/// The same for all elements.
template <class Lanes, class T, class Value, class Take>
__device__ inline void best_of(const Lanes &lanes, const T *list, ArcId begin, ArcId end, const Value &value,
                               const Take &take) {
  best_where(
      lanes, list, begin, end, [](T, ArcId) { return true; }, value, take);
}

namespace detail {
template <class T> __device__ inline T plus(T a, T b) { return static_cast<T>(a + b); }
template <class T> __device__ inline T least(T a, T b) { return b < a ? b : a; }
template <class T> __device__ inline T greatest_of(T a, T b) { return a < b ? b : a; }
} // namespace detail

/// `count` neighbouring lanes of a warp that run one iteration of a kernel together: all evaluate the same, the lists
/// are shared out, one writes.
template <unsigned count> class WarpLanes {
public:
  __device__ unsigned rank() const { return threadIdx.x % count; }
  __device__ static constexpr unsigned size() { return count; }
  __device__ bool leader() const { return rank() == 0; }
  __device__ void sync() const { __syncwarp(mask()); }
  template <class V> __device__ Share<V, count> share(const Span<V> &span) const { return {span, rank()}; }
  template <class C> __device__ CursorShare<C> share(const gc::detail::CursorRange<C> &range) const {
    return {range, rank(), count};
  }

  template <class T> __device__ T sum(T value) const { return fold(value, detail::plus<T>); }
  template <class T> __device__ T min(T value) const {
    if constexpr (in_one_step<T>)
      return __reduce_min_sync(full_warp, value);
    else
      return one(fold(value, detail::least<T>));
  }
  template <class T> __device__ T max(T value) const {
    if constexpr (in_one_step<T>)
      return __reduce_max_sync(full_warp, value);
    else
      return one(fold(value, detail::greatest_of<T>));
  }
  __device__ bool any(bool value) const { return (__ballot_sync(mask(), value) & mask()) != 0; }
  __device__ bool all(bool value) const { return !any(!value); }

  /// The lanes' values put together by combine(a, b), in any order.
  template <class T, class Combine> __device__ T fold(T value, Combine combine) const {
    for (unsigned step = count / 2; step > 0; step /= 2)
      value = combine(value, __shfl_xor_sync(mask(), value, static_cast<int>(step), static_cast<int>(count)));
    return value;
  }

  /// Of equal values the first lane's: 0 and -0 are equal, and a lane that had the other might go another way.
  template <class T> __device__ static T one(T value) {
    if constexpr (std::is_floating_point<T>::value)
      return __shfl_sync(mask(), value, 0, static_cast<int>(count));
    else
      return value;
  }

private:
  /// Whether an instruction finds the least or the greatest of a warp.
#if defined(__CUDA_ARCH__) && !defined(GCOMPILE_CUDA_EMULATION) && __CUDA_ARCH__ >= 800
  template <class T> static constexpr bool in_one_step = count == 32 && std::is_integral<T>::value && sizeof(T) == 4;
#else
  template <class T> static constexpr bool in_one_step = false;
#endif
  __device__ static unsigned mask() {
    return count == 32 ? full_warp : ((1u << (count % 32)) - 1) << (lane_of_warp() / count * count);
  }
};

/// All threads of a block that run one iteration together.
template <unsigned threads> class BlockLanes {
public:
  __device__ unsigned rank() const { return threadIdx.x; }
  __device__ static constexpr unsigned size() { return threads; }
  __device__ bool leader() const { return threadIdx.x == 0; }
  __device__ void sync() const { __syncthreads(); }
  template <class V> __device__ Share<V, threads> share(const Span<V> &span) const { return {span, rank()}; }
  template <class C> __device__ CursorShare<C> share(const gc::detail::CursorRange<C> &range) const {
    return {range, rank(), size()};
  }

  template <class T> __device__ T sum(T value) const { return fold(value, detail::plus<T>); }
  template <class T> __device__ T min(T value) const { return WarpLanes<32>::one(fold(value, detail::least<T>)); }
  template <class T> __device__ T max(T value) const { return WarpLanes<32>::one(fold(value, detail::greatest_of<T>)); }
  __device__ bool any(bool value) const { return __syncthreads_or(value) != 0; }
  __device__ bool all(bool value) const { return __syncthreads_and(value) != 0; }

  /// As WarpLanes::fold.
  template <class T, class Combine> __device__ T fold(T value, Combine combine) const {
    GCOMPILE_CUDA_SHARED(Partial<T>, partial);
    constexpr unsigned warps = threads / 32;
    static_assert((warps & (warps - 1)) == 0 && warps <= 32, "each warp adds up what all have");
    for (int step = 16; step > 0; step /= 2)
      value = combine(value, __shfl_xor_sync(full_warp, value, step));
    if (threadIdx.x % 32 == 0)
      partial.of[threadIdx.x / 32] = value;
    __syncthreads();
    value = partial.of[lane_of_warp() % warps];
    for (unsigned step = warps / 2; step > 0; step /= 2)
      value = combine(value, __shfl_xor_sync(full_warp, value, static_cast<int>(step)));
    __syncthreads();
    return value;
  }

private:
  template <class T> struct Partial { T of[32]; };
};

/// What all lanes have found: the least or greatest key, and of several witnesses the smallest.
template <class Lanes, class Key, class Witness>
__device__ gc::ArgMin<Key, Witness> found(const Lanes &lanes, const gc::ArgMin<Key, Witness> &mine) {
  gc::ArgMin<Key, Witness> all;
  const Key key = lanes.min(mine.key());
  all.add(key, lanes.min(key < mine.key() ? none<Witness>() : mine.witness()));
  return all;
}
template <class Lanes, class Key, class Witness>
__device__ gc::ArgMax<Key, Witness> found(const Lanes &lanes, const gc::ArgMax<Key, Witness> &mine) {
  gc::ArgMax<Key, Witness> all;
  const Key key = lanes.max(mine.key());
  all.add(key, lanes.min(mine.key() < key ? none<Witness>() : mine.witness()));
  return all;
}

/// visit(0) to visit(count - 1), unrolled: arrays that these numbers choose from stay in registers.
template <unsigned count, class Visit> __device__ void each_of(const Visit &visit) {
  GCOMPILE_CUDA_UNROLL(unroll)
  for (unsigned i = 0; i < count; ++i)
    visit(i);
}

/// Asks for memory that is needed soon.
__device__ inline void prefetch([[maybe_unused]] const void *address) {
#ifndef GCOMPILE_CUDA_EMULATION
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

} // namespace cuda
} // namespace gc

#endif
