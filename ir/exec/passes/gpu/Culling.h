// How a propagate whose pushes claim without atomic operations keeps copies of vertices out of its frontier.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace gcompile {

/// On an exec.propagate: the sizes of a warp's table and of a block's history, powers of two; 0: it
/// has none. Both are there, or neither.
constexpr llvm::StringLiteral cullWarpAttr = "cull_warp", cullHistoryAttr = "cull_history";

} // namespace gcompile
