// Packs lists of neighbours: core/packed_lists.h says how they lie in memory.
#ifndef GCOMPILE_SRC_PACK_H
#define GCOMPILE_SRC_PACK_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

/// The lists of n vertices, which may stand in any order. Throws Error if there are more arcs than places can count.
template <class V> PackedStore pack_lists(std::uint64_t n, const ArcId *offsets, const V *lists);

/// Packs the lists of a graph, as the last layout. The plain arrays go, with the offsets, unless somebody else is to
/// see them.
template <class V> void pack_adjacency(GraphStorage &storage, bool keeps_plain, const ReadContext &context);

} // namespace gc::detail

#endif
