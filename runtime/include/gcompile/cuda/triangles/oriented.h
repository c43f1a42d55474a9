// A graph whose every edge is directed to the end with more neighbours, and the kernels that make it.
#ifndef GCOMPILE_CUDA_TRIANGLES_ORIENTED_H
#define GCOMPILE_CUDA_TRIANGLES_ORIENTED_H

#include <gcompile/cuda/kernels/kernels.h>

#include <cstdint>

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
  __device__ ArcId list(V u) const {
    return align == 1 ? graph.out_begin(u) : (graph.out_begin(u) + ArcId(align) * (u + 1)) & ~ArcId(align - 1);
  }
  __device__ bool forward(V u, ArcId e) const {
    const V v = graph.target(e);
    const unsigned a = by_id ? 0 : degree[u], b = by_id ? 0 : degree[v];
    return (a < b || (a == b && u < v)) && (e == graph.out_begin(u) || graph.target(e - 1) != v);
  }
  __device__ bool is_long(V u) const { return degree[u] > warp_degree; }
  /// Whether x looks up the list of y, its neighbour by arc e: each edge is x's or y's.
  __device__ bool takes(V x, ArcId e, V y) const {
    return y != x && degree[y] > tiny && length[y] > 0 &&
           (length[y] < length[x] || (length[y] == length[x] && y < x)) &&
           (e == graph.out_begin(x) || graph.target(e - 1) != y);
  }
};

template <class V> __global__ void degree_kernel(Oriented<V> o, std::uint64_t n) {
  unsigned long long most = 0;
  for (std::uint64_t u = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; u < n;
       u += std::uint64_t(gridDim.x) * block_threads) {
    const ArcId degree = o.graph.out_end(static_cast<V>(u)) - o.graph.out_begin(static_cast<V>(u));
    o.degree[u] = degree < 0xffffffffu ? static_cast<unsigned>(degree) : 0xffffffffu;
    o.length[u] = 0;
    most = degree > most ? degree : most;
    if (degree > Oriented<V>::warp_degree)
      for (ArcId first = 0; first < degree; first += Oriented<V>::chunk)
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
  ArcId begin, end;
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
    const ArcId list = o.list(u);
    ArcId at = list;
    for (ArcId start = now.begin; start < now.end; start += steps * count) {
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
    const ArcId first = o.graph.out_begin(chunk.v) + ArcId(chunk.number) * Oriented<V>::chunk;
    const ArcId end = o.graph.out_end(chunk.v);
    take(chunk.v, first, first + Oriented<V>::chunk < end ? first + Oriented<V>::chunk : end);
  }
}

template <class V> __global__ void __launch_bounds__(block_threads) orient_chunks_kernel(Oriented<V> o) {
  draw_chunks(o, &o.counters[2], [&](V u, ArcId first, ArcId last) {
    for (ArcId start = first + threadIdx.x / 32 * 32; start < last; start += block_threads) {
      const ArcId e = start + lane_of_warp();
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

} // namespace detail

} // namespace cuda
} // namespace gc

#endif
