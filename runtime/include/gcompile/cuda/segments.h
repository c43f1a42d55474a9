// What a loop computes over the arcs into each vertex, by way of shared memory.
//
// A segment is some vertices in a row whose values fit into a block's shared memory. A tile is some arcs in a row, in
// the order of the vertices that they go into, whose values fit there too. First, blocks take the values of a segment
// into shared memory and write, for each tile in turn, the one that each of its arcs asks for. Then a block takes what
// was written for a tile into shared memory and puts together the lists in it. So the device's memory is read and
// written in rows of 16 bytes or more, and no value is fetched from a place of its own: propagation blocking (Beamer et
// al., "Reducing PageRank communication via propagation blocking", 2017) without ids and without writes at random.
#ifndef GCOMPILE_CUDA_SEGMENTS_H
#define GCOMPILE_CUDA_SEGMENTS_H

#include <gcompile/cuda/first_sources.h>
#include <gcompile/cuda/kernels.h>
#include <gcompile/locality.h>

#include <memory>
#include <vector>

#ifdef GCOMPILE_CUDA_EMULATION
#define GCOMPILE_CUDA_UNROLL(pragma)
#else
#define GCOMPILE_CUDA_UNROLL(pragma) _Pragma(#pragma)
#endif

// Shared memory beyond what a kernel may declare; an emulation defines these its own way.
#ifndef GCOMPILE_CUDA_LAUNCH_SHARED
#define GCOMPILE_CUDA_LAUNCH_SHARED(kernel, grid, block, bytes, ...)                                                   \
  (gc::cuda::detail::allow_shared(kernel, bytes), kernel<<<(grid), (block), (bytes)>>>(__VA_ARGS__))
#define GCOMPILE_CUDA_LARGE_SHARED(Type, name)                                                                         \
  extern __shared__ double2 gcompile_large_shared[];                                                                   \
  Type &name = *reinterpret_cast<Type *>(gcompile_large_shared)
#endif

namespace gc {
namespace cuda {
namespace detail {

/// Lets a kernel have more shared memory than it may declare.
template <class Kernel> void allow_shared(Kernel kernel, unsigned bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "not enough shared memory");
}

/// Shared memory that a block can have at most, in bytes.
inline unsigned largest_shared() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "no device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "no device");
  return static_cast<unsigned>(bytes);
}

/// Bytes of a segment's values at most; of the values and places of a tile at most, by half of a multiprocessor's
/// threads, and where a third of them do.
constexpr unsigned most_segment_bytes = 768 * block_threads, tile_bytes = 432 * block_threads,
                   small_tile_bytes = 288 * block_threads;
/// Threads that take a tile.
constexpr unsigned tile_threads = 2 * block_threads;
/// Segments of a graph at most.
constexpr unsigned most_segments = 4096;

template <class T> struct SegmentValues { alignas(16) T of[most_segment_bytes / sizeof(T)]; };
template <class T> struct TileValues { alignas(16) T of[tile_bytes / sizeof(T)]; };

/// How the in-arcs of a graph are laid out, in the device's memory. Places for values come in fours, all of one segment
/// and one tile; those that no arc asks for have any value.
template <class V> struct SegmentsView {
  EdgeId arcs;
  V n;
  unsigned width, segments;      ///< vertices of a segment; segments
  unsigned tile_arcs, tiles;     ///< arcs of a tile, a multiple of 8; tiles
  unsigned room;                 ///< places of a tile at most: a multiple of 8, less than 2^16
  const V *first;                ///< tiles + 1: the first vertex whose list begins in the tile or behind it
  const std::uint32_t *starts;   ///< segments * tiles + 1: the first four of segment s and tile t, at s * tiles + t
  const unsigned short *sources; ///< four for each four: vertices, counted from the segment's first
  const std::uint32_t *fours;    ///< room / 4 for each tile: those that it takes
  const std::uint32_t *counts;   ///< tiles: how many these are
  const unsigned short *places;  ///< arcs: where in its tile an arc's value is
};

// ---- The layout -----------------------------------------------------------------------------------------------------

template <class V>
__global__ void __launch_bounds__(block_threads)
    first_of_tiles_kernel(const EdgeId *offsets, SegmentsView<V> s, V *first) {
  for (std::uint64_t t = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; t <= s.tiles;
       t += std::uint64_t(gridDim.x) * block_threads) {
    // The number of lists that begin before the tile.
    V low = 0, high = t == s.tiles ? 0 : s.n;
    while (low < high) {
      const V middle = low + (high - low) / 2;
      if (offsets[middle] < t * s.tile_arcs)
        low = middle + 1;
      else
        high = middle;
    }
    first[t] = t == s.tiles ? s.n : low;
  }
}

/// Shared memory for sums over a block.
struct BlockSums {
  unsigned of[32];
  /// The sum of the values of the threads before this one; `total`: of all. Every thread of the block calls.
  __device__ unsigned before(unsigned value, unsigned &total) {
    const unsigned upto = warp_prefix_sum(value), warp = threadIdx.x / 32;
    __syncthreads();
    if (lane_of_warp() == 31)
      of[warp] = upto;
    __syncthreads();
    unsigned before = 0;
    total = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) {
      before += w < warp ? of[w] : 0;
      total += of[w];
    }
    return before + upto - value;
  }
};

