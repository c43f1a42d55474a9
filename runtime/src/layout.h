// Other numberings of the vertices than the input's.
#ifndef GCOMPILE_SRC_LAYOUT_H
#define GCOMPILE_SRC_LAYOUT_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

/// Numbers the vertices by descending out-degree, those of equal degree as before: what many vertices read lies close
/// together. Rewrites the out-arrays and the columns of `storage`; its ids go on naming the vertices as the input did.
/// Before the in-arrays are built.
template <class V> void order_by_degree(GraphStorage &storage, const ReadContext &context);

} // namespace gc::detail

#endif
