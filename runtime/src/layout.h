// Other orders of the vertices, and of the arcs of each, than the input's.
#ifndef GCOMPILE_SRC_LAYOUT_H
#define GCOMPILE_SRC_LAYOUT_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

/// Numbers the vertices by another order than the input's; with `parts`, which has one for each vertex, those of part 0
/// first, and so on, in that order each. Rewrites the out-arrays and the columns of `storage`; its
/// ids go on naming the vertices as the input did. Before the in-arrays are built.
template <class V>
void order_vertices(VertexOrder order, const std::vector<std::uint32_t> &parts, GraphStorage &storage,
                    const ReadContext &context);

/// The vertices of a graph in that order: at each position the vertex that stands there. The same on any number of
/// threads. Needs the out-arrays.
template <class V> std::vector<std::uint64_t> vertices_in(VertexOrder order, const Graph<V> &graph);

/// Sorts every list of out-arcs and of in-arcs by descending out-degree of the neighbours, those of equal degree by
/// number, with the columns and in_edges: a pull then soon meets a neighbour that was reached early. After the
/// in-arrays are built. The lists of vertices that are numbered by degree are in this order already.
template <class V> void order_neighbors_by_degree(GraphStorage &storage, const ReadContext &context);

} // namespace gc::detail

#endif
