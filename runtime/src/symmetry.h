// What readers of CSR arrays check and count of an undirected graph.
#ifndef GCOMPILE_SRC_SYMMETRY_H
#define GCOMPILE_SRC_SYMMETRY_H

#include "generate.h"

#include <cstdint>

namespace gc::detail {

/// What the arc from u to v, of different vertices, adds to a sum that is 0 if the arcs to greater vertices are those
/// to smaller ones turned round, each with the same label; and, but for a chance of 2^-64, only then.
inline std::uint64_t arc_balance(std::uint64_t u, std::uint64_t v, std::uint64_t label = 0) {
  return u < v ? splitmix(label ^ splitmix(u ^ splitmix(v))) : 0 - splitmix(label ^ splitmix(v ^ splitmix(u)));
}

/// The number of edges of a graph with so many arcs, `loops` of them self-loops.
inline std::int64_t edges_of_arcs(std::uint64_t arcs, std::uint64_t loops, bool directed) {
  return static_cast<std::int64_t>(directed ? arcs : (arcs - loops) / 2 + loops);
}

} // namespace gc::detail

#endif
