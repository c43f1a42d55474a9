// Counting triangles on the device: every edge is directed to the end with more neighbours, and the common successors
// of its ends are looked up in a hash table in shared memory (Pandey et al. 2021), which holds the longer of the two
// lists.
#ifndef GCOMPILE_CUDA_TRIANGLES_TRIANGLES_H
#define GCOMPILE_CUDA_TRIANGLES_TRIANGLES_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/triangles/count_by_fingerprints.h>
#include <gcompile/cuda/triangles/oriented.h>

#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// A hash table of vertices.
template <class V> struct VertexTable {
  using Word = std::conditional_t<sizeof(V) == 8, unsigned long long, unsigned>;
  Word *slots;
  unsigned mask;

  __device__ unsigned first(V v) const { return static_cast<unsigned>(v * 0x9e3779b1u >> 7) & mask; }
  __device__ void clear(unsigned rank, unsigned step) const {
    for (unsigned i = rank; i <= mask; i += step)
      slots[i] = ~Word(0);
  }
  __device__ void insert(V v) const {
    for (unsigned at = first(v); atomicCAS(&slots[at], ~Word(0), static_cast<Word>(v)) != ~Word(0);)
      at = (at + 1) & mask;
  }
  __device__ bool contains(V v) const {
    for (unsigned at = first(v); slots[at] != ~Word(0); at = (at + 1) & mask)
      if (slots[at] == v)
        return true;
    return false;
  }
};

/// The mask of a table for so many vertices: four slots for each if there are so many, and never less than two.
__device__ inline unsigned table_mask(unsigned count, unsigned slots) {
  unsigned size = 32;
  while (size < 4 * count && size < slots)
    size *= 2;
  return size - 1;
}

/// How many of a list's vertices the table has, counted by `step` lanes; each reads four at a time.
template <unsigned step, class V>
__device__ unsigned count_common(const VertexTable<V> &table, const V *list, unsigned length, unsigned rank) {
  unsigned found = 0;
  for (unsigned j = rank; j < length; j += 4 * step) {
    V w[4];
    for (unsigned i = 0; i < 4; ++i)
      if (j + i * step < length)
        w[i] = list[j + i * step];
    for (unsigned i = 0; i < 4; ++i)
      found += j + i * step < length && table.contains(w[i]);
  }
  return found;
}

/// Adds up what the threads of a block have counted.
__device__ inline void add_count(unsigned long long mine, unsigned long long *total) {
  mine = WarpLanes<32>().sum(mine);
  if (lane_of_warp() == 0 && mine > 0)
    atomicAdd(total, mine);
}

/// One thread for a vertex with few neighbours: are two of its successors neighbours?
template <class V> __global__ void __launch_bounds__(block_threads) count_tiny_kernel(Oriented<V> o, std::uint64_t n) {
  unsigned long long found = 0;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < n;
       i += std::uint64_t(gridDim.x) * block_threads) {
    const unsigned length = o.length[i];
    if (length < 2 || o.degree[i] > Oriented<V>::tiny)
      continue;
    const V *const list = o.target + o.list(static_cast<V>(i));
    for (unsigned k = 1; k < length; ++k)
      for (unsigned j = 0; j < k; ++j) {
        V v = list[j], w = list[k];
        if (o.degree[w] < o.degree[v]) {
          const V other = v;
          v = w;
          w = other;
        }
        ArcId low = o.graph.out_begin(v), high = o.graph.out_end(v);
        while (low < high) {
          const ArcId middle = (low + high) / 2;
          if (o.graph.target(middle) < w)
            low = middle + 1;
          else
            high = middle;
        }
        found += low < o.graph.out_end(v) && o.graph.target(low) == w;
      }
  }
  add_count(found, &o.counters[0]);
}

/// The lists that a warp looks up next.
struct Lookups {
  ArcId first[32];
  unsigned length[32];
};