/// How many arcs of a tile have their sources in each segment.
struct SegmentCounts {
  unsigned of[most_segments];
  template <class V> __device__ void count(const SegmentsView<V> &s, const V *in_sources, unsigned t) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < s.segments; i += blockDim.x)
      of[i] = 0;
    __syncthreads();
    each(s, t, [&](EdgeId k) { atomicAdd(&of[static_cast<unsigned>(in_sources[k]) / s.width], 1u); });
    __syncthreads();
  }
  /// Calls f(k) for each arc of the tile.
  template <class V, class F> static __device__ void each(const SegmentsView<V> &s, unsigned t, const F &f) {
    const EdgeId begin = EdgeId(t) * s.tile_arcs, end = begin + s.tile_arcs < s.arcs ? begin + s.tile_arcs : s.arcs;
    for (EdgeId k = begin + threadIdx.x; k < end; k += blockDim.x)
      f(k);
  }
};

/// Counts the fours of each segment and each tile.
template <class V>
__global__ void __launch_bounds__(tile_threads)
    count_fours_kernel(const V *in_sources, SegmentsView<V> s, std::uint32_t *fours) {
  GCOMPILE_CUDA_SHARED(SegmentCounts, counts);
  for (unsigned t = blockIdx.x; t < s.tiles; t += gridDim.x) {
    counts.count(s, in_sources, t);
    for (unsigned i = threadIdx.x; i < s.segments; i += blockDim.x)
      fours[std::uint64_t(i) * s.tiles + t] = (counts.of[i] + 3) / 4;
  }
}

/// Gives each arc a place in its tile, in any order within a segment: lists are put together in their own order.
template <class V>
__global__ void __launch_bounds__(tile_threads)
    place_arcs_kernel(const V *in_sources, SegmentsView<V> s, unsigned short *sources, std::uint32_t *fours,
                      std::uint32_t *counts, unsigned short *places) {
  GCOMPILE_CUDA_SHARED(SegmentCounts, next);
  GCOMPILE_CUDA_SHARED(BlockSums, sums);
  for (unsigned t = blockIdx.x; t < s.tiles; t += gridDim.x) {
    next.count(s, in_sources, t);
    // Of each segment: its next place.
    unsigned done = 0;
    for (unsigned from = 0; from < s.segments; from += blockDim.x) {
      const unsigned i = from + threadIdx.x, its = i < s.segments ? (next.of[i] + 3) / 4 : 0;
      unsigned total = 0;
      const unsigned first = done + sums.before(its, total);
      const std::uint32_t start = i < s.segments ? s.starts[std::uint64_t(i) * s.tiles + t] : 0;
      for (unsigned c = 0; c < its; ++c)
        fours[std::uint64_t(t) * (s.room / 4) + first + c] = start + c;
      if (i < s.segments)
        next.of[i] = 4 * first;
      done += total;
    }
    if (threadIdx.x == 0)
      counts[t] = done;
    __syncthreads();
    SegmentCounts::each(s, t, [&](EdgeId k) {
      const auto source = static_cast<unsigned>(in_sources[k]), segment = source / s.width;
      const unsigned place = atomicAdd(&next.of[segment], 1u);
      places[k] = static_cast<unsigned short>(place);
      const std::uint32_t four = fours[std::uint64_t(t) * (s.room / 4) + place / 4];
      sources[4 * std::uint64_t(four) + place % 4] = static_cast<unsigned short>(source - segment * s.width);
    });
  }
}

