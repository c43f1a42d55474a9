// Files of a value for each vertex: what --output writes for such a result, and a parameter `T[g]` reads.
#ifndef GCOMPILE_SRC_VERTEX_FILE_H
#define GCOMPILE_SRC_VERTEX_FILE_H

#include <gcompile/program.h>

#include <optional>
#include <string>
#include <string_view>

namespace gc::detail {

/// Whether a vertex has the name that stands for no vertex.
inline bool has_vertex_none(const VertexIds &ids) {
  return ids.kind() == VertexIds::Kind::text && ids.find(std::string_view("none"));
}

/// The values of the lines "VERTEX VALUE" of a file, for a parameter of `type`; of vertices without a line, `others`.
/// Lines that start with '#' or '%' are comments. T is the type in memory, V the vertices'.
/// Throws Error naming the file, the line and the reason for a line that is malformed, names no vertex of the graph,
/// has a value that the type does not hold, says `none` where a vertex has this name, or gives a vertex a second value;
/// and, without `others`, one naming a vertex that has no line.
template <class V, class T>
Property<T> read_vertex_values(const ParameterInfo &parameter, const std::string &path, const LoadedGraph &graph,
                               const std::optional<VertexValues<T>> &others);

} // namespace gc::detail

#endif
