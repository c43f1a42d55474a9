// Other orders of the vertices, and of the arcs of each, than the input's.
#ifndef GCOMPILE_SRC_LAYOUT_H
#define GCOMPILE_SRC_LAYOUT_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

/// Numbers the vertices by descending out-degree, those of equal degree as before: what many vertices read lies close
/// together. Rewrites the out-arrays and the columns of `storage`; its ids go on naming the vertices as the input did.
/// Before the in-arrays are built.
template <class V> void order_by_degree(GraphStorage &storage, const ReadContext &context);

/// Sorts every list of out-arcs and of in-arcs by descending out-degree of the neighbours, those of equal degree by
/// number, with the columns and in_edges: a pull then soon meets a neighbour that was reached early. After the
/// in-arrays are built. The lists of vertices that are numbered by degree are in this order already.
template <class V> void order_neighbors_by_degree(GraphStorage &storage, const ReadContext &context);

} // namespace gc::detail

#endif