constexpr unsigned scan_elements = 16 * team_threads; // of a block

/// The sum of each block's elements.
static __global__ void __launch_bounds__(team_threads)
    sum_elements_kernel(const std::uint32_t *values, std::uint64_t count, std::uint32_t *sums) {
  GCOMPILE_CUDA_SHARED(BlockSums, shared);
  unsigned mine = 0, total = 0;
  for (unsigned i = 0; i < scan_elements; i += team_threads) {
    const std::uint64_t at = std::uint64_t(blockIdx.x) * scan_elements + i + threadIdx.x;
    mine += at < count ? values[at] : 0;
  }
  shared.before(mine, total);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}

/// Replaces each element by the sum of those before it, of which `sums` has those of other blocks; without `sums`, one
/// block takes them all.
static __global__ void __launch_bounds__(team_threads)
    scan_elements_kernel(std::uint32_t *values, std::uint64_t count, const std::uint32_t *sums) {
  GCOMPILE_CUDA_SHARED(BlockSums, shared);
  std::uint64_t at = sums ? std::uint64_t(blockIdx.x) * scan_elements : 0;
  const std::uint64_t end = sums && at + scan_elements < count ? at + scan_elements : count;
  unsigned before = sums ? sums[blockIdx.x] : 0;
  for (; at < end; at += team_threads) {
    unsigned total = 0;
    const bool inside = at + threadIdx.x < end;
    const unsigned prefix = shared.before(inside ? values[at + threadIdx.x] : 0, total);
    if (inside)
      values[at + threadIdx.x] = before + prefix;
    before += total;
  }
}

/// Replaces each element by the sum of those before it.
inline void exclusive_scan(Buffer<std::uint32_t> &values) {
  const std::uint64_t count = values.size();
  const auto blocks = static_cast<unsigned>((count + scan_elements - 1) / scan_elements);
  Buffer<std::uint32_t> sums(blocks);
  GCOMPILE_CUDA_LAUNCH(sum_elements_kernel, blocks, team_threads, values.data(), count, sums.data());
  GCOMPILE_CUDA_LAUNCH(scan_elements_kernel, 1, team_threads, sums.data(), std::uint64_t(blocks),
                       static_cast<const std::uint32_t *>(nullptr));
  GCOMPILE_CUDA_LAUNCH(scan_elements_kernel, blocks, team_threads, values.data(), count,
                       static_cast<const std::uint32_t *>(sums.data()));
}

// ---- The two halves of a gather -------------------------------------------------------------------------------------

/// Values that are read and written at once.
template <class T> struct alignas(16) Pack {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of one or two words");
  static constexpr unsigned size = 16 / sizeof(T), of_four = 4 / size;
  T of[size];
};
template <unsigned size> struct alignas(2 * size) Sources { unsigned short of[size]; };

template <class V, class F> __device__ typename F::Value value_of(const F &f, V u) {
  // What may fail is evaluated where the loop would: at sources of arcs.
  if constexpr (F::may_fail)
    if (f.graph.out_begin(u) == f.graph.out_end(u))
      return F::first();
  return f.source(u);
}

