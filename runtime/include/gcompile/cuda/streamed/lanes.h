// Kernels by lanes that walk copies of lists which stand in the host's memory.
#ifndef GCOMPILE_CUDA_STREAMED_LANES_H
#define GCOMPILE_CUDA_STREAMED_LANES_H

#include <gcompile/cuda/kernels/share_out.h>

#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// Lists that follow each other in the host's memory, and a copy of them on the device.
template <class V> struct CopiedLists {
  const V *first, *last; ///< as kernels see them where they stand
  std::intptr_t shift;   ///< bytes from there to the copy

  /// Where a list is read: in the copy if it has all of it, else in place.
  __device__ const V *find(const V *begin, const V *end) const {
    return begin < first || end > last ? begin
                                       : reinterpret_cast<const V *>(reinterpret_cast<std::intptr_t>(begin) + shift);
  }
};

/// Lanes that read lists in a copy.
template <class V, class Lanes> class LanesOnCopy : public Lanes {
public:
  __device__ LanesOnCopy(const Lanes &lanes, const CopiedLists<V> &lists) : Lanes(lanes), lists_(lists) {}
  __device__ const CopiedLists<V> &lists() const { return lists_; }

  __device__ auto share(const Span<V> &span) const {
    const V *const first = lists_.find(span.first, span.last);
    return Lanes::share(Span<V>{first, first + span.size()});
  }
  template <class C> __device__ auto share(const gc::detail::CursorRange<C> &range) const {
    return Lanes::share(range);
  }

private:
  const CopiedLists<V> &lists_;
};

template <class V, class Lanes>
__device__ const V *list_at(const LanesOnCopy<V, Lanes> &lanes, const V *list, ArcId begin, ArcId end) {
  return lanes.lists().find(list + begin, list + end) - begin;
}

namespace detail {

/// A kernel by lanes with the copy that its lanes read.
template <class V, class F> struct OnCopy {
  static constexpr bool by_lanes = true;
  F kernel;
  CopiedLists<V> lists;

  template <class Lanes, class... Parts>
  __device__ void operator()(const V v, const Lanes lanes, Parts &...parts) const {
    kernel(v, LanesOnCopy<V, Lanes>(lanes, lists), parts...);
  }
};

template <class V, class F> struct PartsOf<OnCopy<V, F>> : PartsOf<F> {};
template <class V, class F> struct ReadsAhead<OnCopy<V, F>> { static constexpr bool value = false; };

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
