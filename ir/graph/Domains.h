// Kinds of domains.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile::graph {

/// Whether it is the edges of one vertex.
inline bool isList(Domain domain) {
  return domain == Domain::OutOf || domain == Domain::Into || domain == Domain::Either;
}

} // namespace gcompile::graph
