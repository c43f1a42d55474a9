// The length of a list and its arcs in one word, which limits how large a graph on a GPU may be.
#ifndef GCOMPILE_CUDA_SETS_TALLY_H
#define GCOMPILE_CUDA_SETS_TALLY_H

#include <gcompile/core/error.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/types.h>
#include <gcompile/program/info.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace gc {
namespace cuda {

/// The length of a list and the arcs of its vertices in one word, so that one atomic addition reserves both: the place
/// of a vertex and the number of arcs before it ascend together.
struct Tally {
#ifdef GCOMPILE_GPU_VERTEX_BITS
  static constexpr unsigned length_bits = GCOMPILE_GPU_VERTEX_BITS; ///< and the others of 64 bits for the arcs
#else
  static constexpr unsigned length_bits = 29; ///< and 35 bits for the arcs
#endif
  __device__ static unsigned long long of(ArcId arcs) {
    return static_cast<unsigned long long>(arcs) << length_bits | 1;
  }
  GCOMPILE_HD static std::uint64_t length(unsigned long long tally) { return tally & ((1ull << length_bits) - 1); }
  GCOMPILE_HD static ArcId arcs(unsigned long long tally) { return tally >> length_bits; }
  /// Whether lists of the vertices of such a graph can be counted, with so many bits for their lengths.
  static constexpr bool fits(std::uint64_t vertices, std::uint64_t arcs, unsigned bits = length_bits) {
    return vertices >> bits == 0 && arcs >> (64 - bits) == 0;
  }
  /// The arcs after which a list that takes copies of vertices is full: what threads have in hand then still fits.
  static constexpr ArcId most_of_copies = ArcId(1) << (63 - length_bits);
};
#ifndef GCOMPILE_CUDA_EMULATION // tests have other limits
static_assert(Tally::length_bits >= 29 && Tally::length_bits <= 31, "GCOMPILE_GPU_VERTEX_BITS is 29, 30 or 31");
#endif

/// Throws Error if a graph is too large for this program, and says which option of gcompile would help. `both_ways`:
/// the lists of its vertices have each of its arcs twice. `listed`: as many of its vertices may be in a list.
inline void require_tallies(std::uint64_t vertices, std::uint64_t arcs, bool both_ways, std::uint64_t listed) {
  const std::uint64_t followed = both_ways ? 2 * arcs : arcs;
  if (Tally::fits(listed, followed))
    return;
  const auto room = [](unsigned bits) {
    return "fewer than 2^" + std::to_string(bits) + " vertices and 2^" + std::to_string(64 - bits) + " arcs";
  };
  std::string help = ", and no other --gpu-vertex-bits has room for it";
  for (const unsigned bits : {31u, 30u, 29u})
    if (Tally::fits(listed, followed, bits))
      help = "; compile it with --gpu-vertex-bits=" + std::to_string(bits) + ", for " + room(bits);
  const std::string part = listed < vertices ? ", " + std::to_string(listed) + " of which count," : "";
  throw Error(ErrorKind::resource, "the graph is too large for the GPU: it has " + std::to_string(vertices) +
                                       " vertices" + part + " and " + std::to_string(arcs) + " arcs" +
                                       (both_ways ? ", each of which counts for both of its ends" : "") +
                                       ", and this program is for " + room(Tally::length_bits) + help);
}
inline void require_tallies(std::uint64_t vertices, std::uint64_t arcs, bool both_ways = false) {
  require_tallies(vertices, arcs, both_ways, vertices);
}

namespace detail {

/// The vertices with edges of a graph that has the arcs into vertices, or is undirected.
template <class V> std::uint64_t count_with_edges(const gc::Graph<V> &graph) {
  std::uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (std::uint64_t v = 0; v < graph.num_vertices(); ++v)
    count += graph.out_offsets[v] != graph.out_offsets[v + 1] || graph.in_offsets[v] != graph.in_offsets[v + 1];
  return count;
}

} // namespace detail

/// The same of the graph that a program runs on. Where its lists hold what it reaches alone, vertices without edges do
/// not count, but for those that it is given.
template <class V> void require_tallies(const gc::Graph<V> &graph, const ProgramInfo &info, bool both_ways) {
  std::uint64_t listed = graph.num_vertices();
  if (!Tally::fits(listed, 0) && info.lists_only_reached && graph.in_offsets)
    listed = std::min(listed, detail::count_with_edges(graph) + info.parameters.size());
  require_tallies(graph.num_vertices(), graph.num_arcs(), both_ways, listed);
}

} // namespace cuda
} // namespace gc

#endif
