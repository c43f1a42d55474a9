// Counting triangles on the device: every edge is directed to the end with more neighbours, and the common successors
// of its ends are looked up in a hash table in shared memory (Pandey et al. 2021), which holds the longer of the two
// lists.
#ifndef GCOMPILE_CUDA_TRIANGLES_TRIANGLES_H
#define GCOMPILE_CUDA_TRIANGLES_TRIANGLES_H

#include <gcompile/core/numeric.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/triangles/count_signed.h>

#include <type_traits>

namespace gc {
namespace cuda {

namespace detail {

/// A vertex with a long list, of which a block takes one chunk at a time.
template <class V> struct Chunk {
  V v;
  unsigned number;
};

/// The arcs to ends with more neighbours (of two with as many: the greater id), each once, without self-loops: of each
/// vertex as many as `length` says, in no order. Where no vertex has many more neighbours than others, the id alone
/// directs them.
template <class V> struct Oriented {
  /// Vertices with at most so many neighbours compare their successors with each other.
  static constexpr unsigned tiny = 8;
  /// Warps take vertices with at most so many neighbours, blocks take the others' lists in such chunks.
  static constexpr unsigned warp_degree = block_threads, chunk = 4 * block_threads;
  /// The entries of the tables of a warp and of a block, which are filled by half.
  static constexpr unsigned warp_slots = 2 * block_threads, block_slots = 128 * block_threads / sizeof(V);

  gc::Graph<V> graph;
  unsigned *degree, *length;
  V *target;
  std::uint64_t *place; // list(u) << 24 | length[u]; nullptr: it is not kept
  Chunk<V> *chunks;
  // triangles, chunks, chunks that have been directed, chunks that have been counted, the most neighbours
  unsigned long long *counters;
  unsigned align; // of lists, in vertices, a power of two
  bool even;      // no list is long
  bool by_id;     // arcs go to greater ids

  /// Where the list of u begins in `target`: with long lists, where it begins in the graph.
  __device__ EdgeId list(V u) const {
    return align == 1 ? graph.out_begin(u) : (graph.out_begin(u) + EdgeId(align) * (u + 1)) & ~EdgeId(align - 1);
  }
  __device__ bool forward(V u, EdgeId e) const {
    const V v = graph.target(e);
    const unsigned a = by_id ? 0 : degree[u], b = by_id ? 0 : degree[v];
    return (a < b || (a == b && u < v)) && (e == graph.out_begin(u) || graph.target(e - 1) != v);
  }
  __device__ bool is_long(V u) const { return degree[u] > warp_degree; }
  /// Whether x looks up the list of y, its neighbour by arc e: each edge is x's or y's.
  __device__ bool takes(V x, EdgeId e, V y) const {
    return y != x && degree[y] > tiny && length[y] > 0 &&
           (length[y] < length[x] || (length[y] == length[x] && y < x)) &&
           (e == graph.out_begin(x) || graph.target(e - 1) != y);
  }
};

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

template <class V> __global__ void degree_kernel(Oriented<V> o, std::uint64_t n) {
  unsigned long long most = 0;
  for (std::uint64_t u = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; u < n;
       u += std::uint64_t(gridDim.x) * block_threads) {
    const EdgeId degree = o.graph.out_end(static_cast<V>(u)) - o.graph.out_begin(static_cast<V>(u));
    o.degree[u] = degree < 0xffffffffu ? static_cast<unsigned>(degree) : 0xffffffffu;
    o.length[u] = 0;
    most = degree > most ? degree : most;
    if (degree > Oriented<V>::warp_degree)
      for (EdgeId first = 0; first < degree; first += Oriented<V>::chunk)
        o.chunks[atomicAdd(&o.counters[1], 1ull)] = {static_cast<V>(u),
                                                     static_cast<unsigned>(first / Oriented<V>::chunk)};
  }
  most = BlockLanes<block_threads>().max(most);
  if (threadIdx.x == 0 && most > gc::load(o.counters[4]))
    atomicMax(&o.counters[4], most);
}

/// A vertex and where its list is in the graph.
struct Listed {
  unsigned degree;
  EdgeId begin, end;
};

/// `count` lanes take as many arcs of a list at a time.
template <unsigned count, class V>
__global__ void __launch_bounds__(block_threads) orient_kernel(Oriented<V> o, std::uint64_t n) {
  const unsigned lane = threadIdx.x % count, shift = lane_of_warp() / count * count;
  const unsigned group = count == 32 ? full_warp : ((1u << (count % 32)) - 1) << shift;
  const std::uint64_t groups = std::uint64_t(gridDim.x) * block_threads / count;
  // Steps at a time, whose reads do not wait for each other; nor do those of the next vertex for this one's.
  constexpr unsigned steps = count >= 16 ? 2 : 1;
  const auto fetch = [&](std::uint64_t i) {
    const V u = static_cast<V>(i);
    return i < n ? Listed{o.degree[u], o.graph.out_begin(u), o.graph.out_end(u)} : Listed{0, 0, 0};
  };
  std::uint64_t i = (blockIdx.x * std::uint64_t(block_threads) + threadIdx.x) / count;
  Listed next = fetch(i);
  for (; i < n; i += groups) {
    const V u = static_cast<V>(i);
    const Listed now = next;
    next = fetch(i + groups);
    if (now.degree <= 1 || now.degree > Oriented<V>::warp_degree) {
      if (lane == 0 && o.place)
        o.place[u] = 0;
      continue;
    }
    const EdgeId list = o.list(u);
    EdgeId at = list;
    for (EdgeId start = now.begin; start < now.end; start += steps * count) {
      bool kept[steps];
      for (unsigned k = 0; k < steps; ++k)
        kept[k] = start + k * count + lane < now.end && o.forward(u, start + k * count + lane);
      for (unsigned k = 0; k < steps; ++k) {
        const unsigned lanes = (__ballot_sync(group, kept[k]) & group) >> shift;
        if (kept[k])
          o.target[at + static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1)))] =
              o.graph.target(start + k * count + lane);
        at += static_cast<unsigned>(__popc(lanes));
      }
    }
    if (lane == 0) {
      o.length[u] = static_cast<unsigned>(at - list);
      if (o.place)
        o.place[u] = list << 24 | (at - list);
    }
  }
}

