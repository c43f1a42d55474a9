// Aligned lists of neighbours as kernels see them: the k-th sources of 32 vertices with lists of like length lie side
// by side, so that a warp in which each lane has the list of one vertex reads whole lines (S5).
#ifndef GCOMPILE_CUDA_ALIGNED_ROWS_H
#define GCOMPILE_CUDA_ALIGNED_ROWS_H

#include <gcompile/cuda/device/lanes.h>
#include <gcompile/cuda/kernels/share_out.h>

#include <cstdint>

namespace gc {
namespace cuda {

/// The list of one vertex in a group: source k is first[32 * k].
template <class V> struct AlignedRow {
  V vertex;
  unsigned length; ///< 0: the place is empty
  const V *first;
};

/// The aligned lists of the arcs into some vertices of a graph, by groups of 32.
template <class V> struct AlignedView {
  const V *vertices;            ///< of group 0, of group 1, ...; 0 in an empty place
  const std::uint16_t *lengths; ///< of their lists; 0 in an empty place
  const ArcId *begins;          ///< where each group begins in `sources`
  const V *sources;             ///< source k of the vertex in place i of its group: 32 * k + i places behind its begin
  const std::uint32_t *members; ///< a bitmap of the vertices that are in a group
  const V *others;              ///< the vertices that are in none
  std::uint64_t count_others;
  std::uint32_t groups; ///< 0: no list is aligned, and nothing else is known

  /// That of the calling lane.
  __device__ AlignedRow<V> row(std::uint32_t group) const {
    const unsigned lane = lane_of_warp();
    const std::uint64_t place = std::uint64_t(group) * 32 + lane;
    return {vertices[place], lengths[place], sources + begins[group] + lane};
  }
};

/// A kernel, with the aligned lists that it reads where it can.
template <class V, class F> struct Aligned : F { AlignedView<V> lists; };
template <class V, class F> GCOMPILE_HD Aligned<V, F> aligned(const AlignedView<V> &lists, const F &kernel) {
  return {kernel, lists};
}

/// One lane that runs an iteration of a kernel by itself, for a vertex whose list is aligned.
template <class V> class AlignedLane {
public:
  __device__ explicit AlignedLane(const AlignedRow<V> &row) : row_(row) {}
  __device__ static constexpr unsigned rank() { return 0; }
  __device__ static constexpr unsigned size() { return 1; }
  __device__ static constexpr bool leader() { return true; }
  __device__ void sync() const {}
  template <class T> __device__ Share<T, 1> share(const Span<T> &span) const { return {span, 0}; }
  template <class C> __device__ CursorShare<C> share(const gc::detail::CursorRange<C> &range) const {
    return {range, 0, 1};
  }
  /// The vertex's list.
  __device__ Share<V, 32> row() const {
    const V *const first = row_.first;
    return {Span<V>{first, row_.length > 0 ? first + (row_.length - 1) * 32 + 1 : first}, 0};
  }

  template <class T> __device__ T sum(T value) const { return value; }
  template <class T> __device__ T min(T value) const { return value; }
  template <class T> __device__ T max(T value) const { return value; }
  __device__ bool any(bool value) const { return value; }
  __device__ bool all(bool value) const { return value; }
  template <class T, class Combine> __device__ T fold(T value, Combine) const { return value; }

private:
  AlignedRow<V> row_;
};

/// The lanes' shares of the list of their vertex, which is `list` where it is not aligned.
template <class Lanes, class V> __device__ auto share_aligned(const Lanes &lanes, const Span<V> &list) {
  return lanes.share(list);
}
template <class V> __device__ Share<V, 32> share_aligned(const AlignedLane<V> &lane, const Span<V> &) {
  return lane.row();
}

namespace detail {

template <class F> struct IsAligned { static constexpr bool value = false; };
template <class V, class F> struct IsAligned<Aligned<V, F>> { static constexpr bool value = true; };

/// f for the vertices of group `first` and of every `step`-th behind it, one a lane.
template <class V, class F, class Parts>
__device__ void visit_groups(const Aligned<V, F> &f, std::uint64_t first, std::uint64_t step, Parts &parts) {
  for (std::uint64_t group = first; group < f.lists.groups; group += step)
    if (const AlignedRow<V> row = f.lists.row(static_cast<std::uint32_t>(group)); row.length > 0)
      call(f, parts, row.vertex, AlignedLane<V>(row));
}

/// A loop over all vertices that reads aligned lists (cuda/aligned/gather.h).
template <class V, class F> struct AlignedLoop;

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
