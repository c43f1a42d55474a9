// Other parts of a graph for several processes than blocks of the input's order.
#ifndef GCOMPILE_SRC_VERTEX_PARTS_H
#define GCOMPILE_SRC_VERTEX_PARTS_H

#include "edges.h"
#include "storage.h"

#include <cstdint>
#include <vector>

namespace gc::detail {

/// The part of each vertex, 0, 1, ..., as LoadOptions::partition says; nothing if it says nothing. Sets
/// storage.part_begins and storage.parts_by. Needs the out-arrays. Of a group each process calls it, and all get the
/// same. Throws Error as read_parts, Scotch and PtScotch do.
template <class V> std::vector<std::uint32_t> divide_vertices(GraphStorage &storage, const ReadContext &context);

/// The parts of the vertices, of which there are `parts`, in a file: a line each with the number of its part, in the
/// input's order, or all lines "VERTEX PART" in any order. Lines that start with '#' or '%' are comments. Throws Error
/// naming the file, the line and the reason for a line that is malformed, a number that is no part, a vertex that the
/// graph has not or that has a part already, and if there are too many or too few.
std::vector<std::uint32_t> read_parts(const std::string &path, const VertexIds &ids, int parts, MemoryBudget &budget);

} // namespace gc::detail

#endif