/// Writes the values of all fours. Each block has as many fours as the others, of segments in a row.
template <class V, class F>
__global__ void __launch_bounds__(team_threads) spread_kernel(F f, SegmentsView<V> s, Pack<typename F::Value> *values) {
  using T = typename F::Value;
  GCOMPILE_CUDA_LARGE_SHARED(SegmentValues<T>, own);
  constexpr unsigned each = Pack<T>::size, of_four = Pack<T>::of_four;
  const auto start_of = [&](unsigned segment) { return s.starts[std::uint64_t(segment) * s.tiles]; };
  const std::uint64_t total = start_of(s.segments), end = total * (blockIdx.x + 1) / gridDim.x;
  std::uint64_t at = total * blockIdx.x / gridDim.x;
  unsigned segment = 0;
  for (unsigned count = s.segments; count > 1;) {
    const unsigned half = count / 2;
    if (start_of(segment + half) <= at)
      segment += half;
    count -= half;
  }
  const auto *const sources = reinterpret_cast<const Sources<each> *>(s.sources);
  for (; at < end; ++segment) {
    const std::uint64_t behind = start_of(segment + 1), until = behind < end ? behind : end;
    if (until <= at)
      continue;
    const V first = static_cast<V>(segment) * s.width;
    const unsigned count = s.n - first < s.width ? static_cast<unsigned>(s.n - first) : s.width;
    __syncthreads();
    GCOMPILE_CUDA_UNROLL(unroll 8)
    for (unsigned i = threadIdx.x; i < count; i += team_threads)
      own.of[i] = value_of<V>(f, first + i);
    __syncthreads();
    constexpr unsigned batch = 8; // loads that do not wait for each other
    for (std::uint64_t k = at * of_four + threadIdx.x; k < until * of_four; k += batch * team_threads) {
      Sources<each> its[batch];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (k + b * team_threads < until * of_four)
          its[b] = sources[k + b * team_threads];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (k + b * team_threads < until * of_four) {
          Pack<T> pack;
          for (unsigned i = 0; i < each; ++i)
            pack.of[i] = own.of[its[b].of[i]];
          values[k + b * team_threads] = pack;
        }
    }
    at = until;
  }
}