/// The lists that x takes among the ends of 32 arcs, and their number; the whole warp calls. `successors`: no list is
/// long, the arcs are those of x in `o.target`, and x takes them all.
template <bool successors, class V>
__device__ unsigned select_lookups(const Oriented<V> &o, V x, ArcId start, ArcId last, Lookups &lookups) {
  const ArcId e = start + lane_of_warp();
  const V y = e >= last ? x : successors ? o.target[e] : o.graph.target(e);
  const bool placed = successors && o.place;
  const std::uint64_t its = placed && e < last ? o.place[y] : 0;
  const bool mine = e < last && (placed ? (its & 0xffffffu) != 0 : successors ? o.length[y] > 0 : o.takes(x, e, y));
  const unsigned takers = __ballot_sync(full_warp, mine);
  const unsigned place = static_cast<unsigned>(__popc(takers & ((1u << lane_of_warp()) - 1)));
  __syncwarp();
  if (mine) {
    lookups.first[place] = placed ? its >> 24 : successors ? o.list(y) : o.graph.out_begin(y);
    lookups.length[place] = placed ? static_cast<unsigned>(its & 0xffffffu) : o.length[y];
  }
  __syncwarp();
  return static_cast<unsigned>(__popc(takers));
}

/// A warp for a vertex; eight lanes for each of its neighbours' lists.
template <class V> __global__ void __launch_bounds__(block_threads) count_warp_kernel(Oriented<V> o, std::uint64_t n) {
  struct Tables {
    typename VertexTable<V>::Word slots[block_threads / 32][Oriented<V>::warp_slots];
    Lookups lookups[block_threads / 32];
  };
  GCOMPILE_CUDA_SHARED(Tables, tables);
  const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
  unsigned long long found = 0;
  const std::uint64_t warps = std::uint64_t(gridDim.x) * (block_threads / 32);
  // Where no list is long, asking which of two is longer costs more than it saves.
  for (std::uint64_t first = (blockIdx.x * std::uint64_t(block_threads / 32) + warp) * 32; first < n;
       first += warps * 32) {
    const std::uint64_t i = first + lane;
    const unsigned mine = i < n && o.degree[i] > Oriented<V>::tiny && !o.is_long(static_cast<V>(i)) ? o.length[i] : 0;
    for (unsigned rest = __ballot_sync(full_warp, mine > 0); rest != 0; rest &= rest - 1) {
      const int owner = __ffs(static_cast<int>(rest)) - 1;
      const V x = static_cast<V>(first + static_cast<unsigned>(owner));
      const unsigned length = __shfl_sync(full_warp, mine, owner);
      const VertexTable<V> table = {tables.slots[warp], table_mask(length, Oriented<V>::warp_slots)};
      table.clear(lane, 32);
      __syncwarp();
      const V *const list = o.target + o.list(x);
      for (unsigned k = lane; k < length; k += 32)
        table.insert(list[k]);
      __syncwarp();
      const ArcId end = o.even ? o.list(x) + length : o.graph.out_end(x);
      for (ArcId start = o.even ? o.list(x) : o.graph.out_begin(x); start < end; start += 32) {
        const unsigned lists = o.even ? select_lookups<true>(o, x, start, end, tables.lookups[warp])
                                      : select_lookups<false>(o, x, start, end, tables.lookups[warp]);
        for (unsigned k = lane / 8; k < lists; k += 4)
          found += count_common<8>(table, o.target + tables.lookups[warp].first[k], tables.lookups[warp].length[k],
                                   lane % 8);
        __syncwarp();
      }
    }
  }
  add_count(found, &o.counters[0]);
}

