// The arcs that a process keeps of a graph whose arcs at a vertex are divided among several.
#ifndef GCOMPILE_SRC_DIVIDED_PART_H
#define GCOMPILE_SRC_DIVIDED_PART_H

#include "storage.h"

namespace gc::detail {

/// Of a graph that is here as a whole, keeps the offsets, and of the arcs at the vertices of the row of this process in
/// its group's grid those whose other ends are in its column, with their columns: in Graph::divided, where arcs have
/// numbers of their own. The columns of arcs into vertices stand behind those of the others. With `keeps_all` the whole
/// graph stays, too.
void keep_divided(GraphStorage &storage, const LoadOptions &options);
/// The same of a graph of which each process has the arcs at its own vertices: processes of a row send each other what
/// belongs to their columns. All processes.
void divide_part(GraphStorage &storage, ProcessGroup &group);

} // namespace gc::detail

#endif
