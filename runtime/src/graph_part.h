// The part of a graph that a process of a group keeps.
#ifndef GCOMPILE_SRC_GRAPH_PART_H
#define GCOMPILE_SRC_GRAPH_PART_H

#include "storage.h"

#include <algorithm>
#include <cstdint>

#include <sys/mman.h>

namespace gc::detail {

/// Whether a process needs no more of a graph than the arcs at its own vertices, or those that others have at theirs.
bool may_part(const LoadOptions &options);
/// Whether a process needs no more of the arrays of a graph than its own part.
bool reads_by_parts(const LoadOptions &options);

/// Keeps the arcs and columns at the vertices that this process owns, and the offsets of all; where the options say so,
/// those at the other ends of its arcs, too. Arrays go on to have an element for each arc of the graph, so arcs have
/// the same ids everywhere; those of others are zero, and take no memory. What is mapped from a file comes into memory,
/// and, if the options ask for it, the arcs into own vertices are found. Columns stay whole where in_edges leads to
/// those of others.
void keep_part(GraphStorage &storage, const LoadOptions &options);

/// Copies elements [begin, end) of an array to the same places of one whose other elements take no memory: huge pages
/// lie inside of this part.
template <class T> void copy_part(T *to, const T *from, std::uint64_t begin, std::uint64_t end) {
  constexpr std::uintptr_t huge = std::uintptr_t(1) << 21;
  const auto first = (reinterpret_cast<std::uintptr_t>(to + begin) + huge - 1) / huge * huge;
  const auto last = reinterpret_cast<std::uintptr_t>(to + end) / huge * huge;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
  std::copy(from + begin, from + end, to + begin);
}

} // namespace gc::detail

#endif