/// Starts to copy 16 bytes to shared memory.
__device__ inline void start_copy(void *to, const void *from) {
#ifdef GCOMPILE_CUDA_EMULATION
  memcpy(to, from, 16);
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#endif
}
/// Waits for the copies that this thread has started.
__device__ inline void wait_copies() {
#ifndef GCOMPILE_CUDA_EMULATION
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Lists of a tile that more lanes take than short ones.
struct LongerLists {
  static constexpr unsigned least = 64; // arcs, at least one more than that
  struct List {
    unsigned row;
    unsigned short begin, end;
    __device__ unsigned length() const { return unsigned(end) - begin; }
  };
  unsigned count, taken;
  List lists[tile_bytes / 6 / least + 1];
};

/// Puts together the lists of each tile. What a tile has of a list that began before it goes to `carries`.
template <class V, class F>
__global__ void __launch_bounds__(tile_threads, 3)
    collect_kernel(F, const EdgeId *offsets, SegmentsView<V> s, const Pack<typename F::Value> *values,
                   typename F::Value *results, typename F::Value *carries) {
  using T = typename F::Value;
  GCOMPILE_CUDA_LARGE_SHARED(TileValues<T>, own);
  GCOMPILE_CUDA_SHARED(LongerLists, longer);
  auto *const places = reinterpret_cast<unsigned short *>(own.of + s.room);
  constexpr unsigned each = Pack<T>::size, of_four = Pack<T>::of_four, batch = 6;
  // Of the rows that a warp takes at a time, a group of lanes takes one in each turn.
  constexpr unsigned lanes = 2, groups = 32 / lanes, turns = 2, warps = tile_threads / 32;
  static_assert(groups * turns == 32, "each lane knows one row");
  constexpr unsigned short_list = LongerLists::least, long_list = 4 * tile_threads;
  const unsigned lane = lane_of_warp();
  const WarpLanes<lanes> team;
  const WarpLanes<32> warp;
  for (unsigned t = blockIdx.x; t < s.tiles; t += gridDim.x) {
    const EdgeId begin = EdgeId(t) * s.tile_arcs, end = begin + s.tile_arcs < s.arcs ? begin + s.tile_arcs : s.arcs;
    const auto arcs = static_cast<unsigned>(end - begin);
    const unsigned packs = s.counts[t] * of_four;
    const std::uint32_t *const fours = s.fours + std::uint64_t(t) * (s.room / 4);
    const V first = s.first[t], last = s.first[t + 1];
    __syncthreads();
    if (threadIdx.x == 0)
      longer.count = longer.taken = 0;
    for (unsigned k = threadIdx.x * 8; k < arcs; k += tile_threads * 8)
      start_copy(places + k, s.places + begin + k);
    for (unsigned j = threadIdx.x; j < packs; j += batch * tile_threads) {
      std::uint32_t from[batch];
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        from[b] = j + b * tile_threads < packs ? fours[(j + b * tile_threads) / of_four] : 0;
      GCOMPILE_CUDA_UNROLL(unroll)
      for (unsigned b = 0; b < batch; ++b)
        if (const unsigned at = j + b * tile_threads; at < packs)
          start_copy(&own.of[at * each], values + std::uint64_t(from[b]) * of_four + at % of_four);
    }
    // Row 0 may be the rest of a list that began before.
    const bool carries_on = offsets[first] > begin;
    const auto rows = static_cast<unsigned>(last - first) + carries_on;
    if (t + gridDim.x < s.tiles) { // the block's next tile
      for (unsigned k = threadIdx.x * 64; k < s.tile_arcs; k += tile_threads * 64)
        prefetch(s.places + begin + std::uint64_t(gridDim.x) * s.tile_arcs + k);
      for (unsigned k = threadIdx.x * 32; k < s.room / 4; k += tile_threads * 32)
        prefetch(fours + std::uint64_t(gridDim.x) * (s.room / 4) + k);
    }
    wait_copies();
    __syncthreads();
    const auto together = [&](const auto &these, unsigned from, unsigned to) {
      T all = F::first();
      GCOMPILE_CUDA_UNROLL(unroll 4)
      for (unsigned k = from + these.rank(); k < to; k += these.size())
        all = F::combine(all, own.of[places[k]]);
      return these.fold(all, [](T a, T b) { return F::combine(a, b); });
    };
    const auto put = [&](unsigned row, T value) {
      if (carries_on && row == 0)
        carries[t] = value;
      else
        results[first + row - carries_on] = value;
    };
    for (unsigned base = threadIdx.x / 32 * (groups * turns); base < rows; base += warps * groups * turns) {
      unsigned from = 0, to = 0;
      if (base + lane < rows) {
        const V v = first + base + lane - carries_on;
        const EdgeId its_begin = offsets[v], its_end = offsets[v + 1];
        from = its_begin > begin ? static_cast<unsigned>(its_begin - begin) : 0;
        to = static_cast<unsigned>((its_end < end ? its_end : end) - begin);
        if (to - from > short_list)
          longer.lists[atomicAdd(&longer.count, 1u)] = {base + lane, static_cast<unsigned short>(from),
                                                        static_cast<unsigned short>(to)};
      }
      for (unsigned turn = 0; turn < turns; ++turn) {
        const unsigned which = turn * groups + lane / lanes;
        const unsigned its_from = __shfl_sync(full_warp, from, static_cast<int>(which)),
                       its_to = __shfl_sync(full_warp, to, static_cast<int>(which));
        if (base + which < rows && its_to - its_from <= short_list) {
          const T value = together(team, its_from, its_to);
          if (team.leader())
            put(base + which, value);
        }
        __syncwarp();
      }
    }
    __syncthreads();
    const unsigned found = longer.count;
    for (;;) {
      unsigned i = 0;
      if (warp.leader())
        i = atomicAdd(&longer.taken, 1u);
      i = __shfl_sync(full_warp, i, 0);
      if (i >= found)
        break;
      const LongerLists::List list = longer.lists[i];
      if (list.length() > long_list)
        continue;
      const T value = together(warp, list.begin, list.end);
      if (warp.leader())
        put(list.row, value);
    }
    // The block takes the longest lists together.
    for (unsigned i = 0; arcs > long_list && i < found; ++i) {
      const LongerLists::List list = longer.lists[i];
      if (list.length() <= long_list)
        continue;
      const BlockLanes<tile_threads> block;
      const T value = together(block, list.begin, list.end);
      if (block.leader())
        put(list.row, value);
    }
  }
}

/// Adds what tiles have of lists that began before them: a warp for each such list.
template <class V, class F>
__global__ void __launch_bounds__(block_threads)
    carry_kernel(F, const EdgeId *offsets, SegmentsView<V> s, typename F::Value *results,
                 const typename F::Value *carries) {
  using T = typename F::Value;
  const WarpLanes<32> warp;
  const unsigned warps = gridDim.x * (block_threads / 32);
  for (unsigned t = (blockIdx.x * block_threads + threadIdx.x) / 32; t < s.tiles; t += warps) {
    const EdgeId begin = EdgeId(t) * s.tile_arcs;
    const V first = s.first[t];
    // The warp of the second tile that the list is in.
    if (offsets[first] <= begin || offsets[first - 1] + s.tile_arcs < begin)
      continue;
    const EdgeId end = offsets[first];
    T all = F::first();
    for (unsigned k = t + lane_of_warp(); k < s.tiles && EdgeId(k) * s.tile_arcs < end; k += 32)
      all = F::combine(all, carries[k]);
    all = warp.fold(all, [](T a, T b) { return F::combine(a, b); });
    if (warp.leader())
      results[first - 1] = F::combine(results[first - 1], all);
  }
}

/// The same without segments.
template <class V, class F> struct GatherPlainly {
  static constexpr bool by_lanes = true;
  F f;
  gc::Graph<V> graph;
  typename F::Value *results;

  template <class Lanes> __device__ void operator()(const V v, const Lanes lanes) const {
    using T = typename F::Value;
    T all = F::first();
    for (const V u : lanes.share(graph.in_neighbors(v)))
      all = F::combine(all, f.source(u));
    all = lanes.fold(all, [](T a, T b) { return F::combine(a, b); });
    if (lanes.leader())
      results[v] = all;
  }
};

/// The layout of a graph for values of `bytes` bytes, and room for them.
template <class V> class SegmentedArcs {
public:
  /// `width` vertices to a segment, or as many as the shared memory holds, if that is less; or more, so that there are
  /// not too many segments.
  SegmentedArcs(const Graph<V> &graph, std::uint64_t width, unsigned bytes) : arcs_(graph.num_arcs()) {
    const std::uint64_t n = graph.num_vertices(), largest = largest_shared();
    const std::uint64_t most = std::min<std::uint64_t>(most_segment_bytes, largest / 8 * 7) / bytes;
    width = std::min(std::max(width, n / most_segments + 1), std::min<std::uint64_t>(most, 1 << 16));
    const std::uint64_t segments = (n + width - 1) / width;
    if (segments > most_segments || n == 0 || arcs_ == 0)
      return;
    view_.arcs = arcs_;
    view_.n = graph.num_vertices();
    view_.width = static_cast<unsigned>(width);
    view_.segments = static_cast<unsigned>(segments);
    // A tile has its share of the shared memory as a segment has: a smaller one if enough of its arcs come from each.
    const double part = std::min(1.0, static_cast<double>(width) / static_cast<double>(most));
    const auto room = [&](std::uint64_t of) {
      return std::max(static_cast<unsigned>(part * static_cast<double>(of)) / (bytes + 2) / 8 * 8, 64u);
    };
    view_.room = room(std::min<std::uint64_t>(small_tile_bytes, largest / 3));
    if (view_.room < 16 * segments)
      view_.room = room(std::min<std::uint64_t>(tile_bytes, largest / 2));
    // A segment may leave three places of its fours empty.
    const unsigned lost = 3 * view_.segments;
    view_.tile_arcs = std::max(view_.room > lost ? view_.room - lost : 0, view_.room / 4) / 8 * 8;
    const std::uint64_t tiles = (arcs_ + view_.tile_arcs - 1) / view_.tile_arcs;
    if (tiles * (view_.room / 4) >= ~std::uint32_t(0))
      return;
    view_.tiles = static_cast<unsigned>(tiles);
    const double pairs = static_cast<double>(segments) * static_cast<double>(tiles);
    const double places = std::min(static_cast<double>(tiles * view_.room), static_cast<double>(arcs_) + 3 * pairs);
    if (!has_even_tiles(graph))
      return;
    fits_ = graph.take_spare(4 * pairs + places * (2 + bytes) + static_cast<double>(tiles * view_.room) +
                             2. * static_cast<double>(arcs_) + static_cast<double>(tiles) * (sizeof(V) + 4 + bytes));
    if (fits_)
      make(graph, bytes);
  }

  /// Whether there is a layout: segments are not too many, tiles are even, and memory is left.
  bool fits() const { return fits_; }
  /// Arcs of a tile for each segment.
  unsigned arcs_of_pair() const { return view_.segments ? view_.tile_arcs / view_.segments : 0; }

  template <class F> void gather(const Graph<V> &graph, const F &f, typename F::Value *results) {
    using T = typename F::Value;
    auto *const values = reinterpret_cast<Pack<T> *>(values_.data());
    auto *const carries = reinterpret_cast<T *>(carries_.data());
    const EdgeId *const offsets = graph.view().in_offsets;
    const unsigned tile_size = view_.room * (sizeof(T) + 2);
    const unsigned blocks = std::min(view_.tiles, multiprocessors() * (tile_size <= small_tile_bytes ? 3 : 2));
    GCOMPILE_CUDA_LAUNCH_SHARED((spread_kernel<V, F>), multiprocessors(), team_threads,
                                static_cast<unsigned>(view_.width * sizeof(T)), f, view_, values);
    GCOMPILE_CUDA_LAUNCH_SHARED((collect_kernel<V, F>), blocks, tile_threads, tile_size, f, offsets, view_,
                                static_cast<const Pack<T> *>(values), results, carries);
    GCOMPILE_CUDA_LAUNCH((carry_kernel<V, F>), blocks_for(std::uint64_t(view_.tiles) * 32), block_threads, f, offsets,
                         view_, results, static_cast<const T *>(carries));
    check(cudaGetLastError(), "cannot start a kernel");
  }

private:
  struct alignas(16) Sixteen {
    unsigned char bytes[16];
  };

  /// Notes the first vertex of each tile. Whether no tile has many more vertices than arcs, as one would where most
  /// vertices without arcs follow each other: a block would take them all.
  bool has_even_tiles(const Graph<V> &graph) {
    first_ = Buffer<V>(view_.tiles + 1);
    GCOMPILE_CUDA_LAUNCH((first_of_tiles_kernel<V>), blocks_for(view_.tiles + 1), block_threads,
                         graph.view().in_offsets, view_, first_.data());
    check(cudaGetLastError(), "cannot start a kernel");
    std::vector<V> first(view_.tiles + 1);
    first_.download(first.data(), first.size());
    const std::uint64_t most = std::max<std::uint64_t>(4 * view_.tile_arcs, 16 * tile_threads);
    for (unsigned t = 0; t < view_.tiles; ++t)
      if (first[t + 1] - first[t] > most)
        return false;
    return true;
  }

  void make(const Graph<V> &graph, unsigned bytes) {
    const gc::Graph<V> &g = graph.view();
    const std::uint64_t pairs = std::uint64_t(view_.segments) * view_.tiles;
    starts_ = Buffer<std::uint32_t>(pairs + 1);
    fours_ = Buffer<std::uint32_t>(std::uint64_t(view_.tiles) * (view_.room / 4));
    counts_ = Buffer<std::uint32_t>(view_.tiles);
    places_ = Buffer<unsigned short>(arcs_ + 8); // 16 bytes are read at a time
    carries_ = Buffer<std::uint64_t>(view_.tiles);
    const unsigned blocks = std::min(view_.tiles, multiprocessors() * 4);
    starts_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((count_fours_kernel<V>), blocks, tile_threads, g.in_sources, view_, starts_.data());
    exclusive_scan(starts_);
    std::uint32_t fours = 0;
    starts_.download(&fours, 1, pairs);
    sources_ = Buffer<unsigned short>(4 * std::uint64_t(fours));
    sources_.clear_bytes();
    values_ = Buffer<Sixteen>(std::uint64_t(fours) * bytes / 4);
    view_.first = first_.data();
    view_.starts = starts_.data();
    view_.sources = sources_.data();
    view_.fours = fours_.data();
    view_.counts = counts_.data();
    view_.places = places_.data();
    GCOMPILE_CUDA_LAUNCH((place_arcs_kernel<V>), blocks, tile_threads, g.in_sources, view_, sources_.data(),
                         fours_.data(), counts_.data(), places_.data());
    synchronize();
  }

  SegmentsView<V> view_ = {};
  EdgeId arcs_;
  bool fits_ = false;
  Buffer<V> first_;
  Buffer<std::uint32_t> starts_, fours_, counts_;
  Buffer<unsigned short> sources_, places_;
  Buffer<std::uint64_t> carries_;
  Buffer<Sixteen> values_;
};

} // namespace detail