/// Calls take(v, first arc, last arc) for the chunks, which the blocks draw one after another from a counter. The whole
/// block calls.
template <class V, class Take> __device__ void draw_chunks(const Oriented<V> &o, unsigned long long *drawn, Take take) {
  GCOMPILE_CUDA_SHARED(unsigned long long, next);
  const unsigned long long count = gc::load(o.counters[1]);
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0)
      next = atomicAdd(drawn, 1ull);
    __syncthreads();
    const unsigned long long i = next;
    if (i >= count)
      return;
    const Chunk<V> chunk = o.chunks[i];
    const EdgeId first = o.graph.out_begin(chunk.v) + EdgeId(chunk.number) * Oriented<V>::chunk;
    const EdgeId end = o.graph.out_end(chunk.v);
    take(chunk.v, first, first + Oriented<V>::chunk < end ? first + Oriented<V>::chunk : end);
  }
}

template <class V> __global__ void __launch_bounds__(block_threads) orient_chunks_kernel(Oriented<V> o) {
  draw_chunks(o, &o.counters[2], [&](V u, EdgeId first, EdgeId last) {
    for (EdgeId start = first + threadIdx.x / 32 * 32; start < last; start += block_threads) {
      const EdgeId e = start + lane_of_warp();
      const bool kept = e < last && o.forward(u, e);
      const unsigned lanes = __ballot_sync(full_warp, kept);
      unsigned at = 0;
      if (lane_of_warp() == 0 && lanes != 0)
        at = atomicAdd(&o.length[u], static_cast<unsigned>(__popc(lanes)));
      at = __shfl_sync(full_warp, at, 0) + static_cast<unsigned>(__popc(lanes & ((1u << lane_of_warp()) - 1)));
      if (kept)
        o.target[o.graph.out_begin(u) + at] = o.graph.target(e);
    }
  });
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
        EdgeId low = o.graph.out_begin(v), high = o.graph.out_end(v);
        while (low < high) {
          const EdgeId middle = (low + high) / 2;
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
  EdgeId first[32];
  unsigned length[32];
};

/// The lists that x takes among the ends of 32 arcs, and their number; the whole warp calls. `successors`: no list is
/// long, the arcs are those of x in `o.target`, and x takes them all.
template <bool successors, class V>
__device__ unsigned select_lookups(const Oriented<V> &o, V x, EdgeId start, EdgeId last, Lookups &lookups) {
  const EdgeId e = start + lane_of_warp();
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
      const EdgeId end = o.even ? o.list(x) + length : o.graph.out_end(x);
      for (EdgeId start = o.even ? o.list(x) : o.graph.out_begin(x); start < end; start += 32) {
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
  draw_chunks(o, &o.counters[3], [&](V x, EdgeId first, EdgeId last) {
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
      for (EdgeId start = first + warp * 32; start < last; start += block_threads) {
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
  // A line of signs has room for the successors of most vertices, and takes no more memory than 16 arcs of a directed
  // list, for which a program asks.
  if (o.by_id && n > 0 && arcs >= 16 * n && arcs <= 40 * n)
    if (const std::optional<std::int64_t> count = detail::count_by_signs(graph))
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
