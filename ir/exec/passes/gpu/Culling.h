// How a propagate whose pushes claim without atomic operations keeps copies of vertices out of its frontier.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace gcompile {

/// On the statement and its exec.propagate: the sizes of a warp's table and of a block's history, powers of two; 0: it
/// has none. Both are there, or neither.
constexpr llvm::StringLiteral cullWarpAttr = "cull_warp", cullHistoryAttr = "cull_history";

/// Sizes that shared memory has room for beside what else a kernel of rounds keeps there, in vertex ids of 64 bits.
constexpr unsigned defaultCullWarp = 128, mostCullWarp = 128, defaultCullHistory = 1024, mostCullHistory = 2048;

} // namespace gcompile