/// Gathers over the in-arcs of a graph that go by segments of so many vertices; without them where memory is short.
///
/// What is gathered is a function object F with a type Value of 4 or 8 bytes: `source(u)` is what an arc from u brings,
/// combine(a, b) puts two of these together in any order, and first() changes nothing. If F::may_fail, source() may end
/// the program, and F has the graph as its member `graph`.
template <class V> class Segments {
public:
  Segments(const Graph<V> &graph, std::size_t width) : graph_(graph), width_(width) {}

  /// results[v] = what the arcs into v bring, for every vertex v.
  template <class F> void gather(const F &f, typename F::Value *results) {
    detail::SegmentedArcs<V> &arcs = layout(sizeof(typename F::Value));
    if (arcs.fits())
      arcs.gather(graph_, f, results);
    else
      for_vertices(graph_, detail::GatherPlainly<V, F>{f, graph_.view(), results});
  }

protected:
  detail::SegmentedArcs<V> &layout(unsigned bytes) {
    std::unique_ptr<detail::SegmentedArcs<V>> &made = layouts_[bytes / 8];
    if (!made)
      made = std::make_unique<detail::SegmentedArcs<V>>(graph_, width_, bytes);
    return *made;
  }

  const Graph<V> &graph_;

private:
  std::uint64_t width_;
  std::unique_ptr<detail::SegmentedArcs<V>> layouts_[2]; // for values of 4 bytes, and of 8
};

