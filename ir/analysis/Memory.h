// What state and work lists take, in bytes.
#pragma once

#include "ir/graph/GraphDialect.h"

namespace gcompile {

/// The active sets of a propagate, for each vertex: two queues of 32-bit ids and two bitmaps.
constexpr double activeSetBytes = 8.25;

/// A set of vertices on a GPU: a bitmap, and a list with the edges before each member.
constexpr double deviceSetBytes = 0.125 + 4 + 8;

/// Their list, where they are kept.
constexpr double keptLevelsBytes = 4;

/// The steps of a block of a closure, whose rows and columns its panels hold.
constexpr std::int64_t closureSteps = 96;

/// One element, with 32-bit vertex ids; of a set, its share for each vertex.
double elementBytes(mlir::Type type);

} // namespace gcompile
