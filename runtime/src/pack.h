// Packs lists of neighbours: core/packed_lists.h says how they lie in memory.
#ifndef GCOMPILE_SRC_PACK_H
#define GCOMPILE_SRC_PACK_H

#include "edges.h"
#include "storage.h"

namespace gc::detail {

/// The lists of n vertices, which may stand in any order. Throws Error if there are more arcs than places can count.
template <class V> PackedStore pack_lists(std::uint64_t n, const ArcId *offsets, const V *lists);

/// How many groups n vertices have.
inline std::uint64_t num_groups(std::uint64_t n) { return (n + PackedGroup::vertices - 1) / PackedGroup::vertices; }

/// Whether all lists of n vertices, which come from elsewhere, are where there are fields of at most so many bits, one
/// behind the other, and none is longer than a degree can be. What the fields hold is not looked at.
bool places_are_sound(std::uint64_t n, unsigned most_bits, const PackedParts &lists);

/// Gives a graph whose lists are packed plain ones instead. Throws Error if there is no memory for them.
template <class V> void unpack_adjacency(GraphStorage &storage, const ReadContext &context);

/// Packs the lists of a graph, as the last layout. The plain arrays go, with the offsets, unless somebody else is to
/// see them.
template <class V> void pack_adjacency(GraphStorage &storage, bool keeps_plain, const ReadContext &context);

} // namespace gc::detail

#endif