/// Segments of a program that asks in each of its rounds whether to go by them: from the third round on, where the
/// values of the sources take much of the second-level cache and most are read far away from the last.
template <class V> class ChosenSegments : public Segments<V> {
public:
  /// `bytes` are read of each source.
  ChosenSegments(const Graph<V> &graph, std::size_t bytes)
      : Segments<V>(graph, ~std::uint32_t(0)), bytes_(std::max<std::size_t>(bytes, 4)) {}

  /// Whether to go by segments in this round, for values of 4 or 8 bytes.
  bool pay(unsigned value_bytes) {
    constexpr int patience = 3; // rounds: a layout takes as long as it saves in five to ten
    if (rounds_ < patience && ++rounds_ == patience)
      pays_ = are_many() && are_scattered() && this->layout(value_bytes).fits() &&
              this->layout(value_bytes).arcs_of_pair() >= 4;
    return pays_;
  }

private:
  /// A layout moves 13 or 21 bytes for each arc, and a gather by single reads 32 from the second-level cache, or from
  /// memory; but where degrees are uneven, the first-level caches have those of the highest.
  bool are_many() const {
    int device = 0, cache = 0;
    check(cudaGetDevice(&device), "no device");
    check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device), "no device");
    const double bytes = static_cast<double>(this->graph_.num_vertices()) * static_cast<double>(bytes_);
    if (!this->graph_.is_dense() || bytes < (bytes_ <= 4 ? cache / 4. : cache / 2.))
      return false;
    return bytes_ <= 4 || bytes >= cache || detail::has_even_degrees(this->graph_);
  }
  bool are_scattered() const {
    const gc::Graph<V> &host = this->graph_.host();
    return gc::detail::are_scattered(host.num_vertices(), detail::most_segment_bytes / bytes_,
                                     [&](V v) { return host.in_neighbors(v); });
  }

  const std::size_t bytes_;
  int rounds_ = 0;
  bool pays_ = false;
};

} // namespace cuda
} // namespace gc

#endif