/// A block for a chunk of a long list; a warp for each of the neighbours' lists.
template <class V> __global__ void __launch_bounds__(block_threads) count_chunks_kernel(Oriented<V> o) {
  struct Tables {
    typename VertexTable<V>::Word slots[Oriented<V>::block_slots];
    Lookups lookups[block_threads / 32];
  };
  GCOMPILE_CUDA_SHARED(Tables, tables);
  const unsigned warp = threadIdx.x / 32, lane = lane_of_warp();
  unsigned long long found = 0;
  draw_chunks(o, &o.counters[3], [&](V x, ArcId first, ArcId last) {
    // A list that the table does not hold is taken in parts.
    constexpr unsigned part = Oriented<V>::block_slots / 2;
    for (unsigned done = 0; done < o.length[x]; done += part) {
      const unsigned count = o.length[x] - done < part ? o.length[x] - done : part;
      const VertexTable<V> table = {tables.slots, table_mask(count, Oriented<V>::block_slots)};
      __syncthreads();
      table.clear(threadIdx.x, block_threads);
      __syncthreads();
      for (unsigned k = threadIdx.x; k < count; k += block_threads)
        table.insert(o.target[o.graph.out_begin(x) + done + k]);
      __syncthreads();
      for (ArcId start = first + warp * 32; start < last; start += block_threads) {
        const unsigned lists = select_lookups<false>(o, x, start, last, tables.lookups[warp]);
        for (unsigned k = 0; k < lists; ++k)
          found +=
              count_common<32>(table, o.target + tables.lookups[warp].first[k], tables.lookups[warp].length[k], lane);
        __syncwarp();
      }
    }
  });
  add_count(found, &o.counters[0]);
}

} // namespace detail

/// The number of triangles of an undirected graph; repeated edges and self-loops do not count.
template <class V> std::int64_t count_triangles(const Graph<V> &graph) {
  using Oriented = detail::Oriented<V>;
  const std::size_t n = graph.num_vertices(), arcs = graph.num_arcs();
  Buffer<unsigned> degree(n), length(n);
  Buffer<detail::Chunk<V>> chunks(arcs / Oriented::warp_degree + arcs / Oriented::chunk + 1);
  Buffer<unsigned long long> counters(5);
  counters.clear_bytes();
  Oriented o = {graph.view(), degree.data(), length.data(), nullptr, nullptr, chunks.data(), counters.data(), 1,
                false,        false};
  GCOMPILE_CUDA_LAUNCH((detail::degree_kernel<V>), blocks_for(n), block_threads, o, std::uint64_t(n));
  unsigned long long known[5];
  counters.download(known, 5);
  o.even = known[1] == 0;
  o.by_id = o.even && are_even(known[4], n, arcs);
  // A line of fingerprints has room for the successors of most vertices, and takes no more memory than 16 arcs of a
  // directed list, for which a program asks.
  if (o.by_id && n > 0 && arcs >= 16 * n && arcs <= 40 * n)
    if (const std::optional<std::int64_t> count = detail::count_by_fingerprints(graph))
      return *count;
  // Where all lists have some length, each begins with a line of memory.
  const bool aligned = o.by_id && arcs / (n ? n : 1) >= 16;
  o.align = aligned ? 64 / sizeof(V) : 1;
  Buffer<V> target(aligned ? arcs + o.align * (n + 1) : arcs);
  o.target = target.data();
  Buffer<std::uint64_t> place;
  if (aligned)
    place = Buffer<std::uint64_t>(n);
  o.place = place.data();
  if (graph.is_dense())
    GCOMPILE_CUDA_LAUNCH((detail::orient_kernel<16, V>), blocks_for(16 * n), block_threads, o, std::uint64_t(n));
  else
    GCOMPILE_CUDA_LAUNCH((detail::orient_kernel<4, V>), blocks_for(4 * n), block_threads, o, std::uint64_t(n));
  const unsigned all = multiprocessors() * 8;
  if (!o.even)
    GCOMPILE_CUDA_LAUNCH((detail::orient_chunks_kernel<V>), all, block_threads, o);
  GCOMPILE_CUDA_LAUNCH((detail::count_tiny_kernel<V>), blocks_for(n), block_threads, o, std::uint64_t(n));
  GCOMPILE_CUDA_LAUNCH((detail::count_warp_kernel<V>), blocks_for(n), block_threads, o, std::uint64_t(n));
  if (!o.even)
    GCOMPILE_CUDA_LAUNCH((detail::count_chunks_kernel<V>), all, block_threads, o);
  check(cudaGetLastError(), "cannot start a kernel");
  unsigned long long triangles = 0;
  counters.download(&triangles, 1);
  return static_cast<std::int64_t>(triangles);
}

} // namespace cuda
} // namespace gc

#endif
