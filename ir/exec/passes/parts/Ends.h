// Whose vertices a kernel names, and which of their edges a machine has.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <optional>

namespace gcompile::parts {

/// Whose vertex it is.
enum class End {
  Own,     // that for which the kernel runs
  Other,   // one at the other end of an edge of it: a machine has a copy
  Computed // any other
};

/// Which machine has the row of a pair of vertices.
enum class Row {
  Here,     // this one
  Given,    // its owner, which is the same for the whole kernel
  Elsewhere // any
};

/// The vertices of a kernel that runs for some own ones.
class Ends {
public:
  /// The vertex for which a region of the kernel runs.
  void addOwn(mlir::Value vertex) { own.push_back(vertex); }

  bool isOwn(mlir::Value vertex) const;
  End of(mlir::Value vertex) const;
  /// That of the vertex which an edge leaves: its owner is the edge's.
  End ofEdge(mlir::Value edge) const;
  /// Of a vertex or an edge.
  End ofPlace(mlir::Value place) const;
  /// Of the members of a set that each machine knows as a whole; none of another set. What the host makes of vertices
  /// has their owners' members.
  std::optional<End> ofMembers(mlir::Value set) const;

  /// Where the row of a pair is, in a state or a copy of its row or column.
  Row rowOf(mlir::Value state, mlir::Value vertex) const;

  /// Whether a machine has the values along the edge, and knows where it leads, if it has the lists of its copies.
  bool hasValues(mlir::Value edge) const;
  bool knowsTarget(mlir::Value edge) const;

private:
  bool isInKernel(mlir::Region *region) const;
  /// Whether it is one out of a copy, as far as one can see.
  bool isOfCopy(mlir::Value edge) const;

  mlir::SmallVector<mlir::Value, 2> own;
};

} // namespace gcompile::parts
